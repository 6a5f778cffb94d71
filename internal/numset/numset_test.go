package numset

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAgainstMaps compares both kinds with maps, over bounds around the word size.
func TestAgainstMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var stamps Stamps
	for range 500 {
		n := 1 + r.IntN(200)
		stamps.Clear(n)
		a, b := NewBits(n), NewBits(n)
		inA, inB := map[int32]bool{}, map[int32]bool{}
		for range r.IntN(n) {
			x, y := r.Int32N(int32(n)), r.Int32N(int32(n))
			if stamps.Add(x) == inA[x] {
				t.Fatalf("%d of %d: new twice, or known at once", x, n)
			}
			a.Add(x)
			inA[x] = true
			if r.IntN(2) == 0 {
				y = x
			}
			b.Add(y)
			inB[y] = true
		}
		within := true
		for x := range int32(n) {
			if a.Has(x) != inA[x] || b.Has(x) != inB[x] {
				t.Fatalf("%d of %d", x, n)
			}
			within = within && (!inA[x] || inB[x])
		}
		if a.Within(b) != within {
			t.Fatalf("%v within %v: not %v", a, b, within)
		}
	}
}

// The rounds of stamps end: what was added in the first must not be back.
func TestStampsWrap(t *testing.T) {
	var s Stamps
	s.Clear(2)
	s.Add(0)
	s.round = math.MaxInt32
	s.Clear(2)
	if !s.Add(0) {
		t.Error("a number of an old round is back")
	}
}

func TestIndex(t *testing.T) {
	var x Index
	for i, c := range []struct {
		list []int32
		n    int32
	}{{nil, 0}, {[]int32{1, 2}, 1}, {[]int32{2, 1}, 2}, {[]int32{1}, 3}, {[]int32{1, 2}, 1}, {[]int32{}, 0}, {[]int32{-1}, 4}, {[]int32{258}, 5}} {
		before := x.Len()
		if n, fresh := x.Number(c.list); n != c.n || fresh != (int(c.n) == before) || fresh != (x.Len() > before) {
			t.Errorf("%d: %v has number %d, want %d (new: %v)", i, c.list, n, c.n, fresh)
		}
	}
}
