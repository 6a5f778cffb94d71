package statetable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSetAgainstTable adds states with many repetitions to a Set and a Table.
func TestSetAgainstTable(t *testing.T) {
	for _, words := range []int{1, 2, 3, 7} {
		for seed := range uint64(10) {
			t.Run(fmt.Sprint(words, "/", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(words)))
				checkSetAgainstTable(t, words, 1<<(2*seed+1), r)
			})
		}
	}
}

func checkSetAgainstTable(t *testing.T, words, universe int, r *rand.Rand) {
	set, table := NewSet(words), New(words)
	one := make([]uint64, words)
	var states, fresh, want []uint64
	for range 2000 {
		states, fresh, want = states[:0], fresh[:0], want[:0]
		for range r.IntN(100) {
			x := r.Uint64N(uint64(universe))
			for w := range one {
				one[w] = x << (uint(w) * 17 % 50) & (x * 0x10001)
			}
			one[r.IntN(words)] = x
			states = append(states, one...)
			if _, isNew := table.Insert(one); isNew {
				want = append(want, one...)
			}
		}
		if r.IntN(2) == 0 {
			fresh = set.AddAll(states, fresh)
		} else {
			for at := 0; at < len(states); at += words {
				if s := states[at : at+words]; set.Add(s) {
					fresh = append(fresh, s...)
				}
			}
		}
		if !slices.Equal(fresh, want) {
			t.Fatalf("new states %x, want %x", fresh, want)
		}
	}
	checkSameStates(t, set, table)
}

func checkSameStates(t *testing.T, set *Set, table *Table) {
	t.Helper()
	if set.Len() != table.Len() {
		t.Fatalf("%d states, want %d", set.Len(), table.Len())
	}
	seen := 0
	for state := range set.All {
		if table.Find(state) < 0 {
			t.Fatalf("%x was never added", state)
		}
		seen++
	}
	if seen != table.Len() {
		t.Errorf("All gives %d states, want %d", seen, table.Len())
	}
	for i := range table.Len() {
		if !set.Contains(table.State(int32(i))) {
			t.Fatalf("%x is not found", table.State(int32(i)))
		}
	}
	absent := make([]uint64, table.Words())
	for i := range absent {
		absent[i] = ^uint64(i)
	}
	if set.Contains(absent) {
		t.Errorf("%x is found", absent)
	}
}

// TestPermute checks that the mix can be undone, and the states whose mix is 0.
func TestPermute(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		if x := r.Uint64(); unpermute(permute(x)) != x || permute(unpermute(x)) != x {
			t.Fatalf("%x becomes %x becomes %x", x, permute(x), unpermute(permute(x)))
		}
	}
	set := NewSet(2)
	for i := range uint64(3) {
		rest := []uint64{i}
		zero := []uint64{unpermute(0) ^ hashRest(rest), i}
		if set.Contains(zero) || !set.Add(zero) || set.Add(zero) || !set.Contains(zero) {
			t.Fatalf("%x is not added once", zero)
		}
	}
	for state := range set.All {
		if mixAll(state) != 0 {
			t.Errorf("All gives %x", state)
		}
	}
	if set.Len() != 3 {
		t.Errorf("%d states, want 3", set.Len())
	}
}

// TestSetBytes holds the memory of one-word states to what the type promises.
func TestSetBytes(t *testing.T) {
	set := NewSet(1)
	var sum, least, most float64 = 0, 100, 0
	samples := 0
	for i := range uint64(3_000_000) {
		set.Add([]uint64{i * 977})
		if i >= 1<<19 && i%1000 == 0 {
			per := float64(set.Bytes()) / float64(set.Len())
			sum, least, most = sum+per, min(least, per), max(most, per)
			samples++
		}
	}
	average := sum / float64(samples)
	t.Logf("%.2f to %.2f bytes per state, %.2f on average", least, most, average)
	if average > 12.5 || least > 11 || most > 16 {
		t.Errorf("%.2f to %.2f bytes per state, %.2f on average; want 11, 16, 12.5 at most", least, most, average)
	}
}

func BenchmarkSet(b *testing.B) {
	const n = 1 << 20
	for _, words := range []int{1, 2, 4} {
		states := make([]uint64, n*words)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range states {
			states[i] = r.Uint64N(n / 2)
		}
		b.Run(fmt.Sprint("words=", words), func(b *testing.B) {
			var set *Set
			fresh := make([]uint64, 0, n*words)
			for b.Loop() {
				set = NewSet(words)
				set.AddAll(states, fresh)
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Minserts/s")
			b.ReportMetric(float64(set.Bytes())/float64(set.Len()), "bytes/state")
		})
	}
}
