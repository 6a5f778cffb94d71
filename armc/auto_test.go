package armc_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

// Systems that took auto more than a minute, as its first method did not let the others begin.
const (
	hola03 = `var n, k, l, i: int; locations a, b, c, d, e; init a; error e;
		a -> b when l > 0 do k := 1; b -> c when k < n do i := l; c -> c when i < n do i := i + 1;
		c -> d when i >= n do i := l; d -> d when i < n && 1 <= i do i := i + 1;
		d -> e when i < n && i < 1; d -> b when i >= n do k := k + 1;`
	untilForty = `var x: int; locations a, b; init a when x == 0; error b; a -> a do x := x + 1; a -> b when x == 40;`
	// Both ends of the loop are far away for predicates that come one by one.
	farAway = `var x, y: int; locations a, b; init a when x == 0 && y == 0; error b;
		a -> a when y < 3 do y := y + 1; a -> a when y == 3 do x := x + 1, y := 0; a -> b when x == 8 && y == 2;`
)

func TestAutoIsFair(t *testing.T) {
	pool := newPool(t)
	for text, want := range map[string]Verdict{hola03: Safe, untilForty: Unsafe, farAway: Unsafe} {
		sys := parseText(t, text)
		for _, o := range []Options{{}, {NoFacts: true}, {NoFacts: true, NoAcceleration: true}} {
			o.Without = []Method{Enumerate}
			o.Limits = budget.Limits{Time: time.Minute}
			r, err := Check(ctx, sys, pool, o)
			if err != nil || r.Verdict != want {
				t.Fatalf("%s: %+v, %v", text, r, err)
			}
			if last := r.Tried[len(r.Tried)-1]; !strings.HasPrefix(last.Name, r.Method.String()) || last.Verdict != want {
				t.Errorf("answered by %s, tried %v", r.Method, r.Tried)
			}
		}
	}
}

// sleepy is a solver that is slow at random.
type sleepy struct {
	smt.Solver
	most time.Duration
}

func (s *sleepy) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	time.Sleep(rand.N(s.most))
	return s.Solver.Check(ctx, as...)
}

// TestAutoDeterminism: which lane answers, what, and after what work, depends neither on the
// number of processors nor on what else the machine does, nor on what the pool has done: not
// if each lane is slow at random.
func TestAutoDeterminism(t *testing.T) {
	for k, text := range []string{farAway, hola03, untilForty} {
		if soak.Skip(k) {
			continue
		}
		sys := parseText(t, text)
		tell := func(pool *smt.Pool) string {
			var rounds []string
			r, err := Check(ctx, sys, pool, Options{Without: []Method{Enumerate}, NoFacts: true, NoAcceleration: true, Explain: func(r Round) { rounds = append(rounds, r.Explain(sys)) }})
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(r.Verdict, r.Tried, r.Stats.States, r.Stats.Prover, r.Stats.Solver.Queries, r.Stats.Solver.Work, r.Trace, rounds)
		}
		used := newPool(t)
		first := tell(used)
		again := func(how string, pool *smt.Pool) {
			if got := tell(pool); got != first {
				t.Errorf("%s: %s\nfirst: %s", how, got, first)
			}
		}
		again("the same pool", used)
		processors := runtime.GOMAXPROCS(1)
		again("one processor", newPool(t))
		runtime.GOMAXPROCS(max(2, processors))
		again("two processors", newPool(t))
		runtime.GOMAXPROCS(processors)
		// Every lane's solver has a delay of its own.
		var started atomic.Int32
		late := smt.NewPool(1, func() (smt.Solver, error) {
			z, err := smt.NewZ3(smt.Options{})
			return &sleepy{z, []time.Duration{5 * time.Millisecond, 1, time.Millisecond}[started.Add(1)%3]}, err
		})
		again("delays", late)
		late.Close()
	}
}

// solverChildren counts the solvers that this process has started, where the system tells.
func solverChildren() int {
	n := 0
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		n += len(strings.Fields(string(text)))
	}
	return n
}

