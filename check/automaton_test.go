package check_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// TestAutomataOfFormulas: files with automata of a formula, and of its negation, in HOA and as
// never claims, have the verdict of the formula.
func TestAutomataOfFormulas(t *testing.T) {
	shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c"}, Degree: 2.3, Tau: 0.15, Props: 0.6, Special: 0.05, ManyInitial: 0.1}
	verdicts := map[report.Verdict]int{}
	n := uint64(soak.Cases(300))
	for seed := range n {
		p := gen.NewProblem(gen.Rand(seed), 2, 7, shape)
		var parts []*lks.Network
		for _, c := range p.Components {
			parts = append(parts, lks.Single(c))
		}
		net, err := lks.Compose("test", parts...)
		if err != nil {
			t.Fatal(err)
		}
		m := &check.Model{File: "test.lks", Process: "test", Net: net}
		q, err := m.AskParsed("formula", p.Formula, source.Span{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		questions := []check.Question{q}
		for _, negative := range []bool{false, true} {
			// A file that holds HOA and a never claim of the same words.
			text := automatonText(t, seed, p.Formula, negative)
			reading := check.Positive
			if negative {
				reading = check.Negative
			}
			qs, err := m.AskAutomata(source.NewFile("test.hoa", text), reading)
			if err != nil || len(qs) == 0 {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			questions = append(questions, qs...)
		}
		r, err := check.Verify(context.Background(), m, questions, check.Verification{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range r.Results {
			got, want := &r.Results[i], &r.Results[0]
			if got.Verdict != want.Verdict {
				t.Fatalf("seed %d: %v: %s: %v, the formula: %v", seed, p.Formula, got.Formula, got.Verdict, want.Verdict)
			}
			if i > 0 && got.Verdict == report.Violated && got.Counterexample.Automaton == nil {
				t.Fatalf("seed %d: %v: %s: no states of the automaton", seed, p.Formula, got.Formula)
			}
		}
		verdicts[r.Results[0].Verdict]++
	}
	if n >= 300 && (verdicts[report.Holds] < 30 || verdicts[report.Violated] < 30) {
		t.Errorf("too few cases mean something: %v", verdicts)
	}
}

// automatonText writes automata of a formula: HOA, with acceptance on transitions, and, where
// SPIN has names for its atoms, a never claim.
func automatonText(t *testing.T, seed uint64, f *ltl.Formula, negative bool) string {
	t.Helper()
	if negative {
		f = ltl.MakeNot(f)
	}
	var text bytes.Buffer
	for _, acceptance := range []buchi.Acceptance{buchi.Generalised, buchi.StateBuchi} {
		a, err := buchi.Translate(f, buchi.Options{Acceptance: acceptance})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := a.WriteHOA(&text); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if acceptance == buchi.StateBuchi && !strings.Contains(f.String(), "enabled") {
			_ = a.WriteNever(&text) // nothing is written if there is an atom that SPIN does not have
		}
	}
	return text.String()
}

// TestReadingOfAutomata: by default a never claim is negative, HOA positive.
func TestReadingOfAutomata(t *testing.T) {
	m, err := check.Load(context.Background(), "lamp.lks", check.LoadOptions{Open: open("LAMP = OFF, OFF {dark} = (press -> ON), ON {lit} = (press -> OFF).")})
	if err != nil {
		t.Fatal(err)
	}
	const hoa = "HOA: v1 States: 1 Start: 0 AP: 1 \"lit\" Acceptance: 0 t --BODY-- State: 0 [!0] 0 --END--\n"
	const never = "never { accept_init: do :: (!lit) -> goto accept_init od; }\n"
	for _, c := range []struct {
		how  check.Reading
		want []bool // negative
	}{{check.AutoReading, []bool{false, true}}, {check.Positive, []bool{false, false}}, {check.Negative, []bool{true, true}}} {
		qs, err := m.AskAutomata(source.NewFile("x", hoa+never), c.how)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range qs {
			if q.Language.Negative != c.want[i] || strings.Contains(q.Reading, "negative") != c.want[i] {
				t.Errorf("%v: automaton %d: %v, %q", c.how, i, q.Language.Negative, q.Reading)
			}
		}
		if len(qs) != 2 {
			t.Errorf("%v: %d automata", c.how, len(qs))
		}
	}
}

// TestCompoundAtoms: atoms that are formulas say what they say in a formula.
func TestCompoundAtoms(t *testing.T) {
	m, err := check.Load(context.Background(), "lamp.lks", check.LoadOptions{Open: open(
		"LAMP = OFF, OFF {dark} = (press -> ON | kick -> OFF), ON {lit} = (press -> OFF | dim -> HALF), HALF {lit} = (press -> OFF).")})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[report.Verdict]int{}
	compounds := []string{"lit & press", "{press, kick}", "!dark | dim", "enabled(dim) <-> lit", "lit", "true"}
	for _, form := range []string{"G F x", "G(x -> F y)", "F G(x | y)", "x U y", "G(x -> X !y)"} {
		for _, x := range compounds {
			for _, y := range compounds {
				b, err := buchi.Translate(ltl.MustParse(form), buchi.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var text bytes.Buffer
				if err := b.WriteHOA(&text); err != nil {
					t.Fatal(err)
				}
				hoa := strings.NewReplacer(`"x"`, `"`+x+`"`, `"y"`, `"`+y+`"`).Replace(text.String())
				if x == y && strings.Contains(form, "y") {
					continue // no two atoms have one name
				}
				qs, err := m.AskAutomata(source.NewFile("x.hoa", hoa), check.Positive)
				if err != nil {
					t.Fatalf("%v\n%s", err, hoa)
				}
				formula := strings.NewReplacer("x", "("+x+")", "y", "("+y+")").Replace(form)
				q, err := m.Ask(formula)
				if err != nil {
					t.Fatalf("%s: %v", formula, err)
				}
				r, err := check.Verify(context.Background(), m, append(qs, q), check.Verification{})
				if err != nil || r.Results[0].Verdict != r.Results[1].Verdict {
					t.Fatalf("%s: %v, the automaton %v, the formula %v", formula, err, r.Results[0].Verdict, r.Results[1].Verdict)
				}
				verdicts[r.Results[0].Verdict]++
			}
		}
	}
	if verdicts[report.Holds] < 20 || verdicts[report.Violated] < 20 {
		t.Errorf("too few cases mean something: %v", verdicts)
	}
}
