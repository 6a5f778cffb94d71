package cross

import (
	"slices"

	"github.com/seltl/seltl/ltl"
)

// maxTrials bounds the formulas that are tried to make one smaller.
const maxTrials = 400

// shrink returns a formula as small as replacing one subformula after the other makes it while
// fails says that the failure stays: by a part of it, a constant, or another atom. Every step
// goes down in smaller's order, so that it ends.
func shrink(f *ltl.Formula, fails func(*ltl.Formula) bool) *ltl.Formula {
	tried := map[*ltl.Formula]bool{f: true}
	atoms := ltl.Atoms(f) // also those that are gone later: !a U a becomes b U a
	for again := true; again; {
		again = false
		for _, g := range candidates(f, atoms) {
			if tried[g] {
				continue
			}
			if len(tried) > maxTrials {
				return f
			}
			if tried[g] = true; fails(g) {
				f, again = g, true
				break
			}
		}
	}
	return f
}

// candidates are the smaller formulas that one replacement makes of f, by some of these atoms,
// too, smallest first.
func candidates(f *ltl.Formula, atoms []ltl.Atom) []*ltl.Formula {
	var all []*ltl.Formula
	for _, part := range ltl.Subformulas(f) {
		by := slices.Concat(part.Args(), []*ltl.Formula{ltl.T(), ltl.Ff()})
		for _, a := range atoms {
			by = append(by, ltl.AtomOf(a))
		}
		if op := part.Op(); len(part.Args()) > 2 && (op == ltl.And || op == ltl.Or) { // leave one operand out
			for i := range part.Args() {
				by = append(by, ltl.Make(part.Op(), slices.Delete(slices.Clone(part.Args()), i, i+1)...))
			}
		}
		for _, g := range by {
			if h := replace(f, part, g); smaller(h, f) {
				all = append(all, h)
			}
		}
	}
	slices.SortStableFunc(all, func(g, h *ltl.Formula) int {
		switch {
		case smaller(g, h):
			return -1
		case smaller(h, g):
			return 1
		}
		return 0
	})
	return slices.Compact(all)
}

// smaller orders formulas by nodes, then different atoms, then by the atoms themselves.
func smaller(f, g *ltl.Formula) bool {
	if f.Size() != g.Size() {
		return f.Size() < g.Size()
	}
	a, b := ltl.Atoms(f), ltl.Atoms(g)
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return slices.CompareFunc(a, b, ltl.Atom.Compare) < 0
}

// replace returns f with g in place of each occurrence of part.
func replace(f, part, g *ltl.Formula) *ltl.Formula {
	done := map[*ltl.Formula]*ltl.Formula{part: g}
	for _, h := range ltl.Subformulas(f) {
		if _, ok := done[h]; ok || len(h.Args()) == 0 {
			continue
		}
		args := make([]*ltl.Formula, len(h.Args()))
		for i, k := range h.Args() {
			if args[i] = k; done[k] != nil {
				args[i] = done[k]
			}
		}
		done[h] = h.With(args...)
	}
	if r := done[f]; r != nil {
		return r
	}
	return f
}
