package interpolate_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/internal/predabs/interpolate"
)

var ctx = context.Background()

func newZ3(t testing.TB) *smt.Z3 {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return z
}

// over reports whether the formulas are over the variables of the path.
func over(p *program.Path, seq []*logic.Term) bool {
	vars := map[*logic.Term]bool{}
	for _, v := range p.Vars {
		vars[v] = true
	}
	for _, v := range logic.Vars(seq...) {
		if !vars[v] {
			return false
		}
	}
	return true
}

// TestRandomPaths: for random paths with all that the options say, every sequence is one
// of interpolants by the solver, no path that can be run has one, and most of those that
// cannot be run have.
func TestRandomPaths(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     gen.PathOptions
		cases uint64
		least float64 // share of the paths that cannot be run that have a sequence
	}{
		{"linear", gen.PathOptions{}, 200, 0.97},
		{"real", gen.PathOptions{Real: true, Negative: true}, 150, 1},
		{"or", gen.PathOptions{Or: true, Negative: true}, 200, 0.97},
		{"bool", gen.PathOptions{Bool: true, Or: true}, 200, 0.97},
		{"ite", gen.PathOptions{Ite: true, Bool: true, Negative: true}, 150, 0.97},
		{"mod", gen.PathOptions{Mod: true, Ite: true}, 150, 0.9},
		{"real floor", gen.PathOptions{Real: true, Mod: true, Or: true}, 150, 0.9},
		{"product", gen.PathOptions{Product: true, Or: true}, 150, 0.8},
	} {
		t.Run(c.name, func(t *testing.T) {
			z := newZ3(t)
			found, infeasible, feasible := 0, 0, 0
			for seed := range soak.Long(c.cases) {
				r := rand.New(rand.NewPCG(seed, 93))
				c.o.Steps = 1 + r.IntN(6)
				p := gen.NewPath(r, c.o)
				status, _, _, err := predabs.Feasible(ctx, z, p)
				if err != nil {
					t.Fatal(err)
				}
				seqs := Sequences(t.Context(), p, nil)
				switch {
				case status == smt.Sat:
					if feasible++; len(seqs) > 0 {
						t.Fatalf("seed %d: a path that can be run has interpolants %v", seed, seqs[0])
					}
					continue
				case status == smt.Unknown:
					continue
				}
				infeasible++
				if len(seqs) > 0 {
					found++
				}
				prover := predabs.NewProver(z)
				for _, seq := range seqs {
					if err := predabs.Verify(ctx, prover, p, seq); err != nil || !over(p, seq) {
						t.Fatalf("seed %d: %v of %v, %v: %v", seed, seq, p.Init, p.Error, err)
					}
				}
			}
			t.Logf("%d of %d, and %d can be run", found, infeasible, feasible)
			enough := infeasible >= 5 && feasible >= 5 && float64(found) >= c.least*float64(infeasible)
			if testing.Short() { // so few scatter
				enough = infeasible > 0 && float64(found+1) >= c.least*float64(infeasible)
			}
			if !enough {
				t.Errorf("only %d of %d have interpolants, %d can be run", found, infeasible, feasible)
			}
		})
	}
}
