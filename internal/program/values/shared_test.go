package values

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/logic"
)

// TestSharedParts: a formula whose parts occur twice each, 100 deep, is looked at part by part.
func TestSharedParts(t *testing.T) {
	const deep = 100
	x := logic.Var("x", logic.Int)
	c := compiler{nodes: map[*logic.Term]*node{}, slots: map[*logic.Term]int32{x: 0}}
	e := &env{kinds: []kind{integer}, slots: []value{{sym: 1}}, since: make([]uint64, 2*deep+1), stamp: 1}
	add := func(name string) *logic.Term {
		v := logic.Var(name, logic.Bool)
		c.slots[v] = int32(len(e.slots))
		e.slots, e.kinds = append(e.slots, value{sym: int32(len(e.slots)) + 1}), append(e.kinds, kindOf(logic.Bool))
		return v
	}
	f := logic.And(logic.Le(logic.IntConst(3), x), logic.Le(x, logic.IntConst(5)))
	for k := range deep {
		f = logic.Or(logic.And(f, add(fmt.Sprint("p", k))), logic.And(f, add(fmt.Sprint("q", k))))
	}
	n := c.compile(f)
	if d := e.domain(n, true, 0); d.signed != (span{3, 5}) {
		t.Errorf("%v of %v", d, x)
	}
	e.stamp++
	if d := e.domain(n, false, 0); d.signed != everySpan {
		t.Errorf("%v where it does not hold", d)
	}
	if d := e.domain(n, true, 1); d.signed == (span{3, 5}) {
		t.Errorf("%v of p0", d)
	}
	if w := (&ways{env: e, vars: 0}); !w.free(n) {
		t.Error("all are inputs without a number")
	}
	if w := (&ways{env: e, vars: 1}); w.free(n) {
		t.Error("x is a variable without a number")
	}
}
