package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// The picture of a finite automaton accepts the words that the formula of LTLf is true of.
func TestFiniteDiagram(t *testing.T) {
	alive := ltl.Atom{Kind: ltl.Name, Name: "alive"}
	e := ltl.EndingAlive(ltl.AtomOf(alive))
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 311))
		g, err := e.Formula(gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms, Ops: gen.PastOps}))
		if err != nil {
			t.Fatal(err)
		}
		f := ltl.MakeAnd(e.Words(), g)
		o := variants[seed%uint64(len(variants))]
		d := mustTranslate(t, f, o).FiniteDiagram(alive)
		for range 30 {
			var word ltl.Word
			for range 1 + r.IntN(6) {
				var letter []ltl.Atom
				for _, a := range atoms {
					if r.IntN(2) == 0 {
						letter = append(letter, a)
					}
				}
				word.Stem = append(word.Stem, ltl.LetterOf(append(letter, alive)...))
			}
			word.Loop = []ltl.Letter{ltl.LetterOf()}
			if got, want := runFinite(t, d, word.Stem), ltl.Eval(f, word); got != want {
				t.Fatalf("seed %d, %v, %+v: the picture accepts %s: %v, want %v", seed, f, o, word.Text(append(atoms, alive)), got, want)
			}
		}
	}
}

// runFinite reads a word with what is drawn.
func runFinite(t *testing.T, g *diagram.Graph, word []ltl.Letter) bool {
	at := map[int]bool{}
	for i, n := range g.Nodes {
		at[i] = n.Marks&diagram.Initial != 0
	}
	for _, letter := range word {
		next := map[int]bool{}
		for _, edge := range g.Edges {
			label, err := ltl.ParseString(edge.Labels[0])
			if err != nil {
				t.Fatal(err)
			}
			if at[edge.From] && ltl.Eval(label, ltl.Word{Loop: []ltl.Letter{letter}}) {
				next[edge.To] = true
			}
		}
		at = next
	}
	for i, n := range g.Nodes {
		if at[i] && n.Marks&diagram.Accepting != 0 {
			return true
		}
	}
	return false
}
