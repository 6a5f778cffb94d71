package sim_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
)

// letterOf is what is true in a described state when an event leaves it, "" for none.
func letterOf(s *run.State, event string) ltl.Letter {
	return func(a ltl.Atom) bool {
		switch a.Kind {
		case ltl.Prop:
			return slices.Contains(s.Props, a.Name)
		case ltl.Deadlock:
			return len(s.Enabled) == 0
		case ltl.Enabled:
			return slices.Contains(s.Enabled, a.Name)
		}
		return event != "" && a.Name == event
	}
}

// distance is the length of the shortest run from an initial state to where a formula
// without temporal operators is true, by the definition of a network and the semantics of
// formulas alone; -1 if there is none.
func distance(net *lks.Network, local []int32, f *ltl.Formula) int {
	hasEvents := slices.ContainsFunc(ltl.Atoms(f), func(a ltl.Atom) bool { return a.Kind == ltl.Event })
	at := func(s *run.State, event string) bool {
		return ltl.Eval(f, ltl.Word{Loop: []ltl.Letter{letterOf(s, event)}})
	}
	known := map[string]bool{fmt.Sprint(local): true}
	level := [][]int32{local}
	for steps := 0; len(level) > 0; steps++ {
		var next [][]int32
		found := -1
		for _, l := range level {
			s := run.New(net, [][]int32{l}, nil, -1).Last
			if (!hasEvents || len(s.Enabled) == 0) && at(&s, "") {
				return steps
			}
			for _, rule := range run.Possible(net, l) {
				if event := net.Alphabet()[net.Rules()[rule].Action]; hasEvents && at(&s, event) {
					found = steps + 1
				}
				for _, target := range targetsOf(net, l, rule) {
					if key := fmt.Sprint(target); !known[key] {
						known[key] = true
						next = append(next, target)
					}
				}
			}
		}
		if found >= 0 {
			return min(found, distanceIn(net, next, at, hasEvents, steps+1, found))
		}
		level = next
	}
	return -1
}

// distanceIn is steps if a state of the next level is a goal itself, else found.
func distanceIn(net *lks.Network, level [][]int32, at func(*run.State, string) bool, hasEvents bool, steps, found int) int {
	for _, l := range level {
		if s := run.New(net, [][]int32{l}, nil, -1).Last; (!hasEvents || len(s.Enabled) == 0) && at(&s, "") {
			return steps
		}
	}
	return found
}

func targetsOf(net *lks.Network, local []int32, rule int32) [][]int32 {
	all := [][]int32{slices.Clone(local)}
	for _, p := range net.Rules()[rule].Parts {
		var more [][]int32
		for _, e := range net.Components()[p.Component].Succ(local[p.Component], p.Action) {
			for _, next := range all {
				next = slices.Clone(next)
				next[p.Component] = e.Target
				more = append(more, next)
			}
		}
		all = more
	}
	return all
}

// TestGotoRandom: goals that are formulas are reached by runs as short as any.
func TestGotoRandom(t *testing.T) {
	reached, nowhere := 0, 0
	seeds := []uint64{2838} // a state is nearer there than a step of a state of the same level
	for seed := range soak.Cases(uint64(600)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		r := gen.Rand(seed)
		net, err := gen.Network(r, 1+r.IntN(3), gen.Small).Build()
		if err != nil {
			continue
		}
		var atoms []ltl.Atom
		for _, p := range net.Props() {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
		}
		for _, a := range net.Alphabet()[1:] {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a}, ltl.Atom{Kind: ltl.Enabled, Name: a})
		}
		atoms = append(atoms, ltl.Atom{Kind: ltl.Deadlock})
		f := gen.Formula(r, gen.FormulaOptions{Atoms: atoms, Size: 1 + r.IntN(5), Ops: []ltl.Op{ltl.Not, ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff}})
		if f == ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock}) {
			continue // alone it is that of seltl deadlock
		}
		s := begin(t, &check.Model{File: "n.aut", Process: "N", Net: net}, nil, sim.Options{})
		want := distance(net, s.Run().Last.Local, f)
		found, err := s.Goto(context.Background(), f.String())
		switch {
		case errors.Is(err, sim.ErrNowhere) && want < 0:
			nowhere++
		case err != nil || found.Steps != want || s.At() != want:
			t.Fatalf("seed %d: %v is %d steps away, found %v, %v", seed, f, want, found, err)
		default:
			reached++
			if err := s.Run().Replay(net); err != nil {
				t.Fatal(err)
			}
		}
	}
	if reached < int(soak.Cases(200)) || nowhere < int(soak.Cases(50)) {
		t.Errorf("%d reached, %d nowhere", reached, nowhere)
	}
}

