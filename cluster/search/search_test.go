package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
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

// asked is a question about a network, without a task behind it.
func asked(net *lks.Network, q Question, f *ltl.Formula) *Compiled {
	return &Compiled{Task: &Task{Schema: Schema, Question: q}, Net: net, Formula: f}
}

// runAll searches by so many workers, which must all come to the same result.
func runAll(t testing.TB, size int, net local.Options, ck exchange.Checkpoints, c *Compiled, opts Options) (*Result, error) {
	t.Helper()
	results := make([]*Result, size)
	errs := local.Run(context.Background(), size, net, func(ctx context.Context, ex exchange.Exchange) (err error) {
		results[ex.Rank()], err = RunCompiled(ctx, ex, ck, c, opts)
		return err
	})
	for rank := range size {
		if fmt.Sprint(errs[rank] == nil) != fmt.Sprint(errs[0] == nil) {
			t.Fatalf("worker %d: %v, worker 0: %v", rank, errs[rank], errs[0])
		}
		if errs[0] == nil && !sameResult(results[rank], results[0]) {
			t.Fatalf("worker %d: %+v\nworker 0: %+v", rank, results[rank], results[0])
		}
	}
	return results[0], errs[0]
}

func sameResult(a, b *Result) bool {
	x, y := *a, *b
	x.Run, y.Run, x.Prefix, y.Prefix, x.Workers, y.Workers = nil, nil, nil, nil, nil, nil
	return fmt.Sprintf("%+v", x) == fmt.Sprintf("%+v", y) && fmt.Sprint(a.Run) == fmt.Sprint(b.Run) && fmt.Sprint(a.Workers) == fmt.Sprint(b.Workers)
}

// sizes are the numbers of workers that are tried.
var sizes = []int{1, 2, 3, 8}

// randomNetwork returns the random network of a seed, nil if it cannot be built.
func randomNetwork(seed uint64) *lks.Network {
	shape := gen.Small
	shape.States = 3 + int(seed%5)
	net, err := gen.Network(gen.Rand(seed), 5, shape).Build()
	if err != nil {
		return nil
	}
	return net
}

var stores = []explore.Store{explore.Numbered, explore.Exact, explore.Compact}

// TestCounts compares counts and findings with those of one process.
func TestCounts(t *testing.T) {
	worthwhile = 1 // small networks have owners by shares, too
	defer func() { worthwhile = 1 << 20 }()
	violated := 0
	for seed := range soak.Long(uint64(1000)) {
		net := randomNetwork(seed)
		if net == nil {
			continue
		}
		size, store := sizes[seed%4], stores[seed%3]
		for _, q := range []struct {
			Kind
			opts  explore.Options
			found func(*explore.Reached) []uint64
		}{
			{Count, explore.Options{}, func(*explore.Reached) []uint64 { return nil }},
			{Deadlock, explore.Options{StopAtDeadlock: true}, func(r *explore.Reached) []uint64 { return r.DeadlockState }},
			{Error, explore.Options{StopAtError: true}, func(r *explore.Reached) []uint64 { return r.ErrorState }},
		} {
			q.opts.Store, q.opts.Workers = explore.Exact, 1
			want, err := explore.Reach(net, q.opts)
			if err != nil {
				t.Fatal(err)
			}
			got, err := runAll(t, size, local.Options{Disorder: true, Seed: seed, Credit: 2}, nil, asked(net, Question{Kind: q.Kind}, nil), Options{Store: store})
			if err != nil {
				t.Fatalf("seed %d, %d workers, %v, %v: %v", seed, size, store, q.Kind, err)
			}
			if state := q.found(want); (state != nil) != (got.Verdict == report.Violated) {
				t.Fatalf("seed %d, %d workers, %v, %v: %v", seed, size, store, q.Kind, got.Verdict)
			} else if state != nil {
				violated++
				checkTrace(t, seed, net, want, state, got)
				if q.Kind == Error {
					continue // one process sees it a level earlier
				}
			}
			w := [...]int64{want.States, want.Transitions, want.Depth, want.Deadlocks, want.Ends}
			if g := [...]int64{got.States, got.Transitions, got.Depth, got.Deadlocks, got.Ends}; got.Verdict == report.Holds && (g != w || got.Errors != want.Errors) {
				t.Fatalf("seed %d, %d workers, %v, %v: %v, want %v", seed, size, store, q.Kind, g, w)
			}
		}
	}
	if violated < int(soak.Long(200)) {
		t.Errorf("only %d were violated", violated)
	}
}

