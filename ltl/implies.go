package ltl

import "slices"

// maxImplied bounds the implications that one Simplifier remembers. A formula may add half
// of them at least; beyond that, only what is remembered is known.
const maxImplied = 500_000

// Implies reports whether f => g can be seen from the syntax (or the options'
// Implies says so). Both are brought to negation normal form first. False means
// "not known".
func (s *Simplifier) Implies(f, g *Formula) bool {
	return s.implies(s.negator.nnf(f, false), s.negator.nnf(g, false))
}

// implies is Implies for formulas in negation normal form, as the rules use it.
func (s *Simplifier) implies(f, g *Formula) bool {
	switch {
	case f == g, f.op == False, g.op == True:
		return true
	case !s.uses(RulesImplication):
		return false
	case s.syntactic(f, g):
		return true
	}
	return s.opts.Implies != nil && s.opts.Implies(f, g)
}

// syntactic is syntactic implication ([SomenziBloem00], section 4,
// extended to W, M and pure eventualities), with memory.
func (s *Simplifier) syntactic(f, g *Formula) bool {
	switch {
	case f == g, f.op == False, g.op == True:
		return true
	case f.op == True, g.op == False:
		return false
	}
	if f.isLiteral() && g.isLiteral() { // many, and decided sooner than looked up
		return s.impliedLiteral(f, g)
	}
	key := [2]*Formula{f, g}
	if known, ok := s.implied[key]; ok {
		return known
	}
	if len(s.implied) >= maxImplied {
		return false
	}
	yes := s.implied1(f, g)
	s.implied[key] = yes
	return yes
}

func (s *Simplifier) implied1(f, g *Formula) bool {
	if f.class.Has(Boolean) && g.class.Has(Boolean) {
		if yes, decided := s.booleanImplies(f, g); decided {
			return yes
		}
	}
	return s.impliedLiteral(f, g) || s.impliedLeft(f, g) || s.impliedRight(f, g) || s.impliedBoth(f, g) ||
		s.impliedPast(f, g)
}

// isLiteral reports whether f is an atom or the negation of one.
func (f *Formula) isLiteral() bool {
	return f.op == Atomic || f.op == Not && f.args[0].op == Atomic
}

// impliedLiteral uses that exclusive atoms are not true together.
func (s *Simplifier) impliedLiteral(f, g *Formula) bool {
	return f.op == Atomic && g.op == Not && s.exclusive(f.atom, g.args[0].atom)
}

func (s *Simplifier) exclusive(a, b Atom) bool {
	if a == b {
		return false
	}
	for _, i := range s.groups[a] {
		if slices.Contains(s.groups[b], i) {
			return true
		}
	}
	return false
}

// impliedLeft decomposes f.
func (s *Simplifier) impliedLeft(f, g *Formula) bool {
	ev := g.class.Has(Eventual) // then f implies g if "at some time f1" does
	switch f.op {
	case And:
		for _, a := range f.args {
			if s.syntactic(a, g) {
				return true
			}
		}
	case Or:
		for _, a := range f.args {
			if !s.syntactic(a, g) {
				return false
			}
		}
		return true
	case Next, Eventually:
		return ev && s.syntactic(f.args[0], g)
	case Always:
		return s.syntactic(f.args[0], g)
	case Until:
		return s.syntactic(f.args[1], g) && (ev || s.syntactic(f.args[0], g))
	case WeakUntil:
		return s.syntactic(f.args[1], g) && s.syntactic(f.args[0], g)
	case Release:
		return s.syntactic(f.args[1], g)
	case StrongRelease:
		return s.syntactic(f.args[1], g) || ev && s.syntactic(f.args[0], g)
	}
	return false
}

// impliedRight decomposes g.
func (s *Simplifier) impliedRight(f, g *Formula) bool {
	un := f.class.Has(Universal) // then f implies g if it implies "always g1"
	switch g.op {
	case And:
		for _, a := range g.args {
			if !s.syntactic(f, a) {
				return false
			}
		}
		return true
	case Or:
		for _, a := range g.args {
			if s.syntactic(f, a) {
				return true
			}
		}
	case Next, Always:
		return un && s.syntactic(f, g.args[0])
	case Eventually:
		return s.syntactic(f, g.args[0])
	case Until:
		return s.syntactic(f, g.args[1])
	case WeakUntil:
		return s.syntactic(f, g.args[1]) || un && s.syntactic(f, g.args[0])
	case Release:
		return s.syntactic(f, g.args[1]) && (un || s.syntactic(f, g.args[0]))
	case StrongRelease:
		return s.syntactic(f, g.args[1]) && s.syntactic(f, g.args[0])
	}
	return false
}

// phases describes a binary temporal formula as "stay, until (weakly or not) a
// position where end holds"; for R and M, stay must hold at that position too.
func phases(f *Formula) (stay, end *Formula, inclusive, weak, ok bool) {
	switch f.op {
	case Until, WeakUntil:
		return f.args[0], f.args[1], false, f.op == WeakUntil, true
	case Release, StrongRelease:
		return f.args[1], f.args[0], true, f.op == Release, true
	}
	return nil, nil, false, false, false
}

// impliedBoth compares two temporal operators.
func (s *Simplifier) impliedBoth(f, g *Formula) bool {
	if f.op == Next && g.op == Next {
		return s.syntactic(f.args[0], g.args[0])
	}
	if f.re != nil && f.op == g.op && f.re == g.re {
		return s.syntactic(f.Last(), g.Last())
	}
	stay, end, inclusive, weak, ok1 := phases(f)
	stay2, end2, inclusive2, weak2, ok2 := phases(g)
	if !ok1 || !ok2 || weak && !weak2 {
		return false
	}
	// While f stays, g stays; where f ends, g holds (and so it does from there
	// back to the start, by the expansion law of g).
	if !s.syntactic(stay, stay2) {
		return false
	}
	if s.syntactic(end, g) || inclusive && s.syntactic(stay, g) {
		return true
	}
	// Where f ends, end holds and, if inclusive, so does stay, hence stay2.
	return s.syntactic(end, end2) && (!inclusive2 || inclusive)
}
