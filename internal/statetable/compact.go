package statetable

import (
	"math/bits"
	"slices"
)

// Compact is a set of numbers below 2^width, of which it stores only what their
// place in the table does not say: quotienting, as in [Cleary84], but with the
// numbers sorted and the sizes of buckets in unary, as in the lists of
// [Elias74]. It is exact. It is not safe for concurrent use.
//
// A bijection scrambles a number; its upper bits choose a shard, the next ones a
// block of the shard and one of the 64 buckets of the block, and only the rest,
// the remainder, is stored. A block has two words in which for every bucket there
// are as many ones as it has numbers, and a zero, and then the remainders in order
// of buckets and size. So it takes width - log2(Len) + 4 to 6 bits for a number.
//
// Blocks lie in the pages of a shard one after the other, each with little room
// for more; one that is full gets a word from the nearest that has one to spare.
// When a shard has hardly any left it gets a sixteenth more pages. When a block
// has 64 numbers the blocks of the shard are halved.
type Compact struct {
	touched uint64 // written so that the compiler keeps reads

	width     uint
	shardBits uint
	n         int
	shards    []compactShard
	pages     int
	slab      []uint64 // from which pages are cut
	numbers   []uint64 // scratch
	moving    []uint64 // scratch
}

type compactShard struct {
	pages     []*compactPage
	starts    []uint32 // by block, where it begins, and the end
	counts    []uint8  // by block, its numbers
	remainder uint     // bits of a remainder
	n         int
	spare     int // words of all blocks together that are not in use
}

type compactPage [compactPageWords]uint64

const (
	compactPageWords = 1 << 6
	bucketBits       = 6 // a block has so many buckets
	headWords        = 2
	blockMost        = 64  // numbers of a block
	blockMean        = 32  // numbers of a block laid out anew, at most
	compactSplit     = 256 // blocks of a shard at which all shards are split
	compactSplitBits = 3   // into so many
	compactShardMax  = 12
)

// NewCompact returns an empty set of numbers below 2^width, 1 <= width <= 64.
func NewCompact(width uint) *Compact {
	c := &Compact{width: max(width, bucketBits), shards: make([]compactShard, 1)}
	c.build(&c.shards[0], nil, 0)
	return c
}

// rest is the width of a number without the bits that choose its shard.
func (c *Compact) rest() uint { return c.width - c.shardBits }

// Len returns the size of the set.
func (c *Compact) Len() int { return c.n }

// Bytes returns the memory that the set holds.
func (c *Compact) Bytes() int64 {
	total := int64(c.pages*compactPageWords+len(c.slab)+cap(c.numbers)+cap(c.moving)) * 8
	for i := range c.shards {
		s := &c.shards[i]
		total += int64(cap(s.pages)*8 + cap(s.starts)*4 + cap(s.counts) + 104)
	}
	return total
}

// Load returns the share of the memory for blocks that is in use.
func (c *Compact) Load() float64 {
	spare := len(c.slab)
	for i := range c.shards {
		spare += c.shards[i].spare
	}
	return 1 - float64(spare)/float64(c.pages*compactPageWords+len(c.slab))
}

// Add adds a number below 2^width and reports whether it is new.
func (c *Compact) Add(number uint64) bool {
	return c.add(scramble(number, c.width))
}

// AddAll adds numbers below 2^width and says in fresh, which must be as long,
// which are new. It is faster than as many calls of Add, because the look-ups
// wait for memory together.
func (c *Compact) AddAll(numbers []uint64, fresh []bool) {
	var mixes [block]uint64
	for len(numbers) > 0 {
		k := min(block, len(numbers))
		for i, x := range numbers[:k] {
			h := scramble(x, c.width)
			mixes[i] = h
			s, x := c.shardOf(h)
			c.touched ^= *s.word(s.starts[x>>s.remainder>>bucketBits])
		}
		for i := range k {
			fresh[i] = c.add(mixes[i])
		}
		numbers, fresh = numbers[k:], fresh[k:]
	}
}

// shardOf returns the shard of a scrambled number, and the rest of that.
func (c *Compact) shardOf(h uint64) (s *compactShard, x uint64) {
	return &c.shards[h>>1>>(c.rest()-1)], h & (^uint64(0) >> (64 - c.rest()))
}

