package facts

import (
	"math/big"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
)

// Intervals of machine words, read as unsigned numbers.

// word returns the interval of a term over words: the whole range where an operation may
// wrap around.
func (v *intervals) word(s *step, x *box, t *logic.Term) interval {
	return v.wordWithin(s, x, t, maxWordDepth)
}

// maxWordDepth bounds how deep a term is looked into: parts may be shared.
const maxWordDepth = 12

func (v *intervals) wordWithin(s *step, x *box, t *logic.Term, depth int) interval {
	v.spend(2)
	full := whole(t.Sort())
	args := t.Args()
	switch {
	case t.Op() == logic.OpNumber:
		return between(rational.Of(t.Num()), rational.Of(t.Num()))
	case t.Op() == logic.OpVar:
		if i, ok := s.place[t]; ok {
			return x.words[i]
		}
		return full
	case depth == 0 || len(args) == 0:
		return full
	}
	sub := func(i int) interval { return v.wordWithin(s, x, args[i], depth-1) }
	out := full
	switch t.Op() {
	case logic.OpIte:
		a, b := sub(1), sub(2)
		out = interval{smaller(a.lo, b.lo), larger(a.hi, b.hi)}
	case logic.OpBVAdd:
		if args[0].Op() == logic.OpBVNeg {
			return v.difference(sub(1), v.wordWithin(s, x, args[0].Args()[0], depth-1), full)
		}
		if args[1].Op() == logic.OpBVNeg {
			return v.difference(sub(0), v.wordWithin(s, x, args[1].Args()[0], depth-1), full)
		}
		a, b := sub(0), sub(1)
		return within(interval{a.lo.plus(b.lo), a.hi.plus(b.hi)}, full)
	case logic.OpBVMul:
		out = sub(0).times(sub(1))
	case logic.OpBVAnd:
		out = interval{at(zero), smaller(sub(0).hi, sub(1).hi)}
	case logic.OpBVOr:
		out.lo = larger(sub(0).lo, sub(1).lo)
	case logic.OpBVUDiv:
		if a, b := sub(0), sub(1); b.lo.Sign() > 0 {
			out = between(a.lo.Quo(b.hi.Rat).Floor(), a.hi.Quo(b.lo.Rat).Floor())
		}
	case logic.OpBVURem:
		a, b := sub(0), sub(1)
		out.hi = a.hi // x urem 0 is x
		if b.lo.Sign() > 0 {
			out.hi = smaller(a.hi, at(b.hi.Sub(one)))
		}
	case logic.OpBVLShr:
		out.hi = sub(0).hi
	case logic.OpZeroExtend:
		out = sub(0)
	case logic.OpExtract:
		if _, lo := t.Params(); lo == 0 {
			out = sub(0)
		}
	}
	return within(out, full)
}

// difference is that of words where it cannot be negative.
func (v *intervals) difference(a, b, full interval) interval {
	return within(between(a.lo.Sub(b.hi.Rat), a.hi.Sub(b.lo.Rat)), full)
}

// within returns i if it is within the range, and the range else.
func within(i, full interval) interval {
	if !full.includes(i) {
		return full
	}
	return i
}

func smaller(a, b bound) bound {
	if a.Cmp(b.Rat) <= 0 {
		return a
	}
	return b
}

func larger(a, b bound) bound {
	if a.Cmp(b.Rat) >= 0 {
		return a
	}
	return b
}

// compareWords keeps what may satisfy a comparison; false if nothing does.
func (v *intervals) compareWords(s *step, x *box, f *logic.Term) bool {
	negated := f.Op() == logic.OpNot
	if negated {
		f = f.Args()[0]
	}
	ta, tb := f.Args()[0], f.Args()[1]
	a, b := v.word(s, x, ta), v.word(s, x, tb)
	op := f.Op()
	if op == logic.OpBVSLe || op == logic.OpBVSLt {
		// Words with the same sign are ordered as they are without; all others are left.
		half := rational.Of(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(ta.Sort().Width()-1))))
		negative := func(i interval) bool { return i.lo.Cmp(half) >= 0 }
		positive := func(i interval) bool { return i.hi.Cmp(half) < 0 }
		switch {
		case negative(a) && negative(b) || positive(a) && positive(b):
		case positive(a) && negative(b):
			return false
		default:
			return true
		}
		op = map[logic.Op]logic.Op{logic.OpBVSLe: logic.OpBVULe, logic.OpBVSLt: logic.OpBVULt}[op]
	}
	switch {
	case op == logic.OpEq && !negated:
		both := interval{larger(a.lo, b.lo), smaller(a.hi, b.hi)}
		return both.lo.Cmp(both.hi.Rat) <= 0 && v.keepWord(s, x, ta, both) && v.keepWord(s, x, tb, both)
	case op == logic.OpEq && a.single() && b.single():
		return a.lo.Cmp(b.lo.Rat) != 0
	case op == logic.OpEq && b.single():
		return v.keepWord(s, x, ta, without(a, b.lo.Rat))
	case op == logic.OpEq && a.single():
		return v.keepWord(s, x, tb, without(b, a.lo.Rat))
	case op == logic.OpBVULe || op == logic.OpBVULt:
		least, most := a.lo, b.hi
		if op == logic.OpBVULt {
			least, most = at(least.Add(one)), at(most.Sub(one))
		}
		return a.lo.Cmp(most.Rat) <= 0 && v.keepWord(s, x, ta, interval{a.lo, smaller(a.hi, most)}) &&
			v.keepWord(s, x, tb, interval{larger(b.lo, least), b.hi})
	}
	return true
}

// without takes a value away where it is a bound.
func without(i interval, value rational.Rat) interval {
	switch {
	case i.hi.Cmp(value) == 0:
		i.hi = at(value.Sub(one))
	case i.lo.Cmp(value) == 0:
		i.lo = at(value.Add(one))
	}
	return i
}

// keepWord bounds a variable; false if nothing is left.
func (v *intervals) keepWord(s *step, x *box, t *logic.Term, i interval) bool {
	if t.Op() == logic.OpVar {
		if d, ok := s.place[t]; ok {
			o := &x.words[d]
			o.lo, o.hi = larger(o.lo, i.lo), smaller(o.hi, i.hi)
			return o.lo.Cmp(o.hi.Rat) <= 0
		}
	}
	return i.lo.Cmp(i.hi.Rat) <= 0
}
