package report

import (
	"fmt"
	"strings"
	"testing"
)

// longRun is a run with names, sets and changes that no line has room for.
func longRun(kind string) *Counterexample {
	c := &Counterexample{Kind: kind, Components: []string{"phil.0:RIGHTY", "{phil.1.left,phil.0.right}::FORK"}, Truth: &Truth{Why: []Because{{Formula: strings.Repeat("p & ", 40) + "q"}}}}
	state := func(props ...string) State {
		return State{Locals: []string{"THINKING", "FORK"}, Props: append([]string{}, props...)}
	}
	c.Initial = state("phil.0.thinking", "phil.1.thinking", "phil.2.thinking", "phil.3.thinking")
	for i := range 5 {
		s := Step{Event: "phil.0.right.get", Movers: c.Components, State: state(), Inputs: []string{"input() = 3", "other() = 7"},
			Changed: []Change{{c.Components[0], "THINKING", strings.Repeat("THINKING->right.get->", i) + "EATING"}, {c.Components[1], "FORK", "FORK->get"}}}
		if kind == "program" {
			s.Event, s.Routine, s.Source, s.Depth = fmt.Sprintf("specs/c/queue.c:%d", i), "routine", strings.Repeat("x + ", 5*i)+"y;", i
			s.Action, s.With, s.Gained = "put", []string{"consumer", "producer"}, []string{"count = 1", "last = 2"}
		}
		c.Stem = append(c.Stem, s)
	}
	return c
}

// TestRunWidth: runs are no wider than the terminal, or 80 columns, whose names they print;
// empty sets are left out.
func TestRunWidth(t *testing.T) {
	for _, kind := range []string{"trace", "program"} {
		for _, screen := range []int{0, 60, 80, 120} {
			var b strings.Builder
			r := Report{Results: []Result{{Kind: "ltl", Verdict: Violated, Formula: "p", Counterexample: longRun(kind)}}}
			if err := r.Text(&b, TextOptions{Width: screen}); err != nil {
				t.Fatal(err)
			}
			most := screen
			if screen == 0 {
				most = 80
			}
			for line := range strings.Lines(b.String()) {
				if n := cells(strings.TrimSuffix(line, "\n")); n > most {
					t.Errorf("%s: %d columns of %d: %s", kind, n, most, line)
				}
			}
			names := map[string]string{"trace": "  state  event             {what holds}  component: from -> to\n", "program": "  state  line               routine  source\n"}[kind]
			if most >= 80 && !strings.Contains(b.String(), names) || strings.Contains(b.String(), "{}") {
				t.Errorf("%s at %d:\n%s", kind, screen, b.String())
			}
		}
	}
}

func TestBrokenBehind(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short", "short"},
		{"P: THINKING -> EATING", "P: THINKING|-> EATING"},
		{"P: A->left.get->right.get B", "P: A->left.|get->|right.get|B"},
		{"averylongnamewithoutasign b", "averylongnamewithoutasign|b"},
	} {
		if got := strings.Join(brokenBehind(c.text, 12, 2), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestWrapped: what is told of a run of a method is broken between its words.
func TestWrapped(t *testing.T) {
	var b strings.Builder
	w := Wrapped(&b, 20)
	fmt.Fprintf(w, "  round: one two ")
	fmt.Fprintf(w, "three four\nshort\n")
	if want := "  round: one two\n    three four\nshort\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
