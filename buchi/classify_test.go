package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func TestClassifyTable(t *testing.T) {
	for formula, want := range map[string]string{
		"G a": "safety, stutter-invariant", "F a": "guarantee, stutter-invariant",
		"a": "safety and guarantee, stutter-invariant", "X a": "safety and guarantee",
		"true":       "safety and guarantee, stutter-invariant",
		"F(a & X a)": "guarantee", "F a & G b": "obligation, stutter-invariant",
		"a U b": "guarantee, stutter-invariant", "a W b": "safety, stutter-invariant",
		"G F a": "recurrence, stutter-invariant", "F G a": "persistence, stutter-invariant",
		"G(a -> F b)":        "recurrence, stutter-invariant",
		"G F a & F G b":      "reactivity, stutter-invariant",
		"G F a -> G F b":     "reactivity, stutter-invariant",
		"G F a -> G F a":     "safety and guarantee, stutter-invariant",
		"F G a | G F !a":     "safety and guarantee, stutter-invariant",
		"G F(a & X !a)":      "recurrence, stutter-invariant",
		"G F(a & X a)":       "recurrence",
		"X G F a":            "recurrence, stutter-invariant",
		"F(a & X(!a & b))":   "guarantee, stutter-invariant",
		"F(a & X(a & b))":    "guarantee",
		"F(a & X F(!a))":     "guarantee, stutter-invariant",
		"G(a | X b) & F c":   "obligation",
		"F(a & G F b)":       "recurrence, stutter-invariant",
		"(F a -> G b) & F c": "obligation, stutter-invariant",
	} {
		c, err := Classify(ltl.MustParse(formula), Options{})
		if err != nil || c.String() != want {
			t.Errorf("%s: %v, %v; want %s", formula, c, err, want)
		}
	}
}

// TestClassifyConstraints: what is known of the letters can change the class.
func TestClassifyConstraints(t *testing.T) {
	f := ltl.MustParse("G F(a & b) | G c")
	c, err := Classify(f, Options{Constraints: []Constraint{{AtMostOne, gen.Atoms("a", "b", "x")}}})
	if err != nil || !c.Safety {
		t.Errorf("%v, %v", c, err)
	}
}

// TestClassifyRandom compares with the syntactic classes and with duality.
func TestClassifyRandom(t *testing.T) {
	for seed := range soak.Long(uint64(200)) {
		r := rand.New(rand.NewPCG(seed, 31))
		atoms := gen.Atoms("a", "b")
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(9), Atoms: atoms})
		c, err := Classify(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, err := Classify(ltl.MakeNot(f), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if dual := (Class{c.Guarantee, c.Safety, c.Obligation, c.Persistence, c.Recurrence, c.StutterInvariant, c.StutterKnown}); n != dual {
			t.Fatalf("seed %d, %v: %v, but its negation %v", seed, f, c, n)
		}
		for _, check := range []struct {
			syntactic ltl.Class
			semantic  bool
		}{
			{ltl.Safety, c.Safety}, {ltl.Guarantee, c.Guarantee}, {ltl.Obligation, c.Obligation},
			{ltl.Recurrence, c.Recurrence}, {ltl.Persistence, c.Persistence},
			{ltl.StutterInvariant, c.StutterInvariant},
		} {
			if f.Is(check.syntactic) && !check.semantic {
				t.Fatalf("seed %d, %v: is %v, classified as %v", seed, f, check.syntactic, c)
			}
		}
		if c.Obligation != (c.Recurrence && c.Persistence) {
			t.Fatalf("seed %d, %v: obligations are the recurrences that are persistences: %+v", seed, f, c)
		}
		if !c.StutterKnown {
			t.Fatalf("seed %d, %v: not decided", seed, f)
		}
		checkStuttering(t, seed, r, f, c.StutterInvariant, atoms)
	}
}

// checkStuttering repeats letters at random.
func checkStuttering(t *testing.T, seed uint64, r *rand.Rand, f *ltl.Formula, invariant bool, atoms []ltl.Atom) {
	t.Helper()
	stretch := func(ls []ltl.Letter) (out []ltl.Letter) {
		for _, l := range ls {
			for range 1 + r.IntN(3) {
				out = append(out, l)
			}
		}
		return out
	}
	for range 200 {
		w := gen.Word(r, atoms, 3, 3)
		v := ltl.Word{Stem: stretch(w.Stem), Loop: stretch(w.Loop)}
		if ltl.Eval(f, w) != ltl.Eval(f, v) {
			if invariant {
				t.Fatalf("seed %d, %v: called stutter-invariant", seed, f)
			}
			return
		}
	}
	if !invariant {
		t.Logf("seed %d, %v: no witness of stuttering among 200 words", seed, f)
	}
}

// parityAccepts runs a parity automaton on a lasso word.
func parityAccepts(d *parityAutomaton, w ltl.Word) bool {
	type point struct {
		state int32
		pos   int
	}
	seen := map[point]int{}
	var priorities []int
	at := point{}
	for {
		if from, ok := seen[at]; ok {
			least := priorities[from]
			for _, p := range priorities[from:] {
				least = min(least, p)
			}
			return least%2 == 0
		}
		seen[at] = len(priorities)
		letter := w.At(at.pos)
		moved := false
		for _, e := range d.out[at.state] {
			if d.src.Sat(e.Letters, func(i int) bool { return letter(d.src.atoms[i]) }) {
				priorities = append(priorities, e.Priority)
				at = point{e.To, w.Next(at.pos)}
				moved = true
				break
			}
		}
		if !moved {
			return false
		}
	}
}

func TestDeterminize(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	buchi := 0
	for seed := range soak.Long(uint64(750)) {
		r := rand.New(rand.NewPCG(seed, 32))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(12), Atoms: atoms})
		a := oneSet(mustTranslate(t, f, Options{Level: Level(seed % 2)}))
		d := determinize(a, 5000)
		if d == nil {
			continue
		}
		var b *Automaton
		if !d.out.Mixed(1) {
			b = d.buchi()
			buchi++
			if err := b.check(); err != nil || !b.Deterministic() {
				t.Fatalf("seed %d, %v: %v", seed, f, err)
			}
		}
		for range 15 {
			w := gen.Word(r, atoms, 3, 4)
			want := ltl.Eval(f, w)
			if parityAccepts(d, w) != want {
				t.Fatalf("seed %d, %v: parity automaton is wrong", seed, f)
			}
			if b != nil && b.Accepts(w) != want {
				t.Fatalf("seed %d, %v: deterministic Büchi automaton is wrong", seed, f)
			}
		}
	}
	if buchi < soak.Long(250) {
		t.Errorf("only %d formulas were recurrences", buchi)
	}
}

// TestClassifyObligations compares the classes that the minimal weak automaton shows with
// those that closures of automata of formula and negation show.
func TestClassifyObligations(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 74))
		f := ltl.Simplify(gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(10), Atoms: atoms}), ltl.SimplifyOptions{})
		if !f.Is(ltl.Obligation) {
			continue
		}
		a, n := mustTranslate(t, f, Options{}), mustTranslate(t, ltl.MakeNot(f), Options{})
		got, err := minimalWeak(a, maxDeterministic).classify(f, a)
		if err != nil {
			t.Fatal(err)
		}
		safety, err1 := disjoint(closure(a), n)
		guarantee, err2 := disjoint(a, closure(n))
		stutter, known, err3 := stutterInvariant(f, a, n)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		if want := (Class{safety, guarantee, true, true, true, stutter, known}); got != want {
			t.Fatalf("seed %d, %v: %v, want %v", seed, f, got, want)
		}
	}
}
