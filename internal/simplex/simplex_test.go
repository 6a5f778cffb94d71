package simplex_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/internal/simplex"
)

func randomConstraint(r *rand.Rand, n int) Constraint {
	c := Constraint{Op: []Op{Le, Le, Lt, Eq}[r.IntN(4)], Bound: rational.Int(int64(r.IntN(13) - 6)).Quo(rational.Int(int64(1 + r.IntN(2))))}
	for v := range n {
		if k := r.IntN(7) - 3; k != 0 && r.IntN(3) > 0 {
			c.Sum = append(c.Sum, Term{v, rational.Int(int64(k)).Quo(rational.Int(int64(1 + r.IntN(2))))})
		}
	}
	r.Shuffle(len(c.Sum), func(i, j int) { c.Sum[i], c.Sum[j] = c.Sum[j], c.Sum[i] })
	return c
}

// wrong says why a certificate does not prove the constraints infeasible, "" if it does.
func wrong(n int, constraints []Constraint, proof []Multiplier) string {
	sum := make([]rational.Rat, n)
	var bound rational.Rat
	strict := false
	for _, m := range proof {
		if m.Constraint >= len(constraints) {
			return "a constraint that is not there"
		}
		c := constraints[m.Constraint]
		if m.Coef.Sign() == 0 || m.Coef.Sign() < 0 && c.Op != Eq {
			return "a multiplier of a wrong sign"
		}
		strict = strict || c.Op == Lt
		for _, t := range c.Sum {
			sum[t.Var] = sum[t.Var].Add(m.Coef.Mul(t.Coef))
		}
		bound = bound.Add(m.Coef.Mul(c.Bound))
	}
	for _, s := range sum {
		if s.Sign() != 0 {
			return "a variable is left"
		}
	}
	if s := bound.Sign(); s > 0 || s == 0 && !strict {
		return "0 <= " + bound.String() + " is no contradiction"
	}
	return ""
}

// satisfied evaluates the constraints with the solver's values.
func satisfied(s *Solver, constraints []Constraint) bool {
	for _, c := range constraints {
		var value, eps rational.Rat
		for _, t := range c.Sum {
			v, e := s.Value(t.Var)
			value, eps = value.Add(t.Coef.Mul(v)), eps.Add(t.Coef.Mul(e))
		}
		cmp := value.Cmp(c.Bound)
		if cmp == 0 {
			cmp = eps.Sign()
		}
		if cmp > 0 || c.Op == Lt && cmp == 0 || c.Op == Eq && cmp != 0 {
			return false
		}
	}
	return true
}

// TestAgainstElimination: constraints come and go in scopes; every answer is that of
// Fourier-Motzkin elimination, with values that satisfy the constraints or with a
// certificate that adds up, none of whose constraints can be spared.
func TestAgainstElimination(t *testing.T) {
	feasible, infeasible := 0, 0
	for seed := range soak.Cases(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 92))
		n := 1 + r.IntN(4)
		s := New()
		var now []Constraint
		var scopes []int
		for range 12 {
			switch k := r.IntN(6); {
			case k == 0 && len(scopes) > 0:
				s.Pop()
				now, scopes = now[:scopes[len(scopes)-1]], scopes[:len(scopes)-1]
			case k == 1:
				s.Push()
				scopes = append(scopes, len(now))
			default:
				if len(now) > 5 {
					continue // elimination is exponential
				}
				c := randomConstraint(r, n)
				if got := s.Assert(c); got != len(now) {
					t.Fatalf("seed %d: constraint %d is number %d", seed, len(now), got)
				}
				now = append(now, c)
			}
			if r.IntN(3) == 0 {
				continue
			}
			proof, want := s.Check(), naive.Feasible(n, now)
			if (proof == nil) != want {
				t.Fatalf("seed %d: %v: %v, want feasible %v", seed, now, proof, want)
			}
			if want {
				if feasible++; !satisfied(s, now) {
					t.Fatalf("seed %d: the values do not satisfy %v", seed, now)
				}
				continue
			}
			infeasible++
			if why := wrong(n, now, proof); why != "" {
				t.Fatalf("seed %d: %v of %v: %s", seed, proof, now, why)
			}
			for _, m := range proof {
				var rest []Constraint
				for _, o := range proof {
					if o != m {
						rest = append(rest, now[o.Constraint])
					}
				}
				if !naive.Feasible(n, rest) {
					t.Fatalf("seed %d: %v of %v has one too many", seed, proof, now)
				}
			}
		}
	}
	if feasible < soak.Cases(500) || infeasible < soak.Cases(500) {
		t.Errorf("only %d feasible and %d infeasible", feasible, infeasible)
	}
}

// TestWrongCertificates: the check above tells certificates apart from what is none.
func TestWrongCertificates(t *testing.T) {
	one := rational.Int(1)
	cs := []Constraint{{[]Term{{0, one}}, Le, rational.Int(0)}, {[]Term{{0, one.Neg()}}, Lt, rational.Int(0)}}
	for _, c := range []struct {
		proof []Multiplier
		ok    bool
	}{
		{[]Multiplier{{0, one}, {1, one}}, true},
		{[]Multiplier{{0, one}}, false},
		{[]Multiplier{{0, one}, {1, rational.Int(2)}}, false},
		{[]Multiplier{{0, one.Neg()}, {1, one.Neg()}}, false},
		{nil, false},
	} {
		if got := wrong(1, cs, c.proof) == ""; got != c.ok {
			t.Errorf("%v: %v", c.proof, got)
		}
	}
	cs[1].Op = Le
	if wrong(1, cs, []Multiplier{{0, one}, {1, one}}) == "" {
		t.Error("0 <= 0 is taken for a contradiction")
	}
}