func (s *compactShard) word(at uint32) *uint64 {
	return &s.pages[at/compactPageWords][at%compactPageWords]
}

// add adds a scrambled number.
func (c *Compact) add(h uint64) bool {
	for {
		s, x := c.shardOf(h)
		b := x >> s.remainder >> bucketBits
		bit, index, found := s.find(b, x)
		switch {
		case found:
			return false
		case s.counts[b] == blockMost:
			c.enlarge(s)
		case !s.makeRoom(int(b), &c.moving):
			c.widen(s)
		default:
			s.insert(b, x, bit, index)
			c.n++
			return true
		}
	}
}

// find looks for x in block b. If it is not there, bit and index are where its
// one and its remainder belong.
func (s *compactShard) find(b, x uint64) (bit, index uint, found bool) {
	at := s.starts[b]
	head, tail := *s.word(at), *s.word(at + 1)
	bucket := uint(x >> s.remainder & (1<<bucketBits - 1))
	if bucket > 0 {
		bit = selectZero(head, tail, bucket-1) + 1
	}
	want := x & (1<<s.remainder - 1)
	for index = bit - bucket; ; bit, index = bit+1, index+1 {
		ones := head >> (bit & 63)
		if bit >= 64 {
			ones = tail >> (bit & 63)
		}
		if bit > 127 || ones&1 == 0 {
			return bit, index, false
		}
		if r := s.get(at, index); r >= want {
			return bit, index, r == want
		}
	}
}

// get returns a remainder of the block that begins at a word.
func (s *compactShard) get(at uint32, index uint) uint64 {
	if s.remainder == 0 {
		return 0
	}
	bit := index * s.remainder
	at += headWords + uint32(bit/64)
	v := *s.word(at) >> (bit % 64)
	if bit%64+s.remainder > 64 {
		v |= *s.word(at + 1) << (64 - bit%64)
	}
	return v & (1<<s.remainder - 1)
}

// used returns the words that a block with so many numbers needs.
func (s *compactShard) used(count uint8) int {
	return headWords + int(uint(count)*s.remainder+63)/64
}

// insert adds x to block b, which has room, where find says.
func (s *compactShard) insert(b, x uint64, bit, index uint) {
	var buffer [headWords + blockMost]uint64
	count := s.counts[b]
	before, after := s.used(count), s.used(count+1)
	words := buffer[:after]
	s.load(s.starts[b], words[:before])
	insertOne((*[headWords]uint64)(words), bit)
	if s.remainder > 0 {
		insertBits(words[headWords:], index*s.remainder, s.remainder, x&(1<<s.remainder-1))
	}
	s.store(s.starts[b], words)
	s.counts[b]++
	s.spare -= after - before
	s.n++
}

// insertOne moves the bits from one on up by one, and sets that.
func insertOne(head *[headWords]uint64, bit uint) {
	if bit >= 64 {
		low := uint64(1)<<(bit-64) - 1
		head[1] = head[1]&low | (head[1]&^low)<<1 | 1<<(bit-64)
		return
	}
	low := uint64(1)<<bit - 1
	head[1] = head[1]<<1 | head[0]>>63
	head[0] = head[0]&low | (head[0]&^low)<<1 | 1<<bit
}

// insertBits moves the bits from at on up by width, 1 to 63, and puts v there. The
// last word has room for them.
func insertBits(words []uint64, at, width uint, v uint64) {
	first, shift := int(at/64), at%64
	low := uint64(1)<<shift - 1
	rest := words[first] &^ low
	for w := len(words) - 1; w > first+1; w-- {
		words[w] = words[w]<<width | words[w-1]>>(64-width)
	}
	if first+1 < len(words) {
		words[first+1] = words[first+1]<<width | rest>>(64-width) | v>>1>>(63-shift)
	}
	words[first] = words[first]&low | rest<<width | v<<shift
}

// load copies words from the pages, store to them.
func (s *compactShard) load(at uint32, to []uint64) {
	for len(to) > 0 {
		k := copy(to, s.pages[at/compactPageWords][at%compactPageWords:])
		to, at = to[k:], at+uint32(k)
	}
}

func (s *compactShard) store(at uint32, from []uint64) {
	for len(from) > 0 {
		k := copy(s.pages[at/compactPageWords][at%compactPageWords:], from)
		from, at = from[k:], at+uint32(k)
	}
}

