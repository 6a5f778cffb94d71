package layered

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// random makes a graph of some nodes.
func random(r *rand.Rand, nodes int, circle bool) *Graph {
	g := &Graph{Flow: Flow(r.IntN(3))}
	for range nodes {
		s := Size{20 + 100*r.Float64(), 20 + 50*r.Float64()}
		g.Nodes = append(g.Nodes, Node{s, r.Float64() * min(s.Width, s.Height) / 2})
	}
	if nodes == 0 {
		return g
	}
	for range r.IntN(2*nodes + 1) {
		e := Edge{From: r.IntN(nodes), To: r.IntN(nodes)}
		if !circle && e.From >= e.To {
			continue
		}
		if r.IntN(3) > 0 {
			e.Label = Size{10 + 100*r.Float64(), 10 + 30*r.Float64()}
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

// box is a rectangle by its centre.
type box struct {
	Point
	Size
}

func (b box) overlaps(o box) bool {
	const slack = 1e-6
	return math.Abs(b.X-o.X) < (b.Width+o.Width)/2-slack && math.Abs(b.Y-o.Y) < (b.Height+o.Height)/2-slack
}

// TestDraw: nodes, labels and arrowheads do not overlap and lie within the drawing, edges
// begin and end at their nodes, and lead on unless they close a circle.
func TestDraw(t *testing.T) {
	for seed := range uint64(soak.Cases(150)) {
		r := rand.New(rand.NewPCG(seed, 21))
		circle := r.IntN(2) == 0
		g := random(r, r.IntN(30), circle)
		d := Draw(g)
		var boxes []box
		for n, p := range d.Nodes {
			boxes = append(boxes, box{p, d.Sizes[n]})
		}
		for i, route := range d.Edges {
			e, path := g.Edges[i], route.Path
			if len(path)%3 != 1 || len(path) < 4 {
				t.Fatalf("seed %d: edge %d has %d points", seed, i, len(path))
			}
			first, last, before := path[0], path[len(path)-1], path[len(path)-2]
			for _, end := range []struct {
				at   Point
				node int
			}{{first, e.From}, {last, e.To}} {
				c, s := d.Nodes[end.node], Node{d.Sizes[end.node], g.Nodes[end.node].Round}
				x, y := math.Abs(end.at.X-c.X)-s.Width/2, math.Abs(end.at.Y-c.Y)-s.Height/2
				if x > 1e-6 || y > 1e-6 || x < -s.Round-1e-6 && y < -s.Round-1e-6 {
					t.Errorf("seed %d: edge %d does not end at the border of node %d: %v in %v %v", seed, i, end.node, end.at, c, s)
				}
			}
			if back := d.Flow == Down && first.Y >= last.Y || d.Flow == Right && first.X >= last.X; !circle && back {
				t.Errorf("seed %d: edge %d leads back", seed, i)
			}
			if e.Label != (Size{}) {
				boxes = append(boxes, box{route.Label, e.Label})
			}
			way := math.Hypot(last.X-before.X, last.Y-before.Y)
			if way < 0.05 {
				t.Errorf("seed %d: edge %d has no direction at its end", seed, i)
				continue
			}
			middle := Point{last.X - (last.X-before.X)/way*ArrowLength/2, last.Y - (last.Y-before.Y)/way*ArrowLength/2}
			head := box{middle, Size{math.Abs(last.X-before.X)/way*ArrowLength - 2, math.Abs(last.Y-before.Y)/way*ArrowLength - 2}}
			for k, b := range boxes[len(d.Nodes):] {
				if b.overlaps(head) {
					t.Errorf("seed %d: label %d lies on the arrowhead of edge %d", seed, k, i)
				}
			}
		}
		for a, b := range boxes {
			if b.X-b.Width/2 < 0 || b.X+b.Width/2 > d.Width || b.Y-b.Height/2 < 0 || b.Y+b.Height/2 > d.Height {
				t.Errorf("seed %d: box %d lies outside: %v of %v %v", seed, a, b, d.Width, d.Height)
			}
			for c, o := range boxes[:a] {
				if b.overlaps(o) {
					t.Errorf("seed %d: boxes %d and %d overlap", seed, a, c)
				}
			}
		}
		if again := Draw(g); !reflect.DeepEqual(d, again) {
			t.Errorf("seed %d: drawn twice, and differently", seed)
		}
	}
}

// TestCount: the sum tree counts as pairs do.
func TestCount(t *testing.T) {
	for seed := range uint64(soak.Cases(200)) {
		r := rand.New(rand.NewPCG(seed, 22))
		for _, p := range split(random(r, 1+r.IntN(20), true), backward) {
			slow := 0
			for _, layer := range p.layers {
				for i, a := range layer {
					for _, b := range layer[:i] {
						for _, x := range p.items[a].links[down] {
							for _, y := range p.items[b].links[down] {
								if p.items[x].pos < p.items[y].pos {
									slow++
								}
							}
						}
					}
				}
			}
			if fast := p.count(); fast != slow || p.crossings != slow {
				t.Errorf("seed %d: %d crossings, %d by pairs", seed, fast, slow)
			}
		}
	}
}

// TestRank: ranks heed lengths, and no exchange of a few ranks makes the sum of lengths less.
func TestRank(t *testing.T) {
	for seed := range uint64(soak.Cases(200)) {
		r := rand.New(rand.NewPCG(seed, 23))
		nodes := 1 + r.IntN(6)
		var arcs []arc
		for n := 1; n < nodes; n++ { // connected
			arcs = append(arcs, arc{r.IntN(n), n, 1 + r.IntN(2), 1 + r.IntN(3)})
		}
		for range r.IntN(8) {
			if a, b := r.IntN(nodes), r.IntN(nodes); a < b {
				arcs = append(arcs, arc{a, b, 1 + r.IntN(2), 1 + r.IntN(3)})
			}
		}
		cost := func(rank []int) int {
			sum := 0
			for _, a := range arcs {
				if a.slack(rank) < 0 {
					return math.MaxInt
				}
				sum += a.weight * (rank[a.to] - rank[a.from])
			}
			return sum
		}
		// all ranks of less than 8 that begin with node 0 somewhere
		best, rank := math.MaxInt, make([]int, nodes)
		var try func(n int)
		try = func(n int) {
			if n == nodes {
				best = min(best, cost(rank))
				return
			}
			for rank[n] = 0; rank[n] < 8; rank[n]++ {
				fits := true
				for _, a := range arcs {
					fits = fits && (max(a.from, a.to) != n || a.slack(rank) >= 0)
				}
				if fits {
					try(n + 1)
				}
			}
		}
		try(0)
		if best == math.MaxInt { // longer than that
			continue
		}
		if got := cost(rankNodes(nodes, arcs)); got != best {
			t.Errorf("seed %d: %d, and %d is possible: %v", seed, got, best, arcs)
		}
	}
}

// TestLarge: thousands of nodes are laid out without much ado.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 24))
	g := &Graph{}
	nodes := 2000
	if testing.Short() {
		nodes = 600
	}
	for n := range nodes {
		g.Nodes = append(g.Nodes, Node{Size{30, 25}, 0})
		for range 1 + r.IntN(2) {
			g.Edges = append(g.Edges, Edge{From: n, To: min(nodes-1, max(0, n+r.IntN(30)-10))})
		}
	}
	if d := Draw(g); d.Width <= 0 || len(d.Nodes) != nodes {
		t.Error(d.Width, len(d.Nodes))
	}
}
