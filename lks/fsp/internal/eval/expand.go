package eval

import (
	"strconv"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Part is a part of a label whose ranges and sets have been evaluated.
type Part struct {
	Text     string       // a name, or
	Expr     *syntax.Expr // an expression, or
	Labels   []string     // the elements of a set, or
	Lo, Hi   int32        // (none of them:) a range
	Variable string
	Span     syntax.Span
}

// Expand calls yield with each dotted name that l stands for, in order. While
// yield runs, the variables that the label binds are bound; the bytes are only
// valid until it returns.
//
// Ranges and sets are evaluated before any variable of the label is bound, as in
// LTSA; expressions are evaluated under the bindings of the parts before them, the last
// of a variable that is bound twice.
func (s *Scope) Expand(l *syntax.Label, yield func(label []byte)) {
	base := len(s.parts)
	total := int64(1)
	for i := range l.Parts {
		p := s.ResolvePart(&l.Parts[i])
		s.parts = append(s.parts, p)
		switch {
		case p.Text != "" || p.Expr != nil:
		case p.Labels != nil:
			total *= int64(len(p.Labels))
		default:
			total *= int64(p.Hi) - int64(p.Lo) + 1
		}
		if total > int64(s.env.maxLabels) {
			s.env.Exceed(l.Span, "too-many-labels", "use smaller ranges", "%s stands for more than %d labels", s.env.Text(l.Span), s.env.maxLabels)
		}
	}
	s.checkBindings(s.parts[base:])
	s.expandFrom(base, len(s.parts), make([]byte, 0, 64), yield)
	s.parts = s.parts[:base]
}

// checkBindings reports a variable that is bound already where the label stands. One that
// the label itself binds twice stands for all combinations, as in LTSA, and behind each place
// for the value of the last one before it.
func (s *Scope) checkBindings(parts []Part) {
	for i, p := range parts {
		if p.Variable == "" {
			continue
		}
		if _, bound := s.lookup(p.Variable); bound {
			s.Fail(p.Span, "duplicate-variable", "use another name", "index variable %q is already defined here", p.Variable)
		}
		for _, q := range parts[:i] {
			if q.Variable == p.Variable {
				s.env.Warnf(p.Span, "variable-bound-twice", "use another name to make that plain, or for one value at both places write ["+p.Variable+"] here",
					"index variable %q is bound twice in this label, which stands for all combinations: behind this it is the second", p.Variable)
			}
		}
	}
}

func (s *Scope) expandFrom(i, end int, buf []byte, yield func([]byte)) {
	if i == end {
		yield(buf)
		return
	}
	if len(buf) > 0 {
		buf = append(buf, '.')
	}
	p := &s.parts[i]
	n := len(s.Vars)
	switch {
	case p.Text != "":
		s.expandFrom(i+1, end, append(buf, p.Text...), yield)
	case p.Expr != nil:
		v := s.Eval(p.Expr)
		s.expandFrom(i+1, end, appendValue(buf, v), yield)
	case p.Labels != nil:
		labels, variable := p.Labels, p.Variable
		for _, l := range labels {
			if variable != "" {
				s.Bind(variable, LabelValue(l))
			}
			s.expandFrom(i+1, end, append(buf, l...), yield)
			s.Unbind(n)
		}
	default:
		lo, hi, variable := p.Lo, p.Hi, p.Variable
		for v := int64(lo); v <= int64(hi); v++ {
			if variable != "" {
				s.Bind(variable, Int(int32(v)))
			}
			s.expandFrom(i+1, end, strconv.AppendInt(buf, v, 10), yield)
			s.Unbind(n)
		}
	}
}

// LabelValue is the value of a variable that runs over a set: the element, as a
// number if it is one.
func LabelValue(l string) Value {
	if n, err := strconv.ParseInt(l, 10, 32); err == nil {
		return Int(int32(n))
	}
	return Value{Label: l}
}

func appendValue(buf []byte, v Value) []byte {
	if v.IsLabel() {
		return append(buf, v.Label...)
	}
	return strconv.AppendInt(buf, int64(v.N), 10)
}

// ResolvePart evaluates the range or set of a part of a label.
func (s *Scope) ResolvePart(p *syntax.LabelPart) Part {
	switch p.Kind {
	case syntax.PartBad:
		panic(Abort) // the parser has reported it
	case syntax.PartName:
		return Part{Text: p.Text, Span: p.Span}
	case syntax.PartSet:
		return Part{Labels: s.difference(p.Set, p.Minus), Span: p.Span}
	}
	return s.resolveIndex(p.Index)
}

// difference returns the elements of set that are not in minus (nil: none), in
// order; never nil.
func (s *Scope) difference(set, minus *syntax.LabelSet) []string {
	labels := s.Set(set)
	if minus == nil {
		return labels
	}
	out := map[string]bool{}
	for _, l := range s.Set(minus) {
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

func (s *Scope) resolveIndex(i *syntax.Index) Part {
	p := Part{Variable: i.Variable.Text, Span: i.Span}
	switch {
	case i.Set != nil:
		p.Labels = s.Set(i.Set)
	case i.Lo != nil:
		p.Lo, p.Hi = s.Number(i.Lo), s.Number(i.Hi)
		if p.Lo > p.Hi {
			s.backwards(i.Lo.Span.To(i.Hi.Span), p.Lo, p.Hi)
		}
	case i.Expr.Op == syntax.OpName && !i.Expr.Parens:
		s.resolveNamed(i.Expr, &p)
	default:
		p.Expr = i.Expr
	}
	return p
}

func (s *Scope) backwards(at syntax.Span, lo, hi int32) {
	s.Fail(at, "range-backwards", "", "the range %s is empty: it runs from %d to %d", s.env.Text(at), lo, hi)
}

// resolveNamed decides what a capitalised name in brackets is: a set, a range,
// or a constant or parameter.
func (s *Scope) resolveNamed(e *syntax.Expr, p *Part) {
	if labels, ok := s.env.Set(e.Text); ok {
		p.Labels = labels
		return
	}
	if lo, hi, ok := s.env.Range(e.Text); ok {
		p.Lo, p.Hi = lo, hi
		return
	}
	if v, ok := s.named(e.Text); ok {
		if p.Variable != "" {
			s.Fail(e.Span, "no-range", "", "%s is a constant, not a range or a set: %s cannot run over it", e.Text, p.Variable)
		}
		_ = v
		p.Expr = e
		return
	}
	s.unknownName(e.Text, e.Span, "set, range, constant or parameter", append(s.env.Names.Of(syntax.Set, syntax.Range, syntax.Constant), s.paramNames()...))
}

// Set returns the elements of a set in order, without duplicates; never nil.
func (s *Scope) Set(set *syntax.LabelSet) []string {
	if set.Bad {
		panic(Abort) // the parser has reported it
	}
	if set.Name != "" {
		if labels, ok := s.env.Set(set.Name); ok {
			return labels
		}
		help := ""
		if s.env.Names.Kind[set.Name] == syntax.Range {
			help = "a range stands in brackets: [" + set.Name + "]"
		}
		if help == "" {
			help = source.DidYouMean(set.Name, s.env.Names.Of(syntax.Set))
		}
		if help == "" {
			help = "action labels begin with a small letter"
		}
		s.Fail(set.Span, "unknown-set", help, "unknown set %q", set.Name)
	}
	return s.Labels(set.Labels)
}

// Labels returns all the names that some labels stand for, without duplicates,
// in order; never nil.
func (s *Scope) Labels(ls []*syntax.Label) []string {
	all := []string{}
	seen := map[string]bool{}
	for _, l := range ls {
		s.Expand(l, func(name []byte) {
			if !seen[string(name)] {
				n := string(name)
				seen[n] = true
				all = append(all, n)
			}
		})
		if len(all) > s.env.maxLabels {
			s.env.Exceed(l.Span, "too-many-labels", "use smaller ranges", "the set has more than %d elements", s.env.maxLabels)
		}
	}
	return all
}

// ForRanges calls yield under every binding of the ranges.
func (s *Scope) ForRanges(ranges []*syntax.Index, yield func()) {
	s.Expand(IndexLabel(ranges), func([]byte) { yield() })
}

// IndexLabel makes a label of some indices, of which there may be none.
func IndexLabel(ranges []*syntax.Index) *syntax.Label {
	l := &syntax.Label{}
	for _, r := range ranges {
		l.Parts = append(l.Parts, syntax.LabelPart{Kind: syntax.PartIndex, Index: r, Span: r.Span})
	}
	if len(ranges) > 0 {
		l.Span = ranges[0].Span.To(ranges[len(ranges)-1].Span)
	}
	return l
}
