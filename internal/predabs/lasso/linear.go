package lasso

import (
	"math/big"

	"github.com/seltl/seltl/logic"
)

// linear reads a term as a linear function as if nothing in it wrapped; what is not linear
// is a summand by itself. It is a guess: only proofs over the terms themselves count.
func linear(t *logic.Term, r Reading) Function {
	switch t.Sort() {
	case logic.Int:
		return linearInt(t)
	case logic.Real:
		f, _ := linearReal(t)
		return f
	}
	w := t.Sort().Width()
	switch t.Op() {
	case logic.OpNumber:
		n := new(big.Int).Set(t.Num().Num())
		if r == Signed && n.Bit(w-1) == 1 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		return constant(n)
	case logic.OpBVAdd:
		return addend(t.Args()[0], r).plus(1, addend(t.Args()[1], r))
	case logic.OpBVNeg:
		return constant(new(big.Int)).plus(-1, linear(t.Args()[0], r))
	case logic.OpBVMul:
		for i, c := range t.Args() {
			if n := linear(c, Signed); c.Op() == logic.OpNumber && n.Constant.IsInt64() {
				return constant(new(big.Int)).plus(n.Constant.Int64(), linear(t.Args()[1-i], r))
			}
		}
	case logic.OpSignExtend:
		return linear(t.Args()[0], Signed)
	case logic.OpZeroExtend:
		return linear(t.Args()[0], Unsigned)
	case logic.OpExtract:
		if _, lo := t.Params(); lo == 0 && t.Args()[0].Op() != logic.OpVar {
			return linear(t.Args()[0], r)
		}
	}
	return reading(t, r)
}

// addend reads a summand: numbers that are added are steps up or down, whichever is smaller.
func addend(t *logic.Term, r Reading) Function {
	if t.Op() == logic.OpNumber {
		return linear(t, Signed)
	}
	return linear(t, r)
}

func linearInt(t *logic.Term) Function {
	l := logic.LinearOf(t)
	if !l.Const.IsInt() {
		return reading(t, Signed)
	}
	f := constant(l.Const.Num())
	for _, m := range l.Terms {
		if !m.Coef.IsInt() || !m.Coef.Num().IsInt64() {
			return reading(t, Signed)
		}
		f = f.plus(m.Coef.Num().Int64(), reading(m.Term, Signed))
	}
	return f
}

// test is a literal as numbers: Sum >= 0, or Sum != 0.
type test struct {
	sum       Function
	different bool
}

// testsOf reads a literal; none if it compares no numbers.
func testsOf(literal *logic.Term) []test {
	negated := literal.Op() == logic.OpNot
	if negated {
		literal = literal.Args()[0]
	}
	x := literal.Args()
	if len(x) != 2 || !counts(x[0].Sort()) {
		return nil
	}
	difference := func(a, b *logic.Term, r Reading) Function {
		if a.Sort() == logic.Real { // one scale for both
			return linear(logic.Sub(b, a), r)
		}
		return linear(b, r).plus(-1, linear(a, r))
	}
	one := constant(big.NewInt(1))
	r, strict := Signed, false
	switch literal.Op() {
	case logic.OpEq:
		if !negated {
			d := difference(x[0], x[1], Signed)
			return []test{{sum: d}, {sum: constant(new(big.Int)).plus(-1, d)}}
		}
		return []test{{difference(x[0], x[1], Signed), true}, {difference(x[0], x[1], Unsigned), true}}
	case logic.OpLe, logic.OpBVSLe:
	case logic.OpBVSLt:
		strict = true
	case logic.OpBVULe:
		r = Unsigned
	case logic.OpBVULt:
		r, strict = Unsigned, true
	default:
		return nil
	}
	a, b := x[0], x[1]
	if negated {
		a, b, strict = b, a, !strict
	}
	d := difference(a, b, r)
	if strict && a.Sort() != logic.Real {
		d = d.plus(-1, one)
	}
	return []test{{sum: d}}
}
