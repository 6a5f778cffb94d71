package fsp

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
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

func (s *scope) fail(at syntax.Span, code, help, format string, args ...any) {
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
func (s *scope) number(e *syntax.Expr) int32 {
	v := s.eval(e)
	if v.isLabel() {
		s.fail(e.Span, "label-as-number", "", "%s is the label %s, not a number", s.c.text(e.Span), v.label)
	}
	return v.n
}

// truth evaluates a condition: everything but 0 is true.
func (s *scope) truth(e *syntax.Expr) bool { return s.number(e) != 0 }

func (s *scope) eval(e *syntax.Expr) value {
	switch e.Op {
	case syntax.OpNumber:
		return intValue(e.Value)
	case syntax.OpVariable:
		if v, ok := s.lookup(e.Text); ok {
			return v
		}
		s.unknownVariable(e)
	case syntax.OpName:
		if v, ok := s.named(e.Text); ok {
			return v
		}
		s.unknownName(e.Text, e.Span, "constant or parameter", append(s.c.names.of(isConst), s.paramNames()...))
	case syntax.OpLabel:
		return value{label: s.oneLabel(e)}
	case syntax.OpCount:
		n := int32(0)
		s.expand(e.Label, func([]byte) { n++ })
		return intValue(n)
	case syntax.OpSelect:
		return value{label: s.selectLabel(e)}
	case syntax.OpPlus:
		return intValue(s.number(e.Left))
	case syntax.OpNeg:
		return intValue(-s.number(e.Left))
	case syntax.OpNot:
		// LTSA's !: true for every number that is not positive.
		return boolValue(s.number(e.Left) <= 0)
	}
	return s.binary(e)
}

func (s *scope) binary(e *syntax.Expr) value {
	l, r := s.eval(e.Left), s.eval(e.Right)
	if l.isLabel() || r.isLabel() {
		switch e.Op {
		case syntax.OpEq:
			return boolValue(l.String() == r.String())
		case syntax.OpNe:
			return boolValue(l.String() != r.String())
		}
		bad := e.Left
		if !l.isLabel() {
			bad = e.Right
			l = r
		}
		s.fail(bad.Span, "label-as-number", "labels can only be compared with == and !=", "%s is the label %s, not a number", s.c.text(bad.Span), l.label)
	}
	a, b := l.n, r.n
	switch e.Op {
	case syntax.OpOr:
		return boolValue(a != 0 || b != 0)
	case syntax.OpAnd:
		return boolValue(a != 0 && b != 0)
	case syntax.OpBitOr:
		return intValue(a | b)
	case syntax.OpBitXor:
		return intValue(a ^ b)
	case syntax.OpBitAnd:
		return intValue(a & b)
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
		return intValue(a << (uint32(b) & 31))
	case syntax.OpShr:
		return intValue(a >> (uint32(b) & 31))
	case syntax.OpAdd:
		return intValue(a + b)
	case syntax.OpSub:
		return intValue(a - b)
	case syntax.OpMul:
		return intValue(a * b)
	}
	// Division and remainder truncate towards zero, in Go as in Java.
	if b == 0 {
		is := ""
		if text := s.c.text(e.Right.Span); text != "0" {
			is = ": " + text + " is 0"
		}
		s.fail(e.Right.Span, "division-by-zero", "", "division by zero%s", is)
	}
	if e.Op == syntax.OpDiv {
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

func (s *scope) unknownVariable(e *syntax.Expr) {
	var known []string
	for _, v := range s.vars {
		known = append(known, v.name)
	}
	help := source.DidYouMean(e.Text, known)
	switch {
	case e.Text == "true" || e.Text == "false":
		help = "there are only numbers: 1 is true, 0 is false"
	case help == "":
		help = "an index variable is bound by [" + e.Text + ":RANGE], and can be used behind the label that binds it"
	}
	s.fail(e.Span, "unknown-variable", help, "index variable %q is not defined here", e.Text)
}

func (s *scope) unknownName(n string, at syntax.Span, what string, known []string) {
	s.c.unknown(n, at, what, known)
}

// oneLabel evaluates a label constant.
func (s *scope) oneLabel(e *syntax.Expr) string {
	n, text := 0, ""
	s.expand(e.Label, func(l []byte) {
		if n++; n == 1 {
			text = string(l)
		}
	})
	if n != 1 {
		s.fail(e.Span, "label-constant", "", "a label constant is one label, and %s stands for %d", s.c.text(e.Span), n)
	}
	return text
}

func (s *scope) selectLabel(e *syntax.Expr) string {
	want, n, text := s.number(e.Left), int32(0), ""
	s.expand(e.Label, func(l []byte) {
		if n == want {
			text = string(l)
		}
		n++
	})
	if want < 0 || want >= n {
		s.fail(e.Span, "index-out-of-range", "the first element has number 0", "there is no element %d: the set has %d elements", want, n)
	}
	return text
}

// rangePart is a part of a label whose ranges and sets have been evaluated.
type rangePart struct {
	text     string       // a name, or
	expr     *syntax.Expr // an expression, or
	labels   []string     // the elements of a set, or
	lo, hi   int32        // (none of them:) a range
	variable string
	pos      syntax.Span
}

// expand calls yield with each dotted name that l stands for, in order. While
// yield runs, the variables that the label binds are bound; the bytes are only
// valid until it returns.
//
// Ranges and sets are evaluated before any variable of the label is bound, as in
// LTSA; expressions are evaluated under the bindings of the parts before them.
func (s *scope) expand(l *syntax.Label, yield func(label []byte)) {
	base := len(s.parts)
	total := int64(1)
	for i := range l.Parts {
		p := s.resolvePart(&l.Parts[i])
		s.parts = append(s.parts, p)
		switch {
		case p.text != "" || p.expr != nil:
		case p.labels != nil:
			total *= int64(len(p.labels))
		default:
			total *= int64(p.hi) - int64(p.lo) + 1
		}
		if total > int64(s.c.opts.MaxLabels) {
			s.c.exceed(l.Span, "too-many-labels", "use smaller ranges", "%s stands for more than %d labels", s.c.text(l.Span), s.c.opts.MaxLabels)
		}
	}
	s.checkBindings(l, s.parts[base:])
	s.expandFrom(base, len(s.parts), make([]byte, 0, 64), yield)
	s.parts = s.parts[:base]
}

// checkBindings reports a variable that is bound twice.
func (s *scope) checkBindings(l *syntax.Label, parts []rangePart) {
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

func (s *scope) resolvePart(p *syntax.LabelPart) rangePart {
	switch p.Kind {
	case syntax.PartName:
		return rangePart{text: p.Text, pos: p.Span}
	case syntax.PartSet:
		return rangePart{labels: s.difference(p.Set, p.Minus), pos: p.Span}
	}
	return s.resolveIndex(p.Index)
}

// difference returns the elements of set that are not in minus (nil: none), in
// order; never nil.
func (s *scope) difference(set, minus *syntax.LabelSet) []string {
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

func (s *scope) resolveIndex(i *syntax.Index) rangePart {
	p := rangePart{variable: i.Variable.Text, pos: i.Span}
	switch {
	case i.Set != nil:
		p.labels = s.set(i.Set)
	case i.Lo != nil:
		p.lo, p.hi = s.number(i.Lo), s.number(i.Hi)
		if p.lo > p.hi {
			s.backwards(i.Lo.Span.To(i.Hi.Span), p.lo, p.hi)
		}
	case i.Expr.Op == syntax.OpName && !i.Expr.Parens:
		s.resolveNamed(i.Expr, &p)
	default:
		p.expr = i.Expr
	}
	return p
}

func (s *scope) backwards(at syntax.Span, lo, hi int32) {
	s.fail(at, "range-backwards", "", "the range %s is empty: it runs from %d to %d", s.c.text(at), lo, hi)
}

// resolveNamed decides what a capitalised name in brackets is: a set, a range,
// or a constant or parameter.
func (s *scope) resolveNamed(e *syntax.Expr, p *rangePart) {
	if labels, ok := s.c.set(e.Text); ok {
		p.labels = labels
		return
	}
	if lo, hi, ok := s.c.rangeOf(e.Text); ok {
		p.lo, p.hi = lo, hi
		return
	}
	if v, ok := s.named(e.Text); ok {
		if p.variable != "" {
			s.fail(e.Span, "no-range", "", "%s is a constant, not a range or a set: %s cannot run over it", e.Text, p.variable)
		}
		_ = v
		p.expr = e
		return
	}
	s.unknownName(e.Text, e.Span, "set, range, constant or parameter", append(s.c.names.of(isSet, isRange, isConst), s.paramNames()...))
}

// set returns the elements of a set in order, without duplicates; never nil.
func (s *scope) set(set *syntax.LabelSet) []string {
	if set.Name != "" {
		if labels, ok := s.c.set(set.Name); ok {
			return labels
		}
		help := ""
		if s.c.names.kind[set.Name] == isRange {
			help = "a range stands in brackets: [" + set.Name + "]"
		}
		if help == "" {
			help = source.DidYouMean(set.Name, s.c.names.of(isSet))
		}
		if help == "" {
			help = "action labels begin with a small letter"
		}
		s.fail(set.Span, "unknown-set", help, "unknown set %q", set.Name)
	}
	return s.labels(set.Labels)
}

// labels returns all the names that some labels stand for, without duplicates,
// in order; never nil.
func (s *scope) labels(ls []*syntax.Label) []string {
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
			s.c.exceed(l.Span, "too-many-labels", "use smaller ranges", "the set has more than %d elements", s.c.opts.MaxLabels)
		}
	}
	return all
}

// forRanges calls yield under every binding of the ranges.
func (s *scope) forRanges(ranges []*syntax.Index, yield func()) {
	l := &syntax.Label{}
	for _, r := range ranges {
		l.Parts = append(l.Parts, syntax.LabelPart{Kind: syntax.PartIndex, Index: r, Span: r.Span})
	}
	if len(ranges) > 0 {
		l.Span = ranges[0].Span.To(ranges[len(ranges)-1].Span)
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
