package lks

import (
	"math/bits"

	"github.com/seltl/seltl/budget"
)

// Ranks numbers the combinations of local states of a network densely: the rank of a
// packed state is its number in the mixed radix that the components' numbers of states
// make. It may be used by several goroutines at once.
type Ranks struct {
	tables []rankTable
	count  uint64
}

// rankTable adds values[state[word]>>shift&mask] to the rank, or if values is
// nil that field times weight.
type rankTable struct {
	mask, weight uint64
	values       []uint64
	word         int32
	shift        uint8
}

// rankBits is the width of neighbouring fields that are ranked together.
const rankBits = 10

// Ranks returns the ranks of the network's states, or a *budget.Exhausted if there are
// more than 2^64-1 combinations. Time O(components), but for tables of 8 KiB.
func (n *Network) Ranks() (*Ranks, error) {
	r := &Ranks{count: 1}
	weights := make([]uint64, len(n.components))
	for c, m := range n.components {
		weights[c] = r.count
		over, product := bits.Mul64(r.count, uint64(m.NumStates()))
		if over > 0 {
			return nil, &budget.Exhausted{What: "combinations of local states", Limit: "2^64 for the compact store", Advice: "--store=exact or --store=hash"}
		}
		r.count = product
	}
	for _, members := range n.packing().groups(rankBits) {
		r.addTable(n, members, weights)
	}
	return r, nil
}

// addTable adds what a run of neighbouring fields of a word contributes to ranks.
func (r *Ranks) addTable(n *Network, members []int32, weights []uint64) {
	place := n.packing().span(members)
	if place.Width == 0 {
		return
	}
	t := rankTable{word: place.Word, shift: place.Shift, mask: place.Mask}
	if place.Width > rankBits {
		// A large component is alone in its group.
		t.weight = weights[members[0]]
		r.tables = append(r.tables, t)
		return
	}
	t.values = make([]uint64, 1<<place.Width)
	for v := range t.values {
		for _, c := range members {
			if f := n.Field(c); f.Width > 0 {
				t.values[v] += uint64(v) >> (f.Shift - place.Shift) & f.Mask * weights[c]
			}
		}
	}
	r.tables = append(r.tables, t)
}

// Of returns the rank of a packed state, below Count.
func (r *Ranks) Of(state []uint64) uint64 {
	rank := uint64(0)
	for i := range r.tables {
		t := &r.tables[i]
		field := state[t.word] >> (t.shift & 63) & t.mask
		if t.values != nil {
			rank += t.values[field]
		} else {
			rank += field * t.weight
		}
	}
	return rank
}

// Count returns the number of combinations.
func (r *Ranks) Count() uint64 { return r.count }
