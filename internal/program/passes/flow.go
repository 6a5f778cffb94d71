package passes

import (
	"maps"
	"slices"

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
	seen := make([]bool, len(f.out))
	var order []int
	type visit struct{ location, next int }
	for l := range f.init {
		if !f.init[l] || seen[l] {
			continue
		}
		seen[l] = true
		for stack := []visit{{l, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(f.out[top.location]) {
				order = append(order, top.location)
				stack = stack[:len(stack)-1]
				continue
			}
			to := f.sys.Edges[f.out[top.location][top.next]].To
			top.next++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, visit{to, 0})
			}
		}
	}
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
