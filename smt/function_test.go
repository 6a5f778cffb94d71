package smt_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// ackermann replaces applications by variables, and says that they are those of a function:
// of equal arguments the values are equal.
func ackermann(f *logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	var consistent []*logic.Term
	type application struct {
		function, value *logic.Term
		args            []*logic.Term
	}
	var all []application
	for i, a := range logic.Applications(f) {
		now := application{a.Args()[0], logic.Var(fmt.Sprintf("value%d", i), a.Sort()), nil}
		for _, arg := range a.Args()[1:] {
			now.args = append(now.args, logic.Substitute(arg, by))
		}
		by[a] = now.value
		for _, other := range all {
			if other.function != now.function {
				continue
			}
			var same []*logic.Term
			for k := range now.args {
				same = append(same, logic.Eq(now.args[k], other.args[k]))
			}
			consistent = append(consistent, logic.Implies(logic.And(same...), logic.Eq(now.value, other.value)))
		}
		all = append(all, now)
	}
	return logic.And(append(consistent, logic.Substitute(f, by))...)
}

// TestFunctionsByAckermann: formulas with functions are decided as those without that
// Ackermann's reduction makes of them, and models satisfy them.
func TestFunctionsByAckermann(t *testing.T) {
	z := newZ3(t, Options{Timeout: 10 * time.Second})
	seen := map[Status]int{}
	for seed := range soak.Long(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 22))
		var parts []*logic.Term
		for range 2 + r.IntN(9) {
			parts = append(parts, gen.NewRawTerm(r, logic.Bool, gen.RawOptions{Depth: 3, Sorts: []*logic.Sort{logic.Int, gen.SmallFunction}}).Term())
		}
		f := logic.And(parts...)
		if len(logic.Applications(f)) == 0 {
			continue
		}
		got, m, err := ModelOf(ctx, z, f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := CheckAll(ctx, z, ackermann(f))
		if err != nil || want != got && want != Unknown && got != Unknown {
			t.Fatalf("seed %d: %s, want %s: %s", seed, got, want, f)
		}
		if got == Sat {
			if ok, err := logic.Holds(f, m); !ok || err != nil {
				t.Fatalf("seed %d: wrong model %s: %v", seed, m, err)
			}
		}
		seen[got]++
	}
	t.Log(seen)
	if seen[Sat] < soak.Long(60) || seen[Unsat] < soak.Long(12) || seen[Unknown] > soak.Long(190) {
		t.Errorf("the random formulas do not say much: %v", seen)
	}
}
