package lks

import (
	"fmt"
	"slices"
)

// With adds observers: components that move along with every rule whose action
// is in their alphabet, and never prevent it; where an observer has no
// transition for the action it stays where it is. They see the actions as they
// are now: With before Hide sees what is hidden. Actions that only an observer
// has do not occur. The error is *PropClash, or says that an observer has tau
// transitions. A network with observers cannot be composed further.
func (n *Network) With(observers ...*LKS) (*Network, error) {
	c := n.clone()
	c.rules = slices.Clone(n.rules)
	c.components, c.names = slices.Clip(n.components), slices.Clip(n.names)
	c.observer, c.props = slices.Clip(n.observer), slices.Clone(n.props)
	for _, o := range observers {
		if slices.ContainsFunc(o.edges, func(e Edge) bool { return e.Action == TauID }) {
			return nil, fmt.Errorf("observer %s has silent transitions", o.Name())
		}
		o = o.withSelfLoops()
		id := int32(len(c.components))
		c.components = append(c.components, o)
		c.names = append(c.names, o.Name())
		c.observer = append(c.observer, true)
		for p, name := range o.Props() {
			c.props = append(c.props, netProp{name, id, int32(p)})
		}
		for i, r := range c.rules {
			if r.Action == TauID {
				continue
			}
			if a := o.Action(n.alphabet[r.Action]); a >= 0 {
				c.rules[i].Parts = append(slices.Clip(r.Parts), Part{id, a})
			}
		}
	}
	if err := c.sortProps(); err != nil {
		return nil, err
	}
	return c, nil
}

// withSelfLoops returns m with a self-loop wherever a Normal or End state has no
// transition for an action of the alphabet.
func (m *LKS) withSelfLoops() *LKS {
	c := *m
	c.first = make([]int32, len(m.first))
	c.edges = nil
	for s := range int32(m.NumStates()) {
		edges := m.Edges(s)
		for a := int32(1); int(a) < len(m.alphabet); a++ {
			from := len(c.edges)
			for len(edges) > 0 && edges[0].Action == a {
				c.edges = append(c.edges, edges[0])
				edges = edges[1:]
			}
			if len(c.edges) == from && m.Kind(s) != Error {
				c.edges = append(c.edges, Edge{a, s})
			}
		}
		c.first[s+1] = int32(len(c.edges))
	}
	return &c
}
