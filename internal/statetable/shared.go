package statetable

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Shared is a table of states with marks, for one search or for several goroutines
// that search together. States get numbers that never change; they are not dense,
// and depend on who comes first. Marks are bits that every state has.
//
// It is lock-free, after [Laarman10], with the layout of
// a Table: an open-addressing table with linear probing has, in 32 bits, the number
// of a state plus one and a tag from its hash. States lie in chunks that never move,
// each of which one goroutine fills: what a depth-first search meets together lies
// together, which a table with the states inside would scatter. A state is written
// first, and put into the table by one compare and swap. Its marks are in bits of a
// word that states do not use, so that whoever looks a state up has read them; only
// if no word has room they take one of their own.
//
// When the table is 4/5 full, Grow makes it larger, by half or more. It is called
// where no goroutine uses the table: nobody ever waits for a lock. A state of w words
// takes 8w + 4/load bytes: for one word 13 just before, 15.5 just after.
type Shared struct {
	words int    // of a state
	entry int    // of a state as it is stored
	at    int    // the word that has the marks
	shift uint   // where they begin in it
	bits  uint64 // in which they are

	slots   []uint32
	k       uint8 // number plus one is in the lower k bits of a slot
	limit   int64 // n at which it is crowded
	users   int
	chunks  atomic.Pointer[[]sharedChunk]
	growing sync.Mutex // guards the list of chunks

	_       [64]byte // what follows changes all the time
	n       atomic.Int64
	crowded atomic.Bool
}

// sharedChunk has states, from 0 on; not all of it need be filled.
type sharedChunk struct {
	states []uint64
	filled *atomic.Int32
}

// Inserter inserts states for one goroutine.
type Inserter struct {
	s      *Shared
	chunk  sharedChunk
	number int32 // of the next state
	next   int   // its place in the chunk
	size   int   // states of the chunk
	last   int   // chunks so far
	fresh  int64 // states that s.n does not count yet
	total  int64 // states inserted so far

	touched uint64 // written so that the compiler keeps reads
}

const (
	// MostMarks is the largest number of marks of a Shared.
	MostMarks = 32
	// batch is how many states an Inserter keeps to itself.
	batch = 16
	// small is the number of slots up to which a table doubles.
	small = 1 << 15
	// firstChunk is the size of a goroutine's first chunk; each is four times the
	// one before, up to chunkSize.
	firstChunk = 64
)

// NewShared returns an empty table of states of that many words, at least 1, whose
// bits all lie in used, with so many marks, for so many goroutines.
func NewShared(words int, used []uint64, marks uint, users int) *Shared {
	s := &Shared{words: words, entry: words, users: users}
	s.at = slices.IndexFunc(used[:words], func(u uint64) bool { return bits.LeadingZeros64(u) >= int(marks) })
	if s.at >= 0 {
		s.shift = uint(bits.Len64(used[s.at]))
	} else {
		s.entry, s.at = words+1, words
	}
	s.bits = (1<<marks - 1) << s.shift
	s.chunks.Store(&[]sharedChunk{})
	s.setSlots(1<<minBits + 2*batch*users)
	return s
}

// setSlots makes an empty table of that size.
func (s *Shared) setSlots(size int) {
	s.slots = make([]uint32, size)
	s.limit = int64(size) / 5 * 4
	// Chunks that can be begun before the table is full; small ones take numbers
	// like large ones.
	more := size>>chunkBits + 8*s.users
	s.k = uint8(min(maxBits, bits.Len64(uint64(len(*s.chunks.Load())+more)<<chunkBits)))
}

// Inserter returns one for a goroutine.
func (s *Shared) Inserter() *Inserter { return &Inserter{s: s} }

// Crowded reports whether Grow should be called soon.
func (s *Shared) Crowded() bool { return s.crowded.Load() }

// Len returns the number of states; while others insert, about so.
func (s *Shared) Len() int { return int(s.n.Load()) }

// Full reports whether the table is so full that a search must end.
func (s *Shared) Full() bool { return s.Len() > MaxStates/2 }

// Bytes returns the memory that the table holds.
func (s *Shared) Bytes() int64 {
	total := int64(len(s.slots)) * 4
	for _, c := range *s.chunks.Load() {
		total += int64(len(c.states))*8 + 40
	}
	return total
}

// room makes sure that the next state has a place.
func (in *Inserter) room() {
	if in.next < in.size {
		return
	}
	s := in.s
	size := min(firstChunk<<min(2*in.last, chunkBits), chunkSize)
	in.chunk = sharedChunk{states: make([]uint64, size*s.entry), filled: new(atomic.Int32)}
	in.size, in.next = size, 0
	in.last++
	s.growing.Lock()
	defer s.growing.Unlock()
	old := *s.chunks.Load()
	in.number = int32(len(old) << chunkBits)
	longer := append(slices.Clip(old), in.chunk)
	s.chunks.Store(&longer)
}

// InsertAll stores the numbers of the states, which lie one after the other, and
// their marks, and inserts those that are new, without marks. The look-ups wait for
// memory together. len(states) must be the words of a state times len(numbers), and
// len(marks) the same. ok is false if there is no room: Grow must be called, and
// InsertAll again.
func (in *Inserter) InsertAll(states []uint64, numbers []int32, marks []uint32) (ok bool) {
	s := in.s
	for len(numbers) > 0 {
		k := min(block, len(numbers))
		if s.entry == 1 {
			ok = in.insertBlock1(states[:k], numbers[:k], marks[:k])
		} else {
			ok = in.insertBlock(states[:k*s.words], numbers[:k], marks[:k])
		}
		if !ok {
			s.crowded.Store(true)
			return false
		}
		states, numbers, marks = states[k*s.words:], numbers[k:], marks[k:]
	}
	return true
}

// home returns the slot where a state with hash h belongs, and its tag.
func (s *Shared) home(h uint64) (at uint64, tag uint32) {
	at = h >> 32 * uint64(len(s.slots)) >> 32
	return at, uint32(h) >> (s.k & 31)
}

// insertBlock1 is insertBlock for states that are stored in one word.
func (in *Inserter) insertBlock1(states []uint64, numbers []int32, marks []uint32) bool {
	var hashes, found [block]uint64
	var slots [block]uint32
	s := in.s
	k, shift := s.k&31, s.shift&63
	number := uint32(1)<<k - 1
	for i, x := range states {
		h := mix(x)
		hashes[i&(block-1)] = h
		at, _ := s.home(h)
		slots[i&(block-1)] = atomic.LoadUint32(&s.slots[at])
	}
	chunks := *s.chunks.Load()
	for i := range states {
		slot := slots[i&(block-1)]
		if slot != 0 && slot>>k == uint32(hashes[i&(block-1)])>>k {
			n := slot&number - 1
			found[i&(block-1)] = atomic.LoadUint64(&chunks[n>>chunkBits].states[n&(chunkSize-1)])
		} else {
			slots[i&(block-1)] = 0
		}
	}
	for i, x := range states {
		v, slot := found[i&(block-1)], slots[i&(block-1)]
		if slot != 0 && v&^s.bits == x {
			numbers[i], marks[i] = int32(slot&number)-1, uint32(v&s.bits>>shift)
			continue
		}
		n, m := in.insert(states[i:i+1], hashes[i&(block-1)])
		if n < 0 {
			return false
		}
		numbers[i], marks[i] = n, m
	}
	return true
}

func (in *Inserter) insertBlock(states []uint64, numbers []int32, marks []uint32) bool {
	var hashes [block]uint64
	var slots [block]uint32
	s := in.s
	w := s.words
	for i := range numbers {
		hashes[i] = hash(states[i*w : (i+1)*w])
		at, _ := s.home(hashes[i])
		slots[i] = atomic.LoadUint32(&s.slots[at])
	}
	chunks := *s.chunks.Load()
	for _, slot := range slots[:len(numbers)] {
		if slot != 0 {
			n := slot&(1<<s.k-1) - 1
			in.touched ^= atomic.LoadUint64(&chunks[n>>chunkBits].states[int(n&(chunkSize-1))*s.entry+s.at])
		}
	}
	for i := range numbers {
		if numbers[i], marks[i] = in.insert(states[i*w:(i+1)*w], hashes[i]); numbers[i] < 0 {
			return false
		}
	}
	return true
}

// insert returns the number of a state with hash h and its marks, or -1 if there is
// no room.
func (in *Inserter) insert(state []uint64, h uint64) (number int32, marks uint32) {
	s := in.s
	at, tag := s.home(h)
	written := false
	for range len(s.slots) {
		slot := atomic.LoadUint32(&s.slots[at])
		if slot == 0 {
			if !written {
				in.room()
				if in.number >= 1<<s.k-1 {
					return -1, 0
				}
				copy(in.chunk.states[in.next*s.entry:], state)
				written = true
			}
			if atomic.CompareAndSwapUint32(&s.slots[at], 0, tag<<s.k|uint32(in.number+1)) {
				return in.inserted(), 0
			}
			slot = atomic.LoadUint32(&s.slots[at])
		}
		if slot>>s.k == tag {
			n := slot&(1<<s.k-1) - 1
			if v, equal := s.compare(n, state); equal {
				return int32(n), uint32(v & s.bits >> s.shift)
			}
		}
		if at++; at == uint64(len(s.slots)) {
			at = 0
		}
	}
	return -1, 0
}

