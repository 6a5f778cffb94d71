package buchi

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// naiveAutomaton is the tableau of the formula, with an initial state before its own.
func naiveAutomaton(t *testing.T, f *ltl.Formula) (a *Automaton, ok bool) {
	t.Helper()
	tableau := naive.TranslateLTL(f)
	if len(tableau.Sets) > MaxSets/2 || len(tableau.Next) > 3000 {
		return nil, false
	}
	atoms, m := ltl.Atoms(f), bdd.New()
	out := make([][]Edge, len(tableau.Next)+1)
	for s, next := range tableau.Next {
		label, marks := AnyLetter, uint64(0)
		for _, at := range tableau.Pos[s] {
			label = m.And(label, m.Var(slices.Index(atoms, at)))
		}
		for _, at := range tableau.Neg[s] {
			label = m.And(label, m.NotVar(slices.Index(atoms, at)))
		}
		for i, set := range tableau.Sets {
			if set[s] {
				marks |= 1 << i
			}
		}
		for _, n := range next {
			out[s+1] = append(out[s+1], Edge{label, int32(n) + 1, marks})
		}
	}
	for _, s := range tableau.Initial {
		out[0] = append(out[0], out[s+1]...)
	}
	return New(Parts{Atoms: atoms, Diagrams: m, Edges: out, Sets: len(tableau.Sets)}), true
}

func hoaText(t testing.TB, a *Automaton) string {
	t.Helper()
	var b strings.Builder
	if err := a.WriteHOA(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkNaive compares with the tableau in both directions; it reports whether the
// tableau was small enough.
func checkNaive(t *testing.T, f *ltl.Formula, o Options) bool {
	t.Helper()
	not := ltl.MakeNot(f)
	p, ok1 := naiveAutomaton(t, f)
	n, ok2 := naiveAutomaton(t, not)
	if !ok1 || !ok2 {
		return false
	}
	for _, pair := range [][2]*Automaton{
		{mustTranslate(t, not, o), p}, // L(tableau) within L(A(f))
		{mustTranslate(t, f, o), n},   // and the other way round
	} {
		empty, err := disjoint(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if !empty {
			t.Fatalf("%v, %+v: differs from the tableau", f, o)
		}
	}
	return true
}

func TestAgainstTableau(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	done := 0
	for seed := range soak.Long(uint64(1200)) {
		r := rand.New(rand.NewPCG(seed, 41))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(8), Atoms: atoms})
		if checkNaive(t, f, variants[seed%uint64(len(variants))]) {
			done++
		}
	}
	if done < soak.Long(1000) {
		t.Errorf("only %d tableaux were small enough", done)
	}
}

// TestConstraints: with constraints, automata agree with the formula on words
// that satisfy them, for every kind of group.
func TestConstraints(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c", "d")
	outside := ltl.Atom{Kind: ltl.Name, Name: "z"}
	for seed := range soak.Long(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 42))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(12), Atoms: atoms})
		group := atoms[:2+r.IntN(3)]
		o := variants[seed%uint64(len(variants))]
		o.Constraints = []Constraint{{AtMostOne, append([]ltl.Atom{outside}, group...)}}
		exactly := seed%3 == 0
		if exactly {
			o.Constraints = []Constraint{{ExactlyOne, group}}
		}
		a := mustTranslate(t, f, o)
		if f.Size() < 10 {
			checkNaive(t, f, o) // the intersections keep to the constraints
		}
		for range 15 {
			w := gen.Word(r, atoms, 3, 3, group)
			if exactly {
				w = onlyExact(w, group)
			}
			if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
				t.Fatalf("seed %d, %v, %+v: accepts %v, formula %v", seed, f, o, got, want)
			}
		}
	}
}

// onlyExact makes the first atom of the group true where none is.
func onlyExact(w ltl.Word, group []ltl.Atom) ltl.Word {
	fix := func(ls []ltl.Letter) []ltl.Letter {
		out := make([]ltl.Letter, len(ls))
		for i, l := range ls {
			any := false
			for _, at := range group {
				any = any || l(at)
			}
			out[i] = l
			if !any {
				out[i] = func(at ltl.Atom) bool { return at == group[0] || l(at) }
			}
		}
		return out
	}
	return ltl.Word{Stem: fix(w.Stem), Loop: fix(w.Loop)}
}
