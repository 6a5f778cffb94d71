package omega

import (
	"errors"
	"slices"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// shortWords are all words over atoms with so many letters in stem and loop.
func shortWords(names []string, stem, loop int) []ltl.Word {
	var letters []ltl.Letter
	atoms := gen.Atoms(names...)
	for bits := range 1 << len(atoms) {
		var held []ltl.Atom
		for i, at := range atoms {
			if bits>>i&1 != 0 {
				held = append(held, at)
			}
		}
		letters = append(letters, ltl.LetterOf(held...))
	}
	lists := func(n int) [][]ltl.Letter {
		all := [][]ltl.Letter{nil}
		for range n {
			var longer [][]ltl.Letter
			for _, l := range all {
				for _, letter := range letters {
					longer = append(longer, append(slices.Clone(l), letter))
				}
			}
			all = longer
		}
		return all
	}
	var words []ltl.Word
	for s := range stem + 1 {
		for l := 1; l <= loop; l++ {
			for _, st := range lists(s) {
				for _, lo := range lists(l) {
					words = append(words, ltl.Word{Stem: st, Loop: lo})
				}
			}
		}
	}
	return words
}

// TestEmpty: an automaton is empty iff the definition knows no cycle; the word accepted is.
func TestEmpty(t *testing.T) {
	empty := 0
	for seed := range soak.Cases(uint64(3000)) {
		r := random(seed)
		o := gen.AutomatonOptions{}
		if seed%2 == 0 { // sets of which Fin and Inf terms speak
			o = gen.AutomatonOptions{Kind: "Emerson-Lei", Sets: 4, States: 4}
		}
		a := randomAutomaton(t, r, o)
		// The word over no atoms that a projected automaton reads.
		p := a.Project(a.Atoms()...)
		wellFormed(t, p)
		want := !accepts(p, ltl.Word{Loop: []ltl.Letter{ltl.LetterOf()}})
		if a.Empty() != want {
			t.Fatalf("seed %d: empty: %v\n%s", seed, !want, hoaText(t, a))
		}
		w, ok := a.AcceptedWord()
		if ok == want || ok && !accepts(a, w.LTL()) {
			t.Fatalf("seed %d: %v, %v\n%s", seed, w, ok, hoaText(t, a))
		}
		if want {
			empty++
		}
	}
	if empty < soak.Cases(300) {
		t.Errorf("%d empty automata", empty)
	}
}

// transforms keep the language; keeps says what else, and form what comes out.
var transforms = []struct {
	name string
	do   func(a *Automaton) (*Automaton, error)
	form func(a, b *Automaton) bool
}{
	{"trim", func(a *Automaton) (*Automaton, error) { return a.Trim(), nil }, func(a, b *Automaton) bool {
		return b.NumStates() <= a.NumStates() && (!a.StateBased() || b.StateBased())
	}},
	{"simplify", func(a *Automaton) (*Automaton, error) { return a.Simplify(), nil }, func(a, b *Automaton) bool { return b.sets <= a.sets }},
	{"complete", func(a *Automaton) (*Automaton, error) { return a.Completed(), nil }, func(a, b *Automaton) bool {
		return b.Complete() && (!a.Deterministic() || b.Deterministic()) && (!a.StateBased() || b.StateBased())
	}},
	{"quotient", func(a *Automaton) (*Automaton, error) { return a.Quotient(), nil }, func(a, b *Automaton) bool { return b.NumStates() <= a.NumStates() }},
	{"state-based", func(a *Automaton) (*Automaton, error) { return a.StateBasedForm(nil) }, func(a, b *Automaton) bool {
		return b.StateBased() && (!a.Deterministic() || b.Deterministic())
	}},
}

func TestTransforms(t *testing.T) {
	for seed := range soak.Long(uint64(750)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{})
		for _, f := range transforms {
			b, err := f.do(a)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, b)
			if !f.form(a, b) {
				t.Fatalf("seed %d: %s has another form:\n%s%s", seed, f.name, hoaText(t, a), hoaText(t, b))
			}
			sameWords(t, seed, r, 8, a, b)
		}
	}
}

// limited is a meter for what may grow.
func limited() *budget.Meter { return budget.New(nil, budget.Limits{States: 500}, nil) }

