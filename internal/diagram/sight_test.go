package diagram

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/layered"
	"github.com/seltl/seltl/internal/testing/sight"
	"github.com/seltl/seltl/internal/testing/soak"
)

// randomGraph makes one as structures and automata have them: most edges lead on, some back.
func randomGraph(r *rand.Rand, nodes int) *Graph {
	g := &Graph{Name: "random", Flow: layered.Flow(r.IntN(3)), Listed: r.IntN(2) == 0}
	words := []string{"a", "get", "put", "p.3.eat", "release.lock", "q.0", "q.1", "q.2", "enter & !leave", "τ", "a very long label that has no end and is cut in the end"}
	few := func(most int) (some []string) {
		for range r.IntN(most + 1) {
			some = append(some, words[r.IntN(len(words))])
		}
		return some
	}
	for n := range nodes {
		node := Node{Number: n, Props: few(r.IntN(4)), Marks: Marks(1<<r.IntN(12)) &^ Initial, Tip: fmt.Sprintf("(S%d,T%d)", n, r.IntN(9))}
		if r.IntN(20) == 0 || n == 0 {
			node.Marks |= Initial
		}
		if r.IntN(3) == 0 {
			node.Lines = few(2)
		}
		g.Nodes = append(g.Nodes, node)
	}
	for range r.IntN(2*nodes + 1) {
		from := r.IntN(nodes)
		to := min(nodes-1, from+1+r.IntN(5))
		if r.IntN(3) == 0 {
			to = r.IntN(nodes)
		}
		g.Edges = append(g.Edges, Edge{from, to, few(4), Style(r.IntN(3))})
	}
	return g
}

// look draws a graph and reads the picture.
func look(t *testing.T, g *Graph) *sight.Picture {
	t.Helper()
	var b strings.Builder
	if err := WriteSVG(&b, g); err != nil {
		t.Fatal(err)
	}
	p, err := sight.Read(b.String(), Width)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(g.merge()); len(p.Nodes) < len(g.Nodes) || len(p.Edges) < want {
		t.Fatalf("%d nodes, %d edges seen of %d, %d", len(p.Nodes), len(p.Edges), len(g.Nodes), want)
	}
	return p
}

// TestOverlaps: nothing lies on what it should not.
func TestOverlaps(t *testing.T) {
	for seed := range uint64(soak.Cases(150)) {
		r := rand.New(rand.NewPCG(seed, 31))
		g := randomGraph(r, 1+r.IntN(25))
		for _, o := range look(t, g).Overlaps() {
			t.Errorf("seed %d: %s", seed, o)
		}
	}
}

// TestBesideGraphviz: there are not many more crossings than in what dot draws of the same
// graphs, and the pictures are not much larger.
func TestBesideGraphviz(t *testing.T) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("no dot")
	}
	crossings, theirs, area, their := 0, 0, 0.0, 0.0
	for seed := range uint64(soak.Cases(20)) {
		r := rand.New(rand.NewPCG(seed, 32))
		g := randomGraph(r, 5+r.IntN(25))
		g.Flow = layered.Flow(1 + seed%2)
		p := look(t, g)
		d, err := p.Graphviz(context.Background(), g.Flow == layered.Right)
		if err != nil {
			t.Fatal(err)
		}
		crossings += p.Crossings()
		theirs += d.Crossings()
		area += p.Area()
		their += d.Width * d.Height
	}
	t.Logf("%d crossings, %d in pictures of dot (%.2f times); %.2f times the area", crossings, theirs, float64(crossings)/float64(theirs), area/their)
	if float64(crossings) > 1.3*float64(theirs) || area > 1.5*their {
		t.Error("worse than dot")
	}
}

// TestEnds: no line of an edge between two nodes runs through the arrowhead of another one, and
// few lines run along each other.
func TestEnds(t *testing.T) {
	edges, parallel, loops := 0, 0, 0
	for seed := range uint64(soak.Cases(75)) {
		r := rand.New(rand.NewPCG(seed, 33))
		g := randomGraph(r, 1+r.IntN(25))
		p := look(t, g)
		edges += len(p.Edges)
		parallel += len(p.Parallel())
		for _, both := range p.Pierced() {
			head, line := both[0], both[1]
			if line.From == line.To { // of several at a node
				loops++
				continue
			}
			t.Errorf("seed %d: the line from %s to %s runs through the arrowhead from %s to %s", seed, line.From, line.To, head.From, head.To)
		}
	}
	t.Logf("of %d edges %d run along others, %d loops run through arrowheads", edges, parallel, loops)
	if parallel > edges/30+2 || loops > edges/100+2 {
		t.Error("too many")
	}
}
