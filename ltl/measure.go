package ltl

import (
	"math"
	"strings"
)

// Length returns the number of operators, atoms and constants of a formula as it is written
// with binary operators: an And of n operands counts as n-1. It saturates at the largest int.
func (f *Formula) Length() int { return length(f, func(*Formula) bool { return false }) }

// BooleanLength is Length where each Boolean subformula counts as one.
func (f *Formula) BooleanLength() int {
	return length(f, func(g *Formula) bool { return g.class.Has(Boolean) })
}

func length(f *Formula, one func(*Formula) bool) int {
	size := map[*Formula]int{}
	for _, g := range Subformulas(f) {
		n := max(1, len(g.args)-1)
		parts := 0 // Boolean operands of a junction are one formula together
		args := g.args
		if g.re != nil {
			n, args = 1+regexpLength(g.re, size), args[len(args)-1:]
		}
		for _, a := range args {
			if one(a) && (g.op == And || g.op == Or) {
				if parts++; parts > 1 {
					n--
					continue
				}
			}
			if n += size[a]; n < 0 || size[a] == math.MaxInt {
				n = math.MaxInt
				break
			}
		}
		if one(g) {
			n = 1
		}
		size[g] = n
	}
	return size[f]
}

// regexpLength is the length of a regular expression, of whose letters the lengths are known.
// The one that {r} stands for has that of r.
func regexpLength(r *Regexp, size map[*Formula]int) int {
	if r.op == OneLetter {
		return size[r.letter]
	}
	n := max(1, len(r.args)-1)
	if r.op == violation {
		n = 0
	}
	for _, a := range r.args {
		if n += regexpLength(a, size); n < 0 {
			return math.MaxInt
		}
	}
	return n
}

// Text writes the word as Spot does, one valuation of the atoms at each position and the loop
// in braces: "a & !b; cycle{!a & !b}". Without atoms a letter is 1.
func (w Word) Text(atoms []Atom) string {
	loop := "cycle{" + FiniteText(w.Loop, atoms) + "}"
	if len(w.Stem) == 0 {
		return loop
	}
	return FiniteText(w.Stem, atoms) + "; " + loop
}

// FiniteText writes a finite word like Text.
func FiniteText(letters []Letter, atoms []Atom) string {
	out := make([]string, len(letters))
	for i, letter := range letters {
		literals := make([]string, len(atoms))
		for j, a := range atoms {
			if literals[j] = spotAtom(a); !letter(a) {
				literals[j] = "!" + literals[j]
			}
		}
		if out[i] = strings.Join(literals, " & "); len(atoms) == 0 {
			out[i] = "1"
		}
	}
	return strings.Join(out, "; ")
}
