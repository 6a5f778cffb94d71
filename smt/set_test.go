package smt

import (
	"testing"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// TestSets: arrays of Booleans are read as Z3 writes them, and what cannot be read is an error.
func TestSets(t *testing.T) {
	ints, bits := logic.ArrayOf(logic.Int, logic.Bool), logic.ArrayOf(logic.BitVec(1), logic.Bool)
	for _, c := range []struct {
		text string
		sort *logic.Sort
		want string
	}{
		{"(lambda ((x!1 Int)) (= x!1 2))", ints, "{2: true, else: false}"},
		{"(lambda ((x!1 Int)) (or (= x!1 2) (= x!1 (- 3))))", ints, "{-3: true, 2: true, else: false}"},
		{"(lambda ((x!1 Int)) (not (= 0 x!1)))", ints, "{0: false, else: true}"},
		{"(lambda ((x!1 Int)) (ite (= x!1 1) true (and (not (= x!1 2)) true)))", ints, "{2: false, else: true}"},
		{"(lambda ((x!1 Int)) false)", ints, "{else: false}"},
		{"(lambda ((x!1 (_ BitVec 1))) (= x!1 #b1))", bits, "{1: true, else: false}"},
		{"(lambda ((x!1 Int)) (< x!1 2))", ints, ""},
		{"(lambda ((x!1 Int)) (= (+ x!1 1) 2))", ints, ""},
		{"(lambda ((x!1 Int)) (= x!1 (div 1 0)))", ints, ""},
		{"(lambda ((x!1 Int) (y Int)) true)", ints, ""},
		{"(lambda x!1 true)", ints, ""},
		{"(lambda)", ints, ""},
		{"(lambda ((x!1 Int)) true)", logic.Int, ""},
	} {
		nodes, err := sexp.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := valueOf(nodes[0], c.sort)
		got := ""
		if err == nil {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}
