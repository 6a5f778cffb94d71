package lks_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/lks"
)

// The zero Builder is an unnamed one.
func TestZeroBuilder(t *testing.T) {
	var b lks.Builder
	off := b.State()
	on := b.State("lit")
	b.Transition(off, "press", on)
	b.TransitionID(on, lks.TauID, off)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if m.NumStates() != 2 || m.NumTransitions() != 2 || m.Action("press") != 1 || m.Edges(on)[0].Action != lks.TauID || m.Prop("lit") != 0 || m.Name() != "" {
		t.Errorf("%v", m)
	}
	for name, make := range map[string]func(b *lks.Builder){
		"one state":         func(b *lks.Builder) { b.State() },
		"one proposition":   func(b *lks.Builder) { b.StateID(lks.Normal, []int32{b.Prop("p")}) },
		"a silent loop":     func(b *lks.Builder) { b.TransitionID(b.State(), lks.TauID, 0) },
		"an action":         func(b *lks.Builder) { b.Action("a"); b.State() },
		"a silent action":   func(b *lks.Builder) { b.Transition(b.State(), lks.TauName, 0) },
		"an error state":    func(b *lks.Builder) { b.StateID(lks.Error, nil) },
		"an initial state":  func(b *lks.Builder) { b.State(); b.Initial(b.State()) },
		"a described state": func(b *lks.Builder) { b.State(); b.Describe(func(int32) string { return "s" }) },
	} {
		var zero lks.Builder
		made := lks.NewBuilder("")
		make(&zero)
		make(made)
		a, err := zero.Build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := made.Build()
		if err != nil {
			t.Fatal(err)
		}
		var x, y strings.Builder
		if err := lks.WriteJSON(&x, a); err != nil {
			t.Fatal(err)
		}
		if err := lks.WriteJSON(&y, b); err != nil {
			t.Fatal(err)
		}
		if x.String() != y.String() {
			t.Errorf("%s: %s, with NewBuilder %s", name, x.String(), y.String())
		}
	}
	if _, err := new(lks.Builder).Build(); err == nil || !strings.Contains(err.Error(), "no states") {
		t.Errorf("without states: %v", err)
	}
}

// Errors name actions and propositions as the caller does, by their names.
func TestBuilderErrors(t *testing.T) {
	for _, c := range []struct {
		make func(b *lks.Builder)
		want string
	}{
		{func(b *lks.Builder) { b.Action("other"); b.Transition(b.State(), "press", 7) },
			`lks: component "LAMP": transition 0 -press-> 7: there is no state 7 (states are 0 to 0)`},
		{func(b *lks.Builder) { b.State(); b.Transition(-1, "press", 0) },
			`lks: component "LAMP": transition -1 -press-> 0: there is no state -1 (states are 0 to 0)`},
		{func(b *lks.Builder) { b.TransitionID(b.State(), 5, 0) },
			`lks: component "LAMP": transition from 0 to 0: there is no action number 5 (Action returned 0 to 0)`},
		{func(b *lks.Builder) { b.Transition(b.StateID(lks.Error, nil), "press", 0) },
			`lks: component "LAMP": transition 0 -press-> 0 leaves a state of kind error, which has none`},
		{func(b *lks.Builder) { b.State(); b.Initial(3) },
			`lks: component "LAMP": there is no initial state 3 (states are 0 to 0)`},
		{func(b *lks.Builder) { b.State(); b.Initial(-1, 0) },
			`lks: component "LAMP": there is no initial state -1 (states are 0 to 0)`},
		{func(b *lks.Builder) { b.Prop("lit"); b.StateID(lks.Normal, []int32{2}) },
			`lks: component "LAMP": state 0: there is no proposition number 2 (Prop returned 0 to 0)`},
		{func(b *lks.Builder) { b.StateID(lks.Normal, []int32{0}) },
			`lks: component "LAMP": state 0: there is no proposition number 0 (Prop was not called)`},
	} {
		b := lks.NewBuilder("LAMP")
		c.make(b)
		if _, err := b.Build(); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