// checkTrace checks that a trace leads to a state, and is as short as can be.
func checkTrace(t *testing.T, seed uint64, net *lks.Network, want *explore.Reached, state []uint64, got *Result) {
	t.Helper()
	shortest, err := want.TraceTo(state, budget.New(context.Background(), budget.Limits{}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Run.Replay(net); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	packed := make([]uint64, net.Words())
	net.Pack(got.Run.Last.Local, packed)
	if got.Run.Len() != shortest.Len() || got.Run.Last.Kind != shortest.Last.Kind || !slices.Equal(got.Run.Last.Enabled, shortest.Last.Enabled) {
		t.Fatalf("seed %d: %v, want %v", seed, got.Run, shortest)
	}
}

// TestFormulas compares verdicts with those of one process.
func TestFormulas(t *testing.T) {
	verdicts := map[report.Verdict]int{}
	for seed := range soak.Long(uint64(1000)) {
		r := gen.Rand(seed)
		shape := gen.Small
		shape.States, shape.Props, shape.Special = 3+int(seed%4), 0.8, 0.1
		p := gen.NewProblem(r, 3, 9, shape)
		f := p.Formula
		if seed%2 == 0 {
			f = recurrent(r, gen.ModelAtoms(p.Components...))
		}
		var parts []*lks.Network
		for _, m := range p.Components {
			parts = append(parts, lks.Single(m))
		}
		net, err := lks.Compose("test", parts...)
		if err != nil {
			t.Fatal(err)
		}
		size, finite := sizes[seed%4], product.FiniteRuns(seed/4%3)
		want, wantErr := product.Verify(context.Background(), net, f, product.Options{Finite: finite})
		got, err := runAll(t, size, local.Options{Disorder: true, Seed: seed, Credit: 2}, nil, asked(net, Question{Kind: LTL, Finite: finite, POR: product.POR(seed % 3)}, f), Options{})
		var refused, wantRefused *product.FiniteRunError
		if errors.As(err, &refused) != errors.As(wantErr, &wantRefused) || refused == nil && (err != nil || wantErr != nil) {
			t.Fatalf("seed %d, %d workers: %v, want %v", seed, size, err, wantErr)
		}
		if refused != nil {
			verdicts["refused"]++
			if err := refused.Trace.Replay(net); err != nil || len(refused.Trace.Stem) != len(wantRefused.Trace.Stem) {
				t.Fatalf("seed %d: %v, want %v: %v", seed, refused.Trace, wantRefused.Trace, err)
			}
			continue
		}
		verdicts[got.Verdict]++
		if got.Reduced {
			verdicts["reduced"]++
		}
		if string(got.Verdict) != want.Verdict.String() {
			t.Fatalf("seed %d, %d workers, %v: %v is %v, want %v", seed, size, finite, f, got.Verdict, want.Verdict)
		}
		if got.Verdict == report.Violated && (got.Run.Replay(net) != nil || ltl.Eval(f, product.Word(got.Run))) {
			t.Fatalf("seed %d: %v does not violate %v", seed, got.Run, f)
		}
	}
	t.Log(verdicts)
	for _, v := range []report.Verdict{report.Holds, report.Violated, "refused", "reduced"} {
		if verdicts[v] < int(soak.Long(60)) {
			t.Errorf("%v: only %d", v, verdicts[v])
		}
	}
}

// recurrent returns a Boolean combination of GF and FG of Boolean formulas: their automata
// are not weak.
func recurrent(r *rand.Rand, atoms []ltl.Atom) *ltl.Formula {
	ops := []ltl.Op{ltl.And, ltl.Or, ltl.Implies}
	var all *ltl.Formula
	for range 1 + r.IntN(3) {
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(3), Atoms: atoms, Ops: append(ops, ltl.Not)})
		if r.IntN(2) == 0 {
			f = ltl.MakeAlways(ltl.MakeEventually(f))
		} else {
			f = ltl.MakeEventually(ltl.MakeAlways(f))
		}
		if all == nil {
			all = f
		} else {
			all = ltl.Make(ops[r.IntN(len(ops))], all, f)
		}
	}
	return all
}
