package naive

import (
	"math/big"

	"github.com/seltl/seltl/internal/simplex"
)

// inequality is "sum of coef*variable <= bound", or less.
type inequality struct {
	coef   []*big.Rat
	bound  *big.Rat
	strict bool
}

// Feasible decides linear constraints over variables 0..n-1 by Fourier-Motzkin
// elimination.
func Feasible(n int, constraints []simplex.Constraint) bool {
	var all []inequality
	for _, c := range constraints {
		q := inequality{make([]*big.Rat, n), new(big.Rat).Set(c.Bound.Big()), c.Op == simplex.Lt}
		for i := range q.coef {
			q.coef[i] = new(big.Rat)
		}
		for _, t := range c.Sum {
			q.coef[t.Var].Set(t.Coef.Big())
		}
		all = append(all, q)
		if c.Op == simplex.Eq {
			all = append(all, q.scaled(big.NewRat(-1, 1)))
		}
	}
	for v := range n {
		var lower, upper, rest []inequality
		for _, q := range all {
			switch s := q.coef[v].Sign(); {
			case s < 0:
				lower = append(lower, q.scaled(new(big.Rat).Inv(new(big.Rat).Neg(q.coef[v]))))
			case s > 0:
				upper = append(upper, q.scaled(new(big.Rat).Inv(q.coef[v])))
			default:
				rest = append(rest, q)
			}
		}
		for _, a := range lower {
			for _, b := range upper {
				rest = append(rest, a.plus(b))
			}
		}
		all = rest
	}
	for _, q := range all {
		if s := q.bound.Sign(); s < 0 || s == 0 && q.strict {
			return false
		}
	}
	return true
}

func (q inequality) scaled(by *big.Rat) inequality {
	out := inequality{make([]*big.Rat, len(q.coef)), new(big.Rat).Mul(by, q.bound), q.strict}
	for i, c := range q.coef {
		out.coef[i] = new(big.Rat).Mul(by, c)
	}
	return out
}

func (q inequality) plus(r inequality) inequality {
	out := inequality{make([]*big.Rat, len(q.coef)), new(big.Rat).Add(q.bound, r.bound), q.strict || r.strict}
	for i := range q.coef {
		out.coef[i] = new(big.Rat).Add(q.coef[i], r.coef[i])
	}
	return out
}
