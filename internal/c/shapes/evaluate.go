package shapes

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/c/ir"
)

// looked is the error that a segment is looked at: it has to be split first.
type looked struct {
	at   id
	last bool // from its end
}

func (e looked) Error() string { return "a segment is looked at" }

// errEnds: the run ends, without a failure.
var errEnds = errors.New("the run ends")

// gaveUp is why nothing is said.
type gaveUp struct {
	what string
	span ir.Span
}

func (e *gaveUp) Error() string {
	if !e.span.Valid() {
		return e.what
	}
	return fmt.Sprintf("%s (%s:%d)", e.what, e.span.File.Name(), e.span.Pos().Line)
}

// step evaluates and executes in one state.
type step struct {
	*state
	prog    *ir.Program
	globals map[*ir.Var]id
	indices map[*ir.Var]int // of parameters and locals, in frame.vars
	span    ir.Span
}

func (s *step) giveUp(format string, args ...any) error {
	return &gaveUp{fmt.Sprintf(format, args...), s.span}
}

// spot is a place that is found: bytes of an object. Where an index is not a number, these are all bytes where it
// may be, and wide is set.
type spot struct {
	at       id
	off, end int64 // from where to where
	wide     bool
}

// object is that of a variable.
func (s *step) object(v *ir.Var) id {
	if v.Kind == ir.Global {
		return s.globals[v]
	}
	return s.top().vars[s.indices[v]]
}

// shift are the least and the largest offset that the indices of a place add.
func (s *step) shift(p ir.Place) (low, high int64, err error) {
	low, high = p.Off, p.Off
	for _, i := range p.Index {
		by, err := s.eval(i.By)
		if err != nil {
			return 0, 0, err
		}
		n := s.of(by, i.By.Type())
		const far = 1 << 24
		switch {
		case !n.known || n.low < -far || n.high > far || i.Stride > far:
			return 0, 0, s.giveUp("an index is not known")
		case i.Len >= 0 && (n.low < 0 || n.high > i.Len):
			return 0, 0, s.giveUp("an index may be outside of its array")
		case i.Stride >= 0:
			low, high = low+n.low*i.Stride, high+n.high*i.Stride
		default:
			low, high = low+n.high*i.Stride, high+n.low*i.Stride
		}
	}
	return low, high, nil
}

// locate finds a place, whose bytes are all in a object that lives.
func (s *step) locate(p ir.Place) (spot, error) {
	if p.Type.Size < 0 {
		return spot{}, s.giveUp("something of an unknown size is accessed")
	}
	at, base := id(-1), int64(0)
	if p.Var != nil {
		at = s.object(p.Var)
	} else {
		v, err := s.eval(p.Ptr)
		if err != nil {
			return spot{}, err
		}
		switch {
		case v.kind == number && v.bits == 0:
			if low, high, err := s.shift(p); err != nil || low != high {
				return spot{}, s.giveUp("an address may be computed from null")
			}
			if s.prog.Checks(ir.CheckNull) {
				return spot{}, s.giveUp("null may be dereferenced")
			}
			return spot{}, errEnds
		case v.kind != address:
			return spot{}, s.giveUp("it is not known where a pointer points to")
		case s.objects[v.at].folded():
			return spot{}, looked{v.at, v.last}
		}
		at, base = v.at, v.off
	}
	low, high, err := s.shift(p)
	if err != nil {
		return spot{}, err
	}
	x := spot{at, base + low, base + high + p.Type.Size, low != high}
	if o := s.objects[at]; x.off < 0 || x.end > o.size {
		return spot{}, s.giveUp("an access may be outside of its object")
	}
	return x, nil
}

// eval computes a scalar expression.
func (s *step) eval(e ir.Expr) (value, error) {
	switch e := e.(type) {
	case *ir.Const:
		return numeral(e.Bits), nil
	case *ir.Load:
		return s.load(e.From)
	case *ir.Addr:
		return s.address(e)
	case *ir.FuncAddr:
		return value{kind: routine, f: e.Func}, nil
	case *ir.Unary:
		x, err := s.eval(e.X)
		switch t := e.X.Type(); {
		case err != nil:
			return x, err
		case t.FloatingPoint():
			return s.fresh(anything), nil
		case x.kind == number:
			return numeral(ir.EvalUnary(e.Op, t, x.bits)), nil
		case e.Op == ir.Neg && t.Kind == ir.Integer:
			z, _ := s.arithmetic(ir.Sub, t, t, numeral(0), x)
			return z, nil
		default:
			return s.fresh(ofType(t)), nil
		}
	case *ir.Binary:
		return s.binary(e)
	case *ir.Convert:
		x, err := s.eval(e.X)
		switch from, to := e.X.Type(), e.T; {
		case err != nil:
			return x, err
		case from.Kind == ir.Pointer && to.Kind == ir.Pointer:
			return x, nil
		case !from.FloatingPoint() && !to.FloatingPoint():
			return s.converted(x, from, to), nil
		default:
			return s.fresh(ofType(to)), nil
		}
	case *ir.Move:
		return s.move(e)
	case *ir.Distance:
		return s.distance(e)
	}
	return value{}, s.giveUp("an expression that has no value")
}

// load reads a scalar.
func (s *step) load(p ir.Place) (value, error) {
	x, err := s.locate(p)
	switch {
	case err != nil:
		return value{}, err
	case x.wide || p.Bits > 0 || p.Type.Kind == ir.Float:
		if p.Type.Bool && p.Bits == 0 {
			return value{}, s.giveUp("it is not known that a _Bool is 0 or 1")
		}
		return s.fresh(ofType(p.Type)), nil
	}
	return s.read(x.at, x.off, p.Type)
}

