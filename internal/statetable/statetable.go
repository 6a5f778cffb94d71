// Package statetable stores the states that a search has seen.
//
// A state is a fixed number of machine words. A Table numbers states densely
// from 0 in the order of their insertion, finds the number of a state, and gives
// the state back for a number. What else a search wants to know of a state
// (colours, depth, parent) it keeps in arrays of its own, indexed by number; a
// breadth-first search needs no queue, since the numbers are one.
//
// # Layout
//
// The states lie one after the other in chunks that never move. Beside them is
// an open-addressing hash table with linear probing, whose size is a power of
// two, 2^k; a slot has 32 bits: the lower k are the number of a state plus one
// (0: the slot is empty), the upper 32-k a tag from the state's hash, so that
// nearly all comparisons with the wrong state are avoided. The table doubles at
// a load of 4/5 by inserting the numbers anew, without looking at the old slots.
// A state of w words thus takes 8w + 4/load bytes: for one word 13 when the
// table is about to grow, 18 when it has grown, 15 on average over a long run.
//
// # Decisions
//
// Stores are one family one floor down: the tables and sets of internal/statetable. Lossy ones are used as
// they are; above exact ones are adapters of some ten lines each, in lks/explore and emptiness/sets.go, and
// they differ where they look alike: ranks of the product have the automaton's state in front, stores of an
// exploration are filled in portions and can be saved. Nested search keeps colours in the bits of its table
// (Shared), in which its speed lies; through the stores' interface there would be two look-ups for each
// edge instead of one.
package statetable

import (
	"math/bits"
	"slices"
)

// MaxStates is the most that a table can hold. Callers must ask Full before they
// insert: it panics beyond.
const MaxStates = 15 << 27

const (
	chunkBits = 16 // states of a chunk; the first may be smaller
	chunkSize = 1 << chunkBits
	minBits   = 6
	maxBits   = 31
	// block is how many states InsertAll looks up at once: enough to keep
	// several memory accesses under way.
	block = 16
)

// Table is a set of states. It is not safe for concurrent use.
type Table struct {
	words  int
	n      int
	limit  int // n at which slots grow
	mask   uint64
	k      uint8 // len(slots) == 1<<k
	slots  []uint32
	chunks [][]uint64

	touched uint64 // written so that the compiler keeps the reads of insertBlock
}

// New returns an empty table of states of that many words, at least 1.
func New(words int) *Table {
	t := &Table{words: words}
	t.setSlots(minBits)
	return t
}

func (t *Table) setSlots(k uint8) {
	t.k = k
	t.slots = make([]uint32, 1<<k)
	t.mask = 1<<k - 1
	t.limit = 1 << k / 5 * 4
	if k == maxBits {
		t.limit = MaxStates + block
	}
}

// Len returns the number of states.
func (t *Table) Len() int { return t.n }

// Full reports whether the table is so full that a search must end: there is room for the
// successors of one more state, 16 million, and no more.
func (t *Table) Full() bool { return t.n > MaxStates-1<<24 }

// Words returns the length of a state.
func (t *Table) Words() int { return t.words }

// Bytes returns the memory that the table holds.
func (t *Table) Bytes() int64 {
	total := int64(cap(t.slots)) * 4
	for _, c := range t.chunks {
		total += int64(cap(c)) * 8
	}
	return total
}

// Load returns the share of slots in use.
func (t *Table) Load() float64 { return float64(t.n) / float64(len(t.slots)) }

// State returns the state with that number. The slice must not be changed; it
// stays valid.
func (t *Table) State(number int32) []uint64 {
	i := int(number&(chunkSize-1)) * t.words
	return t.chunks[number>>chunkBits][i : i+t.words : i+t.words]
}

// Stretch returns states one after the other, from that number on and before another one: at
// least one, if there is any. The slice must not be changed; it stays valid.
func (t *Table) Stretch(from, to int32) []uint64 {
	if from >= to {
		return nil
	}
	end := min(to, from&^(chunkSize-1)+chunkSize)
	i, j := int(from&(chunkSize-1))*t.words, (int(end-1)&(chunkSize-1)+1)*t.words
	return t.chunks[from>>chunkBits][i:j:j]
}

