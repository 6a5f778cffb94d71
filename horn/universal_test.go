package horn_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/horn"
)

// refuting is a question to z3, which is given no quantifier.
func refuting(t *testing.T) Impossible {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return func(fs []*logic.Term) (int, error) { return z.Impossible(context.Background(), 0, fs) }
}

const filling = `(set-logic HORN)
(declare-fun L (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (L 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (L i n a) (< i n)) (L (+ i 1) n (store a i 7)))))
(assert (forall ((i Int) (n Int) (k Int) (a (Array Int Int))) (=> (and (L i n a) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 7))) false)))
`

// TestUniversal reads, checks and writes solutions with quantifiers.
func TestUniversal(t *testing.T) {
	impossible := refuting(t)
	p := mustParse(t, filling)
	head := "(define-fun L ((i Int) (n Int) (a (Array Int Int))) Bool "
	for text, want := range map[string]string{
		"(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 7)))":                                                               "",
		"(and (<= 0 i) (forall ((k Int)) (or (< k 0) (>= k i) (= (select a k) 7))))":                                                      "",
		"(let ((x (forall ((k Int)) (! (or (< k 0) (>= k i) (= (select a k) 7)) :weight 0)))) (let ((y x)) (and y (<= 0 i))))":            "",
		"(forall ((k Int)) (or (< k 0) (forall ((j Int)) (or (not (= j k)) (>= k i) (= (select a j) 7)))))":                               "",
		"(forall ((k Int)) (or (< (+ k 3) 0) (>= (+ k 3) i) (= (select a (+ k 3)) 7)))":                                                   "",
		"(and (forall ((k Int)) (or (< k 0) (>= k i) (<= (select a k) 7))) (forall ((k Int)) (or (< k 0) (>= k i) (>= (select a k) 7))))": "",
		"(forall ((k Int)) (=> (and (<= 0 k) (<= k i)) (= (select a k) 7)))":                                                              "clause 0",
		"(forall ((k Int)) (=> (and (<= 1 k) (< k i)) (= (select a k) 7)))":                                                               "clause 2",
		"(forall ((k Int)) (=> (< k i) (= (select a k) 7)))":                                                                              "clause 0",
		"(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 8)))":                                                               "clause 1",
		"(forall ((k Int)) true)":                                  "clause 2",
		"(forall ((k Int)) false)":                                 "clause 0",
		"(not (forall ((k Int)) (= (select a k) 7)))":              "quantifier",
		"(=> (forall ((k Int)) (= (select a k) 7)) (<= 0 i))":      "quantifier",
		"(exists ((k Int)) (= (select a k) 7))":                    "quantifier",
		"(forall ((k Nothing)) (= (select a 0) 7))":                "",
		"(forall (k) (= (select a 0) 7))":                          "quantifier",
		"(and (forall ((k Int)) (= (select a k) 7)) (select a 0))": "formula",
	} {
		_, s, err := p.ParseCertificate("s", head+text+")")
		if err == nil {
			err = p.Check(s, impossible)
		} else if want == "" && strings.Contains(text, "Nothing") {
			continue
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if want != "" {
			continue
		}
		var b strings.Builder
		if err := p.WriteSolution(&b, s); err != nil {
			t.Fatal(err)
		}
		if _, again, err := p.ParseCertificate("s", b.String()); err != nil || p.Check(again, impossible) != nil {
			t.Errorf("%s is read as %v, %v", b.String(), again, err)
		}
		if _, err := p.SolutionOf(nil); err == nil {
			t.Error("a solution without predicates is one")
		}
	}
}

// TestUniversalNames: a variable of a clause that is called as a universal one is another one.
func TestUniversalNames(t *testing.T) {
	impossible := refuting(t)
	p := mustParse(t, `(set-logic HORN)
(declare-fun P (Int (Array Int Int)) Bool)
(assert (forall ((k Int) (a (Array Int Int))) (=> (= (select a k) 1) (P k a))))
(assert (forall ((k Int) (j Int) (a (Array Int Int))) (=> (and (P k a) (not (= (select a j) (select a k)))) false)))
`)
	k, x, a := logic.Var("k", logic.Int), p.Preds[0].Params[0], p.Preds[0].Params[1]
	// for all k: a[k] = 1, which the first clause does not give; and for all k: k = x or true, which does not exclude the second.
	for _, f := range []*logic.Term{logic.Eq(logic.Select(a, k), logic.IntConst(1)), logic.Or(logic.Eq(k, x), logic.Ge(logic.Select(a, k), logic.Select(a, k)))} {
		if err := p.Check(Solution{f}, impossible); err == nil {
			t.Errorf("%s is a solution", f)
		}
	}
}

const fillingWords = `(set-logic HORN)
(declare-fun L ((_ BitVec 8) (_ BitVec 8) (Array (_ BitVec 8) (_ BitVec 8))) Bool)
(assert (forall ((n (_ BitVec 8)) (a (Array (_ BitVec 8) (_ BitVec 8)))) (L #x00 n a)))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8)) (a (Array (_ BitVec 8) (_ BitVec 8)))) (=> (and (L i n a) (bvult i n)) (L (bvadd i #x01) n (store a i #x07)))))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8)) (k (_ BitVec 8)) (a (Array (_ BitVec 8) (_ BitVec 8)))) (=> (and (L i n a) (bvuge i n) (bvult k n) (not (= (select a k) #x07))) false)))
`

// TestUniversalWords: indices that are sums of words, as solutions over integers have them that are read as words, have the
// instances that they need; nothing else is accepted.
func TestUniversalWords(t *testing.T) {
	impossible := refuting(t)
	p := mustParse(t, fillingWords)
	head := "(define-fun L ((i (_ BitVec 8)) (n (_ BitVec 8)) (a (Array (_ BitVec 8) (_ BitVec 8)))) Bool (forall ((k (_ BitVec 8))) "
	const moved, wide = "(bvadd k #x08)", "((_ extract 7 0) (bvadd #b0000001000 ((_ sign_extend 2) k)))"
	for text, want := range map[string]string{
		"(=> (bvult k i) (= (select a k) #x07))":                                                          "",
		"(=> (bvult " + moved + " i) (= (select a " + moved + ") #x07))":                                  "",
		"(=> (bvult " + wide + " i) (= (select a " + wide + ") #x07))":                                    "",
		"(=> (bvult " + moved + " i) (= (select a (bvadd #x08 k)) #x07))":                                 "",
		"(=> (bvule " + wide + " i) (= (select a " + wide + ") #x07))":                                    "clause 0",
		"(=> (bvult " + moved + " i) (= (select a k) #x07))":                                              "clause",
		"(=> (bvult " + wide + " i) (= (select a " + wide + ") #x08))":                                    "clause 1",
		"(=> (and (bvult #x00 " + moved + ") (bvult " + moved + " i)) (= (select a " + moved + ") #x07))": "clause 2",
	} {
		_, s, err := p.ParseCertificate("s", head+text+"))")
		if err == nil {
			err = p.Check(s, impossible)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
