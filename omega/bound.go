package omega

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
)

// maxNodes bounds the diagrams of an automaton that is worked on: to about half a gigabyte.
const maxNodes = 1 << 24

// Bound has the diagrams of the automaton, and of those that are made from it, ask the meter,
// so that Guard ends what takes long between two states, too.
func (a *Automaton) Bound(meter *budget.Meter) {
	a.man.SetLimit(maxNodes, func(int) error { return tick(meter, "computing labels", 0) })
}

// Guard runs work on automata with a bound, and returns its error or the one of the bound.
func Guard(work func() error) error {
	err := bdd.Guard(work)
	var nodes *bdd.NodeLimit
	if errors.As(err, &nodes) {
		return &budget.Exhausted{What: "decision diagrams", Limit: fmt.Sprintf("%d nodes", nodes.Nodes)}
	}
	return err
}

// guarded is Guard for what returns an automaton.
func guarded(work func() (*Automaton, error)) (a *Automaton, err error) {
	err = Guard(func() error {
		a, err = work()
		return err
	})
	return a, err
}
