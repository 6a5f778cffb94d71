package equivalence

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

func equivalent(t *testing.T, q Relation, a, b *lks.LKS) bool {
	t.Helper()
	r, err := answer(t.Context(), lks.Single(a), lks.Single(b), Options{Relation: q})
	if err != nil {
		t.Fatal(err)
	}
	return r.Equivalent()
}

// TestSpectrum: what is equal in a finer equivalence is equal in a coarser one.
func TestSpectrum(t *testing.T) {
	finer := [][2]Relation{
		{Strong, Divergence}, {Divergence, Branching},
		{Branching, Weak}, {Weak, Trace},
		{Strong, Simulation}, {Simulation, Trace},
		{Failures, Trace}, {Strong, Failures},
	}
	used := make([]int, len(finer))
	for seed := range soak.Long(uint64(1500)) {
		r := gen.Rand(seed)
		a, b := gen.Similar(r, gen.PairShapes[seed%uint64(len(gen.PairShapes))], 1+r.IntN(2))
		holds := map[Relation]bool{}
		for q := range relations.List() {
			holds[Relation(q)] = equivalent(t, Relation(q), a, b)
		}
		for i, pair := range finer {
			if holds[pair[0]] {
				used[i]++
			}
			if holds[pair[0]] && !holds[pair[1]] {
				t.Fatalf("seed %d: %s but not %s\n%s%s", seed, pair[0], pair[1], gen.Dump(a), gen.Dump(b))
			}
		}
	}
	for i, n := range used {
		if n < soak.Long(200) {
			t.Errorf("%v: only %d cases", finer[i], n)
		}
	}
}

// TestDeterminisedIsTraceEquivalent: what compose --minimise=trace writes has the
// traces of what it was made of; the mark deterministic keeps those that LTSA would,
// so all where there is neither END nor ERROR.
func TestDeterminisedIsTraceEquivalent(t *testing.T) {
	cases := soak.Long(uint64(5000))
	ends := gen.Shape{States: 6, Actions: []string{"a", "b"}, Degree: 2, Tau: 0.3, Props: 0.5, Special: 1, ManyInitial: 0.2}
	shapes := append(slices.Clone(gen.PairShapes), append(silentShapes, ends, ends, ends)...)
	special, changed := 0, 0
	for seed := range cases {
		m, _ := gen.Similar(gen.Rand(seed), shapes[seed%uint64(len(shapes))], 0)
		d, err := lks.Determinise(m, lks.AllTraces, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !equivalent(t, Trace, m, d) {
			t.Fatalf("seed %d: the traces differ\n%s%s", seed, gen.Dump(m), gen.Dump(d))
		}
		p, q := naive.FromLKS(m), naive.FromLKS(d)
		if seed%5 == 0 && !(naive.Refines(p, q, false) && naive.Refines(q, p, false)) {
			t.Fatalf("seed %d: the traces differ, says the twin\n%s%s", seed, gen.Dump(m), gen.Dump(d))
		}
		if st := m.Reachable().Stats(); st.Ends+st.Errors > 0 {
			special++
			if e, err := lks.Determinise(m, lks.UntilError, nil); err != nil {
				t.Fatal(err)
			} else if !equivalent(t, Trace, m, e) {
				changed++
			}
		} else if e, err := lks.Determinise(m, lks.UntilError, nil); err != nil || !equivalent(t, Trace, m, e) {
			t.Fatalf("seed %d: deterministic changes traces without END and ERROR (%v)\n%s", seed, err, gen.Dump(m))
		}
	}
	if special < int(cases)/10 || changed < int(cases)/100 {
		t.Errorf("only %d cases with END or ERROR, LTSA's reading differs in %d", special, changed)
	}
}
