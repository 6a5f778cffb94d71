package smt_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// TestImpossible: many formulas at once have the answers of one after the other, and the first of them that has a
// model by enumeration is the one that the error is about.
func TestImpossible(t *testing.T) {
	z := newZ3(t, Options{Timeout: 10 * time.Second})
	beside, end := z.Beside()
	defer end()
	none, some := 0, 0
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 31))
		var fs []*logic.Term
		want := -1
		for i, n := 0, 1+r.IntN(70); len(fs) < n && i < 400; i++ {
			f, status := question(r)
			if status == Unknown || len(logic.Vars(f)) > 6 || status == Sat && r.IntN(60) > 0 {
				continue
			}
			if status == Sat && want < 0 {
				want = len(fs)
			}
			fs = append(fs, f)
		}
		which, err := z.Impossible(ctx, 0, fs)
		if (err != nil) != (want >= 0) || err != nil && which != want {
			t.Fatalf("seed %d: %d, %v, want %d of %d", seed, which, err, want, len(fs))
		}
		if seed%8 == 0 {
			again, err := OneByOne{Checker: beside}.Impossible(ctx, 0, fs)
			if (err != nil) != (want >= 0) || again != which {
				t.Fatalf("seed %d: one by one %d, %v, want %d", seed, again, err, want)
			}
		}
		if want < 0 {
			none++
		} else {
			some++
		}
	}
	if n := soak.Cases(10); none < n || some < n {
		t.Errorf("%d without and %d with models", none, some)
	}
}

// TestImpossibleSorts: names of one formula mean nothing in the next, words begin anew, and a limit is of each.
func TestImpossibleSorts(t *testing.T) {
	z := newZ3(t, Options{})
	z.Assert(parse(t, "x == 1")) // forgotten by none, and not heard of there
	x, word := logic.Var("x", logic.Real), logic.Var("x", logic.BitVec(8))
	half := logic.Eq(x, logic.RealConst(1, 2))
	odd := logic.And(logic.Eq(logic.Var("x", logic.Int), logic.IntConst(3)), logic.Lt(logic.Var("x", logic.Int), logic.IntConst(3)))
	both := logic.And(half, logic.Lt(x, logic.RealConst(1, 3)))
	same := logic.And(logic.Eq(word, logic.Number(logic.IntConst(1).Num(), word.Sort())), logic.Eq(word, logic.Number(logic.IntConst(2).Num(), word.Sort())))
	for k, fs := range [][]*logic.Term{{odd, both, odd}, {odd, same, both}, {}, {logic.False()}} {
		if which, err := z.Impossible(ctx, 0, fs); err != nil {
			t.Errorf("%d: %d, %v", k, which, err)
		}
	}
	if which, err := z.Impossible(ctx, 0, []*logic.Term{odd, both, half, same}); which != 2 || err == nil {
		t.Errorf("%d, %v", which, err)
	}
	if which, err := z.Impossible(ctx, 1, []*logic.Term{parse(t, "x*x*x + y*y*y == z*z*z + 3 && x > 5 && y > 7")}); which != 0 || err == nil {
		t.Errorf("%d, %v", which, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := z.Impossible(ended, 0, []*logic.Term{odd}); err == nil {
		t.Error("a context that has ended")
	}
	mustCheck(t, z, Unsat, parse(t, "x == 2"))
}
