package facts

import (
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// frame numbers the variables of a system: numbers, and Booleans and machine words.
type frame struct {
	numbers, others []*logic.Term
	dim, other      map[*logic.Term]int
}

func newFrame(sys *program.System) *frame {
	f := &frame{dim: map[*logic.Term]int{}, other: map[*logic.Term]int{}}
	for _, v := range sys.Vars {
		switch v.Sort().Kind() {
		case logic.IntKind, logic.RealKind:
			f.dim[v] = len(f.numbers)
			f.numbers = append(f.numbers, v)
		case logic.BoolKind, logic.BitVecKind:
			f.other[v] = len(f.others)
			f.others = append(f.others, v)
		}
	}
	return f
}

// step is an edge, or an initial region, as the domains see it. Dimensions are the
// numbers of the frame, and behind them those that only the step has: inputs, and one for
// each part that is not linear.
type step struct {
	from, to int                 // locations; from is -1 for an initial region
	ints     []bool              // by dimension
	others   []*logic.Sort       // those of the frame, then inputs
	place    map[*logic.Term]int // of variables among others
	guard    *condition          // weaker than the guard, if at all
	assign   []assignment
}

// assignment to a number (value, or any if it is nil), a Boolean (yes where it becomes
// true, no where false) or a word.
type assignment struct {
	dim     int // of numbers, or of others
	value   *linear
	yes, no *condition
	word    *logic.Term
}

func (a assignment) numeric() bool { return a.yes == nil && a.word == nil }

type kind uint8

const (
	all     kind = iota // of args
	some                // of args
	compare             // constraint
	truth               // of a Boolean, or its negation
	words               // the formula compares words
	product             // dim = x*y
)

// condition is a formula for domains.
type condition struct {
	kind       kind
	args       []*condition
	constraint constraint
	dim        int
	negated    bool
	formula    *logic.Term
	x, y       linear
}

var always, never = &condition{kind: all}, &condition{kind: some}

// What is read of one step; the rest is any.
const (
	maxNodes = 2000
	maxTemps = 64
)

// stepReader reads commands into steps.
type stepReader struct {
	*frame
	s     *step
	temps map[*logic.Term]int // dimensions that only the step has
	defs  []*condition
	nodes int
}

// readStep reads the command of an edge, or an initial region as one that does nothing.
func (f *frame) readStep(from, to int, guard *logic.Term, update map[*logic.Term]*logic.Term) *step {
	s := &step{from: from, to: to, place: f.other}
	for _, v := range f.numbers {
		s.ints = append(s.ints, v.Sort() == logic.Int)
	}
	for _, v := range f.others {
		s.others = append(s.others, v.Sort())
	}
	r := &stepReader{frame: f, s: s, temps: map[*logic.Term]int{}}
	g := r.condition(guard)
	for _, v := range f.numbers {
		if e := update[v]; e != nil && e != v {
			a := assignment{dim: f.dim[v]}
			if l, ok := r.linear(e); ok {
				a.value = &l
			}
			s.assign = append(s.assign, a)
		}
	}
	for _, v := range f.others {
		e := update[v]
		switch {
		case e == nil || e == v:
		case v.Sort() == logic.Bool:
			s.assign = append(s.assign, assignment{dim: f.other[v], yes: r.condition(e), no: r.condition(logic.Not(e))})
		default:
			r.inputs(e)
			s.assign = append(s.assign, assignment{dim: f.other[v], word: e})
		}
	}
	s.guard = conjunction(append(r.defs, g)...)
	return s
}

// conjunction flattens, with what is no disjunction first.
func conjunction(cs ...*condition) *condition {
	out := &condition{kind: all}
	for _, c := range cs {
		if c.kind == all {
			out.args = append(out.args, c.args...)
		} else {
			out.args = append(out.args, c)
		}
	}
	slices.SortStableFunc(out.args, func(a, b *condition) int { return rank(a) - rank(b) })
	if len(out.args) == 1 {
		return out.args[0]
	}
	return out
}

func rank(c *condition) int {
	if c.kind == some {
		return 1
	}
	return 0
}

// condition returns one that holds wherever the formula does.
func (r *stepReader) condition(t *logic.Term) *condition {
	if r.nodes++; r.nodes > maxNodes {
		return always
	}
	switch t.Op() {
	case logic.OpTrue:
		return always
	case logic.OpFalse:
		return never
	case logic.OpAnd:
		var args []*condition
		for _, a := range t.Args() {
			args = append(args, r.condition(a))
		}
		return conjunction(args...)
	case logic.OpOr:
		out := &condition{kind: some}
		for _, a := range t.Args() {
			out.args = append(out.args, r.condition(a))
		}
		return out
	case logic.OpVar:
		return &condition{kind: truth, dim: r.place(t)}
	}
	return r.literal(t)
}

func (r *stepReader) literal(t *logic.Term) *condition {
	atom, negated := t, false
	if t.Op() == logic.OpNot {
		atom, negated = t.Args()[0], true
	}
	if op, sum, bound, _, ok := logic.LinearAtom(t); ok {
		l, ok := r.sum(sum)
		if !ok {
			return always
		}
		relations := map[logic.Op]relation{logic.OpEq: equal, logic.OpLe: atMost, logic.OpLt: below}
		relation := relations[op]
		if negated {
			relation = unequal // of an equality: others are negated away
		}
		return &condition{kind: compare, constraint: constrained(relation, l.minus(number(rational.Of(bound))))}
	}
	switch atom.Op() {
	case logic.OpVar:
		return &condition{kind: truth, dim: r.place(atom), negated: negated}
	case logic.OpEq:
		a, b := atom.Args()[0], atom.Args()[1]
		switch a.Sort().Kind() {
		case logic.BoolKind:
			if negated {
				a = logic.Not(a)
			}
			return r.condition(logic.Or(logic.And(a, b), logic.And(logic.Not(a), logic.Not(b))))
		case logic.BitVecKind:
			r.inputs(atom)
			return &condition{kind: words, formula: t}
		}
	case logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
		r.inputs(atom)
		return &condition{kind: words, formula: t}
	}
	return always
}

// place returns where a Boolean or a word is among others; a new place for an input.
func (r *stepReader) place(v *logic.Term) int {
	if i, ok := r.s.place[v]; ok {
		return i
	}
	if len(r.s.others) == len(r.others) {
		own := make(map[*logic.Term]int, len(r.other)+1)
		for u, i := range r.other {
			own[u] = i
		}
		r.s.place = own
	}
	r.s.place[v] = len(r.s.others)
	r.s.others = append(r.s.others, v.Sort())
	return r.s.place[v]
}

// inputs gives places to the words and Booleans of a term.
func (r *stepReader) inputs(t *logic.Term) {
	for _, v := range logic.Vars(t) {
		if k := v.Sort().Kind(); k == logic.BoolKind || k == logic.BitVecKind {
			r.place(v)
		}
	}
}

// linear reads a number; ok is false if there are too many parts that are not linear.
func (r *stepReader) linear(t *logic.Term) (linear, bool) { return r.sum(logic.LinearOf(t)) }

func (r *stepReader) sum(sum logic.Linear) (linear, bool) {
	out := number(rational.Of(sum.Const))
	for _, m := range sum.Terms {
		part, ok := r.part(m.Term)
		if !ok {
			return linear{}, false
		}
		out = out.plus(rational.Of(m.Coef), part)
	}
	return out, true
}

// part reads a term that is no sum.
func (r *stepReader) part(t *logic.Term) (linear, bool) {
	if d, ok := r.dim[t]; ok {
		return dimension(d), true
	}
	if t.Op() == logic.OpToReal {
		return r.linear(t.Args()[0])
	}
	if d, ok := r.temps[t]; ok {
		return dimension(d), true
	}
	if r.nodes++; r.nodes > maxNodes || len(r.temps) >= maxTemps {
		return linear{}, false
	}
	d := len(r.s.ints)
	r.temps[t] = d
	r.s.ints = append(r.s.ints, t.Sort() == logic.Int)
	r.define(d, t)
	return dimension(d), true
}

// define adds what is known of a part that is not linear.
func (r *stepReader) define(d int, t *logic.Term) {
	args := t.Args()
	switch t.Op() {
	case logic.OpIte:
		yes := conjunction(r.condition(args[0]), r.equals(d, args[1]))
		no := conjunction(r.condition(logic.Not(args[0])), r.equals(d, args[2]))
		r.defs = append(r.defs, &condition{kind: some, args: []*condition{yes, no}})
	case logic.OpMul:
		x, ok := r.linear(args[0])
		y, ok2 := r.linear(logic.Mul(args[1:]...))
		if ok && ok2 {
			r.defs = append(r.defs, &condition{kind: product, dim: d, x: x, y: y})
		}
	case logic.OpIntDiv, logic.OpIntMod:
		if args[1].Num() == nil || args[1].Num().Sign() == 0 {
			return
		}
		by := rational.Of(args[1].Num())
		// args[0] = by*quotient + rest with 0 <= rest < |by|.
		quotient := dimension(d)
		a, ok := r.linear(args[0])
		if t.Op() == logic.OpIntMod && ok {
			quotient, ok = r.linear(logic.IntDiv(args[0], args[1]))
		}
		if !ok {
			return
		}
		rest := a.plus(by.Neg(), quotient)
		if t.Op() == logic.OpIntMod {
			r.require(equal, dimension(d).minus(rest))
			rest = dimension(d)
		}
		r.require(atMost, rest.negated())
		r.require(atMost, rest.minus(number(by.Abs().Sub(one))))
	case logic.OpFloor:
		if a, ok := r.linear(args[0]); ok {
			r.require(atMost, dimension(d).minus(a))
			r.require(below, a.minus(dimension(d)).minus(number(one)))
		}
	}
}

func (r *stepReader) require(rel relation, l linear) {
	r.defs = append(r.defs, &condition{kind: compare, constraint: constrained(rel, l)})
}

// equals says that a dimension has the value of a term.
func (r *stepReader) equals(d int, t *logic.Term) *condition {
	l, ok := r.linear(t)
	if !ok {
		return always
	}
	return &condition{kind: compare, constraint: constrained(equal, dimension(d).minus(l))}
}
