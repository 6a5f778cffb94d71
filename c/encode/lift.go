package encode

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Lift reads a formula over the variables of Numbers as one over those of Words: with
// the exact values that the words have, in operations so wide that nothing overflows.
// It says which formulas it cannot read. Variables that are none of Numbers are indices of arrays, as words.
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
	name     func(string) string // what variables stand for; nil: for themselves
}

// cell is what a variable stands for, nil if that is nothing of the program.
func (l *lifter) cell(name string) *cell {
	if l.name != nil {
		name = l.name(name)
	}
	return l.e.cells[name]
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
		if f.Args()[0].Sort().Kind() == logic.ArrayKind {
			l.fail(f)
			break
		}
		x, y := same(l.sides(f.Args()[0], f.Args()[1]))
		if out = logic.BVSLe(x.t, y.t); f.Op() == logic.OpEq {
			out = logic.Eq(x.t, y.t)
		}
	default:
		l.fail(f)
	}
	l.formulas[f] = out
	return out
}

// maxLift bounds the width of words that formulas are read over.
const maxLift = 1024

func (x exact) extend(w int) exact {
	if w > x.w {
		return exact{logic.SignExtend(x.t, w-x.w), w}
	}
	return x
}

// sides are two numbers whose order is that of x and y: what is subtracted on one side is
// added on the other, so that words need no signs where numbers have none.
func (l *lifter) sides(x, y *logic.Term) (left, right exact) {
	sums := [2][]exact{}
	add := func(t *logic.Term, side int) {
		if t.Op() == logic.OpNumber && t.Num().Sign() == 0 {
			return
		}
		t, negative := positive(t)
		if negative {
			side = 1 - side
		}
		sums[side] = append(sums[side], l.term(t))
	}
	for side, t := range []*logic.Term{x, y} {
		if t.Op() != logic.OpAdd {
			add(t, side)
			continue
		}
		for _, a := range t.Args() {
			add(a, side)
		}
	}
	return sumOf(sums[0]), sumOf(sums[1])
}

// positive takes the sign off an addend.
func positive(t *logic.Term) (*logic.Term, bool) {
	switch {
	case t.Op() == logic.OpNumber && t.Num().Sign() < 0:
		return logic.Neg(t), true
	case t.Op() == logic.OpMul && t.Args()[0].Op() == logic.OpNumber && t.Args()[0].Num().Sign() < 0:
		return logic.Neg(t), true
	}
	return t, false
}

// sumOf adds numbers in a width that suffices.
func sumOf(parts []exact) exact {
	if len(parts) == 0 {
		return exactNumber(new(big.Int))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	w := 0
	for _, x := range parts {
		w = max(w, x.w)
	}
	w += bits.Len(uint(len(parts)))
	sum := parts[0].extend(w).t
	for _, x := range parts[1:] {
		sum = logic.BVAdd(sum, x.extend(w).t)
	}
	return exact{sum, w}
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
		c := l.cell(t.Name())
		if c == nil && l.name == nil && t.Sort() == logic.Int { // universal: an index of arrays
			w := l.e.memory.pointer.Width()
			return exact{logic.Var(t.Name(), logic.BitVec(w)), w}
		}
		if c == nil {
			return exact{}
		}
		x := logic.Var(t.Name(), c.variable(l.e.memory, words{}).Sort())
		if c.run != nil {
			return exact{}
		}
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
		parts := lists.Append(nil, t.Args(), l.term)
		return sumOf(parts)
	case logic.OpMul:
		product := l.term(t.Args()[0])
		for i, a := range t.Args()[1:] {
			x := l.term(a)
			if n, ok := constantOf(value{t: t.Args()[0]}); ok && i == 0 {
				product = scaled(x, n)
				continue
			}
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
	case logic.OpSelect:
		return l.element(t)
	}
	return exact{}
}

// element is one of an array, at the index as a word.
func (l *lifter) element(t *logic.Term) exact {
	array, width := l.array(t.Args()[0])
	if array == nil {
		return exact{}
	}
	x := logic.Select(array.t, l.index(t.Args()[1], array.t))
	if width < 0 {
		return exact{x, -width}
	}
	return exact{logic.ZeroExtend(x, 1), width + 1}
}

// arrayTerm is an array over words.
type arrayTerm struct{ t *logic.Term }

// array reads an array: a cell, with elements replaced. The width of its elements is
// negative where they are signed.
func (l *lifter) array(t *logic.Term) (*arrayTerm, int) {
	switch t.Op() {
	case logic.OpVar:
		c := l.cell(t.Name())
		if c == nil || c.run == nil {
			return nil, 0
		}
		x := logic.Var(t.Name(), c.variable(l.e.memory, words{}).Sort())
		if width := x.Sort().Element().Width(); !signed(c.t) {
			return &arrayTerm{x}, width
		}
		return &arrayTerm{x}, -x.Sort().Element().Width()
	case logic.OpStore:
		a, width := l.array(t.Args()[0])
		if a == nil {
			return nil, 0
		}
		v := l.term(t.Args()[2])
		return &arrayTerm{logic.Store(a.t, l.index(t.Args()[1], a.t), resized(v, max(width, -width)))}, width
	}
	return nil, 0
}

// index is a number as an index of an array.
func (l *lifter) index(t, array *logic.Term) *logic.Term {
	return resized(l.term(t), array.Sort().Index().Width())
}

// resized is an exact number as a word of some width.
func resized(x exact, w int) *logic.Term {
	if x.w > w {
		return logic.Extract(x.t, w-1, 0)
	}
	return x.extend(w).t
}

// scaled is a multiple, by shifts where that is enough.
func scaled(x exact, n *big.Int) exact {
	m := new(big.Int).Abs(n)
	if m.Sign() == 0 || new(big.Int).And(m, new(big.Int).Sub(m, big.NewInt(1))).Sign() != 0 {
		c := exactNumber(n)
		w := x.w + c.w
		return exact{logic.BVOp(logic.OpBVMul, c.extend(w).t, x.extend(w).t), w}
	}
	if k := m.BitLen() - 1; k > 0 {
		x = exact{logic.Concat(x.t, logic.BVConst(new(big.Int), k)), x.w + k}
	}
	if n.Sign() < 0 {
		x = x.extend(x.w + 1)
		x.t = logic.BVNeg(x.t)
	}
	return x
}

// divide is Euclidean division by a positive number; by powers of 2 it takes bits.
func (l *lifter) divide(t *logic.Term) exact {
	by := t.Args()[1]
	if by.Op() != logic.OpNumber || by.Num().Sign() <= 0 {
		return exact{}
	}
	if n := by.Num().Num(); new(big.Int).And(n, new(big.Int).Sub(n, big.NewInt(1))).Sign() == 0 && n.BitLen() > 1 {
		k := n.BitLen() - 1
		x := l.term(t.Args()[0])
		x = x.extend(max(x.w, k+1))
		if t.Op() == logic.OpIntMod {
			return exact{logic.ZeroExtend(logic.Extract(x.t, k-1, 0), 1), k + 1}
		}
		return exact{logic.Extract(x.t, x.w-1, k), x.w - k}
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
