package buchi_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// The questions about languages are answered as by the automaton of one formula that says the
// same, and as by random words.
func TestLanguage(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	answers := map[string]int{}
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 20))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(8), Atoms: atoms})
		g := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(6), Atoms: atoms})
		if r.IntN(4) == 0 {
			g = ltl.MakeOr(f, g)
		}
		word, implies, err := buchi.Implies(f, g, buchi.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		difference, err := buchi.Translate(ltl.MakeAnd(f, ltl.MakeNot(g)), buchi.Options{Acceptance: buchi.StateBuchi, Level: buchi.Low})
		if err != nil || difference.Empty() != implies {
			t.Fatalf("seed %d: %s implies %s: %v, %v", seed, f, g, implies, err)
		}
		if !implies && (!ltl.Eval(f, word) || ltl.Eval(g, word)) {
			t.Fatalf("seed %d: %s does not imply %s, but the word is wrong", seed, f, g)
		}
		_, satisfiable, err1 := buchi.Satisfiable(f, buchi.Options{})
		_, valid, err2 := buchi.Valid(f, buchi.Options{})
		_, equivalent, err3 := buchi.Equivalent(f, g, buchi.Options{})
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("seed %d: %v %v %v", seed, err1, err2, err3)
		}
		for range 40 {
			w := gen.Word(r, atoms, 3, 3)
			x, y := ltl.Eval(f, w), ltl.Eval(g, w)
			if x && !satisfiable || !x && valid || x && !y && implies || x != y && equivalent {
				t.Fatalf("seed %d: %s, %s: satisfiable %v, valid %v, implies %v, equivalent %v, but %s", seed, f, g, satisfiable, valid, implies, equivalent, w.Text(atoms))
			}
		}
		for name, yes := range map[string]bool{"implies": implies, "satisfiable": satisfiable, "valid": valid, "equivalent": equivalent} {
			if yes {
				answers[name]++
			}
		}
	}
	if len(answers) < 4 {
		t.Errorf("answers yes: %v", answers)
	}
}

// Belongs agrees with Classify.
func TestBelongs(t *testing.T) {
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 22))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(8), Atoms: gen.Atoms("a", "b")})
		c, err := buchi.Classify(f, buchi.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for class, want := range map[ltl.Class]bool{
			ltl.Safety: c.Safety, ltl.Guarantee: c.Guarantee, ltl.Obligation: c.Obligation, ltl.Recurrence: c.Recurrence,
			ltl.Persistence: c.Persistence, ltl.StutterInvariant: c.StutterInvariant,
		} {
			if got, err := buchi.Belongs(f, class, buchi.Options{}); err != nil || got != want {
				t.Fatalf("seed %d: %s in %s: %v, %v; Classify says %v", seed, f, class, got, err, want)
			}
		}
	}
	if _, err := buchi.Belongs(ltl.MustParse("G F a & F G b"), ltl.Safety|ltl.Guarantee, buchi.Options{}); err == nil {
		t.Error("two classes at once")
	}
}

func ExampleImplies() {
	f, g := ltl.MustParse("G F a -> G F b"), ltl.MustParse("G(a -> F b)")
	word, yes, err := buchi.Implies(f, g, buchi.Options{})
	fmt.Println(yes, err)
	fmt.Println(ltl.Eval(f, word), ltl.Eval(g, word))
	// Output:
	// false <nil>
	// true false
}
