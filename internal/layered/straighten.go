package layered

import "math"

// straightenWork bounds the network simplex of a placement: large graphs stay as they are.
const straightenWork = 30_000_000

// Weights of links, by how many of their ends are bends ([Gansner93], section 4.2: long edges
// are to be straight).
var straight = [3]int{1, 2, 8}

// straighten moves items so that the sum of how far edges go aside is least, by network
// simplex on a graph in which a node for each link stands before both its ends ([Gansner93],
// section 4.2). It begins with the places that they have.
func (h *hierarchy) straighten() {
	var arcs []arc
	rank := make([]int, len(h.items))
	for _, layer := range h.layers {
		for i, k := range layer {
			rank[k] = int(math.Round(h.items[k].at))
			if i > 0 {
				before := layer[i-1]
				apart := int(math.Ceil(h.apart(before, k)))
				rank[k] = max(rank[k], rank[before]+apart)
				arcs = append(arcs, arc{before, k, apart, 0})
			}
		}
	}
	for k := range h.items {
		for _, n := range h.items[k].links[down] {
			bends := 0
			for _, end := range []int{k, n} {
				if h.items[end].node < 0 {
					bends++
				}
			}
			link := len(rank)
			rank = append(rank, min(rank[k], rank[n]))
			arcs = append(arcs, arc{link, k, 0, straight[bends]}, arc{link, n, 0, straight[bends]})
		}
	}
	s := newSimplex(arcs, rank)
	s.run(straightenWork)
	for k := range h.items {
		h.items[k].at = float64(s.rank[k])
	}
}
