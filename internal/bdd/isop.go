package bdd

// Literal is a variable or its negation: 2*v for v, 2*v+1 for its negation.
type Literal int32

// Lit makes a literal.
func Lit(variable int, negated bool) Literal {
	l := Literal(variable) << 1
	if negated {
		l |= 1
	}
	return l
}

// Var returns the variable of the literal.
func (l Literal) Var() int { return int(l >> 1) }

// Negated reports whether the literal is a negated variable.
func (l Literal) Negated() bool { return l&1 != 0 }

// Cube is a conjunction of literals, by increasing variable; empty is true.
type Cube []Literal

// ISOP returns an irredundant sum of products between lower and upper (lower
// must imply upper): cubes that cover lower, stay within upper, none of which
// can be left out. For lower == upper all cubes are prime. This is the algorithm
// of Minato and Morreale [Minato92]. The order of the cubes is
// determined by the functions alone.
func (m *Manager) ISOP(lower, upper Node) []Cube {
	var cubes []Cube
	m.isop(lower, upper, nil, &cubes)
	return cubes
}

// isop appends the cubes to out, each with prefix before its literals, and
// returns their disjunction (without the prefix).
func (m *Manager) isop(lower, upper Node, prefix Cube, out *[]Cube) Node {
	if lower == False {
		return False
	}
	if upper == True {
		*out = append(*out, append(Cube(nil), prefix...))
		return True
	}
	level, l0, l1, u0, u1 := m.split(int32(lower), int32(upper))
	v := int(level)
	low0, low1 := Node(l0), Node(l1)
	up0, up1 := Node(u0), Node(u1)
	prefix = prefix[:len(prefix):len(prefix)]
	f0 := m.isop(m.Diff(low0, up1), up0, append(prefix, Lit(v, true)), out)
	f1 := m.isop(m.Diff(low1, up0), up1, append(prefix, Lit(v, false)), out)
	rest := m.Or(m.Diff(low0, f0), m.Diff(low1, f1))
	fd := m.isop(rest, m.And(up0, up1), prefix, out)
	return m.Or(Node(m.make(level, int32(f0), int32(f1))), fd)
}

// CubeNode returns the conjunction of the literals of c.
func (m *Manager) CubeNode(c Cube) Node {
	r := int32(True)
	for i := len(c) - 1; i >= 0; i-- {
		if l := c[i]; l.Negated() {
			r = m.make(int32(l.Var()), r, 0)
		} else {
			r = m.make(int32(l.Var()), 0, r)
		}
	}
	return Node(r)
}
