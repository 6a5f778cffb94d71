package ltl

import (
	"math"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// Subformulas returns the distinct subformulas of the given formulas, operands
// before the formulas that use them, in an order that depends on the structure
// only. The number of results is the size as a graph, which can be much smaller
// than Size.
func Subformulas(fs ...*Formula) []*Formula {
	var order []*Formula
	// A frame is a formula and how many of its operands have been pushed.
	type frame struct {
		f    *Formula
		next int
	}
	var stack []frame
	seen := map[*Formula]bool{}
	push := func(f *Formula) {
		if !seen[f] {
			seen[f] = true
			stack = append(stack, frame{f: f})
		}
	}
	for _, f := range fs {
		mustFormula(f)
		push(f)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next < len(top.f.args) {
				top.next++
				push(top.f.args[top.next-1])
				continue
			}
			order = append(order, top.f)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// HasRegexp reports whether a regular expression is in f.
func (f *Formula) HasRegexp() bool {
	return slices.ContainsFunc(Subformulas(f), func(g *Formula) bool { return g.re != nil })
}

// Map returns f with every atom a replaced by atom(a). The function is called
// once for each atom of f.
func Map(f *Formula, atom func(Atom) *Formula) *Formula {
	image := map[*Formula]*Formula{}
	for _, g := range Subformulas(f) {
		switch {
		case g.op == Atomic:
			image[g] = atom(g.atom)
		case len(g.args) == 0:
			image[g] = g
		default:
			args := lists.Map(g.args, func(a *Formula) *Formula { return image[a] })
			image[g] = g.With(args...)
		}
	}
	return image[f]
}

// Substitute returns f with the atoms in by replaced by the formulas given for
// them; other atoms stay.
func Substitute(f *Formula, by map[Atom]*Formula) *Formula {
	return Map(f, func(a Atom) *Formula {
		if g, ok := by[a]; ok {
			return g
		}
		return AtomOf(a)
	})
}

// CountSubformulas returns at how many places of f, as a tree, each of its subformulas stands, at most
// math.MaxInt32.
func CountSubformulas(f *Formula) map[*Formula]int {
	counts := map[*Formula]int{f: 1}
	order := Subformulas(f) // operands first
	for _, g := range slices.Backward(order) {
		for _, arg := range g.args {
			counts[arg] = min(counts[arg]+counts[g], math.MaxInt32)
		}
	}
	return counts
}
