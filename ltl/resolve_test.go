package ltl

import (
	"testing"

	"github.com/seltl/seltl/internal/source"
)

// atomNames is a vocabulary of given propositions and events.
type atomNames struct{ props, events map[string]bool }

func (v atomNames) Prop(n string) bool                { return v.props[n] }
func (v atomNames) Event(n string) bool               { return v.events[n] }
func (v atomNames) Indexed(string) []int              { return nil }
func (v atomNames) Range(string) (lo, hi int, _ bool) { return }
func (v atomNames) Set(string) ([]string, bool)       { return nil, false }
func (v atomNames) Const(string) (int, bool)          { return 0, false }
func (v atomNames) Names() []string                   { return []string{"c.2"} }

// TestIndexWithoutDot: c2 is c[2] where the model has no c2, and only there.
func TestIndexWithoutDot(t *testing.T) {
	v := atomNames{props: map[string]bool{"m.2": true, "m.1.x": true, "m1.x": true}, events: map[string]bool{"c.2": true, "phil.10.eat.3": true}}
	for text, want := range map[string]Atom{
		"c2":           {Event, "c.2"},
		"E.c2":         {Event, "c.2"},
		"m2":           {Prop, "m.2"},
		"phil10.eat3":  {Event, "phil.10.eat.3"},
		"phil10.eat.3": {Event, "phil.10.eat.3"},
		"m1.x":         {Prop, "m1.x"},
		"m[1].x":       {Prop, "m.1.x"},
	} {
		f, err := Parse(source.NewFile("f", text), ParseOptions{Vocabulary: v})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if f.Atom() != want {
			t.Errorf("%s = %v, want %v", text, f.Atom(), want)
		}
	}
	if _, err := Parse(source.NewFile("f", "c22"), ParseOptions{Vocabulary: v}); err == nil {
		t.Error("c22 was found")
	}
}
