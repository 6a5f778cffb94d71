package witnessed

import (
	"fmt"
	"math/big"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// number is an expression of C whose value lies between two numbers.
type number struct {
	text    string
	lo, hi  *big.Int
	t       ctype
	literal bool // it is a number, which can be of any type
}

// ctype is what C computes with.
type ctype uint8

const (
	signedInt   ctype = iota // int, and what becomes one
	unsignedInt              // unsigned int
	signedLong               // 64 bits
	unsignedLong
)

var ctypes = [...]struct{ name, suffix string }{{"int", ""}, {"unsigned int", "U"}, {"long long", "LL"}, {"unsigned long long", "ULL"}}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// rangeOf are the least and the largest number of a width.
func rangeOf(width int, signed bool) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if !signed {
		return new(big.Int), new(big.Int).Sub(power(width), one)
	}
	return new(big.Int).Neg(power(width - 1)), new(big.Int).Sub(power(width-1), one)
}

func (t ctype) holds(lo, hi *big.Int) bool {
	from, to := rangeOf(map[bool]int{true: 32, false: 64}[t <= unsignedInt], t == signedInt || t == signedLong)
	return from.Cmp(lo) <= 0 && hi.Cmp(to) <= 0
}

// as is a number of a type that holds it.
func (x number) as(t ctype) number {
	switch {
	case x.literal:
		return literal(x.lo, t)
	case x.t != t:
		x.text, x.t = "("+ctypes[t].name+")"+x.text, t
	}
	return x
}

// literal is a number in C, of a type that holds it. The least one of a type has no literal.
func literal(n *big.Int, t ctype) number {
	text := new(big.Int).Abs(n).String() + ctypes[t].suffix
	if least, _ := rangeOf(64, true); n.Cmp(least) == 0 {
		text = "(-9223372036854775807LL - 1)"
	} else if least, _ := rangeOf(32, true); n.Cmp(least) == 0 && t == signedInt {
		text = "(-2147483647 - 1)"
	} else if n.Sign() < 0 {
		text = "(-" + text + ")"
	}
	return number{text, n, n, t, true}
}

// common is a type that holds two numbers, and a third that comes of them; false: none does.
func common(x, y number, lo, hi *big.Int) (ctype, bool) {
	all := []*big.Int{x.lo, x.hi, y.lo, y.hi, lo, hi}
	least, most := all[0], all[0]
	for _, n := range all {
		if n.Cmp(least) < 0 {
			least = n
		}
		if n.Cmp(most) > 0 {
			most = n
		}
	}
	for _, t := range []ctype{signedInt, unsignedInt, signedLong, unsignedLong} {
		fits := t.holds(least, most)
		if t <= unsignedInt { // without a conversion only
			fits = fits && (x.literal || x.t == t) && (y.literal || y.t == t)
		}
		if fits {
			return t, true
		}
	}
	return 0, false
}

// together are two numbers in one type; both are words of up to 64 bits, read in one way.
func together(x, y number) (number, number) {
	t, ok := common(x, y, x.lo, x.hi)
	if !ok { // one is negative, and one beyond 2^63: cannot be, of one width
		t = unsignedLong
	}
	return x.as(t), y.as(t)
}

// number says a word as the number that it is, signed or not.
func (s *speaker) number(t *logic.Term, signed bool) (number, error) {
	x, err := s.exactly(t, signed)
	if err == nil && len(x.text) > longest {
		return x, errUnsaid
	}
	return x, err
}

func (s *speaker) exactly(t *logic.Term, signed bool) (number, error) {
	width := t.Sort().Width()
	if width > 64 {
		return number{}, errUnsaid
	}
	switch t.Op() {
	case logic.OpNumber:
		n := new(big.Int).Set(t.Num().Num())
		if signed && n.Bit(width-1) == 1 {
			n.Sub(n, power(width))
		}
		for _, c := range []ctype{signedInt, unsignedInt, signedLong, unsignedLong} {
			if c.holds(n, n) {
				return literal(n, c), nil
			}
		}
	case logic.OpVar:
		return s.variable(t, signed)
	case logic.OpZeroExtend:
		return s.number(t.Args()[0], false)
	case logic.OpSignExtend:
		if x, err := s.number(t.Args()[0], true); err != nil || signed || x.lo.Sign() >= 0 {
			return x, err
		}
	case logic.OpBVAdd, logic.OpBVMul:
		if x, ok := s.sum(t, signed); ok {
			return x, nil
		}
	case logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem:
		return s.quotient(t, signed)
	case logic.OpIte:
		return s.choice(t, signed)
	case logic.OpBVLShr, logic.OpBVAShr:
		if x, ok := s.shifted(t, signed); ok {
			return x, nil
		}
	}
	return s.wrapped(t, signed)
}

