package logic

import "fmt"

// An unknown function is a variable of a function sort: it has one value in a model, as
// other variables do, and can be substituted by another one of its sort. It occurs as
// the first operand of Apply only.

// Apply returns the value of a function, which must be a variable or a symbol of a datatype, for some arguments.
func Apply(function *Term, arguments ...*Term) *Term {
	wanted, result := function.sort.Signature()
	if function.op != OpVar && function.op != OpSymbol || len(wanted) == 0 || len(wanted) != len(arguments) {
		panic(fmt.Sprintf("logic: %s of sort %s is applied to %d arguments", function, function.sort, len(arguments)))
	}
	args := []*Term{function}
	for i, a := range arguments {
		args = append(args, fit(a, wanted[i]))
	}
	if function.op == OpSymbol {
		return symbolApplied(function, args[1:])
	}
	return node(OpApply, result, args...)
}

// applied is Apply for texts: why says what is wrong.
func applied(function *Term, arguments []*Term) (t *Term, why string) {
	wanted, _ := function.sort.Signature()
	if len(wanted) != len(arguments) {
		return nil, fmt.Sprintf("%s takes %d operands, not %d", function.name, len(wanted), len(arguments))
	}
	for i, a := range arguments {
		if a.sort != wanted[i] && !(a.sort == Int && wanted[i] == Real) {
			return nil, fmt.Sprintf("operand %d of %s is to be of sort %s, not %s", i+1, function.name, wanted[i], a.sort)
		}
	}
	return Apply(function, arguments...), ""
}

// Point is one value of a function.
type Point struct {
	Arguments []Value
	Value     Value
}

// FunctionValue returns the function that has values at some points, of two for the same
// arguments the later one, and the value otherwise everywhere else. The sorts must fit.
func FunctionValue(sort *Sort, points []Point, otherwise Value) Value {
	v := Value{sort: sort, table: &table{rest: otherwise}}
	for _, p := range points {
		v = v.with(p.Arguments, p.Value)
	}
	return v
}
