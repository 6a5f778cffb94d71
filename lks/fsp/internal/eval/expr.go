package eval

import (
	"strconv"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Value is what an expression, variable, constant or parameter stands for: a
// 32-bit integer or a label.
type Value struct {
	N     int32
	Label string // "" for an integer
}

// IsLabel reports whether it is no integer.
func (v Value) IsLabel() bool { return v.Label != "" }

// String is the number or the label.
func (v Value) String() string {
	if v.IsLabel() {
		return v.Label
	}
	return strconv.Itoa(int(v.N))
}

// Int is an integer.
func Int(n int32) Value { return Value{N: n} }

func boolValue(b bool) Value {
	if b {
		return Value{N: 1}
	}
	return Value{}
}

// Scope evaluates expressions, labels and sets: it knows the constants of the
// file, the parameters of one process, and the index variables in scope.
type Scope struct {
	env    *Env
	params map[string]Value
	Vars   []Variable
	parts  []Part // scratch of expand, used as a stack
}

// Variable is an index variable that is bound.
type Variable struct {
	Name  string
	Value Value
}

// Fail is Env.Fail.
func (s *Scope) Fail(at syntax.Span, code, help, format string, args ...any) {
	s.env.Fail(at, code, help, format, args...)
}

// lookup returns the value of an index variable.
func (s *Scope) lookup(name string) (Value, bool) {
	for i := len(s.Vars) - 1; i >= 0; i-- {
		if s.Vars[i].Name == name {
			return s.Vars[i].Value, true
		}
	}
	return Value{}, false
}

// Bind binds a variable.
func (s *Scope) Bind(name string, v Value) { s.Vars = append(s.Vars, Variable{name, v}) }

// Unbind forgets all variables but the first n.
func (s *Scope) Unbind(n int) { s.Vars = s.Vars[:n] }

// Number evaluates an expression that must be an integer.
func (s *Scope) Number(e *syntax.Expr) int32 {
	v := s.Eval(e)
	if v.IsLabel() {
		s.Fail(e.Span, "label-as-number", "", "%s is the label %s, not a number", s.env.Text(e.Span), v.Label)
	}
	return v.N
}

// Truth evaluates a condition: everything but 0 is true.
func (s *Scope) Truth(e *syntax.Expr) bool { return s.Number(e) != 0 }

// Eval evaluates an expression.
func (s *Scope) Eval(e *syntax.Expr) Value {
	switch e.Op {
	case syntax.OpBad:
		panic(Abort) // the parser has reported it
	case syntax.OpNumber:
		return Int(e.Value)
	case syntax.OpVariable:
		if v, ok := s.lookup(e.Text); ok {
			return v
		}
		s.unknownVariable(e)
	case syntax.OpName:
		if v, ok := s.named(e.Text); ok {
			return v
		}
		s.unknownName(e.Text, e.Span, "constant or parameter", append(s.env.Names.Of(syntax.Constant), s.paramNames()...))
	case syntax.OpLabel:
		return Value{Label: s.oneLabel(e)}
	case syntax.OpCount:
		n := int32(0)
		s.Expand(e.Label, func([]byte) { n++ })
		return Int(n)
	case syntax.OpSelect:
		return Value{Label: s.selectLabel(e)}
	case syntax.OpPlus:
		return Int(s.Number(e.Left))
	case syntax.OpNeg:
		return Int(-s.Number(e.Left))
	case syntax.OpNot:
		// LTSA's !: true for every number that is not positive.
		return boolValue(s.Number(e.Left) <= 0)
	}
	return s.binary(e)
}

func (s *Scope) binary(e *syntax.Expr) Value {
	l, r := s.Eval(e.Left), s.Eval(e.Right)
	if l.IsLabel() || r.IsLabel() {
		switch e.Op {
		case syntax.OpEq:
			return boolValue(l.String() == r.String())
		case syntax.OpNe:
			return boolValue(l.String() != r.String())
		}
		bad := e.Left
		if !l.IsLabel() {
			bad = e.Right
			l = r
		}
		s.Fail(bad.Span, "label-as-number", "labels can only be compared with == and !=", "%s is the label %s, not a number", s.env.Text(bad.Span), l.Label)
	}
	a, b := l.N, r.N
	switch e.Op {
	case syntax.OpOr:
		return boolValue(a != 0 || b != 0)
	case syntax.OpAnd:
		return boolValue(a != 0 && b != 0)
	case syntax.OpBitOr:
		return Int(a | b)
	case syntax.OpBitXor:
		return Int(a ^ b)
	case syntax.OpBitAnd:
		return Int(a & b)
	case syntax.OpEq:
		return boolValue(a == b)
	case syntax.OpNe:
		return boolValue(a != b)
	case syntax.OpLt:
		return boolValue(a < b)
	case syntax.OpLe:
		return boolValue(a <= b)
	case syntax.OpGt:
		return boolValue(a > b)
	case syntax.OpGe:
		return boolValue(a >= b)
	case syntax.OpShl: // only the low five bits of the distance count, as in Java
		return Int(a << (uint32(b) & 31))
	case syntax.OpShr:
		return Int(a >> (uint32(b) & 31))
	case syntax.OpAdd:
		return Int(a + b)
	case syntax.OpSub:
		return Int(a - b)
	case syntax.OpMul:
		return Int(a * b)
	}
	// Division and remainder truncate towards zero, in Go as in Java.
	if b == 0 {
		is := ""
		if text := s.env.Text(e.Right.Span); text != "0" {
			is = ": " + text + " is 0"
		}
		s.Fail(e.Right.Span, "division-by-zero", "", "division by zero%s", is)
	}
	if e.Op == syntax.OpDiv {
		return Int(a / b)
	}
	return Int(a % b)
}

func (s *Scope) paramNames() []string {
	var names []string
	for n := range s.params {
		names = append(names, n)
	}
	return names
}

// named returns the value of a parameter or constant.
func (s *Scope) named(n string) (Value, bool) {
	if v, ok := s.params[n]; ok {
		return v, true
	}
	return s.env.Constant(n)
}

func (s *Scope) unknownVariable(e *syntax.Expr) {
	known := lists.Append(nil, s.Vars, func(v Variable) string { return v.Name })
	help := source.DidYouMean(e.Text, known)
	switch {
	case e.Text == "true" || e.Text == "false":
		help = "there are only numbers: 1 is true, 0 is false"
	case help == "":
		help = "an index variable is bound by [" + e.Text + ":RANGE], and can be used behind the label that binds it"
	}
	s.Fail(e.Span, "unknown-variable", help, "index variable %q is not defined here", e.Text)
}

func (s *Scope) unknownName(n string, at syntax.Span, what string, known []string) {
	s.env.Unknown(n, at, what, known)
}

// oneLabel evaluates a label constant.
func (s *Scope) oneLabel(e *syntax.Expr) string {
	n, text := 0, ""
	s.Expand(e.Label, func(l []byte) {
		if n++; n == 1 {
			text = string(l)
		}
	})
	if n != 1 {
		s.Fail(e.Span, "label-constant", "", "a label constant is one label, and %s stands for %d", s.env.Text(e.Span), n)
	}
	return text
}

func (s *Scope) selectLabel(e *syntax.Expr) string {
	want, n, text := s.Number(e.Left), int32(0), ""
	s.Expand(e.Label, func(l []byte) {
		if n == want {
			text = string(l)
		}
		n++
	})
	if want < 0 || want >= n {
		s.Fail(e.Span, "index-out-of-range", "the first element has number 0", "there is no element %d: the set has %d elements", want, n)
	}
	return text
}
