package fsp

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// value is what an expression, variable, constant or parameter stands for: a
// 32-bit integer or a label.
type value struct {
	n     int32
	label string // "" for an integer
}

func (v value) isLabel() bool { return v.label != "" }

func (v value) String() string {
	if v.isLabel() {
		return v.label
	}
	return strconv.Itoa(int(v.n))
}

func intValue(n int32) value { return value{n: n} }

func boolValue(b bool) value {
	if b {
		return value{n: 1}
	}
	return value{}
}

// abort unwinds the evaluation of a definition after an error, which has been
// reported. It never leaves the package.
type abort struct{}

// scope evaluates expressions, labels and sets: it knows the constants of the
// file, the parameters of one process, and the index variables in scope.
type scope struct {
	c      *compiler
	params map[string]value
	vars   []variable
	parts  []rangePart // scratch of expand, used as a stack
}

type variable struct {
	name  string
	value value
}

func (s *scope) fail(at pos, code, help, format string, args ...any) {
	s.c.fail(at, code, help, format, args...)
}

// lookup returns the value of an index variable.
func (s *scope) lookup(name string) (value, bool) {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return s.vars[i].value, true
		}
	}
	return value{}, false
}

func (s *scope) bind(name string, v value) { s.vars = append(s.vars, variable{name, v}) }

// unbind forgets all variables but the first n.
func (s *scope) unbind(n int) { s.vars = s.vars[:n] }

// number evaluates an expression that must be an integer.
func (s *scope) number(e *expr) int32 {
	v := s.eval(e)
	if v.isLabel() {
		s.fail(e.pos, "label-as-number", "", "%s is the label %s, not a number", s.c.text(e.pos), v.label)
	}
	return v.n
}

// truth evaluates a condition: everything but 0 is true.
func (s *scope) truth(e *expr) bool { return s.number(e) != 0 }

func (s *scope) eval(e *expr) value {
	switch e.op {
	case opNumber:
		return intValue(e.value)
	case opVariable:
		if v, ok := s.lookup(e.text); ok {
			return v
		}
		s.unknownVariable(e)
	case opName:
		if v, ok := s.named(e.text); ok {
			return v
		}
		s.unknownName(e.text, e.pos, "constant or parameter", append(s.c.names.of(isConst), s.paramNames()...))
	case opLabel:
		return value{label: s.oneLabel(e)}
	case opCount:
		n := int32(0)
		s.expand(e.label, func([]byte) { n++ })
		return intValue(n)
	case opSelect:
		return value{label: s.selectLabel(e)}
	case opPlus:
		return intValue(s.number(e.left))
	case opNeg:
		return intValue(-s.number(e.left))
	case opNot:
		// LTSA's !: true for every number that is not positive.
		return boolValue(s.number(e.left) <= 0)
	}
	return s.binary(e)
}

func (s *scope) binary(e *expr) value {
	l, r := s.eval(e.left), s.eval(e.right)
	if l.isLabel() || r.isLabel() {
		switch e.op {
		case opEq:
			return boolValue(l.String() == r.String())
		case opNe:
			return boolValue(l.String() != r.String())
		}
		bad := e.left
		if !l.isLabel() {
			bad = e.right
			l = r
		}
		s.fail(bad.pos, "label-as-number", "labels can only be compared with == and !=", "%s is the label %s, not a number", s.c.text(bad.pos), l.label)
	}
	a, b := l.n, r.n
	switch e.op {
	case opOr:
		return boolValue(a != 0 || b != 0)
	case opAnd:
		return boolValue(a != 0 && b != 0)
	case opBitOr:
		return intValue(a | b)
	case opBitXor:
		return intValue(a ^ b)
	case opBitAnd:
		return intValue(a & b)
	case opEq:
		return boolValue(a == b)
	case opNe:
		return boolValue(a != b)
	case opLt:
		return boolValue(a < b)
	case opLe:
		return boolValue(a <= b)
	case opGt:
		return boolValue(a > b)
	case opGe:
		return boolValue(a >= b)
	case opShl: // only the low five bits of the distance count, as in Java
		return intValue(a << (uint32(b) & 31))
	case opShr:
		return intValue(a >> (uint32(b) & 31))
	case opAdd:
		return intValue(a + b)
	case opSub:
		return intValue(a - b)
	case opMul:
		return intValue(a * b)
	}
	// Division and remainder truncate towards zero, in Go as in Java.
	if b == 0 {
		is := ""
		if text := s.c.text(e.right.pos); text != "0" {
			is = ": " + text + " is 0"
		}
		s.fail(e.right.pos, "division-by-zero", "", "division by zero%s", is)
	}
	if e.op == opDiv {
		return intValue(a / b)
	}
	return intValue(a % b)
}

func (s *scope) paramNames() []string {
	var names []string
	for n := range s.params {
		names = append(names, n)
	}
	return names
}

