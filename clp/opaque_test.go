package clp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/clp"
)

// opFormula is a formula over x0, x1, x2 of a sort of unknown values, and o0, o1 of (Opt X): none (-1) or some of them.
type opFormula struct {
	text  string
	holds func(x [3]int, o [2]int) bool
}

func opRandom(r *rand.Rand, depth int) opFormula {
	if depth == 0 || r.IntN(4) == 0 {
		i, j := r.IntN(3), r.IntN(3)
		switch r.IntN(5) {
		case 0:
			k := r.IntN(2)
			return opFormula{fmt.Sprintf("((_ is some) o%d)", k), func(_ [3]int, o [2]int) bool { return o[k] >= 0 }}
		case 1:
			k := r.IntN(2)
			return opFormula{fmt.Sprintf("(= o%d (some x%d))", k, i), func(x [3]int, o [2]int) bool { return o[k] == x[i] }}
		case 2:
			return opFormula{"(= o0 o1)", func(_ [3]int, o [2]int) bool { return o[0] == o[1] }}
		case 3:
			k := r.IntN(2)
			return opFormula{fmt.Sprintf("(= o%d (as none (Opt X)))", k), func(_ [3]int, o [2]int) bool { return o[k] < 0 }}
		}
		return opFormula{fmt.Sprintf("(= x%d x%d)", i, j), func(x [3]int, _ [2]int) bool { return x[i] == x[j] }}
	}
	a, b := opRandom(r, depth-1), opRandom(r, depth-1)
	switch r.IntN(7) {
	case 0:
		return opFormula{"(or " + a.text + " " + b.text + ")", func(x [3]int, o [2]int) bool { return a.holds(x, o) || b.holds(x, o) }}
	case 1:
		return opFormula{"(not " + a.text + ")", func(x [3]int, o [2]int) bool { return !a.holds(x, o) }}
	}
	return opFormula{"(and " + a.text + " " + b.text + ")", func(x [3]int, o [2]int) bool { return a.holds(x, o) && b.holds(x, o) }}
}

// opClause is P(x0, o0) and, if there is a call, a formula to P(x1, o1), or to false.
type opClause struct {
	call, goal bool
	when       opFormula
}

// opDerives says whether false is derivable where the sort has so many values.
func opDerives(clauses []opClause, values int) bool {
	facts := map[[2]int]bool{}
	for changed := true; changed; {
		changed = false
		for _, c := range clauses {
			for n := range values * values * values * (values + 1) * (values + 1) {
				x := [3]int{n % values, n / values % values, n / values / values % values}
				rest := n / values / values / values
				o := [2]int{rest%(values+1) - 1, rest/(values+1) - 1}
				if c.call && !facts[[2]int{x[0], o[0]}] || !c.when.holds(x, o) {
					continue
				}
				if c.goal {
					return true
				}
				if fact := [2]int{x[1], o[1]}; !facts[fact] {
					facts[fact], changed = true, true
				}
			}
		}
	}
	return false
}

// TestOpaqueSorts: clauses over a sort of declare-sort have no solution only where there is a derivation whatever the number of
// its values. Those that tell values apart are refused; where they were not, derivations for many values would be taken for ones for few.
func TestOpaqueSorts(t *testing.T) {
	pool := common
	answers := map[Verdict]int{}
	refused := 0
	for seed := range soak.Long(uint64(600)) {
		r := gen.Rand(seed)
		clauses := []opClause{{false, false, opRandom(r, 2)}, {true, false, opRandom(r, 2)}, {true, true, opRandom(r, 3)}}
		var b strings.Builder
		b.WriteString("(declare-sort X 0)\n(declare-datatypes ((Opt 1)) ((par (T) ((none) (some (val T))))))\n(declare-fun P (X (Opt X)) Bool)\n")
		for _, c := range clauses {
			body, head := "", "(P x1 o1)"
			if c.call {
				body = "(P x0 o0) "
			}
			if c.goal {
				head = "false"
			}
			fmt.Fprintf(&b, "(assert (forall ((x0 X) (x1 X) (x2 X) (o0 (Opt X)) (o1 (Opt X))) (=> (and %s%s) %s)))\n", body, c.when.text, head)
		}
		p, err := horn.ParseText("p", b.String())
		if err != nil {
			if refused++; !strings.Contains(err.Error(), "tells values of the sort X apart") {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			continue
		}
		res, err := Decide(context.Background(), OfProblem(p), pool, Options{Rounds: 5, Turns: 1})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
		}
		answers[res.Verdict]++
		for values := 1; values <= 3; values++ {
			if res.Verdict == Derivable && !opDerives(clauses, values) {
				t.Errorf("seed %d: nothing is derivable where X has %d values\n%s", seed, values, b.String())
			}
		}
		if res.Verdict == Underivable && opDerives(clauses, 3) && opDerives(clauses, 6) {
			t.Errorf("seed %d: there is a derivation for 3 and for 6 values\n%s", seed, b.String())
		}
	}
	t.Log(answers, refused)
	if n := soak.Least(600); answers[Derivable] < n/10 || answers[Underivable] < n/20 || refused < n/10 {
		t.Errorf("%v, %d are refused", answers, refused)
	}
}
