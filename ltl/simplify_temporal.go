package ltl

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// eventually rewrites F f.
func (v view) eventually(f *Formula) *Formula {
	if v.eventual(f) {
		return f
	}
	if v.uses(RulesInfinite) && v.is(f, Always) {
		if g := v.eventuallyAlways(f.args[0]); g != nil {
			return g
		}
	}
	switch f.op {
	case v.op(Triggered):
		if v.uses(RulesPast) {
			return v.make(Or, f, v.make(Eventually, v.make(And, f.args...)))
		}
	case Next:
		if v.uses(RulesNext) {
			return MakeNext(v.make(Eventually, f.args[0]))
		}
	case v.op(Or):
		if g := v.coverEventually(f.args); g != nil {
			return g
		}
		// G(f & e) = G f & G e, G(f & u) = G f & u; its dual only makes the
		// automaton larger.
		if v.dual {
			return v.distribute(f.args)
		}
		if wrapped, rest := split(f.args, func(g *Formula) bool { return v.is(g, Eventually) }); len(wrapped) > 0 && v.uses(RulesBasic) {
			for _, g := range wrapped { // F(f | F g) = F(f | g)
				rest = append(rest, g.args[0])
			}
			return v.make(Eventually, v.make(Or, rest...))
		}
	case v.op(And):
		if pulled, rest := split(f.args, v.both); len(pulled) > 0 {
			return v.make(And, append(pulled, v.make(Eventually, v.make(And, rest...)))...)
		}
	}
	if v.uses(RulesBasic) && len(f.args) == 2 {
		return v.eventuallyBinary(f, f.args[0], f.args[1])
	}
	return nil
}

// coverEventually is F(f | g) = F g if f => F g, and F(f | g) = true if !F f => F g.
func (v view) coverEventually(args []*Formula) *Formula {
	if !v.uses(RulesImplication) || len(args) > maxAbsorb {
		return nil
	}
	later := lists.Map(args, func(g *Formula) *Formula { return v.make(Eventually, g) })
	for i, f := range args {
		for j := range args {
			switch {
			case i == j:
			case v.implies(f, later[j]):
				return v.make(Eventually, v.make(Or, without(args, i)...))
			case i < j && v.covers(later[i], later[j]):
				return v.make(True)
			}
		}
	}
	return nil
}

// distribute is F(f | u) = F f | F u and F(f | e) = F f | e.
func (v view) distribute(args []*Formula) *Formula {
	apart, rest := split(args, func(g *Formula) bool { return v.eventual(g) || v.universal(g) })
	if len(apart) == 0 {
		return nil
	}
	for i, g := range apart {
		apart[i] = v.make(Eventually, g)
	}
	return v.make(Or, append(apart, v.make(Eventually, v.make(Or, rest...)))...)
}

// eventuallyBinary rewrites F(l U r) and so on.
func (v view) eventuallyBinary(f, l, r *Formula) *Formula {
	switch f.op {
	case v.op(Until):
		return v.make(Eventually, r)
	case v.op(StrongRelease):
		return v.make(Eventually, v.make(And, l, r))
	case v.op(WeakUntil):
		return v.make(Or, v.make(Eventually, r), v.make(Eventually, v.make(Always, l)))
	case v.op(Release):
		if l.class.Has(Boolean) && r.class.Has(Boolean) && !v.dual {
			return v.make(Or, v.make(Eventually, v.make(And, l, r)), v.make(Eventually, v.make(Always, r)))
		}
	}
	return nil
}

// eventuallyAlways rewrites F G f; the comments show the dual, G F f.
func (v view) eventuallyAlways(f *Formula) *Formula {
	fg := func(g *Formula) *Formula { return v.make(Eventually, v.make(Always, g)) }
	switch f.op {
	case v.op(Or):
		if g := v.stepOn(f.args); g != nil {
			return fg(g)
		}
		// G F(f & e) = G F f & G e, G F(f & u) = G F f & F u
		apart, rest := split(f.args, func(g *Formula) bool { return v.eventual(g) || v.universal(g) })
		if len(apart) == 0 {
			return nil
		}
		for i, g := range apart {
			if v.universal(g) {
				apart[i] = v.make(Eventually, g)
			} else {
				apart[i] = v.make(Always, g)
			}
		}
		return v.make(Or, append(apart, fg(v.make(Or, rest...)))...)
	case v.op(And):
		// G F(f | X g) = G F(f | F g) = G F(f | G F g) = G F(f | g)
		args := slices.Clone(f.args)
		changed := false
		for i, a := range args {
			switch {
			case a.op == Next, v.is(a, Always), v.isStepBack(a):
				args[i], changed = a.args[0], true
			case v.is(a, Eventually) && v.is(a.args[0], Always):
				args[i], changed = a.args[0].args[0], true
			}
		}
		if changed {
			return fg(v.make(And, args...))
		}
		if args := v.unlessRecurrent(f.args); args != nil {
			return fg(v.make(And, args...))
		}
	case Yesterday, WeakYesterday:
		if v.isStepBack(f) {
			return fg(f.args[0])
		}
	case v.op(Until):
		// G F(f R g) = G F(f & g) | F G g; in this view F G(f U g).
		return v.make(And, fg(v.make(Or, f.args...)), v.make(Always, v.make(Eventually, f.args[1])))
	}
	return nil
}

