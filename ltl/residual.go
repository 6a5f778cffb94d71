package ltl

import "github.com/seltl/seltl/internal/lists"

// Residual returns what f asks of the rest of a word whose first letter is given:
// a word satisfies f iff its suffix from the second position on satisfies the
// residual. ([BacchusKabanza00] call it progression.) Time and memory are linear in
// the number of distinct subformulas of f.
//
// What a past operator says at later positions of the word is said of the suffix by a formula that
// knows what has been: Y f becomes Y f', or whether f held if the suffix begins there.
func Residual(f *Formula, letter Letter) *Formula {
	r := &residue{letter: letter, first: map[*Formula]*Formula{}, later: map[*Formula]*Formula{}}
	for _, g := range Subformulas(f) {
		r.first[g] = r.residual(g)
		if r.later[g] = g; g.HasPast() {
			r.later[g] = r.shifted(g)
		}
	}
	return r.first[f]
}

// residue says what subformulas ask of the suffix.
type residue struct {
	letter Letter
	first  map[*Formula]*Formula // a formula holds at the first position of the word iff this does at that of the suffix
	later  map[*Formula]*Formula // a formula holds at a later position of the word iff this does there in the suffix
}

func images(g *Formula, of map[*Formula]*Formula) []*Formula {
	return lists.Map(g.args, func(a *Formula) *Formula { return of[a] })
}

// residual computes the residual of g from those of its operands.
func (r *residue) residual(g *Formula) *Formula {
	args := images(g, r.first)
	switch g.op {
	case True, False:
		return g
	case Atomic:
		return Constant(r.letter(g.atom))
	case Next:
		return r.later[g.args[0]]
	case Yesterday:
		return falseFormula
	case WeakYesterday:
		return trueFormula
	case Once, Historically, Since, Triggered:
		return args[len(args)-1]
	}
	if !isFuture(g.op) {
		return Make(g.op, args...)
	}
	rest := g.With(images(g, r.later)...)
	switch g.op {
	case Eventually:
		return MakeOr(args[0], rest)
	case Always:
		return MakeAnd(args[0], rest)
	case Until, WeakUntil:
		return MakeOr(args[1], MakeAnd(args[0], rest))
	case SuffixImplies, SuffixAnd:
		re := g.re.Derivative(r.letter)
		now, later := args[len(args)-1], suffix(g.op, re, r.later[g.Last()])
		switch {
		case !re.nullable:
			return later
		case g.op == SuffixAnd:
			return MakeOr(now, later)
		}
		return MakeAnd(now, later)
	}
	return MakeAnd(args[1], MakeOr(args[0], rest)) // Release, StrongRelease
}

// shifted computes what g says at later positions, for the suffix.
func (r *residue) shifted(g *Formula) *Formula {
	args := images(g, r.later)
	atFirst := func(f *Formula) *Formula { return MakeAnd(Beginning(), f) }
	unlessFirst := func(f *Formula) *Formula { return MakeOr(MakeYesterday(trueFormula), f) }
	switch g.op {
	case Yesterday:
		return MakeOr(MakeYesterday(args[0]), atFirst(r.first[g.args[0]]))
	case WeakYesterday:
		return MakeAnd(MakeWeakYesterday(args[0]), unlessFirst(r.first[g.args[0]]))
	case Once:
		if r.first[g] == trueFormula {
			return trueFormula
		}
		return MakeOnce(MakeOr(args[0], atFirst(r.first[g])))
	case Historically:
		if r.first[g] == falseFormula {
			return falseFormula
		}
		return MakeHistorically(MakeAnd(args[0], unlessFirst(r.first[g])))
	case Since:
		return MakeSince(args[0], MakeOr(args[1], atFirst(MakeAnd(args[0], r.first[g]))))
	case Triggered:
		return MakeTriggered(args[0], MakeAnd(args[1], unlessFirst(MakeOr(args[0], r.first[g]))))
	}
	return g.With(args...)
}
