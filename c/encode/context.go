package encode

import (
	"fmt"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// refusal is what encoding panics with where a program cannot be encoded.
type refusal struct{ source.Diagnostic }

func refuse(span ir.Span, code, help, format string, args ...any) {
	panic(&refusal{source.Diagnostic{Span: span, Code: code, Message: fmt.Sprintf(format, args...), Help: help, Limit: true}})
}

// context encodes one step in one of its alternatives: which cell a pointer points to is
// decided by a script, whose alternatives are tried one after the other.
type context struct {
	b      *builder
	a      arithmetic
	span   ir.Span
	script []int // decisions
	arity  []int // how many each had
	at     int
	// branches is how many elements of an array are told apart by branches.
	branches int64

	guards  []*logic.Term
	inputs  []*logic.Term
	domains map[*logic.Term]*logic.Term // which values an input may have
	choices []*logic.Term               // inputs that package machine asks for, in its order
	owned   []ownAccess
	// returned are those of them that are pointers which routines without a body return.
	returned []*logic.Term
	values   map[ir.Expr]value
	updates  map[*cell]*logic.Term
	fills    []fill
	lost     string
	called   bool              // it is lost by a call
	over     *Frame            // of a call that is passed over: the activation that it is like
	back     *Frame            // of a return, the activation, if its routine calls itself
	down     bool              // a routine is called again
	given    []*logic.Term     // of a call that is passed over: its arguments, nil for one that is no number
	result   *logic.Term       // of it, or of the return; or nil
	env      map[*ir.Var]value // what variables of conditions have in this step
	// specified says that what is evaluated stands in the definition of a routine.
	specified bool
}

// fill gives all cells of a part of an object a value, whichever there will be.
type fill struct {
	spot spot
	size int64
	zero bool // or any
}

// lostWay ends an alternative that leaves what is modelled.
type lostWay struct{}

// lose ends the alternative: from here on anything may happen.
func (c *context) lose(format string, args ...any) {
	c.lost = fmt.Sprintf(format, args...)
	panic(lostWay{})
}

// decide takes one of n ways.
func (c *context) decide(n int) int {
	if c.at == len(c.script) {
		c.script, c.arity = append(c.script, 0), append(c.arity, n)
	}
	c.at++
	return c.script[c.at-1]
}

func (c *context) require(f *logic.Term) { c.guards = append(c.guards, f) }

// free is any value, which the encoding cannot say exactly.
func (c *context) free(t *ir.Type) *logic.Term {
	return c.input(fmt.Sprintf("any!%d", len(c.inputs)), t, 0)
}

func (c *context) input(name string, t *ir.Type, bits int) *logic.Term {
	x := logic.Var(name, c.a.sort(t))
	c.inputs, c.domains[x] = append(c.inputs, x), c.a.domain(t, x, bits)
	return x
}

// choice is any value, which the program leaves open.
func (c *context) choice(t *ir.Type, bits int) value {
	x := c.input(fmt.Sprintf("any!%d", len(c.inputs)), t, bits)
	c.choices = append(c.choices, x)
	return c.a.variable(t, x, bits)
}

// formula is the condition that a scalar is not 0.
func (c *context) formula(e ir.Expr) *logic.Term {
	if b, ok := e.(*ir.Binary); ok && b.Op >= ir.Eq {
		return c.compare(b)
	}
	c.looks(e)
	v := c.value(e)
	if v.cond != nil {
		return v.cond
	}
	yes := c.a.compare(ir.Ne, e.Type(), v, c.a.number(e.Type(), 0))
	if dead := c.danglesAt(e); !dead.IsFalse() {
		return logic.Or(logic.And(dead, c.either()), logic.And(logic.Not(dead), yes))
	}
	return yes
}

// value encodes a scalar expression: the same one always has the same value in a step, all
// of which happens at once.
func (c *context) value(e ir.Expr) value {
	v, known := c.values[e]
	if !known {
		v = c.encode(e)
		c.values[e] = v
	}
	return v
}

func (c *context) encode(e ir.Expr) value {
	switch e := e.(type) {
	case *ir.Const:
		return c.a.number(e.T, e.Bits)
	case *ir.Load:
		return c.load(e.From)
	case *ir.Addr:
		base, t, of := c.baseOf(e.Of)
		return c.kept(c.addressOf(e.Of), base, t, of)
	case *ir.FuncAddr:
		return c.a.number(e.T, c.b.mem.ofFunc(e.Func).base)
	case *ir.Unary:
		if float(e.X.Type()) {
			return c.unaryFloat(e)
		}
		return c.a.unary(e.Op, e.X.Type(), c.plain(e.X))
	case *ir.Binary:
		return c.binary(e)
	case *ir.Convert:
		from := e.X.Type()
		if float(from) || float(e.T) {
			return c.convertFloat(e)
		}
		v := c.value(e.X)
		if !keepsAddress(from, e.T) && c.address(e.X) {
			return c.any(e.T)
		}
		if v.cond != nil {
			return c.a.truth(e.T, v.cond)
		}
		return c.a.convert(from, e.T, v)
	case *ir.Move:
		v := c.value(e.P)
		return c.kept(c.moved(v, e.T, e.By, e.Stride), v, e.T, c.b.pts.value(e.P))
	case *ir.Distance:
		word := e.T
		diff := c.a.binary(ir.Sub, word, c.value(e.P), c.value(e.Q), nil, nil)
		in := c.inside(e.P, e.Q)
		if in == nil {
			return c.any(word)
		}
		stride := c.a.number(word, uint64(e.Stride))
		if e.Stride > 1 { // what is no multiple has no value (C11 6.5.6, 9)
			rest := c.a.binary(ir.Rem, word, diff, stride, nil, nil)
			in = logic.And(in, c.a.compare(ir.Eq, word, rest, c.a.number(word, 0)))
		}
		return c.where(in, c.a.binary(ir.Div, word, diff, stride, nil, nil), word)
	}
	c.lose("an expression that has no value")
	return value{}
}

// moved adds a number of strides to an address.
func (c *context) moved(p value, t *ir.Type, by ir.Expr, stride int64) value {
	n := c.plain(by)
	if stride != 1 {
		n = c.a.binary(ir.Mul, by.Type(), n, c.a.number(by.Type(), uint64(stride)), nil, nil)
	}
	return c.a.binary(ir.Add, t, p, n, nil, nil)
}

func (c *context) binary(e *ir.Binary) value {
	if e.Op >= ir.Eq {
		return c.a.truth(e.T, c.compare(e))
	}
	if float(e.T) {
		return c.binaryFloat(e)
	}
	x, y := c.operands(e)
	t, yt := e.X.Type(), e.Y.Type()
	var ok *logic.Term
	why := "division by zero"
	switch e.Op {
	case ir.Div, ir.Rem:
		ok = c.a.compare(ir.Ne, t, y, c.a.number(t, 0))
		if signed(t) { // the smallest number by -1 has no result either
			least := c.a.compare(ir.Eq, t, x, c.a.number(t, ^uint64(0)<<(t.Width()-1)))
			minus := c.a.compare(ir.Eq, t, y, c.a.number(t, ^uint64(0)))
			ok, why = logic.And(ok, logic.Not(logic.And(least, minus))), "division by zero, or of the smallest number by -1"
		}
	case ir.Shl, ir.Shr:
		why = "a shift by more bits than there are"
		width := c.a.number(yt, uint64(t.Width()))
		ok = logic.And(c.a.compare(ir.Le, yt, c.a.number(yt, 0), y), c.a.compare(ir.Lt, yt, y, width))
	}
	if ok != nil && !constantRight(e, t) {
		if c.decide(2) == 1 {
			c.require(logic.Not(ok))
			c.lose("%s", why)
		}
		c.require(ok)
	}
	out := c.a.binary(e.Op, t, x, y, yt, func() *logic.Term { return c.free(t) })
	switch first, second := c.wholeAddress(e.X), c.wholeAddress(e.Y); {
	case (e.Op == ir.Add || e.Op == ir.Sub) && first && !second: // an address is moved
		return c.kept(out, x, t, c.b.pts.value(e.X))
	case e.Op == ir.Add && second && !first:
		return c.kept(out, y, t, c.b.pts.value(e.Y))
	}
	return out
}

// constantRight reports a right operand that every left one has a result with.
func constantRight(e *ir.Binary, t *ir.Type) bool {
	n, ok := e.Y.(*ir.Const)
	if !ok {
		return false
	}
	if e.Op == ir.Shl || e.Op == ir.Shr {
		return n.Bits < uint64(t.Width())
	}
	return n.Bits != 0 && int64(n.Bits) != -1
}

// baseOf is the address that a place is counted from, and where that may be.
func (c *context) baseOf(p ir.Place) (base value, t *ir.Type, of []target) {
	if p.Var != nil {
		o := c.b.mem.ofVar(p.Var)
		return c.placeIn(o, 0), c.b.pointer, []target{{o, 0}}
	}
	return c.value(p.Ptr), p.Ptr.Type(), c.b.pts.value(p.Ptr)
}

// addressOf is the address of a place.
func (c *context) addressOf(p ir.Place) value {
	word := c.b.word
	base, t, _ := c.baseOf(p)
	if p.Off != 0 {
		base = c.a.binary(ir.Add, t, base, c.a.number(word, uint64(p.Off)), nil, nil)
	}
	for _, i := range p.Index {
		base = c.moved(base, t, i.By, i.Stride)
	}
	return base
}