// isForm says of each form whether an automaton has it.
var isForm = map[Form]func(a *Automaton) bool{
	Generic:              func(*Automaton) bool { return true },
	BuchiForm:            func(a *Automaton) bool { return a.condition.AccName(a.sets) == "Buchi" },
	GeneralisedBuchiForm: func(a *Automaton) bool { return a.condition.String() == GeneralisedBuchi(a.sets).String() },
	CoBuchiForm:          func(a *Automaton) bool { return a.condition.AccName(a.sets) == "co-Buchi" },
	ParityForm: func(a *Automaton) bool {
		s := a.condition.canonical()
		return s == Parity(false, false, a.sets).canonical() || s == Parity(false, true, a.sets).canonical()
	},
	ParityMinEven: func(a *Automaton) bool { return a.condition.canonical() == Parity(false, false, a.sets).canonical() },
	ParityMinOdd:  func(a *Automaton) bool { return a.condition.canonical() == Parity(false, true, a.sets).canonical() },
	ParityMaxEven: func(a *Automaton) bool { return a.condition.canonical() == Parity(true, false, a.sets).canonical() },
	ParityMaxOdd:  func(a *Automaton) bool { return a.condition.canonical() == Parity(true, true, a.sets).canonical() },
	RabinForm:     func(a *Automaton) bool { return a.condition.String() == Rabin(a.sets/2).String() },
	StreettForm:   func(a *Automaton) bool { return a.condition.String() == Streett(a.sets/2).String() },
	GeneralisedRabinForm: func(a *Automaton) bool {
		return a.condition.op == OpFalse || a.condition.generalisedRabin(a.sets) != "" || a.condition.op == OpTrue
	},
}

// TestForms: each form of acceptance keeps the language.
func TestForms(t *testing.T) {
	persistent := 0
	for seed := range soak.Long(uint64(400)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 4})
		for f := range Form(len(Form(0).Names())) {
			b, err := a.Convert(f, limited())
			if f == CoBuchiForm && (errors.Is(err, ErrNotPersistence) || budget.Stopped(err)) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, f, err)
			}
			if f == CoBuchiForm {
				persistent++
			}
			wellFormed(t, b)
			if !isForm[f](b) {
				t.Fatalf("seed %d: not %v:\n%s", seed, f, hoaText(t, b))
			}
			if a.Deterministic() && !b.Deterministic() && f != BuchiForm && f != GeneralisedBuchiForm {
				t.Fatalf("seed %d: %v is not deterministic", seed, f)
			}
			sameWords(t, seed, r, 6, a, b)
		}
	}
	if persistent < soak.Long(125) {
		t.Errorf("%d co-Büchi automata", persistent)
	}
}

// TestDeterminise: by words, and the complement accepts exactly the others.
func TestDeterminise(t *testing.T) {
	all := shortWords([]string{"a"}, 2, 3)
	for seed := range soak.Long(uint64(400)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 4, Atoms: []string{"a"}})
		d, err := a.Determinise(limited())
		if budget.Stopped(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := a.Complement(limited())
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, d)
		wellFormed(t, n)
		if !d.Deterministic() {
			t.Fatalf("seed %d: not deterministic:\n%s", seed, hoaText(t, d))
		}
		for _, w := range all {
			if want := accepts(a, w); accepts(d, w) != want || accepts(n, w) == want {
				t.Fatalf("seed %d: %v, deterministic %v, complement %v\n%s%s", seed, want, accepts(d, w), accepts(n, w), hoaText(t, a), hoaText(t, d))
			}
		}
		sameWords(t, seed, r, 10, a, d)
	}
}

