package predabs

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Order is the index k of the orders ≤k and abstraction functions αk of [Rybalchenko02].
type Order uint8

const (
	// Syntactic, k=1: conjuncts are compared for equality.
	Syntactic Order = 1 + iota
	// Conjunctwise, k=2: one conjunct must entail another.
	Conjunctwise
	// Full, k=3: the whole conjunction must entail each conjunct.
	Full
)

func (k Order) String() string { return fmt.Sprintf("a%d", uint8(k)) }

// LessEq reports whether cube a ≤k cube b ([Rybalchenko02], Defs. 1-3): for every
// conjunct of b there is a reason in a.
func (p *Prover) LessEq(ctx context.Context, k Order, a, b []*logic.Term) (bool, error) {
	yes, err := p.Entailments(ctx, k, a, b)
	return err == nil && !slices.Contains(yes, false), err
}

// Alpha returns αk of a cube with respect to a set of predicates (eq. 4.3): those
// predicates that the cube is ≤k of, in the order given.
func (p *Prover) Alpha(ctx context.Context, k Order, cube, predicates []*logic.Term) ([]*logic.Term, error) {
	yes, err := p.Entailments(ctx, k, cube, predicates)
	if err != nil {
		return nil, err
	}
	return chosen(predicates, yes), nil
}

func chosen(ts []*logic.Term, yes []bool) []*logic.Term {
	var out []*logic.Term
	for i, t := range ts {
		if yes[i] {
			out = append(out, t)
		}
	}
	return out
}

// Entailments says for each goal whether the cube is ≤k of it.
func (p *Prover) Entailments(ctx context.Context, k Order, cube, goals []*logic.Term) ([]bool, error) {
	yes := make([]bool, len(goals))
	switch k {
	case Syntactic:
		in := map[*logic.Term]bool{}
		for _, c := range cube {
			in[c] = true
		}
		for i, g := range goals {
			yes[i] = in[g]
		}
		return yes, nil
	case Conjunctwise:
		return yes, p.conjunctwise(ctx, cube, goals, yes)
	}
	_, yes, err := p.entailed(ctx, logic.And(cube...), goals)
	return yes, err
}

// conjunctwise asks the solver only about pairs of which one is not linear: for
// two linear atoms the syntactic answer is complete over the rationals, which is
// the theorem prover of [Rybalchenko02]. (Over Int it is no less than that.)
func (p *Prover) conjunctwise(ctx context.Context, cube, goals []*logic.Term, yes []bool) error {
	p.stats.Questions += len(goals)
	for i, v := range p.Visible(cube, goals) {
		if v {
			p.stats.Syntactic++
			yes[i] = true
		}
	}
	for _, c := range cube {
		var open []*logic.Term
		var at []int
		for i, g := range goals {
			if !yes[i] && !(logic.IsLinearAtom(c) && logic.IsLinearAtom(g)) {
				open, at = append(open, g), append(at, i)
			}
		}
		if len(open) == 0 {
			continue
		}
		_, answers, err := p.entailed(ctx, c, open)
		if err != nil {
			return err
		}
		for j, i := range at {
			yes[i] = yes[i] || answers[j]
		}
	}
	return nil
}
