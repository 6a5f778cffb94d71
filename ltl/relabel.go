package ltl

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// Naming gives new atoms their names: that of the i-th, from 0.
type Naming func(i int) string

// Numbered names atoms p0, p1, p2, ... for the prefix "p".
func Numbered(prefix string) Naming {
	return func(i int) string { return fmt.Sprint(prefix, i) }
}

// Lettered names atoms a, b, ..., z, aa, ab, ..., without the reserved words of formulas.
func Lettered(i int) string {
	for n := 1; ; n++ {
		name := letters26(n)
		if _, reserved := words[name]; reserved {
			continue
		}
		if i--; i < 0 {
			return name
		}
	}
}

// letters26 writes a number from 1 on by the letters a to z.
func letters26(n int) string {
	var digits []byte
	for ; n > 0; n = (n - 1) / 26 {
		digits = append(digits, byte('a'+(n-1)%26))
	}
	slices.Reverse(digits)
	return string(digits)
}

// Relabel returns f with its atoms renamed in the order in which they occur first, operands
// from left to right, and what each new atom stands for: Substitute(g, by) is f. New atoms
// are of kind Name.
func Relabel(f *Formula, names Naming) (g *Formula, by map[Atom]*Formula) {
	r := &relabeler{names: names, by: map[Atom]*Formula{}, image: map[*Formula]*Formula{}}
	return r.relabel(f, func(f *Formula) bool { return f.op == Atomic }), r.by
}

// RelabelBoolean is Relabel for Boolean subformulas instead of atoms: the largest ones that
// share no atom with the rest of f become atoms, where operands of & and | without temporal
// operators count as one. Substitute(g, by) is f. Since different atoms of g stand for formulas
// over different atoms, g is valid only if f is; the converse holds unless a Boolean
// subformula is valid or contradicts itself, which Simplify removes.
func RelabelBoolean(f *Formula, names Naming) (g *Formula, by map[Atom]*Formula) {
	parts := booleanParts(f)
	r := &relabeler{names: names, by: map[Atom]*Formula{}, image: map[*Formula]*Formula{}, parts: parts}
	return r.relabel(f, func(f *Formula) bool { return parts[f] }), r.by
}

// relabeler replaces subformulas by atoms.
type relabeler struct {
	names Naming
	by    map[Atom]*Formula
	image map[*Formula]*Formula
	parts map[*Formula]bool // Boolean formulas to replace, nil where these are the atoms
}

func (r *relabeler) relabel(f *Formula, replaced func(*Formula) bool) *Formula {
	mustFormula(f)
	if g, ok := r.image[f]; ok {
		return g
	}
	var g *Formula
	switch args := f.args; {
	case replaced(f):
		a := Atom{Name, r.names(len(r.by))}
		r.by[a] = f
		g = AtomOf(a)
	case len(args) == 0:
		g = f
	default:
		if group, rest := booleanOperands(f); r.parts[group] {
			args = append([]*Formula{group}, rest...)
		}
		images := lists.Map(args, func(a *Formula) *Formula { return r.relabel(a, replaced) })
		g = f.With(images...)
	}
	r.image[f] = g
	return g
}

// booleanOperands separates the Boolean operands of an & or | from the others; group is nil if
// there are less than two, or no others.
func booleanOperands(f *Formula) (group *Formula, rest []*Formula) {
	if f.op != And && f.op != Or {
		return nil, nil
	}
	in, out := split(f.args, func(a *Formula) bool { return a.class.Has(Boolean) })
	if len(in) < 2 || len(out) == 0 {
		return nil, nil
	}
	return Make(f.op, in...), out
}

// booleanParts returns the Boolean formulas that are to become atoms: it begins with the
// largest ones and takes apart the larger of two that share an atom.
func booleanParts(f *Formula) map[*Formula]bool {
	parts := map[*Formula]bool{}
	seen := map[*Formula]bool{}
	var collect func(g *Formula)
	collect = func(g *Formula) {
		if seen[g] || len(g.args) == 0 && g.op != Atomic {
			return
		}
		seen[g] = true
		if g.class.Has(Boolean) {
			parts[g] = true
			return
		}
		args := g.args
		if group, rest := booleanOperands(g); group != nil {
			args = append([]*Formula{group}, rest...)
		}
		for _, a := range args {
			collect(a)
		}
	}
	collect(f)
	for {
		large := clash(parts)
		if large == nil {
			return parts
		}
		delete(parts, large)
		for _, a := range large.args {
			collect(a)
		}
	}
}

// clash returns the largest of the parts that share an atom with another, nil if none does.
func clash(parts map[*Formula]bool) *Formula {
	users := map[Atom][]*Formula{}
	for p := range parts {
		for _, a := range Atoms(p) {
			users[a] = append(users[a], p)
		}
	}
	var large *Formula
	for _, ps := range users {
		for _, p := range ps {
			if len(ps) > 1 && p.op != Atomic && (large == nil || p.size > large.size || p.size == large.size && p.compare(large) < 0) {
				large = p
			}
		}
	}
	return large
}
