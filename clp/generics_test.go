package clp_test

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"

	. "github.com/seltl/seltl/clp"
)

// TestGenericSolution: a solution of clauses about datatypes with parameters, among them a record, is written over the sorts of the
// text, is one for z3, and is read again.
func TestGenericSolution(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Fatal(err) // as without it everywhere in this package: make setup installs it
	}
	const types = `(declare-datatypes ((Pair 2) (Lst 1)) ((par (A B) ((mk (first A) (second B)))) (par (T) ((nil) (cons (head T) (tail (Lst T)))))))
`
	clauses := []string{
		"(forall ((l (Lst Bool))) (zip (as nil (Lst Int)) l (as nil (Lst (Pair Int Bool)))))",
		"(forall ((a (Lst Int)) (b (Lst Bool)) (c (Lst (Pair Int Bool))) (p (Pair Int Bool))) (=> (zip a b c) (zip (cons (first p) a) (cons (second p) b) (cons p c))))",
		"(forall ((a (Lst Int)) (b (Lst Bool)) (c (Lst (Pair Int Bool)))) (=> (zip a b c) (last (mk a (mk 1 2)) c)))",
		"(forall ((a (Lst Int)) (c (Lst (Pair Int Bool))) (n Int)) (=> (and (last (mk a (mk n 2)) c) (not (= a (as nil (Lst Int)))) (= c (as nil (Lst (Pair Int Bool))))) false))",
		"(forall ((a (Lst Int)) (c (Lst (Pair Int Bool))) (n (Pair Int Int))) (=> (and (last (mk a n) c) (distinct 3 (+ (first n) (second n)))) false))",
	}
	text := types + "(declare-fun zip ((Lst Int) (Lst Bool) (Lst (Pair Int Bool))) Bool)\n(declare-fun last ((Pair (Lst Int) (Pair Int Int)) (Lst (Pair Int Bool))) Bool)\n" +
		"(assert " + strings.Join(clauses, ")\n(assert ") + ")\n(check-sat)\n"
	p, err := horn.ParseText("p.smt2", text)
	if err != nil {
		t.Fatal(err)
	}
	pool := common
	for _, without := range [][]Method{{Sizes}, {CAR, Spacer}} {
		res, err := Decide(context.Background(), OfProblem(p), pool, Options{Without: without})
		if err != nil || res.Verdict != Underivable {
			t.Fatalf("%v, %v", res, err)
		}
		var model strings.Builder
		own := p.With(res.Folds)
		if err := own.WriteSolution(&model, res.Solution); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(model.String(), "(x0 (Pair (Lst Int) (Pair Int Int)))") || len(res.Folds) == 0 && strings.Contains(model.String(), "Lst<") {
			t.Errorf("%s", model.String())
		}
		_, again, err := p.ParseCertificate("model", model.String())
		if err != nil || !slices.Equal(again, res.Solution) {
			t.Errorf("%v, %v\n%s", again, err, model.String())
		}
		for _, c := range clauses {
			cmd := exec.Command(z3, "-in", "-T:10")
			cmd.Stdin = strings.NewReader(types + model.String() + "(assert (not " + c + "))\n(check-sat)\n")
			if said, _ := cmd.Output(); strings.TrimSpace(string(said)) != "unsat" && len(res.Folds) == 0 {
				t.Errorf("%s\n%s\n%s", said, c, model.String())
			}
		}
	}
}

// TestInternalDivision: what z3 calls bvsdiv_i and the like is the division of SMT-LIB for z3, also by 0.
func TestInternalDivision(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range strings.Fields("bvsdiv bvudiv bvsrem bvurem bvsmod") {
		const vars = "(declare-const x (_ BitVec 5))(declare-const y (_ BitVec 5))"
		cmd := exec.Command(z3, "-in", "-T:10")
		cmd.Stdin = strings.NewReader(vars + "(assert (distinct (" + op + "_i x y) (" + op + " x y)))(check-sat)")
		if said, _ := cmd.Output(); strings.TrimSpace(string(said)) != "unsat" {
			t.Errorf("%s: %s", op, said)
		}
		const head = "(declare-fun P ((_ BitVec 5)) Bool)(assert (forall ((x (_ BitVec 5)) (y (_ BitVec 5))) (=> (P y) (P ("
		a, err := horn.ParseText("a", head+op+"_i x y)))))")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := horn.ParseText("b", head+op+" x y)))))"); err != nil || a.String() != b.String() {
			t.Errorf("%v\n%s\n%s", err, a, b)
		}
	}
}