// TestGotoSpecs: in every model of specs/ the nearest deadlock and the nearest ERROR are as
// far as an exploration finds them, and are not where it finds none.
func TestGotoSpecs(t *testing.T) {
	for i, path := range models(t) {
		if filepath.Base(path) == "abb.lks" || soak.Skip(i) {
			continue
		}
		m := load(t, path, "")
		net, err := m.Composition()
		if err != nil {
			t.Fatal(err)
		}
		for goal, opts := range map[string]explore.Options{"deadlock": {StopAtDeadlock: true}, "error": {StopAtError: true}} {
			opts.Traces, opts.Resources = true, explore.Resources{Store: explore.Numbered}
			want, err := explore.Reach(net, opts)
			if err != nil {
				t.Fatal(err)
			}
			number := want.Deadlock
			if goal == "error" {
				number = want.Error
			}
			s := begin(t, m, nil, sim.Options{})
			starts, _ := s.Starts()
			found, err := s.Goto(context.Background(), goal)
			switch {
			case number < 0 && errors.Is(err, sim.ErrNowhere):
			case number < 0 || err != nil:
				t.Errorf("%s: %s: %v, %v; explored: %d", path, goal, found, err, number)
			default:
				trace, err := want.Trace(number)
				if err != nil {
					t.Fatal(err)
				}
				if found.Steps != len(trace.Stem) && len(starts) == 1 {
					t.Errorf("%s: %s: %d steps, explored: %d", path, goal, found.Steps, len(trace.Stem))
				}
				if end := s.Now().End; end != goal {
					t.Errorf("%s: %s leads to %q", path, goal, end)
				}
			}
		}
	}
}

const sluice = `
const N = 3
GATE = SHUT, SHUT {shut} = (open -> OPEN), OPEN {wide} = (close -> SHUT | jam -> STOP).
property CAREFUL = (open -> close -> CAREFUL | jam -> CAREFUL).
BOAT = (enter -> leave -> BOAT).
||SYSTEM = (GATE || BOAT || CAREFUL).
fluent INSIDE = <enter, leave>
menu BOATS = {enter, leave}
progress PASSES = {leave}
ltl LEAVES = G (enter -> F leave)
ltl NEVER = G !(wide & INSIDE)
assert EMPTY = [](open -> !INSIDE)
`

func declared(t *testing.T, m *check.Model) []check.Question {
	t.Helper()
	qs, err := m.Declared()
	if err != nil {
		t.Fatal(err)
	}
	return qs
}

func property(t *testing.T, s *sim.Session, name string) sim.Property {
	t.Helper()
	for _, p := range s.Properties() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no property %s", name)
	return sim.Property{}
}

