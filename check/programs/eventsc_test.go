package programs_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// verifyPlain asks a formula of a program without a specification.
func verifyPlain(t testing.TB, text, formula string) (*report.Result, error) {
	t.Helper()
	spec, err := programs.PlainSpec("main")
	if err != nil {
		t.Fatal(err)
	}
	src := source.NewFile("<formula>", formula)
	q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{source.NewFile("p.c", text)}, Spec: spec, Plain: true, C: cfront.Options{Model: ir.LP64}}}
	r, _, err := programs.VerifyC(context.Background(), q, []programs.FormulaC{{At: src.Span(0, len(formula))}}, programs.Common, check.Verification{Finite: product.StutterRuns}, cegar.Options{})
	if err != nil {
		return nil, err
	}
	return &r.Results[0], nil
}

// evFormula is a formula about a program, and the same about its model.
type evFormula struct{ c, model string }

// evAtoms makes formulas.
type evAtoms struct {
	rng     *rand.Rand
	p       *evProgram
	actions map[string]evAction
}

// event is a random atom about calls and returns.
func (a *evAtoms) event() evFormula {
	names := []string{"a", "b", "c", "get", "exit", "die", "main"}
	for _, r := range a.p.routines[6 : len(a.p.routines)-1] {
		names = append(names, r.name)
	}
	name := names[a.rng.IntN(len(names))]
	back := a.rng.IntN(2) == 0
	value := name != "a" && name != "b" && name != "die" && !(name == "exit" && back)
	if name == "main" { // which is called by nobody
		back = true
	}
	atom, k := name, a.rng.IntN(4)
	dollar := "$1"
	switch {
	case name == "main":
		atom, dollar = "return", "$0"
	case back:
		atom, dollar = name+".return", "$0"
	}
	holds := func(int) bool { return true }
	if value && a.rng.IntN(2) == 0 {
		if a.rng.IntN(2) == 0 {
			atom, holds = fmt.Sprintf("\"%s {%s == %d}\"", atom, dollar, k), func(v int) bool { return v == k }
		} else {
			atom, holds = fmt.Sprintf("\"%s {%s > %d}\"", atom, dollar, k), func(v int) bool { return v > k }
		}
	}
	var all []string
	for _, action := range slices.Sorted(maps.Keys(a.actions)) {
		if at := a.actions[action]; at.routine == name && at.back == back && holds(at.value) {
			all = append(all, action)
		}
	}
	if len(all) == 0 {
		return evFormula{atom, "false"}
	}
	return evFormula{atom, "(" + strings.Join(all, " | ") + ")"}
}

func (a *evAtoms) state() evFormula {
	g, k := a.rng.IntN(2), a.rng.IntN(4)
	return evFormula{fmt.Sprintf("\"g%d == %d\"", g, k), fmt.Sprintf("p_g%d_%d", g, k)}
}

// formula is one that silent steps make no difference to.
func (a *evAtoms) formula(depth int) evFormula {
	if depth > 0 && a.rng.IntN(3) == 0 {
		op := []string{"&", "|", "->"}[a.rng.IntN(3)]
		x, y := a.formula(depth-1), a.formula(depth-1)
		return evFormula{fmt.Sprintf("(%s) %s (%s)", x.c, op, y.c), fmt.Sprintf("(%s) %s (%s)", x.model, op, y.model)}
	}
	e, f, g, p := a.event(), a.event(), a.event(), a.state()
	with := func(pattern string) evFormula {
		fill := func(e, f, g, p string) string {
			return strings.NewReplacer("E1", e, "E2", f, "E3", g, "P", p).Replace(pattern)
		}
		return evFormula{fill(e.c, f.c, g.c, p.c), fill(e.model, f.model, g.model, p.model)}
	}
	return with([]string{"G(E1 -> F E2)", "!E1 W E2", "!E1 U E2", "F E1", "G !E1", "G F E1", "F G P", "G(E1 -> P)", "G(E1 -> X(!E2 W E3))",
		"P -> F E1", "G(P -> F (E1 | E2))", "G(E1 -> G !E2)", "F (E1 & P)", "(!E1 & !E2) U (E3 | P)"}[a.rng.IntN(14)])
}

// ofModel are the names of a model of the interpreter.
type ofModel struct{ anything }

func (ofModel) Prop(name string) bool  { return strings.HasPrefix(name, "p_") }
func (ofModel) Event(name string) bool { return !strings.HasPrefix(name, "p_") }

// TestEventsC compares verdicts on random programs without a specification with those on all their states,
// enumerated by an interpreter that knows neither the front end nor the encoding.
func TestEventsC(t *testing.T) {
	verdicts := map[report.Verdict]int{}
	tried := 0
	for seed := range soak.Long(uint64(220)) {
		rng := rand.New(rand.NewPCG(seed, 45))
		p := randomEvents(rng)
		m, actions := p.network(3000)
		if m == nil {
			continue
		}
		atoms := &evAtoms{rng, p, actions}
		for range 3 {
			f := atoms.formula(1)
			want := modelSays(t, m, f.model)
			got, err := verifyPlain(t, p.text, f.c)
			if err != nil {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, f.c, p.text, render(err))
			}
			tried++
			verdicts[got.Verdict]++
			if got.Verdict != want && got.Verdict != report.Unknown {
				t.Fatalf("seed %d: %s is %v, and %v of the model\n%s", seed, f.c, got.Verdict, want, p.text)
			}
			if got.Verdict == report.Unknown {
				t.Logf("seed %d: %s: %s", seed, f.c, got.Reason)
			}
		}
	}
	t.Logf("%d formulas: %v", tried, verdicts)
	if tried < soak.Least(500) || 20*verdicts[report.Unknown] > tried || verdicts[report.Holds] == 0 || verdicts[report.Violated] == 0 {
		t.Errorf("%d formulas: %v", tried, verdicts)
	}
}

func modelSays(t *testing.T, m *lks.LKS, formula string) report.Verdict {
	t.Helper()
	f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: ofModel{}})
	if err != nil {
		t.Fatal(render(err))
	}
	r, err := product.Verify(context.Background(), lks.Single(m), f, product.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return map[product.Verdict]report.Verdict{product.Holds: report.Holds, product.Violated: report.Violated}[r.Verdict]
}
