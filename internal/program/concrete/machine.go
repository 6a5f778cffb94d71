package concrete

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// machine evaluates compiled terms on words: bit patterns, Booleans as 0 and 1, integers as long as
// they have 64 bits, and arrays as numbers of their contents.
type machine struct {
	slots  map[*logic.Term]int
	values []uint64
	known  []bool
	bits   []int // of Booleans and bit patterns, else 0
	terms  map[*logic.Term]term
	arrays []contents
	number map[string]uint64 // of contents
}

// term is a compiled term: its value, if that is known.
type term func(m *machine) (value uint64, known bool)

// contents are those of an array: at increasing indices other than elsewhere.
type contents struct {
	index, element []uint64
	elsewhere      uint64
}

var errNotEvaluated = errors.New("rational numbers, functions and words of more than 64 bits are not evaluated")

func newMachine() *machine {
	return &machine{slots: map[*logic.Term]int{}, terms: map[*logic.Term]term{}, number: map[string]uint64{}}
}

// width is that of Booleans and bit patterns, 0 of others.
func width(s *logic.Sort) int {
	switch s.Kind() {
	case logic.BoolKind:
		return 1
	case logic.BitVecKind:
		return s.Width()
	}
	return 0
}

func evaluated(s *logic.Sort) bool {
	switch s.Kind() {
	case logic.BoolKind, logic.IntKind:
		return true
	case logic.BitVecKind:
		return s.Width() <= 64
	case logic.ArrayKind:
		return evaluated(s.Index()) && s.Index().Kind() != logic.ArrayKind && evaluated(s.Element())
	}
	return false
}

func (m *machine) slot(v *logic.Term) (int, error) {
	if s, ok := m.slots[v]; ok {
		return s, nil
	}
	if !evaluated(v.Sort()) {
		return 0, errNotEvaluated
	}
	s := len(m.values)
	m.slots[v] = s
	m.values, m.known, m.bits = append(m.values, 0), append(m.known, false), append(m.bits, width(v.Sort()))
	return s, nil
}

// compile makes a term ready; equal ones are compiled once.
func (m *machine) compile(t *logic.Term) (term, error) {
	if f := m.terms[t]; f != nil {
		return f, nil
	}
	if !evaluated(t.Sort()) {
		return nil, errNotEvaluated
	}
	var args []term
	for _, a := range t.Args() {
		f, err := m.compile(a)
		if err != nil {
			return nil, err
		}
		args = append(args, f)
	}
	f, err := m.operator(t, args)
	if err == nil {
		m.terms[t] = f
	}
	return f, err
}

func (m *machine) operator(t *logic.Term, args []term) (term, error) {
	switch t.Op() {
	case logic.OpFalse, logic.OpTrue:
		value := uint64(0)
		if t.IsTrue() {
			value = 1
		}
		return func(*machine) (uint64, bool) { return value, true }, nil
	case logic.OpVar:
		s, err := m.slot(t)
		return func(m *machine) (uint64, bool) { return m.values[s], m.known[s] }, err
	case logic.OpNumber:
		n := t.Num().Num()
		value := n.Uint64()
		if t.Sort() == logic.Int {
			if value = uint64(n.Int64()); !n.IsInt64() {
				return func(*machine) (uint64, bool) { return 0, false }, nil
			}
		}
		return func(*machine) (uint64, bool) { return value, true }, nil
	case logic.OpAnd:
		return junction(args, 0), nil
	case logic.OpOr:
		return junction(args, 1), nil
	case logic.OpIte:
		return func(m *machine) (uint64, bool) {
			switch c, known := args[0](m); {
			case !known:
				return 0, false
			case c != 0:
				return args[1](m)
			}
			return args[2](m)
		}, nil
	case logic.OpSelect, logic.OpStore, logic.OpConstArray:
		return ofArrays(t.Op(), args), nil
	}
	if t.Op() == logic.OpEq && t.Args()[0].Sort().Kind() == logic.ArrayKind {
		return sameArrays(t.Args()[0].Sort(), args), nil
	}
	f := calculation(t)
	if f == nil {
		return nil, fmt.Errorf("%s is not evaluated", t)
	}
	return folded(args, f), nil
}

// junction is known as soon as an operand decides.
func junction(args []term, decides uint64) term {
	return func(m *machine) (uint64, bool) {
		all := true
		for _, a := range args {
			value, known := a(m)
			if known && value == decides {
				return decides, true
			}
			all = all && known
		}
		return 1 - decides, all
	}
}

