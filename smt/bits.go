package smt

import (
	"fmt"

	"github.com/seltl/seltl/logic"
)

// A sum of many conditional numbers takes Z3 long, since it learns of each one's bounds
// only when it decides the condition. So every "if c then 1 else 0", which is what logic
// makes of conditional numbers, is sent as a number of its own with bounds: questions
// about hundreds of them are then decided by the simplex alone.
//
// Signed division by a power of two is done by a circuit that divides, while unsigned division
// becomes shifts. So such quotients and remainders are words of their own, too, which are what
// shifts make them: questions about them are decided hundreds of times faster.

// naming is a formula over such numbers, and what they stand for, operands before what
// uses them, each with its condition, or the shifts, over such numbers too.
type naming struct {
	formula          *logic.Term
	bits, conditions []*logic.Term
	text             string // of the formula, whose variables are declared then
}

// Most formulas are sent again. What is kept of them is bounded, in formulas and in bytes.
const (
	maxNamings = 1 << 14
	maxTexts   = 1 << 24
)

// textOf returns the text of a formula over such numbers; those that the child does not know
// in this scope are defined, and variables that it does not know are declared.
func (z *stack) textOf(f *logic.Term) string {
	n := z.namings[f]
	if n == nil {
		n = z.naming(f)
	}
	for i, t := range n.bits {
		z.define(t, n.conditions[i])
	}
	if n.text == "" {
		z.declare(n.formula)
		n.text = n.formula.Format(logic.SMTLIB)
		if z.texts += len(n.text); len(z.namings) >= maxNamings || z.texts > maxTexts {
			clear(z.namings)
			z.texts = len(n.text)
		}
		z.namings[f] = n
	}
	return n.text
}

func (z *stack) naming(f *logic.Term) *naming {
	n := &naming{formula: f}
	by := map[*logic.Term]*logic.Term{}
	seen := map[*logic.Term]bool{}
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if len(t.Args()) == 0 || seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args() {
			visit(a)
		}
		var is *logic.Term
		switch {
		case t.Op() == logic.OpFloat:
			is = t
		case isBit(t):
			is = t.Args()[0]
		default:
			if is = byShifts(t); is == nil {
				return
			}
		}
		n.bits, n.conditions = append(n.bits, t), append(n.conditions, substituted(is, by))
		by[t] = z.bit(t)
	}
	visit(f)
	if len(by) > 0 {
		n.formula = logic.Substitute(f, by)
	}
	return n
}

// substituted is a formula, or the operator of a word with operands, over such numbers.
func substituted(t *logic.Term, by map[*logic.Term]*logic.Term) *logic.Term {
	if t.Op() == logic.OpFloat {
		return logic.Rebuild(t, logic.SubstituteAll(t.Args(), by))
	}
	return logic.Substitute(t, by)
}

// byShifts returns a signed quotient or remainder by a power of two without division, nil for
// other terms.
func byShifts(t *logic.Term) *logic.Term {
	if t.Op() != logic.OpBVSDiv && t.Op() != logic.OpBVSRem {
		return nil
	}
	return logic.ByShifts(t)
}

// isBit recognises "if c then 1 else 0".
func isBit(t *logic.Term) bool {
	return t.Op() == logic.OpIte && t.Sort().Arithmetic() && t.Args()[1] == number(1, t.Sort()) && t.Args()[2] == number(0, t.Sort())
}

func number(n int64, s *logic.Sort) *logic.Term {
	return logic.Number(logic.IntConst(n).Num(), s)
}

// bit returns the number that stands for t.
func (z *stack) bit(t *logic.Term) *logic.Term {
	v := z.bits[t]
	if v == nil {
		z.proxies++
		v = logic.Var(fmt.Sprintf("seltl!if%d", z.proxies), t.Sort())
		z.bits[t] = v
	}
	return v
}

// define tells the child what the number for t is, "if c then 1 else 0" or the word c, unless it
// knows.
func (z *stack) define(t, c *logic.Term) {
	for _, fr := range z.frames {
		if fr.bits[t] {
			return
		}
	}
	top := &z.frames[len(z.frames)-1]
	if top.bits == nil {
		top.bits = map[*logic.Term]bool{}
	}
	top.bits[t] = true
	v := z.bits[t]
	if t.Op() == logic.OpFloat {
		z.defineFloat(v, c)
		return
	}
	var all []*logic.Term
	if !isBit(t) {
		all = []*logic.Term{logic.Eq(v, c)}
	} else {
		zero, one := number(0, t.Sort()), number(1, t.Sort())
		all = []*logic.Term{logic.Ge(v, zero), logic.Le(v, one), logic.Or(logic.Not(c), logic.Eq(v, one)), logic.Or(c, logic.Eq(v, zero))}
	}
	for _, f := range all {
		z.declare(f)
		fmt.Fprintf(&z.pending, "(assert %s)\n", f.Format(logic.SMTLIB))
	}
}
