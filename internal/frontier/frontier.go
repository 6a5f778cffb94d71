// Package frontier enumerates states breadth-first: it numbers them in the order in which
// they are met, and remembers from where, and by what, each was met first.
//
// The states that have a number and were not expanded yet are the frontier; numbers are
// the queue. What a state is, what its successors are and which of them count is the
// caller's, and so is when to stop:
//
//	f := frontier.New(words)
//	f.Reach(-1, initial, nil)
//	for s := range f.InOrder {
//		... successors of f.State(s), by rules
//		numbers := f.Reach(s, successors, rules)
//	}
//
// Searches in another order (deadlock's by depth) number states and find ways back in the
// same manner, and only expand another state next.
package frontier

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/statetable"
)

// Frontier is one enumeration. Its table has all states that were met.
type Frontier struct {
	*statetable.Table
	from    []int32 // by state: where it was met first; -1: at the start
	by      []int32 // by state: by what
	numbers []int32 // see Number
	pace    budget.Pace
}

// New returns an enumeration of states of that many words that has met none.
func New(words int) *Frontier { return &Frontier{Table: statetable.New(words)} }

// Number numbers states, which lie one after the other. It does not remember how they
// were met: see Adopt. The slice is valid until the next call.
func (f *Frontier) Number(states []uint64) []int32 {
	n := len(states) / f.Words()
	f.numbers = slices.Grow(f.numbers[:0], n)[:n]
	f.InsertAll(states, f.numbers)
	return f.numbers
}

// Reach numbers states, which are met from a state, -1: at the start. Of those that are
// new it remembers that, and the entry of by that belongs to them, unless by is nil. The
// slice is valid until the next call.
func (f *Frontier) Reach(from int32, states []uint64, by []int32) []int32 {
	numbers := f.Number(states)
	f.Adopt(from, numbers, by)
	return numbers
}

// Adopt remembers of those of the states that have no place in the enumeration yet that
// they were met from a state by what by says of them. All states with lower numbers have
// one.
func (f *Frontier) Adopt(from int32, numbers, by []int32) {
	for i, n := range numbers {
		if int(n) == len(f.from) {
			f.from = append(f.from, from)
			if by != nil {
				f.by = append(f.by, by[i])
			}
		}
	}
}

// InOrder calls yield for every state in the order of numbers, those that get one
// meanwhile included.
func (f *Frontier) InOrder(yield func(state int32) bool) {
	for s := int32(0); int(s) < f.Len(); s++ {
		if !yield(s) {
			return
		}
	}
}

// Ways reports whether it is remembered how states were met.
func (f *Frontier) Ways() bool { return f.from != nil }

// Way returns the states on the way on which a state was met, from the start to itself,
// which is a shortest one if states were expanded in order; and, if that is remembered, by
// what each but the first was met.
func (f *Frontier) Way(to int32) (states, by []int32) {
	for s := to; s >= 0; s = f.from[s] {
		states = append(states, s)
		if f.by != nil && f.from[s] >= 0 {
			by = append(by, f.by[s])
		}
	}
	slices.Reverse(states)
	slices.Reverse(by)
	return states, by
}

// Run is Way with the states themselves, which must not be changed.
func (f *Frontier) Run(to int32) (states [][]uint64, by []int32) {
	way, by := f.Way(to)
	states = make([][]uint64, len(way))
	for i, s := range way {
		states[i] = f.State(s)
	}
	return states, by
}

// Bytes returns the memory that is held.
func (f *Frontier) Bytes() int64 { return f.Table.Bytes() + int64(cap(f.from)+cap(f.by))*4 }

// Due reports whether Tick is to be called, after so many states were expanded, with so
// many transitions: now and then, and where there are more states than the meter allows.
func (f *Frontier) Due(meter *budget.Meter, expanded int32, transitions int64) bool {
	return f.pace.Due(int64(expanded), transitions, f.Words()) || meter.Over(int64(f.Len()))
}

// Tick asks the meter, if there is one, with the number of states filled in; or it says that
// no more states can be numbered.
func (f *Frontier) Tick(meter *budget.Meter, p budget.Progress) error {
	p.States = int64(f.Len())
	switch {
	case f.Full():
		return budget.Full("states", f.Len(), p)
	case meter == nil:
		return nil
	}
	return meter.Tick(p)
}
