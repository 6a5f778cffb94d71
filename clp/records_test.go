package clp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/smt"
)

const recordTypes = `(declare-datatypes ((Unit 0)) (((unit))))
(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Bool)))))
(declare-datatypes ((Lst 0)) (((nil) (cons (hd Int) (tl Lst)))))
(declare-datatypes ((Nest 0) (Wrap 0)) (((nest (inner Pair) (none Unit) (data (Array Int Pair)))) ((Wrap (wrapped (Array Pair Int))))))
`

var recordSorts = []string{"Int", "Bool", "Unit", "Pair", "Nest", "Wrap", "(Array Int Pair)", "(Array Pair Int)", "(Array Unit Int)", "(Array Int Unit)",
	"Lst", "(Array Int Lst)", "(Array Int Bool)", "(Array Int (Array Int Bool))", "(Array Bool (Array Int Pair))"}

// recordTerm draws a term of a sort over variables v0, v1, ... of each sort.
func recordTerm(r *rand.Rand, sort string, depth int) string {
	t := func(s string) string { return recordTerm(r, s, depth-1) }
	variable := func() string {
		for i, s := range recordSorts {
			if s == sort {
				return fmt.Sprintf("v%d_%d", i, r.IntN(2))
			}
		}
		panic(sort)
	}
	if depth == 0 || r.IntN(8) == 0 {
		if sort == "Int" && r.IntN(2) == 0 {
			return fmt.Sprint(r.IntN(3))
		}
		return variable()
	}
	switch r.IntN(5) {
	case 0:
		return fmt.Sprintf("(ite %s %s %s)", t("Bool"), t(sort), t(sort))
	case 1:
		s := recordSorts[r.IntN(len(recordSorts))]
		for i, other := range recordSorts {
			if other == s { // it hides a variable
				return fmt.Sprintf("(let ((v%d_0 %s)) %s)", i, t(s), t(sort))
			}
		}
	}
	var ways []string
	switch sort {
	case "Int":
		ways = []string{"(fst " + t("Pair") + ")", "(select " + t("(Array Pair Int)") + " " + t("Pair") + ")", "(+ " + t("Int") + " " + t("Int") + ")",
			"(select " + t("(Array Unit Int)") + " " + t("Unit") + ")"}
	case "Bool":
		s := recordSorts[r.IntN(len(recordSorts))]
		ways = []string{"((_ is cons) " + t("Lst") + ")", "(select " + t("(Array Int Bool)") + " " + t("Int") + ")", "(= " + t(s) + " " + t(s) + ")", "(distinct " + t(s) + " " + t(s) + ")", "(snd " + t("Pair") + ")", "((_ is pair) " + t("Pair") + ")",
			"(not " + t("Bool") + ")", "(and " + t("Bool") + " " + t("Bool") + ")", "(< " + t("Int") + " " + t("Int") + ")", "(= " + t(s) + " " + t(s) + " " + t(s) + ")"}
	case "Unit":
		ways = []string{"unit", "(none " + t("Nest") + ")", "(select " + t("(Array Int Unit)") + " " + t("Int") + ")"}
	case "Pair":
		ways = []string{"(pair " + t("Int") + " " + t("Bool") + ")", "(inner " + t("Nest") + ")", "(select " + t("(Array Int Pair)") + " " + t("Int") + ")"}
	case "Nest":
		ways = []string{"(nest " + t("Pair") + " " + t("Unit") + " " + t("(Array Int Pair)") + ")"}
	case "Wrap":
		ways = []string{"(Wrap " + t("(Array Pair Int)") + ")"}
	case "(Array Int Pair)":
		ways = []string{"(select " + t("(Array Bool (Array Int Pair))") + " " + t("Bool") + ")", "(data " + t("Nest") + ")", "(store " + t(sort) + " " + t("Int") + " " + t("Pair") + ")", "((as const (Array Int Pair)) " + t("Pair") + ")"}
	case "(Array Pair Int)":
		ways = []string{"(wrapped " + t("Wrap") + ")", "(store " + t(sort) + " " + t("Pair") + " " + t("Int") + ")", "((as const (Array Pair Int)) " + t("Int") + ")"}
	case "(Array Unit Int)":
		ways = []string{"(store " + t(sort) + " " + t("Unit") + " " + t("Int") + ")"}
	case "Lst":
		ways = []string{"nil", "(cons " + t("Int") + " " + t("Lst") + ")", "(select " + t("(Array Int Lst)") + " " + t("Int") + ")", "(tl (cons " + t("Int") + " " + t("Lst") + "))"}
	case "(Array Int Bool)":
		ways = []string{"(select " + t("(Array Int (Array Int Bool))") + " " + t("Int") + ")", "(store " + t(sort) + " " + t("Int") + " " + t("Bool") + ")"}
	case "(Array Int Lst)", "(Array Int (Array Int Bool))":
		element := sort[len("(Array Int ") : len(sort)-1]
		ways = []string{"(store " + t(sort) + " " + t("Int") + " " + t(element) + ")", "((as const " + sort + ") " + t(element) + ")"}
	case "(Array Bool (Array Int Pair))":
		ways = []string{"(store " + t(sort) + " " + t("Bool") + " " + t("(Array Int Pair)") + ")", "((as const " + sort + ") " + t("(Array Int Pair)") + ")"}
	case "(Array Int Unit)":
		ways = []string{"(store " + t(sort) + " " + t("Int") + " " + t("Unit") + ")"}
	}
	return ways[r.IntN(len(ways))]
}

