package horn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	. "github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// TestStrongest compares with enumeration: what holds of P1, P2 and P3, each of which is defined by those before and by
// R, is what follows from values of R by values of the clauses' variables, and rarely more, where coefficients are not 1. R,
// which calls itself, remains as it was.
func TestStrongest(t *testing.T) {
	parts, weaker := map[bool]int{}, 0
	n := soak.Cases(uint64(40))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 3))
		p := mustParse(t, layered(r))
		given := Solution{logic.And(logic.Le(p.Preds[0].Params[0], p.Preds[0].Params[1]), logic.Lt(p.Preds[0].Params[1], logic.IntConst(r.Int64N(3)))), logic.True(), logic.False(), logic.True()}
		s := p.Strongest(given)
		if s == nil || s[0] != given[0] {
			t.Fatalf("seed %d: %v of %v", seed, s, given)
		}
		known := map[[3]int64]bool{}
		for range 6 {
			x, y := r.Int64N(5)-2, r.Int64N(5)-2
			for pred := range p.Preds {
				got, err := logic.Holds(s[pred], at(p.Preds[pred].Params, x, y))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				want := follows(t, p, given, known, pred, x, y)
				if got && !want {
					weaker++
				}
				if !got && want {
					t.Fatalf("seed %d: %s(%d, %d) follows: %v, but %v says %v\n%s", seed, p.PredName(pred), x, y, want, s[pred], got, p)
				}
				parts[want]++
			}
		}
	}
	if min(parts[true], parts[false]) < int(n) || weaker > parts[false]/50 {
		t.Errorf("it follows: %v, and is said to %d times more", parts, weaker)
	}
}

// layered is a text of predicates with two parameters each.
func layered(r *rand.Rand) string {
	var b strings.Builder
	for _, name := range []string{"R", "P1", "P2", "P3"} {
		fmt.Fprintf(&b, "(declare-fun %s (Int Int) Bool)\n", name)
	}
	b.WriteString("(assert (forall ((x Int) (y Int)) (=> (R x y) (R x (- y 1)))))\n")
	arg := func() string { return []string{"x", "y", "z", "(+ z 1)", "(- x y)"}[r.IntN(5)] }
	for i := 1; i <= 3; i++ {
		for range 1 + r.IntN(2) {
			body := []string{"R", "P1", "P2"}[r.IntN(i)]
			fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (%s %s %s) (<= %d %s) (%s %s %s) (<= -4 x 4) (<= -4 y 4) (<= -4 z 4)) (P%d %s %s))))\n",
				body, arg(), arg(), r.IntN(5)-2, arg(), []string{"=", "<", "<="}[r.IntN(3)], arg(), arg(), i, arg(), arg())
		}
	}
	return b.String()
}

func at(params []*logic.Term, x, y int64) logic.Model {
	return logic.Model{params[0].Name(): logic.IntValue(x), params[1].Name(): logic.IntValue(y)}
}

// follows looks for values of the clauses' variables, all of which are between -4 and 4.
func follows(t *testing.T, p *Problem, given Solution, known map[[3]int64]bool, pred int, x, y int64) (yes bool) {
	key := [3]int64{int64(pred), x, y}
	if yes, ok := known[key]; ok {
		return yes
	}
	defer func() { known[key] = yes }()
	if pred == 0 {
		ok, err := logic.Holds(given[0], at(p.Preds[0].Params, x, y))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	for _, c := range p.Clauses {
		if c.Head == nil || c.Head.Pred != pred {
			continue
		}
		for i := range int64(9 * 9 * 9) {
			m := logic.Model{}
			for k, v := range logic.Vars(c.Terms()...) {
				m[v.Name()] = logic.IntValue([]int64{i % 9, i / 9 % 9, i / 81}[k] - 4)
			}
			value := func(f *logic.Term) int64 {
				v, err := logic.Eval(f, m)
				if err != nil {
					t.Fatal(err)
				}
				return v.Num().Num().Int64()
			}
			if ok, err := logic.Holds(c.Constraint, m); err != nil || !ok || value(c.Head.Args[0]) != x || value(c.Head.Args[1]) != y {
				continue
			}
			if a := c.Body[0]; follows(t, p, given, known, a.Pred, value(a.Args[0]), value(a.Args[1])) {
				return true
			}
		}
	}
	return false
}

// TestModelOf: what a solver says of Q with a quantifier, and of S for no reason, is what their clauses say; of R, which is on
// the same cycle as S, it counts.
func TestModelOf(t *testing.T) {
	p := mustParse(t, `(declare-fun S (Int) Bool) (declare-fun R (Int) Bool) (declare-fun Q (Int) Bool)
(assert (R 0)) (assert (forall ((x Int)) (=> (R x) (S (+ x 1))))) (assert (forall ((x Int)) (=> (S x) (R (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (R x) (= y (+ x 1))) (Q y))))
(assert (forall ((x Int)) (=> (and (Q x) (< x 0)) false)))`)
	answer, err := sexp.Parse(`((define-fun S ((a Int)) Bool true) (define-fun R ((a Int)) Bool (>= a 0))
(define-fun Q ((a Int)) Bool (exists ((b Int)) (> b (* b b a)))))`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.ModelOf(answer[0].List)
	if err != nil || len(s) != 3 || s[1].String() != "R!0 >= 0" || s[2].String() != "Q!0 >= 1" {
		t.Errorf("%v, %v", s, err)
	}
	s = p.Strongest(Solution{logic.True(), s[1], s[2]})
	if len(s) != 3 || s[0].String() != "S!0 >= 1" || s[1].String() != "R!0 >= 0" || s[2].String() != "Q!0 >= 1" {
		t.Errorf("%v", s)
	}
	if _, err := p.SolutionOf(answer[0].List); err == nil {
		t.Error("a quantifier over a product is eliminated")
	}
}
