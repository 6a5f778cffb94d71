package statetable

import (
	"math"
	"math/bits"
)

// Bitstate is Holzmann's double-bit supertrace [Holzmann87]: a state counts as
// seen if two bits of an array are set, which its hash chooses. It takes other
// states for seen: searches with it may miss some. It is not safe for concurrent
// use.
type Bitstate struct {
	words  int
	seed   uint64
	array  []uint64
	n      int
	ones   int
	missed float64
	loaded int // see Load
}

// NewBitstate returns an empty set of states of that many words in an array of so
// many bytes, at least 8. Which states are taken for others depends on the seed.
func NewBitstate(words int, bytes int64, seed uint64) *Bitstate {
	return &Bitstate{words: words, seed: seed, array: make([]uint64, max(1, bytes/8))}
}

// AddAll adds the states, which lie one after the other, and appends those that
// count as new to fresh, in their order.
func (b *Bitstate) AddAll(states, fresh []uint64) []uint64 {
	size := uint64(len(b.array)) * 64
	for ; len(states) > 0; states = states[b.words:] {
		h := reseed(mixAll(states[:b.words]), b.seed)
		first, _ := bits.Mul64(h, size)
		second, _ := bits.Mul64(permute(h^multiplier2), size)
		known := b.set(first)
		if b.set(second) && known {
			continue
		}
		fresh = append(fresh, states[:b.words]...)
		b.n++
		// Of states like this one that are new, so many were taken for known.
		full := float64(b.ones) / float64(size)
		b.missed += full * full / (1 - min(full*full, 0.999999))
	}
	return fresh
}

// set sets a bit and reports whether it was set.
func (b *Bitstate) set(bit uint64) bool {
	word, mask := &b.array[bit/64], uint64(1)<<(bit%64)
	if *word&mask != 0 {
		return true
	}
	*word |= mask
	b.ones++
	return false
}

// Len returns the number of states that counted as new.
func (b *Bitstate) Len() int { return b.n }

// Bytes returns the memory that the set holds.
func (b *Bitstate) Bytes() int64 { return int64(len(b.array)) * 8 }

// Missed estimates how many states were taken for others, of those that the
// search met; what they would have led to is not counted.
func (b *Bitstate) Missed() float64 { return b.missed }

// Save calls list with what Load needs, in portions, none of them empty.
func (b *Bitstate) Save(list func(words []uint64)) {
	list([]uint64{uint64(b.n), uint64(b.ones), math.Float64bits(b.missed)})
	for at := 0; at < len(b.array); at += 1 << 14 {
		list(b.array[at:min(len(b.array), at+1<<14)])
	}
}

// Load takes the portions of Save, in order, into a new set of the same size.
func (b *Bitstate) Load(words []uint64) {
	if b.loaded == 0 {
		b.n, b.ones, b.missed = int(words[0]), int(words[1]), math.Float64frombits(words[2])
		b.loaded = 1
		return
	}
	b.loaded += copy(b.array[b.loaded-1:], words)
}
