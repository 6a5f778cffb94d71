package gen

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/logic"
)

// RawTerm is a term as it was written, before package logic normalises it. The
// operators are: not and or => iff ite = < <= > >= + - * neg scale div mod
// toreal floor, bvadd and so on, select store, apply, var num.
type RawTerm struct {
	Op   string
	Sort *logic.Sort
	Name string   // of var, and the function of apply
	Num  *big.Rat // of num, and the factor of scale
	Args []*RawTerm
}

// RawVars are the variables of random terms: four of each sort.
func RawVars(sort *logic.Sort) []*logic.Term {
	prefix := map[logic.SortKind]string{logic.BoolKind: "b", logic.IntKind: "i", logic.RealKind: "X", logic.BitVecKind: "v", logic.ArrayKind: "a", logic.FunctionKind: "f"}[sort.Kind()]
	var out []*logic.Term
	for k := range 4 {
		out = append(out, logic.Var(fmt.Sprintf("%s%d", prefix, k), sort))
	}
	return out
}

// RawOptions shape random terms. Sorts are those that may occur beside Bool.
type RawOptions struct {
	Depth int
	Sorts []*logic.Sort
}

// SmallArray is the array sort of random terms, SmallBV their bit-vectors, SmallFunction
// the sort of their functions.
var (
	SmallFunction = logic.FunctionOf([]*logic.Sort{logic.Int, logic.Bool}, logic.Int)
	SmallArray    = logic.ArrayOf(logic.Int, logic.Int)
	SmallBV       = logic.BitVec(4)
)

// NewRawTerm returns a random term of the given sort.
func NewRawTerm(r *rand.Rand, sort *logic.Sort, o RawOptions) *RawTerm {
	if o.Depth <= 0 || r.IntN(6) == 0 {
		return leaf(r, sort)
	}
	o.Depth--
	sub := func(s *logic.Sort) *RawTerm { return NewRawTerm(r, s, o) }
	op := func(name string, args ...*RawTerm) *RawTerm { return &RawTerm{Op: name, Sort: sort, Args: args} }
	pick := func(names ...string) string { return names[r.IntN(len(names))] }
	if r.IntN(8) == 0 {
		return op("ite", sub(logic.Bool), sub(sort), sub(sort))
	}
	switch sort.Kind() {
	case logic.BoolKind:
		if len(o.Sorts) == 0 || r.IntN(2) == 0 {
			if r.IntN(4) == 0 {
				return op("not", sub(sort))
			}
			return op(pick("and", "or", "and", "or", "=>", "iff"), sub(sort), sub(sort))
		}
		return compared(r, o, sub)
	case logic.IntKind, logic.RealKind:
		return arithmetic(r, sort, o, sub)
	case logic.BitVecKind:
		if r.IntN(4) == 0 {
			return op(pick("bvnot", "bvneg"), sub(sort))
		}
		return op(pick("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"), sub(sort), sub(sort))
	}
	return op("store", sub(sort), sub(sort.Index()), sub(sort.Element()))
}

func compared(r *rand.Rand, o RawOptions, sub func(*logic.Sort) *RawTerm) *RawTerm {
	s := o.Sorts[r.IntN(len(o.Sorts))]
	if s.Kind() == logic.FunctionKind {
		_, s = s.Signature()
	}
	names := []string{"=", "<", "<=", ">", ">="}
	switch s.Kind() {
	case logic.BitVecKind:
		names = []string{"=", "bvule", "bvult", "bvsle", "bvslt"}
	case logic.ArrayKind:
		names = names[:1]
	}
	return &RawTerm{Op: names[r.IntN(len(names))], Sort: logic.Bool, Args: []*RawTerm{sub(s), sub(s)}}
}

