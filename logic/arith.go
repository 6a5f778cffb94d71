package logic

import (
	"fmt"
	"math/big"
	"slices"
)

// Monomial is a coefficient (never 0) times a term that is not itself a sum, a
// number, or a number times something.
type Monomial struct {
	Coef *big.Rat
	Term *Term
}

// Linear is Const plus the sum of Terms, which are sorted by Term.Compare
// without duplicates. Its numbers may be shared and must not be changed.
type Linear struct {
	Const *big.Rat
	Terms []Monomial
}

// Number returns the constant of sort Int, Real or a bit-vector (where it is
// taken modulo 2^width). It panics for a fraction where an integer is needed.
// It keeps no reference to value.
func Number(value *big.Rat, sort *Sort) *Term {
	if sort != Real && !value.IsInt() {
		panic(fmt.Sprintf("logic: %s is not of sort %s", value.RatString(), sort))
	}
	switch sort.kind {
	case IntKind, RealKind:
		return intern(structure{op: OpNumber, sort: sort, num: value})
	case BitVecKind:
		return BVConst(value.Num(), sort.width)
	}
	panic("logic: number of sort " + sort.String())
}

// IntConst returns an Int.
func IntConst(n int64) *Term { return Number(integer(n), Int) }

// RealConst returns the Real num/den; it panics if den is 0.
func RealConst(num, den int64) *Term { return Number(big.NewRat(num, den), Real) }

// LinearOf splits a term of sort Int or Real into monomials.
func LinearOf(t *Term) Linear {
	switch t.op {
	case OpNumber:
		return Linear{Const: t.num}
	case OpAdd:
		l := Linear{Const: ratZero}
		for _, a := range t.args {
			if a.op == OpNumber {
				l.Const = a.num
			} else {
				l.Terms = append(l.Terms, monomialOf(a))
			}
		}
		return l
	}
	return Linear{Const: ratZero, Terms: []Monomial{monomialOf(t)}}
}

func monomialOf(t *Term) Monomial {
	if t.op == OpMul && t.args[0].op == OpNumber {
		if len(t.args) == 2 {
			return Monomial{t.args[0].num, t.args[1]}
		}
		return Monomial{t.args[0].num, node(OpMul, t.sort, t.args[1:]...)}
	}
	return Monomial{ratOne, t}
}

// sum returns l + factor*m. It merges, both being sorted: every constructor of
// arithmetic goes through here.
func (l Linear) sum(factor *big.Rat, m Linear) Linear {
	out := Linear{Const: l.Const}
	if m.Const.Sign() != 0 {
		out.Const = addNumbers(mulNumbers(factor, m.Const), l.Const)
	}
	switch {
	case len(m.Terms) == 0:
		out.Terms = l.Terms
		return out
	case len(l.Terms) == 0 && factor == ratOne:
		out.Terms = m.Terms
		return out
	}
	i, j := 0, 0
	for i < len(l.Terms) || j < len(m.Terms) {
		c := 0
		switch {
		case i == len(l.Terms):
			c = 1
		case j == len(m.Terms):
			c = -1
		default:
			c = l.Terms[i].Term.Compare(m.Terms[j].Term)
		}
		if c < 0 {
			out.Terms = append(out.Terms, l.Terms[i])
			i++
			continue
		}
		coef := mulNumbers(factor, m.Terms[j].Coef)
		if c == 0 {
			coef = addNumbers(coef, l.Terms[i].Coef)
			i++
		}
		if coef.Sign() != 0 {
			out.Terms = append(out.Terms, Monomial{coef, m.Terms[j].Term})
		}
		j++
	}
	return out
}

// scale returns factor*l; factor is not 0.
func (l Linear) scale(factor *big.Rat) Linear {
	out := Linear{Const: mulNumbers(factor, l.Const), Terms: make([]Monomial, len(l.Terms))}
	for i, m := range l.Terms {
		out.Terms[i] = Monomial{mulNumbers(factor, m.Coef), m.Term}
	}
	return out
}

// Of returns the term of sort Int or Real that l stands for.
func (l Linear) Of(sort *Sort) *Term {
	args := make([]*Term, 0, len(l.Terms)+1)
	for _, m := range l.Terms {
		args = append(args, monomial(m.Coef, m.Term))
	}
	if l.Const.Sign() != 0 || len(args) == 0 {
		args = append(args, Number(l.Const, sort))
	}
	if len(args) == 1 {
		return args[0]
	}
	return node(OpAdd, sort, args...)
}