// named returns the value of a parameter or constant.
func (s *scope) named(n string) (value, bool) {
	if v, ok := s.params[n]; ok {
		return v, true
	}
	return s.c.constant(n)
}

func (s *scope) unknownVariable(e *expr) {
	var known []string
	for _, v := range s.vars {
		known = append(known, v.name)
	}
	help := source.DidYouMean(e.text, known)
	switch {
	case e.text == "true" || e.text == "false":
		help = "there are only numbers: 1 is true, 0 is false"
	case help == "":
		help = "an index variable is bound by [" + e.text + ":RANGE], and can be used behind the label that binds it"
	}
	s.fail(e.pos, "unknown-variable", help, "index variable %q is not defined here", e.text)
}

func (s *scope) unknownName(n string, at pos, what string, known []string) {
	s.c.unknown(n, at, what, known)
}

// oneLabel evaluates a label constant.
func (s *scope) oneLabel(e *expr) string {
	n, text := 0, ""
	s.expand(e.label, func(l []byte) {
		if n++; n == 1 {
			text = string(l)
		}
	})
	if n != 1 {
		s.fail(e.pos, "label-constant", "", "a label constant is one label, and %s stands for %d", s.c.text(e.pos), n)
	}
	return text
}

func (s *scope) selectLabel(e *expr) string {
	want, n, text := s.number(e.left), int32(0), ""
	s.expand(e.label, func(l []byte) {
		if n == want {
			text = string(l)
		}
		n++
	})
	if want < 0 || want >= n {
		s.fail(e.pos, "index-out-of-range", "the first element has number 0", "there is no element %d: the set has %d elements", want, n)
	}
	return text
}

// rangePart is a part of a label whose ranges and sets have been evaluated.
type rangePart struct {
	text     string   // a name, or
	expr     *expr    // an expression, or
	labels   []string // the elements of a set, or
	lo, hi   int32    // (none of them:) a range
	variable string
	pos      pos
}

// expand calls yield with each dotted name that l stands for, in order. While
// yield runs, the variables that the label binds are bound; the bytes are only
// valid until it returns.
//
// Ranges and sets are evaluated before any variable of the label is bound, as in
// LTSA; expressions are evaluated under the bindings of the parts before them.
func (s *scope) expand(l *label, yield func(label []byte)) {
	base := len(s.parts)
	total := int64(1)
	for i := range l.parts {
		p := s.resolvePart(&l.parts[i])
		s.parts = append(s.parts, p)
		switch {
		case p.text != "" || p.expr != nil:
		case p.labels != nil:
			total *= int64(len(p.labels))
		default:
			total *= int64(p.hi) - int64(p.lo) + 1
		}
		if total > int64(s.c.opts.MaxLabels) {
			s.c.exceed(l.pos, "too-many-labels", "use smaller ranges", "%s stands for more than %d labels", s.c.text(l.pos), s.c.opts.MaxLabels)
		}
	}
	s.checkBindings(l, s.parts[base:])
	s.expandFrom(base, len(s.parts), make([]byte, 0, 64), yield)
	s.parts = s.parts[:base]
}

// checkBindings reports a variable that is bound twice.
func (s *scope) checkBindings(l *label, parts []rangePart) {
	for i, p := range parts {
		if p.variable == "" {
			continue
		}
		_, bound := s.lookup(p.variable)
		for _, q := range parts[:i] {
			bound = bound || q.variable == p.variable
		}
		if bound {
			s.fail(p.pos, "duplicate-variable", "use another name", "index variable %q is already defined here", p.variable)
		}
	}
}

func (s *scope) expandFrom(i, end int, buf []byte, yield func([]byte)) {
	if i == end {
		yield(buf)
		return
	}
	if len(buf) > 0 {
		buf = append(buf, '.')
	}
	p := &s.parts[i]
	n := len(s.vars)
	switch {
	case p.text != "":
		s.expandFrom(i+1, end, append(buf, p.text...), yield)
	case p.expr != nil:
		v := s.eval(p.expr)
		s.expandFrom(i+1, end, appendValue(buf, v), yield)
	case p.labels != nil:
		labels, variable := p.labels, p.variable
		for _, l := range labels {
			if variable != "" {
				s.bind(variable, labelValue(l))
			}
			s.expandFrom(i+1, end, append(buf, l...), yield)
			s.unbind(n)
		}
	default:
		lo, hi, variable := p.lo, p.hi, p.variable
		for v := int64(lo); v <= int64(hi); v++ {
			if variable != "" {
				s.bind(variable, intValue(int32(v)))
			}
			s.expandFrom(i+1, end, strconv.AppendInt(buf, v, 10), yield)
			s.unbind(n)
		}
	}
}

