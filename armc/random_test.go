package armc_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"

	. "github.com/seltl/seltl/armc"
)

// everyWay are all methods, abstractions and refinements, with the variants.
func everyWay() []Options {
	out := []Options{{}, {Method: Backward, Abstraction: A1}, {Method: Backward, Abstraction: A2}, {Method: Backward, Abstraction: A3},
		{Method: Backward, Abstraction: A2, Global: true}, {Method: Backward, Abstraction: A3, Global: true},
		{Method: Backward, Abstraction: A1, AbstractOnly: true}, {Method: Backward, Abstraction: A2, AbstractOnly: true, Global: true},
		{Method: Backward, Abstraction: A3, AbstractOnly: true}, {Method: Forward, Minimize: true}, {Method: Bounded}, {Method: Spacer}, {Method: Bounded, Blocks: Small}, {Method: Spacer, Blocks: Small},
		{Method: Induction}, {Method: Induction, Blocks: Small}, {Method: Values}, {Method: Values, Blocks: Small}, {Method: Values, Blocks: Large}, {Method: Bounded, NoAcceleration: true}, {Method: Forward, NoAcceleration: true}}
	for _, a := range []Abstraction{A1, A2, A3, Boolean} {
		for h := range predabs.Least.Names() {
			o := Options{Method: Forward, Abstraction: a, Refine: predabs.Refinement(h)}
			if h%2 == 1 {
				o.Restart, o.Blocks = true, Small
			}
			if h == int(predabs.Greatest) {
				o.Global = true
			}
			out = append(out, o)
		}
	}
	for i := range out {
		out[i].Rounds = 15
		out[i].MaxQueries = 3000
	}
	return out
}

// TestAgainstExplicitSearch: every verdict of every method is that of explicit
// search, every invariant passes the checker, every trace is replayed. In
// a soak run all ways are tried on all systems.
func TestAgainstExplicitSearch(t *testing.T) {
	pool := thePool(t)
	ways := everyWay()
	count := map[string]map[Verdict]int{}
	for seed := range soak.Long(uint64(60)) {
		sys := gen.NewSystem(rand.New(rand.NewPCG(seed, 40)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		// All ways on some, a few on every system: the loads add up.
		for i, o := range ways {
			if i > 0 && (int(seed)+i)%8 != 0 && !soak.On() {
				continue
			}
			o.NoFacts = (int(seed)/8+i)%2 > 0
			r, err := Check(ctx, sys, pool, o)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			name := o.Method.String() + " " + o.Abstraction.String()
			if count[name] == nil {
				count[name] = map[Verdict]int{}
			}
			count[name][r.Verdict]++
			switch {
			case r.Verdict == Unknown:
				if i == 0 {
					t.Errorf("seed %d: auto: unknown: %s", seed, r.Reason)
				}
			case r.Verdict != want:
				t.Fatalf("seed %d, %+v: %s, want %s", seed, o, r.Verdict, want)
			case r.Verdict == Unsafe:
				if err := r.Trace.Replay(sys); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			case r.Certificate == nil:
				t.Fatalf("seed %d: safe without a certificate", seed)
			}
		}
	}
	t.Logf("verdicts: %v", count)
	if c := count["auto a3"]; c[Safe] < soak.Long(12) || c[Unsafe] < soak.Long(12) {
		t.Errorf("the random systems do not say much: %v", c)
	}
}

// TestMutantCertificates: every invariant that is not one is refused. Whether a
// mutant is one is decided by trying all values in a range that no step leaves.
func TestMutantCertificates(t *testing.T) {
	pool := thePool(t)
	s, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(s)
	refused, accepted := 0, 0
	for seed := range soak.Long(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 41))
		sys := gen.NewSystem(r)
		res, err := Check(ctx, sys, pool, Options{MaxQueries: 3000})
		if err != nil || res.Verdict != Safe {
			continue
		}
		for range 4 {
			mutant := mutate(r, sys, res.Certificate)
			good := inductive(sys, mutant)
			err := CheckCertificate(ctx, sys, mutant, s)
			var no *Refused
			switch {
			case !good && err == nil:
				t.Fatalf("seed %d: a wrong invariant is accepted: %v", seed, mutant.Invariant)
			case err == nil:
				accepted++
			case errors.As(err, &no):
				if !good {
					refused++
				}
			default:
				t.Fatal(err)
			}
		}
	}
	if !testing.Short() && refused < soak.Long(40) {
		t.Errorf("only %d wrong invariants were tried (%d right ones)", refused, accepted)
	}
}

