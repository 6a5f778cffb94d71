package encode

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/seltl/seltl/logic"
)

// Lift reads a formula over the variables of Numbers as one over those of Words: with
// the exact values that the words have, in operations so wide that nothing overflows.
// It says which formulas it cannot read.
func (e *Encoding) Lift(f *logic.Term) (*logic.Term, error) {
	l := &lifter{e: e, formulas: map[*logic.Term]*logic.Term{}, terms: map[*logic.Term]exact{}}
	t := l.formula(f)
	return t, l.err
}

// exact is a number as a signed word that it fits into.
type exact struct {
	t *logic.Term
	w int
}

type lifter struct {
	e        *Encoding
	formulas map[*logic.Term]*logic.Term
	terms    map[*logic.Term]exact
	err      error
}

func (l *lifter) fail(t *logic.Term) {
	if l.err == nil {
		l.err = fmt.Errorf("%s cannot be read over machine words", t)
	}
}

func (l *lifter) formula(f *logic.Term) *logic.Term {
	if known := l.formulas[f]; known != nil {
		return known
	}
	var args []*logic.Term
	out := logic.True()
	switch f.Op() {
	case logic.OpTrue, logic.OpFalse:
		out = f
	case logic.OpNot:
		out = logic.Not(l.formula(f.Args()[0]))
	case logic.OpAnd, logic.OpOr:
		for _, a := range f.Args() {
			args = append(args, l.formula(a))
		}
		if out = logic.And(args...); f.Op() == logic.OpOr {
			out = logic.Or(args...)
		}
	case logic.OpEq, logic.OpLe:
		if f.Args()[0].Sort() == logic.Bool {
			out = logic.Eq(l.formula(f.Args()[0]), l.formula(f.Args()[1]))
			break
		}
		x, y := same(l.sides(f))
		if out = logic.BVSLe(x.t, y.t); f.Op() == logic.OpEq {
			out = logic.Eq(x.t, y.t)
		}
	default:
		l.fail(f)
	}
	l.formulas[f] = out
	return out
}

// sides are what an atom compares, with what is subtracted on the other side: variables are
// compared as they are, without multiplying one by -1.
func (l *lifter) sides(f *logic.Term) (x, y exact) {
	_, sum, bound, _, ok := logic.LinearAtom(f)
	if !ok || !bound.IsInt() {
		return l.term(f.Args()[0]), l.term(f.Args()[1])
	}
	var left, right []exact
	for _, m := range sum.Terms {
		switch part := l.term(m.Term); {
		case !m.Coef.IsInt():
			l.fail(f)
		case m.Coef.Sign() > 0:
			left = append(left, part.times(m.Coef.Num()))
		default:
			right = append(right, part.times(new(big.Int).Neg(m.Coef.Num())))
		}
	}
	switch n := bound.Num(); {
	case n.Sign() > 0 || n.Sign() == 0 && len(right) == 0:
		right = append(right, exactNumber(n))
	case n.Sign() < 0 && len(right) == 0 && len(left) == 1:
		right = append(right, exactNumber(n))
	case n.Sign() < 0:
		left = append(left, exactNumber(new(big.Int).Neg(n)))
	}
	return total(left), total(right)
}

// times multiplies by a positive number.
func (x exact) times(n *big.Int) exact {
	if n.IsInt64() && n.Int64() == 1 {
		return x
	}
	y := exactNumber(n)
	w := x.w + y.w
	return exact{logic.BVOp(logic.OpBVMul, x.extend(w).t, y.extend(w).t), w}
}

// total adds, with as many bits as that takes; 0 of none.
func total(parts []exact) exact {
	if len(parts) == 0 {
		return exactNumber(new(big.Int))
	}
	w := 0
	for _, x := range parts {
		w = max(w, x.w)
	}
	w += bits.Len(uint(len(parts) - 1))
	sum := parts[0].extend(w).t
	for _, x := range parts[1:] {
		sum = logic.BVAdd(sum, x.extend(w).t)
	}
	return exact{sum, w}
}

// maxLift bounds the width of words that formulas are read over.
const maxLift = 1024

func (x exact) extend(w int) exact {
	if w > x.w {
		return exact{logic.SignExtend(x.t, w-x.w), w}
	}
	return x
}

func same(x, y exact) (exact, exact) {
	w := max(x.w, y.w)
	return x.extend(w), y.extend(w)
}

func (l *lifter) term(t *logic.Term) exact {
	if known, ok := l.terms[t]; ok {
		return known
	}
	out := l.compute(t)
	if out.t == nil || out.w > maxLift {
		l.fail(t)
		out = exact{logic.BVConst(new(big.Int), 8), 8}
	}
	l.terms[t] = out
	return out
}

func exactNumber(n *big.Int) exact {
	w := n.BitLen() + 1
	return exact{logic.BVConst(n, w), w}
}

func (l *lifter) compute(t *logic.Term) exact {
	switch t.Op() {
	case logic.OpVar:
		c := l.e.cells[t.Name()]
		if c == nil {
			return exact{}
		}
		x := c.variable(words{})
		if signed(c.t) {
			return exact{x, x.Sort().Width()}
		}
		return exact{logic.ZeroExtend(x, 1), x.Sort().Width() + 1}
	case logic.OpNumber:
		if !t.Num().IsInt() {
			return exact{}
		}
		return exactNumber(t.Num().Num())
	case logic.OpAdd:
		var parts []exact
		for _, a := range t.Args() {
			parts = append(parts, l.term(a))
		}
		return total(parts)
	case logic.OpMul:
		product := l.term(t.Args()[0])
		for _, a := range t.Args()[1:] {
			x := l.term(a)
			w := product.w + x.w
			product = exact{logic.BVOp(logic.OpBVMul, product.extend(w).t, x.extend(w).t), w}
		}
		return product
	case logic.OpIte:
		c := l.formula(t.Args()[0])
		x, y := same(l.term(t.Args()[1]), l.term(t.Args()[2]))
		return exact{logic.Ite(c, x.t, y.t), x.w}
	case logic.OpIntMod, logic.OpIntDiv:
		return l.divide(t)
	}
	return exact{}
}

// divide is Euclidean division by a positive number.
func (l *lifter) divide(t *logic.Term) exact {
	by := t.Args()[1]
	if by.Op() != logic.OpNumber || by.Num().Sign() <= 0 {
		return exact{}
	}
	x, y := same(l.term(t.Args()[0]), l.term(by))
	x, y = x.extend(x.w+1), y.extend(y.w+1)
	zero := logic.BVConst(new(big.Int), x.w)
	rest := logic.BVOp(logic.OpBVSRem, x.t, y.t)
	rest = logic.Ite(logic.BVSLt(rest, zero), logic.BVAdd(rest, y.t), rest)
	if t.Op() == logic.OpIntMod {
		return exact{rest, x.w}
	}
	return exact{logic.BVOp(logic.OpBVSDiv, logic.BVSub(x.t, rest), y.t), x.w}
}
