package smt_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// TestSimplifyEquivalent: Z3 finds simplified formulas equivalent.
func TestSimplifyEquivalent(t *testing.T) {
	s, err := smt.NewZ3(smt.Options{Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	proved := 0
	for seed := range soak.Long(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 41))
		sorts := [][]*logic.Sort{{logic.Int}, {logic.Int, logic.Real}, {logic.Real}, {gen.SmallBV}}[r.IntN(4)]
		f := gen.NewRawTerm(r, logic.Bool, gen.RawOptions{Depth: 2 + r.IntN(4), Sorts: sorts}).Term()
		if seed%2 == 0 {
			f = gen.NewBounds(r, 1+r.IntN(3))
		}
		g := logic.Simplify(f)
		if g == f {
			continue
		}
		status, m, err := smt.ModelOf(context.Background(), s, logic.Ne(f, g))
		if err != nil || status == smt.Sat {
			t.Fatalf("seed %d: %s is not %s: %s, %v", seed, g, f, m, err)
		}
		if status == smt.Unsat {
			proved++
		}
	}
	if proved < soak.Long(500) {
		t.Errorf("only %d proved", proved)
	}
}
