package ltl

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// This file makes formulas with past operators ([LichtensteinPnueliZuck85]), which look at the
// positions from the first one of the word to the one where they stand.

// tense says which temporal operators are in a formula.
type tense uint8

const (
	looksBack  tense = 1 << iota // a past operator
	looksAhead                   // a future operator
)

func isPast(op Op) bool { return op >= Yesterday && op <= Triggered }

func isFuture(op Op) bool {
	return op >= Next && op <= StrongRelease || op == SuffixImplies || op == SuffixAnd
}

func tenseOf(op Op, args []*Formula) tense {
	var t tense
	for _, a := range args {
		t |= a.tense
	}
	switch {
	case isPast(op):
		t |= looksBack
	case isFuture(op):
		t |= looksAhead
	}
	return t
}

// HasPast reports whether f has a past operator. Its truth at a position then depends on the
// positions before, not only on the suffix that begins there.
func (f *Formula) HasPast() bool { return f.tense&looksBack != 0 }

// HasFuture reports whether f has a future operator. The truth of a formula without any is
// known from a prefix: the letters up to the position where it is asked for.
func (f *Formula) HasFuture() bool { return f.tense&looksAhead != 0 }

// IsPast reports whether the outermost operator is a past operator.
func (f *Formula) IsPast() bool { return isPast(f.op) }

// MakeYesterday returns Y f: there is a position before, and f holds there.
func MakeYesterday(f *Formula) *Formula {
	mustFormula(f)
	if f.op == False {
		return f
	}
	return intern(Yesterday, Atom{}, []*Formula{f})
}

// MakeWeakYesterday returns Z f = !Y !f: f holds at the position before, if there is one.
func MakeWeakYesterday(f *Formula) *Formula {
	mustFormula(f)
	if f.op == True {
		return f
	}
	return intern(WeakYesterday, Atom{}, []*Formula{f})
}

// MakeOnce returns O f: f holds now or did before, with O O f = O f.
func MakeOnce(f *Formula) *Formula {
	return idempotent(Once, f)
}

// MakeHistorically returns H f: f holds now and did always before, with H H f = H f.
func MakeHistorically(f *Formula) *Formula {
	return idempotent(Historically, f)
}

// MakeSince returns f S g: g holds now or did before, and f has held since then. f S f = f,
// and constants are evaluated.
func MakeSince(f, g *Formula) *Formula {
	return until(Since, Once, f, g)
}

// MakeTriggered returns f T g = !(!f S !g): g has held since f did, f's position included, or
// always.
func MakeTriggered(f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case g.op == True, g.op == False, f.op == True, f == g:
		return g
	case f.op == False:
		return MakeHistorically(g)
	}
	return intern(Triggered, Atom{}, []*Formula{f, g})
}

// makePast is Make for past operators.
func makePast(op Op, args []*Formula) *Formula {
	switch op {
	case Yesterday:
		return MakeYesterday(args[0])
	case WeakYesterday:
		return MakeWeakYesterday(args[0])
	case Once:
		return MakeOnce(args[0])
	case Historically:
		return MakeHistorically(args[0])
	case Since:
		return MakeSince(args[0], args[1])
	}
	return MakeTriggered(args[0], args[1])
}

// step is the operator for one step that a prefix operator looks at several positions by.
var step = map[Op]Op{
	Next: Next, Eventually: Next, Always: Next,
	Yesterday: Yesterday, Once: Yesterday, WeakYesterday: WeakYesterday, Historically: WeakYesterday,
}

func isStep(op Op) bool { return step[op] == op && op != False }

// Beginning holds at the first position only: !Y true.
func Beginning() *Formula { return MakeNot(MakeYesterday(trueFormula)) }

// Initially returns a formula that says of whole words what f says, with fewer past operators:
// at the first position Y f is false and O f is f, F(f & O g) is F(g & F f), and dually G(f | H g) is
// G(g | G f). At later positions the two may differ. As a tree it can be exponentially larger
// where S and T are nested.
func Initially(f *Formula) *Formula {
	mustFormula(f)
	return beginner{}.at(f)
}

