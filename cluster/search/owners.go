package search

import (
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Owners are chosen by a hash ([SternDill97]), of some components only ([LerdaSisto99]): a
// successor whose step moves none of these stays where it is. So fewer states are sent, and
// neighbours of a state stay neighbours, which is what caches live from. Local states of each
// of these components have a share, and the sum of the shares, modulo the number of workers,
// is the owner: it is as even as that of the component whose shares are most even, and more,
// whatever the others do. Which components and shares are best is estimated on a sample of
// the search, the same on all workers. Nothing but time and memory depends on the choice.

// owners says who owns a state. It is not safe for concurrent use.
type owners struct {
	words  int // of a state
	size   uint64
	shares []ownerShare
	// Without shares, the hash is of these bits, by word.
	masks   []uint64
	scratch []uint32
}

// ownerShare says what a component adds for each of its local states.
type ownerShare struct {
	word  int
	shift uint8
	of    [1 << mostBits]uint32 // in parts of a turn, of which there are 2^32
}

// mostBits is on how many bits of the number of a local state the owner depends, the upper
// ones: local states that follow each other have near numbers.
const mostBits = 3

// newOwners chooses the owners of states of a network.
func newOwners(n *lks.Network, size int) *owners {
	o := &owners{words: n.Words(), size: uint64(size), masks: n.Bits(func(int) bool { return true })}
	// Networks with few combinations of local states are not worth a sample.
	if size > 1 && len(n.Components()) <= sampleStates && combinationsOf(n) >= worthwhile {
		o.shares = newSample(n, size).choose(n, size)
	}
	return o
}

const worthwhile = 1 << 20

// combinationsOf is how many states a network might have.
func combinationsOf(n *lks.Network) float64 {
	product := 1.0
	for _, m := range n.Components() {
		product *= float64(m.NumStates())
	}
	return product
}

// ofWords are the owners of states of so many words whose first ones, or fields among them,
// are those of the network.
func (o *owners) ofWords(words int) *owners {
	return &owners{words: words, size: o.size, shares: o.shares, masks: o.masks}
}

// of returns the owner of a state.
func (o *owners) of(state []uint64) int { return int(o.all(state[:o.words], o.words)[0]) }

// all returns the owners of states, each with what follows it up to the stride. The slice is
// valid until the next call.
func (o *owners) all(states []uint64, stride int) []uint32 {
	n := len(states) / stride
	o.scratch = slices.Grow(o.scratch[:0], n)[:n]
	turns, size := o.scratch, o.size
	clear(turns)
	for i := range o.shares {
		o.shares[i].add(turns, states, stride)
	}
	if len(o.shares) == 0 {
		for i := range turns {
			h := uint64(0)
			for w, mask := range o.masks {
				h = statetable.Permute(h ^ states[i*stride+w]&mask)
			}
			turns[i] = uint32(h)
		}
	}
	for i, t := range turns {
		turns[i] = uint32(uint64(t) * size >> 32)
	}
	return turns
}

// add adds the shares of states to what others have.
func (s *ownerShare) add(turns []uint32, states []uint64, stride int) {
	shift := s.shift & 63
	if stride == 1 {
		states = states[:len(turns)]
		for i := range turns {
			turns[i] += s.of[states[i]>>shift&(1<<mostBits-1)]
		}
		return
	}
	at := s.word
	for i := range turns {
		turns[i] += s.of[states[at]>>shift&(1<<mostBits-1)]
		at += stride
	}
}

// route appends every state to the part of its owner.
func (o *owners) route(states []uint64, parts [][]uint64) {
	all := o.all(states, o.words)
	switch o.words {
	case 1:
		for i, x := range states {
			p := all[i]
			parts[p] = append(parts[p], x)
		}
	case 2:
		for _, p := range all {
			parts[p] = append(parts[p], states[0], states[1])
			states = states[2:]
		}
	default:
		for _, p := range all {
			parts[p] = append(parts[p], states[:o.words]...)
			states = states[o.words:]
		}
	}
}

// has reports whether all of the states, each with what follows it up to the stride, are
// those of an owner.
func (o *owners) has(owner int, states []uint64, stride int) bool {
	for _, of := range o.all(states, stride) {
		if int(of) != owner {
			return false
		}
	}
	return true
}
