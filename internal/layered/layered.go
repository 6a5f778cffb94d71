// Package layered draws directed graphs in layers, so that edges go down (or to the right)
// but for those that close circles, few of them cross, and labels have room of their own. The
// method is that of [SugiyamaTagawaToda81]: edges that close circles are turned around
// (cycles.go), nodes ranked (simplex.go), edges given bends in the layers that they pass
// (hierarchy.go), layers ordered (order.go), places chosen (place.go), and curves drawn
// between them (route.go).
//
// Between layers there are only edges and their arrowheads; within a layer every node, label
// and passing edge has a place for itself. So labels overlap nothing, and no edge passes
// over a node or a label.
package layered

import (
	"math"
)

// Graph is what is to be drawn. Nodes are numbered from 0; the first has nothing before it
// where that can be.
type Graph struct {
	Nodes []Node
	Edges []Edge
	Flow  Flow
}

// Node is a rectangle, in pixels.
type Node struct {
	Size
	Round float64 // radius of its corners
}

// Size is that of a node or a label, in pixels.
type Size struct{ Width, Height float64 }

// Edge leads from a node to another, or the same.
type Edge struct {
	From, To int
	Label    Size // 0: it has none
}

// Flow is where edges lead.
type Flow uint8

const (
	Either Flow = iota // whichever gives the better page
	Down
	Right
)

// Point is a place, in pixels from the upper left corner.
type Point struct{ X, Y float64 }

// Drawing is a graph with places.
type Drawing struct {
	Width, Height float64
	Flow          Flow
	Nodes         []Point // centres
	Sizes         []Size  // of nodes: as they were, or longer, for the edges that end there
	Edges         []Route
	Crossings     int // of edges between layers
}

// Route is the way of an edge.
type Route struct {
	// Path is a row of cubic Bézier curves: where it begins, on the border of a node, then
	// for each curve two control points and its end, the last on the border of the other.
	Path  []Point
	Label Point // centre, if there is one
}

// Distances, in pixels.
const (
	nodeGap  = 22.0 // between nodes of a layer
	bendGap  = 12.0 // between edges in a layer, and beside nodes
	layerGap = 20.0 // between layers: at least an arrowhead and some way before
	asideGap = 12.0 // of it, where edges go straight at their ends: at least what is left
	frame    = 8.0  // around everything
	loop     = 24.0 // how far an edge from a node to itself reaches out
	portGap  = 14.0 // between edges that begin or end at one side of a node
	// portLeast is what is between these at least, an arrowhead and a bit, and portMargin between
	// them and the corners.
	portLeast, portMargin = 8.0, 6.0
)

// ArrowLength is the room before the end of each route in which there is nothing but edges.
const ArrowLength = 9.0

// A page that is not scrolled far: what does not fit is scaled in mind, by the worse side.
const pageWidth, pageHeight = 1100.0, 1300.0

// Draw lays a graph out; the same graph always in the same way. Parts that are not connected
// are laid out one by one, and put into rows. Of a small graph several layouts are tried, which
// differ in the edges that lead back. Time is that of sorting layers a bounded number of times,
// and of network simplex with a bounded number of exchanges: a second for some thousands of
// nodes.
func Draw(g *Graph) *Drawing {
	flows := []Flow{g.Flow}
	if g.Flow == Either {
		flows = []Flow{Down, Right}
	}
	var best *Drawing
	for try := range tries(g) {
		if try > 1 && best.Crossings == 0 {
			break
		}
		parts := split(g, turning(try))
		for _, flow := range flows {
			if d := arrange(g, parts, flow); best == nil || d.cost(g) < best.cost(g) {
				best = d
			}
		}
	}
	return best
}

// tries is how many layouts of a graph are tried at most.
func tries(g *Graph) int {
	switch size := len(g.Nodes) + len(g.Edges); {
	case size <= 200:
		return 6
	case size <= 1000:
		return 2
	}
	return 1
}

