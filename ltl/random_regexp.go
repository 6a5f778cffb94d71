package ltl

import "math/rand/v2"

// regexpOps are what random regular expressions are drawn from.
var regexpOps = []RegexpOp{Concat, Concat, Concat, Fusion, Union, AnyLength, SameLength, Star, Star, FusionStar, FirstMatch}

// growSuffix returns {r}[]-> f or {r}<>-> f of a size, or in one of four cases {r} or {r}!.
func (g *Random) growSuffix(r *rand.Rand, weights map[Op]int, op Op, size int) *Formula {
	if r.IntN(4) == 0 {
		re := g.growRegexp(r, size-1)
		if op == SuffixImplies {
			return MakeClosure(re)
		}
		return MakeSuffixAnd(re, trueFormula)
	}
	left := 1 + r.IntN(size-2)
	re := g.growRegexp(r, left)
	return suffix(op, re, g.grow(r, weights, size-1-left))
}

// growRegexp returns a random regular expression over letters that are literals, true or
// Boolean formulas of two atoms.
func (g *Random) growRegexp(r *rand.Rand, size int) *Regexp {
	if size <= 1 {
		switch r.IntN(12) {
		case 0:
			return emptyWord
		case 1:
			return anyLetter
		}
		return MakeLetter(g.growLetter(r))
	}
	op := regexpOps[r.IntN(len(regexpOps))]
	if size == 2 && op < Star {
		op = Star
	}
	switch op {
	case Star, FusionStar:
		lo := r.IntN(3)
		hi := Unbounded
		if r.IntN(2) == 0 {
			hi = lo + r.IntN(3)
		}
		what := g.growRegexp(r, size-1)
		if op == FusionStar {
			return MakeFusionStar(what, lo, hi)
		}
		return MakeStar(what, lo, hi)
	case FirstMatch:
		return MakeFirstMatch(g.growRegexp(r, size-1))
	}
	left := 1 + r.IntN(size-2)
	a, b := g.growRegexp(r, left), g.growRegexp(r, size-1-left)
	return (&Regexp{op: op}).with([]*Regexp{a, b})
}

func (g *Random) growLetter(r *rand.Rand) *Formula {
	atom := func() *Formula {
		if len(g.Atoms) == 0 {
			return trueFormula
		}
		f := AtomOf(g.Atoms[r.IntN(len(g.Atoms))])
		if r.IntN(3) == 0 {
			return MakeNot(f)
		}
		return f
	}
	switch r.IntN(8) {
	case 0:
		return MakeAnd(atom(), atom())
	case 1:
		return MakeOr(atom(), atom())
	}
	return atom()
}
