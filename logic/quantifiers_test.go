package logic_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"

	. "github.com/seltl/seltl/logic"
)

// TestQuantifiers: what is read of formulas with quantifiers, and that variables are those of the innermost one.
func TestQuantifiers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(forall ((x Int)) true)", "true"},
		{"(exists ((x Int)) (and (< i0 x) (< x i1)))", "i0 + 2 <= i1"},
		{"(exists ((x Int)) (and (= x i0) (exists ((x Int)) (and (= x 3) (< x i1))) (< x 7)))", "i0 <= 6 && i1 >= 4"},
		{"(forall ((b0 Bool)) (or b0 (< i0 0)))", "i0 <= -1"},
		{"(exists ((a (Array Int Int))) (and (= a (store a0 0 1)) (= (select a 0) i0)))", "i0 == 1"},
		{"(exists ((x Int)) (= (* 2 x) i0))", "mod(i0, 2) == 0"},
		{"((_ divisible 3) i0)", "mod(i0, 3) == 0"},
		{"(let ((y i0)) (exists ((y Int)) (< y i1)))", "true"},
	} {
		f, err := Parse(source.NewFile("t", c.text), SMTLIB, scopeOfAll())
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if want := parse(t, c.want); f != want {
			t.Errorf("%s: got %v, want %v", c.text, f, want)
		}
	}
	for _, text := range []string{"(exists ((x Int)) (= (* x x) i0))", "(exists ((a (Array Int Int))) (= (select a 0) 1))", "(exists ((x Int)) x)", "(exists (x) true)", "(exists ((x Frob)) true)", "(forall true)"} {
		if f, err := Parse(source.NewFile("t", text), SMTLIB, scopeOfAll()); err == nil {
			t.Errorf("%s: accepted: %v", text, f)
		}
	}
	deep := strings.Repeat("(exists ((x Int)) (or (< x 0) ", 300) + "true" + strings.Repeat("))", 300)
	if _, err := Parse(source.NewFile("t", deep), SMTLIB, scopeOfAll()); err != nil {
		t.Error(err)
	}
}
