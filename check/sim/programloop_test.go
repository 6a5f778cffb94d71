package sim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
)

// openText is a session of a program that begins in main.
func openText(t *testing.T, text string) *sim.Program {
	t.Helper()
	return openLimited(t, text, budget.Limits{})
}

// openLimited is openText under limits.
func openLimited(t *testing.T, text string, limits budget.Limits) *sim.Program {
	t.Helper()
	files, o := []string{filepath.Join(t.TempDir(), "p.c")}, cfront.Options{Entry: "main"}
	if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := programs.LoadC(files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := programs.StepC(p, files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewProgram(t.Context(), c, sim.Options{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRounds: a number that a loaded run tells and that is not there is refused, and each round of
// its loop tells what that round does; so does what is saved.
func TestRounds(t *testing.T) {
	s := openText(t, "int main(void) {\n    int i = 0;\n    while (1)\n        i += 2;\n}\n")
	if _, err := s.Random(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	c := s.Report().Results[0].Counterexample
	c.Stem, c.Loop = c.Stem[:3], c.Stem[3:]
	for i := range c.Stem {
		if right := c.Stem[i].Gained; len(right) > 0 {
			c.Stem[i].Gained = []string{"i = 77"}
			var not *sim.Mismatch
			if err := s.Load(c); !errors.As(err, &not) || not.Step != i+1 || !strings.HasSuffix(not.Text, ", not 77") {
				t.Errorf("step %d: %v", i+1, err)
			}
			c.Stem[i].Gained = right
		}
	}
	if err := s.Load(c); err != nil {
		t.Fatal(err)
	}
	for range 4 + 2*5 {
		if err := s.Redo(); err != nil {
			t.Fatal(err)
		}
	}
	got := 0
	for at := 1; at <= len(s.History()); at++ {
		if err := s.Jump(at); err != nil {
			t.Fatal(err)
		}
		now := s.Now()
		if by := now.By; len(by.Gained) > 0 {
			want := fmt.Sprint("i = ", 2*got)
			if got++; !slices.Equal(by.Gained, []string{want}) || !slices.Contains(by.State.Props, "main."+want) || !slices.Contains(now.State.Props, "main."+want) {
				t.Errorf("step %d: %v, %v, %v, want %s", at, by.Gained, by.State.Props, now.State.Props, want)
			}
		}
	}
	if got < 7 {
		t.Errorf("%d rounds", got)
	}
}

// TestOnlyRun: a program that nothing is chosen or drawn in is followed to its end, or until it
// comes to a state again, however long that takes.
func TestOnlyRun(t *testing.T) {
	cycle := "int main(void) {\n    unsigned char i = 0;\n    while (1)\n        i++;\n}\n"
	s := openText(t, cycle)
	if found, err := s.Goto(t.Context(), "i == 200"); err != nil || found.Steps != s.At() || s.At() < 200 {
		t.Error(found, err)
	}
	at := s.At()
	for _, goal := range []string{"i == 300", "end", "error", "return"} {
		if _, err := s.Goto(t.Context(), goal); !errors.Is(err, sim.ErrNowhere) && goal != "error" || err == nil || s.At() != at {
			t.Errorf("%s: %v, in state %d", goal, err, s.At())
		}
	}
	// The values that are drawn come behind the part that is the only one.
	s = openText(t, "int in(void);\nint main(void) {\n    int i = 0, x;\n    while (i < 20)\n        i++;\n    while (1)\n        x = in();\n}\n")
	if _, err := s.Goto(t.Context(), "i == 20 && x == 1"); err != nil {
		t.Error(err)
	}
}

// TestTold: what is drawn for variables without a value is told as such, what the program begins
// with, and what it returns.
func TestTold(t *testing.T) {
	s := openText(t, "int main(void) {\n    int x;\n    int y = 4, z;\n    z = 3;\n    y += z;\n    return y - 9;\n}\n")
	if _, err := s.Random(t.Context(), 9); err != nil {
		t.Fatal(err)
	}
	for _, step := range s.Report().Results[0].Counterexample.Stem {
		for _, text := range step.Gained {
			name, _, _ := strings.Cut(text, " ")
			if drawn := strings.HasSuffix(text, " (drawn)"); drawn != (name == "x" || step.Source == "int y = 4, z;" && name == "z") {
				t.Errorf("%s: %s", step.Source, text)
			}
		}
	}
	if now := s.Now(); !slices.Equal(now.Program.Why, []string{"has returned -2"}) {
		t.Errorf("%q", now.Program.Why)
	}
	s = openText(t, "int main(int n, char c) {\n    return n;\n}\n")
	if err := s.Begin([]string{"5", "-3"}); err != nil {
		t.Fatal(err)
	}
	if got := s.Now().Program.Given; !slices.Equal(got, []string{"n = 5", "c = -3"}) {
		t.Errorf("%q", got)
	}
}

// TestMistakes: what is said of commands that cannot be.
func TestMistakes(t *testing.T) {
	s := openText(t, "int in(void);\nint main(void) {\n    int x = in();\n    return x; // \x01\xff\n}\n")
	for line, want := range map[string]string{
		"7":                               "there is no choice 7: give 7, if that is the value",
		"goto 5x":                         "5x is neither a line nor a C expression: as in: goto 12; goto x > 3",
		strings.Repeat("ab", 500_000):     "there is no action and no command " + strings.Repeat("ab", 30) + "...: give VALUE, or give random; help lists the commands",
		"give " + strings.Repeat("9", 99): strings.Repeat("9", 60) + "... is no value of in() of type int: values are -2147483648 to 2147483647",
	} {
		_, err := s.Do(t.Context(), sim.ParseCommandOf(line, s.Verbs()))
		var not *sim.NotPossible
		if !errors.As(err, &not) || not.Text+": "+not.Help != want {
			t.Errorf("%.20s: %v, %+v", line, err, not)
		}
	}
	for goal, want := range map[string]string{
		"x >":           "<goal>:1:3: error: something is missing behind this: the expression ends where an operand is expected",
		"main::(x + ) ": "<goal>:1:6: error: unexpected ')', expected unary expression",
	} {
		if _, err := s.Goto(t.Context(), goal); err == nil || err.Error() != want {
			t.Errorf("%s: %v", goal, err)
		}
	}
	if found, err := s.Goto(t.Context(), "1?1:2"); err != nil || found.Steps != 0 {
		t.Error(err)
	}
	limited := openLimited(t, "int main(void) {\n\tint i = 0;\n\twhile (1)\n\t\ti++;\n}\n", budget.Limits{States: 100})
	_, err := limited.Do(t.Context(), sim.ParseCommandOf("goto i == 70000", s.Verbs()))
	var limit *budget.Exhausted
	if !errors.As(err, &limit) || limit.Advice != "a larger --max-states" {
		t.Errorf("%v, %+v", err, limit)
	}
	if _, lines, _ := s.Around(); lines[3] != "    return x; // \ufffd\ufffd" {
		t.Errorf("%q", lines[3])
	}
}