// room returns how many words of a block are not in use.
func (s *compactShard) room(b int) int {
	return int(s.starts[b+1]-s.starts[b]) - s.used(s.counts[b])
}

// makeRoom makes room for one more number in a block, with a word from the nearest
// one that can spare it. It returns false if the shard has too few of them.
func (s *compactShard) makeRoom(b int, scratch *[]uint64) bool {
	if s.room(b) >= s.used(s.counts[b]+1)-s.used(s.counts[b]) {
		return true
	}
	if s.spare < len(s.counts)/4+1 {
		return false
	}
	for distance := 1; ; distance++ {
		if to := b + distance; to < len(s.counts) && s.room(to) > 0 {
			s.move(s.starts[b+1], s.starts[to]+uint32(s.used(s.counts[to])), 1, scratch)
			for i := b + 1; i <= to; i++ {
				s.starts[i]++
			}
			return true
		}
		if from := b - distance; from >= 0 && s.room(from) > 0 {
			s.move(s.starts[from+1], s.starts[b]+uint32(s.used(s.counts[b])), ^uint32(0), scratch)
			for i := from + 1; i <= b; i++ {
				s.starts[i]--
			}
			return true
		}
	}
}

// move moves words by so many places.
func (s *compactShard) move(from, to, by uint32, scratch *[]uint64) {
	*scratch = slices.Grow((*scratch)[:0], int(to-from))[:to-from]
	s.load(from, *scratch)
	s.store(from+by, *scratch)
}

// addPage gives a shard another page, of which nothing is known.
func (c *Compact) addPage(s *compactShard) {
	if len(c.slab) == 0 {
		c.slab = make([]uint64, compactPageWords*min(256, 1+c.pages/64))
	}
	if len(s.pages) == cap(s.pages) {
		s.pages = append(make([]*compactPage, 0, len(s.pages)+len(s.pages)/8+1), s.pages...)
	}
	s.pages = append(s.pages, (*compactPage)(c.slab))
	c.slab = c.slab[compactPageWords:]
	c.pages++
}

// widen gives a shard more pages and its blocks even room.
func (c *Compact) widen(s *compactShard) {
	c.moving = slices.Grow(c.moving[:0], len(s.pages)*compactPageWords)
	for b, count := range s.counts {
		from := len(c.moving)
		c.moving = c.moving[:from+s.used(count)]
		s.load(s.starts[b], c.moving[from:])
	}
	for range max(1, len(s.pages)/16) {
		c.addPage(s)
	}
	s.spread()
	words := c.moving
	for b, count := range s.counts {
		s.store(s.starts[b], words[:s.used(count)])
		words = words[s.used(count):]
	}
}

// spread lets blocks begin where all have the same room.
func (s *compactShard) spread() {
	total := 0
	for _, count := range s.counts {
		total += s.used(count)
	}
	s.spare = len(s.pages)*compactPageWords - total
	at := 0
	for b, count := range s.counts {
		s.starts[b] = uint32(at + s.spare*b/len(s.counts))
		at += s.used(count)
	}
	s.starts[len(s.counts)] = uint32(len(s.pages) * compactPageWords)
}

// enlarge halves the blocks of a shard, or splits all shards.
func (c *Compact) enlarge(s *compactShard) {
	if len(s.counts) >= compactSplit && c.shardBits < compactShardMax && c.rest() > 16 {
		c.split()
		return
	}
	c.numbers = c.take(s, c.numbers[:0])
	c.build(s, c.numbers, uint(bits.Len(uint(len(s.counts)))))
}

// take appends the numbers of a shard, in order and without the bits that choose
// it.
func (c *Compact) take(s *compactShard, to []uint64) []uint64 {
	to = slices.Grow(to, s.n)
	for b := range s.counts {
		at := s.starts[b]
		head, tail := *s.word(at), *s.word(at + 1)
		bucket := uint64(b) << bucketBits
		for index := uint(0); index < uint(s.counts[b]); head, tail = head>>1|tail<<63, tail>>1 {
			if head&1 == 0 {
				bucket++
				continue
			}
			to = append(to, bucket<<s.remainder|s.get(at, index))
			index++
		}
	}
	return to
}

