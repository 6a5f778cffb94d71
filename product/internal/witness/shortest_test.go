package witness

import (
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/emptiness"
	"github.com/seltl/seltl/product/internal/meet"
)

// TestShortest compares the length of shortest lassos with that found from all
// distances in the whole product.
func TestShortest(t *testing.T) {
	shape := gen.Shape{States: 7, Actions: []string{"a", "b", "c"}, Degree: 1.8, Tau: 0.1, Props: 0.9}
	longer, count := 0, 0
	for seed := uint64(0); count < soak.Long(1500); seed++ {
		r := gen.Rand(seed)
		p := gen.NewProblem(r, 2, 9, shape)
		var parts []*lks.Network
		for _, m := range p.Components {
			parts = append(parts, lks.Single(m))
		}
		net, err := lks.Compose("test", parts...)
		if err != nil {
			t.Fatal(err)
		}
		not := ltl.MakeNot(p.Formula)
		a, err := buchi.Translate(not, buchi.Options{Constraints: meet.Constraints(net, ltl.Atoms(not)), Acceptance: buchi.StateBuchi})
		if err != nil {
			t.Fatal(err)
		}
		g, err := meet.NewGraph(net, meet.NewAutomaton(a), true, true, budget.New(nil, budget.Limits{}, nil), 0)
		if err != nil {
			t.Fatal(err)
		}
		search, err := emptiness.Methods[0].Start(&emptiness.Problem{Graph: g})
		if err != nil {
			t.Fatal(err)
		}
		found, err := search.Run()
		if err != nil {
			t.Fatal(err)
		}
		want := shortestLength(t, g)
		if (found == nil) != (want == infinite) {
			t.Fatalf("seed %d: a lasso was found: %t, the shortest has length %d", seed, found != nil, want)
		}
		if found == nil || want > 1<<10 {
			continue
		}
		count++
		best, err := Shortest(g, found)
		if err != nil {
			t.Fatal(err)
		}
		if best.Len() != want {
			t.Fatalf("seed %d, %v: %d edges, the shortest lasso has %d", seed, p.Formula, best.Len(), want)
		}
		if found.Len() > want {
			longer++
		}
	}
	if longer < soak.Long(100) {
		t.Errorf("only %d of %d lassos were not the shortest before: the problems are too easy", longer, count)
	}
}

const infinite = 1 << 20

// shortestLength is the algorithm of Floyd and Warshall on the whole product.
func shortestLength(t *testing.T, g *meet.Graph) int {
	roots, err := g.Initial()
	if err != nil {
		t.Fatal(err)
	}
	type edge struct {
		from, to int
		full     bool
	}
	var edges []edge
	for s := 0; s < g.NumStates(); s++ {
		g.Successors(int32(s))
		for _, e := range g.Out {
			edges = append(edges, edge{s, int(e.Target), e.Marks == g.Aut.AllMarks})
		}
	}
	n := g.NumStates()
	d := make([][]int, n)
	for i := range d {
		d[i] = make([]int, n)
		for j := range d[i] {
			d[i][j] = infinite
		}
		d[i][i] = 0
	}
	for _, e := range edges {
		d[e.from][e.to] = min(d[e.from][e.to], 1)
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	best := infinite
	for _, e := range edges {
		if !e.full {
			continue
		}
		for entry := range n {
			for _, r := range roots {
				best = min(best, d[r][entry]+d[entry][e.from]+1+d[e.to][entry])
			}
		}
	}
	return best
}