func (s *speaker) variable(t *logic.Term, signed bool) (number, error) {
	text, of, ok := s.name(t.Name())
	width := t.Sort().Width()
	if !ok || of.Kind != ir.Integer || of.Width() != width {
		return number{}, errUnsaid
	}
	x := number{text: text}
	if x.lo, x.hi = rangeOf(width, signed); of.Bool {
		x.lo, x.hi = rangeOf(width, false) // which is 0 or 1, as far as the program is concerned
		if signed {
			return s.cast(x, width, signed), nil
		}
	}
	switch {
	case width < 32:
	case width == 32 && of.Signed:
		x.t = signedInt
	case width == 32:
		x.t = unsignedInt
	case of.Signed:
		x.t = signedLong
	default:
		x.t = unsignedLong
	}
	if of.Signed != signed && !of.Bool {
		return s.cast(x, width, signed), nil
	}
	return x, nil
}

// words are types of C by their width, without a sign and with one.
var words = map[int][2]string{8: {"unsigned char", "signed char"}, 16: {"unsigned short", "short"}, 32: {"unsigned int", "int"}, 64: {"unsigned long long", "long long"}}

// cast reads the lowest bits of a number as a word of a width.
func (s *speaker) cast(x number, width int, signed bool) number {
	out := number{t: unsignedLong}
	if out.lo, out.hi = rangeOf(width, signed); words[width][0] != "" {
		k := 0
		if signed {
			k = 1
		}
		out.text = fmt.Sprintf("(%s)%s", words[width][k], x.text)
		if out.t = signedInt; width == 64 {
			out.t = unsignedLong
		} else if width == 32 {
			out.t = unsignedInt
		}
		if signed && width >= 32 {
			out.t--
		}
		return out
	}
	wide := "(unsigned long long)" + x.text
	if x.t == unsignedLong {
		wide = x.text
	}
	if !signed {
		out.text = fmt.Sprintf("(%s & %sULL)", wide, out.hi)
		return out
	}
	out.text, out.t = fmt.Sprintf("((long long)(%s << %d) >> %d)", wide, 64-width, 64-width), signedLong
	return out
}

// sum is a sum, or a product, if nothing wraps around; false: it may.
func (s *speaker) sum(t *logic.Term, signed bool) (number, bool) {
	lo, hi := rangeOf(t.Sort().Width(), signed)
	out := number{}
	for i, a := range t.Args() {
		x, err := s.number(a, signed)
		if err != nil {
			return out, false
		}
		if i == 0 {
			out = x
			continue
		}
		by, values := " + ", []*big.Int{new(big.Int).Add(out.lo, x.lo), new(big.Int).Add(out.hi, x.hi)}
		if t.Op() == logic.OpBVMul {
			by, values = " * ", nil
			for _, m := range []*big.Int{out.lo, out.hi} {
				for _, n := range []*big.Int{x.lo, x.hi} {
					values = append(values, new(big.Int).Mul(m, n))
				}
			}
		}
		from, to := values[0], values[0]
		for _, n := range values {
			if n.Cmp(from) < 0 {
				from = n
			}
			if n.Cmp(to) > 0 {
				to = n
			}
		}
		c, ok := common(out, x, from, to)
		if !ok || from.Cmp(lo) < 0 || to.Cmp(hi) > 0 {
			return out, false
		}
		out = number{"(" + out.as(c).text + by + x.as(c).text + ")", from, to, c, false}
	}
	return out, true
}

// quotient divides by a number.
func (s *speaker) quotient(t *logic.Term, signed bool) (number, error) {
	reading := t.Op() == logic.OpBVSDiv || t.Op() == logic.OpBVSRem
	by := " / "
	if t.Op() == logic.OpBVURem || t.Op() == logic.OpBVSRem {
		by = " % "
	}
	x, err := s.number(t.Args()[0], reading)
	y, errY := s.number(t.Args()[1], reading)
	if err != nil || errY != nil || !y.literal || y.lo.Sign() <= 0 {
		return x, errUnsaid
	}
	c, ok := common(x, y, x.lo, x.hi)
	if !ok {
		return x, errUnsaid
	}
	out := number{"(" + x.as(c).text + by + y.as(c).text + ")", x.lo, x.hi, c, false}
	if reading != signed && x.lo.Sign() < 0 || signed && !reading {
		return s.cast(out, t.Sort().Width(), signed), nil
	}
	return out, nil
}