// labelValue is the value of a variable that runs over a set: the element, as a
// number if it is one.
func labelValue(l string) value {
	if n, err := strconv.ParseInt(l, 10, 32); err == nil {
		return intValue(int32(n))
	}
	return value{label: l}
}

func appendValue(buf []byte, v value) []byte {
	if v.isLabel() {
		return append(buf, v.label...)
	}
	return strconv.AppendInt(buf, int64(v.n), 10)
}

func (s *scope) resolvePart(p *labelPart) rangePart {
	switch p.kind {
	case partName:
		return rangePart{text: p.text, pos: p.pos}
	case partSet:
		return rangePart{labels: s.difference(p.set, p.minus), pos: p.pos}
	}
	return s.resolveIndex(p.index)
}

// difference returns the elements of set that are not in minus (nil: none), in
// order; never nil.
func (s *scope) difference(set, minus *labelSet) []string {
	labels := s.set(set)
	if minus == nil {
		return labels
	}
	out := map[string]bool{}
	for _, l := range s.set(minus) {
		out[l] = true
	}
	rest := []string{}
	for _, l := range labels {
		if !out[l] {
			rest = append(rest, l)
		}
	}
	return rest
}

func (s *scope) resolveIndex(i *index) rangePart {
	p := rangePart{variable: i.variable, pos: i.pos}
	switch {
	case i.set != nil:
		p.labels = s.set(i.set)
	case i.lo != nil:
		p.lo, p.hi = s.number(i.lo), s.number(i.hi)
		if p.lo > p.hi {
			s.backwards(i.lo.pos.to(i.hi.pos), p.lo, p.hi)
		}
	case i.expr.op == opName && !i.expr.parens:
		s.resolveNamed(i.expr, &p)
	default:
		p.expr = i.expr
	}
	return p
}

func (s *scope) backwards(at pos, lo, hi int32) {
	s.fail(at, "range-backwards", "", "the range %s is empty: it runs from %d to %d", s.c.text(at), lo, hi)
}

// resolveNamed decides what a capitalised name in brackets is: a set, a range,
// or a constant or parameter.
func (s *scope) resolveNamed(e *expr, p *rangePart) {
	if labels, ok := s.c.set(e.text); ok {
		p.labels = labels
		return
	}
	if lo, hi, ok := s.c.rangeOf(e.text); ok {
		p.lo, p.hi = lo, hi
		return
	}
	if v, ok := s.named(e.text); ok {
		if p.variable != "" {
			s.fail(e.pos, "no-range", "", "%s is a constant, not a range or a set: %s cannot run over it", e.text, p.variable)
		}
		_ = v
		p.expr = e
		return
	}
	s.unknownName(e.text, e.pos, "set, range, constant or parameter", append(s.c.names.of(isSet, isRange, isConst), s.paramNames()...))
}

// set returns the elements of a set in order, without duplicates; never nil.
func (s *scope) set(set *labelSet) []string {
	if set.text != "" {
		if labels, ok := s.c.set(set.text); ok {
			return labels
		}
		help := ""
		if s.c.names.kind[set.text] == isRange {
			help = "a range stands in brackets: [" + set.text + "]"
		}
		if help == "" {
			help = source.DidYouMean(set.text, s.c.names.of(isSet))
		}
		if help == "" {
			help = "action labels begin with a small letter"
		}
		s.fail(set.pos, "unknown-set", help, "unknown set %q", set.text)
	}
	return s.labels(set.labels)
}

// labels returns all the names that some labels stand for, without duplicates,
// in order; never nil.
func (s *scope) labels(ls []*label) []string {
	all := []string{}
	seen := map[string]bool{}
	for _, l := range ls {
		s.expand(l, func(name []byte) {
			if !seen[string(name)] {
				n := string(name)
				seen[n] = true
				all = append(all, n)
			}
		})
		if len(all) > s.c.opts.MaxLabels {
			s.c.exceed(l.pos, "too-many-labels", "use smaller ranges", "the set has more than %d elements", s.c.opts.MaxLabels)
		}
	}
	return all
}

// forRanges calls yield under every binding of the ranges.
func (s *scope) forRanges(ranges []*index, yield func()) {
	l := &label{}
	for _, r := range ranges {
		l.parts = append(l.parts, labelPart{kind: partIndex, index: r, pos: r.pos})
	}
	if len(ranges) > 0 {
		l.pos = ranges[0].pos.to(ranges[len(ranges)-1].pos)
	}
	s.expand(l, func([]byte) { yield() })
}

// matchesPrefix returns the length of the longest dotted prefix of name (name
// itself included) that is in set, or -1.
func matchesPrefix[V any](name string, set map[string]V) int {
	for n := len(name); n > 0; n = strings.LastIndexByte(name[:n], '.') {
		if _, ok := set[name[:n]]; ok {
			return n
		}
	}
	return -1
}
