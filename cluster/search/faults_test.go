package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/cluster/exchange/local"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// formula parses one about a network.
func formula(t testing.TB, net *lks.Network, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.ParseText(text, ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestResume: attempts that end anywhere, and others that go on from the last checkpoint,
// come to the result of one attempt.
func TestResume(t *testing.T) {
	type question struct {
		net  *lks.Network
		kind Kind
		text string
	}
	resumed, stages := 0, map[string]bool{}
	for i, q := range []question{
		{gen.Philosophers(4, false), Count, ""},
		{gen.Philosophers(5, false), Deadlock, ""},
		{gen.Philosophers(4, false), LTL, "G F eating0"},
		{gen.Philosophers(4, true), LTL, "G !(eating0 & eating1)"},
		{gen.Milner(4), LTL, "G F run0"},
		{gen.Ring(3), LTL, "G(try0 -> F crit0)"},
	} {
		var f *ltl.Formula
		if q.text != "" {
			f = formula(t, q.net, q.text)
		}
		finite := product.StutterRuns
		if i == 5 {
			finite = product.RefuseRuns
		}
		c := asked(q.net, Question{Kind: q.kind, Finite: finite}, f)
		for seed := range soak.Long(uint64(30)) {
			size, store := sizes[seed%4], explore.Numbered
			if q.kind != LTL {
				store = stores[seed%3]
			}
			opts := Options{Store: store, CheckpointEvery: 1 + int(seed%3)}
			want, err := runAll(t, size, local.Options{}, nil, c, opts)
			if err != nil {
				t.Fatal(err)
			}
			random, ck := gen.Rand(seed), &local.Checkpoints{}
			for attempt := 0; ; attempt++ {
				hub := local.Options{Disorder: true, Seed: seed, FailAfter: 1 + random.Int64N(int64(40*size*(attempt+1)))}
				got, err := runAll(t, size, hub, ck, c, opts)
				if errors.Is(err, exchange.ErrRestart) && attempt < 300 {
					continue
				}
				if err != nil {
					t.Fatalf("%v, seed %d: %v", q.kind, seed, err)
				}
				if got.Resumed >= 0 {
					resumed++
				}
				if a, b := outcome(got), outcome(want); a != b {
					t.Fatalf("%v %s, seed %d, %d workers, resumed from %d:\n%s, want\n%s", q.kind, q.text, seed, size, got.Resumed, a, b)
				}
				stages[fmt.Sprint(q.kind, q.text, got.Verdict)] = true
				break
			}
		}
	}
	if resumed < int(soak.Long(60)) {
		t.Errorf("only %d were resumed", resumed)
	}
	t.Log(resumed, stages)
}

// outcome is what must not depend on attempts, or on the number of workers.
func outcome(r *Result) string {
	return fmt.Sprint(r.Verdict, r.States, r.Transitions, r.Depth, r.Deadlocks, r.Ends, r.Errors, r.Complete, r.Run, r.FiniteMet)
}

// TestWorkersAgree: the result does not depend on the number of workers, or on the order of
// messages.
func TestWorkersAgree(t *testing.T) {
	for _, q := range []struct {
		net  *lks.Network
		text string
	}{
		{gen.Philosophers(4, false), "G F eating0"}, {gen.Philosophers(5, false), "F G !eating1 | G F eating2"}, {gen.Ring(3), "G F crit1"},
		{gen.Philosophers(4, false), ""},
	} {
		c := asked(q.net, Question{Kind: Deadlock}, nil)
		if q.text != "" {
			c = asked(q.net, Question{Kind: LTL}, formula(t, q.net, q.text))
		}
		first := ""
		for seed, size := range []int{1, 2, 2, 3, 8} {
			got, err := runAll(t, size, local.Options{Disorder: true, Seed: uint64(seed)}, nil, c, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = outcome(got)
			}
			if outcome(got) != first {
				t.Errorf("%s, %d workers:\n%s, want\n%s", q.text, size, outcome(got), first)
			}
		}
	}
}

// TestMemory: a space that is too large for one worker's limit is not for four.
func TestMemory(t *testing.T) {
	net := gen.Philosophers(8, false)
	for _, store := range stores {
		for _, q := range []Kind{Count, LTL} {
			c := asked(net, Question{Kind: q}, nil)
			if q == LTL {
				if store != explore.Numbered {
					continue
				}
				c.Formula = formula(t, net, "G !(eating0 & eating1)")
			}
			alone, err := runAll(t, 1, local.Options{}, nil, c, Options{Store: store})
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{Store: store, Memory: alone.Workers[0].Memory * 3 / 4}
			got, err := runAll(t, 1, local.Options{}, nil, c, opts)
			if err != nil || got.Verdict != report.Unknown || !strings.Contains(got.Reason, "memory limit") || got.States == 0 || got.States > alone.States || got.Complete {
				t.Errorf("%v %v: %+v, %v", store, q, got, err)
			}
			opts.Memory += 8 * exchange.BatchBytes // buffers for three others
			if got, err = runAll(t, 4, local.Options{}, nil, c, opts); err != nil || outcome(got) != outcome(alone) {
				t.Errorf("%v %v: %+v, %v", store, q, got, err)
			}
		}
	}
}

// TestInterrupt: one worker is interrupted, and all say what was explored.
func TestInterrupt(t *testing.T) {
	interrupt := make(chan struct{})
	close(interrupt)
	c := asked(gen.Philosophers(6, false), Question{Kind: Count}, nil)
	errs := local.Run(context.Background(), 3, local.Options{}, func(ctx context.Context, ex exchange.Exchange) error {
		opts := Options{}
		if ex.Rank() == 1 {
			opts.Interrupt = interrupt
		}
		r, err := RunCompiled(ctx, ex, nil, c, opts)
		if err == nil && (r.Verdict != report.Unknown || r.Reason != "interrupted" || len(r.Workers) != 3) {
			err = fmt.Errorf("%+v", r)
		}
		return err
	})
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestCancel: the context of one worker ends, and so does the attempt.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := asked(gen.Philosophers(8, false), Question{Kind: Count}, nil)
	errs := local.Run(context.Background(), 2, local.Options{}, func(all context.Context, ex exchange.Exchange) error {
		mine := all
		if ex.Rank() == 1 {
			mine = ctx
			cancel()
		}
		_, err := RunCompiled(mine, ex, nil, c, Options{})
		return err
	})
	if !errors.Is(errs[1], context.Canceled) || !errors.Is(errs[0], exchange.ErrRestart) {
		t.Error(errs)
	}
}

// TestDisagreement: who has another model, other options or another size is refused by all.
func TestDisagreement(t *testing.T) {
	for name, other := range map[string]struct {
		c    *Compiled
		opts Options
	}{
		"model":       {asked(gen.Philosophers(5, true), Question{Kind: Count}, nil), Options{}},
		"question":    {asked(gen.Philosophers(5, false), Question{Kind: Deadlock}, nil), Options{}},
		"store":       {asked(gen.Philosophers(5, false), Question{Kind: Count}, nil), Options{Store: explore.Exact}},
		"checkpoints": {asked(gen.Philosophers(5, false), Question{Kind: Count}, nil), Options{CheckpointEvery: 3}},
	} {
		errs := local.Run(context.Background(), 3, local.Options{}, func(ctx context.Context, ex exchange.Exchange) error {
			c, opts := asked(gen.Philosophers(5, false), Question{Kind: Count}, nil), Options{}
			if ex.Rank() == 2 {
				c, opts = other.c, other.opts
			}
			_, err := RunCompiled(ctx, ex, &local.Checkpoints{}, c, opts)
			return err
		})
		for rank, err := range errs {
			var disagreement *Disagreement
			if !errors.As(err, &disagreement) || len(disagreement.Ranks) != 1 || disagreement.Ranks[0] != 2 {
				t.Errorf("%s, worker %d: %v", name, rank, err)
			}
		}
	}
}

// liar changes what its worker sends.
type liar struct {
	exchange.Exchange
	change func(payload []byte) []byte
}

func (l liar) Send(ctx context.Context, to int, payload []byte) error {
	return l.Exchange.Send(ctx, to, l.change(payload))
}

// TestHostilePayloads: a payload that is none, or has states of others, ends the search with
// an error, not with a wrong answer.
func TestHostilePayloads(t *testing.T) {
	net := gen.Philosophers(6, false)
	for name, change := range map[string]func(p []byte) []byte{
		"cut":      func(p []byte) []byte { return p[:len(p)-1] },
		"longer":   func(p []byte) []byte { return append(p, 1) },
		"garbage":  func(p []byte) []byte { return []byte("garbage") },
		"outside":  func(p []byte) []byte { p[len(p)-1] = 0xff; return p },
		"of other": func(p []byte) []byte { return append(p[:8:8], 1, 0, 0, 0, 0) },
	} {
		errs := local.Run(context.Background(), 2, local.Options{}, func(ctx context.Context, ex exchange.Exchange) error {
			if ex.Rank() == 0 {
				ex = liar{ex, change}
			}
			r, err := RunCompiled(ctx, ex, nil, asked(net, Question{Kind: Count}, nil), Options{})
			if err == nil {
				err = fmt.Errorf("it was taken: %v", r.States)
			}
			return err
		})
		ok := errs[0] != nil && strings.Contains(errs[1].Error(), "is refused")
		if name == "of other" { // it has a state that there is, which worker 1 owns or refuses
			want := "another worker owns"
			if newOwners(net, 2).of(make([]uint64, net.Words())) == 1 {
				want = "under way"
			}
			ok = errs[0] != nil && strings.Contains(errs[1].Error(), want)
		}
		if !ok || !errors.Is(errs[1], exchange.ErrRestart) { // no bug: another attempt may do better
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// TestProgress: what is told on the way grows, and does not exceed what is told in the end.
func TestProgress(t *testing.T) {
	tellEvery = 0
	defer func() { tellEvery = time.Second }()
	net := gen.Ring(3)
	var told []Progress
	var result *Result
	errs := local.Run(context.Background(), 2, local.Options{}, func(ctx context.Context, ex exchange.Exchange) error {
		opts := Options{}
		if ex.Rank() == 1 {
			opts.Progress = func(p Progress) { told = append(told, p) }
		}
		r, err := RunCompiled(ctx, ex, nil, asked(net, Question{Kind: LTL}, formula(t, net, "G F crit1")), opts)
		if ex.Rank() == 1 {
			result = r
		}
		return err
	})
	if errs[0] != nil || errs[1] != nil || len(told) < 10 {
		t.Fatal(errs, len(told))
	}
	phases := map[string]bool{}
	for i, p := range told {
		phases[p.Phase] = true
		if i > 0 && (p.Round < told[i-1].Round || p.States < told[i-1].States || p.Worker.Elapsed < told[i-1].Worker.Elapsed) {
			t.Errorf("%+v after %+v", p, told[i-1])
		}
		if p.States > result.States || p.Transitions > result.Transitions || p.Worker.Sent > result.Workers[1].Sent || p.Round > result.Rounds {
			t.Errorf("%+v of %+v", p, result)
		}
	}
	for _, phase := range []string{"exploring", "accepting runs", "eliminating", "tracing"} {
		if !phases[phase] {
			t.Errorf("nothing is told of %s", phase)
		}
	}
}

// TestInterrupted: a search that is interrupted in some round, also in the one in which it finds
// something, has the answer of one that is not, or none.
func TestInterrupted(t *testing.T) {
	tellEvery = 0
	defer func() { tellEvery = time.Second }()
	said := map[report.Verdict]int{}
	for seed := range soak.Long(uint64(400)) {
		net := randomNetwork(seed)
		if net == nil || len(net.Alphabet()) < 2 {
			continue
		}
		q, f := Question{Kind: Kind(seed % 3)}, (*ltl.Formula)(nil)
		if seed%4 == 3 {
			q = Question{Kind: LTL, Finite: product.FiniteRuns(seed / 4 % 3)}
			f = recurrent(gen.Rand(seed), []ltl.Atom{{Kind: ltl.Event, Name: net.Alphabet()[1]}, {Kind: ltl.Deadlock}})
		}
		c, opts := asked(net, q, f), Options{Store: stores[seed/2%3]}
		if q.Kind == LTL {
			opts.Store = explore.Numbered
		}
		size := 1 + int(seed%3)
		want, wantErr := runAll(t, size, local.Options{}, nil, c, opts)
		for round := range int64(8) {
			results := make([]*Result, size)
			errs := local.Run(context.Background(), size, local.Options{}, func(ctx context.Context, ex exchange.Exchange) (err error) {
				opts, interrupt, once := opts, make(chan struct{}), sync.Once{}
				opts.Interrupt = interrupt
				opts.Progress = func(p Progress) {
					if p.Round >= round && ex.Rank() == size-1 {
						once.Do(func() { close(interrupt) })
					}
				}
				results[ex.Rank()], err = RunCompiled(ctx, ex, nil, c, opts)
				return err
			})
			for rank, err := range errs {
				var refused *product.FiniteRunError
				if err != nil && (!errors.As(err, &refused) || wantErr == nil) {
					t.Fatalf("seed %d, round %d, worker %d of %d: %v", seed, round, rank, size, err)
				}
				if err != nil {
					said["refused"]++
					continue
				}
				got := results[rank]
				if said[got.Verdict]++; got.Verdict == report.Unknown && got.Reason != "" {
					continue
				}
				if wantErr != nil || got.Verdict != want.Verdict {
					t.Fatalf("seed %d, round %d, worker %d of %d: %v, want %v, %v", seed, round, rank, size, got.Verdict, want, wantErr)
				}
			}
		}
	}
	t.Log(said)
	for _, v := range []report.Verdict{report.Holds, report.Violated, report.Unknown, "refused"} {
		if said[v] < 10 && !testing.Short() {
			t.Errorf("%v: only %d", v, said[v])
		}
	}
}
