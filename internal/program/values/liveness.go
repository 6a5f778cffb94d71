package values

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// liveness tells, by location and variable, whether the value may matter: to a guard, an
// error region, or a variable that matters later.
func liveness(blocks *program.Blocks) [][]bool {
	sys := blocks.System
	index := map[*logic.Term]int{}
	for i, v := range sys.Vars {
		index[v] = i
	}
	live := make([][]bool, len(sys.Locations))
	for l := range live {
		live[l] = make([]bool, len(sys.Vars))
	}
	type item struct{ location, variable int }
	var work []item
	mark := func(l int, t *logic.Term) {
		for _, x := range logic.Vars(t) {
			if v, ok := index[x]; ok && !live[l][v] {
				live[l][v] = true
				work = append(work, item{l, v})
			}
		}
	}
	for l, where := range blocks.Error {
		mark(l, where)
	}
	for _, e := range blocks.All {
		mark(e.From, e.Command.Guard)
	}
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range blocks.In[it.location] {
			e := blocks.All[i]
			x := sys.Vars[it.variable]
			if t := e.Command.Update[x]; t != nil {
				x = t
			}
			mark(e.From, x)
		}
	}
	return live
}

// Inner reports that a variable does not matter between blocks: its values are used up in
// the block that assigns them.
func (a *Analysis) Inner(v int) bool {
	return !slices.ContainsFunc(a.blocks.All, func(b program.Block) bool { return a.live[b.From][v] || a.live[b.To][v] })
}
