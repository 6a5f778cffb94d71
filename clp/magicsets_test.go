package clp_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/clp"
)

// randomModes are modes of any kind: they decide what facts are about, never a verdict.
func randomModes(r *rand.Rand, p *horn.Problem) *Modes {
	m := &Modes{}
	groups := 0
	for i := range p.Preds {
		var given []int
		for k := range p.Preds[i].Params {
			if r.IntN(3) > 0 {
				given = append(given, k)
			}
		}
		group := -1
		alike := slices.IndexFunc(p.Preds[:i], func(q horn.Pred) bool {
			return slices.EqualFunc(q.Params, p.Preds[i].Params, func(a, b *logic.Term) bool { return a.Sort() == b.Sort() })
		})
		switch {
		case alike >= 0 && m.Group[alike] >= 0 && r.IntN(2) == 0:
			group, given = m.Group[alike], m.Given[alike]
		case r.IntN(5) > 0:
			group = groups
			groups++
		default:
			given = nil
		}
		m.Group, m.Given = append(m.Group, group), append(m.Given, given)
	}
	return m
}

// TestRandomModes: whatever callers are said to give, random rules have the verdict of naive
// evaluation; a solution is what its contracts say, contains the least model, and is
// confirmed by the checker.
func TestRandomModes(t *testing.T) {
	pool := common
	s := z3(t)
	n := soak.Long(uint64(40))
	verdicts := map[Verdict]int{}
	conditional := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 22))
		p := ruleSet(r)
		model := leastModel(p, rulesMax)
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		c.Modes = randomModes(r, c.Problem)
		res, err := Decide(context.Background(), c, pool, Options{Method: CAR, Rounds: 40})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		verdicts[res.Verdict]++
		derivable := model[p.Goal][""]
		if res.Verdict == Underivable && (derivable || !contains(p, c, res.Solution, model)) || res.Verdict == Derivable && (!derivable || res.Derivation.Replay(c.Problem) != nil) {
			t.Fatalf("seed %d, %+v: %v, the goal is derivable: %v\n%s\n%v", seed, c.Modes, res.Verdict, derivable, p, res.Solution)
		}
		if res.Verdict != Underivable {
			continue
		}
		if err := CheckSolution(context.Background(), c.Problem, res.Solution, s); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, contract := range res.Contracts {
			if res.Solution[i] != logic.Or(logic.Not(contract.Called), contract.Returns) {
				t.Fatalf("seed %d: %v is not %v", seed, res.Solution[i], contract)
			}
			if !contract.Called.IsTrue() && !contract.Returns.IsFalse() {
				conditional++
			}
		}
	}
	t.Logf("%v, %d relations with a condition", verdicts, conditional)
	if verdicts[Unknown] > int(n)/20 || verdicts[Underivable] < int(n)/5 || verdicts[Derivable] < int(n)/5 || conditional < int(n)/30 {
		t.Errorf("%v of %d, %d relations with a condition", verdicts, n, conditional)
	}
}
