package statetable

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestSharedAgree has several goroutines insert and mark the same states, and
// compares their numbers.
func TestSharedAgree(t *testing.T) {
	const workers, universe = 4, 20_000
	for _, words := range []int{1, 3} {
		shared := NewShared(words)
		all := make([][]int32, workers)
		var wait sync.WaitGroup
		for w := range workers {
			wait.Add(1)
			go func() {
				defer wait.Done()
				all[w] = insertShuffled(shared, words, universe, uint64(w))
			}()
		}
		wait.Wait()
		if shared.Len() != universe {
			t.Fatalf("%d states, want %d", shared.Len(), universe)
		}
		for w := range all {
			if !slices.Equal(all[w], all[0]) {
				t.Fatalf("goroutines 0 and %d got different numbers", w)
			}
		}
		for i, n := range all[0] {
			if got, want := shared.Marks(n), uint32(i%4); got != want {
				t.Fatalf("state %d has marks %b, want %b", i, got, want)
			}
		}
		distinct := slices.Clone(all[0])
		slices.Sort(distinct)
		if len(slices.Compact(distinct)) != universe {
			t.Error("two states have the same number")
		}
	}
}

// insertShuffled inserts states 0 to universe-1 in some order, marks state i with
// i%4, and returns the numbers by state.
func insertShuffled(shared *Shared, words, universe int, seed uint64) []int32 {
	numbers := make([]int32, universe)
	state := make([]uint64, words)
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(universe) {
		state[words-1] = uint64(i)
		shared.InsertAll(state, numbers[i:i+1])
		if i%2 == 1 {
			shared.Mark(numbers[i], 1)
		}
		if i%4 >= 2 {
			shared.Mark(numbers[i], 2)
		}
	}
	return numbers
}
