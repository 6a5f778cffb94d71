package omega

import (
	"errors"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/soak"
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
		a := randomAutomaton(t, r, gen.AutomatonOptions{})
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
		return b.Complete() && a.Deterministic() == b.Deterministic() && (!a.StateBased() || b.StateBased())
	}},
	{"quotient", func(a *Automaton) (*Automaton, error) { return a.Quotient(), nil }, func(a, b *Automaton) bool { return b.NumStates() <= a.NumStates() }},
	{"state-based", func(a *Automaton) (*Automaton, error) { return a.StateBasedForm(nil) }, func(a, b *Automaton) bool {
		return b.StateBased() && (!a.Deterministic() || b.Deterministic())
	}},
}

func TestTransforms(t *testing.T) {
	for seed := range soak.Cases(uint64(900)) {
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
	for seed := range soak.Cases(uint64(900)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 4})
		for f := range Form(len(Form(0).Names())) {
			b, err := a.Convert(f, nil)
			if f == CoBuchiForm && errors.Is(err, ErrNotPersistence) {
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
	if persistent < soak.Cases(300) {
		t.Errorf("%d co-Büchi automata", persistent)
	}
}

// TestDeterminise: by words, and the complement accepts exactly the others.
func TestDeterminise(t *testing.T) {
	all := shortWords([]string{"a"}, 2, 3)
	for seed := range soak.Cases(uint64(500)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 4, Atoms: []string{"a"}})
		d, err := a.Determinise(nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := a.Complement(nil)
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
	for seed := range soak.Cases(uint64(900)) {
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
	for seed := range soak.Cases(uint64(300)) {
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
