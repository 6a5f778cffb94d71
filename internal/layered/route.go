package layered

import (
	"cmp"
	"math"
	"slices"
)

// draw gives a part places in a flow, from (0, 0).
func (h *hierarchy) draw(flow Flow) *Drawing {
	h.measure(flow)
	h.place()
	h.straighten()
	h.stack()
	low, high := math.Inf(1), math.Inf(-1)
	for k := range h.items {
		x := &h.items[k]
		low, high = min(low, x.at-x.before), max(high, x.at+x.after)
	}
	for k := range h.items {
		h.items[k].at -= low
	}
	d := &Drawing{Flow: flow, Nodes: make([]Point, len(h.g.Nodes)), Sizes: h.sizes, Edges: make([]Route, len(h.g.Edges))}
	for n := range d.Nodes {
		d.Nodes[n] = h.point(h.items[n].at, h.middle(h.items[n].layer))
	}
	ports := h.ports()
	for i, chain := range h.chains {
		if chain != nil {
			d.Edges[i] = h.route(i, chain, ports[i])
		}
	}
	for n := range h.g.Nodes {
		h.routeLoops(d, n)
	}
	last := len(h.layers) - 1
	size := h.point(high-low, h.tops[last]+h.thicks[last])
	d.Width, d.Height = size.X, size.Y
	return d
}

// point is a place along and across layers.
func (h *hierarchy) point(along, across float64) Point {
	if h.flow == Down {
		return Point{along, across}
	}
	return Point{across, along}
}

// middle is that of a layer, across it.
func (h *hierarchy) middle(layer int) float64 { return h.tops[layer] + h.thicks[layer]/2 }

// stack puts one layer behind the other, farther where edges between them go far aside. Where an
// arrowhead is beside another edge at a node, which would cut through it, all edges between these
// layers go straight at that end, as far as arrowheads reach: if only some did, they would cross
// others. That is a part of the way between the layers, as long as enough is left to go aside.
func (h *hierarchy) stack() {
	h.tops, h.leads = make([]float64, len(h.layers)), make([][2]float64, len(h.layers))
	beside := h.headsBeside()
	for k := range h.items {
		x := &h.items[k]
		for side := range 2 {
			if x.node >= 0 && beside[x.node][side] {
				h.leads[x.layer][side] = ArrowLength
			}
		}
	}
	for l := 1; l < len(h.layers); l++ {
		far := 0.0
		for _, k := range h.layers[l] {
			for _, u := range h.items[k].links[up] {
				far = max(far, math.Abs(h.items[k].at-h.items[u].at))
			}
		}
		gap := min(max(layerGap, far/8), 2.5*layerGap)
		h.tops[l] = h.tops[l-1] + h.thicks[l-1] + max(gap, asideGap+h.leads[l-1][down]+h.leads[l][up])
	}
}

// headsBeside says of nodes at which sides an arrowhead is beside another edge.
func (h *hierarchy) headsBeside() [][2]bool {
	beside := make([][2]bool, len(h.g.Nodes))
	for i, chain := range h.chains {
		if len(chain) == 0 {
			continue
		}
		end, side := chain[len(chain)-1], up
		if h.reversed[i] {
			end, side = chain[0], down
		}
		if len(h.items[end].links[side]) > 1 {
			beside[end][side] = true
		}
	}
	return beside
}

// ports are where edges leave nodes, along the layer: by edge, the end before and the one
// behind. Those at one side of a node stand side by side in the order of where they lead;
// one that leads straight there has the middle, if there is room beside it.
func (h *hierarchy) ports() [][2]float64 {
	ports := make([][2]float64, len(h.chains))
	type end struct{ edge, next int }
	ends := make([][2][]end, len(h.g.Nodes))
	for i, chain := range h.chains {
		if n := len(chain); n > 0 {
			ends[chain[0]][down] = append(ends[chain[0]][down], end{i, chain[1]})
			ends[chain[n-1]][up] = append(ends[chain[n-1]][up], end{i, chain[n-2]})
		}
	}
	for n := range ends {
		along, _ := h.turned(h.sizes[n])
		half := max(0, min(along/2-min(portMargin, along/8), h.besideLoops(n)))
		for side, here := range ends[n] {
			slices.SortStableFunc(here, func(a, b end) int { return cmp.Compare(h.items[a.next].pos, h.items[b.next].pos) })
			last := float64(len(here) - 1)
			centre, step := last/2, min(portGap, 2*half/max(last, 1e-9))
			for i, e := range here {
				if math.Abs(h.items[e.next].at-h.items[n].at) >= 0.5 {
					continue
				}
				if s := min(portGap, half/max(float64(i), last-float64(i), 1e-9)); s >= min(portLeast, step) {
					centre, step = float64(i), s
				}
			}
			for i, e := range here {
				// at the end before an edge it goes down, at the one behind up
				ports[e.edge][1-side] = h.items[n].at + (float64(i)-centre)*step
			}
		}
	}
	return ports
}

