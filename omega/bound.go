package omega

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
)

// maxNodes bounds the diagrams of an automaton that is worked on: to about half a gigabyte.
const maxNodes = 1 << 24

// Bound has the automaton, those that are made from it, and their diagrams ask the meter, so that
// Guard ends what has no meter as an argument, such as products and searches for words.
func (a *Automaton) Bound(meter *budget.Meter) {
	a.meter = meter
	a.man.SetLimit(maxNodes, func(int) error { return tick(meter, "computing labels", 0) })
}

// Bounded returns a copy with a bound, for work within Guard.
func (a *Automaton) Bounded(meter *budget.Meter) *Automaton {
	b := a.over(a.atoms, bdd.New())
	b.Bound(meter)
	return b
}

// step asks the meter of an automaton with a bound, and ends what Guard runs.
func step(meter *budget.Meter, phase string, states int) {
	if err := tick(meter, phase, states); err != nil {
		panic(&bdd.Overflow{Err: err})
	}
}

// Guard runs work on automata with a bound, and returns its error or the one of the bound.
func Guard(work func() error) error {
	err := bdd.Guard(work)
	if nodes, ok := errors.AsType[*bdd.NodeLimit](err); ok {
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
