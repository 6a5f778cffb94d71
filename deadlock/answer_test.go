package deadlock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/outcome"
)

// TestPhilosophersAnswer checks the whole answer for five philosophers.
func TestPhilosophersAnswer(t *testing.T) {
	net := gen.Philosophers(5, false)
	r, err := answer(context.Background(), net, Options{})
	if err != nil || r.Free() {
		t.Fatalf("%+v, %v", r, err)
	}
	d := r.Deadlock
	if d.Trace.Len() != 5 {
		t.Errorf("trace of %d steps, want 5", d.Trace.Len())
	}
	if len(d.Cycle) != 10 {
		t.Errorf("cycle %v, want all philosophers and forks", d.Cycle)
	}
	for i, c := range d.Cycle {
		if next := d.Cycle[(i+1)%len(d.Cycle)]; !slices.Contains(d.Components[c].For, next) {
			t.Errorf("%d does not wait for %d", c, next)
		}
	}
	total := 0
	for c := range net.Components() {
		steps := d.Trace.Project(net, c)
		total += len(steps)
		for i := 1; i < len(steps); i++ {
			if steps[i].From != steps[i-1].To || steps[i].Index <= steps[i-1].Index {
				t.Errorf("the projection to component %d does not connect: %+v", c, steps)
			}
		}
	}
	if total != 10 { // each step moves a philosopher and a fork
		t.Errorf("projections have %d steps in all, want 10", total)
	}
}