func monomial(coef *big.Rat, t *Term) *Term {
	if isOne(coef) {
		return t
	}
	args := []*Term{Number(coef, t.sort), t}
	if t.op == OpMul {
		args = append(args[:1], t.args...)
	}
	return node(OpMul, t.sort, args...)
}

func arithmetic(ts []*Term, where string) (sort *Sort) {
	sort = Int
	for _, t := range ts {
		if !t.sort.Arithmetic() {
			panic(fmt.Sprintf("logic: %s of a term of sort %s: %s", where, t.sort, t))
		}
		if t.sort == Real {
			sort = Real
		}
	}
	return sort
}

// Add returns the sum of Ints and Reals; 0 for none.
func Add(ts ...*Term) *Term {
	sort := arithmetic(ts, "Add")
	l := Linear{Const: ratZero}
	for _, t := range ts {
		l = l.sum(ratOne, LinearOf(convert(t, sort)))
	}
	return l.Of(sort)
}

// Sub returns a - b.
func Sub(a, b *Term) *Term { return Add(a, Neg(b)) }

// Neg returns -t.
func Neg(t *Term) *Term { return Scale(ratMinusOne, t) }

// Scale returns factor*t; for an Int the factor must be an integer.
func Scale(factor *big.Rat, t *Term) *Term {
	arithmetic([]*Term{t}, "Scale")
	if factor.Sign() == 0 {
		return Number(ratZero, t.sort)
	}
	return LinearOf(t).scale(factor).Of(t.sort)
}

// Mul returns the product; 1 for no operands. Products of sums are not expanded: the
// result could be exponential, and no engine here needs polynomials in normal form.
func Mul(ts ...*Term) *Term {
	sort := arithmetic(ts, "Mul")
	coef := ratOne
	var factors []*Term
	for _, t := range ts {
		t = convert(t, sort)
		l := LinearOf(t)
		switch {
		case len(l.Terms) == 0:
			coef = mulNumbers(coef, l.Const)
		case len(l.Terms) == 1 && l.Const.Sign() == 0:
			coef = mulNumbers(coef, l.Terms[0].Coef)
			if m := l.Terms[0].Term; m.op == OpMul {
				factors = append(factors, m.args...)
			} else {
				factors = append(factors, m)
			}
		default:
			factors = append(factors, t)
		}
	}
	switch {
	case coef.Sign() == 0 || len(factors) == 0:
		return Number(coef, sort)
	case len(factors) == 1:
		return Scale(coef, factors[0])
	}
	slices.SortFunc(factors, (*Term).Compare)
	return monomial(coef, node(OpMul, sort, factors...))
}

// Div returns a / b of sort Real.
func Div(a, b *Term) *Term {
	a, b = ToReal(a), ToReal(b)
	if b.op == OpNumber && b.num.Sign() != 0 {
		return Scale(new(big.Rat).Inv(b.num), a)
	}
	return node(OpDiv, Real, a, b)
}

// IntDiv returns the Euclidean quotient of Ints: a = b*q + r with 0 <= r < |b|.
func IntDiv(a, b *Term) *Term {
	mustBe(a, Int, "IntDiv")
	mustBe(b, Int, "IntDiv")
	if b.op == OpNumber {
		switch {
		case isOne(b.num):
			return a
		case a.op == OpNumber && b.num.Sign() != 0:
			q, _ := new(big.Int).DivMod(a.num.Num(), b.num.Num(), new(big.Int))
			return Number(new(big.Rat).SetInt(q), Int)
		}
	}
	return node(OpIntDiv, Int, a, b)
}

// IntMod returns the Euclidean remainder of Ints, see IntDiv.
func IntMod(a, b *Term) *Term {
	mustBe(a, Int, "IntMod")
	mustBe(b, Int, "IntMod")
	if a.op == OpNumber && b.op == OpNumber && b.num.Sign() != 0 {
		_, r := new(big.Int).DivMod(a.num.Num(), b.num.Num(), new(big.Int))
		return Number(new(big.Rat).SetInt(r), Int)
	}
	if b.op == OpNumber && b.num.Sign() != 0 {
		modulus := new(big.Int).Abs(b.num.Num())
		if a = reduced(a, modulus); a.op == OpNumber {
			return IntMod(a, b)
		}
		if a.op == OpIntMod && a.args[1].op == OpNumber && a.args[1].num.Num().CmpAbs(modulus) <= 0 && a.args[1].num.Sign() != 0 {
			return a // is less than the modulus
		}
	}
	return node(OpIntMod, Int, a, b)
}

