package horn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/horn"
)

// counter counts from 0 to 10 and asks whether it goes further.
const counter = `; a comment
(set-logic HORN)
(set-info :status sat)
(declare-fun |the counter| (Int Real) Bool)
(declare-fun done () Bool)
(assert (forall ((x Int)) (=> (= x 0) (|the counter| x 1))))
(assert (! (forall ((x Int) (r Real) (y Int)) (=> (and (and (|the counter| x r) (< x 10)) (= y (+ x 1))) (|the counter| y r))) :named step))
(assert (forall ((x Int) (r Real)) (let ((y (- x 10))) (or (not (|the counter| x r)) (<= y 0) done))))
(assert (not (exists ((x Int)) (and done (> x x)))))
(assert (=> done false))
(check-sat)
(exit)
`

func mustParse(t testing.TB, text string) *Problem {
	t.Helper()
	p, err := ParseText("test.smt2", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParse(t *testing.T) {
	p := mustParse(t, counter)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	want := `(declare-fun |the counter| (Int Real) Bool)
(declare-fun done () Bool)
(assert (forall ((x Int)) (=> (and true (= x 0)) (|the counter| x 1.0) )))
(assert (! (forall ((r Real)(x Int)(y Int)) (=> (and true (|the counter| x r) (and (= (+ x (* (- 1) y)) (- 1)) (<= x 9))) (|the counter| y r) )) :named step))
(assert (forall ((r Real)(x Int)) (=> (and true (|the counter| x r) (<= (* (- 1) x) (- 11))) done )))
(assert (=> (and true done false) false))
(assert (=> (and true done true) false))
`
	if got := p.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if p.Clauses[1].Name != "step" || !strings.HasPrefix(p.Clauses[1].Span.Text(), "(assert (! (forall") || p.Preds[0].Span.Text() != "|the counter|" {
		t.Errorf("%+v %+v", p.Clauses[1], p.Preds[0])
	}
}

// TestSharedParts: let names parts with predicates; which side of the implication they are
// on shows where they are used, and their own names are those of the place of the let.
func TestSharedParts(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)\n(assert (forall ((x Int)(y Int)) "
	plain := mustParse(t, head+"(=> (and (P x) (= y (+ x 1)) (< x 9)) (Q y))))").String()
	for _, text := range []string{
		"(let ((a!1 (and (P x) (= y (+ x 1)) (< x 9)))) (=> a!1 (Q y)))",
		"(let ((a!1 (P x)) (a!2 (< x 9)) (q (Q y))) (let ((a!1 (and a!1 (= y (+ x 1)) a!2))) (=> a!1 q)))",
		"(let ((p (P x)) (z y)) (let ((x y) (b (and p (= z (+ x 1)))) (c (< x 9)) (d (=> (not (Q z)) false))) (=> b c d)))",
		"(let ((r (=> (and (P x) (= y (+ x 1))) (let ((x (< x 9)) (y (Q y))) (or (not x) y))))) r)",
		"(let ((n (not (and (P x) (= y (+ x 1)) (not (>= x 9))))) (a!2 (Q y))) (or a!2 n))",
	} {
		if got := mustParse(t, head+text+"))").String(); got != plain {
			t.Errorf("%s is read as\n%s, not\n%s", text, got, plain)
		}
	}
	for text, want := range map[string]string{
		"(let ((a (P x))) (=> (< x (ite a 1 2)) false))":                                                             "predicate may only stand",
		"(let ((a (P x))) (let ((b (or (not a) (< x y)))) (=> b (Q x))))":                                            "one predicate as its conclusion",
		"(let ((a (and (P x) (P y)))) (let ((a!1 (Q x))) (or a!1 (and a x))))":                                       "one predicate as its conclusion",
		"(let ((a (P x)))" + strings.Repeat(" (let ((a (and a a)))", 20) + " (=> a (Q x))" + strings.Repeat(")", 21): "uses of names",
	} {
		if _, err := ParseText("a", head+text+"))"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.90s: %v, want %s", text, err, want)
		}
	}
}

// TestRules: the commands of Z3's fixedpoint engine mean the same as declare-fun and
// assert, and quantifiers may be nested, with names that are used already.
func TestRules(t *testing.T) {
	want := mustParse(t, "(declare-fun P (Int) Bool)(declare-fun q () Bool)(assert (forall ((x Int)) (=> (= x 0) (P x))))"+
		"(assert (! (forall ((x Int)(y Int)) (=> (and (P x) (= y (+ x 1))) (P y))) :named step))(assert (forall ((x Int)) (=> (and (P x) (> x 3)) q)))(assert (=> q false))").String()
	for _, text := range []string{
		"(declare-rel P (Int))(declare-rel q ())(declare-var x Int)(declare-var y Int)(rule (=> (= x 0) (P x)))" +
			"(rule (=> (and (P x) (= y (+ x 1))) (P y)) step)(rule (=> (and (P x) (> x 3)) q))(query q :print-certificate true)",
	} {
		if got := mustParse(t, text).String(); got != want {
			t.Errorf("%s is read as\n%s, not\n%s", text, got, want)
		}
	}
	nested := mustParse(t, "(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (exists ((x Int)) (and (P x) (= x 3))) (forall ((x!2 Int)) (P (+ x x!2))))))").String()
	if want := mustParse(t, "(declare-fun P (Int) Bool)(assert (forall ((x Int)(x!2 Int)(x!2!2 Int)) (=> (and (P x!2) (= x!2 3)) (P (+ x x!2!2)))))").String(); nested != want {
		t.Errorf("nested quantifiers are read as\n%s, not\n%s", nested, want)
	}
}

// TestClausal: what is several clauses is read as these.
func TestClausal(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)\n"
	one := func(clauses ...string) (text string) {
		for _, c := range clauses {
			text += "(assert (forall ((x Int)(y Int)) " + c + "))"
		}
		return mustParse(t, head+text).String()
	}
	for text, want := range map[string]string{
		"(=> (or (P x) (and (Q x) (< x y))) false)":                 one("(=> (P x) false)", "(=> (and (Q x) (< x y)) false)"),
		"(=> (P x) (and (P y) (< x y) (Q x)))":                      one("(=> (P x) (P y))", "(=> (P x) (< x y))", "(=> (P x) (Q x))"),
		"(=> (P x) (ite (= x 5) (Q x) (P (+ x 1))))":                one("(=> (and (P x) (= x 5)) (Q x))", "(=> (and (P x) (not (= x 5))) (P (+ x 1)))"),
		"(not (or (and (P x) (Q y)) (P y) (and (Q x) (not true))))": one("(=> (and (P x) (Q y)) false)", "(=> (P y) false)", "(=> (and (Q x) false) false)"),
		"(=> (=> (< x y) (P x)) (Q y))":                             one("(=> (not (< x y)) (Q y))", "(=> (P x) (Q y))"),
		"(=> (and (or (P x) (P y)) (or (Q x) (Q y))) (P 1))":        one("(=> (and (P x) (Q x)) (P 1))", "(=> (and (P y) (Q x)) (P 1))", "(=> (and (P x) (Q y)) (P 1))", "(=> (and (P y) (Q y)) (P 1))"),
	} {
		if got := mustParse(t, head+"(assert (forall ((x Int)(y Int)) "+text+"))").String(); got != want {
			t.Errorf("%s is read as\n%s, not\n%s", text, got, want)
		}
	}
}

// TestDefinitions: defined functions stand for their terms, and do not see variables of
// where they are used; variables hide predicates and definitions; names may look like
// numbers between bars, and negative numbers be written as Z3 has them.
func TestDefinitions(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)(declare-fun Q (Real) Bool)\n"
	for text, plain := range map[string]string{
		"(define-fun c () Int 5)(define-fun f ((x Int)(y Int)) Int (+ (* 2 x) y c))(define-fun g ((y Int)) Bool (< (f y 1) (f 0 y)))(assert (forall ((x Int)(y Int)) (=> (and (P (f y x)) (g x)) (P (f c (f x x))))))": "(assert (forall ((x Int)(y Int)) (=> (and (P (+ y y x 5)) (< (+ x x 6) (+ x 5))) (P (+ x x x 20)))))",
		"(define-fun h ((x Real)) Real x)(assert (forall ((x Int)) (=> (P x) (Q (h x)))))":       "(assert (forall ((x Int)) (=> (P x) (Q (to_real x)))))",
		"(define-fun h () Real 1)(assert (Q h))":                                                 "(assert (Q 1.0))",
		"(define-fun c () Int 5)(assert (forall ((c Int)) (P c)))":                               "(assert (forall ((c!2 Int)) (P c!2)))",
		"(declare-var x Int)(define-fun f ((x Int)) Int (+ x 1))(rule (=> (P x) (P (f (f x)))))": "(assert (forall ((x Int)) (=> (P x) (P (+ x 2)))))",
		"(assert (forall ((Q Int)) (=> (= Q 3) (P Q))))":                                         "(assert (forall ((Q!2 Int)) (=> (= Q!2 3) (P Q!2))))",
		"(assert (forall ((x Int)) (=> (> x (abs x)) (P x))))":                                   "(assert (forall ((x Int)) (=> (> x (ite (>= x 0) x (- x))) (P x))))",
		"(assert (let ((Q 3)) (P Q)))":                                                           "(assert (P 3))",
		"(assert (forall ((|5| Int)(|#x1| Int)) (=> (= |5| (- |#x1| 5)) (P |5|))))":              "(assert (forall ((|5| Int)(|#x1| Int)) (=> (= (+ 5 |5|) |#x1|) (P |5|))))",
		"(assert (forall ((|-5| Int)) (=> (= |-5| -5) (P |-5|))))(assert (Q -1.5))":              "(assert (forall ((|-5| Int)) (=> (= |-5| (- 5)) (P |-5|))))(assert (Q (- 1.5)))",
	} {
		got, want := mustParse(t, head+text), mustParse(t, head+plain)
		if got.String() != want.String() {
			t.Errorf("%s is read as\n%s, not\n%s", text, got, want)
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if again := mustParse(t, got.String()); again.String() != got.String() {
			t.Errorf("%s is printed as\n%sand read as\n%s", text, got, again)
		}
	}
}

// TestBadInput: one message for each mistake, at its place.
func TestBadInput(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)\n"
	for text, want := range map[string]string{
		"(assert":                                     "1:1: error: parenthesis is never closed",
		"(psuh)":                                      "1:1: error: expected declare-fun or assert",
		"(check-sat)(check-sat)":                      "1:12: error: another question behind (check-sat ...) is not supported",
		"(check-sat)(assert true)":                    "1:12: error: a clause behind (check-sat ...) is not supported",
		"(declare-rel p ())(query p)(query p)":        "1:28: error: another question behind (query ...) is not supported",
		"(push)":                                      "1:2: error: push is not supported",
		"(check-sat-using horn)(check-sat)":           "1:23: error: another question behind (check-sat-using ...) is not supported",
		"(check-sat-assuming (p))":                    "1:1: error: check-sat-assuming is not supported",
		"(declare-heap H A r (r) ((A 0)))":            "1:2: error: declare-heap is not supported",
		"(declare-sort S 1)":                          "1:2: error: declare-sort is not supported",
		"(declare-sort Int 0)":                        "1:2: error: declare-sort is not supported",
		"(declare-const c Int)(declare-fun c () Int)": "1:35: error: \"c\" is declared twice",
		"(declare-const c Int)(assert (> c 0))":       "1:33: error: a clause with the unknown function \"c\" is not supported",
		"(declare-fun f (Int) Int)(assert (forall ((x Int)) (let ((y (f x))) (> y 0))))":                                           "1:62: error: a clause with the unknown function \"f\" is not supported",
		"(declare-datatypes ((T 0)) (((t) (t))))":                                                                                  `1:35: error: "t" is the name of two constructors or fields`,
		"(declare-datatypes ((T 0)) (((t) (u (f (Array T Int))))))":                                                                "1:40: error: an array whose index is a datatype with several constructors is not supported",
		"(declare-datatypes ((T 0)) (((t (f Int) (g (Array Int T))))))":                                                            "1:1: error: a datatype has no values: each of its constructors has a field of it",
		"(declare-datatypes ((T 1)) ((par (X) ((t (f X))))))(declare-fun P (T) Bool)":                                              "1:68: error: the sort T has 1 parameters, not 0",
		"(declare-datatypes ((T 1)) ((par (X) ((t (f X))))))(declare-fun P ((T)) Bool)":                                            "1:68: error: the sort T has 1 parameters, not 0",
		"(declare-datatypes ((T 1)) ((par (X) ((t (f X))))))(declare-fun P ((T Int Int)) Bool)":                                    "1:68: error: the sort T has 1 parameters, not 2",
		"(declare-datatypes ((T 2)) ((par (X) ((t (f X))))))":                                                                      "1:1: error: expected (declare-datatypes ((NAME ARITY) ...) ((par (PARAMETER ...) ((CONSTRUCTOR (FIELD SORT) ...) ...)) ...))",
		"(declare-datatypes ((T 1)) ((par (X) ((t (f (T (T X))))))))(declare-fun P ((T Int)) Bool)":                                "1:51: error: more than 500 nested sorts",
		"(declare-datatypes ((T 1)) ((par (X) ((n) (t (f X) (g (T X)))))))(declare-fun P ((T Int) (T Bool)) Bool)(assert (= n n))": "1:116: error: which T this is does not show, or another sort is wanted",
		"(declare-datatypes ((T 1)) ((par (X) ((n) (t (f X) (g (T X)))))))(declare-fun P ((T Int)) Bool)(assert (P 1))":            "1:107: error: expected a term of sort T<Int>, found one of sort Int",
		"(define-sort A (T) (Array T T))(declare-fun P ((A Int Int)) Bool)":                                                        "1:48: error: the sort A has 1 parameters, not 2",
		"(define-sort A () A)(declare-fun P (A) Bool)":                                                                             "1:19: error: more than 500 nested sorts",
		"(declare-datatype T ((n) (t (f T))))(assert (match n ((n true))))":                                                        "1:45: error: no pattern has the constructor t",
		"(declare-datatype T ((n) (t (f T))))(assert (match n ((n true) (n true) ((t x) true))))":                                  "1:65: error: expected (PATTERN TERM) for a constructor that no pattern before has",
		"(declare-datatype T ((n) (t (f T))))(assert (match n ((n true) ((t x y) true))))":                                         "1:65: error: t has 1 fields, not 2",
		"(declare-datatypes ((T 0)) ())":                                                                                           "1:1: error: expected (declare-datatypes ((NAME 0) ...) (((CONSTRUCTOR (FIELD SORT) ...) ...) ...))",
		"(declare-datatype T ((t (f Int))))(assert (t 1))":                                                                         "1:43: error: a value of a datatype stands where a formula or a number is expected",
		"(declare-datatype T ((t (f Int))))(assert (= 3 (+ (t 1) 2)))":                                                             "1:48: error: an argument of + is a value of T",
		"(declare-datatype T ((t (f Int))))(assert (f 1))":                                                                         "1:43: error: f is a field of T, and this is none",
		"(declare-datatype T ((t (f Int))))(assert (= (t 1 2) (t 1 2)))":                                                           "1:46: error: the constructor of T has 1 arguments, not 2",
		"(declare-heap H)":                                                    "1:2: error: declare-heap is not supported",
		"(define-fun f (Int) Int 3)":                                          "1:16: error: expected (NAME SORT)",
		"(define-fun f ((x Int)) Int (+ x y))":                                `1:34: error: unknown variable "y"`,
		"(define-fun f ((x Int)) Bool (+ x 1))":                               "1:30: error: expected a term of sort Bool, found one of sort Int",
		"(define-fun f ((x Int)) Int (f x))":                                  `1:29: error: unknown function "f"`,
		"(define-fun f () Int 3)(define-fun f () Int 3)":                      `1:36: error: "f" is defined`,
		head + "(define-fun P ((x Int)) Int 3)":                               `2:13: error: "P" is a predicate`,
		head + "(define-fun f ((x Int)) Bool (P x))":                          "2:30: error: a predicate may only stand alone, or below and, or, not, => and ite",
		head + "(define-fun f ((x Int)) Int x)(assert (P (f true)))":          "2:42: error: operand 1 of f is to be of sort Int, not Bool",
		head + "(assert (forall ((5 Int)) (P 5)))":                            "2:19: error: expected a name that has no meaning of its own",
		"(set-logic QF_LIA)":                                                  "1:12: error: the logic is to be HORN",
		"(declare-fun P (Integer) Bool)":                                      "1:17: error: unknown sort",
		"(declare-fun and () Bool)":                                           "1:14: error: expected a name that has no meaning of its own",
		head + "(declare-fun P () Bool)":                                      `2:14: error: "P" is a predicate`,
		head + "(assert (forall ((x Int)) (P x x)))":                          "2:27: error: P has 1 parameters, not 2",
		head + "(assert (forall ((x Bool)) (P x)))":                           "2:31: error: expected a term of sort Int, found one of sort Bool",
		head + "(assert (P x))":                                               `2:12: error: unknown variable "x"`,
		head + "(assert (or (P 1) (P 2)))":                                    "2:19: error: a Horn clause has one predicate as its conclusion",
		head + "(assert (=> (= (P 1) (P 2)) false))":                          "2:22: error: a Horn clause has one predicate as its conclusion",
		head + "(assert (=> (= (+ (P 1) 1) 2) false))":                        "2:16: error: a predicate may only stand alone, or below and, or, not, => and ite",
		head + "(assert (forall ((P Int)) (P P)))":                            `2:27: error: unknown function "P"`,
		head + "(assert (and" + strings.Repeat(" (or (P 1) (P 2))", 2) + "))": "2:24: error: a Horn clause has one predicate as its conclusion",
		head + "(query (and" + strings.Repeat(" (or (P 1) (P 2))", 12) + "))": "2:166: error: this becomes more than 1000 clauses",
		head + "(assert (forall ((x Int)(x Int)) (P x)))":                     `2:26: error: "x" is bound twice`,
		head + "(declare-var x Int)(declare-var x Int)":                       `2:33: error: "x" is declared twice`,
		head + "(declare-var x Integer)":                                      "2:16: error: unknown sort",
		head + "(declare-rel Q Int)":                                          "2:1: error: expected (declare-rel NAME (SORT ...))",
		head + "(declare-rel P (Int))":                                        `2:14: error: "P" is a predicate`,
		head + "(rule (P 1) a b)":                                             "2:1: error: expected (rule CLAUSE)",
		head + "(assert (=> (ite (P 1) (P 2) true) (P 3)))":                   "2:36: error: a Horn clause has one predicate as its conclusion",
		head + "(query (> (P 1) (P 2)))":                                      "2:8: error: a predicate may only stand alone, or below and, or, not, => and ite",
		head + "(assert (or (forall ((x Int)) (P x)) (< x 0)))":               `2:41: error: unknown variable "x"`,
		head + "(assert (=> (forall ((x Int)) (> (* 2 x) i)) (P 1)))":         `2:42: error: unknown variable "i"`,
		head + "(assert (=> (forall ((x Int)) (P x)) (P 1)))":                 "2:13: error: forall is not supported here: the variables of a clause are those of forall in what must hold, and of exists in a premise",
		head + "(assert (forall ((x Int)) " + strings.Repeat("(let ((x (* x x))) ", 40) + "(P x)" + strings.Repeat(")", 42): "2:207: error: the product is too large",
		head + "(assert (=> 3 (P 1)))": "2:13: error: expected a formula, found a term of sort Int",
		head + "(assert " + strings.Repeat("(not ", 2500) + "true" + strings.Repeat(")", 2501): "2:10014: error: more than 2000 nested terms",
	} {
		_, err := ParseText("a", text)
		if err == nil {
			t.Errorf("%.80s: accepted", text)
			continue
		}
		if got := strings.TrimPrefix(strings.Split(err.Error(), " (and ")[0], "a:"); got != want {
			t.Errorf("%.80s:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestCheck: a solution of the clauses is confirmed, others are refused with the clause.
func TestCheck(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	impossible := func(fs []*logic.Term) (int, error) { return z.Impossible(context.Background(), 0, fs) }
	p := mustParse(t, counter)
	for text, want := range map[string]string{
		"(<= n 10)":               "",
		"(and (>= n 0) (< n 11))": "",
		"true":                    "clause 2 is not confirmed (the solver says sat)",
		"(<= n 9)":                "clause step is not confirmed (the solver says sat)",
		"(>= n 1)":                "clause 0 is not confirmed (the solver says sat)",
	} {
		s, err := p.ParseSolutionText("s", "sat\n((define-fun |the counter| ((n Int) (m Real)) Bool "+text+")\n(define-fun done () Bool false))")
		if err != nil {
			t.Fatal(err)
		}
		switch err := p.Check(s, impossible); {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		var b strings.Builder
		if err := p.WriteSolution(&b, s); err != nil {
			t.Fatal(err)
		}
		if again, err := p.ParseSolutionText("s", b.String()); err != nil || again[0] != s[0] || again[1] != s[1] {
			t.Errorf("%s is read as %v, %v", b.String(), again, err)
		}
	}
	var wrong *Unproved
	if err := p.Check(Solution{logic.False(), logic.False()}, impossible); !errors.As(err, &wrong) || wrong.Clause != 0 || !strings.HasPrefix(wrong.Span.Text(), "(assert (forall ((x Int)) (=> (= x 0)") {
		t.Errorf("%+v", err)
	}
	// A variable of the clauses is no parameter: x <= 10 is to hold for all x, not of the clause's.
	x := logic.Var("x", logic.Int)
	if err := p.Check(Solution{logic.Le(x, logic.IntConst(10)), logic.False()}, impossible); !errors.As(err, &wrong) || wrong.Clause != 0 {
		t.Errorf("%v", err)
	}
	for _, s := range []Solution{{}, {x, logic.True()}} {
		if p.Check(s, impossible) == nil {
			t.Errorf("%v is a solution", s)
		}
	}
	for _, text := range []string{"", "(define-fun done () Bool false)", "((define-fun done () Bool 3) (define-fun |the counter| ((x Int) (y Real)) Bool true))", "(define-fun |the counter| ((x Int)) Bool true)", ")"} {
		if s, err := p.ParseSolutionText("s", text); err == nil {
			t.Errorf("%s: %v", text, s)
		}
	}
}

func TestValidate(t *testing.T) {
	x, xr := logic.Var("x", logic.Int), logic.Var("x", logic.Real)
	one := func() *Problem {
		return &Problem{Preds: []Pred{{Name: "P", Params: []*logic.Term{x}}}, Clauses: []Clause{{Constraint: logic.True(), Head: &App{Pred: 0, Args: []*logic.Term{x}}}}}
	}
	if err := one().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Problem){
		"declared twice":       func(p *Problem) { p.Preds = append(p.Preds, p.Preds[0]) },
		"parameter":            func(p *Problem) { p.Preds[0].Params = []*logic.Term{x, xr} },
		"not a formula":        func(p *Problem) { p.Clauses[0].Constraint = x },
		"no predicate 3":       func(p *Problem) { p.Clauses[0].Head.Pred = 3 },
		"has 1 parameters":     func(p *Problem) { p.Clauses[0].Head.Args = nil },
		"has sort Int":         func(p *Problem) { p.Clauses[0].Head.Args[0] = logic.RealConst(1, 2) },
		"the name of another":  func(p *Problem) { p.Clauses[0].Constraint = logic.Eq(xr, logic.RealConst(1, 2)) },
		"no text can have the": func(p *Problem) { p.Clauses[0].Name = "a|b" },
		"has a name that no":   func(p *Problem) { p.Preds[0].Name = "forall" },
	} {
		p := one()
		change(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(counter)
	f.Add("(declare-fun P (Int (Array Int Bool) (_ BitVec 8)) Bool)(assert (forall ((a Int)(b (Array Int Bool))(|c d| (_ BitVec 8))) (=> (P a b |c d|) (and) (not (select b a)) (P (+ a 1) (store b a true) (bvadd |c d| #x01)))))")
	f.Add("(declare-fun P (Int) Bool)(define-fun f ((x Int)) Int (+ x 1))(define-fun c () Int -5)(assert (forall ((|5| Int)(P Int)) (= P (f |5|))))(assert (=> (or (P c) (ite (= 1 c) (P 1) (P (f 2)))) (and (P 3) (not (P 4)))))")
	f.Add("(declare-datatypes ((Pair 2) (Opt 1)) ((par (A B) ((mk (first A) (second B)))) (par (T) ((none) (some (val T))))))(define-sort L (X) (List (Pair X Int)))(declare-fun P ((L Bool) (Opt Int)) Bool)" +
		"(declare-datatypes (T) ((Rose bud (rose (at T) (kids (List Rose))))))(assert (forall ((l (L Bool)) (o (Opt Int)) (r (Rose Int))) (=> (and (P l (some (at r))) (match o ((none true) ((some x) (> x 1)))) (is-some o)) (P (insert (mk true 1) (as nil (L Bool))) none))))")
	f.Add("(declare-fun Q ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (Q a) (or (forall ((i Int)) (= (select a i) (select b i))) (exists ((k Int)) (> k 0)))) (Q b))))")
	f.Add("(declare-datatypes ((U 0) (T 0)) (((u)) ((t (f Int) (g (Array U (Array Int T2)))))))(declare-datatype T2 ((c (h Bool))))(declare-fun P (T U) Bool)(declare-var x T)(assert (forall ((y T)) (=> (and (P y u) ((_ is t) y) (= y x) (distinct u u)) (let ((z (ite (h (select (select (g y) u) 3)) y (t 1 (g x))))) (P z (let ((w u)) w))))))(define-fun q ((a T)) Bool (= (f a) 1))(query P)")
	f.Add("(declare-fun P () Bool)(assert (let ((x true)) (=> (! P :named q) x (not P))))")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseText("a", text)
		if err != nil {
			if l, ok := err.(source.List); !ok || len(l) == 0 {
				t.Errorf("not a list of diagnostics: %v", err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		var b strings.Builder
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ParseText("b", b.String())
		if err != nil {
			t.Fatalf("%s\nis printed as\n%s\nwhich is refused: %v", text, b.String(), err)
		}
		if again.String() != p.String() {
			t.Errorf("%s\nis printed as\n%s\nand then as\n%s", text, p, again)
		}
	})
}

func FuzzParseSolution(f *testing.F) {
	p := mustParse(f, counter)
	f.Add("sat (model (define-fun done () Bool false) (define-fun |the counter| ((x Int) (y Real)) Bool (let ((a (<= x 10))) a)))")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := p.ParseSolutionText("a", text)
		if err != nil {
			return
		}
		var b strings.Builder
		if err := p.WriteSolution(&b, s); err != nil {
			t.Fatal(err)
		}
		if again, err := p.ParseSolutionText("b", b.String()); err != nil || again[0] != s[0] || again[1] != s[1] {
			t.Errorf("%s is printed as %s, which is read as %v, %v", text, b.String(), again, err)
		}
	})
}

// TestManyConstraints: clauses with many constraints, as compilers write them, are read in linear time, and what
// one way of a clause has is not in the others. (It took minutes to join them one by one.)
func TestManyConstraints(t *testing.T) {
	const n = 60_000
	var b strings.Builder
	b.WriteString("(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (and (P x)")
	for i := range n {
		fmt.Fprintf(&b, " (distinct x %d)", i)
	}
	b.WriteString(") false)))\n")
	p := mustParse(t, b.String())
	if got := len(p.Clauses[0].Constraint.Args()); got != n {
		t.Errorf("%d constraints", got)
	}
	p = mustParse(t, `(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (and (< x 9) (P x) (or (and (P 1) (< x 1)) (and (P 2) (< x 2)) (P 3)) (< x 7)) (P 0))))`)
	want := []string{"x <= 0 && x <= 6 && x <= 8", "x <= 1 && x <= 6 && x <= 8", "x <= 6 && x <= 8"}
	for i, c := range p.Clauses {
		if c.Constraint.String() != want[i] || len(c.Body) != 2 || c.Body[1].Args[0] != logic.IntConst(int64(i+1)) {
			t.Errorf("clause %d: %v, %v", i, c.Body, c.Constraint)
		}
	}
}

// TestScript: what solvers are given of a text is read as the text is; with commands that mean something else it
// is what String says.
func TestScript(t *testing.T) {
	files, err := filepath.Glob("../specs/clp/*.smt2")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	kept := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := mustParse(t, string(text))
		if p.Script() != p.String() {
			kept++
		}
		again, err := ParseText(file, "(set-logic HORN)\n"+p.Script()+"(check-sat)\n")
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: %v, %s", file, err, p.Script())
		}
	}
	if kept == 0 {
		t.Error("no text is kept")
	}
	for _, text := range []string{
		"(declare-rel P (Int))(declare-var x Int)(rule (=> (= x 1) (P x)))(query P)",
		"(declare-datatypes ((R 0)) (((r (f Int)))))(declare-fun P (R) Bool)(assert (forall ((x R)) (P x)))",
		"(define-sort I () Int)(declare-fun P (I) Bool)(assert (P 1))",
	} {
		if p := mustParse(t, text); p.Script() != p.String() {
			t.Errorf("%s: %s", text, p.Script())
		}
	}
}