// All calls yield for every state, in the order of numbers, until it returns
// false. yield must not change them.
func (t *Table) All(yield func(state []uint64) bool) {
	for n := range t.n {
		if !yield(t.State(int32(n))) {
			return
		}
	}
}

// Insert returns the number of state, and whether it was inserted by this call.
func (t *Table) Insert(state []uint64) (number int32, fresh bool) {
	if t.n >= t.limit {
		t.grow()
	}
	before := t.n
	if t.words == 1 {
		number = t.insert1(state[0], mix(state[0]))
	} else {
		number = t.insert(state, hash(state))
	}
	return number, t.n > before
}

// InsertAll inserts the states, which lie one after the other, and stores their
// numbers: those of states that are new are at least the value that Len had
// before. len(states) must be Words*len(numbers). It is faster than as many
// calls of Insert, because the look-ups wait for memory together.
func (t *Table) InsertAll(states []uint64, numbers []int32) {
	for len(numbers) > 0 {
		k := min(block, len(numbers))
		if t.n+k > t.limit {
			t.grow()
		}
		if t.words == 1 {
			t.insertBlock1(states[:k], numbers[:k])
		} else {
			t.insertBlock(states[:k*t.words], numbers[:k])
		}
		states, numbers = states[k*t.words:], numbers[k:]
	}
}

// insertBlock1 reads all slots before it looks at any, and all states that they
// point to before it compares any.
func (t *Table) insertBlock1(states []uint64, numbers []int32) {
	var hashes, found [block]uint64
	var slots [block]uint32
	table, mask, k := t.slots, t.mask, t.k&31
	for i, s := range states {
		h := mix(s)
		hashes[i&(block-1)] = h
		slots[i&(block-1)] = table[h&mask&uint64(len(table)-1)]
	}
	for i := range states {
		slot := slots[i&(block-1)]
		if slot != 0 && slot>>k == uint32(hashes[i&(block-1)]>>32)>>k {
			n := slot&uint32(mask) - 1
			found[i&(block-1)] = t.chunks[n>>chunkBits][n&(chunkSize-1)]
		} else {
			slots[i&(block-1)] = 0
		}
	}
	for i, s := range states {
		if slot := slots[i&(block-1)]; slot != 0 && found[i&(block-1)] == s {
			numbers[i] = int32(slot&uint32(mask)) - 1
			continue
		}
		numbers[i] = t.insert1(s, hashes[i&(block-1)])
	}
}

func (t *Table) insertBlock(states []uint64, numbers []int32) {
	var hashes [block]uint64
	var touched uint64
	w := t.words
	for i := range numbers {
		h := hash(states[i*w : (i+1)*w])
		hashes[i] = h
		if slot := t.slots[h&t.mask]; slot != 0 {
			n := slot&uint32(t.mask) - 1
			touched ^= t.chunks[n>>chunkBits][int(n&(chunkSize-1))*w]
		}
	}
	t.touched = touched
	for i := range numbers {
		numbers[i] = t.insert(states[i*w:(i+1)*w], hashes[i])
	}
}

// insert1 is insert for states of one word.
func (t *Table) insert1(state, h uint64) int32 {
	slots, mask, k := t.slots, t.mask, t.k&31
	tag := uint32(h>>32) >> k
	for at := h & mask; ; at = (at + 1) & mask {
		slot := slots[at]
		if slot == 0 {
			slots[at] = tag<<k | uint32(t.n+1)
			return t.append1(state)
		}
		if slot>>k == tag {
			n := slot&uint32(mask) - 1
			if t.chunks[n>>chunkBits][n&(chunkSize-1)] == state {
				return int32(n)
			}
		}
	}
}

