package horn

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
)

const counter = `(set-logic HORN)
(declare-fun p (Int Real) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x 5.0))))
(assert (forall ((x Int) (y Real)) (=> (and (p x y) (< x 7)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Real)) (=> (and (p x y) (> x 1)) false)))
(check-sat)
`

// TestRefutationOf: steps, names and the solver's own predicate for false are read; what is no proof of
// false is refused.
func TestRefutationOf(t *testing.T) {
	p, err := Parse(source.NewFile("p.smt2", counter))
	if err != nil {
		t.Fatal(err)
	}
	const proof = `((set-logic HORN) (declare-fun query!0 (Int) Bool)
(proof (let (($x1 (query!0 2)) (?x2 (- 5.0 0.0)))
 (let ((@x3 (asserted (forall ((A Int)) true))))
 (let ((@x4 ((_ hyper-res 0 0 0 1) @x3 (asserted (p 0 ?x2)) (p 1 (/ 10.0 2.0)))))
 (mp ((_ hyper-res 0 0 0 1) @x3 ((_ hyper-res 0 0 0 1 0 2) @x3 @x4 @x4 (p 2 5.0)) $x1) (asserted (=> $x1 false)) false))))))`
	nodes, err := sexp.Parse(proof)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.RefutationOf(nodes[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(r) != 4 || r[0].Pred != -1 || len(r[0].From) != 1 || r[0].From[0] != 1 || len(r[1].From) != 1 || r[3].From != nil {
		t.Errorf("%v", r)
	}
	for i, want := range []string{"", "2", "1", "0"} {
		if i > 0 && (r[i].Pred != 0 || r[i].Args[0].String() != want || r[i].Args[1].Compare(r[1].Args[1]) != 0) {
			t.Errorf("%d: %v", i, r[i])
		}
	}
	for _, wrong := range []string{
		"(p 0 5.0)", "(asserted (p 0 5.0))", "(asserted (p 0 true))", "(unit-resolution (asserted (p 0 5.0)) false)", "((_ hyper-res 0) (p 0) false x)",
		"(let ((@x (asserted (p 0 5.0)))) (let ((@x (asserted (p 1 5.0)))) (mp @x @x false)))", "(mp @y @y false)", "()", "x", "(let)", "(let ((a a)) a)",
	} {
		nodes, err := sexp.Parse(wrong)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := p.RefutationOf(nodes[0]); err == nil {
			t.Errorf("%s: %v", wrong, r)
		} else if strings.Contains(err.Error(), "runtime") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
