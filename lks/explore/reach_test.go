package explore_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestFamilyCounts compares with what SPIN and LTSmin count.
func TestFamilyCounts(t *testing.T) {
	tests := []struct {
		net                            *lks.Network
		states, transitions, deadlocks int64
		big                            bool
	}{
		{gen.Philosophers(12, true), 1684802, 12912492, 0, true},
		{gen.Philosophers(12, false), 1684801, 12912480, 1, true},
		{gen.ReadersWriters(8), 1941760, 22645760, 0, true},
		{gen.Milner(16), 1572864, 13369344, 0, true},
		{gen.Ring(16), 2097152, 18350080, 0, true},
	}
	for _, test := range tests {
		t.Run(test.net.Name(), func(t *testing.T) {
			if test.big && testing.Short() {
				t.Skip("large")
			}
			r, err := explore.Reach(test.net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(r.States, r.Transitions, r.Deadlocks)
			if want := fmt.Sprint(test.states, test.transitions, test.deadlocks); got != want {
				t.Errorf("states, transitions, deadlocks: %s, want %s", got, want)
			}
		})
	}
}

// BenchmarkExploreWide explores the first half million states of networks with
// states of several words and many rules.
func BenchmarkExploreWide(b *testing.B) {
	for _, net := range []*lks.Network{
		gen.Philosophers(20, false), gen.Philosophers(50, false), gen.Philosophers(100, false), gen.Ring(40), gen.ReadersWriters(100),
	} {
		b.Run(net.Name(), func(b *testing.B) {
			var states, transitions int64
			for b.Loop() {
				meter := budget.New(nil, budget.Limits{States: 500_000}, nil)
				r, _ := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: meter})
				states += r.States
				transitions += r.Transitions
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
			b.ReportMetric(float64(transitions)/b.Elapsed().Seconds()/1e6, "Mtransitions/s")
			b.ReportMetric(float64(len(net.Rules())), "rules")
			b.ReportMetric(float64(net.Words()), "words")
		})
	}
}

func BenchmarkExplore(b *testing.B) {
	for _, net := range []*lks.Network{
		gen.Philosophers(10, false),
		gen.Philosophers(12, false), gen.ReadersWriters(8), gen.Milner(16), gen.Ring(16),
	} {
		b.Run(net.Name(), func(b *testing.B) {
			var states, transitions, bytes int64
			for b.Loop() {
				r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
				if err != nil {
					b.Fatal(err)
				}
				states += r.States
				transitions += r.Transitions
				bytes = r.Bytes() / r.States
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
			b.ReportMetric(float64(transitions)/b.Elapsed().Seconds()/1e6, "Mtransitions/s")
			b.ReportMetric(float64(bytes), "bytes/state")
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, net := range []*lks.Network{gen.Philosophers(10, false), gen.Ring(13)} {
		b.Run(net.Name(), func(b *testing.B) {
			var states int64
			for b.Loop() {
				m, err := net.Build(nil)
				if err != nil {
					b.Fatal(err)
				}
				states += int64(m.NumStates())
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
		})
	}
}
