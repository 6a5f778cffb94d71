package ltl

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// Letter says which atoms are true at one position of a word.
type Letter func(Atom) bool

// fewAtoms is how many atoms are found sooner in a list than in a map.
const fewAtoms = 8

// LetterOf returns the letter in which exactly the given atoms are true.
func LetterOf(atoms ...Atom) Letter {
	if len(atoms) <= fewAtoms {
		few := slices.Clone(atoms)
		return func(a Atom) bool { return slices.Contains(few, a) }
	}
	set := make(map[Atom]bool, len(atoms))
	for _, a := range atoms {
		set[a] = true
	}
	return func(a Atom) bool { return set[a] }
}

// Word is the infinite word Stem Loop Loop Loop ... Loop must not be empty.
type Word struct {
	Stem, Loop []Letter
}

// Len returns the number of positions that are written down.
func (w Word) Len() int { return len(w.Stem) + len(w.Loop) }

// At returns the letter at a position below Len.
func (w Word) At(i int) Letter {
	if i < len(w.Stem) {
		return w.Stem[i]
	}
	return w.Loop[i-len(w.Stem)]
}

// Next returns the position that follows i: i+1, or the start of the loop.
func (w Word) Next(i int) int {
	if i+1 < w.Len() {
		return i + 1
	}
	return len(w.Stem)
}

// Eval reports whether the word satisfies f at its first position. This is the
// reference semantics of seltl. Time and memory are proportional to the number
// of distinct subformulas times the length of the word, and that times the nesting of past
// operators. It panics if the loop is empty.
func Eval(f *Formula, w Word) bool { return EvalAll(f, w)[0] }

// EvalAll returns the truth of f at each position of the word, stem first. Where f has past
// operators these are the positions of the first pass through the loop; in later ones the truth may
// be another.
func EvalAll(f *Formula, w Word) []bool {
	if len(w.Loop) == 0 {
		panic("ltl.Eval: a word needs a loop")
	}
	mustFormula(f)
	written := w.Len()
	w = w.settled(f)
	values := map[*Formula][]bool{}
	for _, g := range Subformulas(f) {
		values[g] = evalOne(g, w, values)
	}
	return values[f][:written]
}

// settled returns the same word with a stem so long that the value of every subformula of f at a
// position of the loop is the same in each pass. Over operands for which this is so already, one
// pass more is enough for a past operator: what it says of the position before the loop is
// mapped to what it says of the end of the loop by a monotone function, that is by a constant or the
// identity, which after one pass changes nothing.
func (w Word) settled(f *Formula) Word {
	if !f.HasPast() {
		return w
	}
	passes := map[*Formula]int{}
	for _, g := range Subformulas(f) {
		for _, a := range g.args {
			passes[g] = max(passes[g], passes[a])
		}
		if isPast(g.op) {
			passes[g]++
		}
	}
	stem := w.Stem
	for range passes[f] {
		stem = slices.Concat(stem, w.Loop)
	}
	return Word{Stem: stem, Loop: w.Loop}
}

// evalOne computes the values of g from those of its operands.
func evalOne(g *Formula, w Word, values map[*Formula][]bool) []bool {
	v := make([]bool, w.Len())
	args := lists.Map(g.args, func(a *Formula) []bool { return values[a] })
	switch g.op {
	case Next:
		for i := range v {
			v[i] = args[0][w.Next(i)]
		}
	// f U g and f M g are the least, f W g and f R g the greatest solutions of
	// their expansion laws.
	case Until:
		fixpoint(w, v, false, func(i int, next bool) bool { return args[1][i] || args[0][i] && next })
	case WeakUntil:
		fixpoint(w, v, true, func(i int, next bool) bool { return args[1][i] || args[0][i] && next })
	case Release:
		fixpoint(w, v, true, func(i int, next bool) bool { return args[1][i] && (args[0][i] || next) })
	case StrongRelease:
		fixpoint(w, v, false, func(i int, next bool) bool { return args[1][i] && (args[0][i] || next) })
	case Eventually:
		fixpoint(w, v, false, func(i int, next bool) bool { return args[0][i] || next })
	case Always:
		fixpoint(w, v, true, func(i int, next bool) bool { return args[0][i] && next })
	case SuffixImplies, SuffixAnd:
		for i := range v {
			v[i] = evalSuffix(g, w, args[len(args)-1], i)
		}
	case Yesterday:
		recall(v, false, func(_ int, _, before bool) bool { return before }, args[0])
	case WeakYesterday:
		recall(v, true, func(_ int, _, before bool) bool { return before }, args[0])
	case Once:
		recall(v, false, func(i int, last, _ bool) bool { return args[0][i] || last }, args[0])
	case Historically:
		recall(v, true, func(i int, last, _ bool) bool { return args[0][i] && last }, args[0])
	case Since:
		recall(v, false, func(i int, last, _ bool) bool { return args[1][i] || args[0][i] && last }, args[0])
	case Triggered:
		recall(v, true, func(i int, last, _ bool) bool { return args[1][i] && (args[0][i] || last) }, args[0])
	default:
		for i := range v {
			v[i] = evalNow(g, w, args, i)
		}
	}
	return v
}

// evalSuffix looks for the matches of the regular expression that begin at position i, letter
// by letter, until what is left to match and the position are as they were before. last says
// where the operand is true.
func evalSuffix(g *Formula, w Word, last []bool, i int) bool {
	type point struct {
		rest *Regexp
		at   int
	}
	found := g.op == SuffixAnd // what an end of a match with this value of the operand decides
	seen := map[point]bool{}
	for r := g.re; r != noWord && !seen[point{r, i}]; i = w.Next(i) {
		seen[point{r, i}] = true
		if r = r.Derivative(w.At(i)); r.nullable && last[i] == found {
			return found
		}
	}
	return !found
}

// recall computes the values of a past operator from the first position on, by its own value and
// that of an operand at the position before, or by start for both at the first.
func recall(v []bool, start bool, law func(i int, last, before bool) bool, arg []bool) {
	last, before := start, start
	for i := range v {
		v[i] = law(i, last, before)
		last, before = v[i], arg[i]
	}
}

// fixpoint solves v[i] = law(i, v[next of i]) for all positions, starting from
// the given value. Two backward passes are enough: the first settles the start
// of the loop, the second carries it to the end.
func fixpoint(w Word, v []bool, start bool, law func(i int, next bool) bool) {
	next := start
	for i := len(v) - 1; i >= len(w.Stem); i-- {
		next = law(i, next)
	}
	for i := len(v) - 1; i >= 0; i-- {
		next = law(i, next)
		v[i] = next
	}
}

// evalNow computes atoms, constants and Boolean operators at one position.
func evalNow(g *Formula, w Word, args [][]bool, i int) bool {
	switch g.op {
	case True:
		return true
	case False:
		return false
	case Atomic:
		return w.At(i)(g.atom)
	case Not:
		return !args[0][i]
	case And:
		for _, a := range args {
			if !a[i] {
				return false
			}
		}
		return true
	case Or:
		for _, a := range args {
			if a[i] {
				return true
			}
		}
		return false
	case Xor:
		return args[0][i] != args[1][i]
	case Iff:
		return args[0][i] == args[1][i]
	case Implies:
		return !args[0][i] || args[1][i]
	}
	panic(fmt.Sprintf("ltl.Eval: unknown operator %d", g.op))
}