// read reads a scalar of an object.
func (s *step) read(at id, off int64, t *ir.Type) (value, error) {
	o := s.objects[at]
	i, exact, overlaps := o.find(off, t.Size)
	if exact && !overlaps {
		if v, same := s.seen(o.fields[i], t); same {
			return v, nil
		}
	}
	switch {
	case t.Bool && (exact || overlaps):
		return value{}, s.giveUp("it is not known that a _Bool is 0 or 1")
	case exact || overlaps:
		return s.fresh(ofType(t)), nil
	case o.zeroed:
		return numeral(0), nil
	}
	v := s.fresh(ofType(t)) // it has a value, which nobody knows
	s.own(at).set(off, t, v)
	return v, nil
}

// seen is what a field holds, as a value of a type.
func (s *step) seen(f field, t *ir.Type) (value, bool) {
	same := f.t.Kind == t.Kind && f.t.Signed == t.Signed && f.t.Bool == t.Bool
	switch {
	case same:
		return f.v, true
	case f.v.kind != number:
		return f.v, f.t.Kind == ir.Integer && t.Kind == ir.Integer && !t.Bool && s.of(f.v, f.t).within(t)
	case t.Bool:
		return f.v, f.v.bits <= 1
	}
	return numeral(ir.Extend(t, f.v.bits)), true
}

// address is that of a place, which is in an object, or at its end.
func (s *step) address(e *ir.Addr) (value, error) {
	at, base, last := id(-1), int64(0), false
	if e.Of.Var != nil {
		at = s.object(e.Of.Var)
	} else {
		v, err := s.eval(e.Of.Ptr)
		if err != nil {
			return v, err
		}
		if v.kind == number && v.bits == 0 && e.Of.Off == 0 && len(e.Of.Index) == 0 {
			return v, nil
		}
		if c, constant := e.Of.Ptr.(*ir.Const); constant && len(e.Of.Index) == 0 { // offsetof, say
			return numeral(ir.Extend(e.T, c.Bits+uint64(e.Of.Off))), nil
		}
		if v.kind != address {
			return v, s.giveUp("an address is computed from one that is not known")
		}
		at, base, last = v.at, v.off, v.last
	}
	low, high, err := s.shift(e.Of)
	if err != nil {
		return value{}, err
	}
	return s.pointer(value{kind: address, at: at, off: base, last: last}, low, high)
}

// pointer is the address of a byte of an object, or of its end.
func (s *step) pointer(p value, low, high int64) (value, error) {
	o := s.objects[p.at]
	switch {
	case low == 0 && high == 0:
		return p, nil
	case o.folded():
		return value{}, looked{p.at, p.last}
	case p.off+low < 0 || p.off+high > o.size:
		return value{}, s.giveUp("an address may be computed that is outside of its object")
	case low != high:
		return s.fresh(anything), nil
	}
	return value{kind: address, at: p.at, off: p.off + low}, nil
}

// move is pointer arithmetic.
func (s *step) move(e *ir.Move) (value, error) {
	p, err := s.eval(e.P)
	if err != nil {
		return p, err
	}
	low, high, err := s.shift(ir.Place{Index: []ir.Index{{By: e.By, Stride: e.Stride, Len: -1}}})
	switch {
	case err != nil:
		return p, err
	case low == 0 && high == 0:
		return p, nil
	case p.kind != address:
		return p, s.giveUp("an address is computed from one that is not known")
	}
	return s.pointer(p, low, high)
}

// distance is that of two places of one object.
func (s *step) distance(e *ir.Distance) (value, error) {
	p, err := s.eval(e.P)
	if err != nil {
		return p, err
	}
	q, err := s.eval(e.Q)
	switch {
	case err != nil:
		return q, err
	case p.kind != address || q.kind != address || p.at != q.at || s.objects[p.at].folded() || e.Stride == 0 || (p.off-q.off)%e.Stride != 0:
		return p, s.giveUp("the distance of two addresses is not known")
	}
	return numeral(ir.Extend(e.T, uint64((p.off-q.off)/e.Stride))), nil
}

// binary computes an operation on two scalars of one type.
func (s *step) binary(e *ir.Binary) (value, error) {
	x, err := s.eval(e.X)
	if err != nil {
		return x, err
	}
	y, err := s.eval(e.Y)
	if err != nil {
		return y, err
	}
	t := e.X.Type()
	switch {
	case e.Op >= ir.Eq && e.Op <= ir.Le:
		is, err := s.compare(e.Op, t, x, y)
		switch {
		case err != nil:
			return x, err
		case is == open:
			return s.fresh(numbers{known: true, high: 1}), nil
		case is == yes:
			return numeral(1), nil
		}
		return numeral(0), nil
	case t.Kind != ir.Integer:
		return s.fresh(ofType(e.T)), nil
	}
	if y.kind == address && e.Op == ir.Add {
		x, y = y, x
	}
	if n := s.of(y, t); x.kind == address && (e.Op == ir.Add || e.Op == ir.Sub) && y.kind == number && n.known {
		if e.Op == ir.Sub {
			n.low = -n.low
		} else if n.low > 1<<31 && t.Size == 4 { // as gcc writes a difference of unsigned numbers
			n.low -= 1 << 32
		}
		if o := s.objects[x.at]; n.low != 0 && o.folded() {
			return x, looked{x.at, x.last}
		} else if to := x.off + n.low; n.low == 0 || to >= 0 && to <= o.size {
			x.off = to
			return x, nil
		}
		return s.fresh(ofType(e.T)), nil
	}
	z, ok := s.arithmetic(e.Op, t, e.Y.Type(), x, y)
	if !ok {
		return z, s.giveUp("an operation may have no result")
	}
	return z, nil
}
