package logic

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

var (
	trueTerm  = node(OpTrue, Bool)
	falseTerm = node(OpFalse, Bool)
)

// True returns the formula true.
func True() *Term { return trueTerm }

// False returns the formula false.
func False() *Term { return falseTerm }

// BoolConst returns True() or False().
func BoolConst(b bool) *Term {
	if b {
		return trueTerm
	}
	return falseTerm
}

// Var returns the variable of that name and sort. Variables of one name and
// different sorts are different, but should not be used together: models and
// solvers know variables by name.
func Var(name string, sort *Sort) *Term { return intern(structure{op: OpVar, sort: sort, name: name}) }

func mustBe(t *Term, s *Sort, where string) {
	if t.sort != s {
		panic(fmt.Sprintf("logic: %s of a term of sort %s: %s", where, t.sort, t))
	}
}

// Not returns the negation. That of an inequality is an inequality.
func Not(t *Term) *Term {
	mustBe(t, Bool, "Not")
	switch t.op {
	case OpTrue:
		return falseTerm
	case OpFalse:
		return trueTerm
	case OpNot:
		return t.args[0]
	case OpLe, OpLt, OpAnd, OpOr:
		return remembered(t)
	// As for inequalities of numbers: the negation of a comparison is one, and a
	// predicate and its negation are found to be complementary.
	case OpBVULe:
		return BVULt(t.args[1], t.args[0])
	case OpBVULt:
		return BVULe(t.args[1], t.args[0])
	case OpBVSLe:
		return BVSLt(t.args[1], t.args[0])
	case OpBVSLt:
		return BVSLe(t.args[1], t.args[0])
	}
	return node(OpNot, Bool, t)
}

// remembered is the negation of a junction or an inequality, which is kept: formulas
// share parts, and without that the work could be exponential in their depth; and each
// conjunction that an inequality comes into asks whether its negation is there, too.
func remembered(t *Term) *Term {
	n := t.neg.Load()
	if n == nil {
		if t.op == OpLe || t.op == OpLt {
			n = negateInequality(t)
		} else {
			n = negateJunction(t)
		}
		t.neg.Store(n)
	}
	return n
}

// negateJunction pushes negation inwards.
func negateJunction(t *Term) *Term {
	args := lists.Map(t.args, Not)
	if t.op == OpOr {
		return And(args...)
	}
	return Or(args...)
}

// And returns the conjunction; true for no operands.
func And(ts ...*Term) *Term { return junction(OpAnd, ts) }

// Or returns the disjunction; false for no operands.
func Or(ts ...*Term) *Term { return junction(OpOr, ts) }

// junction flattens one level, since operands are flat already, and sorts, so that
// conjunctions of the same formulas are one term whatever order they came in.
func junction(op Op, ts []*Term) *Term {
	unit, zero := trueTerm, falseTerm
	if op == OpOr {
		unit, zero = zero, unit
	}
	args := make([]*Term, 0, len(ts))
	for _, t := range ts {
		mustBe(t, Bool, "And or Or")
		switch {
		case t == zero:
			return zero
		case t == unit:
		case t.op == op:
			args = append(args, t.args...)
		default:
			args = append(args, t)
		}
	}
	slices.SortFunc(args, (*Term).Compare)
	args = slices.Compact(args)
	if complementary(args) {
		return zero
	}
	switch len(args) {
	case 0:
		return unit
	case 1:
		return args[0]
	}
	return node(op, Bool, slices.Clip(args)...)
}

// complementary reports whether some operand is the negation of another. Only
// literals are looked at: negating a large operand costs more than it gains.
func complementary(args []*Term) bool {
	if len(args) < 2 {
		return false
	}
	in := make(map[*Term]struct{}, len(args))
	for _, a := range args {
		in[a] = struct{}{}
	}
	for _, a := range args {
		if a.op == OpAnd || a.op == OpOr {
			continue
		}
		if _, ok := in[Not(a)]; ok {
			return true
		}
	}
	return false
}

// Implies returns !a || b.
func Implies(a, b *Term) *Term { return Or(Not(a), b) }

