package trials

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// question is one of a model.
type question struct {
	file    string
	process string
	params  map[string]int
	kind    string // count, deadlock, error, reach, ltl
	formula string
	finite  product.FiniteRuns
}

// args are what seltl-cluster is given.
func (q *question) args() []string {
	args := []string{q.file, "--finite", q.finite.String()}
	if q.process != "" {
		args = append(args, "--process", q.process)
	}
	for name, value := range q.params {
		args = append(args, "-D", fmt.Sprintf("%s=%d", name, value))
	}
	switch q.kind {
	case "reach":
		return append(args, "--reach", q.formula)
	case "ltl":
		return append(args, q.formula)
	}
	return append(args, "--"+q.kind)
}

// answer is what one process says.
type answer struct {
	status  int
	verdict report.Verdict
	// Of all that can be reached, where the verdict is holds.
	states, transitions, depth int64
	note                       string
	net                        *lks.Network
	length                     int // of a shortest trace; -1: not known
}

// ask answers a question by the engines of one process.
func (q *question) ask(ctx context.Context) (*answer, error) {
	m, err := check.Load(ctx, q.file, check.LoadOptions{Process: q.process, Params: q.params})
	if err != nil {
		return nil, err
	}
	a := &answer{net: m.Net, verdict: report.Holds, length: -1}
	opts := explore.Options{Resources: explore.Resources{Store: explore.Numbered, Workers: 1}, Traces: true}
	switch q.kind {
	case "ltl":
		return q.verify(ctx, m, a)
	case "deadlock":
		opts.StopAtDeadlock = true
	case "error":
		opts.StopAtError = true
	case "reach":
		asked, err := m.Ask(q.formula)
		if err != nil {
			return nil, err
		}
		a.net = asked.Network()
		goal, err := product.NewPredicate(a.net, asked.Formula)
		if err != nil {
			return nil, err
		}
		x, next := a.net.Explorer(), lks.Successors{}
		opts.Goal = func(state []uint64) bool {
			x.Successors(state, &next)
			return goal.Holds(state, &next)
		}
		opts.StopAtGoal = true
	}
	if q.kind == "deadlock" || q.kind == "error" {
		if a.net, err = m.Composition(); err != nil {
			return nil, err
		}
	}
	r, err := explore.Reach(a.net, opts)
	if err != nil {
		return nil, err
	}
	a.states, a.transitions, a.depth = r.States, r.Transitions, r.Depth
	a.note = fmt.Sprintf("%s, %s, %s in error, %s", report.Counted(r.Deadlocks, "deadlock"), report.Counted(r.Ends, "END state"), report.Counted(r.Errors, "state"), report.Counted(r.Depth, "level"))
	if q.kind == "deadlock" && r.DeadlockState != nil || q.kind == "error" && r.ErrorState != nil || q.kind == "reach" && r.GoalState != nil {
		a.verdict = report.Violated
	}
	a.status = a.verdict.Exit()
	return a, nil
}

