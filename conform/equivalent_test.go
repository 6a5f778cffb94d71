package conform

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/naive"
	"github.com/seltl/seltl/lks"
)

// TestEquivalencesAgainstNaive compares every bisimulation with its slow twin and
// demands a formula whenever processes differ.
func TestEquivalencesAgainstNaive(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(2500) {
		r := gen.Rand(seed)
		a, b := gen.Similar(r, shapes[seed%uint64(len(shapes))], r.IntN(4))
		for relation, kind := range map[Relation]naive.Equivalence{
			StrongBisimulation: naive.Strong, WeakBisimulation: naive.Weak,
			BranchingBisimulation: naive.Branching, DivergenceBisimulation: naive.DivergenceBranching,
		} {
			want := naive.Equivalent(kind, naive.FromLKS(a), naive.FromLKS(b))
			got, err := Equivalent(t.Context(), lks.Single(a), lks.Single(b), EquivalenceOptions{Relation: relation})
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%s\n%s", seed, relation, err, dump(a), dump(b))
			}
			if got.Equivalent != want {
				t.Fatalf("seed %d: %s: %v, naive says %v\n%s\n%s", seed, relation, got.Equivalent, want, dump(a), dump(b))
			}
			if !want && got.Formula == nil {
				t.Errorf("seed %d: %s: no formula", seed, relation)
			}
			outcomes[fmt.Sprint(relation, " ", want)]++
		}
		p, q := naive.FromLKS(a), naive.FromLKS(b)
		for relation, want := range map[Relation]bool{
			SimulationEquivalence: naive.Simulated(p, q, false) && naive.Simulated(q, p, false),
			TraceEquivalence:      naive.Refines(p, q, false) && naive.Refines(q, p, false),
			FailuresEquivalence:   naive.Refines(p, q, true) && naive.Refines(q, p, true),
		} {
			got, err := Equivalent(t.Context(), lks.Single(a), lks.Single(b), EquivalenceOptions{Relation: relation})
			if err != nil || got.Equivalent != want {
				t.Fatalf("seed %d: %s: %v (%v), naive says %v", seed, relation, got.Equivalent, err, want)
			}
			outcomes[fmt.Sprint(relation, " ", want)]++
		}
	}
	t.Log(outcomes)
	for _, q := range relations {
		for _, v := range []bool{true, false} {
			if outcomes[fmt.Sprint(q, " ", v)] < 300 {
				t.Errorf("too few pairs for %s %v", q, v)
			}
		}
	}
}
