package statetable

import (
	"math/rand/v2"
	"testing"
)

// TestWordSetGrow: sets of all loads, full ones and those whose last states lie at the
// start among them, keep their states when several goroutines move them, to any number
// of segments.
func TestWordSetGrow(t *testing.T) {
	wrapped, full := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 47))
		s := NewWordSet(1 + r.IntN(5))
		s.resize(1 + r.IntN(4))
		in := map[uint64]bool{}
		states := r.Uint64N(s.size + 1)
		if seed%8 == 0 {
			states = s.size
		}
		for i := range states {
			x := r.Uint64()
			switch { // crowd the end, or the start
			case i < 2000 && seed%4 == 0:
				for s.home(x) < s.size-500 {
					x = r.Uint64()
				}
			case i < 2000 && seed%4 == 1:
				for s.home(x) > 500 {
					x = r.Uint64()
				}
			}
			if isNew, room := s.add(x, s.home(x)); !isNew || !room {
				t.Fatalf("seed %d: %d is not new, or there is no room: %t, %t", seed, x, isNew, room)
			}
			in[x] = true
		}
		s.n.Store(int64(len(in)))
		if v := *s.slot(0); v != 0 && s.home(v-1) > 0 {
			wrapped++
		}
		if uint64(len(in)) == s.size {
			full++
		}
		s.grow(len(s.segments) + 1 + r.IntN(2*len(s.segments)))
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
	if wrapped < 5 || full < 5 {
		t.Errorf("%d sets ran over the end, %d were full", wrapped, full)
	}
}
