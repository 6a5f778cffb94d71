package statetable

import "slices"

// Recent remembers some of the states that it was shown last, in little memory: a
// direct-mapped cache. In a breadth-first search states that have several
// predecessors are met again soon, since their predecessors are neighbours, so
// that four of five look-ups in the store of all states can be saved by one here.
// It is exact: what it drops it has let through before.
type Recent struct {
	words int
	most  uint8    // binary logarithm of the words of the cache, at most
	shift uint8    // of a hash, to get the place
	cache []uint64 // states; where none was, the one whose hash is 0, see newCache
	shown int      // states let through since the cache was made
}

// The cache begins small and grows with the search, to what fits into a
// processor's second-level cache.
const (
	recentLeast = 6
	recentMost  = 16
)

// NewRecent returns a Recent for states of that many words, at least 1.
func NewRecent(words int) *Recent { return NewRecentWithin(words, recentMost) }

// NewRecentWithin returns one that grows to 2^most words, about: more than a processor's caches
// hold pays where what is let through costs more than a look-up in a store.
func NewRecentWithin(words int, most uint8) *Recent {
	r := &Recent{words: words, most: most}
	r.newCache(recentLeast)
	return r
}

// Bytes returns the memory that the cache holds.
func (r *Recent) Bytes() int64 { return int64(cap(r.cache)) * 8 }

func (r *Recent) newCache(places uint8) {
	r.shift = 64 - places
	r.cache = make([]uint64, r.words<<places)
	r.shown = 0
	// The state of zeros is the only one that looks like an unused place.
	// Its place is occupied by a state that belongs elsewhere.
	zero := make([]uint64, r.words)
	at := int(mixAll(zero)>>r.shift) * r.words
	for other := uint64(1); ; other++ {
		zero[0] = other
		if int(mixAll(zero)>>r.shift)*r.words != at {
			r.cache[at] = other
			return
		}
	}
}

// Filter appends to out the states that it does not remember, which lie one after
// the other, in their order. out may be states[:0].
func (r *Recent) Filter(states, out []uint64) []uint64 {
	before := len(out)
	switch r.words {
	case 1:
		out = r.filter1(states, out)
	case 2:
		out = r.filter2(states, out)
	default:
		out = r.filter(states, out)
	}
	r.shown += (len(out) - before) / r.words
	if len(r.cache) < 1<<r.most && r.shown*r.words > len(r.cache) {
		r.newCache(64 - r.shift + 2)
	}
	return out
}

// filter1 is filter for states of one word, without branches that the processor
// would guess wrong.
func (r *Recent) filter1(states, out []uint64) []uint64 {
	n := len(out)
	out = slices.Grow(out, len(states))[:n+len(states)]
	cache, shift := r.cache, r.shift&63
	for _, x := range states {
		place := &cache[permute(x)>>shift&uint64(len(cache)-1)]
		out[n] = x
		if *place != x {
			n++
		}
		*place = x
	}
	return out[:n]
}

// filter2 is that for states of two words.
func (r *Recent) filter2(states, out []uint64) []uint64 {
	n := len(out)
	out = slices.Grow(out, len(states))[:n+len(states)]
	cache, shift := r.cache, r.shift&63
	for ; len(states) > 1; states = states[2:] {
		x, y := states[0], states[1]
		at := 2 * (permute(x^mix(y)) >> shift) & uint64(len(cache)-2)
		place := cache[at : at+2 : at+2]
		differ := (place[0] ^ x) | (place[1] ^ y)
		kept := out[n : n+2 : n+2]
		kept[0], kept[1] = x, y
		if differ != 0 {
			n += 2
		}
		place[0], place[1] = x, y
	}
	return out[:n]
}

func (r *Recent) filter(states, out []uint64) []uint64 {
	w := r.words
	for ; len(states) > 0; states = states[w:] {
		state := states[:w]
		at := int(mixAll(state)>>r.shift) * w
		if place := r.cache[at : at+w]; !slices.Equal(place, state) {
			copy(place, state)
			out = append(out, state...)
		}
	}
	return out
}
