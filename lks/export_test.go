package lks

// Lower makes structures hold so few transitions, saturated ones too, until the function
// that it returns is called.
func Lower(edges int) (restore func()) {
	old, oldSaturated := mostEdges, maxSaturated
	mostEdges, maxSaturated = edges, edges
	return func() { mostEdges, maxSaturated = old, oldSaturated }
}

// Variant returns n as it is explored in circumstances that small networks do
// not meet: with words of so few bits, and without tables.
func Variant(n *Network, wordBits int, sparse bool) *Network {
	c := n.clone()
	c.layoutOf.Do(func() { c.layout = c.newLayout(wordBits) })
	limit := maxDenseRules
	if sparse {
		limit = 0
	}
	c.once.Do(func() { c.compiled = newProgram(c, limit, groupWidths) })
	return c
}

// Grouped returns n as it is explored with fields looked up together that have at
// most so many bits.
func Grouped(n *Network, width int) *Network {
	c := n.clone()
	c.once.Do(func() { c.compiled = newProgram(c, maxDenseRules, []int{width}) })
	return c
}

// Dense reports whether n is explored with tables.
func Dense(n *Network) bool { return n.Explorer().prog.sparse == nil }

// Padded returns n with so many rules more that never fire, before its
// own, and gap more after every third of its own.
func Padded(n *Network, rules, gap int) *Network {
	// The rules are possible in a state that is never reached.
	b := NewBuilder("padding")
	b.State()
	b.Transition(b.State(), TauName, 0)
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	c := n.clone()
	c.components = append(append([]*LKS(nil), n.components...), m)
	c.names = append(append([]string(nil), n.names...), "padding")
	c.observer = append(append([]bool(nil), n.observer...), true)
	never := Rule{Action: TauID, Parts: []Part{{int32(len(n.components)), TauID}}}
	c.rules, c.uncounted = nil, nil
	c.low = make([][]bool, len(n.low))
	add := func(r Rule, from int) {
		c.rules = append(c.rules, r)
		c.uncounted = append(c.uncounted, from < 0 || n.uncounted[from])
		for l := range c.low {
			c.low[l] = append(c.low[l], from >= 0 && n.low[l][from])
		}
	}
	for range rules {
		add(never, -1)
	}
	for i, r := range n.rules {
		add(r, i)
		for range gap * (i % 3 / 2) {
			add(never, -1)
		}
	}
	return c
}
