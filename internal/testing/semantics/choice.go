package semantics

import (
	"fmt"
	"maps"
)

// SatisfiesByChoice reports whether the runs of a random walk satisfy the formula:
// "every finite sequence of steps that is possible again and again happens again
// and again: the runs of a random walk". The formula fails if a walk violates it
// with positive probability.
//
// The innermost temporal operators are replaced by new atoms, one after the other
// ([CourcoubetisYannakakis95], section 3.1): a position where it depends on the
// future of the walk whether the operator is true becomes two, one for each value.
func (ps *Positions) SatisfiesByChoice(f *Formula) bool {
	w := &walk{}
	for i, p := range ps.At {
		w.atoms = append(w.atoms, map[string]bool{})
		w.at = append(w.at, p)
		w.next = append(w.next, ps.Next[i])
	}
	w.init = ps.Init
	f = w.eliminate(core(f))
	for _, n := range w.init {
		if !w.value(n, f) {
			return false
		}
	}
	return true
}

// walk is a random walk; every edge has a positive probability.
type walk struct {
	init  []int
	at    []Position
	atoms []map[string]bool // the values of operators that were replaced
	next  [][]int
	names int
}

// value is that of a formula without temporal operators.
func (w *walk) value(n int, f *Formula) bool {
	switch f.Op {
	case "!":
		return !w.value(n, f.Args[0])
	case "&":
		return w.value(n, f.Args[0]) && w.value(n, f.Args[1])
	case "|":
		return w.value(n, f.Args[0]) || w.value(n, f.Args[1])
	case "new":
		return w.atoms[n][f.Names[0]]
	}
	return w.at[n].holds(f)
}

// eliminate replaces the temporal operators of a formula.
func (w *walk) eliminate(f *Formula) *Formula {
	g := &Formula{Op: f.Op, Names: f.Names}
	for _, a := range f.Args {
		g.Args = append(g.Args, w.eliminate(a))
	}
	switch f.Op {
	case "X":
		return w.split(func(n int) bool { return false }, func(n int, m int, later bool) bool { return w.value(m, g.Args[0]) },
			func(n int) (may, must bool) {
				for i, m := range w.next[n] {
					v := w.value(m, g.Args[0])
					may = may || v
					must = (must || i == 0) && v
				}
				return may, must
			})
	case "U":
		stay := func(n int) bool { return w.value(n, g.Args[0]) && !w.value(n, g.Args[1]) }
		done := func(n int) bool { return w.value(n, g.Args[1]) }
		may := w.leads(stay, done)
		// The walk fails to come to g if it leaves the way there, or can no more.
		fails := w.leads(stay, func(n int) bool { return !may[n] })
		return w.split(func(n int) bool { return !stay(n) },
			func(n, m int, later bool) bool { return later },
			func(n int) (bool, bool) { return may[n], !fails[n] })
	}
	return g
}

// leads is where a node that is wanted can be reached through others that stay.
func (w *walk) leads(stay, wanted func(int) bool) []bool {
	yes := make([]bool, len(w.next))
	for n := range yes {
		yes[n] = wanted(n)
	}
	for changed := true; changed; {
		changed = false
		for n := range yes {
			if yes[n] || !stay(n) {
				continue
			}
			for _, m := range w.next[n] {
				if yes[m] {
					yes[n], changed = true, true
				}
			}
		}
	}
	return yes
}

// split gives every node a value of a new atom: true if it must be, false if it
// may not be, else one node for each. The value of a node is its own (decided), or
// determined by the next node m and m's value (later) through follow.
func (w *walk) split(decided func(n int) bool, follow func(n, m int, later bool) bool, bounds func(n int) (may, must bool)) *Formula {
	w.names++
	name := fmt.Sprint(w.names)
	v := &walk{names: w.names}
	copies := make([]map[bool]int, len(w.next))
	var olds []int
	var values []bool
	for n := range w.next {
		may, must := bounds(n)
		copies[n] = map[bool]int{}
		for _, value := range []bool{false, true} {
			if value && !may || !value && must {
				continue
			}
			copies[n][value] = len(v.at)
			atoms := map[string]bool{name: value}
			maps.Copy(atoms, w.atoms[n])
			v.at, v.atoms = append(v.at, w.at[n]), append(v.atoms, atoms)
			olds, values = append(olds, n), append(values, value)
		}
	}
	for i, n := range olds {
		var next []int
		for _, m := range w.next[n] {
			for _, later := range []bool{false, true} {
				if to, ok := copies[m][later]; ok && (decided(n) || follow(n, m, later) == values[i]) {
					next = append(next, to)
				}
			}
		}
		v.next = append(v.next, next)
	}
	for _, n := range w.init {
		for _, value := range []bool{false, true} {
			if c, ok := copies[n][value]; ok {
				v.init = append(v.init, c)
			}
		}
	}
	*w = *v
	return atom("new", name)
}