// TestReplayRejects checks that Replay notices wrong traces.
func TestReplayRejects(t *testing.T) {
	net := gen.Philosophers(3, false)
	r, err := answer(context.Background(), net, Options{})
	if err != nil {
		t.Fatal(err)
	}
	good := r.Deadlock.Trace
	if err := replayDeadlock(net, good); err != nil {
		t.Fatal(err)
	}
	states := make([][]int32, good.Len()+1)
	rules := make([]int32, good.Len())
	for i := range states {
		if states[i] = good.At(i).Local; i < len(rules) {
			rules[i] = good.Stem[i].Rule
		}
	}
	change := func(f func(states [][]int32, rules []int32) ([][]int32, []int32)) *run.Run {
		var s [][]int32
		for i := range states {
			s = append(s, slices.Clone(states[i]))
		}
		s, r := f(s, slices.Clone(rules))
		return run.New(net, s, r, -1)
	}
	for name, bad := range map[string]*run.Run{
		"too short":      change(func(s [][]int32, r []int32) ([][]int32, []int32) { return s[:3], r[:2] }),
		"not initial":    change(func(s [][]int32, r []int32) ([][]int32, []int32) { s[0][0]++; return s, r }),
		"wrong rule":     change(func(s [][]int32, r []int32) ([][]int32, []int32) { r[0], r[1] = r[1], r[0]; return s, r }),
		"moves silently": change(func(s [][]int32, r []int32) ([][]int32, []int32) { s[3][len(s[3])-1]++; return s, r }),
		"no state":       change(func(s [][]int32, r []int32) ([][]int32, []int32) { return s[1:], r[1:] }),
		"no end":         {Stem: good.Stem},
	} {
		if replayDeadlock(net, bad) == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// TestLimits checks that all methods stop at limits and say so.
func TestLimits(t *testing.T) {
	net := gen.ReadersWriters(9)
	for _, opts := range []Options{
		{NoReduction: true}, {Method: Plain, NoReduction: true}, {Method: Iter, NoReduction: true},
	} {
		opts.Limits = budget.Limits{States: 5000}
		r, err := answer(context.Background(), net, opts)
		var exhausted *budget.Exhausted
		if !errors.As(err, &exhausted) || exhausted.What != "states" || r.Deadlock != nil {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, opts := range []Options{{NoReduction: true}, {Method: Plain, NoReduction: true}, {Method: Iter, NoReduction: true}} {
		if _, err := answer(ctx, net, opts); !errors.Is(err, budget.ErrInterrupted) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	limited := Options{Limits: budget.Limits{Time: time.Nanosecond}}
	if r, err := Livelock(context.Background(), net, limited); err != nil || r.Verdict != outcome.Unknown || r.Reason == nil {
		t.Error("Livelock: no error")
	}
	if _, err := Local(context.Background(), net, limited); err == nil {
		t.Error("Local: no error")
	}
}

// TestDeterministic runs Auto several times: everything but times is the same.
func TestDeterministic(t *testing.T) {
	nets := []*lks.Network{gen.ReadersWriters(6), gen.Ring(10), gen.Philosophers(9, false), gen.Philosophers(9, true)}
	for seed := range uint64(10) {
		nets = append(nets, gen.Meeting(gen.Rand(seed), 9, 6))
	}
	raced := 0
	for seed, net := range nets {
		var first string
		for i := range 3 {
			r, err := answer(context.Background(), net, Options{NoReduction: seed < 4, Limits: budget.Limits{States: 1 << 20}})
			got := fmt.Sprintf("%v %v", r.Method, err)
			if r.Exploration != nil {
				r.Exploration.Search = nil // has times
				got += fmt.Sprintf(" %+v", *r.Exploration)
			}
			if r.Abstraction != nil {
				got += fmt.Sprintf(" %+v", *r.Abstraction)
				raced++
			}
			if r.Deadlock != nil {
				got += fmt.Sprintf("%+v", *r.Deadlock.Trace)
			}
			if i == 0 {
				first = got
			} else if got != first {
				t.Fatalf("%s (%d): first\n%s, then\n%s", net.Name(), seed, first, got)
			}
		}
	}
	if raced == 0 {
		t.Error("no race was run")
	}
}

// TestConditionsScale proves what no search of the states could.
func TestConditionsScale(t *testing.T) {
	r, err := answer(context.Background(), gen.Philosophers(200, true), Options{Method: Conditions})
	if err != nil || r.Proof == nil || r.Proof.Rule != "ordered waits" {
		t.Errorf("200 philosophers: %+v, %v", r, err)
	}
	if _, err := answer(context.Background(), gen.Philosophers(20, false), Options{Method: Conditions}); !errors.Is(err, ErrNotProved) {
		t.Errorf("philosophers who can deadlock: %v", err)
	}
}

// clocks returns components that count a common tick modulo different primes:
// hundreds of millions of states, of which none matters.
func clocks(t *testing.T, periods ...int) *lks.Network {
	t.Helper()
	var parts []*lks.Network
	for i, n := range periods {
		b := lks.NewBuilder(fmt.Sprint("clock", i))
		for s := range n {
			b.State()
			b.Transition(int32(s), "tick", int32((s+1)%n))
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("clocks", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestAbstractionWins checks that Auto finds the proof that needs one abstract
// state where stubborn sets do not help.
func TestAbstractionWins(t *testing.T) {
	net := clocks(t, 7, 11, 13, 17, 19, 23, 29)
	r, err := answer(context.Background(), net, Options{Limits: budget.Limits{States: 200000}})
	if err != nil || !r.Free() || r.Method != Iter {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Abstraction.Rounds != 1 || r.Abstraction.States != 1 {
		t.Errorf("%+v", *r.Abstraction)
	}
}

// answer is Check, whose unknown verdicts are errors here.
func answer(ctx context.Context, net *lks.Network, opts Options) (*Result, error) {
	return answerBy(ctx, net, &opts, find)
}

func answerBy(ctx context.Context, net *lks.Network, opts *Options, find finder) (*Result, error) {
	r, err := check(ctx, net, opts, find)
	if err == nil {
		err = r.Reason
	}
	if err == nil && (r.Verdict == outcome.Violated) != (r.Deadlock != nil) {
		err = fmt.Errorf("%v with %v", r.Verdict, r.Deadlock)
	}
	return r, err
}
