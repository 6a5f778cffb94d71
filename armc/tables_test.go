package armc_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// TestTablesAgainstExplicitSearch: every verdict of every method on random systems with
// arrays and unknown functions is that of explicit search, runs are replayed, and
// certificates can be written, read and checked.
func TestTablesAgainstExplicitSearch(t *testing.T) {
	pool := thePool(t)
	s, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(s)
	ways := everyWay()
	count := map[Verdict]int{}
	for seed := range soak.Long(uint64(50)) {
		sys := gen.NewTableSystem(rand.New(rand.NewPCG(seed, 44)))
		if err := sys.Validate(); err != nil {
			t.Fatal(err)
		}
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		for i, o := range []Options{ways[int(seed)%len(ways)], {Method: Forward, Rounds: 15}} {
			if i > 0 && seed%4 > 0 && !soak.On() {
				continue
			}
			o.NoFacts = seed%3 == 0
			o.MaxQueries = 1500
			r, err := Check(ctx, sys, pool, o)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			count[r.Verdict]++
			switch {
			case r.Verdict == Unknown:
			case r.Verdict != want:
				t.Fatalf("seed %d, %+v: %s, want %s", seed, o, r.Verdict, want)
			case r.Verdict == Unsafe:
				if err := r.Trace.Replay(sys); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			default:
				var b bytes.Buffer
				if err := r.Certificate.Write(&b, sys); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				back, err := ReadCertificate(&b, sys)
				if err == nil {
					err = CheckCertificate(ctx, sys, back, s)
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
	}
	t.Logf("verdicts: %v", count)
	if count[Safe] < soak.Least(12) || count[Unsafe] < soak.Least(12) || count[Unknown] > soak.Long(20) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}

// TestDivisionsAgainstExplicitSearch: with divisions by zero as errors every verdict is that
// of explicit search. Without, an error that no division by zero leads to is found, and
// only such are.
func TestDivisionsAgainstExplicitSearch(t *testing.T) {
	pool := thePool(t)
	ways := everyWay()
	count := map[Verdict]int{}
	for seed := range soak.Long(uint64(80)) {
		sys := gen.NewDividingSystem(rand.New(rand.NewPCG(seed, 46)))
		for _, isError := range []bool{true, false} {
			checked := sys
			if isError {
				checked = sys.WithDivisions()
			}
			want := Safe
			if naive.UnsafeOrDivides(sys, gen.SystemMax, isError) {
				want = Unsafe
			}
			o := ways[int(seed)%len(ways)]
			o.MaxQueries, o.NoFacts = 1000, seed%2 == 0
			r, err := Check(ctx, checked, pool, o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if r.Verdict != Unknown && r.Verdict != want {
				t.Fatalf("seed %d, %+v, divisions %v: %s, want %s", seed, o, isError, r.Verdict, want)
			}
			if r.Verdict == Unsafe {
				if err := r.Trace.Replay(checked); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if isError {
				count[r.Verdict]++
			}
		}
	}
	t.Logf("verdicts: %v", count)
	if count[Safe] < soak.Long(10) || count[Unsafe] < soak.Long(30) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}