// insert finds or appends a state with hash h. There is room for it.
func (t *Table) insert(state []uint64, h uint64) int32 {
	slots, mask, k := t.slots, t.mask, t.k&31
	tag := uint32(h>>32) >> k
	for at := h & mask; ; at = (at + 1) & mask {
		slot := slots[at]
		if slot == 0 {
			slots[at] = tag<<k | uint32(t.n+1)
			return t.append(state)
		}
		if slot>>k == tag {
			n := int32(slot&uint32(mask)) - 1
			if slices.Equal(t.State(n), state) {
				return n
			}
		}
	}
}

// Find returns the number of state, or -1.
func (t *Table) Find(state []uint64) int32 {
	h := hash(state)
	tag := uint32(h>>32) >> (t.k & 31)
	for at := h & t.mask; t.slots[at] != 0; at = (at + 1) & t.mask {
		if slot := t.slots[at]; slot>>(t.k&31) == tag {
			if n := int32(slot&uint32(t.mask)) - 1; slices.Equal(t.State(n), state) {
				return n
			}
		}
	}
	return -1
}

func (t *Table) append1(state uint64) int32 {
	n := t.n
	if c := n >> chunkBits; c < len(t.chunks) && len(t.chunks[c]) < cap(t.chunks[c]) {
		t.chunks[c] = append(t.chunks[c], state)
		t.n++
		return int32(n)
	}
	return t.append([]uint64{state})
}

func (t *Table) append(state []uint64) int32 {
	n := t.n
	c := n >> chunkBits
	if c == len(t.chunks) {
		size := chunkSize * t.words
		if c == 0 {
			size = 16 * t.words
		}
		t.chunks = append(t.chunks, make([]uint64, 0, size))
	}
	if chunk := t.chunks[c]; len(chunk)+t.words > cap(chunk) {
		// Only the first chunk grows.
		larger := make([]uint64, len(chunk), min(4*cap(chunk), chunkSize*t.words))
		copy(larger, chunk)
		t.chunks[c] = larger
	}
	t.chunks[c] = append(t.chunks[c], state...)
	t.n++
	return int32(n)
}

// grow doubles the slots.
func (t *Table) grow() {
	if t.k == maxBits {
		panic("statetable: too many states")
	}
	t.slots = nil
	t.setSlots(t.k + 1)
	slots, mask, k := t.slots, t.mask, t.k&31
	number := uint32(0)
	for _, chunk := range t.chunks {
		for i := 0; i < len(chunk); i += t.words {
			h := hash(chunk[i : i+t.words])
			at := h & mask
			for slots[at] != 0 {
				at = (at + 1) & mask
			}
			number++
			slots[at] = uint32(h>>32)>>k<<k | number
		}
	}
}

// Multipliers of the hash: odd, with irregular bits.
const (
	multiplier1 = 0x9e3779b97f4a7c15
	multiplier2 = 0xd1342543de82ef95
)

// mix folds the product of two words: both halves depend on all bits.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^multiplier2, multiplier1)
	return hi ^ lo
}

// hash of one word is mix.
func hash(state []uint64) uint64 {
	h := mix(state[0])
	for _, x := range state[1:] {
		hi, lo := bits.Mul64(h^x, multiplier2)
		h = hi ^ lo ^ bits.RotateLeft64(h, 23)
	}
	return h
}

// mixAll is another hash of a state, independent of hash.
func mixAll(state []uint64) uint64 {
	h := state[0]
	if len(state) > 1 {
		h ^= hash(state[1:])
	}
	return permute(h)
}

// Permute is a bijection whose upper and lower bits depend on all bits, the same in every
// process: for those who divide states otherwise than Route.
func Permute(x uint64) uint64 { return permute(x) }

// reseed makes a hash of another family of it, by a seed; 0 leaves it as it is. States whose
// hashes have the same upper bits in one family need not in another, which is what the
// searches of a swarm live on [HolzmannJoshiGroce08].
func reseed(h, seed uint64) uint64 {
	if seed == 0 {
		return h
	}
	return permute(h ^ permute(seed))
}

// permute is a bijection whose upper and lower bits depend on all bits.
func permute(x uint64) uint64 {
	x *= multiplier1
	x ^= x >> 32
	x *= multiplier2
	return x ^ x>>32
}