// TestBoolean: products, unions and sums accept what they should.
func TestBoolean(t *testing.T) {
	for seed := range soak.Long(uint64(750)) {
		r := random(seed)
		a, b := randomAutomaton(t, r, gen.AutomatonOptions{}), randomAutomaton(t, r, gen.AutomatonOptions{})
		p, err := Product(a, b)
		if err != nil {
			t.Fatal(err)
		}
		u, err := Union(a, b)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Sum(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*Automaton{p, u, s} {
			wellFormed(t, c)
		}
		words(r, 10, func(w ltl.Word) {
			x, y := accepts(a, w), accepts(b, w)
			if accepts(p, w) != (x && y) || accepts(u, w) != (x || y) || accepts(s, w) != (x || y) {
				t.Fatalf("seed %d: %v, %v: product %v, union %v, sum %v\n%s%s", seed, x, y, accepts(p, w), accepts(u, w), accepts(s, w), hoaText(t, a), hoaText(t, b))
			}
		})
	}
}

// TestProject: a word is accepted iff some choice of the other atom is.
func TestProject(t *testing.T) {
	for seed := range soak.Long(uint64(400)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{Atoms: []string{"a", "b"}, States: 4})
		p := a.Project(gen.Atoms("b")...)
		wellFormed(t, p)
		words(r, 6, func(w ltl.Word) {
			// By definition: an edge may read either value.
			free := func(letter ltl.Letter, b bool) ltl.Letter {
				return func(at ltl.Atom) bool { return at.Name == "b" && b || at.Name != "b" && letter(at) }
			}
			got, want := accepts(p, w), false
			for bits := range 1 << w.Len() {
				v := ltl.Word{}
				for i := range w.Len() {
					l := free(w.At(i), bits>>i&1 != 0)
					if i < len(w.Stem) {
						v.Stem = append(v.Stem, l)
					} else {
						v.Loop = append(v.Loop, l)
					}
				}
				want = want || accepts(a, v)
			}
			if want && !got {
				t.Fatalf("seed %d: a choice is accepted, the projection refuses", seed)
			}
			if !want && got && accepts(p, w) && !a.Accepts(onlyA(t, w)) {
				t.Fatalf("seed %d: the projection accepts what no choice makes accepted", seed)
			}
		})
	}
}

// onlyA is a word that leaves b open.
func onlyA(t *testing.T, w ltl.Word) Word {
	t.Helper()
	word := wordOf(t, w)
	a := word.automaton().Project(gen.Atoms("b")...)
	open := Word{atoms: a.atoms, man: a.man}
	for i, es := range a.out {
		if i < len(w.Stem) {
			open.stem = append(open.stem, es[0].Label)
		} else {
			open.loop = append(open.loop, es[0].Label)
		}
	}
	return open
}

// TestIncluded compares with the complement: a is included in b iff its product with the
// complement of b is empty; and words by definition.
func TestIncluded(t *testing.T) {
	included, not := 0, 0
	for seed := range soak.Cases(uint64(450)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 3, Sets: 2})
		b := randomAutomaton(t, r, gen.AutomatonOptions{States: 4, Sets: 2})
		if r.IntN(3) == 0 {
			u, err := Sum(a, b)
			if err != nil {
				t.Fatal(err)
			}
			b = u
		}
		n, err := b.Complement(limited())
		if budget.Stopped(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := Product(a, n)
		if err != nil {
			t.Fatal(err)
		}
		ok, w, err := Included(a, b, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		// The complement is over the atoms of b, and so blind for others.
		if ok != p.Empty() {
			t.Fatalf("seed %d: included: %v, word %v\n%s%s", seed, ok, w, hoaText(t, a), hoaText(t, b))
		}
		if ok {
			included++
			continue
		}
		if not++; !accepts(a, w.LTL()) || accepts(b, w.LTL()) {
			t.Fatalf("seed %d: %v does not tell them apart", seed, w)
		}
	}
	if included < soak.Cases(75) || not < soak.Cases(75) {
		t.Errorf("%d included, %d not", included, not)
	}
}

// TestClassify compares with what package buchi says of formulas.
func TestClassify(t *testing.T) {
	for seed := range soak.Cases(uint64(240)) {
		r := random(seed)
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(8), Atoms: gen.Atoms("a", "b")})
		want, err := buchi.Classify(f, buchi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := buchi.Translate(f, buchi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := FromBuchi(b)
		if r.IntN(2) == 0 {
			if a, err = a.Convert(RabinForm, nil); err != nil {
				t.Fatal(err)
			}
		}
		got, err := a.Classify(nil)
		if err != nil || got != want {
			t.Fatalf("seed %d: %v: %+v, want %+v, %v", seed, f, got, want, err)
		}
	}
}

