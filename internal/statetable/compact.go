package statetable

import "math/bits"

// Compact is a set of numbers below 2^width, of which it stores only what their
// place in the table does not say: quotienting, as in Cleary's "Compact hash
// tables using bidirectional linear probing" (1984), but with the displacement
// stored beside the remainder instead of extra bits that
// tell runs apart. It is exact. It is not safe for concurrent use.
//
// A bijection scrambles a number; its upper bits are the shard, the rest, x, the
// place: of m buckets the one that x*m/2^w is in, w being the width of x. The
// remainder is the rest of that product without its lower log2(m) bits, since the
// numbers of one bucket differ by more than that. An entry is the remainder and
// the number of buckets by which it was displaced, plus one (0: no entry), in as
// many bits as that takes: w - log2(m) + 4. Shards grow by a sixth when they are
// 9/10 full.
type Compact struct {
	width     uint
	shardBits uint
	n         int
	shards    []compactShard
	scratch   []uint64
}

type compactShard struct {
	data    []uint64
	buckets uint64
	entry   uint // bits of an entry
	drop    uint // bits of the product that a remainder leaves out
	n       uint64
}

const (
	displacement    = 4 // bits
	compactSplit    = 1 << 15
	compactShardMax = 12
)

// NewCompact returns an empty set of numbers below 2^width, 1 <= width <= 64.
func NewCompact(width uint) *Compact {
	c := &Compact{width: width, shards: make([]compactShard, 1)}
	c.shards[0].resize(c.rest(), 16)
	return c
}

// rest is the width of a number without the bits that choose its shard.
func (c *Compact) rest() uint { return c.width - c.shardBits }

func (s *compactShard) resize(rest uint, buckets uint64) {
	if rest < 32 {
		buckets = min(buckets, 1<<rest)
	}
	s.buckets, s.n = buckets, 0
	s.drop = uint(bits.Len64(buckets) - 1)
	s.entry = rest - s.drop + displacement
	s.data = make([]uint64, (buckets*bucketSlots*uint64(s.entry)+63)/64+1)
}

// Len returns the size of the set.
func (c *Compact) Len() int { return c.n }

// Bytes returns the memory that the set holds.
func (c *Compact) Bytes() int64 {
	total := int64(cap(c.scratch)) * 8
	for i := range c.shards {
		total += int64(cap(c.shards[i].data))*8 + 56
	}
	return total
}

// Load returns the share of slots in use.
func (c *Compact) Load() float64 {
	slots := uint64(0)
	for i := range c.shards {
		slots += c.shards[i].buckets * bucketSlots
	}
	return float64(c.n) / float64(slots)
}

// Add adds a number below 2^width and reports whether it is new.
func (c *Compact) Add(number uint64) bool {
	h := scramble(number, c.width)
	for {
		i := h >> 1 >> (c.rest() - 1)
		s := &c.shards[i]
		fresh, full := s.add(h, c.rest())
		switch {
		case full:
			c.grow(i)
			continue
		case fresh:
			c.n++
			if s.n*10 >= s.buckets*bucketSlots*9 {
				c.grow(i)
			}
		}
		return fresh
	}
}

// place returns the home bucket of the lower rest bits of h, and the remainder.
func (s *compactShard) place(h uint64, rest uint) (home, remainder uint64) {
	home, low := bits.Mul64(h<<(64-rest), s.buckets)
	return home, low >> (64 - rest) >> s.drop
}

// add adds what place says; full: there is no room near its home.
func (s *compactShard) add(h uint64, rest uint) (fresh, full bool) {
	at, remainder := s.place(h, rest)
	for d := uint64(1); d < 1<<displacement && d <= s.buckets; d++ {
		want := remainder<<displacement | d
		bit := at * bucketSlots * uint64(s.entry)
		for range bucketSlots {
			switch s.get(bit) {
			case want:
				return false, false
			case 0:
				s.set(bit, want)
				s.n++
				return true, false
			}
			bit += uint64(s.entry)
		}
		if at++; at == s.buckets {
			at = 0
		}
	}
	return false, true
}

