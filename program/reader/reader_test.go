package reader_test

import (
	"testing"

	. "github.com/seltl/seltl/program/reader"
)

func TestLooksLikeProlog(t *testing.T) {
	const rule = "r(p(init,X,Y), p(a,X1,Y), {X1=X+1}, 1).\n"
	for text, prolog := range map[string]bool{"% c\n:- multifile s/5.\n" + rule: true, rule: true, "var x: int;\nlocations a;\ninit a;": false} {
		sys, err := ParseText("<stdin>", text)
		if err != nil || prolog != (len(sys.Vars) == 2) {
			t.Errorf("%q: %+v, %v", text, sys, err)
		}
	}
}