// build makes a shard hold those numbers, which are in order, in 2^blockBits
// blocks, or more if they had more than blockMean numbers on average.
func (c *Compact) build(s *compactShard, numbers []uint64, blockBits uint) {
	for len(numbers) > blockMean<<blockBits && blockBits < c.rest()-bucketBits {
		blockBits++
	}
again:
	s.remainder = c.rest() - bucketBits - blockBits
	s.n = len(numbers)
	s.starts = make([]uint32, 1<<blockBits+1)
	s.counts = make([]uint8, 1<<blockBits)
	for _, x := range numbers {
		if b := x >> s.remainder >> bucketBits; s.counts[b] < blockMost {
			s.counts[b]++
			continue
		}
		blockBits++
		goto again
	}
	need := 0
	for _, count := range s.counts {
		need += s.used(count)
	}
	for len(s.pages)*compactPageWords < need+need/32+len(s.counts)/2 {
		c.addPage(s)
	}
	s.spread()
	for b, count := range s.counts {
		s.fill(b, numbers[:count])
		numbers = numbers[count:]
	}
}

// fill writes a block.
func (s *compactShard) fill(b int, numbers []uint64) {
	var buffer [headWords + blockMost]uint64
	words := buffer[:s.used(uint8(len(numbers)))]
	for i, x := range numbers {
		bit := uint(i) + uint(x>>s.remainder&(1<<bucketBits-1))
		words[bit/64] |= 1 << (bit % 64)
		r := x & (1<<s.remainder - 1)
		at := uint(i) * s.remainder
		if s.remainder > 0 {
			words[headWords+at/64] |= r << (at % 64)
			if at%64+s.remainder > 64 {
				words[headWords+at/64+1] |= r >> (64 - at%64)
			}
		}
	}
	s.store(s.starts[b], words)
}

// split divides every shard into several, which share its pages.
func (c *Compact) split() {
	old := c.shards
	c.shards = make([]compactShard, len(old)<<compactSplitBits)
	c.shardBits += compactSplitBits
	for i := range old {
		s := &old[i]
		numbers := c.take(s, c.numbers[:0])
		c.numbers = numbers
		for p := range 1 << compactSplitBits {
			child := &c.shards[i<<compactSplitBits+p]
			from, to := p*len(s.pages)>>compactSplitBits, (p+1)*len(s.pages)>>compactSplitBits
			child.pages = slices.Clone(s.pages[from:to])
			k := 0
			for k < len(numbers) && numbers[k]>>c.rest() == uint64(p) {
				numbers[k] &= 1<<c.rest() - 1
				k++
			}
			c.build(child, numbers[:k], 0)
			numbers = numbers[k:]
		}
		s.pages = nil
	}
}

// All calls yield for every number, in no particular order, until it returns
// false. The set must not be changed meanwhile.
func (c *Compact) All(yield func(number uint64) bool) {
	for i := range c.shards {
		c.numbers = c.take(&c.shards[i], c.numbers[:0])
		for _, x := range c.numbers {
			if !yield(unscramble(x|uint64(i)<<1<<(c.rest()-1), c.width)) {
				return
			}
		}
	}
}

// selectZero returns the place of the k-th zero, counted from 0, of two words.
func selectZero(head, tail uint64, k uint) uint {
	if zeros := uint(bits.OnesCount64(^head)); k >= zeros {
		return 64 + selectOne(^tail, k-zeros)
	}
	return selectOne(^head, k)
}

// selectOne returns the place of the k-th one, counted from 0, of a word that has
// so many: [Vigna08], algorithm 2, with a table for the last byte.
func selectOne(x uint64, k uint) uint {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones // by byte, the ones up to its end
	place := uint(bits.OnesCount64(((uint64(k)*ones|tops)-s)&tops)) * 8
	k -= uint(s << 8 >> place & 0xff)
	return place + uint(selectInByte[k&7][x>>(place&63)&0xff])
}

var selectInByte = func() (table [8][256]uint8) {
	for x := range 256 {
		k := 0
		for bit := range uint8(8) {
			if x>>bit&1 == 1 {
				table[k][x] = bit
				k++
			}
		}
	}
	return table
}()

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

var inverse1, inverse2 = inverse(multiplier1), inverse(multiplier2)

// inverse of an odd number modulo 2^64, by Newton's method.
func inverse(a uint64) uint64 {
	x := a
	for range 6 {
		x *= 2 - a*x
	}
	return x
}
