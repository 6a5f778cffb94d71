package logic

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/seltl/seltl/internal/lists"
)

// Value is an element of a sort. The zero Value is none.
type Value struct {
	sort  *Sort
	b     bool     // Bool
	num   *big.Rat // Int, Real, bit-vector (unsigned)
	table *table   // array, function
	built *built   // datatype
}

// Sort returns the sort of the value, nil for the zero Value.
func (v Value) Sort() *Sort { return v.sort }

// Bool returns the value of sort Bool.
func (v Value) Bool() bool { return v.b }

// Num returns the value of a number, nil for other sorts. It must not be changed.
func (v Value) Num() *big.Rat { return v.num }

// BoolValue returns a value of sort Bool.
func BoolValue(b bool) Value { return Value{sort: Bool, b: b} }

// NumValue returns a value of sort Int, Real or a bit-vector; it panics if num
// is a fraction and the sort has none. It keeps num.
func NumValue(num *big.Rat, sort *Sort) Value {
	if sort != Real && !num.IsInt() {
		panic(fmt.Sprintf("logic: %s is not of sort %s", num.RatString(), sort))
	}
	if sort.kind == BitVecKind {
		num = new(big.Rat).SetInt(wrap(num.Num(), sort.width))
	}
	return Value{sort: sort, num: num}
}

// IntValue returns a value of sort Int.
func IntValue(n int64) Value { return Value{sort: Int, num: integer(n)} }

// Zero returns false, 0, the array of zeros, the function that is always zero, or a least value of a datatype.
func Zero(sort *Sort) Value {
	switch sort.kind {
	case BoolKind:
		return BoolValue(false)
	case ArrayKind, FunctionKind:
		_, result := sort.Signature()
		if sort.kind == ArrayKind {
			result = sort.element
		}
		return Value{sort: sort, table: &table{rest: Zero(result)}}
	case DatatypeKind:
		return sort.least()
	}
	return Value{sort: sort, num: ratZero}
}

// Compare is a total order of values of one sort.
func (v Value) Compare(w Value) int {
	if v.sort != w.sort {
		return v.sort.compare(w.sort)
	}
	switch v.sort.kind {
	case BoolKind:
		switch {
		case v.b == w.b:
			return 0
		case w.b:
			return -1
		}
		return 1
	case ArrayKind, FunctionKind:
		return v.compareTables(w)
	case DatatypeKind:
		return v.built.compare(w.built)
	}
	return compareNumbers(v.num, w.num)
}

// Term returns the value as a term; it panics for a function, which no term is.
func (v Value) Term() *Term {
	switch v.sort.kind {
	case BoolKind:
		return BoolConst(v.b)
	case ArrayKind:
		t := ConstArray(v.sort, v.table.rest.Term())
		for _, e := range v.table.entries {
			t = Store(t, e.key[0].Term(), e.value.Term())
		}
		return t
	case FunctionKind:
		panic("logic: a function as a term")
	case DatatypeKind:
		fields := lists.Map(v.built.fields, func(f Value) *Term { return f.Term() })
		return Construct(v.sort, v.built.constructor, fields...)
	}
	return Number(v.num, v.sort)
}

// String prints the value for people: true, -3, 5/2, {0: 7, else: 0}; of a function with
// several arguments {(0, 1): 7, else: 0}.
func (v Value) String() string { return string(v.appendTo(nil)) }

func (v Value) appendTo(b []byte) []byte {
	switch {
	case v.sort == nil:
		return append(b, "none"...)
	case v.sort == Bool:
		return strconv.AppendBool(b, v.b)
	case v.built != nil:
		return v.appendBuilt(b)
	case v.table == nil:
		if n, ok := word(v.num); ok {
			return strconv.AppendInt(b, n, 10)
		}
		return append(b, v.num.RatString()...)
	}
	return v.table.appendTo(b)
}

// Model gives values to variables by name.
type Model map[string]Value

// String prints the model sorted by name: "x=1 y=2".
func (m Model) String() string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	var b []byte
	for i, n := range names {
		if i > 0 {
			b = append(b, ' ')
		}
		b = m[n].appendTo(append(append(b, n...), '='))
	}
	return string(b)
}

// ErrDivisionByZero is returned by Eval where a value depends on an Int or Real
// divided by zero.
var ErrDivisionByZero = errors.New("division by zero")

// Eval returns the value of t. Errors: a variable without a value or with one of
// another sort, and ErrDivisionByZero. It works on values only and does not use
// the constructors that normalise, so that each checks the other.
func Eval(t *Term, m Model) (Value, error) {
	e := evaluation{model: m}
	return e.eval(t)
}

// evalOnce is after how many operators shared parts are remembered: a map of all parts
// takes longer to fill than most terms to evaluate.
const evalOnce = 256

// Holds is Eval of a formula.
func Holds(t *Term, m Model) (bool, error) {
	mustBe(t, Bool, "Holds")
	v, err := Eval(t, m)
	return v.b, err
}

type evaluation struct {
	model Model
	steps int             // operators evaluated
	done  map[*Term]Value // nil before evalOnce
}

