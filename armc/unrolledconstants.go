package armc

import "github.com/seltl/seltl/logic"

// constants are the values that some variables have, of those that have one value only. In an
// unrolling that is known of counters that begin with a number, at each location after so many
// steps: put in, they decide guards and elements of arrays, and shifts are by numbers, so that
// unwinding comes to an end where the loops do, and the solver sees what is left.
type constants map[*logic.Term]*logic.Term

func constant(t *logic.Term) bool {
	return t.Op() == logic.OpNumber || t.IsTrue() || t.IsFalse()
}

// bits is the length of a constant that is a number.
func bits(t *logic.Term) int {
	if t.Op() != logic.OpNumber {
		return 0
	}
	return t.Num().Num().BitLen() + t.Num().Denom().BitLen()
}

// constantsIn are those that a formula says.
func constantsIn(f *logic.Term) constants {
	all := constants{}
	for _, p := range logic.Conjuncts(f) {
		switch {
		case p.Op() == logic.OpVar:
			all[p] = logic.True()
		case p.Op() == logic.OpNot && p.Args()[0].Op() == logic.OpVar:
			all[p.Args()[0]] = logic.False()
		case p.Op() == logic.OpEq:
			v, c := p.Args()[0], p.Args()[1]
			if constant(v) {
				v, c = c, v
			}
			if v.Op() == logic.OpVar && constant(c) {
				all[v] = c
			}
		}
	}
	return all
}

// meet leaves those that others are, too.
func (c constants) meet(others constants) {
	for v, n := range c {
		if others[v] != n {
			delete(c, v)
		}
	}
}

// formula says what the values are.
func (c constants) formula() *logic.Term {
	var all []*logic.Term
	for v, n := range c {
		all = append(all, logic.Eq(v, n))
	}
	return logic.And(all...)
}
