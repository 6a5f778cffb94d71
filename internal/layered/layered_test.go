package layered

import (
	"math/rand/v2"
	"testing"
)

// TestDraw: nodes do not overlap and lie within the drawing, edges begin and end at
// their nodes, and go down unless they close a circle.
func TestDraw(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 21))
		g := &Graph{}
		for range r.IntN(30) {
			g.Sizes = append(g.Sizes, Size{20 + 100*r.Float64(), 10 + 50*r.Float64()})
		}
		n := len(g.Sizes)
		circle := r.IntN(2) == 0
		for range r.IntN(2*n + 1) {
			e := Edge{r.IntN(n), r.IntN(n)}
			if !circle && e.From >= e.To {
				continue
			}
			g.Edges = append(g.Edges, e)
		}
		d := Draw(g)
		for a, p := range d.Nodes {
			s := g.Sizes[a]
			if p.X-s.Width/2 < 0 || p.X+s.Width/2 > d.Width || p.Y-s.Height/2 < 0 || p.Y+s.Height/2 > d.Height {
				t.Errorf("seed %d: node %d lies outside", seed, a)
			}
			for b, q := range d.Nodes[:a] {
				o := g.Sizes[b]
				if abs(p.X-q.X) < (s.Width+o.Width)/2 && abs(p.Y-q.Y) < (s.Height+o.Height)/2 {
					t.Errorf("seed %d: nodes %d and %d overlap", seed, a, b)
				}
			}
		}
		for i, way := range d.Edges {
			e := g.Edges[i]
			first, last := way[0], way[len(way)-1]
			if abs(first.X-d.Nodes[e.From].X) > g.Sizes[e.From].Width/2+1e-6 || abs(last.Y-d.Nodes[e.To].Y) > g.Sizes[e.To].Height/2+1e-6 {
				t.Errorf("seed %d: edge %d does not join its nodes", seed, i)
			}
			if !circle && first.Y >= last.Y {
				t.Errorf("seed %d: edge %d goes up", seed, i)
			}
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }
