package statetable

import (
	"sync"
	"sync/atomic"
)

const (
	sharedBits = 6 // a Shared has 1<<sharedBits shards
	markChunk  = 1 << 12
	marksEach  = 16 // states whose marks share a uint32
)

// Shared is a Table that several goroutines may use at once. States get numbers
// that never change, but they are not dense, and depend on who comes first.
// Every state has two marks, which can be set but not taken back.
type Shared struct {
	words  int
	shards [1 << sharedBits]sharedShard
}

// sharedShard has the states whose hash ends so. Its lock guards table; marks
// are atomic, in chunks that never move.
type sharedShard struct {
	lock  sync.Mutex
	table *Table
	marks [1 << (31 - sharedBits) / (markChunk * marksEach)]atomic.Pointer[[markChunk]atomic.Uint32]
}

// NewShared returns an empty table of states of that many words, at least 1.
func NewShared(words int) *Shared {
	s := &Shared{words: words}
	for i := range s.shards {
		s.shards[i].table = New(words)
	}
	return s
}

// InsertAll stores the numbers of the states, which lie one after the other, and
// inserts those that are new. len(states) must be words*len(numbers).
func (s *Shared) InsertAll(states []uint64, numbers []int32) {
	w := s.words
	for i := range numbers {
		state := states[i*w : (i+1)*w]
		at := mixAll(state) & (1<<sharedBits - 1)
		sh := &s.shards[at]
		sh.lock.Lock()
		local, fresh := sh.table.Insert(state)
		if fresh && local%(markChunk*marksEach) == 0 {
			sh.marks[local/(markChunk*marksEach)].Store(new([markChunk]atomic.Uint32))
		}
		sh.lock.Unlock()
		numbers[i] = local<<sharedBits | int32(at)
	}
}

// Place takes a number apart: it is the index-th state of a shard, of which there
// are Shards. Indices are dense.
func Place(number int32) (shard, index int) {
	return int(number & (1<<sharedBits - 1)), int(number >> sharedBits)
}

// Shards is the number of shards of a Shared.
const Shards = 1 << sharedBits

// Marks returns the marks of a state, as bits 0 and 1.
func (s *Shared) Marks(number int32) uint32 {
	word, shift := s.marks(number)
	return word.Load() >> shift & 3
}

// Mark adds marks to a state.
func (s *Shared) Mark(number int32, marks uint32) {
	word, shift := s.marks(number)
	word.Or(marks << shift)
}

func (s *Shared) marks(number int32) (word *atomic.Uint32, shift uint32) {
	shard, index := Place(number)
	chunk := s.shards[shard].marks[index/(markChunk*marksEach)].Load()
	return &chunk[index/marksEach%markChunk], uint32(index % marksEach * 2)
}

// Len returns the number of states.
func (s *Shared) Len() int {
	return int(s.sum(func(sh *sharedShard) int64 { return int64(sh.table.Len()) }))
}

// Bytes returns the memory that the table holds.
func (s *Shared) Bytes() int64 {
	return s.sum(func(sh *sharedShard) int64 {
		chunks := (sh.table.Len() + markChunk*marksEach - 1) / (markChunk * marksEach)
		return sh.table.Bytes() + int64(chunks)*markChunk*4 + int64(len(sh.marks))*8
	})
}

func (s *Shared) sum(of func(*sharedShard) int64) int64 {
	total := int64(0)
	for i := range s.shards {
		sh := &s.shards[i]
		sh.lock.Lock()
		total += of(sh)
		sh.lock.Unlock()
	}
	return total
}

// All calls yield for every state, until it returns false, in no particular order.
// Nobody may insert states meanwhile, and yield must not keep or change them.
func (s *Shared) All(yield func(state []uint64) bool) {
	for i := range s.shards {
		t := s.shards[i].table
		for n := range t.Len() {
			if !yield(t.State(int32(n))) {
				return
			}
		}
	}
}
