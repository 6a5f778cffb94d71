package lasso

import (
	"math/big"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// A sum of Reals may decrease for ever and stay above 0. What ranks a loop is how often a step of
// one size fits: the floor of a multiple of the sum. It is an Int, which is what certificates have;
// here it is enough that the multiple itself decreases by 1 or more, which has no rounding in it.

// counted returns the term of sort Real whose floor is the function, but for its constant; nil if
// it is none of Reals.
func (f *Function) counted() *logic.Term {
	if len(f.Summands) != 1 {
		return nil
	}
	s := f.Summands[0]
	if s.Term.Op() != logic.OpFloor || s.Reading != Signed || !s.Coefficient.IsInt64() || s.Coefficient.Int64() != 1 {
		return nil
	}
	return s.Term.Args()[0]
}

// whole returns a function whose summands may be Reals as one of states: the floor of so many
// times the sum. ok is false where Reals are mixed with others, or not read as they are.
func (f Function) whole(times *big.Int) (g Function, ok bool) {
	var all []*logic.Term
	for _, s := range f.Summands {
		if s.Term.Sort() == logic.Real && s.Reading == Signed {
			all = append(all, logic.Scale(new(big.Rat).SetInt(new(big.Int).Mul(times, s.Coefficient)), s.Term))
		}
	}
	for _, s := range f.Summands {
		if len(all) < len(f.Summands) && s.Term.Sort() == logic.Real {
			return f, false
		}
	}
	if len(all) == 0 {
		return f, true
	}
	t := logic.Floor(logic.Add(all...))
	if t.Op() != logic.OpFloor { // of integers
		g = linearInt(t)
	} else {
		g = reading(t, Signed)
	}
	return g.plus(1, constant(new(big.Int).Mul(times, f.Constant))), true
}

// linearReal reads a term as 1/scale times a linear function; what is not linear is a summand by
// itself.
func linearReal(t *logic.Term) (f Function, scale *big.Int) {
	l := logic.LinearOf(t)
	scale = new(big.Int).Set(l.Const.Denom())
	for _, m := range l.Terms {
		scale = leastMultiple(scale, m.Coef.Denom())
	}
	by := new(big.Rat).SetInt(scale)
	f = constant(new(big.Rat).Mul(l.Const, by).Num())
	for _, m := range l.Terms {
		f = f.plus(1, Function{[]Summand{{new(big.Rat).Mul(m.Coef, by).Num(), m.Term, Signed}}, new(big.Int)})
	}
	return f, scale
}

// mostDenominator bounds how fine steps of Reals are counted.
const mostDenominator = 1_000_000

// denominator returns a number that makes integers of the Real numbers of a command: sums of them
// differ by 1 or more then, if at all.
func denominator(c *program.Command) *big.Int {
	all := []*logic.Term{c.Guard}
	for _, e := range c.Update {
		all = append(all, e)
	}
	out := big.NewInt(1)
	for t := range logic.Subterms(all...) {
		if t.Op() != logic.OpNumber || t.Sort() != logic.Real {
			continue
		}
		if n := leastMultiple(out, t.Num().Denom()); n.IsInt64() && n.Int64() <= mostDenominator {
			out = n
		}
	}
	return out
}

func leastMultiple(a, b *big.Int) *big.Int {
	return new(big.Int).Mul(a, new(big.Int).Quo(b, new(big.Int).GCD(nil, nil, a, b)))
}
