package deadlock

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestRounds: the nearest abstract deadlock of every round is as near as without stubborn sets, and the
// verdict is the naive one. Refinements that are not proper panic.
func TestRounds(t *testing.T) {
	count := soak.Long(uint64(1000))
	tested, rounds, many := 0, 0, 0
	for seed := range count {
		net := gen.Meeting(gen.Rand(seed), 3+int(seed%4), 6)
		if seed%2 == 0 {
			net = randomNet(seed)
		}
		if net == nil || net.Low() != nil {
			continue
		}
		tested++
		want := naive.Explore(net).Deadlock() >= 0
		for _, opts := range []Options{{NoAbandon: true}, {NoAbandon: true, NoReduction: true}} {
			n := everyRound(t, seed, net, opts, want)
			if rounds += n; n > 2 {
				many++
			}
		}
	}
	t.Logf("%d networks, %d rounds, more than two %d times", tested, rounds, many)
	if many == 0 {
		t.Error("no network needs more than one refinement")
	}
}

// everyRound runs IterDeadlock, looks at its rounds, and returns how many there were.
func everyRound(t *testing.T, seed uint64, net *lks.Network, opts Options, want bool) int {
	t.Helper()
	var it *iteration
	var parts []*quotient // of the round, which is told of when it has refined them
	opts.Explain = func(r Round) {
		s := newAbsSearch(compose(net, parts, false), newPace(testMeter(), nil))
		parts = slices.Clone(it.parts)
		paths, err := s.run(1)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Spurious) > 0 && (len(paths) == 0 || len(paths[0].rules) != len(r.Spurious[0].Rules)) {
			t.Fatalf("seed %d, %+v, round %d: %v, without stubborn sets %v", seed, opts, r.Number, r.Spurious[0].Rules, paths)
		}
		if len(r.Spurious) == 0 && len(paths) > 0 != want {
			t.Fatalf("seed %d, %+v, last round %d: %d abstract deadlocks, deadlock %v", seed, opts, r.Number, len(paths), want)
		}
	}
	it, err := newIteration(net, &opts, newPace(testMeter(), nil), true)
	if err != nil {
		t.Fatal(err)
	}
	parts = slices.Clone(it.parts)
	f, err := it.run()
	if err != nil || f.open != decided || (f.trace != nil) != want {
		t.Fatalf("seed %d, %+v: %+v, naively %v, %v", seed, opts, f, want, err)
	}
	return it.stats.Rounds
}
