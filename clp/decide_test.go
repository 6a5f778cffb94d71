package clp_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/naive"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/clp"
)

func z3(t testing.TB) smt.Solver {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return z
}

// mutated returns solutions of which one formula is another: of most none is a solution.
func mutated(r *rand.Rand, s horn.Solution) horn.Solution {
	out := append(horn.Solution{}, s...)
	i := r.IntN(len(out))
	if conjuncts := logic.Conjuncts(out[i]); len(conjuncts) > 1 && r.IntN(2) == 0 {
		out[i] = conjuncts[r.IntN(len(conjuncts))]
	} else {
		out[i] = logic.Not(out[i])
	}
	return out
}

// contains evaluates a solution for all values from 0 to RulesMax, which random rules
// keep to; values outside are in no derivation, so a solution may say anything of them that
// the clauses allow.
func contains(p *RuleSet, c *Clauses, s horn.Solution, model []naive.Tuples) bool {
	for i, pred := range c.Pred {
		if pred < 0 {
			continue
		}
		for _, m := range naive.Valuations(p.Relations[i].Params, gen.RulesMax) {
			key := ""
			for _, v := range p.Relations[i].Params {
				key += m[v.Name()].String() + ";"
			}
			holds, err := logic.Holds(s[pred], m)
			if err != nil || model[i][key] && !holds {
				return false
			}
		}
	}
	return true
}

// TestRandomRules: random rules over tiny domains have the verdict of naive evaluation, by
// every option; solutions contain the least model and are confirmed by the checker, mutated
// ones that do not are refused, derivations are replayed.
func TestRandomRules(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	s := z3(t)
	choices := []Options{{Method: CAR}, {Method: CAR, NoFacts: true}, {Method: CAR, Source: Cores, NoFacts: true},
		{Method: CAR, Explication: Lazy}, {Method: CAR, Explication: Lazy, Source: Cores}, {Method: Auto}, {Method: Spacer}}
	n := soak.Long(uint64(2000))
	verdicts := map[Verdict]int{}
	refused := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 21))
		p := gen.RuleSet(r)
		if err := p.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		model := naive.LeastModel(p, gen.RulesMax)
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		o := choices[seed%uint64(len(choices))]
		o.MaxRounds = 40
		res, err := Decide(context.Background(), c, pool, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		verdicts[res.Verdict]++
		derivable := model[p.Goal][""]
		switch {
		case res.Verdict == Underivable && (derivable || !contains(p, c, res.Solution, model)),
			res.Verdict == Derivable && (!derivable || res.Derivation.Replay(c.Problem) != nil):
			t.Fatalf("seed %d, %+v: %v, the goal is derivable: %v\n%s\n%v", seed, o, res.Verdict, derivable, p, res.Solution)
		case res.Verdict == Underivable && len(res.Solution) > 0:
			if err := CheckSolution(context.Background(), c.Problem, res.Solution, s); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if wrong := mutated(r, res.Solution); !contains(p, c, wrong, model) {
				refused++
				if CheckSolution(context.Background(), c.Problem, wrong, s) == nil {
					t.Fatalf("seed %d: %v is confirmed, and has no room for what is derivable\n%s", seed, wrong, p)
				}
			}
		case res.Verdict == Derivable:
			breakDerivation(t, seed, r, res.Derivation, c.Problem)
		}
	}
	t.Logf("%v, %d mutated solutions refused", verdicts, refused)
	if verdicts[Unknown] > int(n)/20 || verdicts[Underivable] < int(n)/5 || verdicts[Derivable] < int(n)/5 || refused < int(n)/20 {
		t.Errorf("%v of %d, %d mutated solutions refused", verdicts, n, refused)
	}
}

// breakDerivation changes a derivation, which is refused then.
func breakDerivation(t *testing.T, seed uint64, r *rand.Rand, d *Derivation, p *horn.Problem) {
	wrong := &Derivation{Trace: d.Trace, Values: append([]logic.Model{}, d.Values...)}
	i := r.IntN(len(wrong.Nodes))
	if r.IntN(2) == 0 {
		wrong.Nodes = append([]Node{}, wrong.Nodes...)
		wrong.Nodes[i].Clause = len(p.Clauses)
	} else {
		wrong.Values[i] = logic.Model{}
		for name, v := range d.Values[i] {
			if v.Sort() == logic.Int {
				v = logic.IntValue(77) // out of range
			}
			wrong.Values[i][name] = v
		}
		if len(wrong.Values[i]) == 0 || allBooleans(wrong.Values[i]) {
			return
		}
	}
	if wrong.Replay(p) == nil {
		t.Fatalf("seed %d: a derivation with a mistake in node %d is accepted", seed, i)
	}
}

func allBooleans(m logic.Model) bool {
	for _, v := range m {
		if v.Sort() != logic.Bool {
			return false
		}
	}
	return true
}

// expected reads "expect: holds" or "expect: fails" from a text.
func expected(t *testing.T, text string) Verdict {
	switch {
	case strings.Contains(text, "expect: holds"):
		return Underivable
	case strings.Contains(text, "expect: fails"):
		return Derivable
	}
	t.Fatal("nothing is expected")
	return Unknown
}

// load reads a query of specs.
func load(t *testing.T, name string) (*Clauses, Verdict) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := expected(t, string(text))
	if filepath.Ext(name) == ".smt2" {
		p, err := horn.ParseText(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		return OfProblem(p), want
	}
	p, err := ParseText(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	return c, want
}

// TestRecursion: the recursive queries of specs, which are not linear but for gcd and
// even_odd, are decided as their texts argue, by CAR alone.
func TestRecursion(t *testing.T) {
	files, err := filepath.Glob("../specs/clp/*.*")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for i, name := range files {
		if testing.Short() && i%3 != 0 {
			continue
		}
		c, want := load(t, name)
		res, err := Decide(context.Background(), c, pool, Options{Method: CAR})
		if err != nil {
			t.Fatal(name, err)
		}
		if res.Verdict != want {
			t.Errorf("%s: %v %s, want %v", name, res.Verdict, res.Reason, want)
		}
	}
}