// get reads the entry that begins at a bit.
func (s *compactShard) get(bit uint64) uint64 {
	w, shift := bit/64, bit%64
	v := s.data[w]>>shift | s.data[w+1]<<1<<(63-shift)
	return v & (^uint64(0) >> (64 - s.entry))
}

// set writes an entry where there is none.
func (s *compactShard) set(bit, v uint64) {
	w, shift := bit/64, bit%64
	s.data[w] |= v << shift
	s.data[w+1] |= v >> 1 >> (63 - shift)
}

// take appends the contents of shard i, scrambled, to scratch.
func (c *Compact) take(i uint64) {
	s := &c.shards[i]
	rest := c.rest()
	for slot := range s.buckets * bucketSlots {
		v := s.get(slot * uint64(s.entry))
		if v == 0 {
			continue
		}
		home := slot/bucketSlots + s.buckets - (v&(1<<displacement-1) - 1)
		if home >= s.buckets {
			home -= s.buckets
		}
		x, left := bits.Div64(home, v>>displacement<<s.drop<<(64-rest), s.buckets)
		if left > 0 {
			x++
		}
		// x is shifted up by 64-rest: round up to the next that is.
		if low := x & (1<<(64-rest) - 1); low > 0 {
			x += 1<<(64-rest) - low
		}
		c.scratch = append(c.scratch, x>>(64-rest)|i<<1<<(rest-1))
	}
}

// grow makes a shard larger, or splits all shards.
func (c *Compact) grow(i uint64) {
	s := &c.shards[i]
	if s.n >= compactSplit && c.shardBits < compactShardMax && c.rest() > 16 {
		c.split()
		return
	}
	c.scratch = c.scratch[:0]
	c.take(i)
	more := s.buckets / 6
	if c.n < small {
		more = s.buckets / 2
	}
	c.put(i, s.buckets+max(1, more))
}

// put makes shard i hold scratch, in at least so many buckets.
func (c *Compact) put(i, buckets uint64) {
	s := &c.shards[i]
again:
	s.resize(c.rest(), buckets)
	for _, h := range c.scratch {
		if _, full := s.add(h, c.rest()); full {
			buckets += buckets/8 + 1
			goto again
		}
	}
}

// split divides every shard into several.
func (c *Compact) split() {
	old := *c
	c.shards = make([]compactShard, len(old.shards)<<splitBits)
	c.shardBits += splitBits
	var parts [1 << splitBits][]uint64
	for i := range old.shards {
		old.scratch = old.scratch[:0]
		old.take(uint64(i))
		for p := range parts {
			parts[p] = parts[p][:0]
		}
		for _, h := range old.scratch {
			p := h >> c.rest() & (1<<splitBits - 1)
			parts[p] = append(parts[p], h)
		}
		for p := range parts {
			c.scratch = parts[p]
			c.put(uint64(i)<<splitBits|uint64(p), max(16, uint64(len(parts[p]))/6))
		}
		old.shards[i].data = nil
	}
	c.scratch = nil
}

// All calls yield for every number, in no particular order, until it returns
// false. The set must not be changed meanwhile.
func (c *Compact) All(yield func(number uint64) bool) {
	for i := range c.shards {
		c.scratch = c.scratch[:0]
		c.take(uint64(i))
		for _, h := range c.scratch {
			if !yield(unscramble(h, c.width)) {
				return
			}
		}
	}
}

// scramble is a bijection of the numbers below 2^width.
func scramble(x uint64, width uint) uint64 {
	mask := ^uint64(0) >> (64 - width)
	half := (width + 1) / 2
	x = x * multiplier1 & mask
	x ^= x >> half
	x = x * multiplier2 & mask
	x ^= x >> half
	return x * multiplier1 & mask
}

func unscramble(x uint64, width uint) uint64 {
	mask := ^uint64(0) >> (64 - width)
	half := (width + 1) / 2
	x = x * inverse1 & mask
	x ^= x >> half
	x = x * inverse2 & mask
	x ^= x >> half
	return x * inverse1 & mask
}

// Hash returns a hash of a state, of 64 bits.
func Hash(state []uint64) uint64 { return mixAll(state) }
