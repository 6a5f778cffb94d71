package sim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// queueProgram is a program of specs/c that fails.
func queueProgram(t testing.TB, seed uint64) *sim.Program {
	t.Helper()
	text, err := os.ReadFile("../../specs/c/queue.c")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewProgram(t.Context(), parsedProgram(t, string(text), "main"), sim.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// savedRun is a run of it into its failure.
func savedRun(t testing.TB) *report.Counterexample {
	t.Helper()
	s := queueProgram(t, 3)
	if _, err := s.Goto(t.Context(), "error"); err != nil {
		t.Fatal(err)
	}
	return s.Report().Results[0].Counterexample
}

// TestProgramSaved: a run that was saved is loaded, and done again to its end.
func TestProgramSaved(t *testing.T) {
	run := savedRun(t)
	s := queueProgram(t, 0)
	if err := s.Load(run); err != nil {
		t.Fatal(err)
	}
	for s.Now().Ahead > 0 {
		if err := s.Redo(); err != nil {
			t.Fatal(err)
		}
	}
	if now := s.Now(); now.End != "error" || now.Step != len(run.Stem) {
		t.Errorf("state %d, %s", now.Step, now.End)
	}
	if again := s.Report().Results[0].Counterexample; len(again.Stem) != len(run.Stem) {
		t.Errorf("%d steps, saved %d", len(again.Stem), len(run.Stem))
	}
	if err := s.Undo(); err != nil {
		t.Fatal(err)
	}
	if err := s.Jump(1); err != nil || s.At() != 1 {
		t.Error(err)
	}
}

// TestProgramDamaged: a run that says something else than the program does is refused with the
// step, and the session stays as it was.
func TestProgramDamaged(t *testing.T) {
	whole, err := json.Marshal(savedRun(t))
	if err != nil {
		t.Fatal(err)
	}
	s := queueProgram(t, 1)
	if _, err := s.Random(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for seed := range soak.Cases(60) {
		rng := rand.New(rand.NewSource(int64(seed)))
		var c report.Counterexample
		if err := json.Unmarshal(whole, &c); err != nil {
			t.Fatal(err)
		}
		what := damage(rng, &c)
		var mismatch *sim.Mismatch
		switch err := s.Load(&c); {
		case err == nil:
			t.Errorf("seed %d: %s, and it is loaded", seed, what)
		case !errors.As(err, &mismatch):
			t.Errorf("seed %d: %s: %v is no Mismatch", seed, what, err)
		default:
			refused++
		}
		if s.At() != 5 {
			t.Fatalf("seed %d: the session has moved to %d", seed, s.At())
		}
	}
	t.Log(refused, "refused")
}

// damage changes a run so that it is none of the program, and says how.
func damage(rng *rand.Rand, c *report.Counterexample) string {
	k := rng.Intn(len(c.Stem) - 1)
	step := &c.Stem[k]
	asking := func() *report.Step {
		for i := range c.Stem {
			if s := &c.Stem[(k+i)%len(c.Stem)]; len(s.Choices) > 0 {
				return s
			}
		}
		return step
	}
	switch rng.Intn(11) {
	case 0:
		step.Event = "p.c:1"
		return fmt.Sprintf("step %d is elsewhere", k+1)
	case 1:
		step.Moves += 1 + rng.Intn(1_000_000)
		return fmt.Sprintf("step %d has more moves", k+1)
	case 2:
		step.Choices = append(step.Choices, "1")
		return fmt.Sprintf("step %d has a value more", k+1)
	case 3:
		asking().Choices = nil
		return "a value is missing"
	case 4:
		asking().Choices[0] = []string{"x", "", "-1", "way 0", "18446744073709551616"}[rng.Intn(5)]
		return "a value is none"
	case 5:
		step.Routine = "nobody"
		return fmt.Sprintf("step %d is of another routine", k+1)
	case 6:
		c.Arguments = append(c.Arguments, []string{"1"})
		return "there are more arguments"
	case 7:
		c.Components = append(c.Components, "other")
		return "there is another component"
	case 8:
		for i, p := range step.State.Props {
			if strings.HasPrefix(p, "count = ") {
				step.State.Props[i] = p + "0000"
			}
		}
		step.State.Props = append(step.State.Props, "count = 12345")
		return fmt.Sprintf("another value after step %d", k+1)
	case 9:
		c.Stem = slices.Delete(c.Stem, k, k+1)
		return fmt.Sprintf("step %d is missing", k+1)
	}
	c.End = "deadlock"
	return "it ends otherwise"
}

// FuzzProgramCommands: whatever is typed, a session does not panic, and stays a run of the program.
func FuzzProgramCommands(f *testing.F) {
	for _, text := range []string{"give 1\ngive 'a'\nrun 3\nundo\nredo\ngoto 20\nover\nout", "random 20\nreset\njump 3\n1 2\ntake 1 random", "goto count > 1\ngoto put()\ngoto error\nstart 3", "goto put::x == (\ngive 0x7fffffff\n1 99999999999999999999", "goto :1\ngoto 999999999999\ngoto ()\ngive , ,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := queueProgram(t, 1)
		lines := strings.Split(text, "\n")
		for _, line := range lines[:min(len(lines), 12)] {
			c := sim.ParseCommandOf(line, s.Verbs())
			if c.Verb == "random" || c.Verb == "run" || c.Verb == "goto" || c.Verb == "over" {
				if c.Number > 50 {
					continue
				}
			}
			_, _ = s.Do(t.Context(), c)
		}
		other := queueProgram(t, 2)
		if err := other.Load(s.Report().Results[0].Counterexample); err != nil {
			t.Fatalf("what was stepped is not loaded: %v", err)
		}
	})
}
