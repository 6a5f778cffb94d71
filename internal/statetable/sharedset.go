package statetable

import "sync/atomic"

// SharedSet is a set of states of one word that several goroutines add to at once,
// without locks: an open-addressing table with linear probing whose slots are the
// states themselves, so that a look-up waits for memory once. (Laarman, van de Pol,
// Weber, "Boosting multi-core reachability performance with shared hash tables",
// FMCAD 2010.) States are in the order of their hashes, nearly, so Grow reads and
// writes memory from one end to the other.
//
// When the set is 4/5 full, Grow makes it larger, by half (small sets double), where
// nobody uses it. A state takes 10 bytes just before, 15 (20) just after, and while it
// grows both.
type SharedSet struct {
	slots []uint64 // the state plus one; 0 is free
	limit int64    // n at which it is crowded
	users int

	_       [64]byte // what follows changes all the time
	n       atomic.Int64
	crowded atomic.Bool
	last    atomic.Bool // the state whose bits are all set, which has no slot, is in
}

// doubling is the number of slots up to which a set doubles: new memory costs more
// there than what is left over.
const doubling = 1 << 21

// NewSharedSet returns an empty set for so many goroutines.
func NewSharedSet(users int) *SharedSet {
	s := &SharedSet{users: users}
	s.setSlots(1 << 14)
	return s
}

func (s *SharedSet) setSlots(size int) {
	s.slots = make([]uint64, size)
	s.limit = int64(size) / 5 * 4
}

// Crowded reports whether Grow should be called soon.
func (s *SharedSet) Crowded() bool { return s.crowded.Load() }

// Len returns the number of states.
func (s *SharedSet) Len() int { return int(s.n.Load()) }

// Load returns the share of the slots that are in use.
func (s *SharedSet) Load() float64 { return float64(s.n.Load()) / float64(len(s.slots)) }

// Bytes returns the memory that the set holds.
func (s *SharedSet) Bytes() int64 { return int64(len(s.slots)) * 8 }

func (s *SharedSet) home(x uint64) uint64 { return mix(x) >> 32 * uint64(len(s.slots)) >> 32 }

// AddAll adds the states that are new, and appends them to fresh, in their order: of
// goroutines that add the same state at once one finds it new. It returns how many
// it has dealt with: all, unless there is no room. Then Grow must be called, and
// AddAll for the rest.
func (s *SharedSet) AddAll(states, fresh []uint64) (done int, added []uint64) {
	before := len(fresh)
	defer func() {
		if s.n.Add(int64(len(added)-before)) >= s.limit {
			s.crowded.Store(true)
		}
	}()
	var at [block]uint64
	var found [block]uint64
	for done < len(states) {
		part := states[done:min(done+block, len(states))]
		for i, x := range part {
			at[i&(block-1)] = s.home(x)
			found[i&(block-1)] = atomic.LoadUint64(&s.slots[at[i&(block-1)]])
		}
		for i, x := range part {
			if found[i&(block-1)] != x+1 || x+1 == 0 {
				isNew, room := s.add(x, at[i&(block-1)])
				if !room {
					s.crowded.Store(true)
					return done, fresh
				}
				if isNew {
					fresh = append(fresh, x)
				}
			}
			done++
		}
	}
	return done, fresh
}

// add adds a state whose home is at.
func (s *SharedSet) add(x, at uint64) (isNew, room bool) {
	if x+1 == 0 {
		return s.last.CompareAndSwap(false, true), true
	}
	for range len(s.slots) {
		v := atomic.LoadUint64(&s.slots[at])
		if v == 0 {
			if atomic.CompareAndSwapUint64(&s.slots[at], 0, x+1) {
				return true, true
			}
			v = atomic.LoadUint64(&s.slots[at])
		}
		if v == x+1 {
			return false, true
		}
		if at++; at == uint64(len(s.slots)) {
			at = 0
		}
	}
	return false, false
}

// All calls yield for every state, until it returns false, in no particular order.
// Nobody may add states meanwhile.
func (s *SharedSet) All(yield func(state []uint64) bool) {
	var state [1]uint64
	for _, v := range s.slots {
		if state[0] = v - 1; v != 0 && !yield(state[:]) {
			return
		}
	}
	if state[0] = ^uint64(0); s.last.Load() {
		yield(state[:])
	}
}

// Grow makes room when nobody else uses the set, by as many goroutines as it is for.
func (s *SharedSet) Grow() {
	old := s.slots
	size := len(old) * 2
	if len(old) >= doubling {
		size = len(old) + len(old)/2
	}
	s.setSlots(size)
	parts := s.divide(old)
	together(len(parts), func(i int) { s.move(old, &parts[i]) })
	for _, p := range parts {
		for _, x := range p.left {
			s.add(x, s.home(x))
		}
	}
	s.crowded.Store(s.n.Load() >= s.limit)
}

// movingPart is what one goroutine moves: the old slots from from to to, which may run
// on at the start, into new slots from first
// to limit, which are its own.
type movingPart struct {
	from, to     int
	first, limit uint64
	left         []uint64 // states for which that has no room
}

// divide divides old slots for as many goroutines as the set is for. Parts start after
// free slots, so that their states have their homes in them, old and new: states keep
// their order. Only where the last part runs on at the start there can be others.
func (s *SharedSet) divide(old []uint64) []movingPart {
	var starts []int
	for u := range s.users {
		at := len(old) * u / s.users
		for at < len(old) && old[(at+len(old)-1)%len(old)] != 0 {
			at++
		}
		if at < len(old) && (len(starts) == 0 || starts[len(starts)-1] < at) {
			starts = append(starts, at)
		}
	}
	if len(starts) == 0 { // no slot is free: all are left for later
		return []movingPart{{from: 0, to: len(old)}}
	}
	parts := make([]movingPart, len(starts))
	for i, from := range starts {
		parts[i] = movingPart{from: from, to: starts[0] + len(old), limit: uint64(len(s.slots))}
		if i > 0 {
			parts[i].first = parts[i-1].limit
		}
		if i+1 < len(starts) {
			next := starts[i+1]
			least := (uint64(next)<<32 + uint64(len(old)) - 1) / uint64(len(old)) // of the hashes whose old home is there
			parts[i].to, parts[i].limit = next, least*uint64(len(s.slots))>>32
		}
	}
	return parts
}

// move moves the states of a part without atomic operations: each would wait for the
// memory of the new slot.
func (s *SharedSet) move(old []uint64, p *movingPart) {
	touchPages(s.slots[p.first:p.limit])
	wrap := min(p.to, len(old))
	s.moveSlots(old[p.from:wrap], p)
	s.moveSlots(old[:p.to-wrap], p)
}

func (s *SharedSet) moveSlots(old []uint64, p *movingPart) {
	for _, v := range old {
		if v == 0 {
			continue
		}
		at := s.home(v - 1)
		for p.first <= at && at < p.limit && s.slots[at] != 0 {
			at++
		}
		if p.first <= at && at < p.limit {
			s.slots[at] = v
		} else {
			p.left = append(p.left, v-1)
		}
	}
}