func mutate(r *rand.Rand, sys *program.System, c *Certificate) *Certificate {
	m := &Certificate{Invariant: append([]*logic.Term{}, c.Invariant...)}
	l := r.IntN(len(m.Invariant))
	x := sys.Vars[r.IntN(len(sys.Vars))]
	k := logic.IntConst(int64(r.IntN(gen.SystemMax + 1)))
	switch r.IntN(5) {
	case 0:
		m.Invariant[l] = logic.True()
	case 1:
		m.Invariant[l] = logic.False()
	case 2:
		m.Invariant[l] = logic.Not(m.Invariant[l])
	case 3:
		m.Invariant[l] = logic.And(m.Invariant[l], logic.Ne(x, k))
	default:
		m.Invariant[l] = logic.Or(m.Invariant[l], logic.Eq(x, k))
	}
	return m
}

// inductive decides by enumeration whether an invariant is one as far as the
// values 0..ArmcMax go: false means that it is none.
func inductive(sys *program.System, c *Certificate) bool {
	restricted := *sys
	restricted.Error = nil
	var notInv []program.Region
	for l, inv := range c.Invariant {
		notInv = append(notInv, program.Region{Location: l, Where: logic.Not(inv)})
	}
	in := func(regions []program.Region, errors []program.Region, rules []program.Edge) bool {
		return naive.Unsafe(&program.System{Vars: sys.Vars, Locations: sys.Locations, Init: regions, Error: errors, Edges: rules}, gen.SystemMax)
	}
	if in(sys.Init, notInv, nil) {
		return false
	}
	var inv []program.Region
	for l, f := range c.Invariant {
		inv = append(inv, program.Region{Location: l, Where: f})
	}
	return !in(inv, notInv, sys.Edges) && !in(inv, sys.Error, nil)
}

// TestClauses: systems read from linear Horn clauses, written in many ways, are decided
// rightly.
func TestClauses(t *testing.T) {
	pool := thePool(t)
	unsafe := 0
	for seed := range soak.Long(uint64(30)) {
		r := rand.New(rand.NewPCG(seed, 42))
		sys := gen.NewSystem(r)
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
			unsafe++
		}
		again, err := clauses.System(gen.Rewrite(r, clauses.Problem(sys)))
		if err != nil {
			t.Fatal(err)
		}
		res, err := Check(ctx, again, pool, Options{MaxQueries: 3000})
		if err != nil || res.Verdict == Unsafe && res.Trace.Replay(again) != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.Verdict != want {
			t.Errorf("seed %d: %s (%s), want %s", seed, res.Verdict, res.Reason, want)
		}
	}
	if n := soak.Long(30); n >= 30 && (unsafe < n/4 || unsafe > n*3/4) {
		t.Errorf("%d of %d systems are unsafe", unsafe, n)
	}
}

// TestNothing: systems without initial or error states, as clauses can be, are safe.
func TestNothing(t *testing.T) {
	pool := thePool(t)
	const P, step = "(declare-fun P (Int) Bool)", "(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))"
	for text, want := range map[string]Verdict{"": Safe, "(assert false)": Unsafe, P: Safe, P + step: Safe, P + step + "(assert (P 1))": Safe,
		P + step + "(assert (not (P 3)))": Safe, P + step + "(assert (not (P 3)))(assert (P 1))": Unsafe, P + step + "(assert (forall ((y Int)) (not (P (* 2 y)))))(assert (P 1))": Unsafe} {
		problem, err := horn.ParseText("a.smt2", text)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := clauses.System(problem)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []Method{Auto, Forward, Backward} {
			if m == Backward && strings.Contains(text, "(* 2 y)") {
				continue // the atoms of pre have an input in them, which no abstraction keeps
			}
			if res, err := Check(ctx, sys, pool, Options{Method: m}); err != nil || res.Verdict != want {
				t.Errorf("%s by %s: %+v, %v", text, m, res, err)
			}
		}
	}
}
