package passes

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// flow is the graph of a system.
type flow struct {
	sys     *program.System
	out, in [][]int             // edges by location
	init    []bool              // by location
	bad     []bool              // by location
	index   map[*logic.Term]int // of variables
}

func newFlow(sys *program.System) *flow {
	n := len(sys.Locations)
	f := &flow{sys: sys, out: make([][]int, n), in: make([][]int, n), init: make([]bool, n), bad: make([]bool, n), index: map[*logic.Term]int{}}
	for i, e := range sys.Edges {
		f.out[e.From], f.in[e.To] = append(f.out[e.From], i), append(f.in[e.To], i)
	}
	for _, r := range sys.Init {
		f.init[r.Location] = true
	}
	for _, r := range sys.Error {
		f.bad[r.Location] = true
	}
	for i, v := range sys.Vars {
		f.index[v] = i
	}
	return f
}

// order are the locations that edges lead to from initial ones, each one before those that
// it leads to unless that closes a loop.
func (f *flow) order() []int {
	var roots, order []int
	for l, is := range f.init {
		if is {
			roots = append(roots, l)
		}
	}
	scc.DepthFirst(len(f.out), roots, scc.Along(f.out, func(e int) int { return f.sys.Edges[e].To }), func(l int) { order = append(order, l) }, nil)
	slices.Reverse(order)
	return order
}

// assigned are the variables that a command assigns to, in a fixed order.
func assigned(c *program.Command) []*logic.Term {
	return slices.SortedFunc(maps.Keys(c.Update), (*logic.Term).Compare)
}

// plain reports a variable of a sort with numbers or truth values.
func plain(v *logic.Term) bool {
	return v.Sort() == logic.Bool || v.Sort().Arithmetic() || v.Sort().Kind() == logic.BitVecKind
}

// constant reports a number or a truth value.
func constant(t *logic.Term) bool { return t.Op() == logic.OpNumber || t.IsTrue() || t.IsFalse() }

// bindings are the variables that a formula gives one value.
func bindings(f *logic.Term) map[*logic.Term]*logic.Term {
	out := map[*logic.Term]*logic.Term{}
	for _, p := range logic.Conjuncts(f) {
		switch p.Op() {
		case logic.OpVar:
			out[p] = logic.True()
		case logic.OpNot:
			if v := p.Args()[0]; v.Op() == logic.OpVar {
				out[v] = logic.False()
			}
		case logic.OpEq:
			x, y := p.Args()[0], p.Args()[1]
			if constant(x) {
				x, y = y, x
			}
			if x.Op() == logic.OpVar && constant(y) {
				out[x] = y
			}
		}
	}
	return out
}
