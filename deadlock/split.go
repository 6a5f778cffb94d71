package deadlock

import (
	"fmt"
	"slices"

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
	bySuccessors = -1 // Split of thesis 9.4.1
	byOffer      = -2
)

// split replaces class c.class of p by its pieces, judged by the classes in old
// (the partition before the round, so that several cuts do not disturb each
// other). The piece with the first member keeps the number, the others are
// appended. It returns the number of pieces: a proper refinement has at least
// two. Time O(members · transitions).
func (p *partition) split(m *lks.LKS, old *partition, c cut) int {
	pieces := map[string]int32{}
	var classes [][]int32
	var key []byte
	for _, s := range old.classes[c.class] {
		key = c.signature(key[:0], m, old, s)
		i, ok := pieces[string(key)]
		if !ok {
			i = int32(len(classes))
			pieces[string(key)] = i
			classes = append(classes, nil)
		}
		classes[i] = append(classes[i], s)
	}
	p.classes[c.class] = classes[0]
	for _, members := range classes[1:] {
		for _, s := range members {
			p.classOf[s] = int32(len(p.classes))
		}
		p.classes = append(p.classes, members)
	}
	return len(classes)
}

// signature appends what tells the pieces apart: for each action the classes
// reached (the abstract successors, Def. 30), or one bit.
func (c *cut) signature(key []byte, m *lks.LKS, p *partition, s int32) []byte {
	switch c.target {
	case byOffer:
		if len(m.Succ(s, c.actions[0])) > 0 {
			return append(key, 1)
		}
		return append(key, 0)
	case bySuccessors:
		var reached []int32
		for _, a := range c.actions {
			reached = reached[:0]
			for _, e := range m.Succ(s, a) {
				reached = append(reached, p.classOf[e.Target])
			}
			slices.Sort(reached)
			key = fmt.Append(key, slices.Compact(reached), ";")
		}
		return key
	}
	for _, e := range m.Succ(s, c.actions[0]) {
		if p.classOf[e.Target] == c.target {
			return append(key, 1)
		}
	}
	return append(key, 0)
}
