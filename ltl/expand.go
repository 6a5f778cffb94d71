package ltl

import (
	"fmt"
	"math"
	"strings"
)

// This file expands labels and evaluates index expressions as FSP does.

// expand appends the canonical names that the parts stand for, each behind
// prefix. Variables bound in an index are visible in the parts behind it.
func (r *resolver) expand(parts []*labelPart, prefix string, vars *env, out *[]string) {
	if r.stopped {
		return
	}
	if len(parts) == 0 {
		*out = append(*out, prefix)
		return
	}
	part := parts[0]
	if len(prefix) > maxName {
		r.errorf(part.start, part.end, "too-large", "", "the name is longer than %d characters", maxName)
		return
	}
	// Long names count as several nodes, so that the limit bounds the memory.
	if !r.count((len(prefix)+len(part.name))/64, part.start, part.end) {
		return
	}
	if prefix != "" {
		prefix += "."
	}
	if part.name != "" && !r.isSet(part.name) {
		r.expand(parts[1:], prefix+part.name, vars, out)
		return
	}
	values := r.values(part, vars)
	if !r.count(len(values)-1, part.start, part.end) {
		return
	}
	for _, v := range values {
		inner := vars
		if part.variable != "" {
			inner = &env{part.variable, v, vars}
		}
		r.expand(parts[1:], prefix+v.String(), inner, out)
	}
}

// maxName bounds the length of an expanded label in bytes.
const maxName = 10_000

// values are what an index or a set stands for, in order.
func (r *resolver) values(part *labelPart, vars *env) []value {
	switch {
	case part.set != nil:
		return r.set(part.set, part, vars)
	case part.name != "":
		return r.set(&labelSet{name: part.name}, part, vars)
	case part.hi != nil:
		lo, ok1 := r.number(part.index, vars)
		hi, ok2 := r.number(part.hi, vars)
		if !ok1 || !ok2 {
			return nil
		}
		return r.interval(lo, hi, part)
	}
	// A single upper-case name is a set, a range or a constant, in this order.
	if e, v := part.index, r.opts.Vocabulary; e.op == "" && e.name != "" && isUpper(e.name[0]) && !e.quoted && v != nil {
		if _, ok := v.Set(e.name); ok {
			return r.set(&labelSet{name: e.name}, part, vars)
		}
		if lo, hi, ok := v.Range(e.name); ok {
			return r.interval(lo, hi, part)
		}
	}
	v, ok := r.eval(part.index, vars, true)
	if !ok {
		return nil
	}
	if part.variable != "" {
		r.errorf(part.start, part.end, "expected-range", fmt.Sprintf("write for example [%s:0..2]", part.variable),
			"the index variable %q needs a range", part.variable)
		return nil
	}
	return []value{v}
}

// isSet reports whether a segment is the name of a set of the model.
func (r *resolver) isSet(name string) bool {
	if r.opts.Vocabulary == nil || name == "" || !isUpper(name[0]) {
		return false
	}
	_, ok := r.opts.Vocabulary.Set(name)
	return ok
}

func (r *resolver) interval(lo, hi int, part *labelPart) []value {
	if lo > hi {
		r.errorf(part.start, part.end, "empty-range", "", "the range %d..%d is empty", lo, hi)
		return nil
	}
	if !r.count(hi-lo, part.start, part.end) {
		return nil
	}
	values := make([]value, 0, hi-lo+1)
	for i := lo; i <= hi; i++ {
		values = append(values, value{number: i})
	}
	return values
}

// set expands a set of labels, without duplicates.
func (r *resolver) set(s *labelSet, part *labelPart, vars *env) []value {
	removed := map[string]bool{}
	if s.minus != nil {
		for _, v := range r.set(s.minus, part, vars) {
			removed[v.String()] = true
		}
	}
	var names []string
	if s.name != "" {
		names = r.namedSet(s.name, part)
	}
	for _, l := range s.elements {
		r.expand(l.parts, "", vars, &names)
	}
	var values []value
	for _, name := range names {
		if !removed[name] {
			removed[name] = true
			values = append(values, value{text: name})
		}
	}
	return values
}

func (r *resolver) namedSet(name string, part *labelPart) []string {
	if v := r.opts.Vocabulary; v != nil {
		if labels, ok := v.Set(name); ok && r.count(len(labels), part.start, part.end) {
			return labels
		}
	}
	r.errorf(part.start, part.end, "unknown-set", "", "unknown set %q", name)
	return nil
}