func arithmetic(r *rand.Rand, sort *logic.Sort, o RawOptions, sub func(*logic.Sort) *RawTerm) *RawTerm {
	op := func(name string, args ...*RawTerm) *RawTerm { return &RawTerm{Op: name, Sort: sort, Args: args} }
	has := func(s *logic.Sort) bool {
		return slices.Contains(o.Sorts, s)
	}
	switch k := r.IntN(14); {
	case k < 2 && sort == logic.Int && has(SmallFunction):
		e := op("apply", sub(sort), sub(logic.Bool))
		e.Name = RawVars(SmallFunction)[r.IntN(4)].Name()
		return e
	case k < 4:
		return op("+", sub(sort), sub(sort))
	case k < 7:
		return op("-", sub(sort), sub(sort))
	case k == 7:
		return op("neg", sub(sort))
	case k < 10:
		e := op("scale", sub(sort))
		e.Num = smallNumber(r, sort)
		return e
	case k == 10:
		return op("*", sub(sort), sub(sort))
	case k == 11 && sort == logic.Int:
		return op([]string{"div", "mod"}[r.IntN(2)], sub(sort), sub(sort))
	case k == 12 && sort == logic.Int && has(SmallArray):
		return op("select", sub(SmallArray), sub(sort))
	case k == 13 && sort == logic.Real && has(logic.Int):
		return op("toreal", sub(logic.Int))
	case k == 13 && sort == logic.Int && has(logic.Real):
		return op("floor", sub(logic.Real))
	}
	return leaf(r, sort)
}

func smallNumber(r *rand.Rand, sort *logic.Sort) *big.Rat {
	if sort == logic.Real {
		return big.NewRat(int64(r.IntN(9)-4), int64(1+r.IntN(3)))
	}
	return big.NewRat(int64(r.IntN(9)-4), 1)
}

func leaf(r *rand.Rand, sort *logic.Sort) *RawTerm {
	if sort.Kind() != logic.ArrayKind && r.IntN(3) == 0 {
		e := &RawTerm{Op: "num", Sort: sort, Num: smallNumber(r, sort)}
		if sort.Kind() == logic.BoolKind || sort.Kind() == logic.BitVecKind {
			e.Num = big.NewRat(int64(r.IntN(2)), 1)
			if sort.Kind() == logic.BitVecKind {
				e.Num = big.NewRat(int64(r.IntN(16)), 1)
			}
		}
		return e
	}
	vars := RawVars(sort)
	return &RawTerm{Op: "var", Sort: sort, Name: vars[r.IntN(len(vars))].Name()}
}

// Term builds the term with the constructors of package logic.
func (e *RawTerm) Term() *logic.Term {
	args := make([]*logic.Term, len(e.Args))
	for i, a := range e.Args {
		args[i] = a.Term()
	}
	switch e.Op {
	case "var":
		return logic.Var(e.Name, e.Sort)
	case "num":
		if e.Sort == logic.Bool {
			return logic.BoolConst(e.Num.Sign() != 0)
		}
		return logic.Number(e.Num, e.Sort)
	case "not", "neg", "toreal", "floor", "bvnot", "bvneg":
		return map[string]func(*logic.Term) *logic.Term{"not": logic.Not, "neg": logic.Neg, "toreal": logic.ToReal,
			"floor": logic.Floor, "bvnot": logic.BVNot, "bvneg": logic.BVNeg}[e.Op](args[0])
	case "scale":
		return logic.Scale(e.Num, args[0])
	case "ite":
		return logic.Ite(args[0], args[1], args[2])
	case "store":
		return logic.Store(args[0], args[1], args[2])
	case "apply":
		return logic.Apply(logic.Var(e.Name, SmallFunction), args...)
	}
	return binaryTerm[e.Op](args[0], args[1])
}

