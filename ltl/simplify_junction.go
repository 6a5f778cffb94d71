package ltl

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// maxAbsorb bounds the operands of & and | that are compared pairwise.
const maxAbsorb = 300

// or rewrites a disjunction (in the dual view, a conjunction).
func (v view) or(f *Formula) *Formula {
	if v.uses(RulesImplication) && len(f.args) <= maxAbsorb {
		if g := v.absorb(f.args); g != nil {
			return g
		}
	}
	if v.uses(RulesBasic) {
		if g := v.fold(f); g != nil {
			return g
		}
	}
	if v.uses(RulesNext) {
		if g := v.mergeNext(f.args); g != nil {
			return g
		}
	}
	if g := v.mergePast(f.args); g != nil {
		return g
	}
	if v.uses(RulesInfinite) {
		// G e1 | G e2 = G(e1 | e2)
		merge := func(g *Formula) bool { return v.is(g, Always) && v.eventual(g.args[0]) }
		if g := v.mergeUnary(Always, f.args, merge); g != nil {
			return g
		}
	}
	if v.uses(RulesFactor) {
		if g := v.mergeEventually(f.args); g != nil {
			return g
		}
		if g := v.factor(f.args); g != nil {
			return g
		}
		if g := v.firstViolation(f.args); g != nil {
			return g
		}
		return v.weaken(f.args)
	}
	return nil
}

// absorb uses implications between two operands.
func (v view) absorb(args []*Formula) *Formula {
	var dropped []int
	for i, f := range args {
		for j, g := range args {
			if i == j || slices.Contains(dropped, j) {
				continue
			}
			// Of two equivalent operands the smaller stays, or the first.
			if v.implies(f, g) && (f.size > g.size || f.size == g.size && i > j || !v.implies(g, f)) {
				dropped = append(dropped, i)
				break
			}
			if i < j && v.covers(f, g) {
				return v.make(True)
			}
		}
	}
	if len(dropped) > 0 {
		return v.make(Or, without(args, dropped...)...)
	}
	return v.strengthen(args)
}

// strengthen is f | (g & h) = f | h if !f => g.
func (v view) strengthen(args []*Formula) *Formula {
	for i, f := range args {
		for j, g := range args {
			if i == j || !v.is(g, And) || f == g {
				continue
			}
			drop, rest := split(g.args, func(h *Formula) bool { return v.covers(f, h) })
			if len(drop) > 0 {
				return v.make(Or, append(without(args, j), v.make(And, rest...))...)
			}
		}
	}
	return nil
}

// fold undoes the expansion law: g | (f & X(f U g)) = f U g, also for W and F.
func (v view) fold(f *Formula) *Formula {
	for i, c := range f.args {
		conjuncts := v.operands(And, c)
		for k, x := range conjuncts {
			if x.op != Next {
				continue
			}
			h := x.args[0]
			var left, right *Formula
			switch h.op {
			case v.op(Until), v.op(WeakUntil):
				left, right = h.args[0], h.args[1]
			case v.op(Eventually):
				left, right = v.make(True), h.args[0]
			default:
				continue
			}
			if v.make(And, without(conjuncts, k)...) != left {
				continue
			}
			// The disjuncts of g must stand beside f & X(f U g).
			if !slices.ContainsFunc(v.operands(Or, right), func(g *Formula) bool {
				return g == c || !slices.Contains(f.args, g)
			}) {
				_, rest := split(f.args, func(g *Formula) bool { return slices.Contains(v.operands(Or, right), g) })
				rest = slices.DeleteFunc(rest, func(g *Formula) bool { return g == f.args[i] })
				return v.make(Or, append(rest, h)...)
			}
		}
	}
	return nil
}

// mergeNext is X f | X g = X(f | g) and, not dually, X f | q = X(f | q).
func (v view) mergeNext(args []*Formula) *Formula {
	next, rest := split(args, func(g *Formula) bool { return g.op == Next })
	if len(next) == 0 {
		return nil
	}
	var inner []*Formula
	if !v.dual {
		inner, rest = split(rest, v.both)
	}
	if len(next)+len(inner) < 2 {
		return nil
	}
	for _, g := range next {
		inner = append(inner, g.args[0])
	}
	return v.make(Or, append(rest, MakeNext(v.make(Or, inner...)))...)
}