// choice is one of two numbers.
func (s *speaker) choice(t *logic.Term, signed bool) (number, error) {
	c, err := s.formula(t.Args()[0], false)
	x, errX := s.number(t.Args()[1], signed)
	y, errY := s.number(t.Args()[2], signed)
	if err != nil || errX != nil || errY != nil {
		return x, errUnsaid
	}
	x, y = together(x, y)
	lo, hi := x.lo, x.hi
	if y.lo.Cmp(lo) < 0 {
		lo = y.lo
	}
	if y.hi.Cmp(hi) > 0 {
		hi = y.hi
	}
	return number{"(" + c + " ? " + x.text + " : " + y.text + ")", lo, hi, x.t, false}, nil
}

// shifted is a word shifted to the right by a number.
func (s *speaker) shifted(t *logic.Term, signed bool) (number, bool) {
	by := t.Args()[1]
	if arithmetic := t.Op() == logic.OpBVAShr; arithmetic != signed || by.Op() != logic.OpNumber || by.Num().Num().Cmp(big.NewInt(int64(t.Sort().Width()))) >= 0 {
		return number{}, false
	}
	x, err := s.number(t.Args()[0], signed)
	if err != nil {
		return x, false
	}
	n := uint(by.Num().Num().Uint64())
	if n >= 32 && x.t <= unsignedInt {
		x = x.as(signedLong)
	}
	x.text = fmt.Sprintf("(%s >> %d)", x.text, n)
	x.lo, x.hi, x.literal = new(big.Int).Rsh(x.lo, n), new(big.Int).Rsh(x.hi, n), false
	return x, true
}

// wrapped computes modulo 2^64, and takes the bits of the word.
func (s *speaker) wrapped(t *logic.Term, signed bool) (number, error) {
	text, err := s.modulo(t)
	if err != nil || len(text) > longest {
		return number{}, errUnsaid
	}
	lo, hi := rangeOf(64, false)
	return s.cast(number{text, lo, hi, unsignedLong, false}, t.Sort().Width(), signed), nil
}

var operators = map[logic.Op]string{logic.OpBVAdd: " + ", logic.OpBVMul: " * ", logic.OpBVAnd: " & ", logic.OpBVOr: " | ", logic.OpBVXor: " ^ "}

// modulo is an unsigned long long whose lowest bits are those of a word.
func (s *speaker) modulo(t *logic.Term) (string, error) {
	width := t.Sort().Width()
	if width > 64 {
		return "", errUnsaid
	}
	if by := operators[t.Op()]; by != "" {
		text := "("
		for i, a := range t.Args() {
			part, err := s.modulo(a)
			if err != nil || len(text)+len(part) > longest {
				return "", errUnsaid
			}
			if i > 0 {
				text += by
			}
			text += part
		}
		return text + ")", nil
	}
	one := func(format string, a *logic.Term) (string, error) {
		text, err := s.modulo(a)
		return fmt.Sprintf(format, text), err
	}
	switch args := t.Args(); t.Op() {
	case logic.OpBVNeg:
		return one("(0ULL - %s)", args[0])
	case logic.OpBVNot:
		return one("(~%s)", args[0])
	case logic.OpBVShl:
		if args[1].Op() != logic.OpNumber || args[1].Num().Num().Cmp(big.NewInt(int64(width))) >= 0 {
			return "", errUnsaid
		}
		return one("(%s << "+args[1].Num().Num().String()+")", args[0])
	case logic.OpExtract:
		if _, lo := t.Params(); lo > 0 {
			x, err := s.number(args[0], false)
			return fmt.Sprintf("(%s >> %d)", x.as(unsignedLong).text, lo), err
		}
		if args[0].Sort().Width() <= 64 {
			return s.modulo(args[0])
		}
	case logic.OpConcat:
		text := "0ULL"
		for _, a := range args {
			x, err := s.number(a, false)
			if err != nil || len(text) > longest {
				return "", errUnsaid
			}
			text = fmt.Sprintf("((%s << %d) | %s)", text, a.Sort().Width(), x.as(unsignedLong).text)
		}
		return text, nil
	case logic.OpVar, logic.OpNumber, logic.OpZeroExtend, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem:
		x, err := s.exactly(t, false)
		if err != nil {
			return "", err
		}
		return x.as(unsignedLong).text, nil
	case logic.OpSignExtend, logic.OpIte:
		x, err := s.exactly(t, true)
		if err != nil {
			return "", err
		}
		return "(unsigned long long)" + x.as(signedLong).text, nil
	case logic.OpBVAShr:
		if x, ok := s.shifted(t, true); ok {
			return "(unsigned long long)" + x.as(signedLong).text, nil
		}
	case logic.OpBVLShr:
		if x, ok := s.shifted(t, false); ok {
			return x.as(unsignedLong).text, nil
		}
	}
	return "", errUnsaid
}
