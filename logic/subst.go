package logic

import "github.com/seltl/seltl/internal/lists"

// Rebuild returns the term with the outermost operator of t and new operands,
// normalised. There must be as many operands as t has, of the same sorts.
func Rebuild(t *Term, args []*Term) *Term {
	switch t.op {
	case OpFalse, OpTrue, OpVar, OpNumber:
		return t
	case OpNot:
		return Not(args[0])
	case OpAnd:
		return And(args...)
	case OpOr:
		return Or(args...)
	case OpEq:
		return Eq(args[0], args[1])
	case OpIte:
		return Ite(args[0], args[1], args[2])
	case OpLe:
		return Le(args[0], args[1])
	case OpLt:
		return Lt(args[0], args[1])
	case OpAdd:
		return Add(args...)
	case OpMul:
		return Mul(args...)
	case OpDiv:
		return Div(args[0], args[1])
	case OpIntDiv:
		return IntDiv(args[0], args[1])
	case OpIntMod:
		return IntMod(args[0], args[1])
	case OpToReal:
		return ToReal(args[0])
	case OpFloor:
		return Floor(args[0])
	case OpBVNeg:
		return BVNeg(args[0])
	case OpBVNot:
		return BVNot(args[0])
	case OpBVULe, OpBVULt, OpBVSLe, OpBVSLt:
		return bvCompare(t.op, args[0], args[1])
	case OpConcat:
		return Concat(args[0], args[1])
	case OpExtract:
		return Extract(args[0], int(t.hi), int(t.lo))
	case OpZeroExtend, OpSignExtend:
		return extend(t.op, args[0], int(t.lo))
	case OpFloat:
		return Float(t.FloatOp(), t.sort.width, args...)
	case OpSelect:
		return Select(args[0], args[1])
	case OpStore:
		return Store(args[0], args[1], args[2])
	case OpConstArray:
		return ConstArray(t.sort, args[0])
	case OpApply:
		return Apply(args[0], args[1:]...)
	case OpConstruct:
		return Construct(t.sort, int(t.lo), args...)
	case OpField:
		return FieldOf(args[0], int(t.lo), int(t.hi))
	case OpBuiltBy:
		return BuiltBy(args[0], int(t.lo))
	}
	return BVOp(t.op, args[0], args[1])
}

// Substitute replaces every occurrence of each key by its value, all at once:
// values are not looked into. Keys are usually variables, but may be any terms,
// the outermost occurrence wins. A value must have the sort of its key.
func Substitute(t *Term, by map[*Term]*Term) *Term {
	if len(by) == 0 {
		return t
	}
	return substitution{by: by, done: map[*Term]*Term{}}.apply(t)
}

// SubstituteAll is Substitute of every term of a list.
func SubstituteAll(ts []*Term, by map[*Term]*Term) []*Term {
	s := substitution{by: by, done: map[*Term]*Term{}}
	return lists.Map(ts, s.apply)
}

// substitution remembers what became of every part: parts are shared.
type substitution struct{ by, done map[*Term]*Term }

func (s substitution) apply(t *Term) *Term {
	if u, ok := s.by[t]; ok {
		mustBe(u, t.sort, "substitution by a term")
		return u
	}
	if len(t.args) == 0 {
		return t
	}
	if u, ok := s.done[t]; ok {
		return u
	}
	args := make([]*Term, len(t.args))
	changed := false
	for i, a := range t.args {
		args[i] = s.apply(a)
		changed = changed || args[i] != a
	}
	u := t
	if changed {
		u = Rebuild(t, args)
	}
	s.done[t] = u
	return u
}