// reduced returns an integer that is equal modulo some number: remainders by its multiples
// count for nothing (what conversions between machine words are full of, and Z3 may never
// decide), and coefficients are less than it.
func reduced(t *Term, modulus *big.Int) *Term {
	l := LinearOf(t)
	if !slices.ContainsFunc(l.Terms, func(m Monomial) bool { return reducible(m, modulus) || m.Coef.Num().CmpAbs(modulus) >= 0 }) &&
		l.Const.Num().CmpAbs(modulus) < 0 {
		return t
	}
	out := Linear{Const: remainder(l.Const, modulus)}
	for _, m := range l.Terms {
		inner := m.Term
		if reducible(m, modulus) {
			inner = reduced(inner.args[0], modulus)
		}
		coef := m.Coef
		// (What is multiplied by a multiple and perhaps has no value stays.)
		if r := remainder(coef, modulus); r.Sign() != 0 || inner.op == OpVar {
			coef = r
		}
		out = out.sum(coef, LinearOf(inner))
	}
	if u := out.Of(Int); u != t {
		return reduced(u, modulus) // sums may have become large
	}
	return t
}

// reducible recognises a remainder by a multiple of the modulus, times the coefficient.
func reducible(m Monomial, modulus *big.Int) bool {
	if m.Term.op != OpIntMod || m.Term.args[1].op != OpNumber || m.Term.args[1].num.Sign() == 0 {
		return false
	}
	by := new(big.Int).Mul(m.Coef.Num(), m.Term.args[1].num.Num())
	return by.Rem(by, modulus).Sign() == 0
}

func remainder(n *big.Rat, modulus *big.Int) *big.Rat {
	if n.Num().CmpAbs(modulus) < 0 {
		return n
	}
	return new(big.Rat).SetInt(new(big.Int).Rem(n.Num(), modulus))
}

// TruncDiv returns the quotient of Ints as C computes it: rounded towards 0.
func TruncDiv(a, b *Term) *Term {
	return Ite(Ge(a, IntConst(0)), IntDiv(a, b), Neg(IntDiv(Neg(a), b)))
}

// TruncMod returns the remainder of Ints as C computes it: with the sign of a.
func TruncMod(a, b *Term) *Term {
	return Ite(Ge(a, IntConst(0)), IntMod(a, b), Neg(IntMod(Neg(a), b)))
}

// convert turns an Int into the sort wanted.
func convert(t *Term, sort *Sort) *Term {
	if sort == Real {
		return ToReal(t)
	}
	return t
}

// ToReal returns an Int as a Real; a Real is returned as it is. It distributes
// over sums, so that monomials on both sides of a comparison can cancel out.
func ToReal(t *Term) *Term {
	arithmetic([]*Term{t}, "ToReal")
	if t.sort == Real {
		return t
	}
	switch t.op {
	case OpNumber:
		return Number(t.num, Real)
	case OpVar, OpMul, OpAdd:
		l := LinearOf(t)
		// A single variable or product has nothing to distribute over: calling ToReal
		// of its only monomial would not end.
		if len(l.Terms) != 1 || l.Const.Sign() != 0 || !isOne(l.Terms[0].Coef) {
			out := Linear{Const: l.Const}
			for _, m := range l.Terms {
				out = out.sum(m.Coef, LinearOf(ToReal(m.Term)))
			}
			return out.Of(Real)
		}
	}
	return node(OpToReal, Real, t)
}

// Floor returns the largest Int not above a Real; an Int is returned as it is.
func Floor(t *Term) *Term {
	switch {
	case t.sort == Int:
		return t
	case t.op == OpNumber:
		return Number(floor(t.num), Int)
	case t.op == OpToReal:
		return t.args[0]
	}
	mustBe(t, Real, "Floor")
	return node(OpFloor, Int, t)
}

func floor(r *big.Rat) *big.Rat {
	if r.IsInt() {
		return r
	}
	q, _ := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int)) // the denominator is positive
	return new(big.Rat).SetInt(q)
}

// Le returns a <= b.
func Le(a, b *Term) *Term { return compareLinear(OpLe, a, b) }

// Lt returns a < b.
func Lt(a, b *Term) *Term { return compareLinear(OpLt, a, b) }

// Ge returns a >= b.
func Ge(a, b *Term) *Term { return Le(b, a) }

// Gt returns a > b.
func Gt(a, b *Term) *Term { return Lt(b, a) }

// compareLinear builds the normal form of "a op b".
func compareLinear(op Op, a, b *Term) *Term {
	sort := arithmetic([]*Term{a, b}, "comparison")
	l := LinearOf(convert(a, sort)).sum(ratMinusOne, LinearOf(convert(b, sort)))
	return linearAtom(op, l, sort)
}

