package statetable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestAgainstMap inserts states with many repetitions, one by one and in
// batches, and compares with a map.
func TestAgainstMap(t *testing.T) {
	for _, words := range []int{1, 2, 3, 7} {
		for seed := range soak.Cases(uint64(12)) {
			t.Run(fmt.Sprint(words, "/", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(words)))
				universe := 1 << (2 * (seed%8 + 1)) // 4 to 65536
				checkAgainstMap(t, words, universe, r)
			})
		}
	}
}

func checkAgainstMap(t *testing.T, words, universe int, r *rand.Rand) {
	table := New(words)
	numbers := map[string]int32{}
	var all [][]uint64
	random := func() []uint64 {
		s := make([]uint64, words)
		x := uint64(r.IntN(universe))
		for w := range s {
			// Few bits differ, in different places.
			s[w] = x << (uint(w) * 17 % 50) & (x * 0x10001)
		}
		s[r.IntN(words)] = x
		return s
	}
	for range 400 {
		batch := r.IntN(40)
		var states []uint64
		var want []int32
		for range batch {
			s := random()
			key := keyOf(s)
			if _, ok := numbers[key]; !ok {
				numbers[key] = int32(len(all))
				all = append(all, s)
			}
			want = append(want, numbers[key])
			states = append(states, s...)
		}
		got := make([]int32, batch)
		if r.IntN(2) == 0 {
			table.InsertAll(states, got)
		} else {
			for i := range got {
				before := table.Len()
				var fresh bool
				got[i], fresh = table.Insert(states[i*words : (i+1)*words])
				if fresh != (table.Len() > before) || fresh != (int(got[i]) == before) {
					t.Fatalf("fresh = %v, %d states before, %d after, number %d", fresh, before, table.Len(), got[i])
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("numbers %v, want %v", got, want)
		}
	}
	if table.Len() != len(all) {
		t.Fatalf("%d states, want %d", table.Len(), len(all))
	}
	for i, s := range all {
		if got := table.State(int32(i)); !slices.Equal(got, s) {
			t.Fatalf("state %d is %x, want %x", i, got, s)
		}
		if got := table.Find(s); got != int32(i) {
			t.Fatalf("state %d is found as %d", i, got)
		}
	}
	absent := make([]uint64, words)
	for i := range absent {
		absent[i] = ^uint64(i)
	}
	if got := table.Find(absent); got != -1 {
		t.Errorf("a state that is absent is found as %d", got)
	}
}

// TestBytes holds the memory of one-word states to what the package promises.
func TestBytes(t *testing.T) {
	table := New(1)
	var sum float64
	samples := 0
	for i := range uint64(2_000_000) {
		table.Insert([]uint64{i * 977})
		if i >= 1<<17 && i%1000 == 0 {
			sum += float64(table.Bytes()) / float64(table.Len())
			samples++
		}
		if table.Load() > 0.8 {
			t.Fatalf("load %.2f with %d states", table.Load(), table.Len())
		}
	}
	if average := sum / float64(samples); average > 16 {
		t.Errorf("%.1f bytes per state on average over a run, want at most 16", average)
	}
}

func BenchmarkInsert(b *testing.B) {
	const n = 1 << 20
	for _, words := range []int{1, 2, 4} {
		states := make([]uint64, n*words)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range states {
			states[i] = r.Uint64N(n / 2)
		}
		b.Run(fmt.Sprint("words=", words), func(b *testing.B) {
			numbers := make([]int32, 8)
			var table *Table
			for b.Loop() {
				table = New(words)
				for at := 0; at < len(states); at += 8 * words {
					table.InsertAll(states[at:at+8*words], numbers)
				}
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Minserts/s")
			b.ReportMetric(float64(table.Bytes())/float64(table.Len()), "bytes/state")
		})
	}
}

// TestStretch: stretches one after the other are all states, in order.
func TestStretch(t *testing.T) {
	for _, words := range []int{1, 3} {
		table := New(words)
		var want []uint64
		for i := range uint64(150_000) {
			state := make([]uint64, words)
			state[words-1] = i * multiplier1
			table.Insert(state)
			want = append(want, state...)
		}
		var got []uint64
		for from := int32(0); int(from) < table.Len(); {
			some := table.Stretch(from, min(int32(table.Len()), from+7_000))
			got, from = append(got, some...), from+int32(len(some)/words)
		}
		if !slices.Equal(got, want) || table.Stretch(5, 5) != nil {
			t.Errorf("%d words: not the states", words)
		}
	}
}
