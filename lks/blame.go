package lks

import "slices"

// blameProp marks Error states in Blame. It is no name that a model can have, and sorts
// behind all others.
const blameProp = "\U0010FFFF"

// Blame returns a network for the question whether one of the components asked can get
// into an Error state: see Fails. (All states of n in error are one, whoever failed.)
// The ignored components never fail in it, and take part in everything as before, so
// that their errors end no run before those of the others. It is not possible, and ok is
// false, if an ignored component refuses some action of its alphabet, moves silently, or
// has several initial states: then it is more than a monitor.
//
// Time and space O(states and edges of the components asked and ignored).
func (n *Network) Blame(asked, ignored []int32) (blamed *Network, ok bool) {
	c := n.clone()
	c.components = slices.Clone(n.components)
	for _, i := range asked {
		c.components[i] = c.components[i].markErrors()
	}
	for _, i := range ignored {
		if !c.components[i].monitors() {
			return nil, false
		}
		c.components[i] = c.components[i].idle()
	}
	return c, true
}

// Fails reports whether a component is in an Error state in a global state of a network
// that Blame returned, of which it was asked.
func (n *Network) Fails(state []uint64, component int32) bool {
	return n.components[component].Kind(n.Local(state, component)) == Error
}

// markErrors gives the Error states a label of their own, by which canonical states in
// error keep them.
func (m *LKS) markErrors() *LKS {
	c := *m
	mark := int32(len(m.props))
	c.props = append(slices.Clone(m.props), blameProp)
	c.labels = slices.Clone(m.labels)
	c.labelOf = make([]int32, m.NumStates())
	if m.labelOf == nil {
		c.labels = [][]int32{nil}
	} else {
		copy(c.labelOf, m.labelOf)
	}
	marked := map[int32]int32{}
	for s := range int32(m.NumStates()) {
		if m.Kind(s) != Error {
			continue
		}
		class := c.labelOf[s]
		if _, ok := marked[class]; !ok {
			marked[class] = int32(len(c.labels))
			c.labels = append(c.labels, append(slices.Clone(c.labels[class]), mark))
		}
		c.labelOf[s] = marked[class]
	}
	return &c
}

// monitors reports whether m only watches: it refuses no action before it fails.
func (m *LKS) monitors() bool {
	for s := range int32(m.NumStates()) {
		if m.Kind(s) == Error {
			continue
		}
		if m.can(s, TauID) {
			return false
		}
		for a := range m.alphabet[1:] {
			if !m.can(s, int32(a)+1) {
				return false
			}
		}
	}
	return len(m.initial) == 1 && m.Kind(m.initial[0]) != Error
}

// idle is a process of one state, without labels, that takes part in every action of m.
func (m *LKS) idle() *LKS {
	b := NewBuilder(m.name)
	s := b.StateID(Normal, nil)
	for _, name := range m.alphabet[1:] {
		b.Transition(s, name, s)
	}
	for _, p := range m.props {
		b.Prop(p)
	}
	idle, err := b.Build()
	if err != nil {
		panic("lks: a process of one state is no LKS: " + err.Error())
	}
	return idle
}
