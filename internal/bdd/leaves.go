package bdd

// Leaves makes diagrams functions from valuations of the variables before First
// to values of the caller's: what is left of a diagram from First on is a leaf,
// either False or a variable that the caller has given a meaning. A variable must
// not change its meaning, because results are cached: take new variables for new meanings, or
// a Scope.
type Leaves struct {
	First int
	// Join combines two different leaves, neither of them False. It must be
	// commutative, associative and idempotent.
	Join func(f, g Node) Node
	// Below compares two different leaves, neither of them False. It must be a
	// preorder.
	Below func(f, g Node) bool
}

const (
	opJoin int32 = 100 + iota
	opBelow
)

// Join combines f and g valuation by valuation; False is neutral.
func (m *Manager) Join(l *Leaves, f, g Node) Node {
	switch {
	case f == g || g == False:
		return f
	case f == False:
		return g
	}
	if f > g {
		f, g = g, f
	}
	if line, ok := m.lookup(opJoin, int32(f), int32(g)); ok {
		return Node(line.result)
	}
	var r Node
	level, f0, f1, g0, g1 := m.split(int32(f), int32(g))
	if int(level) >= l.First {
		r = l.Join(f, g)
	} else {
		low := m.Join(l, Node(f0), Node(g0))
		high := m.Join(l, Node(f1), Node(g1))
		r = Node(m.make(level, int32(low), int32(high)))
	}
	return Node(m.remember(opJoin, int32(f), int32(g), int32(r)))
}

// Below reports whether f is below g under every valuation; False is below all.
func (m *Manager) Below(l *Leaves, f, g Node) bool {
	switch {
	case f == g || f == False:
		return true
	case g == False:
		return false
	}
	if line, ok := m.lookup(opBelow, int32(f), int32(g)); ok {
		return line.result == 1
	}
	var below bool
	level, f0, f1, g0, g1 := m.split(int32(f), int32(g))
	if int(level) >= l.First {
		below = l.Below(f, g)
	} else {
		below = m.Below(l, Node(f0), Node(g0)) && m.Below(l, Node(f1), Node(g1))
	}
	r := int32(0)
	if below {
		r = 1
	}
	return m.remember(opBelow, int32(f), int32(g), r) == 1
}
