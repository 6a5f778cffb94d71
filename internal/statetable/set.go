package statetable

import (
	"math/bits"
	"slices"
)

// Set is a set of states without numbers: leaner and faster than a Table for
// searches that need to know only whether a state is new. It is not safe for
// concurrent use.
//
// A state is stored inline in an open-addressing table, its first word replaced
// by a bijective mix of all its words. The mix is the hash as well: its upper
// bits choose one of up to 4096 shards, the next bits a bucket of the shard, by
// multiplication, so that shards can have any size; the lowest choose where in the
// bucket to begin. A bucket has eight slots, and what does not fit goes to the next
// bucket. A shard is a list of pages; when it is 7/8 full it grows by half (small sets
// double, large ones grow by a quarter), in place, which is done in a moment. So the
// memory per word of a state is 9.2 bytes just before a shard grows and 13.7 (11.4)
// just after; no large array is ever copied, and no garbage left behind. The smallest
// set takes a page. For states of one word a WordSet is faster.
type Set struct {
	words     int
	n         int
	pageBits  uint8 // a page has 1<<pageBits slots
	shardBits uint8
	shards    []shard
	pages     int
	slab      []uint64 // from which pages are cut
	slabPages int
	scratch   []uint64
	// zeros are the states whose mix is 0, the mark of empty slots. There is at
	// most one if words == 1, and hardly ever one otherwise.
	zeros []uint64
}

// shard is an open-addressing table of buckets.
type shard struct {
	pages    [][]uint64
	buckets  uint64
	n, limit uint64 // limit: n at which it grows
}

const (
	bucketSlots  = 8
	small        = 1 << 15 // states up to which shards double
	gentle       = 1 << 24 // states beyond which shards grow by less
	splitPages   = 64      // pages of a shard at which all shards are split
	splitBits    = 4       // into so many
	maxShardBits = 12
)

// NewSet returns an empty set of states of that many words, at least 1.
func NewSet(words int) *Set {
	s := &Set{words: words, pageBits: 9, shards: make([]shard, 1)}
	for s.pageBits > 4 && words<<s.pageBits > 1<<11 {
		s.pageBits--
	}
	s.addPages(&s.shards[0], 1)
	return s
}

// Len returns the number of states.
func (s *Set) Len() int { return s.n }

// Words returns the length of a state.
func (s *Set) Words() int { return s.words }

// Bytes returns the memory that the set holds.
func (s *Set) Bytes() int64 {
	pageBytes := int64(8*s.words) << s.pageBits
	return int64(s.pages)*(pageBytes+32) + int64(cap(s.slab)+cap(s.scratch)+cap(s.zeros))*8 + int64(len(s.shards))*72
}

// Load returns the share of slots in use.
func (s *Set) Load() float64 { return float64(s.n) / float64(s.pages<<s.pageBits) }

// AddAll adds the states, which lie one after the other, and appends those that
// are new to fresh, in their order.
func (s *Set) AddAll(states, fresh []uint64) []uint64 {
	var mixes, found [block]uint64
	w := s.words
	for len(states) > 0 {
		k := min(block, len(states)/w)
		for i := range k {
			h := mixAll(states[i*w : (i+1)*w])
			mixes[i] = h
			found[i] = s.peek(h)
		}
		for i := range k {
			state := states[i*w : (i+1)*w]
			// found is used only to have its memory on the way.
			if s.addMixed(state, mixes[i]|found[i]&0) {
				fresh = append(fresh, state...)
			}
		}
		states = states[k*w:]
	}
	return fresh
}

// Add adds one state and reports whether it is new.
func (s *Set) Add(state []uint64) bool {
	h := mixAll(state)
	return s.addMixed(state, h)
}

// addMixed adds a state with that mix.
func (s *Set) addMixed(state []uint64, h uint64) bool {
	if h == 0 {
		return s.addZero(state)
	}
	i := h >> 1 >> (63 - s.shardBits&63)
	slot, found := s.slotOf(&s.shards[i], state, h)
	if found {
		return false
	}
	slot[0] = h
	copy(slot[1:], state[1:])
	s.inserted(i)
	return true
}

