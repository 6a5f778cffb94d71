package facts

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// frame numbers the variables of a system. Dimensions are its numbers, and behind them a
// column for each Boolean: 1 where it is true, 0 where it is not. Machine words stand apart.
type frame struct {
	numbers []*logic.Term // by dimension: variables; from columns on, (b ? 1 : 0)
	columns int
	words   []*logic.Term
	dim     map[*logic.Term]int // of numbers
	place   map[*logic.Term]int // of words
}

func newFrame(sys *program.System) *frame {
	f := &frame{dim: map[*logic.Term]int{}, place: map[*logic.Term]int{}}
	var columns []*logic.Term
	for _, v := range sys.Vars {
		switch v.Sort().Kind() {
		case logic.IntKind, logic.RealKind:
			f.numbers = append(f.numbers, v)
		case logic.BoolKind:
			columns = append(columns, column(v))
		case logic.BitVecKind:
			f.place[v] = len(f.words)
			f.words = append(f.words, v)
		}
	}
	f.columns = len(f.numbers)
	f.numbers = append(f.numbers, columns...)
	for d, v := range f.numbers {
		f.dim[v] = d
	}
	return f
}

// column is 1 where a formula holds, and 0 where it does not.
func column(t *logic.Term) *logic.Term {
	return logic.Ite(t, logic.IntConst(1), logic.IntConst(0))
}

// ints says which dimensions are integers.
func (f *frame) ints() []bool {
	return lists.Map(f.numbers, func(v *logic.Term) bool { return v.Sort() == logic.Int })
}

// isColumn reports that a dimension is that of a Boolean variable.
func (f *frame) isColumn(d int) bool { return d >= f.columns && d < len(f.numbers) }

// step is an edge, or an initial region, as the domains see it. Dimensions are the
// numbers of the frame, and behind them those that only the step has: inputs, and one for
// each part that is not linear.
type step struct {
	from, to int                 // locations; from is -1 for an initial region
	ints     []bool              // by dimension
	words    []*logic.Sort       // those of the frame, then inputs
	place    map[*logic.Term]int // of variables among words
	guard    *condition          // weaker than the guard, if at all
	assign   []assignment
}

// assignment to a dimension (value, or any if it is nil) or to a word.
type assignment struct {
	dim   int // or the place of a word
	value *linear
	word  *logic.Term
}

func (a assignment) numeric() bool { return a.word == nil }

type kind uint8

const (
	all     kind = iota // of args
	some                // of args
	compare             // constraint
	words               // the formula compares words
	product             // dim = x*y
)

// condition is a formula for domains.
type condition struct {
	kind       kind
	args       []*condition
	constraint constraint
	dim        int
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
	s := &step{from: from, to: to, place: f.place, ints: f.ints()}
	for _, v := range f.words {
		s.words = append(s.words, v.Sort())
	}
	r := &stepReader{frame: f, s: s, temps: map[*logic.Term]int{}}
	g := r.condition(guard)
	for d, v := range f.numbers {
		e := update[v]
		if d >= f.columns {
			if e = update[v.Args()[0]]; e != nil {
				e = column(e)
			}
		}
		if e != nil && e != v {
			a := assignment{dim: d}
			if l, ok := r.linear(e); ok {
				a.value = &l
			}
			s.assign = append(s.assign, a)
		}
	}
	for i, v := range f.words {
		if e := update[v]; e != nil && e != v {
			r.inputs(e)
			s.assign = append(s.assign, assignment{dim: i, word: e})
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
		args := lists.Append(nil, t.Args(), r.condition)
		return conjunction(args...)
	case logic.OpOr:
		out := &condition{kind: some}
		for _, a := range t.Args() {
			out.args = append(out.args, r.condition(a))
		}
		return out
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
		if l, ok := r.linear(column(t)); ok {
			return &condition{kind: compare, constraint: constrained(equal, l.minus(number(one)))}
		}
	case logic.OpEq:
		a, b := atom.Args()[0], atom.Args()[1]
		switch a.Sort().Kind() {
		case logic.BoolKind:
			if negated {
				a = logic.Not(a)
			}
			return r.same(a, b)
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

// same says that two formulas have one truth value: an equation of Booleans, and all
// cases of others.
func (r *stepReader) same(a, b *logic.Term) *condition {
	if isLiteral(a) && isLiteral(b) {
		x, ok := r.linear(column(a))
		y, ok2 := r.linear(column(b))
		if ok && ok2 {
			return &condition{kind: compare, constraint: constrained(equal, x.minus(y))}
		}
	}
	return r.condition(logic.Or(logic.And(a, b), logic.And(logic.Not(a), logic.Not(b))))
}

// isLiteral reports a Boolean variable or the negation of one.
func isLiteral(t *logic.Term) bool {
	return t.Op() == logic.OpVar || t.Op() == logic.OpNot && t.Args()[0].Op() == logic.OpVar
}

// inputs gives places to the words of a term that have none, which are inputs.
func (r *stepReader) inputs(t *logic.Term) {
	for _, v := range logic.Vars(t) {
		if _, ok := r.s.place[v]; ok || v.Sort().Kind() != logic.BitVecKind {
			continue
		}
		if len(r.s.words) == len(r.words) {
			r.s.place = maps.Clone(r.frame.place)
		}
		r.s.place[v] = len(r.s.words)
		r.s.words = append(r.s.words, v.Sort())
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
	if t.Op() == logic.OpIte {
		if l, ok := r.choice(t); ok {
			return l, true
		}
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

// choice reads (b ? s : t) where s - t is a number: then it is t and that many of b's column.
func (r *stepReader) choice(t *logic.Term) (linear, bool) {
	args := t.Args()
	bit := column(args[0])
	if bit == t {
		return linear{}, false
	}
	x, ok := r.linear(args[1])
	y, ok2 := r.linear(args[2])
	difference := x.minus(y)
	if !ok || !ok2 || len(difference.terms) > 0 {
		return linear{}, false
	}
	b, ok := r.part(bit)
	return y.plus(difference.c, b), ok
}

// define adds what is known of a part that is not linear.
func (r *stepReader) define(d int, t *logic.Term) {
	args := t.Args()
	switch t.Op() {
	case logic.OpIte:
		if args[0].Op() == logic.OpVar && t == column(args[0]) { // of an input
			r.require(atMost, dimension(d).negated())
			r.require(atMost, dimension(d).minus(number(one)))
			return
		}
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
