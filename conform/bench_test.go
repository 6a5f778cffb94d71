package conform

import (
	"fmt"
	"math"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
)

// coverPair makes an implementation of n states and 10n transitions over 10
// actions and a specification of n/10 states that simulates it: states 10k to
// 10k+9 of the implementation are copies of state k. If broken is set, one
// transition of the specification is missing.
func coverPair(n int, broken bool) (impl, spec *lks.LKS) {
	r := gen.Rand(uint64(n))
	random := func(name string, states int, edges [][3]int32) *lks.LKS {
		b := lks.NewBuilder(name)
		for a := range 10 {
			b.Action(fmt.Sprint("a", a))
		}
		for range states {
			b.State()
		}
		for _, e := range edges {
			b.TransitionID(e[0], 1+e[1], e[2])
		}
		m, err := b.Build()
		if err != nil {
			panic(err)
		}
		return m
	}
	k := n / 10
	var of, cover [][3]int32
	for s := range int32(k) {
		for range 10 {
			e := [3]int32{s, r.Int32N(10), r.Int32N(int32(k))}
			of = append(of, e)
			for copy := range int32(10) {
				cover = append(cover, [3]int32{10*s + copy, e[1], 10*e[2] + r.Int32N(10)})
			}
		}
	}
	if broken {
		of = of[:len(of)-1]
	}
	return random("I", n, cover), random("S", k, of)
}

// BenchmarkSimulation plays lazily, and then all clauses of the whole game.
func BenchmarkSimulation(b *testing.B) {
	for _, n := range []int{1000, 3000, 10_000, 30_000} {
		for _, kind := range []string{"holds", "fails", "whole"} {
			b.Run(fmt.Sprintf("%s/n=%d", kind, n), func(b *testing.B) {
				impl, spec := coverPair(n, kind == "fails")
				b.ResetTimer()
				for range b.N {
					benchmarkGame(b, impl, spec, kind)
				}
			})
		}
	}
}

func benchmarkGame(b *testing.B, impl, spec *lks.LKS, kind string) {
	if kind != "whole" {
		r, err := answer(b.Context(), lks.Single(impl), lks.Single(spec), Options{})
		if err != nil || r.Holds() != (kind == "holds") {
			b.Fatal(r.Holds(), err)
		}
		b.ReportMetric(float64(r.Stats.Positions), "positions")
		b.ReportMetric(float64(r.Stats.Clauses), "clauses")
		return
	}
	l := newLabels(nil)
	s, err := newSpecification(lks.Single(spec), l, Refuse, nil)
	if err != nil {
		b.Fatal(err)
	}
	g := newGame(newSpace(lks.Single(impl), l), s, false, nil)
	g.greedy = false
	for i := range g.impl.initial {
		g.addClause(root, int32(i))
	}
	g.settle()
	if err := g.run(math.MaxInt); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(g.table.Len()), "positions")
	b.ReportMetric(float64(len(g.clauses)), "clauses")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(g.clauses)), "ns/clause")
}

// BenchmarkRefinement decides trace containment and failures refinement on the
// same pairs.
func BenchmarkRefinement(b *testing.B) {
	for _, p := range []Preorder{Trace, Failures} {
		for _, n := range []int{1000, 10_000} {
			b.Run(fmt.Sprintf("%s/n=%d", p, n), func(b *testing.B) {
				impl, spec := coverPair(n, false)
				b.ResetTimer()
				for range b.N {
					r, err := answer(b.Context(), lks.Single(impl), lks.Single(spec), Options{Preorder: p})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(r.Stats.Positions), "pairs")
				}
			})
		}
	}
}
