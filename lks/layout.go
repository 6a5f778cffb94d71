package lks

import (
	"math/bits"
	"slices"
)

// Field says where a packed state holds the local state of a component: it is
// state[Word]>>Shift&Mask.
type Field struct {
	Word  int32
	Shift uint8
	Width uint8  // in bits; 0 if the component has one state
	Mask  uint64 // of so many bits
}

// layout is how a network's states are packed, and what it takes to know and
// to make special states.
type layout struct {
	words  int
	fields []Field // by component
	special
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
	l := &layout{fields: make([]Field, len(n.components))}
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
		l.fields[i] = Field{Word: int32(w), Shift: uint8(shift), Width: uint8(width), Mask: 1<<width - 1}
		used[w] += width
	}
	l.words = max(1, len(used))
	l.setSpecial(n)
	return l
}

// groups partitions the components into runs that are neighbours in a word
// and together not wider than so many bits, or alone.
func (l *layout) groups(most int) [][]int32 {
	byPlace := make([]int32, len(l.fields))
	for c := range byPlace {
		byPlace[c] = int32(c)
	}
	fields := l.fields
	slices.SortStableFunc(byPlace, func(a, b int32) int {
		fa, fb := fields[a], fields[b]
		return (int(fa.Word)<<8 | int(fa.Shift)) - (int(fb.Word)<<8 | int(fb.Shift))
	})
	var groups [][]int32
	width := 0
	for _, c := range byPlace {
		f := fields[c]
		if last := len(groups) - 1; last >= 0 && fields[groups[last][0]].Word == f.Word && width+int(f.Width) <= most {
			groups[last] = append(groups[last], c)
			width += int(f.Width)
			continue
		}
		groups = append(groups, []int32{c})
		width = int(f.Width)
	}
	return groups
}

// span returns the field that the fields of a group make together.
func (l *layout) span(members []int32) Field {
	fields := l.fields
	shift, end := uint8(64), uint8(0)
	for _, c := range members {
		if f := fields[c]; f.Width > 0 {
			shift, end = min(shift, f.Shift), max(end, f.Shift+f.Width)
		}
	}
	if end == 0 {
		return Field{}
	}
	return Field{Word: fields[members[0]].Word, Shift: shift, Width: end - shift, Mask: 1<<(end-shift) - 1}
}

func (l *layout) local(state []uint64, c int32) int32 {
	f := &l.fields[c]
	return int32(state[f.Word] >> (f.Shift & 63) & f.Mask)
}

func (l *layout) setLocal(state []uint64, c, local int32) {
	f := &l.fields[c]
	state[f.Word] = state[f.Word]&^(f.Mask<<f.Shift) | uint64(local)<<f.Shift
}

// Field returns where packed states hold the local state of a component.
func (n *Network) Field(component int32) Field { return n.packing().fields[component] }

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
		state[f.Word] |= uint64(s) << f.Shift
	}
}

// Bits returns, by word, those bits of a packed state that hold the local states of the
// components that are asked for.
func (n *Network) Bits(of func(component int) bool) []uint64 {
	l := n.packing()
	set := make([]uint64, l.words)
	for c, f := range l.fields {
		if of(c) {
			set[f.Word] |= f.Mask << f.Shift
		}
	}
	return set
}
