package ltl

import "github.com/seltl/seltl/internal/lists"

// NNF returns the negation normal form of f: equivalent, with negations only at
// atoms and without ->, <-> and xor. Each subformula is treated at most once in
// each polarity, so the result shares subformulas as f does and has at most four
// times as many distinct ones; as a tree it can be exponentially larger (nested
// <-> and xor).
func NNF(f *Formula) *Formula {
	mustFormula(f)
	return newNegator().nnf(f, false)
}

// Negate returns the negation normal form of !f.
func Negate(f *Formula) *Formula {
	mustFormula(f)
	return newNegator().nnf(f, true)
}

// negator computes negation normal forms and remembers them.
type negator struct {
	memo [2]map[*Formula]*Formula
}

func newNegator() *negator {
	return &negator{memo: [2]map[*Formula]*Formula{{}, {}}}
}

// dualOp is the operator of the negation, which takes the negated operands.
var dualOp = map[Op]Op{
	True: False, False: True, And: Or, Or: And, Next: Next,
	Eventually: Always, Always: Eventually, Until: Release, Release: Until,
	WeakUntil: StrongRelease, StrongRelease: WeakUntil,
	Yesterday: WeakYesterday, WeakYesterday: Yesterday, Once: Historically, Historically: Once,
	Since: Triggered, Triggered: Since,
	SuffixImplies: SuffixAnd, SuffixAnd: SuffixImplies,
}

func (n *negator) nnf(f *Formula, negate bool) *Formula {
	if !negate && f.class.Has(NegationNormal) {
		return f
	}
	polarity := 0
	if negate {
		polarity = 1
	}
	switch f.op {
	case Atomic:
		return MakeNot(f) // negate is true here
	case Not:
		return n.nnf(f.args[0], !negate)
	}
	if g, ok := n.memo[polarity][f]; ok {
		return g
	}
	g := n.compound(f, negate)
	n.memo[polarity][f] = g
	return g
}

func (n *negator) compound(f *Formula, negate bool) *Formula {
	switch f.op {
	case Implies:
		left, right := n.nnf(f.args[0], !negate), n.nnf(f.args[1], negate)
		if negate {
			return MakeAnd(left, right)
		}
		return MakeOr(left, right)
	case Xor, Iff:
		// f xor g = (f & !g) | (!f & g); f <-> g is f xor !g.
		flip := (f.op == Iff) != negate
		l, notL := n.nnf(f.args[0], false), n.nnf(f.args[0], true)
		r, notR := n.nnf(f.args[1], flip), n.nnf(f.args[1], !flip)
		return MakeOr(MakeAnd(l, notR), MakeAnd(notL, r))
	}
	op := f.op
	if negate {
		op = dualOp[op]
	}
	if f.re != nil {
		re := f.re.mapLetters(func(letter *Formula) *Formula { return n.nnf(letter, false) })
		return suffix(op, re, n.nnf(f.Last(), negate))
	}
	args := lists.Map(f.args, func(a *Formula) *Formula { return n.nnf(a, negate) })
	return Make(op, args...)
}
