package cegar_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A component takes a lock and, if it has got it, gives it back. Without predicates its
// abstraction could unlock what it has not locked. (Passes would have copied the location for
// both values: then there is nothing left to abstract.)
func ExampleSimulates() {
	got := logic.Var("got", logic.Bool)
	is := func(guard *logic.Term) *program.Command { return &program.Command{Guard: guard} }
	set := func(value *logic.Term) *program.Command {
		return &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{got: value}}
	}
	c := &program.Component{
		Name: "worker",
		System: &program.System{
			Vars:      []*logic.Term{got},
			Locations: []program.Location{{Name: "try"}, {Name: "test"}, {Name: "unlock"}, {Name: "end"}},
			Init:      []program.Region{{Location: 0, Where: logic.True()}},
			Edges: []program.Edge{
				{Name: "locked", From: 0, To: 1, Command: set(logic.True())},
				{Name: "busy", From: 0, To: 1, Command: set(logic.False())},
				{Name: "then", From: 1, To: 2, Command: is(got)},
				{Name: "else", From: 1, To: 3, Command: is(logic.Not(got))},
				{Name: "unlocked", From: 2, To: 3, Command: is(logic.True())},
			},
		},
		Actions:  []string{"lock", "busy", "", "", "unlock"},
		Alphabet: []string{"busy", "lock", "unlock"},
		Ends:     []int{3},
	}
	b := lks.NewBuilder("SPEC")
	free, taken, end := b.State(), b.State(), b.StateID(lks.End, nil)
	b.Transition(free, "lock", taken)
	b.Transition(taken, "unlock", end)
	b.Transition(free, "busy", end)
	spec, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, err := cegar.Simulates(context.Background(), []*program.Component{c}, spec, pool, cegar.Options{Without: passes.Default()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict == outcome.Holds, len(r.Rounds), "rounds")
	fmt.Println("at test:", r.Models[0].Mapping[1])
	// Output:
	// true 2 rounds
	// at test: [got]
}

// A component counts down before it answers: no number of rounds of its loop is too many, but
// a ranking function shows that there are not infinitely many.
func ExampleSatisfies() {
	word := logic.BitVec(32)
	n, zero := logic.Var("n", word), logic.Zero(word).Term()
	one := logic.BVNeg(logic.BVNot(zero))
	c := &program.Component{
		Name: "counter",
		System: &program.System{
			Vars:      []*logic.Term{n},
			Locations: []program.Location{{Name: "loop"}, {Name: "answer"}, {Name: "end"}},
			Init:      []program.Region{{Location: 0, Where: logic.True()}},
			Edges: []program.Edge{
				{Name: "down", From: 0, To: 0, Command: &program.Command{Guard: logic.BVSLt(zero, n), Update: map[*logic.Term]*logic.Term{n: logic.BVSub(n, one)}}},
				{Name: "done", From: 0, To: 1, Command: &program.Command{Guard: logic.BVSLe(n, zero)}},
				{Name: "answers", From: 1, To: 2, Command: &program.Command{Guard: logic.True()}},
			},
		},
		Actions:  []string{"", "", "answer"},
		Alphabet: []string{"answer"},
		Ends:     []int{2},
	}
	answers, err := ltl.ParseText("F answer", ltl.ParseOptions{Events: []string{"answer"}})
	if err != nil {
		log.Fatal(err)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, err := cegar.Satisfies(context.Background(), []*program.Component{c}, &cegar.Property{Formula: answers}, pool, cegar.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict == outcome.Holds, len(r.Rounds), "rounds:", r.Rankings[0][0], "decreases")
	// Output:
	// true 2 rounds: n decreases
}

// Two components take two locks, each another one first.
func ExampleDeadlockFree() {
	taker := func(name string, first, second string) *program.Component {
		c := &program.Component{Name: name, System: &program.System{Init: []program.Region{{Where: logic.True()}}}, Ends: []int{4}}
		for i, a := range []string{first + ".take", second + ".take", second + ".give", first + ".give"} {
			c.System.Locations = append(c.System.Locations, program.Location{Name: "before " + a})
			c.System.Edges = append(c.System.Edges, program.Edge{Name: a, From: i, To: i + 1, Command: &program.Command{Guard: logic.True()}})
			c.Actions = append(c.Actions, name+"."+a)
			c.Alphabet = append(c.Alphabet, name+"."+a)
		}
		c.System.Locations = append(c.System.Locations, program.Location{Name: "end"})
		slices.Sort(c.Alphabet)
		return c
	}
	lock := func(name string) *program.Component {
		c := &program.Component{Name: name, System: &program.System{Locations: make([]program.Location, 3), Init: []program.Region{{Where: logic.True()}}}}
		for i, by := range []string{"p", "q"} {
			c.System.Edges = append(c.System.Edges, program.Edge{From: 0, To: i + 1, Command: &program.Command{Guard: logic.True()}},
				program.Edge{From: i + 1, To: 0, Command: &program.Command{Guard: logic.True()}})
			c.Actions = append(c.Actions, by+"."+name+".take", by+"."+name+".give")
		}
		c.Alphabet = slices.Sorted(slices.Values(c.Actions))
		return c
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, err := cegar.DeadlockFree(context.Background(), []*program.Component{taker("p", "x", "y"), taker("q", "y", "x"), lock("x"), lock("y")}, pool, cegar.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict == outcome.Violated, r.Deadlock.Trace.Events())
	// Output:
	// true [p.x.take q.y.take]
}
