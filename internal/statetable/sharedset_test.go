package statetable

import (
	"math/rand/v2"
	"testing"
)

// TestSharedSetGrow: sets of all sizes and loads, full ones and those whose last states
// lie at the start among them, keep their states when several goroutines move them.
func TestSharedSetGrow(t *testing.T) {
	wrapped, full := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 47))
		s := NewSharedSet(1 + r.IntN(5))
		s.setSlots(1 + r.IntN(200))
		in := map[uint64]bool{}
		for range r.IntN(len(s.slots) + 1) {
			x := r.Uint64()
			if r.IntN(3) == 0 { // crowd the end
				for s.home(x) < uint64(len(s.slots)*9/10) {
					x = r.Uint64()
				}
			}
			if isNew, room := s.add(x, s.home(x)); !isNew || !room {
				t.Fatalf("seed %d: %d is not new, or there is no room: %t, %t", seed, x, isNew, room)
			}
			in[x] = true
		}
		s.n.Store(int64(len(in)))
		if v := s.slots[0]; v != 0 && s.home(v-1) > 0 {
			wrapped++
		}
		if len(in) == len(s.slots) {
			full++
		}
		before := len(s.slots)
		s.Grow()
		if len(s.slots) != 2*before {
			t.Fatalf("seed %d: %d slots grew to %d", seed, before, len(s.slots))
		}
		count := 0
		for state := range s.All {
			if count++; !in[state[0]] {
				t.Fatalf("seed %d: %d came from nowhere", seed, state[0])
			}
		}
		if count != len(in) {
			t.Fatalf("seed %d: %d states of %d are there", seed, count, len(in))
		}
		for x := range in {
			if isNew, _ := s.add(x, s.home(x)); isNew {
				t.Fatalf("seed %d: %d is not found", seed, x)
			}
		}
	}
	if wrapped < 100 || full < 5 {
		t.Errorf("%d sets ran over the end, %d were full", wrapped, full)
	}
}
