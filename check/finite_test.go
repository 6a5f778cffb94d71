package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// step is a transition of a random process.
type step struct {
	action string
	to     int
}

// endingProcess is the text of a process whose runs end, its transitions, and where p holds; state 0
// is the first one, and states without transitions are STOP or END.
func endingProcess(r *rand.Rand) (text string, steps [][]step, marked []bool) {
	n := 2 + r.IntN(4)
	steps, marked = make([][]step, n), make([]bool, n)
	var b strings.Builder
	b.WriteString("P = Q0")
	for i := range n {
		var choices []string
		for range r.IntN(3) {
			if i == n-1 {
				break
			}
			s := step{[]string{"x", "y"}[r.IntN(2)], i + 1 + r.IntN(n-i-1)}
			steps[i] = append(steps[i], s)
			choices = append(choices, fmt.Sprintf("%s -> Q%d", s.action, s.to))
		}
		label := ""
		if marked[i] = r.IntN(2) == 0; marked[i] {
			label = " {p}"
		}
		body := []string{"STOP", "END"}[r.IntN(2)]
		if len(choices) > 0 {
			body = "(" + strings.Join(choices, " | ") + ")"
		}
		fmt.Fprintf(&b, ",\nQ%d%s = %s", i, label, body)
	}
	b.WriteString("+{x, y}.\n")
	return b.String(), steps, marked
}

// TestFiniteRuns compares --finite-words with all runs that end of small processes, read as finite
// words in the other form, where alive holds as long as they last.
func TestFiniteRuns(t *testing.T) {
	atoms := []ltl.Atom{{Kind: ltl.Prop, Name: "p"}, {Kind: ltl.Event, Name: "x"}, {Kind: ltl.Event, Name: "y"}}
	alive := ltl.Atom{Kind: ltl.Name, Name: "alive"}
	living := ltl.EndingAlive(ltl.AtomOf(alive))
	counts := map[report.Verdict]int{}
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 321))
		text, steps, marked := endingProcess(r)
		m, err := check.Load(context.Background(), "p.lks", check.LoadOptions{Open: open(text), Process: "P"})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(6), Atoms: atoms, Ops: gen.PastOps})
		if !marksAny(marked, steps) && strings.Contains(f.String(), "p") {
			continue // the model has no p
		}
		ending, err := check.FiniteRuns().Formula(f)
		judged, err2 := living.Formula(f)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		q, err := m.AskFinite(f.String(), ending, source.Span{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		rep, err := check.Verify(context.Background(), m, []check.Question{q}, check.Verification{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		want := report.Holds
		var walk func(state int, word []ltl.Letter)
		walk = func(state int, word []ltl.Letter) {
			here := []ltl.Atom{alive}
			if marked[state] {
				here = append(here, atoms[0])
			}
			if len(steps[state]) == 0 {
				word = append(word[:len(word):len(word)], ltl.LetterOf(here...))
				if !ltl.Eval(judged, ltl.Word{Stem: word, Loop: []ltl.Letter{ltl.LetterOf()}}) {
					want = report.Violated
				}
			}
			for _, s := range steps[state] {
				letter := ltl.LetterOf(append(here[:len(here):len(here)], ltl.Atom{Kind: ltl.Event, Name: s.action})...)
				walk(s.to, append(word[:len(word):len(word)], letter))
			}
		}
		walk(0, nil)
		if got := rep.Results[0].Verdict; got != want {
			t.Errorf("seed %d: %v: %v, want %v\n%s", seed, f, got, want, text)
		}
		counts[want]++
	}
	if counts[report.Holds] < soak.Long(20) || counts[report.Violated] < soak.Long(20) {
		t.Errorf("the questions are too easy: %v", counts)
	}
}

// marksAny reports whether a state that can be reached has p.
func marksAny(marked []bool, steps [][]step) bool {
	seen := make([]bool, len(marked))
	var visit func(s int) bool
	visit = func(s int) bool {
		if seen[s] {
			return false
		}
		seen[s] = true
		found := marked[s]
		for _, t := range steps[s] {
			found = visit(t.to) || found
		}
		return found
	}
	return visit(0)
}
