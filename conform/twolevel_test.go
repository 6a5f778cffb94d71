package conform

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// networkShapes are components for networks with termination, errors, silent
// steps, hiding and relabelling.
var networkShapes = []gen.Shape{
	{States: 4, Actions: []string{"a", "b", "c"}, Degree: 2, ManyInitial: 0.2},
	gen.Small,
	{States: 6, Actions: []string{"a", "b", "c"}, Degree: 2, Tau: 0.2, Props: 0.5, Special: 0.4, ManyInitial: 0.3},
}

// specOf returns a specification for net that it conforms to sometimes: the
// network itself, a random quotient of it or a random change of either.
func specOf(r *rand.Rand, net *lks.Network) (*lks.LKS, error) {
	m, err := net.Build(nil)
	if err != nil {
		return nil, err
	}
	if r.IntN(3) > 0 {
		m = randomQuotient(r, m)
	}
	return gen.Mutate(r, m, "spec", r.IntN(3)), nil
}

func randomQuotient(r *rand.Rand, m *lks.LKS) *lks.LKS {
	ids := map[[3]int32]int32{}
	class := make([]int32, m.NumStates())
	groups := 1 + r.Int32N(3)
	for s := range class {
		key := [3]int32{m.LabelClass(int32(s)), int32(m.Kind(int32(s))), r.Int32N(groups)}
		id, ok := ids[key]
		if !ok {
			id = int32(len(ids))
			ids[key] = id
		}
		class[s] = id
	}
	q, err := lks.Quotient(m, class)
	if err != nil {
		panic(err)
	}
	return q
}

// TestMethodsAgree compares the two-level method, plain search and the slow twin
// on random networks.
func TestMethodsAgree(t *testing.T) {
	outcomes, rounds := map[string]int{}, 0
	n := soak.Long(uint64(1500))
	for seed := range n + 1 {
		if seed == n {
			seed = 4004 // a witness with two END states
		}
		r := gen.Rand(seed)
		net, err := gen.Network(r, 3, networkShapes[seed%uint64(len(networkShapes))]).Build()
		if err != nil {
			continue
		}
		spec, err := specOf(r, net)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		whole, err := net.Build(nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p, q := naive.FromLKS(whole), naive.FromLKS(spec)
		for preorder, want := range map[Preorder]bool{
			Simulation: naive.Simulated(p, q, false), Weak: naive.Simulated(p, q, true), Trace: naive.Refines(p, q, false),
		} {
			for _, method := range []Method{Plain, TwoLevel, Auto} {
				if method == TwoLevel && applicable(net, preorder) != nil {
					continue
				}
				got, err := answer(t.Context(), net, lks.Single(spec), Options{Preorder: preorder, Method: method, SilentSpec: Letter, Trees: r.IntN(3)})
				if err != nil {
					t.Fatalf("seed %d, %s, %s: %v", seed, preorder, method, err)
				}
				if got.Holds() != want {
					t.Fatalf("seed %d: %s by %s: %v, naive says %v", seed, preorder, method, got.Holds(), want)
				}
				if method == TwoLevel {
					rounds += len(got.Levels.Rounds)
				}
			}
			outcomes[fmt.Sprint(preorder, " ", want)]++
		}
	}
	t.Log(outcomes, "rounds of refinement:", rounds)
	for _, p := range []Preorder{Simulation, Weak, Trace} {
		for _, v := range []bool{true, false} {
			if outcomes[fmt.Sprint(p, " ", v)] < soak.Long(100) {
				t.Errorf("too few networks for %s %v: %v", p, v, outcomes)
			}
		}
	}
	if rounds < soak.Long(500) {
		t.Errorf("only %d rounds of refinement", rounds)
	}
}
