package statetable

import "slices"

// Hashed is a set of states of which it remembers 56 bits of a hash each, in 5 to 6
// bytes: [WolperLeroy93]. It may take a new state for one that it has seen. It is not
// safe for concurrent use.
type Hashed struct {
	*Compact // of the hashes
	words    int
	seed     uint64
	missed   float64
	hashes   [hashedPortion]uint64
	fresh    [hashedPortion]bool
}

const (
	hashBits      = 56
	hashedPortion = 64 // how many states are added at once
)

// NewHashed returns an empty set of states of that many words. Which states are taken for
// others depends on the seed.
func NewHashed(words int, seed uint64) *Hashed {
	return &Hashed{Compact: NewCompact(hashBits), words: words, seed: seed}
}

// AddAll adds the states, which lie one after the other, and appends those that count
// as new to fresh, in their order.
func (h *Hashed) AddAll(states, fresh []uint64) []uint64 {
	for part := range slices.Chunk(states, hashedPortion*h.words) {
		hashes := h.hashes[:len(part)/h.words]
		for i := range hashes {
			hashes[i] = reseed(mixAll(part[i*h.words:(i+1)*h.words]), h.seed) >> (64 - hashBits)
		}
		h.add(hashes)
		fresh = AppendFresh(fresh, part, h.words, h.fresh[:len(hashes)])
	}
	return fresh
}

// add adds at most hashedPortion hashes and notes which are new.
func (h *Hashed) add(hashes []uint64) {
	before := h.Len()
	h.Compact.AddAll(hashes, h.fresh[:len(hashes)])
	// Each of the new ones could have been taken for one of those before it.
	added := float64(h.Len() - before)
	h.missed += added * (float64(before) + (added+1)/2) / (1 << hashBits)
}

// AddHashes adds states by their hashes, as All yields them.
func (h *Hashed) AddHashes(hashes []uint64) {
	for part := range slices.Chunk(hashes, hashedPortion) {
		h.add(part)
	}
}

// Missed estimates how many states were taken for others.
func (h *Hashed) Missed() float64 { return h.missed }

// AppendFresh appends those of the states, which lie one after the other, that are new.
func AppendFresh(to, states []uint64, words int, fresh []bool) []uint64 {
	for i, f := range fresh {
		if f {
			to = append(to, states[i*words:(i+1)*words]...)
		}
	}
	return to
}
