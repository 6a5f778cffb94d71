package logic

import (
	"math/big"
	"slices"
)

// maxProjected bounds Fourier-Motzkin elimination, which can square the number
// of literals for every variable.
const maxProjected = 2000

// Project eliminates variables from a cube of literals: the result is entailed
// by "there are values of the variables that make the cube true". exact says
// that it is equivalent to that; otherwise it is weaker.
//
// Equalities are solved first (Gauss), which loses nothing and makes nothing larger,
// then inequalities combined (Fourier-Motzkin). Exact over Real unless a disequality or a term that is not
// linear speaks of the variable; over Int moreover one of each pair of
// coefficients must be 1 or -1. Exact over machine words where the variable itself is compared
// with terms, all signed or all unsigned, or is a summand of one side of an equality.
func Project(cube []*Term, eliminate []*Term) (out []*Term, exact bool) {
	out, exact = simplifyCube(cube), true
	for _, v := range eliminate {
		var e bool
		out, e = eliminateOne(out, v)
		exact = exact && e
	}
	return out, exact
}

// simplifyCube flattens conjunctions and drops true and duplicates; the order of
// first occurrence is kept. A false literal is kept alone.
func simplifyCube(cube []*Term) []*Term {
	var out []*Term
	for _, l := range cube {
		for _, c := range Conjuncts(l) {
			if c.IsFalse() {
				return []*Term{c}
			}
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func mentions(f, v *Term) bool { return slices.Contains(Vars(f), v) }

// coefficient returns the coefficient of v in a sum and whether v occurs in no
// other way.
func coefficient(sum Linear, v *Term) (*big.Rat, bool) {
	var coef *big.Rat
	for _, m := range sum.Terms {
		if m.Term == v {
			coef = m.Coef
		} else if mentions(m.Term, v) {
			return nil, false
		}
	}
	return coef, coef != nil
}

func eliminateOne(cube []*Term, v *Term) ([]*Term, bool) {
	if value, others := SolveFor(cube, v); value != nil {
		return simplifyCube(SubstituteAll(others, map[*Term]*Term{v: value})), true
	}
	if v.sort.kind == BitVecKind {
		return eliminateWord(cube, v)
	}
	exact := true
	var rest []*Term
	var lower, upper []bound // coef*v >= term, coef*v <= term
	for _, l := range cube {
		if !mentions(l, v) {
			rest = append(rest, l)
			continue
		}
		op, sum, number, negated, ok := LinearAtom(l)
		coef, linear := coefficient(sum, v)
		switch {
		case !ok || !linear || negated:
			exact = false // dropped: the result is weaker
		case op == OpEq: // over Int with coefficients that cannot be solved
			b := newBound(sum, number, v, coef, false)
			lower, upper = append(lower, b), append(upper, b)
			exact = false
		case coef.Sign() > 0:
			upper = append(upper, newBound(sum, number, v, coef, op == OpLt))
		default:
			lower = append(lower, newBound(sum, number, v, coef, op == OpLt))
		}
	}
	if len(lower)*len(upper) > maxProjected { // weaker, but small enough to go on with
		return simplifyCube(rest), false
	}
	for _, lo := range lower {
		for _, up := range upper {
			rest = append(rest, lo.below(up))
			// Between a/2 and b/3 there may be a number and no integer; between an
			// integer and what is not below it there always is one.
			exact = exact && (v.Sort() == Real || isOne(lo.coef) || isOne(up.coef))
		}
	}
	return simplifyCube(rest), exact
}

// SolveFor looks in a cube of literals for an equality that determines the
// variable, and returns its value and the other literals; nil if there is none.
// Over Int the coefficient of the variable must be 1 or -1.
func SolveFor(cube []*Term, v *Term) (value *Term, others []*Term) {
	for i, l := range cube {
		if value := solveWord(l, v); value != nil {
			return value, slices.Delete(slices.Clone(cube), i, i+1)
		}
		op, sum, number, negated, ok := LinearAtom(l)
		if !ok || op != OpEq || negated {
			continue
		}
		coef, linear := coefficient(sum, v)
		if !linear || v.Sort() == Int && !isOne(new(big.Rat).Abs(coef)) {
			continue
		}
		// coef*v + rest = number, so v = (number - rest) / coef.
		rest := Linear{Const: negNumber(number)}
		for _, m := range sum.Terms {
			if m.Term != v {
				rest.Terms = append(rest.Terms, m)
			}
		}
		inverse := new(big.Rat).Inv(coef)
		return Scale(inverse.Neg(inverse), rest.Of(v.Sort())), slices.Delete(slices.Clone(cube), i, i+1)
	}
	return nil, nil
}

// bound is |coef|*v compared with a term.
type bound struct {
	coef   *big.Rat // positive
	term   *Term
	strict bool
}

// newBound reads sum <= number (or <), in which v has the coefficient coef.
func newBound(sum Linear, number *big.Rat, v *Term, coef *big.Rat, strict bool) bound {
	rest := Linear{Const: negNumber(number)}
	for _, m := range sum.Terms {
		if m.Term != v {
			rest.Terms = append(rest.Terms, m)
		}
	}
	t := rest.Of(v.Sort()) // coef*v + t <= 0
	if coef.Sign() > 0 {
		t = Neg(t)
	}
	return bound{new(big.Rat).Abs(coef), t, strict}
}

// below says that there is room between a lower and an upper bound.
func (lo bound) below(up bound) *Term {
	a, b := Scale(up.coef, lo.term), Scale(lo.coef, up.term)
	if lo.strict || up.strict {
		return Lt(a, b)
	}
	return Le(a, b)
}
