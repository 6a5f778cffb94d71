package logic

import "slices"

// connective reports whether t is built from other formulas by and, or, not or
// if and only if.
func connective(t *Term) bool {
	switch t.op {
	case OpAnd, OpOr, OpNot:
		return true
	case OpEq:
		return t.args[0].sort == Bool
	}
	return false
}

// Atoms returns the formulas without connectives from which the formulas are
// built, sorted by Compare, without duplicates and constants. Negation is taken
// away where it remained: of x != 1 the atom is x = 1.
func Atoms(ts ...*Term) []*Term {
	var out []*Term
	seen := map[*Term]bool{}
	var visit func(t *Term)
	visit = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch {
		case connective(t):
			for _, a := range t.args {
				visit(a)
			}
		case t.op != OpTrue && t.op != OpFalse:
			out = append(out, t)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	slices.SortFunc(out, (*Term).Compare)
	return out
}

// IsLiteral reports whether t is an atom or a negated atom (not a constant).
func IsLiteral(t *Term) bool {
	if t.op == OpNot {
		t = t.args[0]
	}
	return !connective(t) && t.op != OpTrue && t.op != OpFalse
}

// Conjuncts returns the operands of a conjunction, none for true, and otherwise
// the formula itself. The slice must not be changed.
func Conjuncts(t *Term) []*Term { return operands(OpAnd, t, trueTerm) }

// Disjuncts returns the operands of a disjunction, none for false, and
// otherwise the formula itself. The slice must not be changed.
func Disjuncts(t *Term) []*Term { return operands(OpOr, t, falseTerm) }

func operands(op Op, t, unit *Term) []*Term {
	switch {
	case t == unit:
		return nil
	case t.op == op:
		return t.args
	}
	return []*Term{t}
}

// DNF returns conjunctions of literals whose disjunction is equivalent to t,
// sorted; none for false, one empty one for true. ok is false if there would be
// more than limit (which must be positive), or finding them takes too long.
func DNF(t *Term, limit int) (cubes [][]*Term, ok bool) {
	d := &dnf{limit: limit, work: 1000 + 100*limit}
	terms, ok := d.cubes(t)
	if !ok {
		return nil, false
	}
	for _, c := range terms {
		cubes = append(cubes, slices.Clone(Conjuncts(c)))
	}
	return cubes, true
}

type dnf struct {
	limit int
	work  int // visits of subformulas that are left: parts may be shared
}

// cubes returns the disjuncts as conjunctions of literals, none of them false.
func (d *dnf) cubes(t *Term) ([]*Term, bool) {
	if d.work--; d.work < 0 {
		return nil, false
	}
	switch {
	case t == falseTerm:
		return nil, true
	case t.op == OpOr:
		var out []*Term
		for _, a := range t.args {
			sub, ok := d.cubes(a)
			if !ok {
				return nil, false
			}
			if out = append(out, sub...); len(out) > d.limit {
				return nil, false
			}
		}
		return sortedSet(out), true
	case t.op == OpAnd:
		return d.product(t.args)
	case t.op == OpNot && connective(t.args[0]): // of if and only if: other negations are pushed in
		a, b := t.args[0].args[0], t.args[0].args[1]
		return d.cubes(Or(And(a, Not(b)), And(Not(a), b)))
	case t.op == OpEq && connective(t):
		a, b := t.args[0], t.args[1]
		return d.cubes(Or(And(a, b), And(Not(a), Not(b))))
	}
	return []*Term{t}, true
}

func (d *dnf) product(factors []*Term) ([]*Term, bool) {
	out := []*Term{trueTerm}
	for _, f := range factors {
		sub, ok := d.cubes(f)
		if !ok {
			return nil, false
		}
		// Duplicates and contradictions go after each factor, not at the end: a product
		// that ends small may be large on the way.
		var next []*Term
		for _, a := range out {
			for _, b := range sub {
				if c := And(a, b); c != falseTerm {
					next = append(next, c)
				}
			}
			if len(next) > d.limit {
				return nil, false
			}
		}
		out = sortedSet(next)
	}
	return out, true
}

func sortedSet(ts []*Term) []*Term {
	slices.SortFunc(ts, (*Term).Compare)
	return slices.Compact(ts)
}
