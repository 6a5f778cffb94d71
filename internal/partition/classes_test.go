package partition

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSplit splits random partitions by random keys, and compares with the
// definition: two states are equivalent if they were, and their keys are equal.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 1 + r.IntN(12)
		kind := make([]int, n)
		for s := range kind {
			kind[s] = r.IntN(4) - 1
		}
		p := By(n, func(s int32) (int, bool) { return kind[s], kind[s] >= 0 })
		check(t, p, func(s, u int) bool { return kind[s] == kind[u] }, func(s int) bool { return kind[s] >= 0 })
		if len(p.Members) == 0 {
			continue
		}
		before := p.Clone()
		c := int32(r.IntN(len(p.Members)))
		first := p.Members[c][0]
		keys := make([]byte, n)
		for s := range keys {
			keys[s] = byte(r.IntN(3))
		}
		parts := p.Split(c, func(key []byte, s int32) []byte { return append(key, keys[s]) })
		if parts != 1+len(p.Members)-len(before.Members) || p.Class[first] != c {
			t.Fatalf("%d parts: %v, before %v", parts, p, before)
		}
		for k, members := range before.Members {
			if int32(k) != c && !slices.Equal(members, p.Members[k]) {
				t.Fatalf("class %d has changed: %v, before %v", k, p, before)
			}
		}
		in := func(s int) bool { return kind[s] >= 0 }
		check(t, p, func(s, u int) bool {
			return kind[s] == kind[u] && (before.Class[s] != c || keys[s] == keys[u])
		}, in)
		check(t, before, func(s, u int) bool { return kind[s] == kind[u] }, in)
		check(t, p.Finest(), func(s, u int) bool { return s == u }, in)
	}
}

// check compares a partition with a definition of it.
func check(t *testing.T, p *Partition, same func(s, u int) bool, in func(s int) bool) {
	t.Helper()
	total := 0
	for c, members := range p.Members {
		if len(members) == 0 || !slices.IsSorted(members) {
			t.Fatalf("class %d is empty or out of order: %v", c, p)
		}
		for _, s := range members {
			if p.Class[s] != int32(c) {
				t.Fatalf("%d is not in class %d: %v", s, c, p)
			}
		}
		total += len(members)
	}
	for s := range p.Class {
		if in(s) != (p.Class[s] >= 0) {
			t.Fatalf("%d: %v", s, p)
		}
		if in(s) {
			total--
		}
		for u := range s {
			if in(s) && in(u) && same(s, u) != (p.Class[s] == p.Class[u]) {
				t.Fatalf("%d and %d: %v", s, u, p)
			}
		}
	}
	if total != 0 {
		t.Fatalf("%d members too many: %v", total, p)
	}
}
