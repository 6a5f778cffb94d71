package sim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/program/cfront"
)

// openText is a session of a program that begins in main.
func openText(t *testing.T, text string) *sim.Program {
	t.Helper()
	files, o := []string{filepath.Join(t.TempDir(), "p.c")}, cfront.Options{Entry: "main"}
	if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := check.LoadC(files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.StepC(p, files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewProgram(t.Context(), c, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLoadedTellsWhatIsComputed: what a step of a loaded run is said to change is what it changes,
// not what the file says, and in each round of a loop what that round does; so does what is saved.
func TestLoadedTellsWhatIsComputed(t *testing.T) {
	s := openText(t, "int main(void) {\n    int i = 0;\n    while (1)\n        i += 2;\n}\n")
	if _, err := s.Random(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	c := s.Report().Results[0].Counterexample
	for i := range c.Stem {
		if len(c.Stem[i].Gained) > 0 {
			c.Stem[i].Gained = []string{"i = 77"}
		}
	}
	c.Stem, c.Loop = c.Stem[:3], c.Stem[3:]
	if err := s.Load(c); err != nil {
		t.Fatal(err)
	}
	for range 4 + 2*5 {
		if err := s.Redo(); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	all := s.Report().Results[0].Counterexample
	for at := 1; at <= s.At(); at++ {
		if err := s.Jump(at); err != nil {
			t.Fatal(err)
		}
		now := s.Now()
		if by := now.By; len(by.Gained) > 0 {
			got = append(got, by.Gained...)
			if want := "main." + by.Gained[0]; !slices.Contains(by.State.Props, want) || !slices.Contains(now.State.Props, want) {
				t.Errorf("step %d: %s, and then %v, %v", at, want, by.State.Props, now.State.Props)
			}
		}
		if err := s.Jump(len(s.History())); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for i := range len(got) {
		want = append(want, fmt.Sprint("i = ", 2*i))
	}
	if len(got) < 7 || !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, step := range slices.Concat(all.Stem, all.Loop) {
		if slices.Contains(step.Gained, "i = 77") {
			t.Errorf("saved: %q", step.Gained)
		}
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
