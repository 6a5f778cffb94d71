package smt_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// TestConditionalNumbers: questions about sums of conditional numbers, nested, in scopes
// that come and go, and as assumptions, are answered as enumeration of the conditions says.
func TestConditionalNumbers(t *testing.T) {
	z, err := NewZ3(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	sat := 0
	n := soak.Long(uint64(200))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 95))
		sort := []*logic.Sort{logic.Int, logic.Real}[r.IntN(2)]
		number := func(k int) *logic.Term { return logic.Number(logic.IntConst(int64(k)).Num(), sort) }
		var flags []*logic.Term
		for _, name := range []string{"p", "q", "r", "s", "t"} {
			flags = append(flags, logic.Var(name, logic.Bool))
		}
		sum := func(conditions []*logic.Term) *logic.Term {
			out := number(0)
			for _, c := range conditions {
				out = logic.Add(out, logic.Ite(c, number(r.IntN(7)-3), number(r.IntN(7)-3)))
			}
			return out
		}
		question := func() *logic.Term {
			inner := logic.Le(sum(flags[:2]), number(r.IntN(5)-2))
			return logic.Eq(sum(append([]*logic.Term{inner}, flags...)), number(r.IntN(21)-10))
		}
		possible := func(fs ...*logic.Term) bool {
			for k := range 1 << len(flags) {
				m := logic.Model{}
				for i, v := range flags {
					m[v.Name()] = logic.BoolValue(k>>i&1 == 1)
				}
				if ok, err := logic.Holds(logic.And(fs...), m); err != nil {
					t.Fatal(err)
				} else if ok {
					return true
				}
			}
			return false
		}
		ask := func(assumption *logic.Term, all ...*logic.Term) {
			t.Helper()
			want := Unsat
			if possible(append(all, assumption)...) {
				want = Sat
				sat++
			}
			if got, err := z.Check(ctx, assumption); err != nil || got != want {
				t.Fatalf("seed %d: %s of %v and %s, want %s (%v)", seed, got, all, assumption, want, err)
			}
		}
		a, b, c := question(), question(), question()
		z.Push()
		z.Assert(a)
		ask(b, a)
		z.Push()
		z.Assert(c)
		ask(b, a, c)
		z.Pop()
		ask(c, a)
		z.Pop()
		ask(c)
	}
	if n >= 100 && (sat < int(n/4) || sat > int(4*n*3/4)) {
		t.Errorf("%d of %d questions are satisfiable", sat, 4*n)
	}
}