// linearAtom builds the normal form of "l op 0": what the predicates of an abstraction
// are compared by, so that 2*x <= 2*y and x - y <= 0 are one predicate.
func linearAtom(op Op, l Linear, sort *Sort) *Term {
	if len(l.Terms) == 0 {
		s := l.Const.Sign()
		return BoolConst(op == OpEq && s == 0 || op == OpLe && s <= 0 || op == OpLt && s < 0)
	}
	factor := l.primitive()
	// An equality may be multiplied by -1, an inequality may not.
	if op == OpEq && l.Terms[0].Coef.Sign() < 0 {
		factor = negNumber(factor)
	}
	if !isOne(factor) {
		l = l.scale(factor)
	}
	bound := negNumber(l.Const)
	// A sum of Ints with integer coefficients is an integer, so that bounds can be rounded;
	// that the coefficients are coprime makes the rounding as strong as it can be.
	if sort == Int {
		switch {
		case op == OpEq && !bound.IsInt():
			return falseTerm
		case op == OpLt:
			// sum < bound iff sum <= ceil(bound)-1 iff sum <= -floor(-bound)-1.
			bound = negNumber(addNumbers(floor(negNumber(bound)), ratOne))
			op = OpLe
		case op == OpLe:
			bound = floor(bound)
		}
	}
	l.Const = ratZero
	return node(op, Bool, l.Of(sort), Number(bound, sort))
}

// primitive returns the positive factor that makes the coefficients of l (not
// the constant) coprime integers.
func (l Linear) primitive() *big.Rat {
	if l.unit() {
		return ratOne
	}
	if gcd, ok := l.gcd(); ok {
		return big.NewRat(1, gcd)
	}
	lcm := big.NewInt(1)
	for _, m := range l.Terms {
		d := m.Coef.Denom()
		g := new(big.Int).GCD(nil, nil, lcm, d)
		lcm.Mul(lcm, new(big.Int).Quo(d, g))
	}
	gcd := new(big.Int)
	for _, m := range l.Terms {
		n := new(big.Int).Mul(m.Coef.Num(), new(big.Int).Quo(lcm, m.Coef.Denom()))
		gcd.GCD(nil, nil, gcd, n.Abs(n))
	}
	return new(big.Rat).SetFrac(lcm, gcd)
}

// gcd returns the greatest common divisor of the coefficients, if all of them are integers
// that fit into machine words.
func (l Linear) gcd() (gcd int64, ok bool) {
	for _, m := range l.Terms {
		n, ok := word(m.Coef)
		if !ok || n == -n { // 0 is none, and the least word has no magnitude
			return 0, false
		}
		n = max(n, -n)
		for n != 0 {
			gcd, n = n, gcd%n
		}
	}
	return gcd, true
}

// unit reports that the coefficients are integers, and that of the first is 1 or -1, as most
// are.
func (l Linear) unit() bool {
	if n, ok := word(l.Terms[0].Coef); !ok || n != 1 && n != -1 {
		return false
	}
	for _, m := range l.Terms[1:] {
		if !m.Coef.IsInt() {
			return false
		}
	}
	return true
}

// negateInequality returns the negation of an OpLe or OpLt.
func negateInequality(t *Term) *Term {
	if t.op == OpLe {
		return Gt(t.args[0], t.args[1])
	}
	return Ge(t.args[0], t.args[1])
}

// IsLinearAtom reports whether LinearAtom would split t.
func IsLinearAtom(t *Term) bool {
	if t.op == OpNot {
		t = t.args[0]
	}
	return (t.op == OpEq || t.op == OpLe || t.op == OpLt) && t.args[0].sort.Arithmetic()
}

// LinearAtom splits a formula "sum op number" over Int or Real: op is OpEq, OpLe
// or OpLt, negated says that the formula is its negation (of OpEq only). The
// constant of the sum is 0. ok is false for all other formulas.
func LinearAtom(t *Term) (op Op, sum Linear, bound *big.Rat, negated, ok bool) {
	if t.op == OpNot {
		negated, t = true, t.args[0]
	}
	switch t.op {
	case OpEq, OpLe, OpLt:
		if t.args[0].sort.Arithmetic() {
			return t.op, LinearOf(t.args[0]), t.args[1].num, negated, true
		}
	}
	return 0, Linear{}, nil, false, false
}

// HasProduct reports a product of terms none of which is a number.
func HasProduct(t *Term) bool {
	for u := range Subterms(t) {
		if u.Op() != OpMul {
			continue
		}
		if args := u.Args(); len(args) > 2 || len(args) == 2 && args[0].Op() != OpNumber {
			return true
		}
	}
	return false
}
