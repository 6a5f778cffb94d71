package armc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

// moody is a solver that has no answer from some question on, or for one in
// three.
type moody struct {
	smt.Solver
	r     *rand.Rand
	until int // questions that are answered
}

func (m *moody) moody() bool {
	m.until--
	return m.until < 0 && m.r.IntN(3) > 0
}

func (m *moody) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	status, err := m.Solver.Check(ctx, as...)
	if err == nil && m.moody() {
		return smt.Unknown, nil
	}
	return status, err
}

func (m *moody) Model(ctx context.Context) (logic.Model, error) {
	if m.moody() {
		return nil, nil
	}
	return m.Solver.Model(ctx)
}

func (m *moody) Core(ctx context.Context) ([]int, error) {
	if m.moody() {
		return nil, nil
	}
	return m.Solver.Core(ctx)
}

func (m *moody) Horn(ctx context.Context, h *horn.Problem, limit uint64) (smt.HornResult, error) {
	if m.moody() {
		return smt.HornResult{}, nil
	}
	return m.Solver.Horn(ctx, h, limit)
}

// Beside is as moody.
func (m *moody) Beside() (smt.Checker, func()) {
	c, end := m.Solver.Beside()
	return &moodyBeside{c, m}, end
}

type moodyBeside struct {
	smt.Checker
	solver *moody
}

func (b *moodyBeside) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	status, err := b.Checker.Check(ctx, as...)
	if err == nil && b.solver.moody() {
		return smt.Unknown, nil
	}
	return status, err
}

func (b *moodyBeside) Model(ctx context.Context) (logic.Model, error) {
	if b.solver.moody() {
		return nil, nil
	}
	return b.Checker.Model(ctx)
}

// TestMoodySolver: whatever the solver fails to answer, the verdict is right or
// unknown.
func TestMoodySolver(t *testing.T) {
	needZ3(t)
	count := map[Verdict]int{}
	ways := everyWay()
	for seed := range soak.Long(uint64(40)) {
		r := rand.New(rand.NewPCG(seed, 42))
		sys := gen.NewSystem(rand.New(rand.NewPCG(seed, 40)))
		pool := smt.NewPool(1, func() (smt.Solver, error) {
			z, err := lend()
			return &moody{z, r, r.IntN(40)}, err
		})
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		o := ways[r.IntN(len(ways))]
		o.MaxQueries = 400
		res, err := Check(ctx, sys, pool, o)
		if err != nil || res.Verdict != Unknown && res.Verdict != want {
			t.Fatalf("seed %d, %+v: %v, %v, want %s", seed, o, res, err, want)
		}
		if res.Verdict == Unknown && res.Reason == nil {
			t.Errorf("seed %d: unknown without a reason", seed)
		}
		count[res.Verdict]++
		pool.Close()
	}
	if !testing.Short() && (count[Unknown] < 5 || count[Safe]+count[Unsafe] < 5) {
		t.Errorf("verdicts %v", count)
	}
}

// TestLimits: every limit ends in unknown with a reason, an interrupt in an error.
func TestLimits(t *testing.T) {
	pool := thePool(t)
	sys := load(t, "lecture.gcl")
	diverging := Options{NoFacts: true, Method: Backward, Abstraction: A1}
	for want, change := range map[string]func(*Options){
		"refinements limit": func(o *Options) { o.Rounds = 3 },
		"solver queries":    func(o *Options) { o.MaxQueries = 50 },
		"time limit":        func(o *Options) { o.Limits.Time = 50 * time.Millisecond },
		"states limit":      func(o *Options) { o.Limits.States = 4 },
	} {
		o := diverging
		change(&o)
		r, err := Check(ctx, sys, pool, o)
		if err != nil || r.Verdict != Unknown || !strings.Contains(fmt.Sprint(r.Reason), want) {
			t.Errorf("%s: %+v, %v", want, r, err)
		}
	}
	r, err := Check(ctx, load(t, "../reach/phases/any_hill.gcl"), pool, Options{NoFacts: true, MaxQueries: 2})
	if err != nil || r.Verdict != Unknown || len(r.Tried) < 6 {
		t.Errorf("auto: %+v, %v", r, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Check(ended, sys, pool, Options{}); !errors.Is(err, budget.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := Check(ctx, sys, pool, Options{Method: Backward, Abstraction: Boolean}); err == nil {
		t.Error("backward and boolean go together")
	}
}

func TestNonLinear(t *testing.T) {
	sys := parseText(t, `var x, y: int; locations a, b; init a when x >= 1 && y >= 2;
		a -> a do x := x * y;
		a -> b;
		error b when x * y <= 0;`)
	pool := smt.Z3Pool(1, smt.Options{RLimit: 1_000_000})
	defer pool.Close()
	r, err := Check(ctx, sys, pool, Options{Method: Forward, Rounds: 4, MaxQueries: 100})
	if err != nil || r.Verdict == Unsafe {
		t.Errorf("%+v, %v", r, err)
	}
	t.Logf("%s %s", r.Verdict, r.Reason)
}

func TestCertificateFile(t *testing.T) {
	pool := thePool(t)
	for k, name := range []string{"lecture.gcl", "bpr.pl", "inssort.pl", "futurebus.gcl"} {
		if soak.Skip(k) || name == "futurebus.gcl" && !soak.On() { // that one takes longer than the rest
			continue
		}
		sys := load(t, name)
		for _, o := range []Options{{}, {Method: Backward, Abstraction: A2, Global: true, MaxQueries: 300}} {
			r, err := Check(ctx, sys, pool, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != Safe {
				continue
			}
			var file bytes.Buffer
			if err := r.Certificate.Write(&file, sys); err != nil {
				t.Fatal(err)
			}
			text := file.String()
			back, err := ReadCertificate(&file, sys)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if _, err := ReadCertificate(strings.NewReader(text+"{}"), sys); err == nil || !strings.Contains(err.Error(), "more text") {
				t.Errorf("%s: a certificate with more text behind it: %v", name, err)
			}
			for i := range back.Invariant {
				if back.Invariant[i] != r.Certificate.Invariant[i] {
					t.Errorf("%s: invariant of %s is read as %s", name, sys.Locations[i].Name, back.Invariant[i])
				}
			}
		}
	}
	for _, text := range []string{"", "{}", `{"format":"seltl-armc-certificate-1","invariant":{}}`, `{"format":"seltl-armc-certificate-1","invariant":{"l1":"x +"}}`} {
		if _, err := ReadCertificate(strings.NewReader(text), load(t, "lecture.gcl")); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	const other = `{"format":"seltl-armc-certificate-1","variables":[{"name":"x","sort":"Real"}],"invariant":{}}`
	if _, err := ReadCertificate(strings.NewReader(other), load(t, "lecture.gcl")); err == nil || !strings.Contains(err.Error(), "another system") {
		t.Errorf("a certificate for other variables: %v", err)
	}
}
