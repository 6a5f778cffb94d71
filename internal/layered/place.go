package layered

import (
	"math"
	"slices"
)

// measure gives items their extents in a flow.
func (h *hierarchy) measure(flow Flow) {
	h.flow = flow
	h.sizes = make([]Size, len(h.g.Nodes))
	for n := range h.g.Nodes {
		h.sizes[n] = h.roomy(n)
	}
	h.thicks = make([]float64, len(h.layers))
	for k := range h.items {
		x := &h.items[k]
		switch {
		case x.node >= 0:
			along, across := h.turned(h.sizes[x.node])
			x.before, x.after, x.thick = along/2, along/2, across
			for _, l := range h.loopsAt(x.node) {
				x.thick = max(x.thick, l.across)
				if flow == Down {
					x.after = l.label + l.along
				} else {
					x.before = l.label + l.along
				}
			}
		case x.label && flow == Down: // to the right of its edge
			x.before, x.after, x.thick = 1, labelGap+h.g.Edges[x.edge].Label.Width, h.g.Edges[x.edge].Label.Height
		case x.label: // above its edge
			x.before, x.after, x.thick = labelGap/2+h.g.Edges[x.edge].Label.Height, 1, h.g.Edges[x.edge].Label.Width
		default:
			x.before, x.after, x.thick = 1, 1, 0
		}
		h.thicks[x.layer] = max(h.thicks[x.layer], x.thick)
	}
}

// labelGap is between a label and the edge that it stands beside.
const labelGap = 6.0

// turned returns what a size is along its layer, and across.
func (h *hierarchy) turned(s Size) (along, across float64) {
	if h.flow == Down {
		return s.Width, s.Height
	}
	return s.Height, s.Width
}

// roomy is the size of a node, long enough along its layer for all edges that end at one of its
// sides to be told apart; of very many some are not.
func (h *hierarchy) roomy(n int) Size {
	const most = 30
	ends := max(len(h.items[n].links[up]), len(h.items[n].links[down]))
	along, across := h.turned(h.g.Nodes[n].Size)
	along = max(along, float64(min(ends, most)-1)*portLeast+2*portMargin)
	size := Size{along, across}
	size.Width, size.Height = h.turned(size)
	return size
}

// apart is how far the places of two items are at least, the second behind the first.
func (h *hierarchy) apart(a, b int) float64 {
	x, y := &h.items[a], &h.items[b]
	gap := bendGap
	if x.node >= 0 && y.node >= 0 {
		gap = nodeGap
	}
	return x.after + gap + y.before
}

// place gives items places along their layers, by [BrandesKoepf01]: each is aligned with the
// median of its neighbours, which makes blocks with one place; four ways to do so (towards
// the layer before or behind, ties to the left or right) are put as close as possible, and
// each item comes to the mean of the two in the middle. Long edges are straight but at their
// ends.
func (h *hierarchy) place() {
	conflicts := h.conflicts()
	var four [4][]float64
	least, narrowest := math.Inf(1), 0
	var low, high [4]float64
	for i := range four {
		b := h.align(i/2, i%2 == 1, conflicts)
		four[i] = h.compact(b, i%2 == 1)
		low[i], high[i] = h.reach(four[i])
		if high[i]-low[i] < least {
			least, narrowest = high[i]-low[i], i
		}
	}
	for i := range four {
		shift := low[narrowest] - low[i]
		if i%2 == 1 {
			shift = high[narrowest] - high[i]
		}
		for k := range four[i] {
			four[i][k] += shift
		}
	}
	for k := range h.items {
		all := []float64{four[0][k], four[1][k], four[2][k], four[3][k]}
		slices.Sort(all)
		h.items[k].at = (all[1] + all[2]) / 2
	}
}

// reach is from where to where items go at some places.
func (h *hierarchy) reach(at []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k := range h.items {
		x := &h.items[k]
		low, high = min(low, at[k]-x.before), max(high, at[k]+x.after)
	}
	return low, high
}