// besideLoops is how far from the middle of a node edges may end, lest they run through arrowheads
// of its loops, which end at its round corners.
func (h *hierarchy) besideLoops(n int) float64 {
	const clear = 3
	far := math.Inf(1)
	along, across := h.turned(h.sizes[n])
	for _, l := range h.loopsAt(n) {
		far = min(far, along/2-inset(h.g.Nodes[n].Round, across/2-l.half)-clear)
	}
	return far
}

// stop is a point of a path: where it is, and how fast it goes aside there.
type stop struct{ along, across, slope float64 }

// steepest is how much edges go aside at their ends.
const steepest = 0.6

// route makes the path of an edge: between layers curves that go aside no farther than their
// ends (monotone cubic interpolation, [FritschCarlson80]), within layers straight lines.
func (h *hierarchy) route(edge int, chain []int, port [2]float64) Route {
	var r Route
	n := len(chain)
	along := func(j int) float64 {
		switch j {
		case 0:
			return port[0]
		case n - 1:
			return port[1]
		}
		return h.items[chain[j]].at
	}
	secant := func(j int) float64 { // from item j to the next
		l := h.items[chain[j]].layer
		_, from := h.extent(l)
		to, _ := h.extent(l + 1)
		return (along(j+1) - along(j)) / (to - from)
	}
	var stops []stop
	for j, k := range chain {
		x := &h.items[k]
		top, bottom := h.extent(x.layer)
		at := along(j)
		switch {
		case j == 0:
			border := h.middle(x.layer) + h.border(k, at)
			stops = h.leave(stops, stop{at, border, secant(0)}, bottom-border, h.leads[x.layer][down] > 0)
		case j == n-1:
			border := h.middle(x.layer) - h.border(k, at)
			n := len(stops)
			stops = h.leave(stops, stop{at, border, secant(j - 1)}, top-border, h.leads[x.layer][up] > 0)
			slices.Reverse(stops[n:])
		default:
			middle := h.middle(x.layer)
			slope := h.bounded(harmonic(secant(j-1), secant(j)), math.Inf(1), max(middle-top, bottom-middle))
			if x.label {
				slope = 0 // its label stands along it
			}
			stops = append(stops, stop{at - slope*(middle-top), top, slope}, stop{at + slope*(bottom-middle), bottom, slope})
		}
		if x.label {
			size := h.g.Edges[edge].Label
			if h.flow == Down {
				r.Label = Point{at + labelGap + size.Width/2, h.middle(x.layer)}
			} else {
				r.Label = Point{h.middle(x.layer), at - labelGap/2 - size.Height/2}
			}
		}
	}
	r.Path = h.path(stops)
	if h.reversed[edge] {
		slices.Reverse(r.Path)
	}
	return r
}

// extent is where edges may begin to go aside before a layer and behind it.
func (h *hierarchy) extent(layer int) (top, bottom float64) {
	return h.tops[layer] - h.leads[layer][up], h.tops[layer] + h.thicks[layer] + h.leads[layer][down]
}

// leave appends the end of an edge at the border of a node, and where it leaves the extent of the
// layer, that way off. On a long way it goes straight, and where it is to.
func (h *hierarchy) leave(stops []stop, end stop, way float64, straight bool) []stop {
	const near = 8
	switch {
	case straight:
		end.slope = 0
	case math.Abs(way) < near:
		end.slope = h.bounded(end.slope, steepest, 0)
	default:
		end.slope = h.bounded(end.slope, steepest, math.Abs(way))
	}
	if math.Abs(way) < 0.5 {
		return append(stops, end)
	}
	return append(stops, end, stop{end.along + end.slope*way, end.across + way, end.slope})
}

// aside is how far an edge may go aside within its place in a layer.
const aside = 3.0

// bounded is a slope, no steeper than some, nor such that it goes far aside on a way.
func (h *hierarchy) bounded(slope, most, way float64) float64 {
	if way > 0 {
		most = min(most, aside/way)
	}
	return max(-most, min(most, slope))
}

// harmonic is the mean of two slopes that makes curves monotone.
func harmonic(a, b float64) float64 {
	if a*b <= 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// border is how far the border of a node is from its middle, across the layer.
func (h *hierarchy) border(k int, at float64) float64 {
	node := h.g.Nodes[h.items[k].node]
	along, across := h.turned(h.sizes[h.items[k].node])
	return across/2 - inset(node.Round, along/2-math.Abs(at-h.items[k].at))
}

// inset is how far a round corner has gone back so near to the side.
func inset(round, near float64) float64 {
	if near >= round {
		return 0
	}
	return round - math.Sqrt(max(0, round*round-(round-near)*(round-near)))
}

// path makes curves of stops.
func (h *hierarchy) path(stops []stop) []Point {
	path := []Point{h.point(stops[0].along, stops[0].across)}
	for i, b := range stops[1:] {
		a := stops[i]
		way := b.across - a.across
		if way < 0.01 {
			continue // the two sides of a layer without nodes
		}
		path = append(path, h.point(a.along+a.slope*way/3, a.across+way/3), h.point(b.along-b.slope*way/3, b.across-way/3), h.point(b.along, b.across))
	}
	return path
}
