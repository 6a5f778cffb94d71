package deadlock

import (
	"slices"

	"github.com/seltl/seltl/lks"
)

// partition is an equivalence relation over the states of a component that the
// component can reach on its own; other states have class -1. Classes are not
// empty, sorted, and no class mixes kinds.
type partition struct {
	classOf []int32
	classes [][]int32
}

// newPartition returns the coarsest partition of m.
func newPartition(m *lks.LKS) *partition {
	p := &partition{classOf: make([]int32, m.NumStates())}
	reached := reachable(m)
	var byKind [3]int32
	for i := range byKind {
		byKind[i] = -1
	}
	for s := range p.classOf {
		if !reached[s] {
			p.classOf[s] = -1
			continue
		}
		k := m.Kind(int32(s))
		if byKind[k] < 0 {
			byKind[k] = int32(len(p.classes))
			p.classes = append(p.classes, nil)
		}
		p.classOf[s] = byKind[k]
		p.classes[byKind[k]] = append(p.classes[byKind[k]], int32(s))
	}
	return p
}

// identity returns the finest partition of the same states.
func (p *partition) identity() *partition {
	q := &partition{classOf: make([]int32, len(p.classOf))}
	for s, k := range p.classOf {
		if k < 0 {
			q.classOf[s] = -1
			continue
		}
		q.classOf[s] = int32(len(q.classes))
		q.classes = append(q.classes, []int32{int32(s)})
	}
	return q
}

// states returns the number of states partitioned.
func (p *partition) states() int {
	n := 0
	for _, c := range p.classes {
		n += len(c)
	}
	return n
}

// clone returns a copy whose classOf and list of classes can be changed; the
// classes themselves are shared and must be replaced, not changed.
func (p *partition) clone() *partition {
	return &partition{classOf: slices.Clone(p.classOf), classes: slices.Clone(p.classes)}
}

// reachable marks the states of m that its own transitions reach.
func reachable(m *lks.LKS) []bool {
	seen := make([]bool, m.NumStates())
	todo := slices.Clone(m.Initial())
	for _, s := range todo {
		seen[s] = true
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range m.Edges(s) {
			if !seen[e.Target] {
				seen[e.Target] = true
				todo = append(todo, e.Target)
			}
		}
	}
	return seen
}
