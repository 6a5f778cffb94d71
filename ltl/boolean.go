package ltl

import (
	"math/bits"
	"slices"
)

// This file treats Boolean formulas over at most six atoms, whose truth tables
// fit in a word.

// tableAtoms is the largest number of atoms in a truth table of 64 bits.
const tableAtoms = 6

// column[i] is the truth table of the i-th atom: bit v is bit i of v.
var column = [tableAtoms]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// atomsOf returns the sorted atoms of a Boolean formula, nil if there are more
// than fit in a table.
func (s *Simplifier) atomsOf(f *Formula) []Atom {
	if atoms, ok := s.tables[f]; ok {
		return atoms
	}
	var atoms []Atom
	switch f.op {
	case Atomic:
		atoms = []Atom{f.atom}
	default:
		for _, a := range f.args {
			more := s.atomsOf(a)
			if more == nil && len(a.args) > 0 {
				atoms = nil
				break
			}
			if atoms = union(atoms, more); len(atoms) > tableAtoms {
				atoms = nil
				break
			}
		}
	}
	s.tables[f] = atoms
	return atoms
}

func union(a, b []Atom) []Atom {
	out := append(slices.Clone(a), b...)
	slices.SortFunc(out, Atom.Compare)
	return slices.Compact(out)
}

// table returns the truth table of a Boolean formula over the given atoms.
func table(f *Formula, atoms []Atom) uint64 {
	switch f.op {
	case True:
		return ^uint64(0)
	case False:
		return 0
	case Atomic:
		i, _ := slices.BinarySearchFunc(atoms, f.atom, Atom.Compare)
		return column[i]
	case Not:
		return ^table(f.args[0], atoms)
	case And:
		t := ^uint64(0)
		for _, a := range f.args {
			t &= table(a, atoms)
		}
		return t
	}
	t := uint64(0) // Or: there are no others in negation normal form
	for _, a := range f.args {
		t |= table(a, atoms)
	}
	return t
}

// care is the table of the valuations that can occur: no two exclusive atoms.
func (s *Simplifier) care(atoms []Atom) uint64 {
	t := ^uint64(0)
	if len(s.groups) == 0 {
		return t
	}
	for i, a := range atoms {
		for j := range i {
			if s.exclusive(a, atoms[j]) {
				t &^= column[i] & column[j]
			}
		}
	}
	return t
}

// booleanImplies decides f => g exactly; decided is false if there are too many
// atoms.
func (s *Simplifier) booleanImplies(f, g *Formula) (yes, decided bool) {
	a, b := s.atomsOf(f), s.atomsOf(g)
	if a == nil || b == nil {
		return false, false
	}
	atoms := union(a, b)
	if len(atoms) > tableAtoms {
		return false, false
	}
	return table(f, atoms)&^table(g, atoms)&s.care(atoms) == 0, true
}

// boolean returns a smaller Boolean formula that is equivalent to f where it
// matters, or nil.
func (s *Simplifier) boolean(f *Formula) *Formula {
	if !s.uses(RulesBoolean) || len(s.groups) == 0 && onlyLiterals(f) {
		return nil
	}
	atoms := s.atomsOf(f)
	if atoms == nil {
		return nil
	}
	t, care := table(f, atoms), s.care(atoms)
	sum := isop(t&care, t|^care, atoms, len(atoms)-1)
	product := s.negator.nnf(isop(^t&care, ^t|^care, atoms, len(atoms)-1), true)
	best := f
	for _, g := range []*Formula{sum, product} {
		if g.size < best.size {
			best = g
		}
	}
	if best == f {
		return nil
	}
	return best
}

// onlyLiterals reports whether f is a literal, or & or | of literals: nothing to
// gain there without exclusive atoms.
func onlyLiterals(f *Formula) bool {
	for _, a := range f.args {
		if a.op == And || a.op == Or {
			return false
		}
	}
	return true
}

// isop returns an irredundant sum of products between the tables lower and
// upper ([Minato92]). Only atoms[0..top] matter.
func isop(lower, upper uint64, atoms []Atom, top int) *Formula {
	if lower == 0 {
		return falseFormula
	}
	if ^upper == 0 {
		return trueFormula
	}
	// Skip atoms on which neither bound depends.
	var low0, low1, up0, up1 uint64
	for ; ; top-- {
		low0, low1 = cofactors(lower, top)
		up0, up1 = cofactors(upper, top)
		if low0 != low1 || up0 != up1 {
			break
		}
	}
	f0 := isop(low0&^up1, up0, atoms, top-1) // must have !a
	f1 := isop(low1&^up0, up1, atoms, top-1) // must have a
	rest := low0&^table(f0, atoms) | low1&^table(f1, atoms)
	both := isop(rest, up0&up1, atoms, top-1)
	a := AtomOf(atoms[top])
	return MakeOr(MakeAnd(MakeNot(a), f0), MakeAnd(a, f1), both)
}

// cofactors returns the tables for atom i false and true, each not depending on i.
func cofactors(t uint64, i int) (t0, t1 uint64) {
	shift := 1 << i
	t0, t1 = t&^column[i], t&column[i]
	return t0 | t0<<shift, t1 | bits.RotateLeft64(t1, -shift)
}
