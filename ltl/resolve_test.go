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

// TestBraces: a set is of events, which may be written E.a; one name that is no event is a regular
// expression of one letter.
func TestBraces(t *testing.T) {
	v := atomNames{props: map[string]bool{"p": true, "e.p": true, "both": true, "m.2": true}, events: map[string]bool{"a": true, "e.a": true, "both": true}}
	for text, want := range map[string]string{
		"G {p}":                 "G S.p",
		"G {e.p}":               "G S.e.p",
		"G {S.e.p}":             "G S.e.p",
		"G {m2}":                "G S.m[2]",
		"G {E.a}":               "G E.a",
		"G {E.e.a}":             "G E.e.a",
		"G {both}":              "G E.both",
		"G {S.both}":            "G S.both",
		"F {E.a, e.a}":          "F(E.a | E.e.a)",
		"G {p}!":                "G {S.p}!",
		"{p}[]-> X {e.p}":       "{S.p}[]-> (X S.e.p)",
		"G {none}":              `unknown event "none"`,
		"G {S.none}":            `unknown proposition "none"`,
		"G {E.none}":            `unknown event "none"`,
		"G {a, p}":              `unknown event "p"`,
		"G {a, S.p}":            `unknown event "S.p"`,
		"exists [i:{p}] F e[i]": "F S.e.p",
	} {
		f, err := Parse(source.NewFile("f", text), ParseOptions{Vocabulary: v})
		got := ""
		if err != nil {
			got = err.(source.List)[0].Message
		} else {
			got, _ = Echo(f)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
