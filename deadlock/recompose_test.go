package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestRecompose compares rounds that search again only what a split touched with
// searches from scratch: without stubborn sets every round is the same; with them
// the nearest abstract deadlock of every round is as near as without, and the
// verdict is the naive one. Refinements that are not proper panic.
func TestRecompose(t *testing.T) {
	count := soak.Long(uint64(1000))
	tested, rounds, expanded, scratch := 0, 0, int64(0), int64(0)
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
		for _, opts := range []Options{
			{NoAbandon: true}, {NoAbandon: true, NoReduction: true},
		} {
			log, it := recompose(t, seed, net, opts, want, false)
			rounds += it.stats.Rounds
			expanded += it.stats.Expanded
			again, twin := recompose(t, seed, net, opts, want, true)
			scratch += twin.stats.Expanded
			if opts.NoReduction && again != log {
				t.Fatalf("seed %d, %+v: rounds\n%sfrom scratch\n%s", seed, opts, log, again)
			}
		}
	}
	t.Logf("%d networks, %d rounds, %d states expanded, %d from scratch", tested, rounds, expanded, scratch)
	if scratch-expanded < int64(count)/4 {
		t.Error("hardly anything was taken from earlier rounds")
	}
}

// recompose runs IterDeadlock and describes its rounds.
func recompose(t *testing.T, seed uint64, net *lks.Network, opts Options, want, fromScratch bool) (string, *iteration) {
	t.Helper()
	log := ""
	var it *iteration
	var parts []*quotient // of the round, which is told of when it has refined them
	opts.Explain = func(r Round) {
		log += fmt.Sprintln(r.Number, r.States, r.Classes, r.Outcome)
		for _, s := range r.Spurious {
			log += fmt.Sprintln(s.Rules, s.Classes)
		}
		s := newAbsSearch(compose(net, parts, false), newPace(testMeter(), nil), false)
		parts = slices.Clone(it.parts)
		paths, err := s.run(1)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Spurious) > 0 && (len(paths) == 0 || len(paths[0].rules) != len(r.Spurious[0].Rules)) {
			t.Fatalf("seed %d, %+v, round %d: %v, from scratch %v", seed, opts, r.Number, r.Spurious[0].Rules, paths)
		}
		if len(r.Spurious) == 0 && len(paths) > 0 != want {
			t.Fatalf("seed %d, %+v, last round %d: %d abstract deadlocks, deadlock %v", seed, opts, r.Number, len(paths), want)
		}
	}
	it, err := newIteration(net, &opts, newPace(testMeter(), nil), true)
	if err != nil {
		t.Fatal(err)
	}
	it.fromScratch = fromScratch
	parts = slices.Clone(it.parts)
	f, err := it.run()
	if err != nil || f.open != decided || (f.trace != nil) != want {
		t.Fatalf("seed %d, %+v: %+v, naively %v, %v", seed, opts, f, want, err)
	}
	return log, it
}