// TestLanesEnd: whatever ends a check, no goroutine and no solver beside those of the pool
// is left, and unknown says what came of every lane.
func TestLanesEnd(t *testing.T) {
	sys := load(t, "../reach/relations/product.gcl") // no lane has an answer soon
	before, children := runtime.NumGoroutine(), solverChildren()
	const short = 200 * time.Millisecond // for the lanes to be at work
	for what, o := range map[string]Options{"time": {Limits: budget.Limits{Time: short}}, "queries": {MaxQueries: 3},
		"states": {Limits: budget.Limits{States: 8}}, "interrupt": {}} {
		o.NoFacts, o.NoAcceleration = true, true
		pool := smt.Z3Pool(1, smt.Options{})
		in, cancel := context.WithCancel(ctx)
		if what == "interrupt" {
			time.AfterFunc(short/2, cancel)
		}
		r, err := Check(in, sys, pool, o)
		cancel()
		switch {
		case what == "interrupt":
			if !errors.Is(err, budget.ErrInterrupted) {
				t.Errorf("%s: %+v, %v", what, r, err)
			}
		case err != nil || r.Verdict != Unknown || r.Reason == nil || len(r.Tried) == 0:
			t.Errorf("%s: %+v, %v", what, r, err)
		default:
			t.Logf("%s: %s: %s", what, r.Reason, strings.Join(outcome.Texts(r.Tried), "; "))
		}
		pool.Close()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before && solverChildren() <= children {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("goroutines: %d, before %d; solvers: %d, before %d", runtime.NumGoroutine(), before, solverChildren(), children)
}

// TestEndsBeforeFacts: a limit that is reached before facts are found is no error.
func TestEndsBeforeFacts(t *testing.T) {
	pool := newPool(t)
	sys := load(t, "bakery.gcl")
	for _, m := range []Method{Auto, Forward, Backward, Bounded, Induction, Spacer} {
		r, err := Check(ctx, sys, pool, Options{Method: m, Limits: budget.Limits{Time: 1}})
		if err != nil || r.Verdict != Unknown || !errors.Is(r.Reason, context.DeadlineExceeded) || r.Facts != nil {
			t.Errorf("%s: %+v, %v", m, r, err)
		}
	}
}

// TestLanesAlone: the lanes that the other methods do not cover are right by themselves, and
// have answers: bounded search all runs to errors that are short, Spacer proofs.
func TestLanesAlone(t *testing.T) {
	pool := newPool(t)
	count := map[Verdict]int{}
	n := soak.Long(uint64(50))
	for seed := range n {
		sys := gen.NewSystem(rand.New(rand.NewPCG(seed, 43)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		for _, o := range []Options{{Method: Bounded, Rounds: 10}, {Method: Spacer}} {
			o.NoFacts, o.Blocks = seed%2 > 0, Encoding(seed%4)
			r, err := Check(ctx, sys, pool, o)
			if err != nil || r.Verdict != Unknown && r.Verdict != want || r.Verdict == Unknown && r.Reason == nil {
				t.Fatalf("seed %d, %s: %+v, %v, want %s", seed, o.Method, r, err, want)
			}
			count[r.Verdict]++
		}
	}
	t.Logf("verdicts: %v", count)
	if n >= 50 && (count[Safe] < 10 || count[Unsafe] < 10) {
		t.Errorf("the lanes do not say much: %v", count)
	}
}

// liar answers Horn problems wrongly.
type liar struct {
	smt.Solver
	status smt.Status
}

func (l *liar) Horn(_ context.Context, p *horn.Problem, _ uint64) (smt.HornResult, error) {
	r := smt.HornResult{Status: l.status}
	for range p.Preds {
		r.Solution = append(r.Solution, logic.False())
	}
	return r, nil
}

// TestWrongSpacer: neither a wrong solution nor a wrong "there is none" is a verdict.
func TestWrongSpacer(t *testing.T) {
	for _, status := range []smt.Status{smt.Sat, smt.Unsat} {
		pool := smt.NewPool(1, func() (smt.Solver, error) {
			z, err := smt.NewZ3(smt.Options{})
			return &liar{z, status}, err
		})
		for text, want := range map[string]Verdict{hola03: Safe, farAway: Unsafe} {
			sys := parseText(t, text)
			if r, err := Check(ctx, sys, pool, Options{Method: Spacer, NoFacts: true}); err != nil || r.Verdict != Unknown || r.Certificate != nil {
				t.Errorf("%s: %+v, %v", status, r, err)
			}
			if r, err := Check(ctx, sys, pool, Options{NoFacts: true}); err != nil || r.Verdict != want {
				t.Errorf("%s: auto: %+v, %v", status, r, err)
			}
		}
		pool.Close()
	}
}
