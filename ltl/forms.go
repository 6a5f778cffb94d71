package ltl

import "math"

// maxJunctions bounds the disjuncts or conjuncts of a normal form.
const maxJunctions = 1 << 14

// Disjunctive returns an equivalent disjunction of conjunctions of literals and temporal
// formulas, which are taken as they are in negation normal form. Conjunctions that others
// imply by having fewer operands are left out. The error is *TooLarge if there are too many.
func Disjunctive(f *Formula) (*Formula, error) { return distributed(NNF(f), Or, And) }

// Conjunctive is dual to Disjunctive: a conjunction of disjunctions.
func Conjunctive(f *Formula) (*Formula, error) { return distributed(NNF(f), And, Or) }

// distributed moves outer out of inner.
func distributed(f *Formula, outer, inner Op) (*Formula, error) {
	terms, err := terms(f, outer, inner)
	if err != nil {
		return nil, err
	}
	return Make(outer, terms...), nil
}

// terms are the operands of outer in the normal form of f.
func terms(f *Formula, outer, inner Op) ([]*Formula, error) {
	switch f.op {
	case outer:
		var all []*Formula
		for _, a := range f.args {
			more, err := terms(a, outer, inner)
			if err != nil {
				return nil, err
			}
			if all = append(all, more...); len(all) > maxJunctions {
				return nil, &TooLarge{math.MaxInt}
			}
		}
		return subsumed(all, inner), nil
	case inner:
		all := []*Formula{Make(inner)} // its unit
		for _, a := range f.args {
			more, err := terms(a, outer, inner)
			if err != nil {
				return nil, err
			}
			if len(all)*len(more) > maxJunctions {
				return nil, &TooLarge{math.MaxInt}
			}
			var next []*Formula
			for _, t := range all {
				for _, u := range more {
					next = append(next, Make(inner, t, u))
				}
			}
			all = subsumed(next, inner)
		}
		return all, nil
	}
	return []*Formula{f}, nil
}

// mostCompared bounds the terms that are compared with each other.
const mostCompared = 1 << 10

// subsumed leaves out terms that have all operands of another one, and those that are the
// other's zero (false among conjunctions).
func subsumed(all []*Formula, inner Op) []*Formula {
	zero := falseFormula
	if inner == Or {
		zero = trueFormula
	}
	if len(all) > mostCompared {
		return all
	}
	var kept []*Formula
	for i, t := range all {
		needless := t == zero
		for j, u := range all {
			if i != j && (u != t || j < i) && hasOperands(t, u, inner) {
				needless = true
				break
			}
		}
		if !needless {
			kept = append(kept, t)
		}
	}
	return kept
}

// hasOperands reports whether t has all operands of u, of which a formula with another
// operator is one.
func hasOperands(t, u *Formula, op Op) bool {
	of := func(f *Formula) []*Formula {
		if f.op == op {
			return f.args
		}
		return []*Formula{f}
	}
	set := map[*Formula]bool{}
	for _, a := range of(t) {
		set[a] = true
	}
	for _, a := range of(u) {
		if !set[a] {
			return false
		}
	}
	return true
}
