package predabs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// sometimes is a solver that now and then has no answer.
type sometimes struct {
	smt.Checker
	r *rand.Rand
}

func (s sometimes) Check(c context.Context, assumptions ...*logic.Term) (smt.Status, error) {
	status, err := s.Checker.Check(c, assumptions...)
	if s.r.IntN(4) == 0 {
		status = smt.Unknown
	}
	return status, err
}

// TestManyPredicates: Boolean of up to 24 predicates over two variables with few values, most of
// which exclude or imply each other, against all values. A solver without some answers adds
// cubes and leaves none out.
func TestManyPredicates(t *testing.T) {
	exact, solver := newProver(t), newProver(t)
	cubes := 0
	for seed := range soak.Long(uint64(40)) {
		r := rand.New(rand.NewPCG(seed, 7))
		number := func() *logic.Term { return logic.IntConst(int64(r.IntN(8))) }
		in := logic.And(logic.Le(logic.IntConst(0), x), logic.Le(x, logic.IntConst(7)), logic.Le(logic.IntConst(0), y), logic.Le(y, logic.IntConst(7)))
		var predicates []*logic.Term
		for range 9 + r.IntN(15) {
			v := []*logic.Term{x, y}[r.IntN(2)]
			f := []*logic.Term{logic.Eq(v, number()), logic.Le(v, number()), logic.Le(x, logic.Add(y, number()))}[r.IntN(3)]
			if !slices.Contains(predicates, f) {
				predicates = append(predicates, f)
			}
		}
		c := &program.Command{Guard: logic.Le(x, number()), Update: map[*logic.Term]*logic.Term{x: logic.Add(x, logic.IntConst(int64(r.IntN(3))))}}
		want := map[string]bool{}
		for i := range int64(8) {
			for j := range int64(8) {
				at := map[*logic.Term]*logic.Term{x: logic.IntConst(i), y: logic.IntConst(j)}
				if !logic.Substitute(c.Guard, at).IsTrue() {
					continue
				}
				var text strings.Builder
				for _, f := range predicates {
					value := logic.Substitute(c.After(f), at)
					if !value.IsTrue() && !value.IsFalse() {
						t.Fatalf("%v is not decided", value)
					}
					fmt.Fprint(&text, value.IsTrue(), " ")
				}
				want[text.String()] = true
			}
		}
		found := func(p *predabs.Prover) map[string]bool {
			got, err := p.Boolean(ctx, in, c, predicates)
			if err != nil {
				t.Fatal(seed, err)
			}
			all := map[string]bool{}
			for _, cube := range got {
				var text strings.Builder
				for i, l := range cube {
					fmt.Fprint(&text, l == predicates[i], " ")
				}
				if all[text.String()] {
					t.Fatalf("seed %d: a cube comes twice", seed)
				}
				all[text.String()] = true
			}
			return all
		}
		got := found(exact.Prover)
		cubes += len(got)
		for k := range want {
			if !got[k] {
				t.Fatalf("seed %d: %s is not found", seed, k)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d cubes, not %d", seed, len(got), len(want))
		}
		if len(predicates) <= 12 { // without answers, nearly all combinations are possible
			loose := predabs.NewProver(sometimes{solver.z3, r})
			loose.MaxValuations = 1 << 30
			all := found(loose)
			for k := range want {
				if !all[k] {
					t.Fatalf("seed %d: %s is not found without some answers", seed, k)
				}
			}
		}
	}
	t.Log(cubes, "cubes")
}

// TestMaxValuations: what would be too many cubes is an error that says so.
func TestMaxValuations(t *testing.T) {
	p := newProver(t)
	p.MaxValuations = 100
	var free, exclusive []*logic.Term
	for i := range 60 {
		free = append(free, logic.Var(fmt.Sprint("b", i), logic.Bool))
		exclusive = append(exclusive, logic.Eq(x, logic.IntConst(int64(i))))
	}
	_, err := p.Boolean(ctx, logic.True(), &program.Command{Guard: logic.True()}, free)
	var limit *budget.Exhausted
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "60 predicates") {
		t.Errorf("the error is %v", err)
	}
	p.MaxValuations = 0
	before := p.Stats().Queries
	cubes, err := p.Boolean(ctx, logic.True(), &program.Command{Guard: logic.True()}, exclusive)
	if n := p.Stats().Queries - before; err != nil || len(cubes) != 61 || n > 3*61 {
		t.Errorf("%d cubes by %d questions: %v", len(cubes), n, err)
	}
}
