package values

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// related returns, by variable, a number that variables have in common whose differences
// may matter: one is assigned to the other, plus something, or compared with it.
func related(blocks *program.Blocks) []int {
	index, class := map[*logic.Term]int{}, make([]int, len(blocks.System.Vars))
	for i, v := range blocks.System.Vars {
		index[v], class[i] = i, i
	}
	find := func(v int) int {
		for class[v] != v {
			class[v] = class[class[v]]
			v = class[v]
		}
		return v
	}
	join := func(ts ...*logic.Term) {
		first := -1
		for _, x := range summands(nil, ts...) {
			if v, ok := index[x]; ok && first < 0 {
				first = v
			} else if ok {
				class[find(v)] = find(first)
			}
		}
	}
	for _, b := range blocks.All {
		for _, atom := range logic.Atoms(b.Command.Guard) {
			join(atom.Args()...)
		}
		for x, t := range b.Command.Update {
			join(x, t)
		}
	}
	for v := range class {
		class[v] = find(v)
	}
	return class
}

// summands collects the variables that some terms are sums of.
func summands(to []*logic.Term, ts ...*logic.Term) []*logic.Term {
	for _, t := range ts {
		switch t.Op() {
		case logic.OpVar:
			if t.Sort() != logic.Bool {
				to = append(to, t)
			}
		case logic.OpAdd, logic.OpMul, logic.OpBVAdd, logic.OpBVNeg, logic.OpBVMul, logic.OpSignExtend, logic.OpZeroExtend:
			to = summands(to, t.Args()...)
		case logic.OpIte:
			to = summands(to, t.Args()[1:]...)
		}
	}
	return to
}
