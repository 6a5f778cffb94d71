package layered

// aLoop is an edge from a node to itself, to the right of it or above, as seen from the
// middle of the node.
type aLoop struct {
	edge          int
	half          float64 // it begins and ends so far from the middle, across the layer
	wide          float64 // and is half so wide at most
	tip           float64 // how far it goes along the layer
	label         float64 // where its label begins
	along, across float64 // size of the label, and of all so far
}

// loopsAt finds places for the loops of a node, each around the labels of those before.
func (h *hierarchy) loopsAt(n int) []aLoop {
	along, across := h.turned(h.sizes[n])
	reach, wide := along/2, across/3
	var all []aLoop
	for i, e := range h.loops[n] {
		l := aLoop{edge: e, half: min(across/4, 7), tip: reach + loop - labelGap/2, label: reach + loop}
		if l.wide = wide; len(h.loops[n]) > 1 {
			l.half = min(across/2-1, 4+portLeast*float64(i))
		}
		l.along, l.across = h.turned(h.g.Edges[e].Label)
		reach = l.label + l.along
		wide = max(wide, l.across/2) + labelGap
		l.across = 2 * wide
		all = append(all, l)
	}
	return all
}

// routeLoops draws the loops of a node.
func (h *hierarchy) routeLoops(d *Drawing, n int) {
	x, node := &h.items[n], h.g.Nodes[n]
	along, across := h.turned(h.sizes[n])
	sign := 1.0
	if h.flow == Right {
		sign = -1
	}
	at := func(along, across float64) Point { return h.point(x.at+sign*along, h.middle(x.layer)+across) }
	for i, l := range h.loopsAt(n) {
		begin := along/2 - inset(node.Round, across/2-l.half)
		r := &d.Edges[l.edge]
		r.Label = at(l.label+l.along/2, 0)
		if i == 0 { // a curve comes to three quarters of the way to its control points
			far, wide := begin+(l.tip-begin)*4/3, max(l.half*1.3, l.wide)
			r.Path = []Point{at(begin, -l.half), at(far, -wide), at(far, wide), at(begin, l.half)}
			continue
		}
		// Straight past the labels of those before, and around.
		out, turn := along/2+loop/2, l.tip-loop/2
		far := turn + (l.tip-turn)*4/3
		r.Path = []Point{at(begin, -l.half),
			at(begin+(out-begin)/2, -l.half), at(begin+(out-begin)/2, -l.wide), at(out, -l.wide),
			at(out, -l.wide), at(turn, -l.wide), at(turn, -l.wide),
			at(far, -l.wide), at(far, l.wide), at(turn, l.wide),
			at(turn, l.wide), at(out, l.wide), at(out, l.wide),
			at(begin+(out-begin)/2, l.wide), at(begin+(out-begin)/2, l.half), at(begin, l.half)}
	}
}
