// Package numset has sets of small numbers: bits, stamps, which are cleared in
// constant time, and numbers for sets.
package numset

import "encoding/binary"

// Bits is a set of numbers below a bound, one bit for each.
type Bits []uint64

// NewBits returns the empty set of numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether i is in the set.
func (b Bits) Has(i int32) bool { return b[i>>6]>>(i&63)&1 == 1 }

// Add puts i into the set.
func (b Bits) Add(i int32) { b[i>>6] |= 1 << (i & 63) }

// Remove removes i.
func (b Bits) Remove(i int32) { b[i>>6] &^= 1 << (i & 63) }

// Within reports whether all of b is in c. Both have one bound.
func (b Bits) Within(c Bits) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// Stamps is a set of numbers for searches that begin again and again: Clear costs
// nothing, save at first and where the bound grows. The zero value must be cleared
// before it is used.
type Stamps struct {
	at    []int32 // the round in which a number was added last
	round int32
}

// Clear empties the set and makes n the bound of its numbers.
func (s *Stamps) Clear(n int) {
	if len(s.at) < n || s.round == 1<<31-1 {
		s.at = make([]int32, n)
		s.round = 0
	}
	s.round++
}

// Add puts i into the set and reports whether it was not there.
func (s *Stamps) Add(i int32) bool {
	if s.at[i] == s.round {
		return false
	}
	s.at[i] = s.round
	return true
}

// Index numbers lists of numbers, equal ones alike, from 0 in the order in which
// they come; sorted lists are sets. The zero value is empty.
type Index struct {
	ids map[string]int32
	key []byte
}

// Number returns the number of a list, and whether it has not come before. The list
// is not kept.
func (x *Index) Number(list []int32) (n int32, fresh bool) {
	x.key = x.key[:0]
	for _, i := range list {
		x.key = binary.LittleEndian.AppendUint32(x.key, uint32(i))
	}
	n, known := x.ids[string(x.key)]
	if known {
		return n, false
	}
	if x.ids == nil {
		x.ids = map[string]int32{}
	}
	n = int32(len(x.ids))
	x.ids[string(x.key)] = n
	return n, true
}

// Len returns how many different lists have come.
func (x *Index) Len() int { return len(x.ids) }
