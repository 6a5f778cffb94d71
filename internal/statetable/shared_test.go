package statetable

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestSharedAgainstMap does random things to a Shared and to a map, for states of
// one word and several, with room for marks in some word or in none.
func TestSharedAgainstMap(t *testing.T) {
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 2))
		words, marks := 1+int(seed%4), 1+uint(r.IntN(12))
		used := make([]uint64, words)
		for i := range used {
			used[i] = ^uint64(0) >> r.IntN(20)
		}
		universe := make([][]uint64, 200+r.IntN(10_000))
		for i := range universe {
			universe[i] = make([]uint64, words)
			for j := range used {
				universe[i][j] = r.Uint64N(1<<(3+seed%60)) & used[j]
			}
		}
		compareWithMap(t, seed, r, NewShared(words, used, marks, 1+r.IntN(3)), universe, marks)
	}
}

// known is what a map says of a state.
type known struct {
	number int32
	marks  uint32
}

func compareWithMap(t *testing.T, seed uint64, r *rand.Rand, s *Shared, universe [][]uint64, marks uint) {
	t.Helper()
	in, want := s.Inserter(), map[[4]uint64]known{}
	key := func(state []uint64) (k [4]uint64) {
		copy(k[:], state)
		return k
	}
	all := uint32(1)<<marks - 1
	state := make([]uint64, s.words)
	for step := range 2000 {
		var states []uint64
		n := r.IntN(40)
		for range n {
			states = append(states, universe[r.IntN(len(universe))]...)
		}
		numbers, got := make([]int32, n), make([]uint32, n)
		for !in.InsertAll(states, numbers, got) || s.Crowded() {
			in.Flush()
			s.Grow()
		}
		for i, number := range numbers {
			k := key(states[i*s.words : (i+1)*s.words])
			w, old := want[k]
			if !old {
				w.number = number
			}
			if s.State(number, state); w.number != number || got[i] != w.marks || key(state) != k {
				t.Fatalf("seed %d, step %d: number %d, marks %b, want %d, %b; state %x, want %x", seed, step, number, got[i], w.number, w.marks, state, k)
			}
			want[k] = w
		}
		for i, number := range numbers {
			k := key(states[i*s.words : (i+1)*s.words])
			w := want[k]
			set, clear := uint32(r.Uint64())&all, uint32(r.Uint64())&all
			if before := s.Mark(number, set, clear); before != w.marks {
				t.Fatalf("seed %d, step %d: marks were %b, want %b", seed, step, before, w.marks)
			}
			w.marks = (w.marks | set) &^ clear
			if want[k] = w; s.Marks(number) != w.marks {
				t.Fatalf("seed %d, step %d: marks are %b, want %b", seed, step, s.Marks(number), w.marks)
			}
		}
	}
	in.Flush()
	seen := map[[4]uint64]bool{}
	for state := range s.All {
		seen[key(state)] = true
		if _, ok := want[key(state)]; !ok {
			t.Fatalf("seed %d: %x is not in the table", seed, state)
		}
	}
	if s.Len() != len(want) || len(seen) != len(want) {
		t.Fatalf("seed %d: %d states, %d listed, want %d", seed, s.Len(), len(seen), len(want))
	}
}

// TestSharedByMany has several goroutines insert and mark the same states, and stop
// each other when the table must grow.
func TestSharedByMany(t *testing.T) {
	const workers, universe = 4, 20_000
	for _, words := range []int{1, 3} {
		used := slices.Repeat([]uint64{^uint64(0)}, words)
		if words == 1 {
			used[0] = 1<<40 - 1
		}
		s := NewShared(words, used, workers, workers)
		var pause sync.RWMutex
		var wait sync.WaitGroup
		all := make([][]int32, workers)
		for w := range workers {
			wait.Go(func() { all[w] = insertShuffled(s, &pause, universe, w) })
		}
		wait.Wait()
		if s.Len() != universe {
			t.Fatalf("%d states, want %d", s.Len(), universe)
		}
		for w := range all {
			if !slices.Equal(all[w], all[0]) {
				t.Fatalf("goroutines 0 and %d got different numbers", w)
			}
		}
		state := make([]uint64, words)
		for i, n := range all[0] {
			if s.State(n, state); state[words-1] != uint64(i) || s.Marks(n) != 1<<workers-1 {
				t.Fatalf("state %d is %x with marks %b", i, state, s.Marks(n))
			}
		}
		distinct := slices.Clone(all[0])
		slices.Sort(distinct)
		if len(slices.Compact(distinct)) != universe {
			t.Error("two states have the same number")
		}
	}
}

// insertShuffled inserts states 0 to universe-1 in some order, marks them with 1<<w,
// and returns their numbers. Who holds pause for reading uses the table.
func insertShuffled(s *Shared, pause *sync.RWMutex, universe, w int) []int32 {
	numbers, marks := make([]int32, universe), make([]uint32, 1)
	state := make([]uint64, s.words)
	in := s.Inserter()
	for _, i := range rand.New(rand.NewPCG(uint64(w), 1)).Perm(universe) {
		state[s.words-1] = uint64(i)
		for ok := false; !ok; {
			pause.RLock()
			if ok = in.InsertAll(state, numbers[i:i+1], marks); ok {
				s.Mark(numbers[i], 1<<w, 0)
			}
			in.Flush()
			pause.RUnlock()
			if s.Crowded() {
				pause.Lock()
				if s.Crowded() {
					s.Grow()
				}
				pause.Unlock()
			}
		}
	}
	return numbers
}
