package deadlock

import (
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// cut is the thesis's Split ([Chaki05], 9.4.1) of a class of a component's partition: it separates members
// that differ in the classes that they reach by some of the actions.
type cut struct {
	component int32
	class     int32
	actions   []int32 // local actions, sorted, at least one
}

// split splits class c.class of p by what its members do, judged by the classes in
// old (the partition before the round, so that several cuts do not disturb each
// other). It returns the number of pieces: a proper refinement has at least two. Time
// O(members · transitions).
func (c *cut) split(p, old *partition.Partition, m *lks.LKS) int {
	return p.Split(c.class, func(key []byte, s int32) []byte { return c.successors(key, m, old, s) })
}

// successors appends, for each action of the cut that s offers, the action and the
// classes reached (the abstract successors, Def. 30). Time O(edges of s + actions), but for sorting.
func (c *cut) successors(key []byte, m *lks.LKS, p *partition.Partition, s int32) []byte {
	var reached []int32
	edges, actions := m.Edges(s), c.actions
	for len(edges) > 0 && len(actions) > 0 {
		a := edges[0].Action
		if a > actions[0] {
			actions = actions[1:]
			continue
		}
		reached = reached[:0]
		for len(edges) > 0 && edges[0].Action == a {
			reached = append(reached, p.Class[edges[0].Target])
			edges = edges[1:]
		}
		if a < actions[0] {
			continue
		}
		slices.Sort(reached)
		key = binary.AppendUvarint(key, uint64(a)+1)
		for _, k := range slices.Compact(reached) {
			key = binary.AppendUvarint(key, uint64(k)+1)
		}
		key = append(key, 0)
	}
	return key
}
