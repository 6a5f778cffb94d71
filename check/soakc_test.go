package check

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// failsSomewhere runs a program of smallC on all inputs.
func failsSomewhere(t *testing.T, e *encode.Encoding) bool {
	t.Helper()
	for inputs := range 64 {
		k := 0
		m := &cfront.Machine{Program: e.Program, MaxSteps: 100_000, MaxDepth: 10, Choose: func(*cfront.Choice) (uint64, error) {
			k++
			return uint64(inputs >> (2 * (k - 1)) & 3), nil
		}}
		out, err := m.Run(e.Entry, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Ending == cfront.Failed {
			return true
		}
	}
	return false
}

// anyOptions chooses among all options that change how a search goes.
func anyOptions(rng *rand.Rand) armc.Options {
	o := armc.Options{
		Method: armc.Method(rng.Intn(len(armc.Auto.Names()))), Abstraction: armc.Abstraction(rng.Intn(len(armc.A1.Names()))),
		Refine: predabs.Refinement(rng.Intn(len(predabs.Interpolation.Names()))), Blocks: armc.Encoding(rng.Intn(len(armc.Small.Names()))),
		Global: rng.Intn(2) == 0, NoFacts: rng.Intn(2) == 0, NoAcceleration: rng.Intn(2) == 0, MaxQueries: 400, MaxRounds: 30,
	}
	switch o.Method {
	case armc.Auto:
		for m := range len(armc.Auto.Names()) {
			if armc.Method(m) != armc.Auto && rng.Intn(4) == 0 {
				o.Without = append(o.Without, armc.Method(m))
			}
		}
	case armc.Backward:
		o.AbstractOnly = rng.Intn(2) == 0
		o.Abstraction %= armc.Boolean
	case armc.Forward:
		o.Minimize = rng.Intn(3) == 0
	}
	return o
}

// TestReachCOptions: whatever the options, what is decided of random small programs is
// what running them on all inputs says; proofs are certificates over machine words, and
// failures fail when gcc has compiled them.
func TestReachCOptions(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	counts := map[report.Verdict]int{}
	for seed := range soak.Long(20) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := smallC(rng)
		e := encodeC(t, text)
		fails := failsSomewhere(t, e)
		o, how := anyOptions(rng), Integers(rng.Intn(3))
		r, res, err := ReachC(context.Background(), e, pool, Options{}, o, how)
		if err != nil {
			t.Fatalf("seed %d: %+v: %v", seed, o, err)
		}
		got := r.Results[0].Verdict
		counts[got]++
		if got == report.Violated && !fails || got == report.Holds && fails && how != MathIntegers {
			t.Fatalf("seed %d, --integers=%v, %+v: %s, but running it says fails=%v\n%s", seed, how, o, got, fails, text)
		}
		switch {
		case got == report.Violated && seed%10 == 0:
			reachesFailure(t, cfront.ILP32, r, res)
		case got == report.Holds && how != MathIntegers:
			if err := accepted(t, pool, e, res.Certificate); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	t.Log(counts)
	if !testing.Short() && (counts[report.Holds] == 0 || counts[report.Violated] == 0) {
		t.Errorf("verdicts %v: both are to occur", counts)
	}
}

func accepted(t *testing.T, pool *smt.Pool, e *encode.Encoding, c *armc.Certificate) error {
	t.Helper()
	solver, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(solver)
	return armc.CheckCertificate(context.Background(), e.Words, c, solver)
}

// TestReachCMutants: the certificate of a safe program is refused for mutants of it that
// fail when they are run, and so is what says nothing or excludes the beginning.
func TestReachCMutants(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	refused := 0
	for seed := range soak.Long(12) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := smallC(rng)
		e := encodeC(t, text)
		if failsSomewhere(t, e) {
			continue
		}
		r, res, err := ReachC(context.Background(), e, pool, Options{}, armc.Options{MaxQueries: 1000}, AutoIntegers)
		if err != nil {
			t.Fatal(err)
		}
		if r.Results[0].Verdict != report.Holds {
			continue
		}
		for try := range 6 {
			mutant := mutate(rng, text)
			m := encodeC(t, mutant)
			if !sameShape(e, m) || !failsSomewhere(t, m) {
				continue
			}
			if accepted(t, pool, m, res.Certificate) == nil {
				t.Fatalf("seed %d, mutant %d: the certificate of\n%s\nis accepted for\n%s", seed, try, text, mutant)
			}
			refused++
		}
		silent := &armc.Certificate{Invariant: slices.Clone(res.Certificate.Invariant)}
		for l := range e.Failures {
			silent.Invariant[l] = logic.True()
		}
		if len(e.Failures) > 0 && accepted(t, pool, e, silent) == nil {
			t.Fatalf("seed %d: a certificate that admits the failure is accepted\n%s", seed, text)
		}
	}
	t.Log(refused, "failing mutants are refused")
	if !testing.Short() && refused < 2 {
		t.Errorf("only %d mutants fail", refused)
	}
}

// mutate changes a program a little: an operator, a number, or what is asserted.
func mutate(rng *rand.Rand, text string) string {
	at := strings.Index(text, "main(void)")
	switch rng.Intn(3) {
	case 0:
		return strings.Replace(text, "if (!(", "if ((", 1)
	case 1:
		from := []string{" + ", " - ", " < ", " == ", " & ", " || ", " <= ", " != "}[rng.Intn(8)]
		return text[:at] + strings.Replace(text[at:], from, []string{" + ", " - ", " & ", " | ", " == ", " < "}[rng.Intn(6)], 1)
	}
	return text[:at] + strings.Replace(text[at:], fmt.Sprint(1+rng.Intn(5)), fmt.Sprint(1+rng.Intn(9)), 1)
}

// sameShape reports programs with the same variables and locations, so that the
// certificate of one can be read for the other.
func sameShape(a, b *encode.Encoding) bool {
	if len(a.Words.Locations) != len(b.Words.Locations) || len(a.Words.Vars) != len(b.Words.Vars) {
		return false
	}
	for i, x := range a.Words.Vars {
		if b.Words.Vars[i] != x {
			return false
		}
	}
	return true
}
