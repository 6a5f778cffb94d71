package statetable

import (
	"math/bits"
	"sync/atomic"
)

// WordSet is a set of states of one word that one or several goroutines add to at
// once, without locks: an open-addressing table with linear probing whose slots are the
// states themselves, so that a look-up waits for memory once. ([Laarman10].)
//
// States are in the order of their hashes, nearly, and the slots in segments of one
// size. So when the set is 4/5 full, Grow, where nobody uses the set, adds segments and
// moves the states upwards in place, from the last to the first, reading and writing
// memory in order; nothing is allocated twice. A state takes 10 bytes just before, 13.3
// just after (small sets double: 20).
type WordSet struct {
	segments []*segment
	size     uint64 // slots
	limit    int64  // n at which it is crowded
	users    int

	_       [64]byte // what follows changes all the time
	n       atomic.Int64
	crowded atomic.Bool
	last    atomic.Bool // the state whose bits are all set, which has no slot, is in
}

const (
	segmentBits = 13
	segmentMask = 1<<segmentBits - 1
	// doubling is the number of segments up to which a set doubles.
	doubling = 256
)

// segment is a part of the slots: each is a state plus one; 0 is free.
type segment [1 << segmentBits]uint64

// NewWordSet returns an empty set for so many goroutines.
func NewWordSet(users int) *WordSet {
	s := &WordSet{users: users}
	s.resize(1)
	return s
}

// resize adds segments.
func (s *WordSet) resize(segments int) {
	old := len(s.segments)
	longer := make([]*segment, segments)
	copy(longer, s.segments)
	together(min(s.users, segments-old), func(u int) {
		for i := old + u; i < segments; i += s.users {
			longer[i] = new(segment)
			touchPages(longer[i][:])
		}
	})
	s.segments, s.size = longer, uint64(segments)<<segmentBits
	s.limit = int64(s.size / 5 * 4)
}

// Crowded reports whether Grow should be called soon.
func (s *WordSet) Crowded() bool { return s.crowded.Load() }

// Len returns the number of states.
func (s *WordSet) Len() int { return int(s.n.Load()) }

// Nodes returns 0: the states are not compressed, see TreeSet.
func (s *WordSet) Nodes() int { return 0 }

// Load returns the share of the slots that are in use.
func (s *WordSet) Load() float64 { return float64(s.n.Load()) / float64(s.size) }

// Bytes returns the memory that the set holds.
func (s *WordSet) Bytes() int64 { return int64(s.size) * 8 }

// home returns the slot where a state belongs.
func (s *WordSet) home(x uint64) uint64 {
	at, _ := bits.Mul64(mix(x), s.size)
	return at
}

func (s *WordSet) slot(at uint64) *uint64 {
	return &s.segments[at>>segmentBits][at&segmentMask]
}

// WordInserter adds states for one goroutine. It counts them, so that goroutines do not
// meet at one counter all the time.
type WordInserter struct {
	s     *WordSet
	fresh int // states that s.n does not count yet
}

// Inserter returns one for a goroutine.
func (s *WordSet) Inserter() *WordInserter { return &WordInserter{s: s} }

// Flush tells the set of all states that were added: before it is asked for its length,
// or grows.
func (in *WordInserter) Flush() {
	if in.fresh > 0 && in.s.n.Add(int64(in.fresh)) >= in.s.limit {
		in.s.crowded.Store(true)
	}
	in.fresh = 0
}

// uncounted is how many states an inserter keeps to itself.
const uncounted = 256

