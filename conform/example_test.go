package conform_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/lks"
)

// machine builds an LKS from triples.
func machine(name string, transitions ...[3]string) *lks.Network {
	b := lks.NewBuilder(name)
	states := map[string]int32{}
	var names []string
	state := func(s string) int32 {
		if _, ok := states[s]; !ok {
			states[s] = b.State()
			names = append(names, s)
		}
		return states[s]
	}
	for _, t := range transitions {
		from := state(t[0])
		b.Transition(from, t[1], state(t[2]))
	}
	b.Describe(func(s int32) string { return names[s] })
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return lks.Single(m)
}

// A vending machine that decides by itself what one gets for a coin does not
// simulate one that lets its customers choose.
func ExampleCheck() {
	choice := machine("CHOICE", [3]string{"idle", "coin", "paid"}, [3]string{"paid", "coffee", "idle"}, [3]string{"paid", "tea", "idle"})
	chance := machine("CHANCE", [3]string{"idle", "coin", "hot"}, [3]string{"idle", "coin", "cold"}, [3]string{"hot", "coffee", "idle"}, [3]string{"cold", "tea", "idle"})

	r, err := conform.Check(context.Background(), choice, chance, conform.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("conforms:", r.Holds())
	fmt.Print(r.Format(r.Trees[0], 20))

	r, err = conform.Check(context.Background(), choice, chance, conform.Options{Preorder: conform.Trace})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("conforms by traces:", r.Holds())
	// Output:
	// conforms: false
	// start in idle
	//   in idle: coin to paid
	//     in hot: tea to idle: no answer
	//     in cold: coffee to idle: no answer
	// conforms by traces: true
}

// The specification refuses coffee only after it offered tea.
func ExampleCheck_failures() {
	chance := machine("CHANCE", [3]string{"idle", "coin", "hot"}, [3]string{"idle", "coin", "cold"}, [3]string{"hot", "coffee", "idle"}, [3]string{"cold", "tea", "idle"})
	choice := machine("CHOICE", [3]string{"idle", "coin", "paid"}, [3]string{"paid", "coffee", "idle"}, [3]string{"paid", "tea", "idle"})
	r, err := conform.Check(context.Background(), chance, choice, conform.Options{Preorder: conform.Failures})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("conforms:", r.Holds())
	for i, step := range r.Trace.Run.Stem {
		fmt.Println(step.Event, "to", chance.Components()[0].StateName(r.Trace.Run.At(i + 1).Local[0]))
	}
	for _, s := range r.Trace.SpecStates {
		fmt.Print(r.SpecName(s), " must offer")
		for _, a := range r.SpecOffers(s) {
			fmt.Print(" ", r.Alphabet[a])
		}
		fmt.Println()
	}
	// Output:
	// conforms: false
	// coin to hot
	// paid must offer coffee tea
}

func ExampleCheck_mismatch() {
	a := machine("A", [3]string{"0", "ring", "0"})
	b := machine("B", [3]string{"0", "ring", "0"}, [3]string{"0", "answer", "0"})
	_, err := conform.Check(context.Background(), b, a, conform.Options{})
	var mismatch *conform.Mismatch
	fmt.Println(errors.As(err, &mismatch), mismatch.ActionsImpl)
	r, err := conform.Check(context.Background(), b, a, conform.Options{Preorder: conform.Weak, Restrict: true})
	fmt.Println(r.Holds(), r.IgnoredActions, err)
	// Output:
	// true [answer]
	// true [answer] <nil>
}
