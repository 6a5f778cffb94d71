package lks

import "math/bits"

// Ranks numbers the combinations of local states of a network densely, as the
// Compact store does. It may be used by several goroutines at once.
type Ranks struct {
	store *compactStore
	count uint64
}

// Ranks returns the ranks of the network's states, or an error if there are more
// than 2^64-1 combinations.
func (n *Network) Ranks() (*Ranks, error) {
	store, err := newCompactStore(n)
	if err != nil {
		return nil, err
	}
	count := uint64(1)
	for _, m := range n.components {
		_, count = bits.Mul64(count, uint64(m.NumStates()))
	}
	return &Ranks{store: store, count: count}, nil
}

// Of returns the rank of a packed state, below Count.
func (r *Ranks) Of(state []uint64) uint64 { return r.store.rank(state) }

// Count returns the number of combinations.
func (r *Ranks) Count() uint64 { return r.count }
