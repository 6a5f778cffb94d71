package statetable

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// sharedSet is what WordSet and TreeSet have in common, with their inserters.
type sharedSet interface {
	Crowded() bool
	Grow()
	Len() int
	All(yield func(state []uint64) bool)
}

type inserter interface {
	AddAll(states, fresh []uint64) (int, []uint64)
	Flush()
}

// newSharedSet returns a set of states whose bits are all used, and inserters.
func newSharedSet(used []uint64, users int) (sharedSet, []inserter) {
	inserters := make([]inserter, users)
	if len(used) == 1 {
		set := NewWordSet(users)
		for i := range inserters {
			inserters[i] = set.Inserter()
		}
		return set, inserters
	}
	set := NewTreeSet(len(used), used, users)
	for i := range inserters {
		inserters[i] = set.Inserter()
	}
	return set, inserters
}

// randomUsed returns which bits states of one to six words use: some words none, some all.
func randomUsed(r *rand.Rand) []uint64 {
	used := make([]uint64, 1+r.IntN(6))
	for w := range used {
		switch r.IntN(4) {
		case 0:
			used[w] = ^uint64(0)
		case 1:
			used[w] = r.Uint64() >> r.IntN(64)
		case 2:
			used[w] = r.Uint64() << r.IntN(64)
		}
	}
	used[0] |= 1<<15 - 1
	return used
}

// randomState appends a state: its first word says which it is, the others are few.
func randomState(r *rand.Rand, used, to []uint64) []uint64 {
	for w, u := range used {
		x := uint64(r.IntN(4)) * 0x9e3779b97f4a7c15
		switch {
		case w > 0:
		case r.IntN(1000) == 0:
			x = ^uint64(0) * uint64(r.IntN(2)) // all bits, or none
		default:
			x = r.Uint64N(30000)
		}
		to = append(to, x&u)
	}
	return to
}

// keyOf is a state as a string.
func keyOf(state []uint64) string {
	key := make([]byte, 0, 64)
	for _, word := range state {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return string(key)
}

// TestSharedSets: of goroutines that add overlapping lists of states each state is new
// to exactly one, however often the set runs out of room, and all of them are listed.
func TestSharedSets(t *testing.T) {
	for seed := range soak.Long(uint64(10)) {
		r := rand.New(rand.NewPCG(seed, 46))
		used, users := randomUsed(r), 1+r.IntN(4)
		words := len(used)
		set, inserters := newSharedSet(used, users)
		want, added := map[string]bool{}, map[string]int{}
		for range 3 {
			lists, fresh := make([][]uint64, users), make([][]uint64, users)
			for u := range lists {
				for range r.IntN(soak.Size(20_000)) {
					lists[u] = randomState(r, used, lists[u])
					want[keyOf(lists[u][len(lists[u])-words:])] = true
				}
			}
			for slices.ContainsFunc(lists, func(l []uint64) bool { return len(l) > 0 }) {
				var wait sync.WaitGroup
				for u, in := range inserters {
					wait.Go(func() {
						var done int
						done, fresh[u] = in.AddAll(lists[u], fresh[u])
						lists[u] = lists[u][done:]
						in.Flush()
					})
				}
				wait.Wait()
				if set.Crowded() {
					set.Grow()
				}
			}
			for _, list := range fresh {
				for ; len(list) > 0; list = list[words:] {
					added[keyOf(list[:words])]++
				}
			}
		}
		for state, n := range added {
			if n != 1 || !want[state] {
				t.Fatalf("seed %d: %x was new %d times, expected: %t", seed, state, n, want[state])
			}
		}
		if len(added) != len(want) || set.Len() != len(want) {
			t.Fatalf("seed %d: %d states were new, the set has %d, want %d", seed, len(added), set.Len(), len(want))
		}
		for state := range set.All {
			if s := keyOf(state); !want[s] {
				t.Fatalf("seed %d: %x is listed twice, or was never added", seed, s)
			}
			delete(want, keyOf(state))
		}
		if len(want) > 0 {
			t.Fatalf("seed %d: %d states are not listed", seed, len(want))
		}
	}
}

// TestFreshInOrder: one goroutine gets the new states in the order in which it gave them.
func TestFreshInOrder(t *testing.T) {
	for seed := range soak.Long(uint64(15)) {
		r := rand.New(rand.NewPCG(seed, 48))
		used := randomUsed(r)
		words := len(used)
		set, inserters := newSharedSet(used, 1)
		seen := map[string]bool{}
		for range 200 {
			var list, want, fresh []uint64
			for range r.IntN(600) {
				list = randomState(r, used, list)
				state := list[len(list)-words:]
				if s := keyOf(state); !seen[s] {
					seen[s] = true
					want = append(want, state...)
				}
			}
			for len(list) > 0 {
				done, more := inserters[0].AddAll(list, fresh)
				inserters[0].Flush()
				if list, fresh = list[done:], more; set.Crowded() {
					set.Grow()
				}
			}
			if !slices.Equal(fresh, want) {
				t.Fatalf("seed %d: new are %x, want %x", seed, fresh, want)
			}
		}
	}
}
