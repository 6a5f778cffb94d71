package interpolate

import (
	"math/big"

	"github.com/seltl/seltl/logic"
)

// junction is "or" or "and" of formulas in which the bounds of one sum are joined: the
// weaker or the stronger of two on one side, and an equation, a disequation or a constant
// where there is one on both.
func junction(parts []*logic.Term, or bool) *logic.Term {
	all := logic.And(parts...)
	list := logic.Conjuncts(all)
	if or {
		all = logic.Or(parts...)
		list = logic.Disjuncts(all)
	}
	if len(list) < 2 {
		return all
	}
	sides := map[*logic.Term]*side{}
	var order, out []*logic.Term
	for _, f := range list {
		sum, b, lower := boundOf(f)
		if sum == nil {
			out = append(out, f)
			continue
		}
		s := sides[sum]
		if s == nil {
			s = &side{}
			sides[sum] = s
			order = append(order, sum)
		}
		s.add(b, lower, or)
	}
	for _, sum := range order {
		out = append(out, sides[sum].formula(sum, or))
	}
	if or {
		return logic.Or(out...)
	}
	return logic.And(out...)
}

// boundOf splits "sum <= b", and "sum >= b" where the first coefficient would be negative.
func boundOf(f *logic.Term) (sum *logic.Term, b *big.Rat, lower bool) {
	if f.Op() != logic.OpLe {
		return nil, nil, false
	}
	sum, b = f.Args()[0], f.Args()[1].Num()
	if logic.LinearOf(sum).Terms[0].Coef.Sign() < 0 {
		return logic.Neg(sum), new(big.Rat).Neg(b), true
	}
	return sum, b, false
}

// side are the bounds of one sum; nil where there is none.
type side struct{ lower, upper *big.Rat }

func (s *side) add(b *big.Rat, lower, or bool) {
	own := &s.upper
	if lower {
		own = &s.lower
	}
	// A lower bound is stronger if it is larger, an upper one if it is smaller.
	if *own == nil || (b.Cmp(*own) > 0) == (lower != or) {
		*own = b
	}
}

func (s *side) formula(sum *logic.Term, or bool) *logic.Term {
	number := func(r *big.Rat) *logic.Term { return logic.Number(r, sum.Sort()) }
	switch {
	case s.lower == nil:
		return logic.Le(sum, number(s.upper))
	case s.upper == nil:
		return logic.Ge(sum, number(s.lower))
	}
	both := []*logic.Term{logic.Ge(sum, number(s.lower)), logic.Le(sum, number(s.upper))}
	gap := new(big.Rat).Sub(s.lower, s.upper)
	if or {
		one := big.NewRat(1, 1)
		switch {
		case gap.Sign() <= 0 || sum.Sort() == logic.Int && gap.Cmp(one) == 0:
			return logic.True()
		case sum.Sort() == logic.Int && gap.Cmp(big.NewRat(2, 1)) == 0:
			return logic.Ne(sum, number(one.Add(one, s.upper)))
		}
		return logic.Or(both...)
	}
	switch gap.Sign() {
	case 0:
		return logic.Eq(sum, number(s.lower))
	case 1:
		return logic.False()
	}
	return logic.And(both...)
}
