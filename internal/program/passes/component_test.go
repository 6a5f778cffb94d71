package passes

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// stored is a machine that keeps where it goes on in a variable of its own, as OpenSSL does while
// it flushes a buffer: state 1 does a, stores 3 or 4 and goes to 2, which flushes and goes on
// with what is stored; 3 does b, 4 does c, and both go back to 1.
func stored() *program.Component {
	word := func(n int64) *logic.Term { return logic.BVConst(big.NewInt(n), 8) }
	state, next, in := logic.Var("state", logic.BitVec(8)), logic.Var("next", logic.BitVec(8)), logic.Var("in", logic.BitVec(8))
	c := &program.Component{Name: "m", Alphabet: []string{"a", "b", "c", "flush"}, System: &program.System{Name: "m", Vars: []*logic.Term{state, next}}}
	for _, name := range []string{"loop", "one", "two", "three", "four", "done"} {
		c.System.Locations = append(c.System.Locations, program.Location{Name: name})
	}
	c.System.Init = []program.Region{{Where: logic.Eq(state, word(1))}}
	add := func(from, to int, action string, guard *logic.Term, update map[*logic.Term]*logic.Term) {
		c.System.Edges = append(c.System.Edges, program.Edge{From: from, To: to, Command: &program.Command{Inputs: []*logic.Term{in}, Guard: guard, Update: update}})
		c.Actions = append(c.Actions, action)
	}
	for k := range 4 {
		add(0, k+1, "", logic.Eq(state, word(int64(k+1))), nil)
	}
	for k := range int64(2) {
		add(5, 0, "", logic.Eq(in, word(k)), map[*logic.Term]*logic.Term{next: word(3 + k), state: word(2)})
	}
	add(1, 5, "a", logic.True(), nil)
	add(2, 0, "flush", logic.True(), map[*logic.Term]*logic.Term{state: next})
	add(3, 0, "b", logic.True(), map[*logic.Term]*logic.Term{state: word(1)})
	add(4, 0, "c", logic.True(), map[*logic.Term]*logic.Term{state: word(1)})
	return c
}

// TestSplitStored: a state that is stored and restored is decided by where control is.
func TestSplitStored(t *testing.T) {
	c := stored()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	p := ApplyComponent(context.Background(), c, Sight{Ends: true, Offers: true, Endless: true}, Default())
	if err := p.Component.Validate(); err != nil {
		t.Fatal(err)
	}
	if vars := p.Component.System.Vars; len(vars) > 0 {
		t.Errorf("%v are left", vars)
	}
	// What is watched is known by location, too.
	state := c.System.Vars[0]
	w := Watched{Name: "three", Where: slices.Repeat([]*logic.Term{logic.Eq(state, logic.BVConst(big.NewInt(3), 8))}, len(c.System.Locations))}
	p = ApplyComponent(context.Background(), c, Sight{Ends: true, Offers: true, Endless: true, Watched: []Watched{w}}, Default())
	if vars := p.Component.System.Vars; len(vars) > 0 {
		t.Errorf("%v are left", vars)
	}
	known := 0
	for _, f := range p.Watched[0].Where {
		if f != nil && !f.IsTrue() {
			t.Errorf("it is not known where %s", f)
		} else if f != nil {
			known++
		}
	}
	if known == 0 {
		t.Error("it is nowhere true")
	}
}

// TestWaitsForNothing: a place that waits for an action that is never possible still waits.
func TestWaitsForNothing(t *testing.T) {
	c := stored()
	never := *c.System.Edges[len(c.System.Edges)-3].Command
	never.Guard = logic.Eq(c.System.Vars[0], logic.BVConst(big.NewInt(9), 8))
	c.System.Edges[len(c.System.Edges)-3].Command = &never // flush
	p := ApplyComponent(context.Background(), c, Sight{Ends: true, Offers: true}, Default())
	if slices.Contains(p.Component.Actions, "flush") {
		t.Error("flush is left")
	}
	stuck := func(p *PassedComponent) bool {
		return slices.ContainsFunc(p.Component.Waits, func(l int) bool {
			return !slices.ContainsFunc(p.Component.System.Edges, func(e program.Edge) bool { return e.From == l })
		})
	}
	if !stuck(p) {
		t.Error("no place waits for flush")
	}
	if p = ApplyComponent(context.Background(), c, Sight{Ends: true}, Default()); stuck(p) {
		t.Error("for conformance, a place waits for flush")
	}
}
