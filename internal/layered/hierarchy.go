package layered

// item is what has a place in a layer: a node, a label, or a bend of an edge that passes.
type item struct {
	node  int // -1 of others
	edge  int // -1 of nodes
	label bool
	layer int
	pos   int      // in its layer
	links [2][]int // items in the layer before, and in the layer behind

	// The rest depends on the flow. Along its layer an item reaches from at-before to
	// at+after; edges end, or pass, at its place.
	at            float64
	before, after float64
	thick         float64 // across the layer
}

// sides of an item, and directions in which layers are gone through
const (
	up   = 0
	down = 1
)

// hierarchy is a connected graph whose nodes have layers.
type hierarchy struct {
	g         *Graph
	items     []item // nodes first
	layers    [][]int
	reversed  []bool  // by edge: it leads back
	chains    [][]int // by edge: items from the layer before to the one behind; nil for loops
	loops     [][]int // by node: edges to itself
	labels    bool    // every other layer is for labels
	crossings int

	flow   Flow
	sizes  []Size    // of nodes: as given, or longer, for the edges that end there
	tops   []float64 // by layer, across it
	thicks []float64
	leads  [][2]float64 // by layer: how far edges go straight before it, and behind
}

// newHierarchy ranks nodes, with the edges reversed that lead back, and gives edges that pass
// layers an item in each.
func newHierarchy(g *Graph, reversed []bool) *hierarchy {
	h := &hierarchy{g: g, reversed: reversed, chains: make([][]int, len(g.Edges)), loops: make([][]int, len(g.Nodes))}
	var arcs []arc
	for i, e := range g.Edges {
		if e.From == e.To {
			h.loops[e.From] = append(h.loops[e.From], i)
			continue
		}
		if e.Label != (Size{}) {
			h.labels = true
		}
		a := arc{e.From, e.To, 1, 1}
		if h.reversed[i] {
			a.from, a.to = a.to, a.from
		}
		arcs = append(arcs, a)
	}
	ranks := rankNodes(len(g.Nodes), arcs)
	for n := range g.Nodes {
		if h.labels {
			ranks[n] *= 2
		}
		h.items = append(h.items, item{node: n, edge: -1, layer: ranks[n]})
	}
	h.bend()
	for k, x := range h.items {
		for len(h.layers) <= x.layer {
			h.layers = append(h.layers, nil)
		}
		h.layers[x.layer] = append(h.layers[x.layer], k)
	}
	return h
}

// bend makes the chains of edges, short ones first: labels of the others have a choice of
// layers, and go where there are fewest.
func (h *hierarchy) bend() {
	crowd := map[int]int{} // labels by layer
	span := func(i int) (first, last int) {
		e := h.g.Edges[i]
		if h.reversed[i] {
			e.From, e.To = e.To, e.From
		}
		return e.From, e.To
	}
	for _, short := range []bool{true, false} {
		for i, e := range h.g.Edges {
			first, last := span(i)
			from, to := h.items[first].layer, h.items[last].layer
			if e.From == e.To || (to-from <= 2) != short {
				continue
			}
			at := -1
			if e.Label != (Size{}) {
				at = emptiest(crowd, from, to)
				crowd[at]++
			}
			chain := []int{first}
			for l := from + 1; l < to; l++ {
				chain = append(chain, len(h.items))
				h.items = append(h.items, item{node: -1, edge: i, label: l == at, layer: l})
			}
			chain = append(chain, last)
			for k := range len(chain) - 1 {
				a, b := &h.items[chain[k]], &h.items[chain[k+1]]
				a.links[down] = append(a.links[down], chain[k+1])
				b.links[up] = append(b.links[up], chain[k])
			}
			h.chains[i] = chain
		}
	}
}

// emptiest is the layer for labels between two others that has the fewest, the nearest
// to the middle of these.
func emptiest(crowd map[int]int, from, to int) int {
	best := from + 1
	far := func(l int) int { return max(2*l-from-to, from+to-2*l) }
	for l := from + 3; l < to; l += 2 {
		if crowd[l] < crowd[best] || crowd[l] == crowd[best] && far(l) < far(best) {
			best = l
		}
	}
	return best
}