// verify asks about a formula.
func (q *question) verify(ctx context.Context, m *check.Model, a *answer) (*answer, error) {
	asked, err := m.Ask(q.formula)
	if err != nil {
		return nil, err
	}
	a.net = asked.Network()
	r, err := product.Verify(ctx, a.net, asked.Formula, product.Options{Finite: q.finite})
	var refused *product.FiniteRunError
	if errors.As(err, &refused) {
		a.status, a.verdict = report.ExitInput, ""
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.verdict = report.Verdict(r.Verdict.String())
	a.status = a.verdict.Exit()
	return a, nil
}

// compare compares what a process has printed with the answer of one process, and replays
// what it shows.
func (q *question) compare(t testing.TB, a *answer, e ended, workers int) error {
	t.Helper()
	if e.status != a.status {
		return fmt.Errorf("status %d is wanted, of %v, is %v", a.status, a.verdict, e)
	}
	if a.verdict == "" { // refused
		return nil
	}
	_, r := e.read(t)
	switch s := r.Statistics; {
	case r.Verdict != a.verdict:
		return fmt.Errorf("%v, want %v", r.Verdict, a.verdict)
	case r.Verdict == report.Violated:
		return q.replay(a.net, r.Counterexample)
	case s.Method != "distributed, "+report.Counted(int64(workers), "worker"):
		return fmt.Errorf("the method is %s, not by %d workers", s.Method, workers)
	case q.kind != "ltl" && (s.States != report.NewCount(a.states) || s.Transitions != report.NewCount(a.transitions) || s.Depth != a.depth):
		return fmt.Errorf("%v states, %v transitions, %d levels; want %d, %d, %d", s.States, s.Transitions, s.Depth, a.states, a.transitions, a.depth)
	case q.kind == "count" && r.Note != a.note && !strings.HasPrefix(r.Note, a.note+"; "): // of attempts before
		return fmt.Errorf("%s; want %s", r.Note, a.note)
	}
	return nil
}

// replay follows a counterexample by its names alone: which components are where, which
// event happens.
func (q *question) replay(net *lks.Network, c *report.Counterexample) error {
	if c == nil {
		return errors.New("there is no counterexample")
	}
	x := newStepper(net)
	at := x.initial(c.Initial.Locals)
	if len(at) == 0 {
		return fmt.Errorf("%v is no initial state", c.Initial.Locals)
	}
	steps, stem := slices.Concat(c.Stem, c.Loop), len(c.Stem)
	states := [][][]uint64{at}
	for i, s := range steps {
		if s.Event == "" { // a finished run stutters
			if !x.stuck(at) {
				return fmt.Errorf("step %d stutters, but the state has successors", i)
			}
		} else if at = x.step(at, s.Event, s.State.Locals); len(at) == 0 {
			return fmt.Errorf("step %d, %s to %v, is none of the model", i, s.Event, s.State.Locals)
		}
		states = append(states, at)
	}
	switch {
	case len(c.Loop) > 0:
		if !slices.ContainsFunc(states[len(steps)], func(end []uint64) bool {
			return slices.ContainsFunc(states[stem], func(state []uint64) bool { return slices.Equal(state, end) })
		}) {
			return errors.New("the loop does not end where it begins")
		}
	case q.kind == "deadlock" && (c.End != "deadlock" || !x.stuck(at)):
		return fmt.Errorf("the trace ends with %q where it could go on: %v", c.End, !x.stuck(at))
	case q.kind == "error" && c.End != "error":
		return fmt.Errorf("the trace ends with %q", c.End)
	}
	return nil
}

// stepper makes steps of a network by names. A name may be that of several states.
type stepper struct {
	net *lks.Network
	x   *lks.Explorer
}

func newStepper(net *lks.Network) *stepper { return &stepper{net, net.Explorer()} }

// named reports whether the components are where the names say. All states in error, and
// all terminated ones, may be one.
func (s *stepper) named(state []uint64, locals []string) bool {
	switch s.net.Kind(state) {
	case lks.Error:
		return slices.Contains(locals, "ERROR")
	case lks.End:
		return slices.Contains(locals, "END")
	}
	components := s.net.Components()
	if len(locals) != len(components) {
		return false
	}
	for i, c := range components {
		f := s.net.Field(int32(i))
		if c.StateName(int32(state[f.Word]>>f.Shift&f.Mask)) != locals[i] {
			return false
		}
	}
	return true
}

func (s *stepper) only(states []uint64, keep func(i int, state []uint64) bool) (kept [][]uint64) {
	i := 0
	for state := range slices.Chunk(states, s.net.Words()) {
		if keep(i, state) {
			kept = append(kept, slices.Clone(state))
		}
		i++
	}
	return kept
}

func (s *stepper) initial(locals []string) [][]uint64 {
	var all lks.Successors
	s.x.Initial(&all)
	return s.only(all.States, func(_ int, state []uint64) bool { return s.named(state, locals) })
}

// step returns the states with these names that an event leads to.
func (s *stepper) step(from [][]uint64, event string, locals []string) (to [][]uint64) {
	var all lks.Successors
	for _, state := range from {
		s.x.Successors(state, &all)
		to = append(to, s.only(all.States, func(i int, state []uint64) bool {
			return s.net.Alphabet()[s.net.Rules()[all.Rules[i]].Action] == event && s.named(state, locals)
		})...)
	}
	slices.SortFunc(to, slices.Compare[[]uint64])
	return slices.CompactFunc(to, slices.Equal[[]uint64])
}

// stuck reports whether one of the states, which have the same names, has no successor.
func (s *stepper) stuck(at [][]uint64) bool {
	var all lks.Successors
	return slices.ContainsFunc(at, func(state []uint64) bool {
		s.x.Successors(state, &all)
		return len(all.States) == 0
	})
}

// specs is the folder of the models of the repository.
func specs(name ...string) string {
	return filepath.Join(append([]string{"..", "..", "specs"}, name...)...)
}
