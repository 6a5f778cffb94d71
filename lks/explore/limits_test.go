package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

func TestReachStops(t *testing.T) {
	net := gen.Philosophers(6, false)
	all, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil || !all.Complete || all.Deadlocks != 1 {
		t.Fatalf("complete %v, %d deadlocks, %v", all.Complete, all.Deadlocks, err)
	}
	first, err := explore.Reach(net, explore.Options{Traces: true, StopAtDeadlock: true})
	if err != nil || first.Complete || first.Deadlock < 0 || first.States > all.States {
		t.Fatalf("complete %v, deadlock %d, %v", first.Complete, first.Deadlock, err)
	}
	trace, err := first.Trace(first.Deadlock)
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Replay(net); err != nil {
		t.Error(err)
	}
	if trace.Len() != 6 {
		t.Errorf("the shortest trace to the deadlock has 6 steps, not %v", trace)
	}
	c, p, _ := net.Prop("eating3")
	eating := func(state []uint64) bool { return net.HasProp(state, c, p) }
	goal, err := explore.Reach(net, explore.Options{Traces: true, Goal: eating, StopAtGoal: true})
	if err != nil || goal.Goal < 0 || goal.Complete {
		t.Fatalf("goal %d, complete %v, %v", goal.Goal, goal.Complete, err)
	}
	if trace, err := goal.Trace(goal.Goal); err != nil || trace.Len() != 3 || !slices.Contains(trace.Last.Props, "eating3") {
		t.Errorf("trace to the goal: %v, %v", trace, err)
	}
	if _, err := all.Trace(0); err == nil {
		t.Error("a trace without Options.Traces")
	}
}

// TestReachErrorBeforeDeadlock: an error is noticed when it is generated, a
// deadlock when it is explored.
func TestReachErrorBeforeDeadlock(t *testing.T) {
	b := lks.NewBuilder("M")
	start, stuck, bad := b.State(), b.State(), b.StateID(lks.Error, nil)
	b.Transition(start, "a", stuck)
	b.Transition(start, "b", bad)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Reach(lks.Single(m), explore.Options{Resources: explore.Resources{Store: explore.Numbered}, StopAtDeadlock: true, StopAtError: true})
	if err != nil || r.Error < 0 || r.Deadlock >= 0 || r.States != 2 || r.Errors != 1 || r.Transitions != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLimits(t *testing.T) {
	net := gen.Philosophers(10, false)
	var exhausted *budget.Exhausted
	r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: budget.New(nil, budget.Limits{States: 10_000}, nil)})
	if !errors.As(err, &exhausted) || r.Complete || r.States < 10_000 {
		t.Errorf("%d states, complete %v, %v", r.States, r.Complete, err)
	}
	if _, err := net.Build(budget.New(nil, budget.Limits{States: 10_000}, nil)); !errors.As(err, &exhausted) {
		t.Errorf("Build: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: budget.New(ctx, budget.Limits{}, nil)}); !errors.Is(err, budget.ErrInterrupted) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSameAgain: the same network is explored in the same order.
func TestSameAgain(t *testing.T) {
	for seed := range soak.Cases(uint64(200)) {
		var states [2][]uint64
		for i := range states {
			n, err := gen.Network(gen.Rand(seed), 4, gen.Small).Build()
			if err != nil {
				t.Fatal(err)
			}
			r, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
			if err != nil {
				t.Fatal(err)
			}
			for s := range int32(r.Len()) {
				states[i] = append(states[i], r.State(s)...)
				if r.Number(r.State(s)) != s {
					t.Fatalf("seed %d: state %d has the number %d", seed, s, r.Number(r.State(s)))
				}
			}
		}
		if !slices.Equal(states[0], states[1]) {
			t.Fatalf("seed %d: explored differently a second time", seed)
		}
	}
}

// TestWideStates: however long states are and however many transitions they have, the
// meter is asked before much memory is filled.
func TestWideStates(t *testing.T) {
	b := lks.NewBuilder("P")
	first, second := b.State(), b.State()
	b.Transition(first, "a", second)
	b.Transition(second, "b", first)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	many := soak.Size(3000)
	parts := make([]*lks.Network, many)
	for i := range parts {
		parts[i] = lks.Single(m).Prefix(fmt.Sprint("p", i))
	}
	n, err := lks.Compose("N", parts...)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("enough")
	for name, search := range map[string]func(*budget.Meter) error{
		"build": func(meter *budget.Meter) error { _, err := n.Build(meter); return err },
		"numbered": func(meter *budget.Meter) error {
			_, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: meter})
			return err
		},
		"exact": func(meter *budget.Meter) error {
			_, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Exact}, Meter: meter})
			return err
		},
		"hash, 2 workers": func(meter *budget.Meter) error {
			_, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.HashCompact, Workers: 2}, Meter: meter})
			return err
		},
	} {
		asked, last, most := 0, int64(0), int64(0)
		err := search(budget.Watch(func(p budget.Progress) error {
			most = max(most, p.Transitions-last)
			if last = p.Transitions; last > soak.Size(int64(100_000)) {
				return stop
			}
			asked++
			return nil
		}))
		if err != stop {
			t.Errorf("%s: %v", name, err)
		}
		// Each transition has a state of 47 words.
		if words := most * int64(n.Words()); words > 1<<25 {
			t.Errorf("%s: %d words of successors without a question, asked %d times", name, words, asked)
		}
	}
}