func (e *evaluation) eval(t *Term) (Value, error) {
	switch t.op {
	case OpTrue, OpFalse:
		return BoolValue(t.op == OpTrue), nil
	case OpNumber:
		return Value{sort: t.sort, num: t.num}, nil
	case OpVar:
		v, ok := e.model[t.name]
		switch {
		case !ok:
			return Value{}, fmt.Errorf("no value for %s", t.name)
		case v.sort != t.sort:
			return Value{}, fmt.Errorf("value of %s has sort %s, not %s", t.name, v.sort, t.sort)
		}
		return v, nil
	}
	if e.steps++; e.steps < evalOnce {
		return e.operator(t)
	}
	if e.done == nil {
		e.done = map[*Term]Value{}
	}
	if v, ok := e.done[t]; ok {
		return v, nil
	}
	v, err := e.operator(t)
	// Shared parts are evaluated once, or the time could be exponential; a bound keeps
	// a term of many parts from taking more memory than the term.
	if err == nil && len(e.done) < 1<<20 {
		e.done[t] = v
	}
	return v, err
}

func (e *evaluation) operator(t *Term) (Value, error) {
	switch t.op {
	case OpIte: // the other branch may have no value
		c, err := e.eval(t.args[0])
		if err != nil {
			return Value{}, err
		}
		if c.b {
			return e.eval(t.args[1])
		}
		return e.eval(t.args[2])
	case OpAnd, OpOr:
		return e.junction(t)
	case OpNot:
		v, err := e.eval(t.args[0])
		return BoolValue(!v.b), err
	case OpEq, OpLe, OpLt:
		a, err := e.eval(t.args[0])
		if err != nil {
			return Value{}, err
		}
		b, err := e.eval(t.args[1])
		return BoolValue(err == nil && compared(t.op, a, b)), err
	case OpAdd, OpMul:
		return e.fold(t)
	}
	if len(t.args) > 0 && inWords(t) {
		return e.word(t)
	}
	args := make([]Value, len(t.args))
	for i, a := range t.args {
		v, err := e.eval(a)
		if err != nil {
			return Value{}, err
		}
		args[i] = v
	}
	switch kind := t.sort.kind; {
	case t.op == OpSelect || t.op == OpApply:
		return args[0].at(args[1:]...), nil
	case t.op == OpConstruct:
		return Value{sort: t.sort, built: &built{int(t.lo), args}}, nil
	case t.op == OpField:
		return fieldValue(t, args[0])
	case t.op == OpBuiltBy:
		return BoolValue(args[0].built.constructor == int(t.lo)), nil
	case kind == BoolKind:
		return BoolValue(bvHolds(t.op, args[0].sort.width, args[0].num.Num(), args[1].num.Num())), nil
	case kind == IntKind || kind == RealKind:
		return arithmeticValue(t, args)
	}
	return otherValue(t, args), nil
}

// junction stops at the first operand that decides, so that "y != 0 && x/y = 1"
// has a value.
func (e *evaluation) junction(t *Term) (Value, error) {
	var failed error
	for _, a := range t.args {
		v, err := e.eval(a)
		switch {
		case err != nil:
			failed = err
		case v.b == (t.op == OpOr):
			return v, nil
		}
	}
	return BoolValue(t.op == OpAnd), failed
}

func compared(op Op, a, b Value) bool {
	switch op {
	case OpEq:
		return a.Compare(b) == 0
	case OpLe:
		return compareNumbers(a.num, b.num) <= 0
	}
	return compareNumbers(a.num, b.num) < 0
}

// fold adds or multiplies.
func (e *evaluation) fold(t *Term) (Value, error) {
	var r *big.Rat
	for i, a := range t.args {
		v, err := e.eval(a)
		switch {
		case err != nil:
			return Value{}, err
		case i == 0:
			r = v.num
		case t.op == OpAdd:
			r = addNumbers(r, v.num)
		default:
			r = mulNumbers(r, v.num)
		}
	}
	return Value{sort: t.sort, num: r}, nil
}

func arithmeticValue(t *Term, args []Value) (Value, error) {
	r := args[0].num
	switch t.op {
	case OpDiv:
		if args[1].num.Sign() == 0 {
			return Value{}, ErrDivisionByZero
		}
		r = new(big.Rat).Quo(r, args[1].num)
	case OpIntDiv, OpIntMod:
		if args[1].num.Sign() == 0 {
			return Value{}, ErrDivisionByZero
		}
		q, m := new(big.Int).DivMod(r.Num(), args[1].num.Num(), new(big.Int))
		if t.op == OpIntMod {
			q = m
		}
		r = new(big.Rat).SetInt(q)
	case OpFloor:
		r = floor(r)
	}
	return Value{sort: t.sort, num: r}, nil
}

// otherValue computes bit-vectors and arrays.
func otherValue(t *Term, args []Value) Value {
	switch t.op {
	case OpStore:
		return args[0].with(args[1:2], args[2])
	case OpConstArray:
		return Value{sort: t.sort, table: &table{rest: args[0]}}
	}
	var r *big.Int
	a := args[0].num.Num()
	switch t.op {
	case OpConcat:
		r = new(big.Int).Lsh(a, uint(args[1].sort.width))
		r.Or(r, args[1].num.Num())
	case OpExtract:
		r = wrap(new(big.Int).Rsh(a, uint(t.lo)), int(t.hi-t.lo)+1)
	case OpZeroExtend:
		r = a
	case OpSignExtend:
		r = wrap(signed(a, args[0].sort.width), t.sort.width)
	case OpBVNeg, OpBVNot:
		r = bvFold(t.op, t.sort.width, a, nil)
	default:
		r = bvFold(t.op, t.sort.width, a, args[1].num.Num())
	}
	return Value{sort: t.sort, num: new(big.Rat).SetInt(r)}
}
