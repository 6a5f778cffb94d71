package reader_test

import (
	"testing"

	. "github.com/seltl/seltl/program/reader"
)

func TestLooksLike(t *testing.T) {
	const rule = "r(p(init,X,Y), p(a,X1,Y), {X1=X+1}, 1).\n"
	const clause = "(declare-fun P (Int Int Int) Bool)(assert (P 1 2 3))"
	for text, vars := range map[string]int{"% c\n:- multifile s/5.\n" + rule: 2, rule: 2, "var x: int;\nlocations a;\ninit a;": 1,
		clause: 3, "; c\n\n" + clause: 3} {
		sys, err := ParseText("<stdin>", text)
		if err != nil || vars != len(sys.Vars) {
			t.Errorf("%q: %+v, %v", text, sys, err)
		}
	}
	if _, err := ParseText("a.gcl", clause); err == nil {
		t.Error("clauses are read as .gcl")
	}
	if sys, err := ParseText("a.smt2", clause); err != nil || len(sys.Vars) != 3 {
		t.Errorf("%+v, %v", sys, err)
	}
}
