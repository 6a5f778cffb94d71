package report

import (
	"fmt"
	"strings"
	"testing"
)

// TestGameText: a game of a program is told in few lines that a terminal has room for, however
// many answers there are and whatever is known in its states.
func TestGameText(t *testing.T) {
	known := strings.Repeat("(*s).p[0] == 0bv64 || (*s).q == 71296bv64, ", 10)
	answers := []string{"S", "T", "U", "V"}
	var unfold func(m *Move, depth int)
	unfold = func(m *Move, depth int) {
		if depth == 4 {
			m.Offers = []string{"send"}
			return
		}
		for _, spec := range answers {
			a := &Move{Specification: spec, Event: "tau", Implementation: fmt.Sprintf("(f:%d [%sx],g:7 [%sy])", depth, known, known)}
			m.Answers = append(m.Answers, a)
			unfold(a, depth+1)
		}
	}
	root := &Move{Implementation: "(f:0 [" + known + "],g:1)"}
	unfold(root, 0)
	res := Result{Kind: "conform", Verdict: Violated, Counterexample: &Counterexample{Kind: "program"}, Games: []*Move{root}}
	var b strings.Builder
	if err := (&Report{Results: []Result{res}}).Text(&b, TextOptions{Games: true}); err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(b.String()), " ")
	if n := strings.Count(b.String(), "\n"); n > 20 || !strings.Contains(words, "reaches (f:3,g:7), which the specification cannot answer (it has send)") {
		t.Errorf("%d lines\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if cells(line) > usualWidth+1 {
			t.Errorf("%d columns: %s", cells(line), line)
		}
	}
}