// Ite returns "if cond then a else b"; a and b have one sort. Of numbers, what a and b have
// in common is outside of it.
func Ite(cond, a, b *Term) *Term {
	mustBe(cond, Bool, "Ite")
	a, b = unify(a, b)
	switch {
	case a.sort.kind == FunctionKind:
		panic(fmt.Sprintf("logic: choice of functions: %s and %s", a, b))
	case cond == trueTerm || a == b:
		return a
	case cond == falseTerm:
		return b
	case a.sort == Bool:
		// With connectives only, Atoms and DNF see the formulas inside.
		return Or(And(cond, a), And(Not(cond), b))
	case cond.op == OpNot:
		cond, a, b = cond.args[0], b, a
	}
	if a.sort.Arithmetic() {
		return iteOfNumbers(cond, a, b)
	}
	return node(OpIte, a.sort, cond, a, b)
}

// iteOfNumbers leaves outside what both values have in common and the constant of b, of
// each condition and its negation takes the first, and makes all values that differ by
// a number multiples of "if cond then 1 else 0": what is added in one case and taken away
// in the same case elsewhere cancels out.
func iteOfNumbers(cond, a, b *Term) *Term {
	if n := Not(cond); n.op != OpNot && n.Compare(cond) < 0 {
		cond, a, b = n, b, a
	}
	s := a.sort
	x, y := LinearOf(a), LinearOf(b)
	common := Linear{Const: y.Const}
	x.Const = addNumbers(x.Const, negNumber(y.Const))
	y.Const = ratZero
	x.Terms, y.Terms, common.Terms = apart(x.Terms, y.Terms)
	var ite *Term
	if factor := x.Const; len(x.Terms)+len(y.Terms) == 0 {
		ite = Scale(factor, node(OpIte, s, cond, Number(ratOne, s), Number(ratZero, s)))
	} else {
		ite = node(OpIte, s, cond, x.Of(s), y.Of(s))
	}
	return Add(common.Of(s), ite)
}

// apart returns the monomials that only one of two sums has, and those of both.
func apart(a, b []Monomial) (onlyA, onlyB, both []Monomial) {
	in := map[*Term]*big.Rat{}
	for _, m := range b {
		in[m.Term] = m.Coef
	}
	for _, m := range a {
		if c := in[m.Term]; c != nil && sameNumber(c, m.Coef) {
			both = append(both, m)
			delete(in, m.Term)
		} else {
			onlyA = append(onlyA, m)
		}
	}
	for _, m := range b {
		if in[m.Term] != nil {
			onlyB = append(onlyB, m)
		}
	}
	return onlyA, onlyB, both
}

// Eq returns a = b. Of Bool this is "if and only if".
func Eq(a, b *Term) *Term {
	a, b = unify(a, b)
	switch {
	case a.sort.kind == FunctionKind:
		panic(fmt.Sprintf("logic: equality of functions: %s and %s", a, b))
	case a == b:
		return trueTerm
	case a.sort.Arithmetic():
		return compareLinear(OpEq, a, b)
	case a.sort == Bool:
		return iff(a, b)
	case a.op == OpNumber && b.op == OpNumber: // bit-vectors, and not the same
		return falseTerm
	case a.op == OpConstruct && b.op == OpConstruct:
		return eqBuilt(a, b)
	}
	if a.op == OpNumber {
		a, b = b, a
	}
	if b.op == OpNumber && a.op == OpBVAdd { // x + c = d is x = d - c
		for i, c := range a.args {
			if c.op == OpNumber {
				return Eq(a.args[1-i], BVSub(b, c))
			}
		}
	}
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return node(OpEq, Bool, a, b)
}

// iff keeps "if and only if" as a node: written out, a chain of them is exponential.
func iff(a, b *Term) *Term {
	for range 2 {
		switch {
		case a == trueTerm:
			return b
		case a == falseTerm:
			return Not(b)
		}
		a, b = b, a
	}
	if Not(a) == b {
		return falseTerm
	}
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return node(OpEq, Bool, a, b)
}

// Ne returns !(a = b).
func Ne(a, b *Term) *Term { return Not(Eq(a, b)) }

// unify converts an Int that meets a Real; other sorts must be the same.
func unify(a, b *Term) (*Term, *Term) {
	if a.sort == b.sort {
		return a, b
	}
	if a.sort.Arithmetic() && b.sort.Arithmetic() {
		return ToReal(a), ToReal(b)
	}
	panic(fmt.Sprintf("logic: sorts %s and %s do not go together: %s and %s", a.sort, b.sort, a, b))
}
