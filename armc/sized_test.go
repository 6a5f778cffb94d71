package armc

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// TestSized: a proof with facts and sizes is one, which another solver accepts.
func TestSized(t *testing.T) {
	ctx := context.Background()
	pool := smt.Z3Pool(1, smt.Options{Timeout: time.Minute})
	defer pool.Close()
	other, err := smt.NewZ3(smt.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	safe, added := 0, 0
	for seed := range soak.Long(uint64(120)) {
		r := rand.New(rand.NewPCG(seed, 191))
		sys := gen.NewSystem(r)
		if seed%2 == 1 {
			sys = gen.NewLongSystem(r)
		}
		res, err := Check(ctx, sys, pool, Options{Method: Forward, NoFacts: true, Rounds: 20, MaxQueries: 400})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.Verdict != Safe {
			continue
		}
		safe++
		strong, err := WithFacts(ctx, sys, res.Certificate)
		if err == nil {
			strong, err = Sized(ctx, sys, strong, other, 0)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := CheckCertificate(ctx, sys, strong, other); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for l, inv := range strong.Invariant {
			added += len(logic.Conjuncts(inv)) - len(logic.Conjuncts(res.Certificate.Invariant[l]))
		}
	}
	if n := int(soak.Long(uint64(120))); safe < n/4 || added < n {
		t.Errorf("%d proofs, %d conjuncts added", safe, added)
	}
}

// TestSizes: what an invariant with products implies of its numbers, to the power of two.
func TestSizes(t *testing.T) {
	s, err := smt.NewZ3(smt.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := func(name string) *logic.Term { return logic.Var(name, logic.Int) }
	r, n, m := v("r"), v("n"), v("m")
	inv := logic.And(logic.Le(logic.Mul(r, r), n), logic.Le(n, logic.IntConst(1_000_000)), logic.Le(logic.IntConst(-5), m))
	// The second location has what the step to it says.
	sys := &program.System{Vars: []*logic.Term{m, n, r}, Locations: []program.Location{{Name: "a"}, {Name: "b"}},
		Edges: []program.Edge{{Name: "e", From: 0, To: 1, Command: &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{r: logic.Add(r, logic.IntConst(1))}}}},
		Init:  []program.Region{{Location: 0, Where: inv}}}
	got, err := Sized(context.Background(), sys, &Certificate{Invariant: []*logic.Term{inv, logic.True()}}, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	implied := func(l int, f *logic.Term) bool {
		status, err := smt.Entails(context.Background(), s, got.Invariant[l], f)
		if err != nil {
			t.Fatal(err)
		}
		return status == smt.Unsat
	}
	bound := func(low int64, x *logic.Term, high int64) *logic.Term {
		return logic.And(logic.Le(logic.IntConst(low), x), logic.Le(x, logic.IntConst(high)))
	}
	for l, bounds := range [][]*logic.Term{{bound(-1024, r, 1023), bound(0, n, 1<<20-1), logic.Le(logic.IntConst(-8), m)}, {bound(-1024, r, 2047), bound(0, n, 1<<20-1)}} {
		for _, f := range bounds {
			if !implied(l, f) {
				t.Errorf("%v does not imply %v", got.Invariant[l], f)
			}
		}
	}
	if implied(1, bound(-1024, r, 1000)) {
		t.Error("more than the step says")
	}
}