// compare returns the word with marks of a state, and whether it is the given one.
func (s *Shared) compare(number uint32, state []uint64) (v uint64, equal bool) {
	stored := s.stored(int32(number))
	v = atomic.LoadUint64(&stored[s.at])
	for i, x := range state {
		if i == s.at {
			if v&^s.bits != x {
				return v, false
			}
		} else if stored[i] != x {
			return v, false
		}
	}
	return v, true
}

// stored returns a state as it is stored.
func (s *Shared) stored(number int32) []uint64 {
	i := int(number&(chunkSize-1)) * s.entry
	return (*s.chunks.Load())[number>>chunkBits].states[i : i+s.entry : i+s.entry]
}

// inserted counts the state that was written last.
func (in *Inserter) inserted() int32 {
	n := in.number
	in.number++
	in.next++
	in.total++
	if in.fresh++; in.fresh == batch || in.next == in.size {
		in.Flush()
	}
	return n
}

// Flush tells the table of all states that were inserted: before it is asked for
// its length or all its states, or grows.
func (in *Inserter) Flush() {
	if in.fresh == 0 {
		return
	}
	in.chunk.filled.Store(int32(in.next))
	if in.s.n.Add(in.fresh) >= in.s.limit {
		in.s.crowded.Store(true)
	}
	in.fresh = 0
}

// State copies the state with that number.
func (s *Shared) State(number int32, to []uint64) {
	stored := s.stored(number)
	if s.entry == 1 {
		to[0] = atomic.LoadUint64(&stored[0]) &^ s.bits
		return
	}
	for i := range s.words {
		if i == s.at {
			to[i] = atomic.LoadUint64(&stored[i]) &^ s.bits
		} else {
			to[i] = stored[i]
		}
	}
}

// Marks returns the marks of a state.
func (s *Shared) Marks(number int32) uint32 {
	return uint32(atomic.LoadUint64(&s.stored(number)[s.at]) & s.bits >> (s.shift & 63))
}

// Mark adds and takes away marks of a state, and returns those before.
func (s *Shared) Mark(number int32, set, clear uint32) (before uint32) {
	word := &s.stored(number)[s.at]
	for {
		v := atomic.LoadUint64(word)
		next := (v | uint64(set)<<s.shift) &^ (uint64(clear) << s.shift)
		if next == v || atomic.CompareAndSwapUint64(word, v, next) {
			return uint32(v & s.bits >> s.shift)
		}
	}
}

// All calls yield for every state, until it returns false, in no particular order.
// Nobody may insert states meanwhile, and yield must not keep or change them.
func (s *Shared) All(yield func(state []uint64) bool) {
	state := make([]uint64, s.words)
	for c, chunk := range *s.chunks.Load() {
		for i := range chunk.filled.Load() {
			if s.State(int32(c)<<chunkBits|i, state); !yield(state) {
				return
			}
		}
	}
}

// Grow makes room when nobody else uses the table, by as many goroutines as it is
// for.
func (s *Shared) Grow() {
	size := len(s.slots)
	s.slots = nil
	if size < small {
		size *= 2
	} else {
		size += size / 2
	}
	s.setSlots(size)
	users := s.users
	if size < small {
		users = 1
	}
	together(users, func(u int) {
		touchPages(s.slots[size*u/users : size*(u+1)/users])
	})
	chunks := *s.chunks.Load()
	together(users, func(u int) {
		for c := u; c < len(chunks); c += users {
			s.enter(int32(c)<<chunkBits, chunks[c].filled.Load())
		}
	})
	s.crowded.Store(s.n.Load() >= s.limit)
}

// together calls f for 0 to n-1 at once, and returns when all calls have.
func together(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { f(i) })
	}
	wait.Wait()
}

// touchPages writes to every page of new memory. A page whose first access reads is
// mapped twice, and the second time all processors have to hear of it.
func touchPages[T uint32 | uint64](slots []T) {
	const step = 512 // at most a page
	for i := 0; i < len(slots); i += step {
		slots[i] = 0
	}
}

// enter puts states that are all different into the table, from a number on. They
// wait for memory together.
func (s *Shared) enter(number, count int32) {
	state := make([]uint64, s.words)
	var hashes [block]uint64
	for end := number + count; number < end; {
		k := min(block, end-number)
		for i := range k {
			s.State(number+i, state)
			hashes[i] = hash(state)
			at, _ := s.home(hashes[i])
			atomic.LoadUint32(&s.slots[at])
		}
		for i := range k {
			at, tag := s.home(hashes[i])
			for !atomic.CompareAndSwapUint32(&s.slots[at], 0, tag<<s.k|uint32(number+1)) {
				if at++; at == uint64(len(s.slots)) {
					at = 0
				}
			}
			number++
		}
	}
}