// folded calculates from the left, with one operand or more.
func folded(args []term, f func(a, b uint64) (uint64, bool)) term {
	return func(m *machine) (uint64, bool) {
		value, known := args[0](m)
		if !known {
			return 0, false
		}
		if len(args) == 1 {
			return f(value, 0)
		}
		for _, a := range args[1:] {
			next, known := a(m)
			if !known {
				return 0, false
			}
			if value, known = f(value, next); !known {
				return 0, false
			}
		}
		return value, true
	}
}

// calculation is an operator on numbers or bit patterns, nil if there is none.
func calculation(t *logic.Term) func(a, b uint64) (uint64, bool) {
	of := t.Args()[0].Sort()
	if of == logic.Int && t.Op() != logic.OpEq {
		return integers(t.Op())
	}
	w := width(of)
	switch t.Op() {
	case logic.OpEq:
		return func(a, b uint64) (uint64, bool) { return bit(a == b), true }
	case logic.OpNot:
		return func(a, _ uint64) (uint64, bool) { return 1 - a, true }
	case logic.OpConcat:
		low := width(t.Args()[1].Sort())
		if len(t.Args()) != 2 {
			return nil
		}
		return func(a, b uint64) (uint64, bool) { return a<<low | b, true }
	case logic.OpExtract:
		high, low := t.Params()
		return func(a, _ uint64) (uint64, bool) { return cut(a>>low, high-low+1), true }
	case logic.OpZeroExtend:
		return func(a, _ uint64) (uint64, bool) { return a, true }
	case logic.OpFloat:
		to, op := width(t.Sort()), t.FloatOp()
		return func(a, b uint64) (uint64, bool) { return ieee.Apply(op, w, to, a, b), true }
	case logic.OpSignExtend:
		wide := width(t.Sort())
		return func(a, _ uint64) (uint64, bool) { return cut(uint64(signed(a, w)), wide), true }
	}
	f := ofWords(t.Op(), w)
	if f == nil {
		return nil
	}
	return func(a, b uint64) (uint64, bool) { return f(a, b), true }
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// cut leaves the lowest bits.
func cut(a uint64, w int) uint64 {
	if w >= 64 {
		return a
	}
	return a & (1<<w - 1)
}

// signed reads a bit pattern as two's complement.
func signed(a uint64, w int) int64 {
	if sign := uint64(1) << (w - 1); a&sign != 0 {
		return int64(a | ^(sign - 1))
	}
	return int64(a)
}

// ofWords are the operators of SMT-LIB, whose operands have w bits.
func ofWords(op logic.Op, w int) func(a, b uint64) uint64 {
	switch op {
	case logic.OpBVAdd:
		return func(a, b uint64) uint64 { return cut(a+b, w) }
	case logic.OpBVMul:
		return func(a, b uint64) uint64 { return cut(a*b, w) }
	case logic.OpBVNeg:
		return func(a, _ uint64) uint64 { return cut(-a, w) }
	case logic.OpBVNot:
		return func(a, _ uint64) uint64 { return cut(^a, w) }
	case logic.OpBVAnd:
		return func(a, b uint64) uint64 { return a & b }
	case logic.OpBVOr:
		return func(a, b uint64) uint64 { return a | b }
	case logic.OpBVXor:
		return func(a, b uint64) uint64 { return a ^ b }
	case logic.OpBVUDiv:
		return func(a, b uint64) uint64 { q, _ := quotient(a, b, w); return q }
	case logic.OpBVURem:
		return func(a, b uint64) uint64 { _, r := quotient(a, b, w); return r }
	case logic.OpBVSDiv, logic.OpBVSRem:
		return func(a, b uint64) uint64 { return signedQuotient(op == logic.OpBVSRem, a, b, w) }
	case logic.OpBVShl:
		return func(a, b uint64) uint64 { return cut(a<<b, w) } // Go shifts by 64 and more to 0
	case logic.OpBVLShr:
		return func(a, b uint64) uint64 { return a >> b }
	case logic.OpBVAShr:
		return func(a, b uint64) uint64 { return cut(uint64(signed(a, w)>>min(b, 63)), w) }
	case logic.OpBVULe:
		return func(a, b uint64) uint64 { return bit(a <= b) }
	case logic.OpBVULt:
		return func(a, b uint64) uint64 { return bit(a < b) }
	case logic.OpBVSLe:
		return func(a, b uint64) uint64 { return bit(signed(a, w) <= signed(b, w)) }
	case logic.OpBVSLt:
		return func(a, b uint64) uint64 { return bit(signed(a, w) < signed(b, w)) }
	}
	return nil
}

// quotient and remainder by zero are all ones, and the dividend.
func quotient(a, b uint64, w int) (q, r uint64) {
	if b == 0 {
		return cut(^uint64(0), w), a
	}
	return a / b, a % b
}

// signedQuotient divides the amounts, and a remainder has the sign of the dividend.
func signedQuotient(rest bool, a, b uint64, w int) uint64 {
	x, y := a, b
	negative := func(n uint64) bool { return n>>(w-1)&1 == 1 }
	if negative(a) {
		x = cut(-a, w)
	}
	if negative(b) {
		y = cut(-b, w)
	}
	q, r := quotient(x, y, w)
	switch {
	case rest && negative(a):
		return cut(-r, w)
	case rest:
		return r
	case negative(a) != negative(b):
		return cut(-q, w)
	}
	return q
}

// integers are the operators of integers as long as 64 bits are enough.
func integers(op logic.Op) func(a, b uint64) (uint64, bool) {
	switch op {
	case logic.OpLe:
		return func(a, b uint64) (uint64, bool) { return bit(int64(a) <= int64(b)), true }
	case logic.OpAdd:
		return func(a, b uint64) (uint64, bool) {
			sum := a + b
			return sum, (a^sum)&(b^sum)>>63 == 0
		}
	case logic.OpMul:
		return func(a, b uint64) (uint64, bool) {
			x, y := int64(a), int64(b)
			high, low := bits.Mul64(amount(x), amount(y))
			if high != 0 || low >= 1<<63 {
				return 0, false
			}
			return uint64(x * y), true
		}
	case logic.OpIntDiv, logic.OpIntMod:
		return func(a, b uint64) (uint64, bool) {
			x, y := int64(a), int64(b)
			if y == 0 || y == -1 {
				return 0, false
			}
			q, r := x/y, x%y
			if r < 0 { // the remainder is not negative
				if r += int64(amount(y)); y > 0 {
					q--
				} else {
					q++
				}
			}
			if op == logic.OpIntMod {
				return uint64(r), true
			}
			return uint64(q), true
		}
	}
	return nil
}

func amount(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func ofArrays(op logic.Op, args []term) term {
	return func(m *machine) (uint64, bool) {
		var values [3]uint64
		for i, a := range args {
			var known bool
			if values[i], known = a(m); !known {
				return 0, false
			}
		}
		switch op {
		case logic.OpConstArray:
			return m.intern(contents{elsewhere: values[0]}), true
		case logic.OpStore:
			return m.intern(m.arrays[values[0]].with(values[1], values[2])), true
		}
		a := &m.arrays[values[0]]
		if i, found := slices.BinarySearch(a.index, values[1]); found {
			return a.element[i], true
		}
		return a.elsewhere, true
	}
}

// sameArrays compares contents. Where they are others elsewhere, it is left open whether there is an
// elsewhere.
func sameArrays(sort *logic.Sort, args []term) term {
	return func(m *machine) (uint64, bool) {
		a, known := args[0](m)
		b, also := args[1](m)
		switch {
		case !known || !also:
			return 0, false
		case a == b:
			return 1, true
		}
		return 0, m.arrays[a].elsewhere == m.arrays[b].elsewhere && sort.Element().Kind() != logic.ArrayKind
	}
}

func (c contents) with(index, element uint64) contents {
	i, found := slices.BinarySearch(c.index, index)
	c.index, c.element = slices.Clone(c.index), slices.Clone(c.element)
	switch {
	case found && element == c.elsewhere:
		c.index, c.element = slices.Delete(c.index, i, i+1), slices.Delete(c.element, i, i+1)
	case found:
		c.element[i] = element
	case element != c.elsewhere:
		c.index, c.element = slices.Insert(c.index, i, index), slices.Insert(c.element, i, element)
	}
	return c
}

// intern returns the number that all arrays with these contents have.
func (m *machine) intern(c contents) uint64 {
	key := binary.AppendUvarint(nil, c.elsewhere)
	for i := range c.index {
		key = binary.AppendUvarint(binary.AppendUvarint(key, c.index[i]), c.element[i])
	}
	n, ok := m.number[string(key)]
	if !ok {
		n = uint64(len(m.arrays))
		m.number[string(key)], m.arrays = n, append(m.arrays, c)
	}
	return n
}
