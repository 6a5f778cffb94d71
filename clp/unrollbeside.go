package clp

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/logic"
)

// Refinement finds a derivation only after it has excluded all abstract ones before it:
// one of many calls may take as many rounds. So an unrolling looks for derivations before
// facts are looked for, which may take long where there is one, and in turns with rounds,
// with a share of the work.

const (
	firstHunt = 250_000 // work of the solver before facts
	huntShare = 3       // of so much work one part is unrolling
)

// hunted is the work that unrolling and all else have done.
type hunted struct {
	unrolling *unrolling
	since     uint64 // work of the solver when the last turn ended
	owed      uint64 // what unrolling may do
}

// beginHunt is the first turn.
func (c *complete) beginHunt() (*Derivation, error) {
	c.hunted = hunted{newUnrolling(c.ctx, c.solver, c.problem, c.known, c.meter), c.solver.Stats().Work, firstHunt}
	return c.hunt()
}

// learn tells unrolling of facts.
func (h *hunted) learn(known []*logic.Term) {
	if h.unrolling != nil && !h.unrolling.over {
		h.unrolling.learn(known)
	}
}

// hunt gives unrolling a turn with all the work that it is owed.
func (c *complete) hunt() (*Derivation, error) {
	h := &c.hunted
	if h.unrolling == nil || h.unrolling.over {
		return nil, nil
	}
	began := c.solver.Stats().Work
	h.owed += (began - h.since) / huntShare
	d, err := h.unrolling.run(c.solver, h.owed)
	h.since = c.solver.Stats().Work
	h.owed = 0
	if err != nil && !budget.Stopped(err) && c.ctx.Err() != nil {
		err = c.ctx.Err()
	}
	return d, err
}
