package predabs

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// maxProjected bounds Fourier-Motzkin elimination, which can square the number
// of literals for every variable.
const maxProjected = 2000

// Project eliminates variables from a cube of literals: the result is entailed
// by "there are values of the variables that make the cube true". exact says
// that it is equivalent to that; otherwise it is weaker.
//
// Equalities are solved first (Gauss), then inequalities combined
// (Fourier-Motzkin). Exact over Real unless a disequality or a term that is not
// linear speaks of the variable; over Int moreover one of each pair of
// coefficients must be 1 or -1.
func Project(cube []*logic.Term, eliminate []*logic.Term) (out []*logic.Term, exact bool) {
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
func simplifyCube(cube []*logic.Term) []*logic.Term {
	var out []*logic.Term
	for _, l := range cube {
		for _, c := range logic.Conjuncts(l) {
			if c.IsFalse() {
				return []*logic.Term{c}
			}
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func mentions(f, v *logic.Term) bool { return slices.Contains(logic.Vars(f), v) }

// coefficient returns the coefficient of v in a sum and whether v occurs in no
// other way.
func coefficient(sum logic.Linear, v *logic.Term) (*big.Rat, bool) {
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

func eliminateOne(cube []*logic.Term, v *logic.Term) ([]*logic.Term, bool) {
	if out, ok := solveFor(cube, v); ok {
		return out, true
	}
	exact := true
	var rest []*logic.Term
	var lower, upper []bound // coef*v >= term, coef*v <= term
	for _, l := range cube {
		if !mentions(l, v) {
			rest = append(rest, l)
			continue
		}
		op, sum, number, negated, ok := logic.LinearAtom(l)
		coef, linear := coefficient(sum, v)
		switch {
		case !ok || !linear || negated:
			exact = false // dropped: the result is weaker
		case op == logic.OpEq: // over Int with coefficients that cannot be solved
			b := newBound(sum, number, v, coef, false)
			lower, upper = append(lower, b), append(upper, b)
			exact = false
		case coef.Sign() > 0:
			upper = append(upper, newBound(sum, number, v, coef, op == logic.OpLt))
		default:
			lower = append(lower, newBound(sum, number, v, coef, op == logic.OpLt))
		}
	}
	if len(lower)*len(upper) > maxProjected {
		return simplifyCube(rest), false
	}
	for _, lo := range lower {
		for _, up := range upper {
			rest = append(rest, lo.below(up))
			exact = exact && (v.Sort() == logic.Real || isOne(lo.coef) || isOne(up.coef))
		}
	}
	return simplifyCube(rest), exact
}

func isOne(r *big.Rat) bool { return r.IsInt() && r.Num().IsInt64() && r.Num().Int64() == 1 }

// solveFor uses an equality to replace v by a term.
func solveFor(cube []*logic.Term, v *logic.Term) ([]*logic.Term, bool) {
	for i, l := range cube {
		op, sum, number, negated, ok := logic.LinearAtom(l)
		if !ok || op != logic.OpEq || negated {
			continue
		}
		coef, linear := coefficient(sum, v)
		if !linear || v.Sort() == logic.Int && !isOne(new(big.Rat).Abs(coef)) {
			continue
		}
		// coef*v + rest = number, so v = (number - rest) / coef.
		rest := logic.Linear{Const: new(big.Rat).Neg(number)}
		for _, m := range sum.Terms {
			if m.Term != v {
				rest.Terms = append(rest.Terms, m)
			}
		}
		inverse := new(big.Rat).Inv(coef)
		value := logic.Scale(inverse.Neg(inverse), rest.Of(v.Sort()))
		others := slices.Delete(slices.Clone(cube), i, i+1)
		return simplifyCube(logic.SubstituteAll(others, map[*logic.Term]*logic.Term{v: value})), true
	}
	return nil, false
}

// bound is |coef|*v compared with a term.
type bound struct {
	coef   *big.Rat // positive
	term   *logic.Term
	strict bool
}

// newBound reads sum <= number (or <), in which v has the coefficient coef.
func newBound(sum logic.Linear, number *big.Rat, v *logic.Term, coef *big.Rat, strict bool) bound {
	rest := logic.Linear{Const: new(big.Rat).Neg(number)}
	for _, m := range sum.Terms {
		if m.Term != v {
			rest.Terms = append(rest.Terms, m)
		}
	}
	t := rest.Of(v.Sort()) // coef*v + t <= 0
	if coef.Sign() > 0 {
		t = logic.Neg(t)
	}
	return bound{new(big.Rat).Abs(coef), t, strict}
}

// below says that there is room between a lower and an upper bound.
func (lo bound) below(up bound) *logic.Term {
	a, b := logic.Scale(up.coef, lo.term), logic.Scale(lo.coef, up.term)
	if lo.strict || up.strict {
		return logic.Lt(a, b)
	}
	return logic.Le(a, b)
}
