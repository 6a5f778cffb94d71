package naive

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/logic"
)

// errNoValue is EvalRaw's error for a division by zero.
var errNoValue = errors.New("division by zero")

// EvalRaw computes a term as it was written, operator by operator, with machine
// integers for bit-vectors of at most 16 bits and a Go map for arrays. The
// result is a bool, a *big.Rat, a uint16 or a *NaiveArray.
func EvalRaw(e *gen.RawTerm, m logic.Model) (any, error) {
	if e.Op == "num" || e.Op == "var" {
		return exprLeaf(e, m), nil
	}
	args := make([]any, len(e.Args))
	for i, a := range e.Args {
		v, err := EvalRaw(a, m)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	if e.Op == "apply" {
		return applied(m[e.Name].String(), args[0].(*big.Rat), args[1].(bool))
	}
	switch a := args[0].(type) {
	case bool:
		switch e.Op {
		case "ite":
			if a {
				return args[1], nil
			}
			return args[2], nil
		case "not":
			return !a, nil
		case "and":
			return a && args[1].(bool), nil
		case "or":
			return a || args[1].(bool), nil
		case "=>":
			return !a || args[1].(bool), nil
		}
		return a == args[1].(bool), nil
	case *big.Rat:
		return exprNumber(e, a, args)
	case *Array:
		switch e.Op {
		case "select":
			return a.At(args[1].(*big.Rat)), nil
		case "store":
			return a.with(args[1].(*big.Rat), args[2].(*big.Rat)), nil
		}
		return a.Equal(args[1].(*Array)), nil
	}
	return exprBits(e.Op, e.Args[0].Sort.Width(), args), nil
}

// applied looks a value up in the text of a function: {(0, true): 7, else: 0}.
func applied(table string, a *big.Rat, b bool) (any, error) {
	_, value, ok := strings.Cut(table, fmt.Sprintf("(%s, %v): ", a.RatString(), b))
	if !ok {
		_, value, _ = strings.Cut(table, "else: ")
	}
	value = value[:strings.IndexAny(value, ",}")]
	r, ok := new(big.Rat).SetString(value)
	if !ok {
		return nil, errors.New("not a function: " + table)
	}
	return r, nil
}

func exprLeaf(e *gen.RawTerm, m logic.Model) any {
	if e.Op == "num" {
		switch e.Sort.Kind() {
		case logic.BoolKind:
			return e.Num.Sign() != 0
		case logic.BitVecKind:
			return uint16(e.Num.Num().Uint64())
		}
		return e.Num
	}
	v := m[e.Name]
	switch e.Sort.Kind() {
	case logic.BoolKind:
		return v.Bool()
	case logic.BitVecKind:
		return uint16(v.Num().Num().Uint64())
	case logic.ArrayKind:
		return arrayOfTerm(v.Term())
	}
	return v.Num()
}

func exprNumber(e *gen.RawTerm, a *big.Rat, args []any) (any, error) {
	r := new(big.Rat)
	switch e.Op {
	case "neg":
		return r.Neg(a), nil
	case "scale":
		return r.Mul(a, e.Num), nil
	case "toreal":
		return a, nil
	case "floor":
		return r.SetInt(floorRat(a)), nil
	}
	b := args[1].(*big.Rat)
	switch e.Op {
	case "=":
		return a.Cmp(b) == 0, nil
	case "<":
		return a.Cmp(b) < 0, nil
	case "<=":
		return a.Cmp(b) <= 0, nil
	case ">":
		return a.Cmp(b) > 0, nil
	case ">=":
		return a.Cmp(b) >= 0, nil
	case "+":
		return r.Add(a, b), nil
	case "-":
		return r.Sub(a, b), nil
	case "*":
		return r.Mul(a, b), nil
	}
	if b.Sign() == 0 {
		return nil, errNoValue
	}
	// q is the integer with a - b*q in [0, |b|).
	q := floorRat(new(big.Rat).Quo(a, new(big.Rat).Abs(b)))
	if b.Sign() < 0 {
		q.Neg(q)
	}
	if e.Op == "div" {
		return r.SetInt(q), nil
	}
	return r.Sub(a, new(big.Rat).Mul(b, new(big.Rat).SetInt(q))), nil
}

func floorRat(a *big.Rat) *big.Int {
	q := new(big.Int).Quo(a.Num(), a.Denom())
	if a.Sign() < 0 && !a.IsInt() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// exprBits computes on bit-vectors of w bits by wrapping Go integers.
func exprBits(op string, w int, args []any) any {
	mask := uint32(1)<<w - 1
	a := uint32(args[0].(uint16))
	sign := func(x uint32) int32 {
		if x>>(w-1)&1 == 1 {
			return int32(x) - int32(mask) - 1
		}
		return int32(x)
	}
	cut := func(x uint32) any { return uint16(x & mask) }
	switch op {
	case "bvnot":
		return cut(^a)
	case "bvneg":
		return cut(-a)
	}
	b := uint32(args[1].(uint16))
	switch op {
	case "=":
		return a == b
	case "bvule":
		return a <= b
	case "bvult":
		return a < b
	case "bvsle":
		return sign(a) <= sign(b)
	case "bvslt":
		return sign(a) < sign(b)
	case "bvadd":
		return cut(a + b)
	case "bvsub":
		return cut(a - b)
	case "bvmul":
		return cut(a * b)
	case "bvand":
		return cut(a & b)
	case "bvor":
		return cut(a | b)
	case "bvxor":
		return cut(a ^ b)
	case "bvshl":
		return cut(a << b)
	case "bvlshr":
		return cut(a >> b)
	case "bvashr":
		return cut(uint32(sign(a) >> b))
	case "bvudiv":
		if b == 0 {
			return cut(mask)
		}
		return cut(a / b)
	case "bvurem":
		if b == 0 {
			return cut(a)
		}
		return cut(a % b)
	case "bvsdiv":
		switch {
		case b == 0 && sign(a) < 0:
			return cut(1)
		case b == 0:
			return cut(mask)
		}
		return cut(uint32(sign(a) / sign(b)))
	}
	if b == 0 {
		return cut(a)
	}
	return cut(uint32(sign(a) % sign(b)))
}

// Array is a total map from numbers to numbers.
type Array struct {
	rest *big.Rat
	at   map[string]*big.Rat
}

// At returns an element.
func (a *Array) At(i *big.Rat) *big.Rat {
	if v, ok := a.at[i.RatString()]; ok {
		return v
	}
	return a.rest
}

// with returns a copy with one element replaced.
func (a *Array) with(i, v *big.Rat) *Array {
	b := &Array{rest: a.rest, at: map[string]*big.Rat{i.RatString(): v}}
	for k, w := range a.at {
		if k != i.RatString() {
			b.at[k] = w
		}
	}
	return b
}

// Equal compares element by element.
func (a *Array) Equal(b *Array) bool {
	for _, keys := range []map[string]*big.Rat{a.at, b.at} {
		for k := range keys {
			i, _ := new(big.Rat).SetString(k)
			if a.At(i).Cmp(b.At(i)) != 0 {
				return false
			}
		}
	}
	return a.rest.Cmp(b.rest) == 0
}

func arrayOfTerm(t *logic.Term) *Array {
	if t.Op() == logic.OpConstArray {
		return &Array{rest: t.Args()[0].Num()}
	}
	return arrayOfTerm(t.Args()[0]).with(t.Args()[1].Num(), t.Args()[2].Num())
}

// SameValue compares a result of EvalRaw with a value of package logic.
func SameValue(naive any, v logic.Value) bool {
	switch n := naive.(type) {
	case bool:
		return v.Sort() == logic.Bool && n == v.Bool()
	case *big.Rat:
		return v.Sort().Arithmetic() && n.Cmp(v.Num()) == 0
	case uint16:
		return v.Sort().Kind() == logic.BitVecKind && v.Num().Num().Uint64() == uint64(n)
	case *Array:
		return n.Equal(arrayOfTerm(v.Term()))
	}
	return false
}
