package fsp

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// LTSA's actions stand for the fluents "the last action is a". At the end of a
// run the last action stays the last one for ever, and SE-LTL has no event
// there. Instead of components that remember the last action, the temporal
// operators look at the positions of actions only: the last of these has the
// value that the formula keeps for ever. Let w be a run with the actions
// a0 ... an and then none, and w' the same followed by an for ever. For k <= n,
// kept(f) holds at position k of w iff f holds at position k of w'.

// ended holds at the positions behind the last action.
var ended = ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})

// keepLastAction rewrites an assertion so that the last action of a run that
// ends stays the last one. A run without any action has none: there the formula
// stands as it is. It gives f back where the end makes no difference to f.
func keepLastAction(f *ltl.Formula, mayStartEnded bool) *ltl.Formula {
	l := &lastAction{known: map[*ltl.Formula]*ltl.Formula{}, events: map[*ltl.Formula]bool{}, values: map[*ltl.Formula]truth{}}
	g := l.kept(f)
	if g == f || !mayStartEnded {
		return g
	}
	return ltl.MakeOr(ltl.MakeAnd(ended, f), ltl.MakeAnd(ltl.MakeNot(ended), g))
}

// lastAction remembers what it found out about subformulas.
type lastAction struct {
	known  map[*ltl.Formula]*ltl.Formula // results of keep
	events map[*ltl.Formula]bool
	values map[*ltl.Formula]truth // at the end
}

func (l *lastAction) kept(f *ltl.Formula) *ltl.Formula {
	if !l.hasEvents(f) {
		return f // fluents do not change any more
	}
	g, ok := l.known[f]
	if !ok {
		g = l.keep(f)
		l.known[f] = g
	}
	return g
}

// keep guards the operands of temporal operators against what they are worth
// behind the end, but only where that makes a difference, as the guards cost
// states of automata. Assertions have no past operators, which could tell positions behind the end
// from each other.
func (l *lastAction) keep(f *ltl.Formula) *ltl.Formula {
	switch f.Op() {
	case ltl.Atomic:
		return f
	case ltl.Next:
		// The position behind the last one is the last one again.
		g := l.kept(f.Left())
		return ltl.MakeOr(ltl.MakeAnd(ltl.MakeNext(ended), g), ltl.MakeNext(l.falseAtEnd(g)))
	case ltl.Always:
		return ltl.MakeAlways(l.trueAtEnd(l.kept(f.Left())))
	case ltl.Eventually:
		return ltl.MakeEventually(l.falseAtEnd(l.kept(f.Left())))
	case ltl.Until:
		return ltl.MakeUntil(l.kept(f.Left()), l.falseAtEnd(l.kept(f.Right())))
	case ltl.WeakUntil:
		left, right := l.kept(f.Left()), l.kept(f.Right())
		if l.valueAtEnd(right) != yes {
			left = l.trueAtEnd(left)
		}
		return ltl.MakeWeakUntil(left, right)
	case ltl.Release:
		return l.kept(ltl.MakeWeakUntil(f.Right(), ltl.MakeAnd(f.Left(), f.Right())))
	case ltl.StrongRelease:
		return l.kept(ltl.MakeUntil(f.Right(), ltl.MakeAnd(f.Left(), f.Right())))
	}
	if f.IsPast() {
		panic("fsp: a past operator in an assertion")
	}
	args := lists.Map(f.Args(), l.kept)
	return ltl.Make(f.Op(), args...)
}

// trueAtEnd returns a formula that is g at the positions of actions and, if it
// holds at the last of them, holds behind it.
func (l *lastAction) trueAtEnd(g *ltl.Formula) *ltl.Formula {
	if !l.hasEvents(g) || l.valueAtEnd(g) == yes {
		return g
	}
	return ltl.MakeOr(ended, g)
}

// falseAtEnd is the dual of trueAtEnd.
func (l *lastAction) falseAtEnd(g *ltl.Formula) *ltl.Formula {
	if !l.hasEvents(g) || l.valueAtEnd(g) == no {
		return g
	}
	return ltl.MakeAnd(ltl.MakeNot(ended), g)
}

func (l *lastAction) hasEvents(f *ltl.Formula) bool {
	has, ok := l.events[f]
	if !ok {
		has = f.Op() == ltl.Atomic && f.Atom().Kind == ltl.Event || slices.ContainsFunc(f.Args(), l.hasEvents)
		l.events[f] = has
	}
	return has
}

// truth is a value that may depend on fluents.
type truth int8

const (
	no    truth = -1
	maybe truth = 0
	yes   truth = 1
)

// valueAtEnd is the value of f behind the last action, where no event is true
// and nothing changes any more, for all values of the fluents.
func (l *lastAction) valueAtEnd(f *ltl.Formula) truth {
	v, ok := l.values[f]
	if !ok {
		v = l.evalAtEnd(f)
		l.values[f] = v
	}
	return v
}

func (l *lastAction) evalAtEnd(f *ltl.Formula) truth {
	arg := func(i int) truth { return l.valueAtEnd(f.Args()[i]) }
	switch f.Op() {
	case ltl.False:
		return no
	case ltl.True:
		return yes
	case ltl.Atomic:
		switch f.Atom().Kind {
		case ltl.Event:
			return no
		case ltl.Deadlock:
			return yes
		}
		return maybe
	case ltl.Not:
		return -arg(0)
	case ltl.Next, ltl.Always, ltl.Eventually:
		return arg(0)
	case ltl.Until, ltl.Release:
		return arg(1) // of f U g and f R g the value now is that of g
	case ltl.WeakUntil:
		return max(arg(0), arg(1))
	case ltl.StrongRelease:
		return min(arg(0), arg(1))
	case ltl.Implies:
		return max(-arg(0), arg(1))
	case ltl.Xor:
		return -arg(0) * arg(1)
	case ltl.Iff:
		return arg(0) * arg(1)
	}
	v := arg(0)
	for i := range f.Args() {
		if f.Op() == ltl.And {
			v = min(v, arg(i))
		} else {
			v = max(v, arg(i))
		}
	}
	return v
}
