package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// chain is a random generalised automaton of some components, which have marks of their own kinds.
func chain(r *rand.Rand, atoms []ltl.Atom) *Automaton {
	man := bdd.New()
	label := func() Label {
		l := man.Var(r.IntN(len(atoms)))
		if r.IntN(2) == 0 {
			l = man.Or(l, man.NotVar(r.IntN(len(atoms))))
		}
		return l
	}
	n, sets := 2+r.IntN(7), 1+r.IntN(4)
	out := make([][]Edge, n)
	for s := range out {
		rare := uint64(r.IntN(1 << sets)) // sets that edges of this state are often in
		for range 1 + r.IntN(4) {
			to := s + r.IntN(4) - 1
			if r.IntN(4) == 0 {
				to = r.IntN(n)
			}
			marks := uint64(r.IntN(1 << sets))
			if r.IntN(3) > 0 {
				marks |= rare
			}
			out[s] = append(out[s], Edge{label(), int32(min(max(to, 0), n-1)), marks})
		}
	}
	a := New(Parts{Atoms: atoms, Diagrams: man, Edges: out, Sets: sets})
	if r.IntN(3) == 0 {
		a.stateBased = true
		a.uniform()
	}
	return a
}

// TestTrimmed: automata whose components need different sets accept the same words without
// what is useless, and after all that reduces them.
func TestTrimmed(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	shared, accepted := 0, 0
	for seed := range soak.Long(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 73))
		a := chain(r, atoms)
		trimmed := trim(a.clone())
		reduced := reduceSimulation(trimmed)
		others := []*Automaton{trimmed, unmarkEntries(trimmed.clone()), reduced, (&translation{}).remarked(reduced, nil)}
		if trimmed.sets < a.sets && trimmed.sets > 0 {
			shared++
		}
		for range 8 {
			w := gen.Word(r, atoms, 4, 4)
			want := a.Accepts(w)
			if want {
				accepted++
			}
			for i, b := range others {
				if err := b.check(); err != nil {
					t.Fatalf("seed %d, %d: %v", seed, i, err)
				}
				if b.Accepts(w) != want {
					t.Fatalf("seed %d, %d: differs on a word (accepted before: %v)", seed, i, want)
				}
			}
		}
	}
	if shared == 0 || accepted == 0 {
		t.Errorf("%d with fewer sets, %d words accepted", shared, accepted)
	}
}

// TestSharedSets: two components that need two sets each share them.
func TestSharedSets(t *testing.T) {
	for text, sets := range map[string]int{
		"F(a & G F b & G F c) | G F !b & F G !a & G F !c":           2,
		"(F G a & G F b) | (F G c & G F d)":                         1,
		"(p0 U (F(Fp1 | Gp0) R (p0 xor Fp1))) -> ((p2 M !p2) M p2)": 1,
		"(p0 -> (p2 xor (p2 W 0))) W (p2 xor !(Gp2 R Fp1))":         1,
	} {
		if a := mustTranslate(t, ltl.MustParse(text), Options{}); a.NumSets() != sets {
			t.Errorf("%s: %d sets, want %d", text, a.NumSets(), sets)
		}
	}
}