// turning is how edges that close circles are found, each time in another way.
func turning(try int) func(nodes int, edges []Edge) []bool {
	switch try {
	case 0:
		return inward
	case 1:
		return backward
	}
	return func(nodes int, edges []Edge) []bool { return shuffled(uint64(try), nodes, edges) }
}

// cost is how badly a drawing fits the page, small ones compared by area; and how often an
// edge is crossed.
func (d *Drawing) cost(g *Graph) float64 {
	page := max(d.Width/pageWidth, d.Height/pageHeight, 0.4) + 0.1*d.Width*d.Height/(pageWidth*pageHeight)
	return page + crossingCost*float64(d.Crossings)/float64(len(g.Edges)+1)
}

// crossingCost is that of a crossing for each edge, in pages.
const crossingCost = 0.5

// part is a connected part of a graph, with nodes numbered anew.
type part struct {
	nodes []int // in the graph
	edges []int
	*hierarchy
}

// split finds the connected parts, in the order of their first nodes, turns the edges around
// that lead back, and orders layers.
func split(g *Graph, back func(nodes int, edges []Edge) []bool) []*part {
	root := make([]int, len(g.Nodes))
	for n := range root {
		root[n] = n
	}
	find := func(n int) int {
		for root[n] != n {
			root[n] = root[root[n]]
			n = root[n]
		}
		return n
	}
	for _, e := range g.Edges {
		a, b := find(e.From), find(e.To)
		root[max(a, b)] = min(a, b)
	}
	var parts []*part
	of := make(map[int]*part)
	number := make([]int, len(g.Nodes))
	for n := range g.Nodes {
		p := of[find(n)]
		if p == nil {
			p = &part{}
			of[find(n)] = p
			parts = append(parts, p)
		}
		number[n] = len(p.nodes)
		p.nodes = append(p.nodes, n)
	}
	for i, e := range g.Edges {
		p := of[find(e.From)]
		p.edges = append(p.edges, i)
	}
	for _, p := range parts {
		sub := &Graph{}
		for _, n := range p.nodes {
			sub.Nodes = append(sub.Nodes, g.Nodes[n])
		}
		for _, i := range p.edges {
			e := g.Edges[i]
			e.From, e.To = number[e.From], number[e.To]
			sub.Edges = append(sub.Edges, e)
		}
		p.hierarchy = newHierarchy(sub, back(len(sub.Nodes), sub.Edges))
		p.order()
	}
	return parts
}

// arrange lays parts out and puts them into rows, about as wide as a page, or as the widest.
func arrange(g *Graph, parts []*part, flow Flow) *Drawing {
	out := &Drawing{Flow: flow, Nodes: make([]Point, len(g.Nodes)), Sizes: make([]Size, len(g.Nodes)), Edges: make([]Route, len(g.Edges))}
	drawn := make([]*Drawing, len(parts))
	area, widest := 0.0, 0.0
	for i, p := range parts {
		drawn[i] = p.draw(flow)
		out.Crossings += p.crossings
		area += (drawn[i].Width + nodeGap) * (drawn[i].Height + nodeGap)
		widest = max(widest, drawn[i].Width)
	}
	wide := max(widest, min(pageWidth, math.Sqrt(area*1.6)))
	x, y, row := frame, frame, 0.0
	for i, p := range parts {
		d := drawn[i]
		if x > frame && x+d.Width > frame+wide {
			x, y, row = frame, y+row+nodeGap, 0
		}
		for k, n := range p.nodes {
			out.Nodes[n], out.Sizes[n] = d.Nodes[k].plus(x, y), d.Sizes[k]
		}
		for k, e := range p.edges {
			out.Edges[e] = d.Edges[k].plus(x, y)
		}
		out.Width = max(out.Width, x+d.Width+frame)
		row = max(row, d.Height)
		out.Height = y + row + frame
		x += d.Width + nodeGap
	}
	return out
}

func (p Point) plus(x, y float64) Point { return Point{p.X + x, p.Y + y} }

func (r Route) plus(x, y float64) Route {
	for i, p := range r.Path {
		r.Path[i] = p.plus(x, y)
	}
	r.Label = r.Label.plus(x, y)
	return r
}
