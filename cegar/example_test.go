package cegar_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
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
	fmt.Println(r.Verdict == cegar.Holds, len(r.Rounds), "rounds")
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
	fmt.Println(r.Verdict == cegar.Holds, len(r.Rounds), "rounds", r.Rankings)
	// Output:
	// true 2 rounds [[n]]
}
