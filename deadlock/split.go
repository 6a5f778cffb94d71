package deadlock

import (
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// cut says how to take a class of a component's partition apart.
type cut struct {
	component int32
	class     int32
	actions   []int32 // local actions, sorted, at least one
	// target is -1 for the thesis's Split, which separates members that differ in
	// the classes that they reach by some of the actions; -2 separates those that
	// offer the first action from those that refuse it; otherwise those that reach
	// class target by it are separated from the others.
	target int32
}

const (
	bySuccessors = -1 // Split of [Chaki05], 9.4.1
	byOffer      = -2
)

// split splits class c.class of p by what its members do, judged by the classes in
// old (the partition before the round, so that several cuts do not disturb each
// other). It returns the number of pieces: a proper refinement has at least two. Time
// O(members · transitions).
func (c *cut) split(p, old *partition.Partition, m *lks.LKS) int {
	return p.Split(c.class, func(key []byte, s int32) []byte { return c.signature(key, m, old, s) })
}

// signature appends what tells the pieces apart: for each action the classes
// reached (the abstract successors, Def. 30), or one bit.
func (c *cut) signature(key []byte, m *lks.LKS, p *partition.Partition, s int32) []byte {
	switch c.target {
	case byOffer:
		if len(m.Succ(s, c.actions[0])) > 0 {
			return append(key, 1)
		}
		return append(key, 0)
	case bySuccessors:
		return c.successors(key, m, p, s)
	}
	for _, e := range m.Succ(s, c.actions[0]) {
		if p.Class[e.Target] == c.target {
			return append(key, 1)
		}
	}
	return append(key, 0)
}

// successors appends, for each action of the cut that s offers, the action and the
// classes reached. Time O(edges of s + actions), but for sorting.
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
