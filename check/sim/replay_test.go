package sim_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/report"
)

// reports asks everything of a model that can have a counterexample.
func reports(t *testing.T, m *check.Model) map[string]*report.Report {
	t.Helper()
	ctx := context.Background()
	all := map[string]*report.Report{}
	add := func(name string, r *report.Report, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = r
	}
	qs, err := m.Declared()
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Verify(ctx, m, qs, check.Verification{})
	add("verify", r, err)
	r, err = check.Verify(ctx, m, qs, check.Verification{Fair: check.EveryRun, Shortest: true})
	add("verify for all runs", r, err)
	r, err = check.All(ctx, m, check.Everything{})
	add("check", r, err)
	r, err = check.Progress(ctx, m, check.Options{})
	add("progress", r, err)
	r, _, err = check.Deadlock(ctx, m, check.Options{}, deadlock.Options{})
	add("deadlock", r, err)
	r, err = check.LocalDeadlock(ctx, m, check.Options{}, deadlock.Options{})
	add("local deadlock", r, err)
	r, err = check.Livelock(ctx, m, check.Options{}, deadlock.Options{})
	add("livelock", r, err)
	return all
}

// throughJSON writes a result's run and reads it again.
func throughJSON(t *testing.T, r *report.Report, res *report.Result) *report.Counterexample {
	t.Helper()
	var b bytes.Buffer
	one := *r
	one.Results = []report.Result{*res}
	if err := one.JSON(&b); err != nil {
		t.Fatal(err)
	}
	found, err := sim.ReadTrace(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	return found.Result.Counterexample
}

// walkTrace loads a run, takes every step of it, and compares what the session says of it
// with the report.
func walkTrace(t *testing.T, m *check.Model, name string, want *report.Counterexample) {
	t.Helper()
	s := begin(t, m, nil, sim.Options{})
	if err := s.Load(want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	steps := len(want.Stem) + len(want.Loop)
	for i := range steps {
		if p := s.Now(); p.Step != i || p.Ahead != steps-i {
			t.Fatalf("%s: at step %d with %d ahead, want %d and %d", name, p.Step, p.Ahead, i, steps-i)
		}
		if err := s.Redo(); err != nil {
			t.Fatalf("%s: step %d: %v", name, i+1, err)
		}
	}
	got := s.Report().Results[0].Counterexample
	// What only a session knows, or only the report of a violation.
	compared := *want
	if want.End == "" {
		got.End = ""
	}
	got.Components, compared.Components = nil, nil
	got.Bad, got.Fairness, got.Progress, got.Note = want.Bad, want.Fairness, want.Progress, want.Note
	got.Waiting, got.Cycle, got.Projections = want.Waiting, want.Cycle, want.Projections
	project(s, want, got)
	hideAs(got, &compared)
	if !slices.ContainsFunc(slices.Concat(want.Stem, want.Loop), func(s report.Step) bool { return len(s.At) > 0 }) {
		for _, steps := range [][]report.Step{got.Stem, got.Loop} {
			for i := range steps {
				steps[i].At = nil // not all questions say it
			}
		}
	}
	if diff := cmp.Diff(&compared, got); diff != "" {
		t.Fatalf("%s: the session differs from the report (-report +session):\n%s", name, diff)
	}
	if len(want.Loop) > 0 {
		roundAgain(t, s, want)
	}
}

// project leaves of a session's run what the report knows: its components, and
// propositions of these.
func project(s *sim.Session, want, got *report.Counterexample) {
	var keep []int
	for i, name := range s.Components() {
		if slices.Contains(want.Components, name) {
			keep = append(keep, i)
		}
	}
	known := func(props []string) (out []string) {
		for _, p := range props {
			if !slices.Contains(s.Fluents(), p) || slices.Contains(want.Components, p) {
				out = append(out, p)
			}
		}
		return out
	}
	state := func(st *report.State) {
		var locals []string
		for _, i := range keep {
			locals = append(locals, st.Locals[i])
		}
		st.Locals = locals
		if st.Props = known(st.Props); st.Props == nil {
			st.Props = []string{}
		}
	}
	state(&got.Initial)
	for _, steps := range [][]report.Step{got.Stem, got.Loop} {
		for i := range steps {
			step := &steps[i]
			state(&step.State)
			step.Gained, step.Lost = known(step.Gained), known(step.Lost)
			step.Movers = slices.DeleteFunc(step.Movers, func(m string) bool { return !slices.Contains(want.Components, m) })
			step.Changed = slices.DeleteFunc(step.Changed, func(c report.Change) bool { return !slices.Contains(want.Components, c.Component) })
			if len(step.Changed) == 0 {
				step.Changed = nil
			}
		}
	}
}

// hideAs writes tau where the report does: of actions that the process hides.
func hideAs(got, want *report.Counterexample) {
	for _, pair := range [][2][]report.Step{{got.Stem, want.Stem}, {got.Loop, want.Loop}} {
		for i := range min(len(pair[0]), len(pair[1])) {
			if pair[1][i].Event == "tau" {
				pair[0][i].Event = "tau"
			}
		}
	}
}

// roundAgain goes round a loop that was loaded once more.
func roundAgain(t *testing.T, s *sim.Session, want *report.Counterexample) {
	t.Helper()
	for i := range want.Loop {
		if err := s.Redo(); err != nil {
			t.Fatal(err)
		}
		if p := s.Now(); p.By.Event != want.Loop[i].Event && want.Loop[i].Event != "tau" || p.Loop == nil || p.Loop.Start != len(want.Stem) {
			t.Fatalf("round the loop again, step %d is %v, loop %v", i, p.By, p.Loop)
		}
	}
}

// TestReplaySpecs: every counterexample to anything that is asked of the models of specs/ is
// loaded and walked through, and what the session says of it is what the report says.
func TestReplaySpecs(t *testing.T) {
	walked := 0
	for i, path := range models(t) {
		if testing.Short() && i%4 != 0 || filepath.Base(path) == "abb.lks" {
			continue
		}
		m := load(t, path, "")
		for name, r := range reports(t, m) {
			for i := range r.Results {
				res := &r.Results[i]
				if res.Counterexample == nil {
					continue
				}
				walkTrace(t, m, filepath.Base(path)+": "+name+" "+res.Name, throughJSON(t, r, res))
				walked++
			}
		}
	}
	if !testing.Short() && walked < 60 {
		t.Errorf("only %d counterexamples were walked through", walked)
	}
	t.Log(walked, "counterexamples")
}

// TestReplayConform: runs that a specification cannot follow are runs of the
// implementation, of which the report tells as of one component.
func TestReplayConform(t *testing.T) {
	const text = `
IMPL = (a -> hid -> b -> IMPL | c -> LAST),
LAST {last} = (z -> STOP).
Q {q} = (b -> Q | z -> Q).
SPEC = (a -> b -> SPEC | c -> SPEC)+{z}.
||HIDING = (IMPL || Q)\{hid}.
`
	ctx := context.Background()
	load := func(process string) *check.Model {
		m, err := check.Load(ctx, "model.lks", check.LoadOptions{Process: process, Open: opener(text)})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, process := range []string{"HIDING", "IMPL"} {
		impl := load(process)
		r, err := check.Conform(ctx, impl, load("SPEC"), check.Options{}, conform.Options{Preorder: conform.Trace, Restrict: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Results[0].Counterexample == nil {
			t.Fatal("no counterexample")
		}
		want := throughJSON(t, r, &r.Results[0])
		s := begin(t, impl, nil, sim.Options{})
		if err := s.Load(want); err != nil {
			t.Fatal(err)
		}
		var events []string
		for _, step := range want.Stem {
			events = append(events, step.Event)
		}
		got := s.History()
		for i := range got {
			if got[i] == "hid" && process == "HIDING" {
				got[i] = "tau"
			}
		}
		if !slices.Equal(got, events) {
			t.Errorf("%s: %v, want %v", process, got, events)
		}
	}
}

// TestMismatch: a run of another model is refused with the step that differs, and the
// session stays as it was.
func TestMismatch(t *testing.T) {
	m := load(t, filepath.Join("..", "..", "specs", "first.lks"), "")
	s := begin(t, m, nil, sim.Options{})
	for range 3 {
		if err := s.Choose(1); err != nil {
			t.Fatal(err)
		}
	}
	good := func() *report.Counterexample { return s.Report().Results[0].Counterexample }
	for _, c := range []struct {
		name   string
		change func(c *report.Counterexample)
		want   string
	}{
		{"event", func(c *report.Counterexample) { c.Stem[1].Event = "push" }, "step 2: push is not possible, press is"},
		{"state", func(c *report.Counterexample) { c.Stem[1].State.Locals[0] = "ON" }, "step 2: press does not lead to (ON)"},
		{"props", func(c *report.Counterexample) { c.Stem[2].State.Props = nil }, "step 3: press does not lead to (ON) with {}"},
		{"initial", func(c *report.Counterexample) { c.Initial.Locals[0] = "ON" }, "no initial state of the model is (ON)"},
		{"component", func(c *report.Counterexample) { c.Components[0] = "TORCH" }, "the model has no component TORCH: its components are LAMP"},
		{"more components", func(c *report.Counterexample) { c.Components = append(c.Components, "TORCH") }, "the model has no component TORCH"},
		{"fewer components", func(c *report.Counterexample) { c.Components = nil }, "the run has no component LAMP, which the model has"},
		{"locals", func(c *report.Counterexample) { c.Stem[0].State.Locals = nil }, "step 1: it has 0 local states for 1 component"},
		{"movers", func(c *report.Counterexample) { c.Stem[0].Movers = nil }, "step 1: press does not lead to"},
		{"loop", func(c *report.Counterexample) { c.Stem, c.Loop = c.Stem[:2], c.Stem[2:] }, "step 3: the loop does not lead back to state 2"},
		{"end", func(c *report.Counterexample) { c.End = "deadlock" }, "step 3: the run does not end there as it is said to: deadlock"},
		{"program", func(c *report.Counterexample) { c.Kind = "program" }, "take the place of the model"},
	} {
		changed := good()
		c.change(changed)
		if err := s.Load(changed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ...%s...", c.name, err, c.want)
		}
		if s.At() != 3 {
			t.Fatalf("%s: the session has moved", c.name)
		}
	}
	if err := s.Load(good()); err != nil || s.At() != 0 {
		t.Error(err)
	}
}