// slotOf returns the slot of a state, or the empty one where it belongs.
func (s *Set) slotOf(sh *shard, state []uint64, h uint64) (slot []uint64, found bool) {
	at, _ := bits.Mul64(h<<(s.shardBits&63), sh.buckets)
	for {
		for j := range uint64(bucketSlots) {
			slot := s.slot(sh, at*bucketSlots+(h+j)%bucketSlots)
			if slot[0] == 0 {
				return slot, false
			}
			if slot[0] == h && slices.Equal(slot[1:], state[1:]) {
				return slot, true
			}
		}
		if at++; at == sh.buckets {
			at = 0
		}
	}
}

// slot returns a slot of a shard.
func (s *Set) slot(sh *shard, at uint64) []uint64 {
	w := uint64(s.words)
	in := at & (1<<s.pageBits - 1)
	return sh.pages[at>>s.pageBits][in*w : (in+1)*w]
}

// peek reads the first slot where a state with that mix may be.
func (s *Set) peek(h uint64) uint64 {
	sh := &s.shards[h>>1>>(63-s.shardBits&63)]
	at, _ := bits.Mul64(h<<(s.shardBits&63), sh.buckets)
	return s.slot(sh, at*bucketSlots+h%bucketSlots)[0]
}

// Contains reports whether the set has that state.
func (s *Set) Contains(state []uint64) bool {
	h := mixAll(state)
	if h == 0 {
		return s.isZero(state)
	}
	_, found := s.slotOf(&s.shards[h>>1>>(63-s.shardBits&63)], state, h)
	return found
}

func (s *Set) isZero(state []uint64) bool {
	for at := 0; at < len(s.zeros); at += s.words {
		if slices.Equal(s.zeros[at+1:at+s.words], state[1:]) {
			return true
		}
	}
	return false
}

func (s *Set) addZero(state []uint64) bool {
	if s.isZero(state) {
		return false
	}
	s.zeros = append(append(s.zeros, 0), state[1:]...)
	s.n++
	return true
}

// All calls yield for every state, in no particular order, until it returns
// false. It must not keep or change state.
func (s *Set) All(yield func(state []uint64) bool) {
	state := make([]uint64, s.words)
	visit := func(slot []uint64) bool {
		copy(state, slot)
		state[0] = unpermute(slot[0]) ^ hashRest(state[1:])
		return yield(state)
	}
	for at := 0; at < len(s.zeros); at += s.words {
		if !visit(s.zeros[at : at+s.words]) {
			return
		}
	}
	for i := range s.shards {
		for _, page := range s.shards[i].pages {
			for ; len(page) > 0; page = page[s.words:] {
				if page[0] != 0 && !visit(page[:s.words]) {
					return
				}
			}
		}
	}
}

func (s *Set) inserted(i uint64) {
	s.n++
	sh := &s.shards[i]
	if sh.n++; sh.n >= sh.limit {
		s.grow(sh)
	}
}

// grow makes a shard larger, or splits all shards.
func (s *Set) grow(sh *shard) {
	if len(sh.pages) >= splitPages && s.shardBits < maxShardBits {
		s.split()
		return
	}
	more := len(sh.pages)
	switch {
	case s.n > gentle:
		more /= 4
	case s.n > small:
		more /= 2
	}
	s.take(sh)
	s.addPages(sh, max(1, more))
	s.put()
}

// take moves the contents of a shard to scratch.
func (s *Set) take(sh *shard) {
	w := s.words
	size := int(sh.n) * w
	s.scratch = slices.Grow(s.scratch[:0], size+w)[:size+w]
	at := 0
	for _, page := range sh.pages {
		for ; len(page) > 0; page = page[w:] {
			copy(s.scratch[at:at+w], page[:w])
			if page[0] != 0 {
				at += w
			}
		}
	}
	for _, page := range sh.pages {
		clear(page)
	}
	s.scratch = s.scratch[:size]
	sh.n = 0
}

