package diagram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/sight"
)

// rings is a graph of rings, each with a state that leads to the next.
type rings struct{ count, size int }

func (r rings) NumStates() int    { return r.count * r.size }
func (r rings) Initial() []int32  { return []int32{0} }
func (r rings) Node(s int32) Node { return Node{Lines: []string{fmt.Sprintf("(R%d)", s)}} }
func (r rings) Edges(s int32, each func(to int32, label string)) {
	ring, at := int(s)/r.size, int(s)%r.size
	each(int32(ring*r.size+(at+1)%r.size), "step")
	if at == 0 && ring+1 < r.count {
		each(int32((ring+1)*r.size), "next")
	}
}

// seen says what a picture has: states, edges, and the first note.
func seen(g *Graph) string {
	note := ""
	if len(g.Notes) > 0 {
		note = g.Notes[0]
	}
	return fmt.Sprintf("%d, %d: %s", len(g.Nodes), len(g.Edges), note)
}

func TestDrawViews(t *testing.T) {
	for _, c := range []struct {
		src  rings
		view View
		want string
	}{
		{rings{3, 4}, View{}, "12, 14: "},
		{rings{10, 100}, View{}, "10, 9: 1000 states in 10 strongly connected components: those of several states are drawn as one, with their number"},
		{rings{1, 1000}, View{}, "50, 49: 1000 states in 1 strongly connected component, too many to draw: these 50 are near the beginning"},
		{rings{500, 1}, View{}, "50, 99: 500 states in 500 strongly connected components, too many to draw: these 50 are near the beginning"},
		{rings{1, 1000}, View{Around: 5, Radius: 2}, "5, 4: 5 of 1000 states: those at most 2 steps from state 5, or to it"},
		{rings{3, 4}, View{Around: 11, Radius: 1}, "3, 2: 3 of 12 states: those at most 1 step from state 11, or to it"},
	} {
		g := Draw(c.src, c.view)
		if got := seen(g); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.src, c.view, got, c.want)
		}
		g.Numbered()
		for _, o := range look(t, g).Overlaps() {
			t.Errorf("%v %v: %s", c.src, c.view, o)
		}
	}
	if n := len(All(rings{1, 1000}).Nodes); n != 1000 {
		t.Errorf("all: %d", n)
	}
}

// TestSight shows that looking at pictures can fail.
func TestSight(t *testing.T) {
	g := &Graph{Nodes: []Node{{Number: 0}, {Number: 1}}, Edges: []Edge{{From: 0, To: 1, Labels: []string{"label"}}}}
	var b strings.Builder
	if err := WriteSVG(&b, g); err != nil {
		t.Fatal(err)
	}
	wide := func(line string, size float64) float64 { return 100 * Width(line, size) }
	if p, err := sight.Read(b.String(), wide); err != nil || len(p.Overlaps()) == 0 {
		t.Errorf("letters a hundred times as wide overlap nothing: %v", err)
	}
}
