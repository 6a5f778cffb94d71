package witness

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Confirm replays a counterexample on the components and evaluates the formula
// on it by the semantics of ltl. The error is a *bug.Error.
func Confirm(net *lks.Network, f *ltl.Formula, l *run.Run) error {
	err := l.Replay(net)
	if err == nil && len(l.Loop) == 0 {
		err = errors.New("the loop is empty")
	}
	if err != nil {
		return &bug.Error{Stage: "replay of the counterexample", Err: err}
	}
	if ltl.Eval(f, meet.Word(l)) {
		return &bug.Error{Stage: "evaluation of the counterexample", Err: fmt.Errorf("%v holds on %v", f, l)}
	}
	return nil
}
