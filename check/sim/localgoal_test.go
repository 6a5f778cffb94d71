package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/sim"
)

const twoLamps = `
LAMP = OFF, OFF {dark} = (press -> ON), ON {lit} = (press -> OFF | burn -> ERROR).
||TWO = (a:LAMP || b:LAMP).
ltl NEVER = G !(a.lit & b.lit)
`

// TestLocalGoal goes to local states, by the names that components have, and says what is wrong
// with names that there are not.
func TestLocalGoal(t *testing.T) {
	for goal, want := range map[string]string{
		"a in ON": "a.press", "b in ON & a in ON": "a.press b.press", "a:LAMP in ON": "a.press", "a in OFF": "",
		"a.ON": "goto a in ON", "ON": "goto a in ON", "a in O": "did you mean \"ON\"?", "c in ON": "components: a:LAMP, b:LAMP", "a in ERROR": "a.press a.burn",
	} {
		s := begin(t, loadText(t, twoLamps), nil, sim.Options{})
		_, err := s.Goto(context.Background(), goal)
		got := strings.Join(s.History(), " ")
		if not, ok := errors.AsType[*sim.NotPossible](err); ok {
			got = not.Help
		} else if err != nil {
			t.Error(goal, err)
		}
		if got != want {
			t.Errorf("goto %s: %q, want %q", goal, got, want)
		}
	}
}

// TestSuggestions: what is like nothing suggests nothing, and actions count as commands do.
func TestSuggestions(t *testing.T) {
	s := begin(t, loadText(t, twoLamps), nil, sim.Options{})
	for line, want := range map[string]string{
		"foo": "type 1 or 2, or the name of an action", "gto": "\"goto\"", "a.pres": "\"a.press\"", "burn": "\"a.burn\"", "presss": "\"a.press\"", "xyzzyx": "type 1 or 2",
	} {
		command := sim.ParseCommand(line)
		_, err := s.Do(context.Background(), command)
		var not *sim.NotPossible
		switch {
		case line == "a.pres" && err == nil: // the beginning of a name is enough
			must(t, s.Undo())
		case !errors.As(err, &not) || !strings.Contains(not.Help, want):
			t.Errorf("%s: %v (%+v), want %s", line, err, not, want)
		}
	}
	if _, err := sim.FindVerb("gto"); err == nil {
		t.Error("there is a command gto")
	}
	if v, err := sim.FindVerb("g"); err != nil || v.Name != "goto" {
		t.Error(v, err)
	}
}

// TestFollowedGoal: a formula to whose violation a session went is followed from then on.
func TestFollowedGoal(t *testing.T) {
	ctx := context.Background()
	s := begin(t, loadText(t, twoLamps), nil, sim.Options{})
	if _, err := s.Goto(ctx, "violation of G !(b.lit & a.lit)"); err != nil {
		t.Fatal(err)
	}
	find := func() *sim.Property {
		for _, p := range s.Properties() {
			if strings.HasPrefix(p.Formula, "G !(b.lit") {
				return &p
			}
		}
		t.Fatal("it is not followed")
		return nil
	}
	if p := find(); p.Verdict != sim.Violated || p.Since != 2 {
		t.Errorf("%+v", p)
	}
	must(t, s.Undo())
	if p := find(); p.Verdict != sim.Open {
		t.Errorf("%+v", p)
	}
	must(t, s.ChooseNamed("a.press"))
	must(t, s.ChooseNamed("b.press"))
	if p := find(); p.Verdict != sim.Open {
		t.Errorf("%+v", p)
	}
	n := len(s.Properties())
	if _, err := s.Goto(ctx, "violation of G !(b.lit & a.lit)"); err != nil || len(s.Properties()) != n {
		t.Errorf("%v: %d properties, %d before", err, len(s.Properties()), n)
	}
}

// TestSmallLimit: a search of few states stops at a limit of fewer.
func TestSmallLimit(t *testing.T) {
	for most, stops := range map[int64]bool{3: true, 4: true, 100: false} {
		s := begin(t, loadText(t, twoLamps), nil, sim.Options{Limits: budget.Limits{States: most}})
		_, err := s.Goto(context.Background(), "deadlock")
		if budget.Stopped(err) != stops || !stops && !errors.Is(err, sim.ErrNowhere) {
			t.Errorf("limit %d: %v", most, err)
		}
	}
}