// number evaluates an expression that must be a number.
func (r *resolver) number(e *expr, vars *env) (int, bool) {
	v, ok := r.eval(e, vars, false)
	if ok && v.text != "" {
		r.errorf(e.start, e.end, "expected-number", "", "%q is a label, not a number", v.text)
		return 0, false
	}
	return v.number, ok
}

// eval evaluates an expression with the arithmetic of FSP (32-bit, truncating
// division, truth is not zero). As an index in a formula without a model, an
// unknown name stands for itself.
func (r *resolver) eval(e *expr, vars *env, index bool) (value, bool) {
	switch {
	case e.op == "" && e.name == "":
		return value{number: e.number}, true
	case e.quoted:
		return value{text: e.name}, true
	case e.op == "":
		return r.name(e, vars, index)
	case e.op == "unary #":
		return r.cardinality(e)
	}
	var a, b value
	var ok bool
	if a, ok = r.eval(e.args[0], vars, false); !ok {
		return value{}, false
	}
	if len(e.args) == 2 {
		if b, ok = r.eval(e.args[1], vars, false); !ok {
			return value{}, false
		}
	}
	if a.text != "" || b.text != "" {
		if e.op == "==" || e.op == "!=" {
			return value{number: truth((a == b) == (e.op == "=="))}, true
		}
		r.errorf(e.start, e.end, "expected-number", "only == and != take labels", "%q needs numbers", strings.TrimPrefix(e.op, "unary "))
		return value{}, false
	}
	return r.arithmetic(e, a.number, b.number)
}

// name looks a variable, constant or parameter up.
func (r *resolver) name(e *expr, vars *env, index bool) (value, bool) {
	if v, ok := vars.lookup(e.name); ok {
		return v, true
	}
	vocabulary := r.opts.Vocabulary
	if vocabulary == nil && index {
		return value{text: e.name}, true
	}
	if vocabulary != nil {
		if c, ok := vocabulary.Const(e.name); ok {
			return value{number: c}, true
		}
	}
	help := ""
	if !isUpper(e.name[0]) {
		help = fmt.Sprintf("a name is written .%s; a variable is bound by forall [%s:0..2] (...), which reaches as far as a ! would", e.name, e.name)
	}
	r.errorf(e.start, e.end, "unknown-index", help, "unknown index %q", e.name)
	return value{}, false
}

func (r *resolver) cardinality(e *expr) (value, bool) {
	if v := r.opts.Vocabulary; v != nil {
		name := e.args[0].name
		if labels, ok := v.Set(name); ok {
			return value{number: len(labels)}, true
		}
		if lo, hi, ok := v.Range(name); ok {
			return value{number: hi - lo + 1}, true
		}
	}
	r.errorf(e.start, e.end, "unknown-set", "# gives the size of a set or range of the model", "unknown set in #")
	return value{}, false
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// arithmetic applies one operator to numbers.
func (r *resolver) arithmetic(e *expr, a, b int) (value, bool) {
	var n int
	switch e.op {
	case "unary -":
		n = -a
	case "unary +":
		n = a
	case "unary !":
		n = truth(a <= 0) // as LTSA does
	case "||":
		n = truth(a != 0 || b != 0)
	case "&&":
		n = truth(a != 0 && b != 0)
	case "|":
		n = a | b
	case "^":
		n = a ^ b
	case "&":
		n = a & b
	case "==":
		n = truth(a == b)
	case "!=":
		n = truth(a != b)
	case "<", "<=", ">", ">=":
		n = truth(holds(e.op, a, b))
	case "<<":
		n = int(int32(a) << (uint(b) & 31))
	case ">>":
		n = int(int32(a) >> (uint(b) & 31))
	case "+":
		n = a + b
	case "-":
		n = a - b
	case "*":
		n = a * b
	case "/", "%":
		if b == 0 {
			r.errorf(e.start, e.end, "division-by-zero", "", "division by zero")
			return value{}, false
		}
		if n = a / b; e.op == "%" {
			n = a % b
		}
	}
	if n > math.MaxInt32 || n < math.MinInt32 {
		r.errorf(e.start, e.end, "overflow", "", "the value %d does not fit in 32 bits", n)
		return value{}, false
	}
	return value{number: n}, true
}

// typed returns how a canonical name is typed, for messages.
func typed(name string) string {
	text, bare := typedName(name)
	if !bare {
		return name
	}
	return text
}