// TestClosure: a word is in the closure iff each prefix begins an accepted word, and the two
// parts of a property together are it; the other part is a liveness property.
func TestClosure(t *testing.T) {
	for seed := range soak.Cases(uint64(300)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 4, Sets: 2})
		safe := a.Closure()
		live, err := a.Liveness(limited())
		if budget.Stopped(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, safe)
		wellFormed(t, live)
		words(r, 8, func(w ltl.Word) {
			// Of a lasso, as many prefixes as there are sets of states settle it.
			want := true
			for n := 1; n <= len(w.Stem)+len(w.Loop)*(1<<a.NumStates()) && want; n++ {
				want = begins(a, w, n)
			}
			if accepts(safe, w) != want {
				t.Fatalf("seed %d: in the closure: %v\n%s", seed, !want, hoaText(t, a))
			}
			if accepts(a, w) != (accepts(safe, w) && accepts(live, w)) {
				t.Fatalf("seed %d: closure %v, liveness %v\n%s", seed, accepts(safe, w), accepts(live, w), hoaText(t, a))
			}
		})
		if all, w, err := live.Closure().Universal(nil); err != nil || !all {
			t.Fatalf("seed %d: no liveness property: %v %v", seed, w, err)
		}
	}
}

// begins reports whether some accepted word begins with n letters of w.
func begins(a *Automaton, w ltl.Word, n int) bool {
	at, i := map[int32]bool{a.initial: true}, 0
	for range n {
		next := map[int32]bool{}
		letter := w.At(i)
		for s := range at {
			for _, e := range a.out[s] {
				if a.Sat(e.Label, func(v int) bool { return letter(a.atoms[v]) }) {
					next[e.To] = true
				}
			}
		}
		at, i = next, w.Next(i)
	}
	for s := range at {
		b := *a
		b.initial = s
		if !b.Empty() {
			return true
		}
	}
	return false
}

// TestRanks: the complement by ranks accepts exactly what is not accepted.
func TestRanks(t *testing.T) {
	all, small := shortWords([]string{"a"}, 1, 3), 0
	for seed := range soak.Long(uint64(300)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{Kind: "Buchi", States: 4, Atoms: []string{"a"}})
		b, err := a.toBuchi(buchi.StateBuchi, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := b.rankComplement(300, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n == nil {
			continue
		}
		wellFormed(t, n)
		small++
		for _, w := range all {
			if accepts(n, w) == accepts(a, w) {
				t.Fatalf("seed %d: both or neither accept\n%s", seed, hoaText(t, a))
			}
		}
	}
	if small < soak.Long(150) {
		t.Errorf("%d complements", small)
	}
}

// TestShortest: no word with fewer letters tells the automata apart, and the one found does.
func TestShortest(t *testing.T) {
	shorter := 0
	for seed := range soak.Long(uint64(400)) {
		r := random(seed)
		o := gen.AutomatonOptions{States: 4, Sets: 2, Atoms: []string{"a"}}
		a, b := randomAutomaton(t, r, o), randomAutomaton(t, r, o)
		ok, known, err := Included(a, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			continue
		}
		w, err := ShortestOutside(a, b, known, nil)
		if err != nil {
			t.Fatal(err)
		}
		if w.Len() < known.Len() {
			shorter++
		}
		if w.Len() > known.Len() || !accepts(a, w.LTL()) || accepts(b, w.LTL()) {
			t.Fatalf("seed %d: %v, before %v", seed, w, known)
		}
		for _, v := range shortWords([]string{"a"}, 3, 4) {
			if v.Len() < min(w.Len(), 5) && accepts(a, v) && !accepts(b, v) {
				t.Fatalf("seed %d: %v is not shortest, %d letters are enough", seed, w, v.Len())
			}
		}
	}
	if shorter == 0 {
		t.Error("no word became shorter")
	}
}

// TestSafra: both variants of determinisation.
func TestSafra(t *testing.T) {
	all, smaller := shortWords([]string{"a"}, 1, 4), [2]int{}
	for seed := range soak.Long(uint64(250)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{Kind: "Buchi", States: 5, Atoms: []string{"a"}})
		b, err := a.toBuchi(buchi.Buchi, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sizes [2]int
		for i, enter := range []bool{false, true} {
			d, err := b.safra(enter, 0, limited())
			if budget.Stopped(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			sizes[i] = d.NumStates()
			for _, w := range all {
				if accepts(d, w) != accepts(a, w) {
					t.Fatalf("seed %d: variant %v differs:\n%s%s", seed, enter, hoaText(t, a), hoaText(t, d))
				}
			}
		}
		if sizes[0] < sizes[1] {
			smaller[0]++
		} else if sizes[1] < sizes[0] {
			smaller[1]++
		}
	}
	t.Logf("smaller: %v", smaller)
}
