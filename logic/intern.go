package logic

import (
	"math"
	"math/big"
	"slices"
	"sync"
	"weak"
)

// interned holds every live term, by structural hash: a table with open addressing. Weak
// pointers let unused terms go; what they held is taken when the table is full. Since they
// cost as much as the terms, the last terms are held by pointers, up to mostYoung of them: a
// short run has no more.
var interned = struct {
	sync.Mutex
	table []slot // a power of two
	used  int    // slots, those of dead terms included
	young int    // slots with a pointer
}{table: make([]slot, leastTable)}

const (
	leastTable = 1 << 12
	mostYoung  = 1 << 16 // some 15 MB
)

// slot has a term, by one of two pointers, or none.
type slot struct {
	hash  uint64
	young *Term
	old   weak.Pointer[Term]
}

// used reports whether there is a term, or was one. (The weak pointer to a dead term is not
// that to none.)
func (s *slot) used() bool { return s.young != nil || s.old != weak.Pointer[Term]{} }

// term returns the term, nil if it is dead or there is none.
func (s *slot) term() *Term {
	if s.young != nil {
		return s.young
	}
	return s.old.Value()
}

// same compares operands by pointer, which is enough: they were interned before.
func (t *structure) same(u *structure) bool {
	if t.op != u.op || t.sort != u.sort || t.name != u.name || t.hi != u.hi || t.lo != u.lo {
		return false
	}
	if t.num != nil && !sameNumber(t.num, u.num) {
		return false
	}
	return slices.Equal(t.args, u.args)
}

// intern returns the one term with a structure, whose args it owns from now on; of its
// number it keeps a copy.
func intern(s structure) *Term {
	hash := s.computeHash()
	interned.Lock()
	at := int(hash) & (len(interned.table) - 1)
	for ; interned.table[at].used(); at = (at + 1) & (len(interned.table) - 1) {
		if e := &interned.table[at]; e.hash == hash {
			if t := e.term(); t != nil && t.same(&s) {
				interned.Unlock()
				return t
			}
		}
	}
	t := &Term{structure: s, hash: hash}
	if t.num != nil { // the caller's
		if n, ok := word(t.num); ok {
			t.num = integer(n)
		} else {
			t.num = new(big.Rat).Set(t.num)
		}
	}
	t.size, t.float = 1, t.op == OpFloat
	for _, a := range t.args {
		t.float = t.float || a.float
		if t.size += a.size; t.size < 0 || a.size == math.MaxInt {
			t.size = math.MaxInt
		}
	}
	interned.table[at] = slot{hash: hash, young: t}
	if interned.young++; interned.young == mostYoung {
		ageInterned()
	}
	if interned.used++; 3*interned.used > 2*len(interned.table) {
		sweepInterned()
	}
	interned.Unlock()
	return t
}

// ageInterned lets go of all terms that are not used.
func ageInterned() {
	for i := range interned.table {
		if e := &interned.table[i]; e.young != nil {
			e.young, e.old = nil, weak.Make(e.young)
		}
	}
	interned.young = 0
}

// sweepInterned drops what is left of dead terms, and makes room for as many as are left.
func sweepInterned() {
	all := interned.table
	live := 0
	for i := range all {
		if all[i].term() != nil {
			live++
		} else {
			all[i] = slot{}
		}
	}
	size := leastTable
	for size < 4*live {
		size *= 2
	}
	interned.table, interned.used = make([]slot, size), live
	for _, e := range all {
		if e.used() {
			at := int(e.hash) & (size - 1)
			for interned.table[at].used() {
				at = (at + 1) & (size - 1)
			}
			interned.table[at] = e
		}
	}
}
