package layered

import (
	"cmp"
	"slices"
)

// orderWork bounds the comparisons of items in all sweeps.
const orderWork = 30_000_000

// order sorts layers so that few edges cross: by medians of neighbours, downwards and upwards
// in turn, with neighbours exchanged where that helps, after [Gansner93], section 3. It
// begins several times, from above and from below, and keeps the best: of several without
// crossings the one whose edges go aside least.
func (h *hierarchy) order() {
	best, least, shortest := [][]int(nil), 0, 0
	for start := range starts {
		from := start % 2
		h.begin(from, start&2 != 0)
		stale := 0
		for s := 0; s < h.sweeps() && stale < 12; s++ {
			h.medians((s+from)%2, s%4 >= 2)
			h.transpose(s%4 >= 2)
			n, length := h.count(), h.stretch()
			if stale++; best == nil || n < least || n == 0 && length < shortest {
				stale, least, shortest = 0, n, length
				best = best[:0]
				for _, layer := range h.layers {
					best = append(best, slices.Clone(layer))
				}
			}
			if n == 0 {
				break
			}
		}
		if best == nil {
			break
		}
	}
	if best != nil {
		h.layers = best
	}
	for _, layer := range h.layers {
		h.settle(layer)
	}
	h.crossings = h.count()
}

// stretch is how far edges go aside between layers, in half places, if these stand in the middle.
func (h *hierarchy) stretch() (sum int) {
	middle := func(k int) int { return 2*h.items[k].pos - len(h.layers[h.items[k].layer]) }
	for k := range h.items {
		for _, n := range h.items[k].links[down] {
			d := middle(k) - middle(n)
			sum += max(d, -d)
		}
	}
	return sum
}

// starts is how often ordering begins.
const starts = 4

// sweeps is how often layers are gone through: fewer of large graphs.
func (h *hierarchy) sweeps() int {
	return min(24, max(4, orderWork/(100*len(h.items)+1)))
}

// settle writes down positions.
func (h *hierarchy) settle(layer []int) {
	for i, k := range layer {
		h.items[k].pos = i
	}
}

// begin puts items into layers in the order in which a breadth-first search from the first
// or the last layer meets them, those behind an item from the last.
func (h *hierarchy) begin(from int, mirrored bool) {
	seen := make([]bool, len(h.items))
	var queue []int
	visit := func(k int) {
		if !seen[k] {
			seen[k] = true
			queue = append(queue, k)
		}
	}
	layers := slices.Clone(h.layers)
	if from == down {
		slices.Reverse(layers)
	}
	sorted := make([][]int, len(h.layers))
	for _, layer := range layers {
		layer := slices.Sorted(slices.Values(layer))
		for _, k := range layer {
			if len(h.items[k].links[from]) > 0 {
				continue // met from there
			}
			for visit(k); len(queue) > 0; queue = queue[1:] {
				x := &h.items[queue[0]]
				sorted[x.layer] = append(sorted[x.layer], queue[0])
				for i := range x.links[1-from] {
					if mirrored {
						i = len(x.links[1-from]) - 1 - i
					}
					visit(x.links[1-from][i])
				}
				for _, n := range x.links[from] {
					visit(n)
				}
			}
		}
	}
	h.layers = sorted
	for _, layer := range h.layers {
		h.settle(layer)
	}
}

// medians sorts each layer by the medians of the neighbours on one side; items without any
// stay where they are.
func (h *hierarchy) medians(side int, right bool) {
	medians := make([]float64, len(h.items))
	for l := range h.layers {
		if side == down {
			l = len(h.layers) - 1 - l
		}
		layer := h.layers[l]
		var moving []int
		for _, k := range layer {
			if len(h.items[k].links[side]) > 0 {
				medians[k] = h.median(k, side)
				moving = append(moving, k)
			}
		}
		if right {
			slices.Reverse(moving) // equal ones change places
		}
		slices.SortStableFunc(moving, func(a, b int) int { return cmp.Compare(medians[a], medians[b]) })
		for i, k := range layer {
			if len(h.items[k].links[side]) > 0 {
				layer[i], moving = moving[0], moving[1:]
			}
		}
		h.settle(layer)
	}
}

// median is that of the positions of neighbours; of an even number that between both in the
// middle, nearer to where the others are closer.
func (h *hierarchy) median(k, side int) float64 {
	at := h.positions(k, side, nil)
	m := len(at) / 2
	switch {
	case len(at)%2 == 1:
		return float64(at[m])
	case len(at) == 2:
		return float64(at[0]+at[1]) / 2
	}
	left, right := float64(at[m-1]-at[0]), float64(at[len(at)-1]-at[m])
	if left+right == 0 {
		return float64(at[m-1]+at[m]) / 2
	}
	return (float64(at[m-1])*right + float64(at[m])*left) / (left + right)
}

// positions of neighbours, sorted.
func (h *hierarchy) positions(k, side int, into []int) []int {
	into = into[:0]
	for _, n := range h.items[k].links[side] {
		into = append(into, h.items[n].pos)
	}
	slices.Sort(into)
	return into
}

// transpose exchanges items that stand side by side where fewer edges cross then, or, with
// equal, as many.
func (h *hierarchy) transpose(equal bool) {
	near := make([][2][]int, len(h.items))
	for again, rounds := true, 0; again && rounds < 8; rounds++ {
		again = false
		for _, layer := range h.layers {
			for _, k := range layer {
				for side := range 2 {
					near[k][side] = h.positions(k, side, near[k][side])
				}
			}
			for i := range len(layer) - 1 {
				a, b := layer[i], layer[i+1]
				now := crossed(near[a][up], near[b][up]) + crossed(near[a][down], near[b][down])
				then := crossed(near[b][up], near[a][up]) + crossed(near[b][down], near[a][down])
				if then < now || equal && then == now && rounds == 0 {
					layer[i], layer[i+1] = b, a
					again = again || then < now
				}
			}
			h.settle(layer)
		}
	}
}

// crossed counts the pairs of neighbours, of an item and one to its right, of which the
// first is right of the second.
func crossed(a, b []int) int {
	n, j := 0, 0
	for _, p := range a {
		for j < len(b) && b[j] < p {
			j++
		}
		n += j
	}
	return n
}

// count counts crossings, with a tree of sums over each layer, as in [BarthMutzelJuenger04].
func (h *hierarchy) count() int {
	total := 0
	var ends []int
	var sums []int
	for l := range len(h.layers) - 1 {
		ends = ends[:0]
		for _, k := range h.layers[l] {
			first := len(ends)
			for _, n := range h.items[k].links[down] {
				ends = append(ends, h.items[n].pos)
			}
			slices.Sort(ends[first:])
		}
		sums = append(sums[:0], make([]int, len(h.layers[l+1])+1)...)
		for seen, p := range ends {
			upto := 0 // ends so far at p or before
			for i := p + 1; i > 0; i -= i & -i {
				upto += sums[i]
			}
			total += seen - upto
			for i := p + 1; i < len(sums); i += i & -i {
				sums[i]++
			}
		}
	}
	return total
}
