package buchi

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestSmallWorld checks every formula up to a size over two atoms against every
// lasso word up to a length: membership is the lasso semantics, and the negation
// takes the rest.
func TestSmallWorld(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	words := allWords(atoms, 2, 2)
	size := 5
	if testing.Short() {
		size = 4
	}
	n := 0
	for _, f := range allFormulas(atoms, size) {
		for i, o := range variants {
			if f.Size() >= size-1 && n%len(variants) != i || f.Size() == size && n%5 > 0 && !soak.On() {
				continue // the largest ones with one option set each, a fifth of them
			}
			a := mustTranslate(t, f, o)
			for _, w := range words {
				if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
					t.Fatalf("%v, %+v: accepts %v, formula %v", f, o, got, want)
				}
			}
		}
		n++
	}
	t.Logf("%d formulas, %d words", n, len(words))
}

// allFormulas lists the formulas of at most the given size, each once.
func allFormulas(atoms []ltl.Atom, size int) []*ltl.Formula {
	bySize := make([][]*ltl.Formula, size+1)
	seen := map[*ltl.Formula]bool{}
	var all []*ltl.Formula
	add := func(n int, f *ltl.Formula) {
		if !seen[f] {
			seen[f] = true
			bySize[n] = append(bySize[n], f)
			all = append(all, f)
		}
	}
	add(1, ltl.T())
	add(1, ltl.Ff())
	for _, a := range atoms {
		add(1, ltl.AtomOf(a))
	}
	for n := 2; n <= size; n++ {
		for _, f := range bySize[n-1] {
			for _, op := range []ltl.Op{ltl.Not, ltl.Next, ltl.Eventually, ltl.Always} {
				add(n, ltl.Make(op, f))
			}
		}
		for l := 1; l < n-1; l++ {
			for _, f := range bySize[l] {
				for _, g := range bySize[n-1-l] {
					for _, op := range []ltl.Op{ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease} {
						add(n, ltl.Make(op, f, g))
					}
				}
			}
		}
	}
	return all
}

// allWords lists the lasso words with at most so many letters in stem and loop.
func allWords(atoms []ltl.Atom, stem, loop int) []ltl.Word {
	var letters []ltl.Letter
	for bits := range 1 << len(atoms) {
		var held []ltl.Atom
		for i, a := range atoms {
			if bits>>i&1 != 0 {
				held = append(held, a)
			}
		}
		letters = append(letters, ltl.LetterOf(held...))
	}
	sequences := [][]ltl.Letter{nil}
	byLength := [][][]ltl.Letter{{nil}}
	for n := 1; n <= max(stem, loop); n++ {
		var longer [][]ltl.Letter
		for _, s := range byLength[n-1] {
			for _, l := range letters {
				longer = append(longer, append(append([]ltl.Letter{}, s...), l))
			}
		}
		byLength = append(byLength, longer)
		sequences = append(sequences, longer...)
	}
	var words []ltl.Word
	for _, s := range sequences {
		if len(s) > stem {
			continue
		}
		for _, l := range sequences {
			if len(l) > 0 && len(l) <= loop {
				words = append(words, ltl.Word{Stem: s, Loop: l})
			}
		}
	}
	return words
}
