package program

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Acceleration does a command that leads from a location to itself several times in one
// step ([FinkelLeroux02]).
type Acceleration struct {
	// Command has one more input than the accelerated one, Count.
	Command *Command
	// Count is an Int of at least 1: a step with Count = n leads where n steps of the
	// command lead, all with the same inputs.
	Count *logic.Term
	// Exact: whatever steps the command does within this case, one after the other, are a
	// step of the acceleration. So two steps of the acceleration are one, too.
	Exact bool
}

const (
	countName = "@times"
	// maxCases bounds the cases of a command: disjuncts of its guard, and choices in its
	// updates.
	maxCases = 16
)

// Accelerate returns accelerations of a command: of each of its cases that has a closed
// form, by which some numbers x become x + c with every step and everything else either
// stays or is assigned what is made of these. Guards are linear there, or not changed
// by the step. There may be none. all says that every step of the command is a step, with
// the count 1, of one of them.
//
// Linear in the size of the command, and the number of its cases, which is at most 16.
func Accelerate(c *Command) (out []*Acceleration, all bool) {
	cases := casesOf(c)
	all = len(cases) > 0
	for _, one := range cases {
		l := newLoop(one)
		a := l.accelerate()
		all = all && a != nil && l.least == 1
		if a != nil {
			out = append(out, a)
		}
	}
	return out, all
}

// casesOf splits a command into commands whose guards are cubes and whose terms have no
// choices. nil if there are too many.
func casesOf(c *Command) (out []*Command) {
	todo := []*Command{c}
	for len(todo) > 0 {
		now := todo[0]
		todo = todo[1:]
		if cond := choice(now); cond != nil {
			todo = append(todo, now.choose(cond, true), now.choose(cond, false))
		} else {
			cubes, ok := logic.DNF(now.Guard, maxCases)
			if !ok {
				return nil
			}
			for _, cube := range cubes {
				out = append(out, &Command{Inputs: now.Inputs, Guard: logic.And(cube...), Update: now.Update})
			}
		}
		if len(todo)+len(out) > maxCases {
			return nil
		}
	}
	return out
}

// choice returns the condition of a choice in a command, nil if there is none.
func choice(c *Command) *logic.Term {
	formulas := []*logic.Term{c.Guard}
	for _, v := range sortedKeys(c.Update) {
		formulas = append(formulas, c.Update[v])
	}
	for t := range logic.Subterms(formulas...) {
		if t.Op() == logic.OpIte {
			return t.Args()[0]
		}
	}
	return nil
}

func sortedKeys(update map[*logic.Term]*logic.Term) []*logic.Term {
	keys := make([]*logic.Term, 0, len(update))
	for v := range update {
		keys = append(keys, v)
	}
	slices.SortFunc(keys, (*logic.Term).Compare)
	return keys
}

// choose returns the command where a condition, which some choice in it has, is yes.
func (c *Command) choose(cond *logic.Term, yes bool) *Command {
	by := map[*logic.Term]*logic.Term{cond: logic.BoolConst(yes)}
	out := &Command{Inputs: c.Inputs, Guard: logic.Substitute(c.Guard, by), Update: map[*logic.Term]*logic.Term{}}
	if !yes {
		cond = logic.Not(cond)
	}
	out.Guard = logic.And(out.Guard, cond)
	for v, e := range c.Update {
		out.Update[v] = logic.Substitute(e, by)
	}
	return out
}

// loop is a command with what a step of it does to variables.
type loop struct {
	*Command
	count *logic.Term
	by    map[*logic.Term]*big.Rat // of numbers that a step changes by a constant
	late  map[*logic.Term]bool     // of variables that are assigned something else
	moves map[*logic.Term]*big.Rat // what delta found; nil for "by no constant"
	least int64                    // a step of the acceleration is as many, or more
	exact bool
}

func newLoop(c *Command) *loop {
	l := &loop{Command: c, count: logic.Var(countName, logic.Int), by: map[*logic.Term]*big.Rat{}, late: map[*logic.Term]bool{}, moves: map[*logic.Term]*big.Rat{},
		least: 1, exact: len(c.Inputs) == 0}
	for v, e := range c.Update {
		switch {
		case e == v:
		case v.Sort().Arithmetic() && logic.Sub(e, v).Op() == logic.OpNumber:
			l.by[v] = logic.Sub(e, v).Num()
		default:
			l.late[v] = true
		}
	}
	return l
}

// delta returns by how much a step changes a term, which may be of any sort: 0 says not
// at all. nil: it is not known, or not always the same.
func (l *loop) delta(t *logic.Term) *big.Rat {
	if d, ok := l.moves[t]; ok {
		return d
	}
	d := l.change(t)
	l.moves[t] = d
	return d
}

