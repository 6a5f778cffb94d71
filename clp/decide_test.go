package clp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/clauses"
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
func contains(p *RuleSet, c *Clauses, s horn.Solution, model []tuples) bool {
	for i, pred := range c.Pred {
		if pred < 0 {
			continue
		}
		for _, m := range naive.Valuations(p.Relations[i].Params, rulesMax) {
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
	pool := common
	s := z3(t)
	choices := []Options{{Method: CAR}, {Method: CAR, NoFacts: true}, {Method: CAR, Source: Cores, NoFacts: true},
		{Method: CAR, NoPasses: true}, {Method: CAR, NoPasses: true, NoFacts: true},
		{Method: CAR, NoUnrolling: true, NoWidening: true, NoFacts: true}, {Method: CAR, NoUnrolling: true, NoFacts: true}, {Method: CAR, NoUnrolling: true, NoPasses: true, NoFacts: true},
		{Method: CAR, Explication: Lazy}, {Method: CAR, Explication: Lazy, Source: Cores}, {Method: Auto}, {Method: Spacer}}
	n := soak.Long(uint64(100))
	verdicts := map[Verdict]int{}
	refused := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 21))
		p := ruleSet(r)
		if err := p.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		model := leastModel(p, rulesMax)
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		o := choices[seed%uint64(len(choices))]
		o.Rounds = 40
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
// even_odd, are decided as their texts argue, by CAR alone, or by sizes.
func TestRecursion(t *testing.T) {
	files, err := filepath.Glob("../specs/clp/*.*")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	pool := common
	for i, name := range files {
		if testing.Short() && i%6 != 0 {
			continue
		}
		c, want := load(t, name)
		method := CAR
		if base := filepath.Base(name); base == "append.smt2" || base == "zip.smt2" {
			method = Sizes // CAR knows no sizes of lists
		} else if base == "fill.smt2" {
			method = Cells
		}
		res, err := Decide(context.Background(), c, pool, Options{Method: method})
		if err != nil {
			t.Fatal(name, err)
		}
		if res.Verdict != want {
			t.Errorf("%s: %v %s, want %v", name, res.Verdict, res.Reason, want)
		}
	}
}

// TestSystems: the clauses of random systems have the verdict of explicit search, by every
// method; twice the same one.
func TestSystems(t *testing.T) {
	pool := common
	choices := []Options{{Method: CAR}, {Method: ARMC}, {Method: Auto}, {Method: Auto, Without: []Method{CAR}}, {Method: Spacer}, {Method: CAR, Explication: Lazy}}
	decided := 0
	n := soak.Long(uint64(60))
	for seed := range n {
		sys := gen.NewSystem(rand.New(rand.NewPCG(seed, 24)))
		want := Underivable
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Derivable
		}
		q := OfProblem(clauses.Problem(sys))
		o := choices[seed%uint64(len(choices))]
		o.Rounds = 30
		res, err := Decide(context.Background(), q, pool, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.Verdict == Unknown {
			continue
		}
		decided++
		if res.Verdict != want {
			t.Fatalf("seed %d, %+v: %v, want %v\n%s", seed, o, res.Verdict, want, q.Problem)
		}
		if seed%4 == 0 {
			again, err := Decide(context.Background(), q, pool, o)
			if err != nil || again.Verdict != res.Verdict || again.Method != res.Method || fmt.Sprint(again.Solution) != fmt.Sprint(res.Solution) {
				t.Fatalf("seed %d, %+v: another answer: %v %v, then %v %v (%v)", seed, o, res.Method, res.Solution, again.Method, again.Solution, err)
			}
		}
	}
	if decided < int(n)*3/4 {
		t.Errorf("only %d of %d decided", decided, n)
	}
}

// TestInput: clauses that are not linear are an error for ARMC, at their places.
func TestInput(t *testing.T) {
	pool := common
	c, _ := load(t, "../specs/clp/mc91.smt2")
	_, err := Decide(context.Background(), c, pool, Options{Method: ARMC})
	if list, ok := err.(source.List); !ok || len(list) != 1 || !strings.Contains(list[0].Message, "2 predicates in its premise") {
		t.Errorf("%v", err)
	}
	missing := smt.Z3Pool(1, smt.Options{Path: "no-such-program"})
	defer missing.Close()
	for _, m := range []Method{Auto, CAR, Spacer} {
		var none *smt.Missing
		if _, err := Decide(context.Background(), c, missing, Options{Method: m}); !errors.As(err, &none) {
			t.Errorf("%v: %v", m, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range []Method{Auto, CAR, Spacer} {
		if _, err := Decide(ctx, c, pool, Options{Method: m}); !errors.Is(err, budget.ErrInterrupted) {
			t.Errorf("%v: %v", m, err)
		}
	}
}