// unlessRecurrent is G F(f | (g & h)) = G F(f | g) if !F f => h, in the dual view as above: f comes
// again and again, or never more from some position on. It returns nil if that changes nothing.
func (v view) unlessRecurrent(args []*Formula) []*Formula {
	if !v.uses(RulesImplication) || len(args) > maxAbsorb {
		return nil
	}
	d := view{v.Simplifier, !v.dual}
	for i, f := range args {
		later := d.make(Eventually, f)
		for j, g := range args {
			if i == j || !d.is(g, And) {
				continue
			}
			if drop, rest := split(g.args, func(h *Formula) bool { return d.covers(later, h) }); len(drop) > 0 {
				return append(without(args, j), d.make(And, rest...))
			}
		}
	}
	return nil
}

// until rewrites l U r.
func (v view) until(l, r *Formula) *Formula {
	until := func(r *Formula) *Formula { return v.make(Until, l, r) }
	if v.eventual(r) {
		return r
	}
	if g := v.apart(r, until); g != nil {
		return g
	}
	if v.is(r, And) {
		if pulled, rest := split(r.args, v.both); len(pulled) > 0 {
			return v.make(And, append(pulled, until(v.make(And, rest...)))...)
		}
	}
	if g := v.untilNext(Until, StrongRelease, l, r); g != nil {
		return g
	}
	if v.uses(RulesBasic) {
		if rest, ok := v.removeFrom(And, r, l); ok {
			return v.make(StrongRelease, rest, l)
		}
		if rest, ok := v.removeFrom(Or, r, v.make(Always, l)); ok {
			return v.make(WeakUntil, l, rest)
		}
	}
	switch {
	case v.implies(l, r):
		return r
	case v.covers(l, r):
		return v.make(Eventually, r)
	case (v.is(r, Until) || v.is(r, WeakUntil) || v.is(r, Always)) && v.implies(l, r.args[0]):
		return r
	case v.is(r, Until) && v.implies(r.args[0], l):
		return until(r.args[1])
	case v.eventual(l) && v.implies(r, l):
		return v.make(Eventually, r)
	case v.putOff(l, r):
		return v.make(Eventually, r)
	}
	return v.untilSides(Until, l, r)
}

// untilNext pulls X out of l U r or l W r; inclusive is the M or R that belongs to the
// operator: X f U b = b | X(b M f), X f W b = b | X(b R f).
func (v view) untilNext(op, inclusive Op, l, r *Formula) *Formula {
	if !v.uses(RulesNext) {
		return nil
	}
	switch {
	case l.op == Next && r.op == Next:
		return MakeNext(v.make(op, l.args[0], r.args[0]))
	case l.op == Next && r.class.Has(Boolean):
		return v.make(Or, r, MakeNext(v.make(inclusive, r, l.args[0])))
	case r.op == Next && v.both(l):
		return MakeNext(v.make(op, l, r.args[0]))
	}
	return nil
}

// putOff reports whether r is g & e with !g => l: then the first position of g & e has
// l at all positions before.
func (v view) putOff(l, r *Formula) bool {
	if !v.is(r, And) {
		return false
	}
	late, rest := split(r.args, v.eventual)
	return len(late) > 0 && len(rest) > 0 && v.covers(l, v.make(And, rest...))
}

