package smt_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/faulty"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

func TestMain(m *testing.M) {
	faulty.Main()
	os.Exit(m.Run())
}

// failing returns a solver that misbehaves at the n-th question. Only faults without an answer
// are noticed by the clock; all others must not depend on how busy the machine is.
func failing(t *testing.T, fault string, n int) *Z3 {
	t.Helper()
	timeout := time.Minute
	if fault == "hang" || fault == "silent" {
		timeout = 300 * time.Millisecond
	}
	return failingWith(t, fault, n, Options{Timeout: timeout})
}

func failingWith(t *testing.T, fault string, n int, o Options) *Z3 {
	t.Helper()
	o.Path = faulty.Solver(t, fault, n)
	return newZ3(t, o)
}

// TestFaults asks series of questions of solvers that fail at one of them: every
// answer is right or unknown, and those after the fault are answered again.
func TestFaults(t *testing.T) {
	for _, fault := range []string{"die", "hang", "garbage", "memory", "error", "unknown", "half", "open", "silent", "twice"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel() // two of them wait for some seconds
			seed := uint64(len(fault))
			r := rand.New(rand.NewPCG(seed, 30))
			at := 2 + r.IntN(6)
			z := failing(t, fault, at)
			unknown, asked := 0, 0
			for asked < 12 {
				f, want := question(r)
				if want == Unknown || len(logic.Vars(f)) > 5 {
					continue
				}
				asked++
				got, m, err := ModelOf(ctx, z, f)
				switch {
				case err != nil:
					t.Fatal(err)
				case got == Unknown:
					unknown++
				case got != want:
					t.Fatalf("seed %d, fault at %d, question %d: %s, want %s: %s", seed, at, asked, got, want, f)
				case got == Sat:
					if ok, err := logic.Holds(f, m); !ok || err != nil {
						t.Fatalf("wrong model %s of %s", m, f)
					}
				}
			}
			if unknown > 3 {
				t.Errorf("%d of %d are unknown", unknown, asked)
			}
		})
	}
}

// TestUncounted: a question whose work is bounded and which does not end is given up after
// some processor time.
func TestUncounted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell processor times")
	}
	late, look := *LateBase, *LookEach
	*LateBase, *LookEach = 50*time.Millisecond, 20*time.Millisecond
	defer func() { *LateBase, *LookEach = late, look }()
	z := failingWith(t, "spin", 2, Options{})
	z.Limit(1000)
	mustCheck(t, z, Sat)
	if status, err := z.Check(ctx); status != Unknown || err != nil || !strings.Contains(z.Reason(), "in time") {
		t.Errorf("%s, %v: %s", status, err, z.Reason())
	}
	mustCheck(t, z, Sat)
}

// TestFaultsKeepTheStack: a child that is replaced is told all scopes again.
func TestFaultsKeepTheStack(t *testing.T) {
	for n := 1; n <= 5; n++ {
		z := failing(t, "die", n)
		z.Assert(parse(t, "x < y"))
		mustCheck(t, z, Sat)
		z.Push()
		z.Assert(parse(t, "y < z"))
		mustCheck(t, z, Sat, parse(t, "x == 1"), parse(t, "z == 3"))
		if m, err := z.Model(ctx); err != nil || m["y"].String() != "2" {
			t.Fatalf("death at %d: model %s, %v", n, m, err)
		}
		mustCheck(t, z, Unsat, parse(t, "x == 1"), parse(t, "z == 2"))
		if core, err := z.Core(ctx); err != nil || len(core) != 2 {
			t.Fatalf("death at %d: core %v, %v", n, core, err)
		}
		z.Pop()
		mustCheck(t, z, Sat, parse(t, "z == 2"), parse(t, "x == 1"))
		if z.Stats().Restarts > 1 {
			t.Errorf("death at %d: %d restarts", n, z.Stats().Restarts)
		}
	}
}

// TestFaultyHorn: trouble in the Horn child gives a checked solution or none.
func TestFaultyHorn(t *testing.T) {
	for _, fault := range []string{"die", "garbage", "unknown", "memory", "open"} {
		z := failing(t, fault, 1)
		res, err := z.Horn(ctx, lectureHorn(t, 1), 0)
		if err != nil || res.Status == Unsat {
			t.Errorf("%s: %s, %v", fault, res.Status, err)
		}
	}
}

// TestLyingModels: values that do not satisfy the formula are not believed.
func TestLyingModels(t *testing.T) {
	z := failing(t, "values", 0)
	status, m, err := ModelOf(ctx, z, parse(t, "x < y && y < 10"))
	if err != nil || status != Unknown || m != nil || !strings.Contains(z.Reason(), "wrong") {
		t.Errorf("%s, %v, %v (%s)", status, m, err, z.Reason())
	}
	status, m, _, err = z.Maximize(ctx, []*logic.Term{parse(t, "x < y")}, []*logic.Term{parse(t, "x > 3")}, []int{1})
	if err != nil || status != Unknown || m != nil {
		t.Errorf("maximize: %s, %v, %v", status, m, err)
	}
}