// TestProperties: what is said of properties on the way.
func TestProperties(t *testing.T) {
	m := loadText(t, sluice)
	s := begin(t, m, declared(t, m), sim.Options{Menu: sim.NoMenu})
	at := func(name, verdict string, owes ...string) {
		t.Helper()
		if p := property(t, s, name); p.Verdict != verdict || !slices.Equal(p.Owes, owes) {
			t.Errorf("step %d: %s is %s and owes %q, want %s, %q", s.At(), name, p.Verdict, p.Owes, verdict, owes)
		}
	}
	at("LEAVES", sim.Open)
	must(t, s.ChooseNamed("enter"))
	at("LEAVES", sim.Open, "F leave")
	at("NEVER", sim.Open)
	at("EMPTY", sim.Open)
	must(t, s.ChooseNamed("open"))
	at("NEVER", sim.Violated)
	at("EMPTY", sim.Violated)
	at("CAREFUL", sim.Open)
	if p := property(t, s, "NEVER"); p.Since != 2 || p.AtEnd {
		t.Errorf("since %d, %v", p.Since, p.AtEnd)
	}
	must(t, s.ChooseNamed("leave"))
	at("LEAVES", sim.Open)
	at("NEVER", sim.Violated)
	if p := property(t, s, "NEVER"); p.Since != 2 {
		t.Errorf("since %d", p.Since)
	}
	must(t, s.ChooseNamed("jam"))
	at("CAREFUL", sim.Violated)
	if now := s.Now(); now.End != "error" || !slices.Equal(now.Failed, []string{"CAREFUL"}) {
		t.Errorf("%q of %q", now.End, now.Failed)
	}
	at("LEAVES", sim.Satisfied) // no event any more
	if p := property(t, s, "LEAVES"); !p.AtEnd {
		t.Error("not at the end")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGotoViolation: violations by name, by formula, of components, of liveness.
func TestGotoViolation(t *testing.T) {
	ctx := context.Background()
	m := loadText(t, sluice)
	for _, c := range []struct {
		goal   string
		steps  int // -1: a run is loaded
		events string
	}{
		{"violation of NEVER", 2, "enter open"},
		{"violation of CAREFUL", 2, "open jam"},
		{"violation of G !jam", 2, "open jam"},
		{"violation of LEAVES", 3, ""},
		{"violation", 2, ""},
		{"jam", 2, "open jam"},
		{"wide", 1, "open"},
		{"wide & enter", 2, "open enter"},
		{"enabled(jam)", 1, "open"},
		{"error", 2, "open jam"},
	} {
		s := begin(t, m, declared(t, m), sim.Options{Menu: sim.NoMenu})
		found, err := s.Goto(ctx, c.goal)
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.goal, err)
		case found.Loaded != (c.steps < 0):
			t.Errorf("%s: loaded: %v", c.goal, found.Loaded)
		case c.steps >= 0 && found.Steps != c.steps:
			t.Errorf("%s: %d steps, want %d", c.goal, found.Steps, c.steps)
		case c.events != "" && strings.Join(s.History(), " ") != c.events:
			t.Errorf("%s: %v", c.goal, s.History())
		}
	}
	s := begin(t, m, declared(t, m), sim.Options{})
	for goal, want := range map[string]string{
		"violation of NEVR": `did you mean "NEVER"`, "end": "cannot be reached", "F wide": "a state is needed",
		"violation of": "violation of what", "": "where to", "wdie": "unknown name", "violation of PASSES": "cannot be reached",
	} {
		_, err := s.Goto(ctx, goal)
		text := fmt.Sprint(err)
		if not, ok := errors.AsType[*sim.NotPossible](err); ok {
			text += "; " + not.Help
		}
		if err == nil && want != "" || !strings.Contains(text, want) {
			t.Errorf("%s: %v, want %s", goal, text, want)
		}
	}
}

// TestGotoLoaded: what no finite run violates is shown by a run that is loaded.
func TestGotoLoaded(t *testing.T) {
	m := loadText(t, "P = (a -> P | b -> Q), Q = (b -> Q).\nprogress AS = {a}\nltl LIVE = F b\nltl AGAIN = G F a\n")
	for _, goal := range []string{"violation of AS", "violation of LIVE", "violation of AGAIN", "violation of F G a"} {
		s := begin(t, m, declared(t, m), sim.Options{})
		must(t, s.ChooseNamed("a"))
		found, err := s.Goto(context.Background(), goal)
		if err != nil || !found.Loaded || s.At() != 0 || s.Now().Ahead == 0 {
			t.Errorf("%s: %v, %v", goal, found, err)
			continue
		}
		for range s.Now().Ahead {
			must(t, s.Redo())
		}
		if loop := s.Now().Loop; loop == nil {
			t.Errorf("%s: no loop", goal)
		}
	}
	s := begin(t, m, declared(t, m), sim.Options{})
	if _, err := s.Goto(context.Background(), "violation of G (a | b)"); !errors.Is(err, sim.ErrNowhere) {
		t.Error(err)
	}
}

// TestGotoLimits: a search ends at its limits, and when it is interrupted, and the session
// stays where it was.
func TestGotoLimits(t *testing.T) {
	m := load(t, filepath.Join("..", "..", "specs", "families", "philosophers.lks"), "")
	s := begin(t, m, nil, sim.Options{Limits: budget.Limits{States: 1}})
	var limit *budget.Exhausted
	if _, err := s.Goto(context.Background(), "false"); !errors.As(err, &limit) {
		t.Logf("%v", err) // the model is small
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Goto(ctx, "false"); !errors.Is(err, budget.ErrInterrupted) && !errors.Is(err, sim.ErrNowhere) {
		t.Error(err)
	}
	if n, err := s.Random(ctx, 5000); err == nil || n == 5000 {
		t.Errorf("%d steps, %v", n, err)
	}
}
