package cegar

import (
	"context"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// weakSimul is WeakSimul to the letter ([Chaki05], Procedure 6.1): whether the component can
// follow its part of a counterexample by any steps with the same actions, not only by the
// blocks that the abstraction took. What feasible says can be run, can be followed.
func (p *part) weakSimul(ctx context.Context, s smt.Checker) (smt.Status, error) {
	able := p.canSimul(0, predabs.NewRepresentation(p.of, logic.True())).Intersection(predabs.InitialStates(p.of))
	return smt.CheckAll(ctx, s, logic.Or(able.At...))
}

// canSimul returns the states that can follow what comes after a node (CanSimul,
// Procedure 6.2). There are no propositions. all are all states.
func (p *part) canSimul(n int, all *predabs.Representation) *predabs.Representation {
	able := all
	if f := p.nodes[n].holds; f != nil {
		able = able.Restrict(f)
	}
	for _, child := range p.nodes[n].children {
		able = able.Intersection(p.canSimul(child, all).PreImage(p.of.Actions[p.nodes[child].block]))
	}
	return able
}