// conflicts are the links of nodes that cross a link between two bends, which is to be
// straight (type 1 of [BrandesKoepf01], algorithm 1).
func (h *hierarchy) conflicts() map[[2]int]bool {
	found := map[[2]int]bool{}
	for l := 1; l < len(h.layers); l++ {
		layer, above := h.layers[l], h.layers[l-1]
		left, from := 0, 0
		for i, k := range layer {
			inner := -1
			if x := &h.items[k]; x.node < 0 && h.items[x.links[up][0]].node < 0 {
				inner = h.items[x.links[up][0]].pos
			}
			if inner < 0 && i < len(layer)-1 {
				continue
			}
			right := len(above) - 1
			if inner >= 0 {
				right = inner
			}
			for ; from <= i; from++ {
				for _, u := range h.items[layer[from]].links[up] {
					if p := h.items[u].pos; (p < left || p > right) && !(h.items[u].node < 0 && h.items[layer[from]].node < 0) {
						found[[2]int{u, layer[from]}] = true
					}
				}
			}
			left = right
		}
	}
	return found
}

// blocks say for each item the first of its block.
type blocks []int

// align makes blocks (algorithm 2): each item, from the left or the right, joins the median
// of its neighbours on a side, if no block lies between.
func (h *hierarchy) align(side int, mirrored bool, conflicts map[[2]int]bool) blocks {
	root := make(blocks, len(h.items))
	next := make([]bool, len(h.items)) // it has been joined by one
	for k := range root {
		root[k] = k
	}
	for l := range h.layers {
		if side == down {
			l = len(h.layers) - 1 - l
		}
		reached := -1
		for i := range h.layers[l] {
			if mirrored {
				i = len(h.layers[l]) - 1 - i
			}
			k := h.layers[l][i]
			near := slices.Clone(h.items[k].links[side])
			if len(near) == 0 {
				continue
			}
			size := len(h.layers[h.items[near[0]].layer])
			pos := func(n int) int {
				if mirrored {
					return size - 1 - h.items[n].pos
				}
				return h.items[n].pos
			}
			slices.SortFunc(near, func(a, b int) int { return pos(a) - pos(b) })
			for _, m := range []int{(len(near) - 1) / 2, len(near) / 2} {
				u := near[m]
				upper, lower := u, k
				if side == down {
					upper, lower = k, u
				}
				if root[k] == k && !next[u] && pos(u) > reached && !conflicts[[2]int{upper, lower}] {
					root[k], next[u], reached = root[u], true, pos(u)
				}
			}
		}
	}
	return root
}

// compact puts blocks as far to the left (mirrored: right) as their neighbours allow, and
// then those that have room towards what stands behind them.
func (h *hierarchy) compact(root blocks, mirrored bool) []float64 {
	type link struct {
		to    int
		apart float64
	}
	out := make([][]link, len(h.items))
	missing := make([]int, len(h.items))
	for _, layer := range h.layers {
		for i := range len(layer) - 1 {
			a, b := root[layer[i]], root[layer[i+1]]
			if mirrored {
				a, b = b, a
			}
			out[a] = append(out[a], link{b, h.apart(layer[i], layer[i+1])})
			missing[b]++
		}
	}
	var order []int
	for k := range h.items {
		if root[k] == k && missing[k] == 0 {
			order = append(order, k)
		}
	}
	at := make([]float64, len(h.items))
	for i := 0; i < len(order); i++ {
		for _, l := range out[order[i]] {
			at[l.to] = max(at[l.to], at[order[i]]+l.apart)
			if missing[l.to]--; missing[l.to] == 0 {
				order = append(order, l.to)
			}
		}
	}
	for _, k := range slices.Backward(order) {
		room := math.Inf(1)
		for _, l := range out[k] {
			room = min(room, at[l.to]-l.apart)
		}
		if len(out[k]) > 0 {
			at[k] = max(at[k], room)
		}
	}
	for k := range at {
		at[k] = at[root[k]]
	}
	if mirrored {
		for k := range at {
			at[k] = -at[k]
		}
	}
	return at
}
