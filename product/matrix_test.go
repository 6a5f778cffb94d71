package product_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// matrixProblem returns a random network and formula, and the naive twin's graph of
// the composition built; nil if it is too large for that, or no network.
func matrixProblem(t *testing.T, seed uint64) (*lks.Network, *ltl.Formula, *naive.Structure) {
	r := gen.Rand(seed)
	var net *lks.Network
	var f *ltl.Formula
	if seed%3 == 0 {
		shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c", "d"}, Degree: 1.8, Tau: 0.25, Props: 0.5, Special: 0.2}
		var err error
		if net, err = gen.Network(r, 4, shape).Build(); err != nil {
			return nil, nil, nil // a clash of propositions
		}
	} else {
		net = networkOf(t, loose(r))
	}
	whole, err := net.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	if atoms := gen.ModelAtoms(whole); seed%5 == 0 {
		f = gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms})
	} else {
		f = looseFormula(r, atoms)
	}
	s := naive.ComposeStructure([]*lks.LKS{whole})
	if naive.Temporal(f) > 5 || s.NumSteps()<<naive.Temporal(f) > 800 {
		return nil, nil, nil
	}
	return net, f, s
}

// TestMatrix compares every reduction, with and without partial-order reduction,
// by both searches, with one worker and two, for all readings of finite runs, with the
// naive twin.
func TestMatrix(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 90_000_000; counts["problems"] < problems()/6; seed++ {
		net, f, s := matrixProblem(t, seed)
		if net == nil {
			continue
		}
		counts["problems"]++
		readings := []product.FiniteRuns{product.StutterRuns, product.IgnoreRuns}
		if !s.HasDeadlock() {
			readings = append(readings, product.RefuseRuns)
		}
		for _, finite := range readings {
			want := product.Violated
			if !s.Satisfiable(ltl.MakeNot(f), finite == product.StutterRuns, naive.NoFairness) {
				want = product.Holds
			}
			counts[fmt.Sprint(finite, " ", want)]++
			for _, reduce := range []product.Reduce{product.NoReduce, product.ReduceComponents, product.ReduceTree, product.AutoReduce} {
				for _, por := range []product.POR{product.NoPOR, product.EagerPOR} {
					opts := product.Options{Reductions: product.Reductions{Reduce: reduce, POR: por, ReduceBound: []int{0, 6}[seed%2], ReduceAfter: 1 + int64(seed%7)}, Finite: finite}
					for _, opts.Emptiness = range searches() {
						got := verifyStaged(t, net, f, opts, seed)
						if got.Verdict != want {
							t.Fatalf("seed %d, %v, finite runs %v, reduce %v, por %v, by %v: %v, naive: %v", seed, f, finite, reduce, por, opts.Emptiness, got.Verdict, want)
						}
						count(counts, reduce, got)
						if reduce == product.ReduceTree && got.Reduction.Equivalence != lks.Strong && slices.Contains(stoppingAtoms(f), "deadlock") {
							counts["deadlock, silent"]++
						}
					}
					opts.Emptiness, opts.Workers = product.NestedDFS, 2
					if got := verifyStaged(t, net, f, opts, seed); got.Verdict != want {
						t.Fatalf("seed %d, %v, finite runs %v, reduce %v, por %v, 2 workers: %v, naive: %v", seed, f, finite, reduce, por, got.Verdict, want)
					}
				}
			}
		}
	}
	t.Log(counts)
	for _, c := range []string{
		"stutter holds", "stutter violated", "ignore holds", "ignore violated", "error holds", "error violated",
		"none por holds", "none por violated", "components por holds", "components por violated", "tree holds", "tree violated",
		"composed, silent", "composed, strong", "deadlock, silent",
		"auto holds", "auto violated", "auto, composed holds", "auto, composed violated",
	} {
		if counts[c] < share(60) {
			t.Errorf("%s: only %d: the problems are too easy", c, counts[c])
		}
	}
}

func count(counts map[string]int, reduce product.Reduce, r *product.Result) {
	key := reduce.String()
	if r.POR {
		key += " por"
	}
	if reduce == product.AutoReduce && r.Reduction != nil {
		key = "auto, composed"
	}
	counts[fmt.Sprint(key, " ", r.Verdict)]++
	if reduce != product.ReduceTree || len(r.Reduction.After) == len(r.Reduction.Before) {
		return
	}
	if r.Reduction.Equivalence == lks.Strong {
		counts["composed, strong"]++
	} else {
		counts["composed, silent"]++
	}
}

// verifyStaged is verify where the smaller network mostly has the answer.
func verifyStaged(t *testing.T, net *lks.Network, f *ltl.Formula, opts product.Options, seed uint64) *product.Result {
	t.Helper()
	r, err := product.VerifyStaged(net, f, opts, 0, 1<<20)
	confirm(t, net, f, opts, seed, r, err)
	return r
}