// put inserts what take took, all of it different and with room for it.
func (s *Set) put() {
	for rest := s.scratch; len(rest) > 0; rest = rest[s.words:] {
		h := rest[0]
		sh := &s.shards[h>>1>>(63-s.shardBits&63)]
		slot, _ := s.slotOf(sh, rest[:s.words], h)
		copy(slot, rest)
		sh.n++
	}
}

// split divides every shard into several, which share its pages.
func (s *Set) split() {
	old := s.shards
	s.shards = make([]shard, len(old)<<splitBits)
	s.shardBits += splitBits
	for i := range old {
		s.take(&old[i])
		children := s.shards[i<<splitBits : (i+1)<<splitBits]
		for c := range children {
			from, to := c*len(old[i].pages)>>splitBits, (c+1)*len(old[i].pages)>>splitBits
			children[c].pages = slices.Clone(old[i].pages[from:to])
			s.addPages(&children[c], 0)
		}
		s.makeRoom(children)
		s.put()
	}
}

// makeRoom adds pages to the children of a split shard that would otherwise be
// too full for their part of scratch.
func (s *Set) makeRoom(children []shard) {
	var count [1 << splitBits]uint64
	for at := 0; at < len(s.scratch); at += s.words {
		count[s.scratch[at]>>1>>(63-s.shardBits&63)&(1<<splitBits-1)]++
	}
	for c := range children {
		for children[c].limit <= count[c] {
			s.addPages(&children[c], 1)
		}
	}
}

// addPages gives a shard so many more pages, which must be empty.
func (s *Set) addPages(sh *shard, n int) {
	size := s.words << s.pageBits
	for range n {
		if len(s.slab) < size {
			s.slabPages = min(64, 1+s.pages/32)
			s.slab = make([]uint64, s.slabPages*size)
		}
		sh.pages = append(sh.pages, s.slab[:size:size])
		s.slab = s.slab[size:]
		s.pages++
	}
	slots := uint64(len(sh.pages)) << s.pageBits
	sh.buckets = slots / bucketSlots
	sh.limit = slots / 8 * 7
}

// mixAll returns a hash of a state, from which and the other words the first
// word can be had back.
func mixAll(state []uint64) uint64 { return permute(state[0] ^ hashRest(state[1:])) }

func hashRest(words []uint64) uint64 {
	if len(words) == 0 {
		return 0
	}
	return hash(words)
}

// permute is a bijection whose upper and lower bits depend on all bits.
func permute(x uint64) uint64 {
	x *= multiplier1
	x ^= x >> 32
	x *= multiplier2
	return x ^ x>>32
}

var inverse1, inverse2 = inverse(multiplier1), inverse(multiplier2)

// inverse of an odd number modulo 2^64, by Newton's method.
func inverse(a uint64) uint64 {
	x := a
	for range 6 {
		x *= 2 - a*x
	}
	return x
}

func unpermute(x uint64) uint64 {
	x ^= x >> 32
	x *= inverse2
	x ^= x >> 32
	return x * inverse1
}

// Route appends every state to one of parts, chosen by its hash, and to which the
// number of the part: equal states always go to the same part, different ones
// evenly to all. It is independent of where a Set puts states. States have that
// many words and lie one after the other.
func Route(states []uint64, words int, parts [][]uint64, which []uint16) []uint16 {
	n := uint64(len(parts))
	if words == 1 {
		for _, x := range states {
			p := permute(x) & (1<<32 - 1) * n >> 32
			parts[p] = append(parts[p], x)
			which = append(which, uint16(p))
		}
		return which
	}
	for ; len(states) > 0; states = states[words:] {
		p := mixAll(states[:words]) & (1<<32 - 1) * n >> 32
		parts[p] = append(parts[p], states[:words]...)
		which = append(which, uint16(p))
	}
	return which
}