// TestRecords: clauses about records have the answers that z3 gives about datatypes.
func TestRecords(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Fatal(err) // as without it everywhere in this package: make setup installs it
	}
	var vars, consts strings.Builder
	for i, s := range recordSorts {
		for k := range 2 {
			fmt.Fprintf(&vars, " (v%d_%d %s)", i, k, s)
			fmt.Fprintf(&consts, "(declare-const v%d_%d %s)\n", i, k, s)
		}
	}
	var formulas []string
	var all strings.Builder // for one z3: each begins anew
	for seed := range soak.Cases(uint64(120)) {
		r := gen.Rand(seed)
		f := recordTerm(r, "Bool", 3+r.IntN(2))
		if r.IntN(2) == 0 { // equal parts make equal wholes
			i := r.IntN(len(recordSorts))
			a, b := fmt.Sprintf("v%d_1", i), fmt.Sprintf("v%d_0", i)
			f = fmt.Sprintf("(and (= %s %s) (distinct %s %s))", a, b, f, strings.ReplaceAll(f, a, b))
		}
		formulas = append(formulas, f)
		all.WriteString("(reset)\n(set-option :timeout 5000)\n" + recordTypes + consts.String() + "(assert " + f + ")\n(check-sat)\n")
	}
	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(all.String())
	out, _ := cmd.Output()
	said := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(said) != len(formulas) {
		t.Fatalf("%d answers to %d questions\n%s", len(said), len(formulas), out)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	answers := map[Verdict]int{}
	for seed, f := range formulas {
		want := map[string]Verdict{"sat": Derivable, "unsat": Underivable}[said[seed]]
		if want == Unknown {
			if said[seed] != "unknown" {
				t.Fatalf("seed %d: %s\n%s", seed, said[seed], f)
			}
			continue
		}
		text := recordTypes + "(assert (forall (" + vars.String() + ") (=> " + f + " false)))\n(check-sat)\n"
		p, err := horn.Parse(source.NewFile("p.smt2", text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, f)
		}
		res, err := Decide(context.Background(), OfProblem(p), pool, Options{Turns: 3})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, f)
		}
		if answers[res.Verdict]++; res.Verdict != Unknown && res.Verdict != want {
			t.Errorf("seed %d: %v, and z3 says %s\n%s", seed, res.Verdict, said[seed], f)
		}
	}
	if answers[Derivable] < soak.Least(40) || answers[Underivable] < soak.Least(20) {
		t.Errorf("%v", answers)
	}
}

// TestRecordSolution: a solution in terms of datatypes is one for z3, and is read again.
func TestRecordSolution(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Fatal(err) // as without it everywhere in this package: make setup installs it
	}
	const types = `(declare-datatypes ((Unit 0)) (((unit))))
(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Int)))))
(declare-datatypes ((St 0)) (((st (p Pair) (arr (Array Int Pair)) (u Unit) (a2 (Array Int (Array Int Pair)))))))
`
	clauses := []string{
		"(forall ((s St)) (=> (and (= (fst (p s)) 0) (= (fst (select (arr s) 3)) 7)) (inv 0 s unit)))",
		"(forall ((s St) (i Int) (n Unit)) (=> (and (inv i s n) (< i 10)) (inv (+ i 1) (st (pair (+ 1 (fst (p s))) 5) (store (arr s) 4 (pair 1 2)) n (a2 s)) n)))",
		"(forall ((s St) (i Int)) (=> (and (inv i s unit) (or (> (fst (p s)) i) (distinct (fst (select (arr s) 3)) 7))) false))",
	}
	text := types + "(declare-fun inv (Int St Unit) Bool)\n(assert " + strings.Join(clauses, ")\n(assert ") + ")\n(check-sat)\n"
	p, err := horn.Parse(source.NewFile("p.smt2", text))
	if err != nil {
		t.Fatal(err)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	res, err := Decide(context.Background(), OfProblem(p), pool, Options{})
	if err != nil || res.Verdict != Underivable {
		t.Fatalf("%v, %v", res, err)
	}
	var model strings.Builder
	if err := p.WriteSolution(&model, res.Solution); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(model.String(), "(x1 St)") {
		t.Errorf("%s", model.String())
	}
	again, err := p.ParseSolutionText("model", model.String())
	if err != nil || !slices.Equal(again, res.Solution) {
		t.Errorf("%v, %v\n%s", again, err, model.String())
	}
	for _, c := range clauses {
		cmd := exec.Command(z3, "-in", "-T:10")
		cmd.Stdin = strings.NewReader(types + model.String() + "(assert (not " + c + "))\n(check-sat)\n")
		if said, _ := cmd.Output(); strings.TrimSpace(string(said)) != "unsat" {
			t.Errorf("%s\n%s\n%s", said, c, model.String())
		}
	}
}