func (l *loop) change(t *logic.Term) *big.Rat {
	switch args := t.Args(); {
	case t.Op() == logic.OpVar:
		if l.late[t] {
			return nil
		}
		if d := l.by[t]; d != nil {
			return d
		}
	case t.Op() == logic.OpAdd || t.Op() == logic.OpMul && args[0].Op() == logic.OpNumber:
		sum := new(big.Rat)
		for _, m := range logic.LinearOf(t).Terms {
			d := l.delta(m.Term)
			if d == nil {
				return nil
			}
			sum.Add(sum, new(big.Rat).Mul(m.Coef, d))
		}
		return sum
	case t.Op() == logic.OpToReal:
		return l.delta(args[0])
	case t.Op() == logic.OpIntMod && args[1].Op() == logic.OpNumber && args[1].Num().Sign() != 0:
		// The same remainder if what changes is a multiple of the divisor.
		if d := l.delta(args[0]); d == nil || !new(big.Rat).Quo(d, args[1].Num()).IsInt() {
			return nil
		}
	default:
		for _, a := range args {
			if d := l.delta(a); d == nil || d.Sign() != 0 {
				return nil
			}
		}
	}
	return new(big.Rat)
}

// after is a term after so many steps, which it says as count plus a number.
func (l *loop) after(t *logic.Term, plus int64) *logic.Term {
	d := l.delta(t)
	if d.Sign() == 0 {
		return t
	}
	n := logic.Add(l.count, logic.IntConst(plus))
	if t.Sort() == logic.Real {
		n = logic.ToReal(n)
	}
	return logic.Add(t, logic.Scale(d, n))
}

// accelerate returns nil if there is no closed form, or no number changes.
func (l *loop) accelerate() *Acceleration {
	if len(l.by) == 0 {
		return nil
	}
	update := map[*logic.Term]*logic.Term{}
	for v, e := range l.Update {
		switch {
		case !l.late[v]:
			update[v] = l.after(v, 0)
		case l.delta(e) == nil:
			return nil
		default: // what it was before the last step
			update[v] = l.after(e, -1)
		}
	}
	var guard []*logic.Term
	for _, g := range logic.Conjuncts(l.Guard) {
		if !slices.ContainsFunc(logic.Vars(g), func(v *logic.Term) bool { return l.late[v] }) {
			all := l.throughout(g, -1)
			if all == nil {
				return nil
			}
			guard = append(guard, all)
			continue
		}
		// It speaks of what is assigned: in the first step of what was there before, and
		// later of what the step before it made of that.
		l.least, l.exact = 2, false
		guard = append(guard, g)
		for _, h := range logic.Conjuncts(l.After(g)) {
			all := l.throughout(h, -2)
			if all == nil {
				return nil
			}
			guard = append(guard, all)
		}
	}
	all := logic.And(append(guard, logic.Ge(l.count, logic.IntConst(l.least)))...)
	if all.IsFalse() {
		return nil
	}
	return &Acceleration{Command: &Command{Inputs: append(slices.Clone(l.Inputs), l.count), Guard: all, Update: update}, Count: l.count, Exact: l.exact}
}

// throughout says that a literal holds now and after every step up to the one whose
// number is the count plus last, which is not negative. What changes by a constant is
// monotone: an inequality holds all the time if it does at one of the ends. nil if
// that cannot be said, or is true of no more than one step.
func (l *loop) throughout(g *logic.Term, last int64) *logic.Term {
	if d := l.delta(g); d != nil {
		return g
	}
	op, sum, bound, negated, ok := logic.LinearAtom(g)
	if !ok || op == logic.OpEq && !negated {
		return nil
	}
	sort := g.Args()[0].Sort()
	if negated {
		sort = g.Args()[0].Args()[0].Sort()
	}
	t, to := sum.Of(sort), logic.Number(bound, sort)
	d := l.delta(t)
	if d == nil {
		return nil
	}
	end := l.after(t, last)
	switch {
	case op == logic.OpEq && d.Sign() > 0:
		return l.misses(logic.Or(logic.Gt(t, to), logic.Lt(end, to)), t, to, d)
	case op == logic.OpEq:
		return l.misses(logic.Or(logic.Lt(t, to), logic.Gt(end, to)), t, to, d)
	case d.Sign() < 0:
		return g
	case op == logic.OpLe:
		return logic.Le(end, to)
	}
	return logic.Lt(end, to)
}

// misses adds to the two sides on which a number can stay that integers may jump over the
// one that it must not be.
func (l *loop) misses(sides, t, to *logic.Term, d *big.Rat) *logic.Term {
	l.exact = l.exact && t.Sort() == logic.Int
	if stride := new(big.Rat).Abs(d); t.Sort() == logic.Int && stride.Cmp(big.NewRat(1, 1)) != 0 {
		return logic.Or(sides, logic.Ne(logic.IntMod(logic.Sub(t, to), logic.Number(stride, logic.Int)), logic.IntConst(0)))
	}
	return sides
}
