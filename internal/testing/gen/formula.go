package gen

import (
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/ltl"
)

// FormulaOptions say what random formulas look like. The zero value of Ops means
// all operators.
type FormulaOptions struct {
	Size  int // of the syntax tree, at least 1; Formula may return less, because constructors simplify
	Atoms []ltl.Atom
	Ops   []ltl.Op // inner nodes are drawn from these, evenly
}

// allOps are all operators with operands.
var allOps = []ltl.Op{
	ltl.Not, ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff, ltl.Next, ltl.Eventually, ltl.Always,
	ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease,
}

// PastOps are all operators with operands, past operators included.
var PastOps = append(slices.Clone(allOps), ltl.Yesterday, ltl.WeakYesterday, ltl.Once, ltl.Historically, ltl.Since, ltl.Triggered)

// Atoms returns atoms of kind Name.
func Atoms(names ...string) []ltl.Atom {
	atoms := make([]ltl.Atom, len(names))
	for i, n := range names {
		atoms[i] = ltl.Atom{Kind: ltl.Name, Name: n}
	}
	return atoms
}

// Formula returns a random formula.
func Formula(r *rand.Rand, o FormulaOptions) *ltl.Formula {
	ops := o.Ops
	if ops == nil {
		ops = allOps
	}
	if o.Size <= 1 {
		if r.IntN(20) == 0 {
			return ltl.Constant(r.IntN(2) == 0)
		}
		return ltl.AtomOf(o.Atoms[r.IntN(len(o.Atoms))])
	}
	sub := func(size int) *ltl.Formula {
		return Formula(r, FormulaOptions{Size: size, Atoms: o.Atoms, Ops: ops})
	}
	op := ops[r.IntN(len(ops))]
	switch op {
	case ltl.Not, ltl.Next, ltl.Eventually, ltl.Always, ltl.Yesterday, ltl.WeakYesterday, ltl.Once, ltl.Historically:
		return ltl.Make(op, sub(o.Size-1))
	}
	left := 1 + r.IntN(max(o.Size-2, 1))
	return ltl.Make(op, sub(left), sub(max(o.Size-1-left, 1)))
}

// Word returns a random lasso word over the atoms with a stem of up to maxStem
// and a loop of up to maxLoop letters. In each letter at most one atom of every
// exclusive group is true.
func Word(r *rand.Rand, atoms []ltl.Atom, maxStem, maxLoop int, exclusive ...[]ltl.Atom) ltl.Word {
	letters := func(n int) []ltl.Letter {
		out := make([]ltl.Letter, n)
		for i := range out {
			out[i] = letter(r, atoms, exclusive)
		}
		return out
	}
	return ltl.Word{Stem: letters(r.IntN(maxStem + 1)), Loop: letters(1 + r.IntN(maxLoop))}
}

func letter(r *rand.Rand, atoms []ltl.Atom, exclusive [][]ltl.Atom) ltl.Letter {
	density := []float64{0.2, 0.5, 0.8}[r.IntN(3)]
	set := make([]bool, len(atoms))
	for i := range set {
		set[i] = r.Float64() < density
	}
	for _, group := range exclusive {
		keep := r.IntN(len(group) + 1) // len(group): none
		for i, a := range group {
			if at := slices.Index(atoms, a); at >= 0 {
				set[at] = i == keep
			}
		}
	}
	var held []ltl.Atom
	for i, a := range atoms {
		if set[i] {
			held = append(held, a)
		}
	}
	return ltl.LetterOf(held...)
}
