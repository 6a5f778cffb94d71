package shapes

import (
	"math"

	"github.com/seltl/seltl/c/ir"
)

// truth is what is known of a condition.
type truth uint8

const (
	open truth = iota
	yes
	no
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// not is the truth of the contrary.
func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return open
}

// compare compares two values of one type.
func (s *step) compare(op ir.Op, t *ir.Type, x, y value) (truth, error) {
	switch {
	case t.FloatingPoint():
		return open, nil
	case op == ir.Ne:
		is, err := s.compare(ir.Eq, t, x, y)
		return is.not(), err
	case x.kind == number && y.kind == number:
		z, _ := ir.EvalBinary(op, t, x.bits, y.bits)
		return truthOf(z != 0), nil
	}
	for _, v := range []value{x, y} { // it may be empty, and is where it ends then
		if v.kind == address && s.objects[v.at].folded() {
			return open, looked{v.at, v.last}
		}
	}
	if op == ir.Eq {
		return s.equal(t, x, y), nil
	}
	if t.Kind == ir.Pointer && x.kind == address && y.kind == address && x.at == y.at {
		if op == ir.Lt {
			return truthOf(x.off < y.off), nil
		}
		return truthOf(x.off <= y.off), nil
	}
	a, b := s.of(x, t), s.of(y, t)
	if t.Kind != ir.Integer || !a.known || !b.known {
		return open, nil
	}
	switch {
	case op == ir.Lt && a.high < b.low, op == ir.Le && a.high <= b.low:
		return yes, nil
	case op == ir.Lt && a.low >= b.high, op == ir.Le && a.low > b.high:
		return no, nil
	}
	return open, nil
}

// equal compares values that are no numbers both, and no addresses of segments.
func (s *step) equal(t *ir.Type, x, y value) truth {
	if x.kind == number || x.kind == routine && y.kind == address {
		x, y = y, x
	}
	switch {
	case x.kind == unknown && y.kind == unknown && x.sym == y.sym && x.sym != 0:
		return yes
	case x.kind == unknown && y.kind == number:
		if !s.symbols[x.sym].has(y.bits, t) {
			return no
		}
	case x.kind == unknown && y.kind == unknown && t.Kind == ir.Integer:
		if a, b := s.symbols[x.sym], s.symbols[y.sym]; a.known && b.known && (a.high < b.low || b.high < a.low) {
			return no
		}
	case x.kind == address && y.kind == address && x.at == y.at:
		return truthOf(x.off == y.off)
	case x.kind == address && y.kind == address:
		a, b := s.objects[x.at], s.objects[y.at]
		if x.off < a.size && y.off < b.size && !(a.v != nil && b.v != nil && a.v.Pooled() && b.v.Pooled()) {
			return no
		}
	case x.kind == routine && y.kind == routine && x.f == y.f:
		return yes
	case (x.kind == address || x.kind == routine) && y.kind == number && y.bits == 0:
		return no
	}
	return open
}

// assume are the states in which a condition is as it is to be: none, or this one, of which more is known.
func (s *step) assume(e ir.Expr, want bool) (possible bool, err error) {
	for {
		if c, ok := e.(*ir.Convert); ok && comparison(c.X) && c.T.Kind == ir.Integer {
			e = c.X
			continue
		}
		b, ok := e.(*ir.Binary)
		if !ok || b.Op != ir.Eq && b.Op != ir.Ne || !ir.IsNull(b.Y) {
			break
		}
		inner := ir.Unconverted(b.X)
		if !comparison(inner) {
			break
		}
		want = want == (b.Op == ir.Ne)
		e = inner
	}
	if b, ok := e.(*ir.Binary); ok && comparison(e) {
		x, err := s.eval(b.X)
		if err != nil {
			return false, err
		}
		y, err := s.eval(b.Y)
		if err != nil {
			return false, err
		}
		is, err := s.compare(b.Op, b.X.Type(), x, y)
		if err != nil || is != open {
			return is == truthOf(want), err
		}
		return s.refine(b.Op, b.X.Type(), x, y, want), nil
	}
	v, err := s.eval(e)
	if err != nil {
		return false, err
	}
	zero := numeral(0)
	is, err := s.compare(ir.Ne, e.Type(), v, zero)
	if err != nil || is != open {
		return is == truthOf(want), err
	}
	return s.refine(ir.Ne, e.Type(), v, zero, want), nil
}

// comparison reports an expression that is 0 or 1.
func comparison(e ir.Expr) bool {
	b, ok := e.(*ir.Binary)
	return ok && b.Op >= ir.Eq && b.Op <= ir.Le
}

// refine notes what a comparison that is open says of symbols; false: it cannot be.
func (s *step) refine(op ir.Op, t *ir.Type, x, y value, want bool) bool {
	switch {
	case t.FloatingPoint():
		return true
	case op == ir.Ne:
		return s.refine(ir.Eq, t, x, y, !want)
	case op == ir.Eq && want:
		return s.equate(t, x, y)
	case op == ir.Eq:
		s.differ(t, x, y)
		s.differ(t, y, x)
		return true
	case t.Kind != ir.Integer:
		return true
	case !want && op == ir.Lt: // y <= x
		return s.order(t, y, x, 0)
	case !want:
		return s.order(t, y, x, 1)
	case op == ir.Lt:
		return s.order(t, x, y, 1)
	}
	return s.order(t, x, y, 0)
}

// equate notes that two values are the same.
func (s *step) equate(t *ir.Type, x, y value) bool {
	if x.kind == number {
		x, y = y, x
	}
	if x.kind != unknown || t.Kind != ir.Integer && !(y.kind == number && y.bits == 0) {
		return true
	}
	switch {
	case y.kind == number:
		s.replace(x.sym, y)
	case y.kind == unknown:
		a, b := s.symbols[x.sym], s.symbols[y.sym]
		switch {
		case !a.known && !b.known:
			return true // each may be of another type
		case !a.known || !b.known:
			return true
		}
		n := numbers{known: true, low: max(a.low, b.low), high: min(a.high, b.high), nonzero: a.notZero() || b.notZero()}
		if n.low > n.high {
			return false
		}
		s.symbols[y.sym] = n
		s.replace(x.sym, y)
		s.narrow(y.sym, n)
	}
	return true
}

// differ notes that a value is not another one.
func (s *step) differ(t *ir.Type, x, y value) {
	if x.kind != unknown || y.kind != number {
		return
	}
	n := s.symbols[x.sym]
	n.nonzero = n.nonzero || y.bits == 0
	if n.known && t.Kind == ir.Integer && n.low < n.high {
		switch c := int64(y.bits); {
		case t.Size == 8 && !t.Signed && c < 0:
		case c == n.low:
			n.low++
		case c == n.high:
			n.high--
		}
	}
	s.narrow(x.sym, n)
}

// order notes that x + by <= y.
func (s *step) order(t *ir.Type, x, y value, by int64) bool {
	a, b := s.of(x, t), s.of(y, t)
	unsigned := !t.Signed
	if unsigned && !a.known && b.known { // it is not negative
		a = numbers{known: true, low: 0, high: b.high, nonzero: a.nonzero}
	}
	if !a.known || !b.known {
		return true
	}
	if by == 1 && (b.high == math.MinInt64 || a.low == math.MaxInt64) {
		return false
	}
	a.high, b.low = min(a.high, b.high-by), max(b.low, a.low+by)
	if a.low > a.high || b.low > b.high {
		return false
	}
	for v, n := range map[value]numbers{x: a, y: b} {
		if v.kind == unknown {
			s.narrow(v.sym, n)
		}
	}
	return true
}
