package scc

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// holes is a graph some of whose successors are none.
type holes struct{ Edges }

func (h holes) Successor(v int32, i int) (int32, bool) {
	w, _ := h.Edges.Successor(v, i)
	return w, w >= 0
}

func randomGraph(r *rand.Rand) holes {
	n := 1 + r.IntN(12)
	g := holes{Edges{First: []int32{0}}}
	for range n {
		for range r.IntN(4) {
			g.To = append(g.To, r.Int32N(int32(n)+1)-1)
		}
		g.First = append(g.First, int32(len(g.To)))
	}
	return g
}

// reach is the transitive closure of g, by definition.
func reach(g Graph) [][]bool {
	n := g.Nodes()
	reach := make([][]bool, n)
	for v := range reach {
		reach[v] = make([]bool, n)
		reach[v][v] = true
		for i := range g.Degree(int32(v)) {
			if w, ok := g.Successor(int32(v), i); ok {
				reach[v][w] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

// TestComponents: two nodes are in one component iff each reaches the other, and edges
// between components lead to lower numbers; of all nodes, and of those behind one.
func TestComponents(t *testing.T) {
	several := 0
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		g := randomGraph(r)
		root := r.Int32N(int32(g.Nodes()))
		reach := reach(g)
		all, err := All(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all.Count > 1 && all.Count < g.Nodes() {
			several++
		}
		from := From(g, root)
		for v := range reach {
			if all.Of[v] < 0 || int(all.Of[v]) >= all.Count || int(from.Of[v]) >= from.Count {
				t.Fatalf("seed %d: components %d of %d, %d of %d", seed, all.Of[v], all.Count, from.Of[v], from.Count)
			}
			if (from.Of[v] >= 0) != reach[root][v] {
				t.Fatalf("seed %d: from %d, node %d: %v", seed, root, v, from)
			}
			for w := range reach {
				same := reach[v][w] && reach[w][v]
				if (all.Of[v] == all.Of[w]) != same || from.Of[v] >= 0 && (from.Of[v] == from.Of[w]) != same {
					t.Fatalf("seed %d: nodes %d, %d: %v, from %d %v", seed, v, w, all, root, from)
				}
				if reach[v][w] && (all.Of[v] < all.Of[w] || from.Of[v] >= 0 && from.Of[v] < from.Of[w]) {
					t.Fatalf("seed %d: not in reverse topological order: %v, from %d %v", seed, all, root, from)
				}
			}
		}
	}
	if several < soak.Cases(1000) {
		t.Errorf("only %d graphs have several components", several)
	}
}

// chain is a path of n nodes.
func chain(n int32) Edges {
	g := Edges{First: []int32{0}}
	for v := range n {
		if v+1 < n {
			g.To = append(g.To, v+1)
		}
		g.First = append(g.First, int32(len(g.To)))
	}
	return g
}

// TestStops: an error of tick ends the search, at every question.
func TestStops(t *testing.T) {
	g := chain(5 * tickEvery)
	asked := 0
	if c, err := All(g, func() error { asked++; return nil }); err != nil || c.Count != g.Nodes() || asked < 4 {
		t.Fatalf("%d components, %v, asked %d times", c.Count, err, asked)
	}
	stop := errors.New("enough")
	for at := 1; at <= asked; at++ {
		left := at
		_, err := All(g, func() error {
			if left--; left == 0 {
				return stop
			}
			return nil
		})
		if err != stop || left != 0 {
			t.Errorf("stopped at question %d: %v", at, err)
		}
	}
}

// BenchmarkAll has a random graph of a million edges.
func BenchmarkAll(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 200_000
	g := Edges{First: []int32{0}}
	for range n {
		for range 5 {
			g.To = append(g.To, r.Int32N(n))
		}
		g.First = append(g.First, int32(len(g.To)))
	}
	for b.Loop() {
		if c, err := All(g, nil); err != nil || c.Count == 0 {
			b.Fatal(c, err)
		}
	}
}

func TestCyclic(t *testing.T) {
	for _, c := range []struct {
		next [][]int32
		want bool
	}{
		{nil, false},
		{[][]int32{{1, 1, 2}, {2}, nil}, false},
		{[][]int32{{1}, {1}}, true},
		{[][]int32{nil, {2}, {3}, {1}}, true},
	} {
		if got := Cyclic(EdgesOf(c.next)); got != c.want {
			t.Errorf("Cyclic(%v) = %v", c.next, got)
		}
	}
}