// untilSides simplifies one side of l U r or l W r by what the other implies.
func (v view) untilSides(op Op, l, r *Formula) *Formula {
	if !v.uses(RulesImplication) {
		return nil
	}
	if v.is(l, Until) || v.is(l, WeakUntil) {
		switch f, g := l.args[0], l.args[1]; {
		case (op == Until || v.is(l, WeakUntil)) && v.implies(r, g): // (f U g) U h = (f | g) U h if h => g
			return v.make(op, v.make(Or, f, g), r)
		case (op == WeakUntil || v.is(l, Until)) && v.implies(g, r): // (f U g) U h = (f U g) | h if g => h
			return v.make(Or, l, r)
		case v.implies(f, r): // (f U g) U h = g U h if f => h
			return v.make(op, g, r)
		}
	}
	if g := v.left(l, r); g != nil {
		return v.make(op, g, r)
	}
	if v.is(r, Or) && len(r.args) <= maxAbsorb { // f U (g | h) = f U h if g => f U h
		for i, g := range r.args {
			rest := v.make(op, l, v.make(Or, without(r.args, i)...))
			if v.implies(g, rest) {
				return rest
			}
		}
	}
	if len(r.args) > 0 && !v.is(r, Or) && v.implies(v.make(op, l, r), r) {
		return r
	}
	return nil
}

// weakUntil rewrites l W r.
func (v view) weakUntil(l, r *Formula) *Formula {
	weak := func(r *Formula) *Formula { return v.make(WeakUntil, l, r) }
	switch {
	case v.universal(l):
		return v.make(Or, l, r)
	case v.eventual(r) && !v.dual:
		return v.make(Or, v.make(Always, l), r)
	}
	if g := v.apart(r, weak); g != nil {
		return g
	}
	if g := v.untilNext(WeakUntil, Release, l, r); g != nil {
		return g
	}
	if v.uses(RulesBasic) {
		if rest, ok := v.removeFrom(And, r, l); ok {
			return v.make(Release, rest, l)
		}
		if rest, ok := v.removeFrom(Or, r, v.make(Always, l)); ok {
			return weak(rest)
		}
	}
	switch {
	case v.implies(l, r):
		return r
	case v.covers(l, r):
		return v.make(True)
	}
	return v.weakImplied(l, r)
}

// weakImplied applies the remaining implication rules to l W r.
func (v view) weakImplied(l, r *Formula) *Formula {
	switch {
	case (v.is(r, WeakUntil) || v.is(r, Always)) && v.implies(l, r.args[0]):
		return r
	case (v.is(r, WeakUntil) || v.is(r, Until)) && v.implies(r.args[0], l):
		return v.make(WeakUntil, l, r.args[1])
	}
	// f W (g | u) = f W g if u => f
	drop, rest := split(v.operands(Or, r), func(g *Formula) bool { return v.universal(g) && v.implies(g, l) })
	if len(drop) > 0 {
		return v.make(WeakUntil, l, v.make(Or, rest...))
	}
	return v.untilSides(WeakUntil, l, r)
}

// apart takes pure universalities out of the right side of R or M. Its dual does
// not help.
func (v view) apart(r *Formula, until func(*Formula) *Formula) *Formula {
	if !v.dual || !v.is(r, Or) {
		return nil
	}
	pulled, rest := split(r.args, v.eventual)
	if len(pulled) == 0 {
		return nil
	}
	return v.make(Or, append(pulled, until(v.make(Or, rest...)))...)
}

// left simplifies the left side of l U r or l W r, which matters only where r is
// false; it returns nil if there is nothing to do.
func (v view) left(l, r *Formula) *Formula {
	if !v.uses(RulesImplication) {
		return nil
	}
	switch l.op {
	case v.op(Or):
		drop, rest := split(l.args, func(g *Formula) bool { return v.implies(g, r) })
		if len(drop) > 0 {
			return v.make(Or, rest...)
		}
	case v.op(And):
		drop, rest := split(l.args, func(g *Formula) bool { return v.covers(g, r) })
		if len(drop) > 0 {
			return v.make(And, rest...)
		}
	}
	return nil
}

// removeFrom removes the operands of part (as an op) from those of f, and
// reports whether all were there and f has others as well.
func (v view) removeFrom(op Op, f, part *Formula) (*Formula, bool) {
	if !v.is(f, op) {
		return nil, false
	}
	remove := v.operands(op, part)
	if len(remove) >= len(f.args) {
		return nil, false
	}
	removed, rest := split(f.args, func(g *Formula) bool { return slices.Contains(remove, g) })
	if len(removed) != len(remove) {
		return nil, false
	}
	return v.make(op, rest...), true
}
