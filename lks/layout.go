package lks

import "math/bits"

// field says where a packed state holds the local state of a component.
type field struct {
	word  int32
	shift uint8
	width uint8
	mask  uint64 // of width bits, not shifted; 0 if the component has one state
}

// layout is how a network's states are packed, and what it takes to know and
// to make special states.
type layout struct {
	words  int
	fields []field // by component
	special
}

// used returns the bits that states use, by word.
func (l *layout) used() []uint64 {
	used := make([]uint64, l.words)
	for _, f := range l.fields {
		used[f.word] |= f.mask << f.shift
	}
	return used
}

// packing computes the layout once.
func (n *Network) packing() *layout {
	n.layoutOf.Do(func() { n.layout = n.newLayout(64) })
	return n.layout
}

// newLayout puts every field into the first word with room for it (words have 64
// bits; tests say fewer): fields do not straddle words, so that reading one
// costs a load, a shift and a mask.
func (n *Network) newLayout(wordBits int) *layout {
	l := &layout{fields: make([]field, len(n.components))}
	var used []int
	var full [65]int // by width: so many words from the first on have no room for it
	for i, m := range n.components {
		width := bits.Len64(uint64(m.NumStates() - 1))
		w := full[width]
		for w < len(used) && used[w]+width > wordBits {
			w++
		}
		full[width] = w
		if w == len(used) {
			used = append(used, 0)
		}
		shift := used[w]
		if width == 0 {
			shift = 0
		}
		l.fields[i] = field{word: int32(w), shift: uint8(shift), width: uint8(width), mask: 1<<width - 1}
		used[w] += width
	}
	l.words = max(1, len(used))
	l.setSpecial(n)
	return l
}

func (l *layout) local(state []uint64, c int32) int32 {
	f := &l.fields[c]
	return int32(state[f.word] >> (f.shift & 63) & f.mask)
}

func (l *layout) setLocal(state []uint64, c, local int32) {
	f := &l.fields[c]
	state[f.word] = state[f.word]&^(f.mask<<f.shift) | uint64(local)<<f.shift
}

// Words returns the length of a packed state in words, at least 1.
func (n *Network) Words() int { return n.packing().words }

// Unpack stores the local state of every component in local, which must be as
// long as Components.
func (n *Network) Unpack(state []uint64, local []int32) {
	l := n.packing()
	for c := range l.fields {
		local[c] = l.local(state, int32(c))
	}
}

// Local returns the local state of one component.
func (n *Network) Local(state []uint64, component int32) int32 {
	return n.packing().local(state, component)
}

// Pack is the inverse of Unpack. state must have Words words, all of which it
// overwrites. The result need not be canonical (see Network).
func (n *Network) Pack(local []int32, state []uint64) {
	l := n.packing()
	clear(state[:l.words])
	for c, s := range local {
		f := &l.fields[c]
		state[f.word] |= uint64(s) << f.shift
	}
}
