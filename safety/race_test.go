package safety_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/testing/faulty"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

func TestMain(m *testing.M) {
	faulty.Main()
	m.Run()
}

// raced are programs that several lanes work at, each for several turns, or that are decided soon.
var raced = []struct {
	text string
	want outcome.Verdict
}{
	{"int main(void) { int n = in(), k = 0; while (k < n) k++; if (n > 0 && k != n) reach_error(); }", outcome.Holds},
	{"int main(void) { int v = 0; for (;;) { int c = in(); if (c < 0 || c > 9) break; v = v * 10 + c; if (v < 0) reach_error(); } }", outcome.Violated},
	{"int main(void) { int a = in(), b = a, n = 0; __VERIFIER_assume(a > 0 && a < 100); while (a > 0) { a--; b += 2; n++; } if (b != 3 * n) reach_error(); }", outcome.Holds},
	{"int main(void) { unsigned x = in(), y = x * x; if (y % 4 == 2) reach_error(); }", outcome.Holds},
	{"int main(void) { unsigned char i = 0; while (i != 40) { i += 3; if (i == 1) reach_error(); } }", outcome.Violated},
	{"int main(void) { int x = in(); if (x > 3 && x * x * x == 343) reach_error(); }", outcome.Violated},
}

// late is a solver whose answers come late, some of them.
type late struct {
	smt.Solver
	r *rand.Rand
}

func (l *late) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	if l.r.IntN(4) == 0 {
		time.Sleep(time.Duration(l.r.IntN(8)) * time.Millisecond)
	}
	return l.Solver.Check(ctx, as...)
}

// TestRaceSame: what comes of a race, and what is told of it, does not depend on the machine: one core
// or two, solvers that have done other work, answers that come late.
func TestRaceSame(t *testing.T) {
	for k, c := range raced {
		if soak.Skip(k) {
			continue
		}
		enc, err := encode.Encode(parsed(t, c.text), "")
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		for i, cores := range []int{2, 1, 2} {
			seed := uint64(0)
			pool := smt.NewPool(2, func() (smt.Solver, error) {
				z3, err := smt.NewZ3(smt.Options{})
				if i < 2 {
					return z3, err
				}
				seed++
				return &late{z3, rand.New(rand.NewPCG(uint64(i), seed))}, err
			})
			before := runtime.GOMAXPROCS(cores)
			var told strings.Builder
			a, err := safety.Program(context.Background(), enc, pool, safety.Options{Explain: func(text string) { told.WriteString(text) }})
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&told, a.Verdict, a.Over, a.NoRun, a.Left, a.Result.Stats.States, a.Result.Stats.Refinements, a.Result.Stats.Generated)
			if a.Trace != nil {
				told.WriteString(a.Trace.Explain(enc.Words))
			}
			if a.Result.Certificate != nil {
				fmt.Fprintln(&told, a.Result.Certificate.Invariant)
			}
			pool.Close()
			switch got := told.String(); {
			case a.Verdict != c.want:
				t.Errorf("%s: %s", c.text, a.Verdict)
			case i == 0:
				first = got
			case got != first:
				t.Errorf("%s, time %d:\n%s\nfirst:\n%s", c.text, i, got, first)
			}
		}
	}
}

// TestRaceFaults: a solver that hangs, dies or lies at some question costs a lane, and never makes a
// verdict wrong.
func TestRaceFaults(t *testing.T) {
	for k, fault := range faulty.Faults {
		if soak.Skip(k) {
			continue
		}
		c, n := raced[k%3], 3+5*k
		enc, err := encode.Encode(parsed(t, c.text), "")
		if err != nil {
			t.Fatal(err)
		}
		pool := smt.Z3Pool(2, smt.Options{Path: faulty.Solver(t, fault, n)})
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		a, err := safety.Program(ctx, enc, pool, safety.Options{})
		cancel()
		pool.Close()
		if err == nil && a.Verdict != outcome.Unknown && a.Verdict != c.want {
			t.Errorf("%s at question %d, %s: %s", fault, n, c.text, a.Verdict)
		}
	}
}
