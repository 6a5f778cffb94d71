package ltl

// Residual returns what f asks of the rest of a word whose first letter is given:
// a word satisfies f iff its suffix from the second position on satisfies the
// residual. ([BacchusKabanza00] call it progression.) Time and memory are linear in
// the number of distinct subformulas of f.
func Residual(f *Formula, letter Letter) *Formula {
	rest := map[*Formula]*Formula{}
	for _, g := range Subformulas(f) {
		rest[g] = residualOf(g, letter, rest)
	}
	return rest[f]
}

// residualOf computes the residual of g from those of its operands.
func residualOf(g *Formula, letter Letter, rest map[*Formula]*Formula) *Formula {
	args := make([]*Formula, len(g.args))
	for i, a := range g.args {
		args[i] = rest[a]
	}
	switch g.op {
	case True, False:
		return g
	case Atomic:
		return Constant(letter(g.atom))
	case Next:
		return g.args[0]
	case Eventually:
		return MakeOr(args[0], g)
	case Always:
		return MakeAnd(args[0], g)
	case Until, WeakUntil:
		return MakeOr(args[1], MakeAnd(args[0], g))
	case Release, StrongRelease:
		return MakeAnd(args[1], MakeOr(args[0], g))
	case SuffixImplies, SuffixAnd:
		re := g.re.Derivative(letter)
		later := suffix(g.op, re, g.Last())
		switch {
		case !re.nullable:
			return later
		case g.op == SuffixAnd:
			return MakeOr(args[len(args)-1], later)
		}
		return MakeAnd(args[len(args)-1], later)
	}
	return g.With(args...)
}