// mostApart bounds the operands of | that F(p & (f | g)) is taken apart for.
const mostApart = 4

// beginner remembers what formulas say at the first position.
type beginner map[*Formula]*Formula

func (b beginner) at(f *Formula) *Formula {
	if !f.HasPast() {
		return f
	}
	g, ok := b[f]
	if !ok {
		g = b.first(f)
		b[f] = g
	}
	return g
}

func (b beginner) first(f *Formula) *Formula {
	switch f.op {
	case Yesterday:
		return falseFormula
	case WeakYesterday:
		return trueFormula
	case Once, Historically:
		return b.at(f.args[0])
	case Since, Triggered:
		return b.at(f.args[1])
	case Eventually:
		return b.eventually(f.args[0], false)
	case Always:
		return b.eventually(f.args[0], true)
	case Next, Until, WeakUntil, Release, StrongRelease, SuffixImplies, SuffixAnd:
		return f
	}
	args := lists.Map(f.args, b.at)
	return Make(f.op, args...)
}

// eventually is F f at the first position, or dually G f.
func (b beginner) eventually(f *Formula, dual bool) *Formula {
	op := func(op Op) Op {
		if dual {
			return dualOp[op]
		}
		return op
	}
	if isPast(f.op) {
		return b.turned(f, Constant(!dual), dual)
	}
	switch f.op {
	case op(And):
		past, rest := split(f.args, (*Formula).HasPast)
		if len(past) == 1 && isPast(past[0].op) {
			return b.turned(past[0], Make(op(And), rest...), dual)
		}
		if len(past) == 1 && past[0].op == op(Or) && len(past[0].args) <= mostApart {
			args := make([]*Formula, len(past[0].args))
			for i, a := range past[0].args {
				args[i] = b.eventually(Make(op(And), append(slices.Clone(rest), a)...), dual)
			}
			return Make(op(Or), args...)
		}
	case op(Or):
		past, rest := split(f.args, (*Formula).HasPast)
		if len(past) == 0 {
			break
		}
		args := []*Formula{Make(op(Eventually), Make(op(Or), rest...))}
		for _, a := range past {
			args = append(args, b.eventually(a, dual))
		}
		return Make(op(Or), args...)
	}
	return Make(op(Eventually), f)
}

// turned is F(p & f), or dually G(p | f), at the first position, where f begins with a past
// operator and p has none: from where f says that something was, p comes later. These are cases
// of the separation of [Gabbay87].
func (b beginner) turned(f, p *Formula, dual bool) *Formula {
	m := func(op Op, args ...*Formula) *Formula {
		if dual {
			op = dualOp[op]
		}
		return Make(op, args...)
	}
	op := f.op
	if dual {
		op = dualOp[op]
	}
	eventually := func(g, p *Formula) *Formula { return b.eventually(m(And, g, p), dual) }
	l, r := f.args[0], f.args[len(f.args)-1]
	since := func(l, r *Formula) *Formula { // F(p & (l S r))
		return eventually(r, m(Or, p, MakeNext(m(Until, l, m(And, l, p)))))
	}
	historically := func(g *Formula) *Formula { return m(Until, g, m(And, g, p)) }
	switch {
	case op == Yesterday:
		return eventually(l, MakeNext(p))
	case op == WeakYesterday:
		return m(Or, p, eventually(l, MakeNext(p)))
	case op == Once:
		return eventually(l, m(Eventually, p))
	case op == Historically && !l.HasPast():
		return historically(l)
	case op == Since && !l.HasPast():
		return since(l, r)
	case op == Triggered && !r.HasPast():
		return m(Or, historically(r), since(r, m(And, l, r)))
	}
	return m(Eventually, m(And, p, f))
}
