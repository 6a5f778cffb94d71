package armc

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// TestInductiveCore: what is left of an invariant with all facts is part of it, and
// another solver accepts it; much of it is gone; what is left out of a proof that is
// wrong does not make it right.
func TestInductiveCore(t *testing.T) {
	ctx := context.Background()
	pool := smt.Z3Pool(1, smt.Options{Timeout: time.Minute})
	defer pool.Close()
	other, err := smt.NewZ3(smt.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	safe, before, after := 0, 0, 0
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 90))
		sys := gen.NewSystem(r)
		switch seed % 3 {
		case 1:
			sys = gen.NewFlagSystem(r)
		case 2:
			sys = gen.NewLongSystem(r)
		}
		c := &run{ctx: ctx, sys: sys, options: Options{Rounds: 20}, meter: budget.New(ctx, budget.Limits{}, nil), result: &Result{}, encoded: &encoded{}}
		err := c.with(pool, func() error {
			if err := c.findKnown(); err != nil {
				return err
			}
			if err := c.giveUp(c.attempt(way{method: Forward})); err != nil || c.result.Verdict != Safe {
				return err
			}
			safe++
			whole := make([]*logic.Term, len(sys.Locations))
			for l, inv := range c.result.Certificate.Invariant {
				whole[l] = logic.And(inv, c.known.at[l])
				before += len(logic.Conjuncts(whole[l]))
			}
			least, err := c.needed(whole)
			if err != nil || least == nil {
				t.Fatalf("seed %d: %v, %v", seed, least, err)
			}
			for l, inv := range least {
				for _, f := range logic.Conjuncts(inv) {
					if after++; !slices.Contains(logic.Conjuncts(whole[l]), f) {
						t.Fatalf("seed %d: %s is new", seed, f)
					}
				}
			}
			if err := CheckCertificate(ctx, sys, &Certificate{Invariant: least}, other); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return c.notProved(t, seed, whole, other)
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%d conjuncts of %d in %d proofs", after, before, safe)
	if safe < soak.Long(40) || 2*after > before {
		t.Errorf("%d conjuncts of %d in %d proofs", after, before, safe)
	}
}

// notProved has an invariant that does not exclude an error reduced: there is no result,
// or one that is refused.
func (r *run) notProved(t *testing.T, seed uint64, whole []*logic.Term, other smt.Checker) error {
	sys := *r.sys
	sys.Error = slices.Clone(sys.Error)
	for _, i := range sys.Init {
		sys.Error = append(sys.Error, program.Region{Location: i.Location, Where: i.Where})
	}
	wrong := *r
	wrong.sys = &sys
	least, err := wrong.needed(whole)
	if status, _ := smt.CheckAll(r.ctx, other, sys.Init[0].Where); status == smt.Sat && least != nil && CheckCertificate(r.ctx, &sys, &Certificate{Invariant: least}, other) == nil {
		t.Fatalf("seed %d: %v proves what is not so", seed, least)
	}
	return err
}

// TestInductiveCoreOf: what is left of published proofs.
func TestInductiveCoreOf(t *testing.T) {
	const text = `var x, y, z, n: int; var b: bool; locations a, l, m, e, aside; init a when n >= 0; error e;
		a -> l do x := 0, y := 0, z := 7, b := true; l -> l when x < n do x := x + 1, y := y + 1, z := z + 2;
		l -> m when x >= n; m -> e when y != n; m -> aside do z := 0;`
	r := checkWith(t, text, Options{Method: Forward}, func(*known) {})
	if r.Verdict != Safe {
		t.Fatal(r.Verdict)
	}
	want := []string{"n >= 0", "x == y && n >= y", "n == y", "false", "true"}
	for l, inv := range r.Certificate.Invariant {
		if inv.String() != want[l] {
			t.Errorf("%d: %s, want %s", l, inv, want[l])
		}
	}
}
