package product_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

func symmetricProblem(t *testing.T, seed uint64) (*lks.Network, *ltl.Formula, *naive.Structure) {
	r := gen.Rand(seed)
	net := gen.Symmetric(r, seed%4 == 0)
	whole, err := net.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := symmetricFormula(r, net, gen.ModelAtoms(whole))
	s := naive.ComposeStructure([]*lks.LKS{whole})
	if naive.Temporal(f) > 5 || s.NumSteps()<<naive.Temporal(f) > 1500 {
		return nil, nil, nil
	}
	return net, f, s
}

// symmetricFormula returns a formula that mostly treats copies alike; one in three sees
// propositions of two copies as it happens.
func symmetricFormula(r *rand.Rand, net *lks.Network, atoms []ltl.Atom) *ltl.Formula {
	var props []ltl.Atom
	for _, p := range net.Props() {
		if strings.HasPrefix(p, "p0.") || strings.HasPrefix(p, "p1.") {
			props = append(props, ltl.Atom{Kind: ltl.Prop, Name: p})
		}
	}
	if len(props) > 0 && r.IntN(3) == 0 {
		r.Shuffle(len(props), func(i, j int) { props[i], props[j] = props[j], props[i] })
		return gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(5), Atoms: props[:min(len(props), 2)]})
	}
	r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
	return gen.SymmetricFormula(r, net, gen.FormulaOptions{Size: 2 + r.IntN(5), Atoms: atoms[:1+r.IntN(2)]})
}

// TestSymmetry compares the quotient by symmetry with the naive twin, together with
// the other reductions.
func TestSymmetry(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 110_000_000; counts["problems"] < problems()/2; seed++ {
		net, f, s := symmetricProblem(t, seed)
		if net == nil {
			continue
		}
		counts["problems"]++
		finite := product.FiniteRuns(seed % 2)
		want := product.Violated
		if !s.Satisfiable(ltl.MakeNot(f), finite == product.StutterRuns, naive.NoFairness) {
			want = product.Holds
		}
		full := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: finite}, seed)
		for _, opts := range []product.Options{
			{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}},
			{Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Shortest: true},
			{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}},
			{Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}},
			{Search: product.Search{Emptiness: product.NestedDFS, Workers: 2}, Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}},
			{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.Exact}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}},
			{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.ReduceComponents}},
			{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.ReduceTree, ReduceBound: 5}},
		} {
			opts.Finite, opts.Symmetry = finite, true
			r := verify(t, net, f, opts, seed)
			if r.Verdict != want {
				t.Fatalf("seed %d, %v, finite runs %v, %+v, groups %v: %v, naive: %v", seed, f, finite, opts, r.Symmetric, r.Verdict, want)
			}
			if (len(r.Symmetric) > 0) == (r.NoSymmetryBecause != "") && !r.Trivial {
				t.Fatalf("seed %d: groups %v, none because %q", seed, r.Symmetric, r.NoSymmetryBecause)
			}
			if len(r.Symmetric) == 0 {
				counts[r.NoSymmetryBecause]++
				continue
			}
			counts[fmt.Sprintf("symmetric, por %t, reduce %v: %v", r.POR, opts.Reduce, r.Verdict)]++
			if opts.POR == product.NoPOR && opts.Reduce == product.NoReduce && want == product.Holds && r.Stats.States < full.Stats.States {
				counts["smaller"]++
			}
			for _, a := range ltl.Atoms(f) {
				if a.Kind == ltl.Prop && a.Name[0] == 'p' && contains(r.Symmetric, 0) {
					counts["seen"]++
					break
				}
			}
		}
	}
	t.Log(counts)
	for _, c := range []string{
		"symmetric, por false, reduce none: holds", "symmetric, por false, reduce none: violated",
		"symmetric, por true, reduce none: holds", "symmetric, por true, reduce none: violated",
		"symmetric, por true, reduce components: holds", "smaller", "seen",
		"no components can change places unnoticed",
	} {
		if counts[c] < share(100) {
			t.Errorf("%s: only %d: the problems are too easy", c, counts[c])
		}
	}
}

func contains(groups [][]int32, component int32) bool {
	for _, g := range groups {
		if slices.Contains(g, component) {
			return true
		}
	}
	return false
}

// TestSymmetrySizes has readers and writers, whose orders of asking make stubborn sets
// alone follow an exponential number of states.
func TestSymmetrySizes(t *testing.T) {
	net := gen.ReadersWriters(20)
	for formula, most := range map[string]int64{"G !deadlock": 100, "G !(writing0 & (writing1 | reading0))": 200} {
		r := verify(t, net, parse(t, net, formula), product.Options{Reductions: product.Reductions{Symmetry: true, Reduce: product.NoReduce}}, 0)
		if r.Verdict != product.Holds || !r.POR || len(r.Symmetric) != 2 || r.Stats.States > most {
			t.Errorf("%s: %v, reduced %t, %d groups, %d states", formula, r.Verdict, r.POR, len(r.Symmetric), r.Stats.States)
		}
	}
	// The loop has to go round several times before all are in their places again.
	r := verify(t, net, parse(t, net, "G F writing0"), product.Options{Reductions: product.Reductions{Symmetry: true, Reduce: product.NoReduce}}, 0)
	if r.Verdict != product.Violated || len(r.Symmetric) != 2 {
		t.Errorf("%v, %d groups, %s", r.Verdict, len(r.Symmetric), r.NoSymmetryBecause)
	}
}

// TestSymmetryOfFailures: copies fail, each in an Error state that tells which one it was.
// A run of the quotient that ends there is one of the model in which another copy fails.
func TestSymmetryOfFailures(t *testing.T) {
	b := lks.NewBuilder("p")
	b.Prop("r")
	b.Prop("bad")
	idle, ready := b.State(), b.State("r")
	failed := b.StateID(lks.Error, []int32{1})
	b.Initial(idle)
	b.Transition(idle, "go", ready)
	b.Transition(ready, "fail", failed)
	copied, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var parts []*lks.Network
	for i := range 3 {
		parts = append(parts, lks.Single(copied).Prefix(fmt.Sprint("p", i)))
	}
	once := lks.NewBuilder("once") // lets one copy go
	before, after := once.State(), once.State()
	once.Initial(before)
	for i := range 3 {
		once.Transition(before, fmt.Sprintf("p%d.go", i), after)
	}
	controller, err := once.Build()
	if err != nil {
		t.Fatal(err)
	}
	net, err := lks.Compose("copies", append(parts, lks.Single(controller))...)
	if err != nil {
		t.Fatal(err)
	}
	f := parse(t, net, "G !(p0.bad | p1.bad | p2.bad)")
	for _, opts := range []product.Options{{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{Reduce: product.NoReduce}}, {Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{Reduce: product.NoReduce}}, {Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{Reduce: product.NoReduce}, Shortest: true}} {
		opts.POR, opts.Symmetry = product.NoPOR, true
		if r := verify(t, net, f, opts, 0); r.Verdict != product.Violated || len(r.Symmetric) != 1 {
			t.Errorf("%v: %v, groups %v", opts.Emptiness, r.Verdict, r.Symmetric)
		}
	}
}
