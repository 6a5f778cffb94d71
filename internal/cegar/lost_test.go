package cegar

import (
	"context"
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// leaving is a component that performs an action and then leaves what is modelled.
func leaving(name, action string) *program.Component {
	skip := &program.Command{Guard: logic.True()}
	return &program.Component{Name: name, Alphabet: []string{action}, Actions: []string{action, ""}, Lost: map[int]string{2: "for a test"},
		System: &program.System{Locations: make([]program.Location, 3), Init: []program.Region{{Where: logic.True()}},
			Edges: []program.Edge{{To: 1, Command: skip}, {From: 1, To: 2, Command: skip}}}}
}

// TestLostIsNoAction: whatever actions are called, and whoever else runs, a specification
// does not allow a component to leave what is modelled.
func TestLostIsNoAction(t *testing.T) {
	pool, _ := solvers(t)
	for _, components := range [][]*program.Component{
		{leaving("p", "p.lost")},
		{leaving("p", "lost")},
		{leaving("p", "a"), leaving("q", "a")},
		{leaving("p", "q.lost"), leaving("q", "p.lost")},
	} {
		b := lks.NewBuilder("anything")
		b.State()
		for _, c := range components {
			b.Transition(0, c.Alphabet[0], 0)
		}
		spec, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Simulates(context.Background(), components, spec, pool, Options{})
		if err != nil || r.Verdict != outcome.Unknown {
			t.Errorf("%s: %v, %v", components[0].Alphabet[0], r, err)
		}
	}
	for name, components := range map[string][]*program.Component{"none": nil, "one name": {leaving("p", "a"), leaving("p", "a")}} {
		if _, err := Simulates(context.Background(), components, nil, pool, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
