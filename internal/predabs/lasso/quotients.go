package lasso

import (
	"fmt"
	"math/big"

	"github.com/seltl/seltl/logic"
)

// Quotients, remainders and products of words are what solvers that work bit by bit are
// worst at, and ranking functions of loops that divide need little of them: that a remainder
// is smaller than the divisor, a quotient not larger than the dividend. So questions are asked
// with variables in their place first, of which such lemmas are known.

// abstraction replaces the quotients, remainders and products of some formulas, by exact
// terms where they are by powers of two.
type abstraction struct {
	by     map[*logic.Term]*logic.Term // what stands for terms
	order  []*logic.Term               // those that variables stand for
	lemmas []*logic.Term
}

// abstracted returns the formulas in which variables stand for such terms, nil if there
// are none.
func abstracted(fs []*logic.Term) (*abstraction, []*logic.Term) {
	a := &abstraction{by: map[*logic.Term]*logic.Term{}}
	done := map[*logic.Term]bool{}
	for _, f := range fs {
		a.visit(f, done)
	}
	if len(a.by) == 0 {
		return nil, fs
	}
	return a, a.all(fs)
}

// all replaces in all formulas; inner terms are replaced by what stands for the outer.
func (a *abstraction) all(fs []*logic.Term) []*logic.Term { return logic.SubstituteAll(fs, a.by) }

func (a *abstraction) visit(t *logic.Term, done map[*logic.Term]bool) {
	if done[t] {
		return
	}
	done[t] = true
	for _, x := range t.Args() {
		a.visit(x, done)
	}
	switch t.Op() {
	case logic.OpBVURem, logic.OpBVSRem, logic.OpBVUDiv, logic.OpBVSDiv, logic.OpBVMul:
	default:
		return
	}
	x, y := t.Args()[0], t.Args()[1]
	if t.Op() == logic.OpBVMul && (x.Op() == logic.OpNumber || y.Op() == logic.OpNumber) {
		return
	}
	if shifted := logic.ByShifts(t); shifted != nil {
		a.by[t] = logic.Substitute(shifted, a.by)
		return
	}
	v := logic.Var(fmt.Sprintf("quotient!%d", len(a.order)), t.Sort())
	x, y = logic.Substitute(x, a.by), logic.Substitute(y, a.by)
	a.by[t] = v
	a.order = append(a.order, t)
	a.lemmas = append(a.lemmas, lemmas(t.Op(), x, y, v)...)
}

// lemmas are what is known of v = x op y. Words are divided by zero as in
// SMT-LIB.
func lemmas(op logic.Op, x, y, v *logic.Term) []*logic.Term {
	w := x.Sort().Width()
	zero, one := logic.BVConst(new(big.Int), w), logic.BVConst(big.NewInt(1), w)
	divisor := logic.Ne(y, zero)
	size := func(t *logic.Term) *logic.Term { return logic.Ite(logic.BVSLt(t, zero), logic.BVNeg(t), t) }
	switch op {
	case logic.OpBVURem:
		return []*logic.Term{logic.Implies(divisor, logic.BVULt(v, y)), logic.BVULe(v, x), logic.Implies(logic.BVULt(x, y), logic.Eq(v, x))}
	case logic.OpBVSRem:
		return []*logic.Term{
			logic.Implies(divisor, logic.BVULt(size(v), size(y))), logic.BVULe(size(v), size(x)),
			logic.Or(logic.Eq(v, zero), logic.Eq(logic.BVSLt(v, zero), logic.BVSLt(x, zero))),
			logic.Implies(logic.BVULt(size(x), size(y)), logic.Eq(v, x)),
		}
	case logic.OpBVUDiv:
		return []*logic.Term{
			logic.Implies(divisor, logic.BVULe(v, x)), logic.Implies(logic.Eq(y, one), logic.Eq(v, x)),
			logic.Implies(logic.And(logic.BVULt(one, y), logic.Ne(x, zero)), logic.BVULt(v, x)),
		}
	case logic.OpBVSDiv:
		return []*logic.Term{
			logic.Implies(divisor, logic.BVULe(size(v), size(x))), logic.Implies(logic.Eq(y, one), logic.Eq(v, x)),
			logic.Implies(logic.And(logic.BVULt(one, size(y)), logic.Ne(x, zero)), logic.BVULt(size(v), size(x))),
			logic.Implies(logic.And(logic.BVSLt(zero, y), logic.BVSLe(zero, x)), logic.BVSLe(zero, v)),
			logic.Implies(logic.And(logic.BVSLt(zero, y), logic.BVSLe(x, zero)), logic.BVSLe(v, zero)),
		}
	}
	return nil
}

// real returns the model without the variables in place of terms, if it satisfies the
// formulas. If not, what it says of these is wrong: instances of what is right are added.
func (a *abstraction) real(m logic.Model, fs []*logic.Term) bool {
	ok := true
	for _, f := range fs {
		ok = ok && holdsIn(f, m)
	}
	if ok {
		return true
	}
	for _, t := range a.order {
		x, errx := logic.Eval(t.Args()[0], m)
		y, erry := logic.Eval(t.Args()[1], m)
		if errx != nil || erry != nil {
			continue
		}
		value := logic.BVOp(t.Op(), x.Term(), y.Term())
		operands := logic.SubstituteAll(t.Args(), a.by)
		a.lemmas = append(a.lemmas, logic.Implies(logic.And(logic.Eq(operands[0], x.Term()), logic.Eq(operands[1], y.Term())), logic.Eq(a.by[t], value)))
	}
	return false
}
