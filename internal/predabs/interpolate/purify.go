package interpolate

import (
	"fmt"
	"maps"
	"math/big"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// purify returns the path as commands only, Init and Error being guards of the first and
// the last, with conditional values, roundings and remainders by numbers written as
// inputs that the guards define, and updates of Booleans that are literals. Inputs are
// existential, so that formulas over the variables mean the same between the commands.
func purify(p *program.Path) []*program.Command {
	out := []*program.Command{pure(&program.Command{Guard: p.Init})}
	for _, c := range p.Steps {
		out = append(out, pure(c))
	}
	return append(out, pure(&program.Command{Guard: p.Error}))
}

func pure(c *program.Command) *program.Command {
	r := &purifier{done: map[*logic.Term]*logic.Term{}, quotients: map[[2]*logic.Term]*logic.Term{}}
	out := &program.Command{Guard: r.rewrite(c.Guard), Update: maps.Clone(c.Update)}
	for _, v := range sorted(c.Update) {
		e := r.rewrite(c.Update[v])
		if e.Sort() == logic.Bool && !plain(e) {
			b := r.fresh(logic.Bool)
			r.define(logic.Eq(b, e))
			e = b
		}
		out.Update[v] = e
	}
	out.Inputs = append(append(out.Inputs, c.Inputs...), r.inputs...)
	if len(r.definitions) > 0 {
		out.Guard = logic.And(append(r.definitions, out.Guard)...)
	}
	return out
}

// plain reports whether a Boolean is a variable, the negation of one, or a constant.
func plain(e *logic.Term) bool {
	if e.Op() == logic.OpNot {
		e = e.Args()[0]
	}
	return e.Op() == logic.OpVar || e.IsTrue() || e.IsFalse()
}

func sorted(update map[*logic.Term]*logic.Term) []*logic.Term {
	vars := make([]*logic.Term, 0, len(update))
	for v := range update {
		vars = append(vars, v)
	}
	return logic.Vars(vars...)
}

type purifier struct {
	inputs, definitions []*logic.Term
	done                map[*logic.Term]*logic.Term
	quotients           map[[2]*logic.Term]*logic.Term // by dividend and divisor
}

func (r *purifier) fresh(s *logic.Sort) *logic.Term {
	v := logic.Var(fmt.Sprintf("seltl!aux%d", len(r.inputs)), s)
	r.inputs = append(r.inputs, v)
	return v
}

func (r *purifier) define(f *logic.Term) { r.definitions = append(r.definitions, f) }

func (r *purifier) rewrite(t *logic.Term) *logic.Term {
	if len(t.Args()) == 0 {
		return t
	}
	if u := r.done[t]; u != nil {
		return u
	}
	args := make([]*logic.Term, len(t.Args()))
	changed := false
	for i, a := range t.Args() {
		args[i] = r.rewrite(a)
		changed = changed || args[i] != a
	}
	u := t
	if changed {
		u = logic.Rebuild(t, args)
	}
	if t.Op() == logic.OpIte {
		u = r.conditionals(u)
	} else {
		u = r.replace(u)
	}
	r.done[t] = u
	return u
}

// conditionals names the conditional numbers in a sum of them and pure terms, which is what
// a conditional number becomes when its values have something in common.
func (r *purifier) conditionals(t *logic.Term) *logic.Term {
	switch t.Op() {
	case logic.OpIte:
		return r.replace(t)
	case logic.OpAdd, logic.OpMul:
		args := lists.Map(t.Args(), r.conditionals)
		return logic.Rebuild(t, args)
	}
	return t
}

// replace names a term whose operands are pure.
func (r *purifier) replace(t *logic.Term) *logic.Term {
	args := t.Args()
	switch t.Op() {
	case logic.OpIte:
		if !t.Sort().Arithmetic() {
			return t
		}
		v := t
		if low, high := args[1].Num(), args[2].Num(); low != nil && high != nil {
			// One of two numbers stays a term, which steps that do not change its
			// condition have in common, and bounds spare most of the cases.
			if low.Cmp(high) > 0 {
				low, high = high, low
			}
			r.define(logic.Ge(v, logic.Number(low, t.Sort())))
			r.define(logic.Le(v, logic.Number(high, t.Sort())))
		} else {
			v = r.fresh(t.Sort())
		}
		r.define(logic.Or(logic.And(args[0], logic.Eq(v, args[1])), logic.And(logic.Not(args[0]), logic.Eq(v, args[2]))))
		return v
	case logic.OpFloor:
		v := r.fresh(logic.Int)
		r.define(logic.And(logic.Le(v, args[0]), logic.Lt(args[0], logic.Add(v, logic.IntConst(1)))))
		return v
	case logic.OpIntDiv, logic.OpIntMod:
		by := args[1].Num()
		if by == nil || by.Sign() == 0 {
			return t
		}
		q := r.quotients[[2]*logic.Term{args[0], args[1]}]
		rest := func() *logic.Term { return logic.Sub(args[0], logic.Scale(by, q)) }
		if q == nil {
			q = r.fresh(logic.Int)
			r.quotients[[2]*logic.Term{args[0], args[1]}] = q
			r.define(logic.Ge(rest(), logic.IntConst(0)))
			r.define(logic.Lt(rest(), logic.Number(new(big.Rat).Abs(by), logic.Int)))
		}
		if t.Op() == logic.OpIntDiv {
			return q
		}
		return rest()
	}
	return t
}