// AddAll adds the states that are new, and appends them to fresh, in their order: of
// goroutines that add the same state at once one finds it new. It returns how many
// it has dealt with: all, unless there is no room. Then Grow must be called, and
// AddAll for the rest.
func (in *WordInserter) AddAll(states, fresh []uint64) (done int, added []uint64) {
	s := in.s
	before := len(fresh)
	defer func() {
		if in.fresh += len(added) - before; in.fresh >= uncounted {
			in.Flush()
		}
	}()
	var at [block]uint64
	var found [block]uint64
	for done < len(states) {
		part := states[done:min(done+block, len(states))]
		for i, x := range part {
			h := s.home(x)
			at[i&(block-1)] = h
			found[i&(block-1)] = atomic.LoadUint64(s.slot(h))
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
func (s *WordSet) add(x, at uint64) (isNew, room bool) {
	if x+1 == 0 {
		return s.last.CompareAndSwap(false, true), true
	}
	for probes := 0; probes <= len(s.segments); probes++ {
		segment := s.segments[at>>segmentBits]
		for i := at & segmentMask; i <= segmentMask; i++ {
			v := atomic.LoadUint64(&segment[i])
			if v == 0 {
				if atomic.CompareAndSwapUint64(&segment[i], 0, x+1) {
					return true, true
				}
				v = atomic.LoadUint64(&segment[i])
			}
			if v == x+1 {
				return false, true
			}
		}
		if at = at&^segmentMask + 1<<segmentBits; at == s.size {
			at = 0
		}
	}
	return false, false
}

// All calls yield for every state, until it returns false, in no particular order.
// Nobody may add states meanwhile.
func (s *WordSet) All(yield func(state []uint64) bool) {
	var state [1]uint64
	for _, segment := range s.segments {
		for _, v := range segment {
			if state[0] = v - 1; v != 0 && !yield(state[:]) {
				return
			}
		}
	}
	if state[0] = ^uint64(0); s.last.Load() {
		yield(state[:])
	}
}

// Reserve makes room for so many states in all, as Grow would have done little by little.
// Who adds states in the order of All of another set must call it before: they are in the
// order of their hashes, so that a small table would be full at its start and empty
// everywhere else, and every state would pass all those before it. tick, which may be
// nil, is called before every step; its error ends the growth.
func (s *WordSet) Reserve(states int, tick func() error) error {
	for s.limit <= int64(states) {
		if tick != nil {
			if err := tick(); err != nil {
				return err
			}
		}
		s.Grow()
	}
	return nil
}

// Grow makes room when nobody else uses the set, by as many goroutines as it is for.
func (s *WordSet) Grow() {
	segments := len(s.segments)
	if segments < doubling {
		s.grow(segments * 2)
	} else {
		s.grow(segments + segments/3)
	}
}

// grow moves the states in waves: one moves so many of those that are left, from the
// end, as go to slots that are free by now.
func (s *WordSet) grow(segments int) {
	old := s.size
	s.resize(segments)
	m := &moving{s: s, old: old}
	top := old
	for {
		from := m.boundary(m.oldSlot(top), top)
		if from == top {
			break
		}
		m.wave(from, top)
		top = from
	}
	// What is at the start can have its home at the end, or too near to move.
	for at := range top {
		if v := *s.slot(at); v != 0 {
			*s.slot(at) = 0
			m.left = append(m.left, v-1)
		}
	}
	for _, x := range m.left {
		s.add(x, s.home(x))
	}
	s.crowded.Store(s.n.Load() >= s.limit)
}

// moving is a set while its states move to where they belong in more slots. A boundary
// is an old slot after a free one: states from there on have their old homes there, or
// after it.
type moving struct {
	s    *WordSet
	old  uint64   // slots before
	left []uint64 // states for which there was no room where they belong
}

// boundary returns the first boundary from a slot on, or end if there is none before.
func (m *moving) boundary(at, end uint64) uint64 {
	for at = max(at, 1); at < end && *m.s.slot(at - 1) != 0; {
		at++
	}
	return min(at, end)
}

// newSlot returns the first slot that can be the home of a state whose home was an old
// slot, or one after it.
func (m *moving) newSlot(old uint64) uint64 {
	if old == m.old {
		return m.s.size
	}
	hash, rest := bits.Div64(old, 0, m.old)
	if rest > 0 {
		hash++
	}
	at, _ := bits.Mul64(hash, m.s.size)
	return at
}

// oldSlot returns an old slot from which on states go to a new slot, or ones after it.
func (m *moving) oldSlot(new uint64) uint64 {
	hi, lo := bits.Mul64(new, m.old)
	at, _ := bits.Div64(hi, lo, m.s.size)
	return at + 1
}

// wave moves the states between two boundaries, the second of which can be the end. All
// goroutines move some, to slots of their own.
func (m *moving) wave(from, to uint64) {
	users := uint64(m.s.users)
	if to-from < 1<<segmentBits {
		users = 1
	}
	cuts := []uint64{from}
	for u := uint64(1); u < users; u++ {
		if at := m.boundary(from+(to-from)*u/users, to); at > cuts[len(cuts)-1] && at < to {
			cuts = append(cuts, at)
		}
	}
	cuts = append(cuts, to)
	left := make([][]uint64, len(cuts)-1)
	together(len(left), func(u int) { left[u] = m.move(cuts[u], cuts[u+1]) })
	for _, states := range left {
		m.left = append(m.left, states...)
	}
}

// move moves the states between two boundaries without atomic operations: each would
// wait for the memory of the new slot. It returns those for which there is no room.
func (m *moving) move(from, to uint64) (left []uint64) {
	s, limit := m.s, m.newSlot(to)
	for at := from; at < to; at++ {
		slot := s.slot(at)
		v := *slot
		if v == 0 {
			continue
		}
		*slot = 0
		next := s.home(v - 1)
		for next < limit && *s.slot(next) != 0 {
			next++
		}
		if next < limit {
			*s.slot(next) = v
		} else {
			left = append(left, v-1)
		}
	}
	return left
}
