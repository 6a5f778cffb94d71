package smt

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/logic"
)

// A question to what stands beside a solver is at first asked with results of products of words of which nothing is
// known but that equal operands have equal ones. Most proofs about programs that hash are so: a key
// has the same place each time. z3 makes circuits of products at once, and then does not end. Where that has a model,
// products that have other values there are what they are, and it is asked again ([Bryant09]).

// Bounds of such questions: products, rounds, and the work of each round, in units.
const (
	mostProducts  = 40
	productRounds = 8
	productWork   = 8_000_000
)

// withProducts is a stack that asks so.
type withProducts struct{ *stack }

// product is an operation, and what stands for its result.
type product struct {
	result, is *logic.Term
	known      bool // the result is that of the operation
}

// Check implements Checker.
func (z withProducts) Check(ctx context.Context, assumptions ...*logic.Term) (Status, error) {
	if len(assumptions) == 0 && len(z.frames) == 1 && !z.closed && !z.ended {
		status, m, err := z.apart(ctx)
		if err != nil {
			return Unknown, err
		}
		if status != Unknown {
			z.asked, z.status, z.reason, z.model, z.refuted = nil, status, "", m, status == Unsat
			return status, nil
		}
	}
	return z.stack.Check(ctx, assumptions...)
}

// apart asks with products apart. A model is one of what was asserted.
func (z withProducts) apart(ctx context.Context) (Status, logic.Model, error) {
	formulas, all := productsOf(z.frames[0].asserted)
	if len(all) == 0 || len(all) > mostProducts {
		return Unknown, nil, nil
	}
	other := newStack(z.backend)
	other.words = true
	defer other.close()
	for _, f := range append(formulas, congruent(all)...) {
		other.Assert(f)
	}
	limit := uint64(productWork)
	if z.limit > 0 {
		limit = min(limit, z.limit/2) // which few rounds need
	}
	for range productRounds {
		other.Limit(limit)
		status, err := other.Check(ctx)
		if err != nil || status != Sat {
			return status, nil, err
		}
		m, err := other.Model(ctx)
		if err != nil || m == nil {
			return Unknown, nil, err
		}
		wrong := false
		for i := range all {
			p := &all[i]
			if p.known {
				continue
			}
			if right, err := logic.Holds(logic.Eq(p.result, p.is), m); err != nil || !right {
				other.Assert(logic.Eq(p.result, p.is))
				p.known, wrong = true, true
			}
		}
		if !wrong {
			return Sat, m, nil
		}
	}
	return Unknown, nil, nil
}

// productsOf returns the products of formulas that are large circuits, and the formulas with variables for them.
func productsOf(formulas []*logic.Term) (without []*logic.Term, all []product) {
	by := map[*logic.Term]*logic.Term{}
	for t := range logic.Subterms(formulas...) {
		if circuit(t) {
			x := logic.Var(fmt.Sprintf("seltl!product%d", len(all)), t.Sort())
			by[t], all = x, append(all, product{result: x, is: t})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	for i, p := range all {
		all[i].is = logic.Rebuild(p.is, logic.SubstituteAll(p.is.Args(), by))
	}
	return logic.SubstituteAll(formulas, by), all
}

// fewBits is how many additions a product by a number is at most that is left as it is.
const fewBits = 3

// circuit reports that a term is a product, quotient or remainder for which there are many additions.
func circuit(t *logic.Term) bool {
	switch t.Op() {
	case logic.OpBVMul:
		return !slices.ContainsFunc(t.Args(), sparse)
	case logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem:
		return t.Args()[1].Op() != logic.OpNumber
	}
	return false
}

// sparse reports a number that has few bits, or whose negation has.
func sparse(n *logic.Term) bool {
	if n.Op() != logic.OpNumber {
		return false
	}
	ones := func(n *logic.Term) (count int) {
		for _, w := range n.Num().Num().Bits() {
			count += bits.OnesCount(uint(w))
		}
		return count
	}
	return min(ones(n), ones(logic.BVNeg(n))) <= fewBits
}

// congruent says that operations with equal operands have equal results.
func congruent(all []product) (fs []*logic.Term) {
	for i, p := range all {
		for _, q := range all[:i] {
			if !circuit(p.is) || p.is.Op() != q.is.Op() || p.result.Sort() != q.result.Sort() {
				continue
			}
			same := []*logic.Term{logic.Eq(p.result, q.result)}
			for k, a := range p.is.Args() {
				same = append(same, logic.Ne(a, q.is.Args()[k]))
			}
			fs = append(fs, logic.Or(same...))
		}
	}
	return fs
}
