package equivalence_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/lks"
)

// Two vending machines: one lets its customers choose, one decides for them when it
// takes the coin. They do the same things in the same order, but are not the same.
func ExampleCheck() {
	choice := lks.NewBuilder("CHOICE")
	idle, paid := choice.State(), choice.State()
	choice.Transition(idle, "coin", paid)
	choice.Transition(paid, "coffee", idle)
	choice.Transition(paid, "tea", idle)
	a, err := choice.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	chance := lks.NewBuilder("CHANCE")
	idle, hot, cold := chance.State(), chance.State(), chance.State()
	chance.Transition(idle, "coin", hot)
	chance.Transition(idle, "coin", cold)
	chance.Transition(hot, "coffee", idle)
	chance.Transition(cold, "tea", idle)
	b, err := chance.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, relation := range []equivalence.Relation{equivalence.Trace, equivalence.Strong} {
		r, err := equivalence.Check(context.Background(), lks.Single(a), lks.Single(b), equivalence.Options{Relation: relation})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(relation, r.Equivalent())
		if r.Formula != nil {
			fmt.Println("only the first:", r.FirstHas, r.Formula)
		}
	}
	// Output:
	// trace true
	// strong false
	// only the first: true <coin>(<tea>true & <coffee>true)
}
