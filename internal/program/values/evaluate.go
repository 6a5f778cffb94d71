package values

import (
	"math"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// value is a number, a symbol plus a number, or not known.
type value struct {
	sym int32  // 0: none; unknown: nothing is known
	n   uint64 // of a bit-vector modulo 2^width; of Int in two's complement; of Bool 0 or 1
}

const unknown int32 = -1

var none = value{sym: unknown}

func constant(n uint64) value { return value{n: n} }

func truth(b bool) value {
	if b {
		return value{n: 1}
	}
	return value{}
}

// kind is what values a term has: the width of a bit-vector, or one of these.
type kind uint8

const (
	boolean kind = 0   // 1 to 64: bit-vectors
	arrays  kind = 253 // of numbers by numbers
	integer kind = 254
	opaque  kind = 255 // is never known
)

func kindOf(s *logic.Sort) kind {
	switch {
	case s == logic.Bool:
		return boolean
	case s == logic.Int:
		return integer
	case s.Kind() == logic.BitVecKind && s.Width() <= 64:
		return kind(s.Width())
	case s.Kind() == logic.ArrayKind && number(kindOf(s.Index())) && number(kindOf(s.Element())):
		return arrays
	}
	return opaque
}

func number(k kind) bool { return k != opaque && k != arrays }

// cut takes a number modulo 2^width.
func (k kind) cut(n uint64) uint64 {
	switch {
	case k == boolean:
		return n & 1
	case k < 64:
		return n & (1<<k - 1)
	}
	return n
}

// signed reads a bit-vector as a number in two's complement.
func (k kind) signed(n uint64) int64 { return int64(n<<(64-k)) >> (64 - k) }

// add adds; ok is false if the sum does not fit.
func (k kind) add(a, b uint64) (sum uint64, ok bool) {
	if k != integer {
		return k.cut(a + b), true
	}
	s := int64(a) + int64(b)
	return uint64(s), (s > int64(a)) == (int64(b) > 0)
}

// sub subtracts, likewise.
func (k kind) sub(a, b uint64) (difference uint64, ok bool) {
	if k != integer {
		return k.cut(a - b), true
	}
	d := int64(a) - int64(b)
	return uint64(d), (d < int64(a)) == (int64(b) > 0)
}

// mul multiplies, likewise.
func (k kind) mul(a, b uint64) (product uint64, ok bool) {
	if k != integer {
		return k.cut(a * b), true
	}
	if a == 0 || b == 0 {
		return 0, true
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	return a * b, hi == 0 && lo < 1<<63
}

func magnitude(n uint64) uint64 {
	if int64(n) < 0 {
		return -n
	}
	return n
}

// node is a term that was made ready for evaluation.
type node struct {
	op    logic.Op
	kind  kind
	args  []*node
	n     uint64 // of OpNumber
	slot  int32  // of OpVar
	lo    int    // of OpExtract, and the operation of OpFloat
	large bool   // it is worth remembering
	stamp uint64 // of memo
	memo  value
	known *[2]knownDomain // of a large one: false and true
}

// compiler makes nodes of terms, one for each.
type compiler struct {
	nodes map[*logic.Term]*node
	slots map[*logic.Term]int32 // of variables and inputs
}

func (c *compiler) compile(t *logic.Term) *node {
	if n := c.nodes[t]; n != nil {
		return n
	}
	n := &node{op: t.Op(), kind: kindOf(t.Sort()), large: t.Size() > 6}
	c.nodes[t] = n
	switch t.Op() {
	case logic.OpVar:
		n.slot = c.slots[t]
		return n
	case logic.OpNumber:
		if n.kind == opaque || !t.Num().IsInt() || n.kind == integer && !t.Num().Num().IsInt64() {
			n.kind = opaque
		} else if n.kind == integer {
			n.n = uint64(t.Num().Num().Int64())
		} else {
			n.n = t.Num().Num().Uint64()
		}
		return n
	}
	_, n.lo = t.Params()
	for _, a := range t.Args() {
		n.args = append(n.args, c.compile(a))
	}
	return n
}

// env gives values to slots: variables, then the inputs of a step.
type env struct {
	slots  []value
	active []int32  // the slots that have values now
	since  []uint64 // by slot: the load that made it active
	loaded uint64   // the stamp of the last load
	kinds  []kind
	stamp  uint64 // changes whenever values do
	after  []value
	others []other // not many

	contents *contents
}

// other is a number that a symbol does not stand for.
type other struct {
	sym int32
	n   uint64
}

// other finds what a symbol does not stand for.
func (e *env) other(sym int32) (n uint64, known bool) {
	for _, o := range e.others {
		if o.sym == sym {
			return o.n, true
		}
	}
	return 0, false
}

// exclude takes down that a symbol is not a number, unless another one is known, which is
// kept.
func (e *env) exclude(sym int32, n uint64) {
	if _, known := e.other(sym); known {
		return
	}
	e.others = append(e.others, other{sym, n})
	e.stamp++
}

// differs reports that a value is known not to be a number.
func (e *env) differs(k kind, v value, c uint64) bool {
	other, known := e.other(v.sym)
	if !known || v.sym == unknown {
		return false
	}
	n, ok := k.add(other, v.n)
	return ok && n == c
}

// bind lets a symbol stand for a value everywhere: false if it is known that it does not. A
// sum that does not fit makes the slot unknown.
func (e *env) bind(k kind, sym int32, to value) bool {
	if not, known := e.other(sym); known {
		if to.sym == 0 && to.n == not {
			return false
		}
		e.others = slices.DeleteFunc(e.others, func(o other) bool { return o.sym == sym })
		if n, ok := k.sub(not, to.n); ok && to.sym != 0 {
			e.exclude(to.sym, n)
		}
	}
	e.stamp++
	for _, i := range e.active {
		v := &e.slots[i]
		if v.sym != sym {
			continue
		}
		sum, ok := e.kinds[i].add(v.n, to.n)
		if *v = (value{to.sym, sum}); !ok {
			*v = none
		}
	}
	return true
}

// eval returns the value of a term.
func (e *env) eval(n *node) value {
	if n.large {
		if n.stamp == e.stamp {
			return n.memo
		}
		v := e.compute(n)
		n.stamp, n.memo = e.stamp, v
		return v
	}
	return e.compute(n)
}

func (e *env) compute(n *node) value {
	if n.kind == opaque {
		return none
	}
	switch n.op {
	case logic.OpFalse, logic.OpTrue:
		return truth(n.op == logic.OpTrue)
	case logic.OpVar:
		return e.slots[n.slot]
	case logic.OpNumber:
		return constant(n.n)
	case logic.OpNot:
		if v := e.eval(n.args[0]); v.sym == 0 {
			return constant(1 - v.n)
		}
		return none
	case logic.OpAnd, logic.OpOr:
		return e.junction(n)
	case logic.OpIte:
		return e.ite(n)
	case logic.OpAdd, logic.OpMul, logic.OpBVAdd, logic.OpBVMul, logic.OpBVNeg:
		if s, ok := e.linear(n); ok {
			return s.value()
		}
		return none
	case logic.OpEq, logic.OpLe, logic.OpLt, logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
		return e.compare(n)
	case logic.OpSelect, logic.OpStore, logic.OpConstArray:
		return e.array(n)
	}
	return e.operation(n)
}

func (e *env) junction(n *node) value {
	neutral := uint64(1)
	if n.op == logic.OpOr {
		neutral = 0
	}
	out := constant(neutral)
	for _, a := range n.args {
		switch v := e.eval(a); {
		case v.sym != 0:
			out = none
		case v.n != neutral:
			return v
		}
	}
	return out
}

func (e *env) ite(n *node) value {
	switch c := e.eval(n.args[0]); {
	case c.sym == 0 && c.n == 1:
		return e.eval(n.args[1])
	case c.sym == 0:
		return e.eval(n.args[2])
	}
	a := e.eval(n.args[1])
	if a.sym == unknown || e.eval(n.args[2]) != a {
		return none
	}
	return a
}

// sum is a number plus multiples of symbols.
type sum struct {
	kind  kind
	n     uint64
	terms [maxTerms]struct {
		sym    int32
		factor uint64
	}
	length int
}

const (
	maxTerms = 4
	minusOne = ^uint64(0)
)

// value returns the sum if it is a value.
func (s *sum) value() value {
	switch {
	case s.length == 0:
		return constant(s.n)
	case s.length == 1 && s.terms[0].factor == 1:
		return value{s.terms[0].sym, s.n}
	}
	return none
}

// add adds a multiple of a symbol; false if there is no room.
func (s *sum) add(sym int32, factor uint64) bool {
	for i := range s.length {
		if s.terms[i].sym != sym {
			continue
		}
		f, ok := s.kind.add(s.terms[i].factor, factor)
		if s.terms[i].factor = f; f == 0 {
			s.length--
			s.terms[i] = s.terms[s.length]
		}
		return ok
	}
	if factor == 0 {
		return true
	}
	if s.length == maxTerms {
		return false
	}
	s.terms[s.length].sym, s.terms[s.length].factor = sym, factor
	s.length++
	return true
}

// linear writes a term as a sum of symbols; ok is false if it is none, or a long one.
func (e *env) linear(n *node) (s sum, ok bool) {
	s.kind = n.kind
	return s, e.accumulate(&s, n, 1)
}

// accumulate adds a multiple of a term.
func (e *env) accumulate(s *sum, n *node, factor uint64) bool {
	switch n.op {
	case logic.OpAdd, logic.OpBVAdd:
		return !slices.ContainsFunc(n.args, func(a *node) bool { return !e.accumulate(s, a, factor) })
	case logic.OpBVNeg:
		return e.accumulate(s, n.args[0], s.kind.cut(-factor))
	case logic.OpMul, logic.OpBVMul:
		var rest *node
		ok := true
		for _, a := range n.args {
			if v := e.eval(a); v.sym == 0 {
				if factor, ok = s.kind.mul(factor, v.n); !ok {
					return false
				}
			} else if rest != nil {
				return false
			} else {
				rest = a
			}
		}
		if rest != nil && factor != 0 {
			return e.accumulate(s, rest, factor)
		}
		var fits bool
		if rest == nil {
			s.n, fits = s.kind.add(s.n, factor)
			return fits
		}
		return true
	}
	v := e.eval(n)
	if v.sym == unknown {
		return false
	}
	product, ok := s.kind.mul(factor, v.n)
	if !ok {
		return false
	}
	if s.n, ok = s.kind.add(s.n, product); !ok {
		return false
	}
	return v.sym == 0 || s.add(v.sym, factor)
}

// difference is the left operand minus the right one.
func (e *env) difference(a, b *node) (s sum, ok bool) {
	s.kind = a.kind
	return s, a.kind != opaque && e.accumulate(&s, a, 1) && e.accumulate(&s, b, a.kind.cut(minusOne))
}

// compare evaluates an equation or inequality.
func (e *env) compare(n *node) value {
	a, b := n.args[0], n.args[1]
	if a.kind == opaque || b.kind == opaque {
		return none
	}
	v, w := e.eval(a), e.eval(b)
	if a.kind == arrays {
		return e.contents.equal(v.n, w.n)
	}
	if v.sym == 0 && w.sym == 0 {
		return truth(holds(n.op, a.kind, v.n, w.n))
	}
	if v.sym != unknown && v == w {
		return truth(n.op != logic.OpLt && n.op != logic.OpBVULt && n.op != logic.OpBVSLt)
	}
	if x, c, equal, ok := zero(n, v, w); ok && e.differs(a.kind, x, c) {
		return truth(!equal)
	}
	if a.kind == boolean || n.op != logic.OpEq && n.op != logic.OpLe {
		return none
	}
	// Symbols may cancel out.
	if s, ok := e.difference(a, b); ok && s.length == 0 {
		return truth(holds(n.op, a.kind, s.n, 0))
	}
	return none
}

// zero reads an equation with a number, or an inequality of machine words that says that
// one is 0, or is not: equal is what it says, of the value x and the number c.
func zero(n *node, v, w value) (x value, c uint64, equal, ok bool) {
	switch {
	case n.op == logic.OpEq && w.sym == 0, n.op == logic.OpBVULe && w == constant(0):
		return v, w.n, true, true
	case n.op == logic.OpEq && v.sym == 0:
		return w, v.n, true, true
	case n.op == logic.OpBVULt && v == constant(0), n.op == logic.OpBVULe && v == constant(1):
		return w, 0, false, true
	case n.op == logic.OpBVULt && w == constant(1):
		return v, 0, true, true
	}
	return none, 0, false, false
}

func holds(op logic.Op, k kind, a, b uint64) bool {
	switch op {
	case logic.OpEq:
		return a == b
	case logic.OpLe:
		return int64(a) <= int64(b)
	case logic.OpLt:
		return int64(a) < int64(b)
	case logic.OpBVULe:
		return a <= b
	case logic.OpBVULt:
		return a < b
	case logic.OpBVSLe:
		return k.signed(a) <= k.signed(b)
	}
	return k.signed(a) < k.signed(b)
}

// operation evaluates what needs numbers.
func (e *env) operation(n *node) value {
	var v [2]uint64
	if len(n.args) == 0 || len(n.args) > 2 {
		return none
	}
	for i, a := range n.args {
		x := e.eval(a)
		if x.sym != 0 || a.kind == opaque {
			return none
		}
		v[i] = x.n
	}
	a, b, k := v[0], v[1], n.kind
	switch n.op {
	case logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem:
		return constant(divide(n.op, k, a, b))
	case logic.OpBVAnd:
		return constant(a & b)
	case logic.OpBVOr:
		return constant(a | b)
	case logic.OpBVXor:
		return constant(a ^ b)
	case logic.OpBVNot:
		return constant(k.cut(^a))
	case logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr:
		return constant(shift(n.op, k, a, b))
	case logic.OpConcat:
		return constant(a<<n.args[1].kind | b)
	case logic.OpExtract:
		return constant(k.cut(a >> n.lo))
	case logic.OpZeroExtend:
		return constant(a)
	case logic.OpSignExtend:
		return constant(k.cut(uint64(n.args[0].kind.signed(a))))
	case logic.OpFloat:
		return constant(ieee.Apply(ieee.Op(n.lo), int(n.args[0].kind), int(k), a, b))
	case logic.OpIntDiv, logic.OpIntMod:
		return euclid(n.op, int64(a), int64(b))
	}
	return none
}

// divide follows SMT-LIB, as package logic does.
func divide(op logic.Op, k kind, a, b uint64) uint64 {
	x, y := k.signed(a), k.signed(b)
	switch {
	case op == logic.OpBVUDiv && b == 0:
		return k.cut(^uint64(0))
	case op == logic.OpBVUDiv:
		return a / b
	case b == 0 && op == logic.OpBVSDiv && x < 0:
		return 1
	case b == 0 && op == logic.OpBVSDiv:
		return k.cut(^uint64(0))
	case b == 0: // remainders
		return a
	case op == logic.OpBVURem:
		return a % b
	case op == logic.OpBVSDiv && y == -1:
		return k.cut(uint64(-x))
	case op == logic.OpBVSDiv:
		return k.cut(uint64(x / y))
	case y == -1:
		return 0
	}
	return k.cut(uint64(x % y))
}

func shift(op logic.Op, k kind, a, by uint64) uint64 {
	out := by >= uint64(k) // all bits go
	switch {
	case op == logic.OpBVShl && out, op == logic.OpBVLShr && out:
		return 0
	case op == logic.OpBVShl:
		return k.cut(a << by)
	case op == logic.OpBVLShr:
		return a >> by
	case out:
		by = uint64(k) - 1
	}
	return k.cut(uint64(k.signed(a) >> by))
}

// euclid divides integers; the remainder is not negative.
func euclid(op logic.Op, a, b int64) value {
	if b == 0 || b == -1 && a == math.MinInt64 { // whose quotient does not fit
		return none
	}
	q, r := a/b, a%b
	if r < 0 && b > 0 {
		q, r = q-1, r+b
	} else if r < 0 {
		q, r = q+1, r-b
	}
	if op == logic.OpIntMod {
		return constant(uint64(r))
	}
	return constant(uint64(q))
}