// mergeUnary merges the operands op f, op g, ... for which yes holds.
func (v view) mergeUnary(op Op, args []*Formula, yes func(*Formula) bool) *Formula {
	in, out := split(args, yes)
	if len(in) < 2 {
		return nil
	}
	inner := lists.Map(in, func(g *Formula) *Formula { return g.args[0] })
	return v.make(Or, append(out, v.make(op, v.make(Or, inner...)))...)
}

// mergeEventually is F f | F g = F(f | g) and, not dually, F f | q = F(f | q).
func (v view) mergeEventually(args []*Formula) *Formula {
	if v.dual {
		// G e stays apart.
		return v.mergeUnary(Eventually, args, func(g *Formula) bool { return v.is(g, Eventually) && !v.both(g) })
	}
	in, out := split(args, func(g *Formula) bool { return v.is(g, Eventually) })
	if len(in) == 0 {
		return nil
	}
	inner, out := split(out, v.both)
	if len(in)+len(inner) < 2 {
		return nil
	}
	for _, g := range in {
		inner = append(inner, g.args[0])
	}
	return v.make(Or, append(out, v.make(Eventually, v.make(Or, inner...)))...)
}

// factor merges binary operators that share a side:
// (f U g) | (f U h) = f U (g | h), (f R g) | (h R g) = (f | h) R g, and G with
// both: (f U g) | G f = f W g, (f M g) | G g = f R g.
func (v view) factor(args []*Formula) *Formula {
	first := map[*Formula]int{} // operand by left side of U or W
	second := map[*Formula]int{}
	for i, f := range args {
		switch f.op {
		case v.op(Until), v.op(WeakUntil):
			j, ok := first[f.args[0]]
			if !ok {
				first[f.args[0]] = i
				continue
			}
			op := v.weaker(WeakUntil, Until, f, args[j])
			merged := v.make(op, f.args[0], v.make(Or, f.args[1], args[j].args[1]))
			return v.make(Or, append(without(args, i, j), merged)...)
		case v.op(Release), v.op(StrongRelease):
			j, ok := second[f.args[1]]
			if !ok {
				second[f.args[1]] = i
				continue
			}
			op := v.weaker(Release, StrongRelease, f, args[j])
			merged := v.make(op, v.make(Or, f.args[0], args[j].args[0]), f.args[1])
			return v.make(Or, append(without(args, i, j), merged)...)
		}
	}
	for i, f := range args {
		if !v.is(f, Always) {
			continue
		}
		if j, ok := first[f.args[0]]; ok {
			return v.make(Or, append(without(args, i, j), v.make(WeakUntil, args[j].args...))...)
		}
		if j, ok := second[f.args[0]]; ok {
			return v.make(Or, append(without(args, i, j), v.make(Release, args[j].args...))...)
		}
	}
	return nil
}

// weaker returns weak if one of f and g has that operator, else strong.
func (v view) weaker(weak, strong Op, f, g *Formula) Op {
	if v.is(f, weak) || v.is(g, weak) {
		return weak
	}
	return strong
}

// firstViolation is G f | F(g & e) = f W (g & e) if !f => g: where f is first violated, g
// holds, and so does e if F(g & e) does.
func (v view) firstViolation(args []*Formula) *Formula {
	if !v.uses(RulesImplication) || len(args) > maxAbsorb {
		return nil
	}
	for i, a := range args {
		if !v.is(a, Always) {
			continue
		}
		for j, b := range args {
			if v.is(b, Eventually) && v.is(b.args[0], And) && v.putOff(a.args[0], b.args[0]) {
				return v.make(Or, append(without(args, i, j), v.make(WeakUntil, a.args[0], b.args[0]))...)
			}
		}
	}
	return nil
}

// weaken is e | (f R g) = e | G g and e | (g W f) = e | G g if f => e.
func (v view) weaken(args []*Formula) *Formula {
	if len(args) > maxAbsorb {
		return nil
	}
	for i, e := range args {
		if !v.eventual(e) {
			continue
		}
		for j, f := range args {
			if i == j {
				continue // f may be eventual itself, and its end may imply it
			}
			var end, stay *Formula
			switch f.op {
			case v.op(Release):
				end, stay = f.args[0], f.args[1]
			case v.op(WeakUntil):
				stay, end = f.args[0], f.args[1]
			default:
				continue
			}
			if v.implies(end, e) {
				return v.make(Or, append(without(args, j), v.make(Always, stay))...)
			}
		}
	}
	return nil
}