var binaryTerm = map[string]func(a, b *logic.Term) *logic.Term{
	"and": func(a, b *logic.Term) *logic.Term { return logic.And(a, b) },
	"or":  func(a, b *logic.Term) *logic.Term { return logic.Or(a, b) },
	"+":   func(a, b *logic.Term) *logic.Term { return logic.Add(a, b) },
	"*":   func(a, b *logic.Term) *logic.Term { return logic.Mul(a, b) },
	"=>":  logic.Implies, "iff": logic.Eq, "=": logic.Eq, "<": logic.Lt, "<=": logic.Le, ">": logic.Gt, ">=": logic.Ge,
	"-": logic.Sub, "div": logic.IntDiv, "mod": logic.IntMod, "select": logic.Select,
	"bvadd": logic.BVAdd, "bvsub": logic.BVSub,
	"bvule": logic.BVULe, "bvult": logic.BVULt, "bvsle": logic.BVSLe, "bvslt": logic.BVSLt,
	"bvmul": bv(logic.OpBVMul), "bvudiv": bv(logic.OpBVUDiv), "bvurem": bv(logic.OpBVURem),
	"bvsdiv": bv(logic.OpBVSDiv), "bvsrem": bv(logic.OpBVSRem), "bvand": bv(logic.OpBVAnd),
	"bvor": bv(logic.OpBVOr), "bvxor": bv(logic.OpBVXor), "bvshl": bv(logic.OpBVShl),
	"bvlshr": bv(logic.OpBVLShr), "bvashr": bv(logic.OpBVAShr),
}

func bv(op logic.Op) func(a, b *logic.Term) *logic.Term {
	return func(a, b *logic.Term) *logic.Term { return logic.BVOp(op, a, b) }
}

// NewModel returns random small values for RawVars of the sorts and Bool.
func NewModel(r *rand.Rand, sorts []*logic.Sort) logic.Model {
	m := logic.Model{}
	for _, s := range append([]*logic.Sort{logic.Bool}, sorts...) {
		for _, v := range RawVars(s) {
			m[v.Name()] = smallValue(r, s)
		}
	}
	return m
}

func smallValue(r *rand.Rand, s *logic.Sort) logic.Value {
	switch s.Kind() {
	case logic.BoolKind:
		return logic.BoolValue(r.IntN(2) == 0)
	case logic.BitVecKind:
		return logic.NumValue(big.NewRat(int64(r.IntN(16)), 1), s)
	case logic.FunctionKind:
		arguments, result := s.Signature()
		points := make([]logic.Point, r.IntN(8))
		for i := range points {
			for _, a := range arguments {
				points[i].Arguments = append(points[i].Arguments, smallValue(r, a))
			}
			points[i].Value = smallValue(r, result)
		}
		return logic.FunctionValue(s, points, smallValue(r, result))
	case logic.ArrayKind:
		t := logic.ConstArray(s, smallValue(r, s.Element()).Term())
		for range r.IntN(4) {
			t = logic.Store(t, smallValue(r, s.Index()).Term(), smallValue(r, s.Element()).Term())
		}
		v, err := logic.Eval(t, nil)
		if err != nil {
			panic(err)
		}
		return v
	}
	return logic.NumValue(smallNumber(r, s), s)
}

// NewBounds returns a random formula of what invariants are made of: conjunctions and
// disjunctions, nested so deep, of comparisons of two integers and their difference with
// small numbers.
func NewBounds(r *rand.Rand, depth int) *logic.Term {
	if depth == 0 {
		vars := RawVars(logic.Int)
		a, b := vars[r.IntN(2)], logic.IntConst(int64(r.IntN(5)-2))
		if r.IntN(3) == 0 {
			a = logic.Sub(vars[0], vars[1])
		}
		return []*logic.Term{logic.Le(a, b), logic.Ge(a, b), logic.Eq(a, b), logic.Ne(a, b)}[r.IntN(4)]
	}
	var fs []*logic.Term
	for range 2 + r.IntN(3) {
		fs = append(fs, NewBounds(r, depth-1))
	}
	if r.IntN(2) == 0 {
		return logic.And(fs...)
	}
	return logic.Or(fs...)
}
