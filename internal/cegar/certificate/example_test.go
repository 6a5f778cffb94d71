package certificate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A component takes and gives a lock for ever. That it does not get stuck is proved by hand;
// the same proof says nothing about one that stops.
func ExampleCheck() {
	held := logic.Var("held", logic.Bool)
	c := &program.Component{
		Name: "worker",
		System: &program.System{
			Vars:      []*logic.Term{held},
			Locations: []program.Location{{Name: "idle"}, {Name: "busy"}},
			Init:      []program.Region{{Location: 0, Where: logic.Not(held)}},
			Edges: []program.Edge{
				{Name: "takes", From: 0, To: 1, Command: &program.Command{Guard: logic.Not(held), Update: map[*logic.Term]*logic.Term{held: logic.True()}}},
				{Name: "gives", From: 1, To: 0, Command: &program.Command{Guard: held, Update: map[*logic.Term]*logic.Term{held: logic.False()}}},
			},
		},
		Actions:  []string{"lock", "unlock"},
		Alphabet: []string{"lock", "unlock"},
	}
	const proof = `{
		"format": "seltl-components-certificate-1", "question": "deadlock",
		"components": [{
			"name": "worker",
			"locations": [{"name": "idle", "predicates": ["held"]}, {"name": "busy", "predicates": ["held"]}],
			"states": [
				{"at": "idle", "holds": "0", "initial": true, "steps": {"lock": [1]}},
				{"at": "busy", "holds": "1", "steps": {"unlock": [0]}}
			]
		}]
	}`
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer z3.Close()
	ctx := context.Background()
	task := &certificate.Task{Question: certificate.Deadlock, Components: []*program.Component{c}}
	check := func() error {
		cert, err := certificate.Read(strings.NewReader(proof), task.Components)
		if err != nil {
			return err
		}
		return certificate.Check(ctx, task, cert, z3, budget.New(ctx, budget.Limits{}, nil))
	}
	fmt.Println(check())
	c.System.Edges[1].Command.Update = nil // it keeps the lock
	fmt.Println(check())
	// Output:
	// <nil>
	// worker: it is not proved that the steps of the state are all that there are: state 1 at busy [held] by gives with unlock to idle, <certificate>:8:5, with held=true
}
