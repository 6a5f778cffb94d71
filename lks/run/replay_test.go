package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// violation returns a run of the network that violates a formula.
func violation(t *testing.T, net *lks.Network, formula string) *run.Run {
	t.Helper()
	f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := product.Verify(context.Background(), net, f, product.Options{})
	if err != nil || r.Lasso == nil {
		t.Fatalf("%s: %v, %v", formula, r, err)
	}
	return r.Lasso
}

// cycle is a process that does these actions again and again.
func cycle(t *testing.T, name string, actions ...string) *lks.Network {
	t.Helper()
	b := lks.NewBuilder(name)
	for range actions {
		b.State()
	}
	for i, a := range actions {
		b.Transition(int32(i), a, int32((i+1)%len(actions)))
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

// TestReplayRefuses corrupts true counterexamples in every way that a wrong
// search could, and expects Replay to notice.
func TestReplayRefuses(t *testing.T) {
	type mutation struct {
		name  string
		apply func(l *run.Run, i int) bool // false: does not apply
	}
	step := func(l *run.Run, i int) *run.Step {
		if i < len(l.Stem) {
			return &l.Stem[i]
		}
		return &l.Loop[i-len(l.Stem)]
	}
	mutations := []mutation{
		{"event", func(l *run.Run, i int) bool { step(l, i).Event += "x"; return true }},
		{"rule", func(l *run.Run, i int) bool { step(l, i).Rule++; return true }},
		{"stutter", func(l *run.Run, i int) bool {
			s := step(l, i)
			was := s.Rule
			s.Rule, s.Event, s.Moved = run.Stutter, "", nil
			return was != run.Stutter
		}},
		{"propositions", func(l *run.Run, i int) bool {
			s := step(l, i)
			s.State.Props = append(slices.Clone(s.State.Props), "zz")
			return true
		}},
		{"possible actions", func(l *run.Run, i int) bool {
			s := step(l, i)
			s.State.Enabled = append(slices.Clone(s.State.Enabled), "zz")
			return true
		}},
		{"kind", func(l *run.Run, i int) bool {
			s := step(l, i)
			s.State.Kind = (s.State.Kind + 1) % 3
			return true
		}},
		{"mover", func(l *run.Run, i int) bool {
			s := step(l, i)
			if len(s.Moved) == 0 {
				return false
			}
			s.Moved = s.Moved[1:]
			return true
		}},
		{"component out of range", func(l *run.Run, i int) bool {
			s := step(l, i)
			s.State.Local = append(slices.Clone(s.State.Local), 0)
			return true
		}},
		{"state out of range", func(l *run.Run, i int) bool {
			s := step(l, i)
			s.State.Local = slices.Clone(s.State.Local)
			s.State.Local[0] = 99
			return true
		}},
		{"empty loop", func(l *run.Run, i int) bool { l.Loop = nil; return true }},
		{"dropped step", func(l *run.Run, i int) bool {
			if i+1 >= len(l.Stem) || slices.Equal(l.Stem[i].State.Local, l.Stem[i+1].State.Local) {
				return false
			}
			// The step before i, or the start, must not lead to step i+1 as well:
			// only steps that move a component deterministically are dropped.
			l.Stem = slices.Delete(slices.Clone(l.Stem), 0, 1)
			return !slices.Equal(l.Stem[0].State.Local, []int32{0, 0, 0, 0, 0, 0})
		}},
	}
	// Networks without non-determinism and with one initial state, so that every
	// corruption is an error.
	nets := []*lks.Network{gen.Ring(3), gen.Philosophers(3, false), gen.Milner(3)}
	formulas := []string{"G !crit1", "G !(eating0)", "G !(run1)"}
	applied := map[string]int{}
	for n, net := range nets {
		r := violation(t, net, formulas[n])
		for _, m := range mutations {
			for i := range r.Len() {
				l := &run.Run{Stem: slices.Clone(r.Stem), Loop: slices.Clone(r.Loop)}
				if !m.apply(l, i) {
					continue
				}
				applied[m.name]++
				if err := l.Replay(net); err == nil {
					t.Errorf("%s of step %d: not noticed", m.name, i+1)
				}
			}
		}
	}
	for _, m := range mutations {
		if applied[m.name] == 0 {
			t.Errorf("%s was never tried", m.name)
		}
	}
}

// TestReplayRefusesRuns has runs that are consistent in themselves, but no runs.
func TestReplayRefusesRuns(t *testing.T) {
	net, err := lks.Compose("N", cycle(t, "R", "a", "a", "a"), cycle(t, "Q", "b", "b"))
	if err != nil {
		t.Fatal(err)
	}
	rule := func(name string) int32 {
		return int32(slices.IndexFunc(net.Rules(), func(r lks.Rule) bool { return r.Action == net.Action(name) }))
	}
	step := func(event string, local ...int32) run.Step {
		s := run.Step{State: run.State{Local: local, Enabled: []string{"a", "b"}}, Rule: run.Stutter}
		switch event {
		case "a":
			s.Rule, s.Event, s.Moved = rule("a"), "a", []int32{0}
		case "b":
			s.Rule, s.Event, s.Moved = rule("b"), "b", []int32{1}
		}
		return s
	}
	for _, c := range []struct {
		name string
		l    run.Run
		ok   bool
	}{
		{"a run", run.Run{Stem: []run.Step{step("b", 0, 0)}, Loop: []run.Step{step("a", 0, 1), step("a", 1, 1), step("a", 2, 1)}}, true},
		{"stutters where actions are possible", run.Run{Loop: []run.Step{step("", 0, 0)}}, false},
		{"moves a component without a part", run.Run{Loop: []run.Step{step("a", 0, 0), step("a", 1, 1), step("a", 2, 0)}}, false},
		{"takes a transition that is not there", run.Run{Loop: []run.Step{step("a", 0, 0), step("a", 2, 0)}}, false},
		{"stays where it must move", run.Run{Loop: []run.Step{step("a", 0, 0)}}, false},
		{"starts elsewhere", run.Run{Loop: []run.Step{step("a", 1, 0), step("a", 2, 0), step("a", 0, 0)}}, false},
		{"does not close", run.Run{Loop: []run.Step{step("a", 0, 0), step("a", 1, 0)}}, false},
	} {
		if err := c.l.Replay(net); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// b yields to a.
	low := net.Yield(func(a string) bool { return a == "b" })
	l := run.Run{Loop: []run.Step{step("b", 0, 0), step("b", 0, 1)}}
	for i := range l.Loop {
		l.Loop[i].State.Enabled = []string{"a"}
	}
	if err := l.Replay(low); err == nil {
		t.Error("an action of low priority goes first: not noticed")
	}
}

// Replay calls a rule that is not possible by its action, not by its number.
func TestReplayNamesActions(t *testing.T) {
	net := cycle(t, "LAMP", "switch_on", "switch_off")
	l := &run.Run{Loop: violation(t, net, "G !switch_off").Steps()}
	for i, rule := range net.Rules() {
		if net.Alphabet()[rule.Action] == "switch_off" {
			l.Loop[0].Rule = int32(i)
		}
	}
	if err := l.Replay(net); err == nil || !strings.Contains(err.Error(), "switch_off is not possible") {
		t.Errorf("%v", err)
	}
	l.Loop[0].Rule = 99
	if err := l.Replay(net); err == nil || !strings.Contains(err.Error(), "no rule 99") {
		t.Errorf("%v", err)
	}
}
