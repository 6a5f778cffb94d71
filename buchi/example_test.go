package buchi_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/ltl"
)

func ExampleTranslate() {
	a, err := buchi.Translate(ltl.MustParse("G(a -> F b)"), buchi.Options{Acceptance: buchi.StateBuchi})
	if err != nil {
		fmt.Println(err)
		return
	}
	a.WriteHOA(os.Stdout)
	// Output:
	// HOA: v1
	// name: "G(a -> F b)"
	// States: 2
	// Start: 0
	// AP: 2 "a" "b"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels state-acc complete deterministic
	// --BODY--
	// State: 0 {0}
	// [!0 | 1] 0
	// [0&!1] 1
	// State: 1
	// [1] 0
	// [!1] 1
	// --END--
}

// What is known of the atoms makes automata smaller: of two events at most one
// occurs at each step.
func ExampleTranslate_constraints() {
	f := ltl.MustParse("F(a & b) | G(a -> X b)")
	known := buchi.Constraint{Kind: buchi.AtMostOne, Atoms: ltl.Atoms(f)}
	for _, constraints := range [][]buchi.Constraint{nil, {known}} {
		a, err := buchi.Translate(f, buchi.Options{Constraints: constraints})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(a.NumStates())
	}
	// Output:
	// 4
	// 2
}

func ExampleAutomaton_Edges() {
	a, err := buchi.Translate(ltl.MustParse("a U b"), buchi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range int32(a.NumStates()) {
		for _, e := range a.Edges(s) {
			fmt.Printf("%d -> %d reads %v\n", s, e.To, a.LabelFormula(e.Label))
		}
	}
	// Output:
	// 0 -> 0 reads a & !b
	// 0 -> 1 reads b
	// 1 -> 1 reads true
}

func ExampleClassify() {
	for _, text := range []string{"G(a -> X b)", "a U b", "G(a -> F b)", "F G a & G F b"} {
		class, err := buchi.Classify(ltl.MustParse(text), buchi.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v\n", text, class)
	}
	// Output:
	// G(a -> X b): safety
	// a U b: guarantee, stutter-invariant
	// G(a -> F b): recurrence, stutter-invariant
	// F G a & G F b: reactivity, stutter-invariant
}

// The intersection of two automata, and a word that both accept.
func ExampleIntersect() {
	automaton := func(text string) *buchi.Automaton {
		a, err := buchi.Translate(ltl.MustParse(text), buchi.Options{})
		if err != nil {
			panic(err)
		}
		return a
	}
	p, err := buchi.Intersect(automaton("G F a"), automaton("G(a -> X !a)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	word, found := p.AcceptedWord()
	fmt.Println(found, len(word.Loop) >= 2)
	// Output: true true
}

func ExampleMinimiseSAT() {
	a, err := buchi.Translate(ltl.MustParse("G(G b | F c)"), buchi.Options{Acceptance: buchi.StateBuchi})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := buchi.MinimiseSAT(a, buchi.SATOptions{})
	fmt.Println(a.NumStates(), b.NumStates(), b.Stats().Deterministic, err)
	// A language without deterministic automata: the automaton stays as it is.
	a, err = buchi.Translate(ltl.MustParse("F G a"), buchi.Options{Acceptance: buchi.StateBuchi})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err = buchi.MinimiseSAT(a, buchi.SATOptions{})
	fmt.Println(a == b, err)
	// Output:
	// 3 2 true <nil>
	// true no deterministic Büchi automaton accepts this language
}

// A Cube is one way for a label to be satisfied; the name goes into HOA files.
func ExampleAutomaton_Cubes() {
	a, err := buchi.Translate(ltl.MustParse("G((a & !b) | c)"), buchi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a.SetName("guarded")
	fmt.Println(a.Name(), "over", a.Atoms())
	for _, c := range a.Cubes(a.Edges(a.Initial())[0].Label) {
		fmt.Println(c.Pos, c.Neg)
	}
	// Output:
	// guarded over [a b c]
	// [0] [1]
	// [2] []
}

// A deterministic automaton of a safety property watches a system: where it has no edge for
// what is true, the property is violated.
func ExampleAutomaton_Sat() {
	a, err := buchi.Translate(ltl.MustParse("G(press -> X lit)"), buchi.Options{Prefer: buchi.Deterministic})
	if err != nil {
		fmt.Println(err)
		return
	}
	state := a.Initial()
watching:
	for step, letter := range []string{"", "press", "lit press", "press"} {
		holds := func(atom int) bool { return strings.Contains(letter, a.Atoms()[atom].Name) }
		for _, e := range a.Edges(state) {
			if a.Sat(e.Label, holds) {
				state = e.To
				continue watching
			}
		}
		fmt.Println("violated at step", step)
		return
	}
	fmt.Println("no violation yet")
	// Output: violated at step 3
}

// A translation that reaches a limit of its Meter ends with an error that says which.
func Example_limits() {
	meter := budget.New(context.Background(), budget.Limits{States: 3}, nil)
	_, err := buchi.Translate(ltl.MustParse("F(a & X X X X b)"), buchi.Options{Meter: meter})
	var limit *budget.Exhausted
	fmt.Println(errors.As(err, &limit), err)
	// Output:
	// true states limit reached (3)
}
