package relations

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestJoin: paths are joined as they are when all are looked through for each location that goes.
func TestJoin(t *testing.T) {
	joined := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(9)
		var work []path
		for i := range rng.IntN(3 * n) {
			to := rng.IntN(n)
			if rng.IntN(8) == 0 {
				to = failed
			}
			work = append(work, path{from: rng.IntN(n), to: to, edges: []int{i}, fail: to == failed})
		}
		kept := map[int]bool{0: true, rng.IntN(n): true}
		w := newJoining()
		for _, p := range work {
			w.add(p)
		}
		got, want := w.join(n, func(l int) bool { return kept[l] }), joinedAgain(work, n, kept)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v, not %v", seed, got, want)
		}
		if len(want) < len(work) {
			joined++
		}
	}
	if joined < 1000 {
		t.Errorf("only %d", joined)
	}
}

func joinedAgain(work []path, n int, kept map[int]bool) []path {
	for {
		best := -1
		for l := range n {
			var into, from, rest []path
			self := false
			for _, p := range work {
				self = self || p.from == l && p.to == l
				switch {
				case p.to == l:
					into = append(into, p)
				case p.from == l:
					from = append(from, p)
				default:
					rest = append(rest, p)
				}
			}
			if i, o := len(into), len(from); kept[l] || self || i+o == 0 || i > 1 && o > 1 && i*o > i+o {
				continue
			}
			for _, p := range into {
				for _, q := range from {
					rest = append(rest, path{from: p.from, to: q.to, edges: slices.Concat(p.edges, q.edges), fail: q.fail})
				}
			}
			best, work = l, rest
			break
		}
		if best < 0 {
			return work
		}
	}
}
