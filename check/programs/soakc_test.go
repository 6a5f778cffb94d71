package programs

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// failsSomewhere runs a program of smallC on all inputs.
func failsSomewhere(t *testing.T, e *encode.Encoding) bool {
	t.Helper()
	for inputs := range 64 {
		k := 0
		m := &machine.Machine{Program: e.Program, MaxSteps: 100_000, MaxDepth: 10, Choose: func(*machine.Choice) (uint64, error) {
			k++
			return uint64(inputs >> (2 * (k - 1)) & 3), nil
		}}
		out, err := m.Run(e.Entry, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Ending == machine.Failed {
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
		Global: rng.Intn(2) == 0, NoFacts: rng.Intn(2) == 0, NoAcceleration: rng.Intn(2) == 0, MaxQueries: 400, Rounds: 30,
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
	pool := Common
	counts, states := map[report.Verdict]int{}, 0
	for seed := range soak.Long(20) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := smallC(rng)
		e := encodeC(t, text)
		fails := failsSomewhere(t, e)
		o, how := anyOptions(rng), safety.Integers(rng.Intn(3))
		r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: o, Integers: how})
		if err != nil {
			t.Fatalf("seed %d: %+v: %v", seed, o, err)
		}
		PlainAgain(t, e.Program, r)
		got := r.Results[0].Verdict
		counts[got]++
		if fails {
			NotProved(t, e.Program, text)
		}
		if got == report.Violated && !fails || got == report.Holds && fails && how != safety.MathIntegers {
			t.Fatalf("seed %d, --integers=%v, %+v: %s, but running it says fails=%v\n%s", seed, how, o, got, fails, text)
		}
		switch {
		case got == report.Violated && seed%10 == 0:
			reachesFailure(t, ir.ILP32, r, res)
		case got == report.Holds && how != safety.MathIntegers:
			if err := accepted(t, pool, e, res.Certificate); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if res.Certificate.Execution {
				break // it excludes nothing by itself
			}
			n, wrong := excludes(t, e.Words, res.Certificate)
			if states += n; wrong != "" {
				t.Fatalf("seed %d: %s\n%s", seed, wrong, text)
			}
		}
		if got == report.Violated && res.Trace.Replay(e.Words) != nil && res.Trace.Replay(e.Numbers) != nil {
			t.Fatalf("seed %d: the run is none of the program before the passes\n%s", seed, text)
		}
	}
	t.Log(counts, states, "states of the programs that hold")
	if !testing.Short() && (states == 0 || counts[report.Holds] == 0 || counts[report.Violated] == 0) {
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

// excludes searches a system through, with small inputs, and says which of its states an
// invariant of it excludes, and how many states there are.
func excludes(t *testing.T, sys *program.System, c *armc.Certificate) (states int, wrong string) {
	t.Helper()
	type node struct {
		at    int
		state logic.Model
	}
	seen := map[string]bool{}
	var work []node
	visit := func(n node) {
		if key := fmt.Sprint(n.at, n.state); !seen[key] && len(seen) < 3000 {
			seen[key] = true
			work = append(work, n)
		}
	}
	zero := logic.Model{}
	for _, x := range sys.Vars {
		zero[x.Name()] = logic.Zero(x.Sort())
	}
	for _, r := range sys.Init { // what is open is 0, what is fixed is an equation
		first := maps.Clone(zero)
		for _, f := range logic.Conjuncts(r.Where) {
			for k, x := range f.Args() {
				if f.Op() == logic.OpEq && x.Op() == logic.OpVar {
					if v, err := logic.Eval(f.Args()[1-k], nil); err == nil {
						first[x.Name()] = v
					}
				}
			}
		}
		if ok, err := logic.Holds(r.Where, first); ok && err == nil {
			visit(node{r.Location, first})
		}
	}
	for ; len(work) > 0; states++ {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if ok, err := logic.Holds(c.Invariant[n.at], n.state); !ok || err != nil {
			return states, fmt.Sprintf("the invariant excludes %s at %s, %v", n.state, sys.Locations[n.at].Name, err)
		}
		for _, e := range sys.Edges {
			if e.From != n.at {
				continue
			}
			for choice := range 1 << (2 * min(len(e.Command.Inputs), 3)) {
				inputs := logic.Model{}
				for k, x := range e.Command.Inputs {
					inputs[x.Name()] = logic.Zero(x.Sort())
					if k < 3 && x.Sort().Kind() == logic.BitVecKind {
						inputs[x.Name()] = logic.NumValue(big.NewRat(int64(choice>>(2*k)&3), 1), x.Sort())
					}
				}
				if next, err := e.Command.Step(n.state, inputs); err == nil {
					visit(node{e.To, next})
				}
			}
		}
	}
	return states, ""
}

// TestReachCMutants: the certificate of a safe program is refused for mutants of it that
// fail when they are run, and so is what says nothing or excludes the beginning.
func TestReachCMutants(t *testing.T) {
	pool := Common
	refused := 0
	for seed := range soak.Long(12) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := smallC(rng)
		e := encodeC(t, text)
		if failsSomewhere(t, e) {
			continue
		}
		r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 1000}})
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
