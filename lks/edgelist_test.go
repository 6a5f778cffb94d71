package lks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEdgeList: what was appended comes back, in slices of exactly that size, from lists
// of one piece and of many.
func TestEdgeList(t *testing.T) {
	many := false
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0xed9e))
		var list edgeList
		var want []Edge
		for n := 5 << (seed % 17); len(want) < n; {
			part := make([]Edge, r.IntN(40))
			for i := range part {
				part[i] = Edge{r.Int32(), r.Int32()}
			}
			want = append(want, part...)
			list.append(part)
			clear(part) // it is the caller's again
		}
		many = many || len(list.full) > 14
		got := list.join()
		if !slices.Equal(got, want) || cap(got) != len(want) || list.len != len(want) {
			t.Fatalf("seed %d: %d edges, room for %d, counted %d, want %d", seed, len(got), cap(got), list.len, len(want))
		}
	}
	if !many {
		t.Error("no list has pieces of the largest size")
	}
}
