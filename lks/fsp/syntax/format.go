package syntax

import "github.com/seltl/seltl/internal/layout"

// Format returns the file in the standard layout. Only blanks and line breaks
// change: the tokens and comments are those of the file, in their order, so the
// meaning cannot change, and formatting twice is formatting once. A file with
// errors comes back as it is.
//
// Every definition and every local process begins a line; up to one blank line
// between definitions is kept. Alternatives and parts of compositions stay on
// one line if they fit, else each gets its own. Formulas of ltl definitions and
// animations are left as they are written.
func Format(file *File) string {
	if file.Diagnostics.HasErrors() {
		return file.Source.Text()
	}
	f := &formatter{file: file, Layout: layout.New(file.Source.Text(), file.Tokens, file.Comments)}
	f.Space = f.space
	for _, d := range file.Defs {
		f.definition(d)
	}
	return f.Print()
}

type formatter struct {
	file *File
	*layout.Layout
}

// definition marks the tokens of one definition.
func (f *formatter) definition(d Definition) {
	p := d.Head().Span
	start := f.Token(p.Start)
	f.Marks[start].Break, f.Marks[start].Blank = layout.Always, true
	switch d := d.(type) {
	case *ProcessDef:
		f.process(d)
	case *CompositeDef:
		i := start
		for !f.file.Tokens[i].Is("||") {
			i++
		}
		f.Marks[i].After = layout.None
		f.params(d.Params)
		f.composition(d.Body, 1)
		if d.Priority != nil {
			i := f.Token(d.Priority.Span.Start)
			f.Fill(i, 1)
			f.Marks[i].Before, f.Marks[i].After = layout.One, layout.One
			f.set(d.Priority.Set, 2)
		}
		f.hiding(d.Hide)
	case *SetDef:
		f.set(d.Set, 1)
	case *ProgressDef:
		f.indices(d.Ranges, 1)
		f.label(d.Condition, 1)
		f.label(d.Set, 1)
	case *FairDef:
		f.indices(d.Ranges, 1)
		f.Marks[f.Token(d.Set.Span.Start)].Before = layout.One
		f.label(d.Set, 1)
	case *MenuDef:
		f.label(d.Set, 1)
	case *ConstDef:
		f.expr(d.Value)
	case *RangeDef:
		f.expr(d.Lo)
		f.expr(d.Hi)
	case *FluentDef:
		f.indices(d.Ranges, 1)
		open := f.Token(d.Begin.Span.Start) - 1
		f.Marks[open].Before, f.Marks[open].After = layout.One, layout.None
		f.label(d.Begin, 2)
		f.label(d.End, 2)
		f.Marks[f.Last(d.End.End)+1].Before = layout.None
		f.expr(d.Initially)
	case *AssertDef:
		f.params(d.Params)
		f.assertion(d.Formula, 1)
		if d.Extension != nil {
			i := f.Token(d.Extension.Span.Start) - 1
			f.Marks[i].Before, f.Marks[i].After = layout.One, layout.None
			f.set(d.Extension, 1)
		}
	case *LTLDef:
		f.Marks[f.Token(d.Formula.Start)].Verbatim = f.Last(d.Formula.End)
	case *AnimationDef:
		f.Marks[start].Verbatim = f.Last(p.End)
	}
}

func (f *formatter) params(ps []Param) {
	for _, p := range ps {
		f.expr(p.Value)
	}
}

func (f *formatter) process(d *ProcessDef) {
	f.params(d.Params)
	for k, l := range d.Locals {
		start := f.Token(l.Name.Span.Start)
		if k > 0 {
			f.Marks[start].Break = layout.Always
		}
		if l.Accept {
			f.Marks[start+1].Before = layout.None
		}
		f.label(l.Index, 1)
		if l.Labelled {
			f.Marks[f.Token(l.LabelsSpan.Start)].Before = layout.One
			for j, s := range l.Labels {
				if j > 0 {
					f.Fill(f.Token(s.Span.Start), 2)
				}
				f.expr(s.Guard)
				f.label(s.Label, 2)
			}
		}
		f.body(l.Body, 1)
	}
	if d.Extension != nil {
		i := f.Token(d.Extension.Span.Start) - 1
		f.Fill(i, 1)
		f.Marks[i].Before, f.Marks[i].After = layout.One, layout.None
		f.set(d.Extension, 2)
	}
	f.relabels(d.Relabel, 1)
	f.hiding(d.Hide)
}

func (f *formatter) hiding(h *Hiding) {
	if h == nil {
		return
	}
	i := f.Token(h.Set.Span.Start) - 1
	f.Marks[i].Before, f.Marks[i].After = layout.None, layout.None
	f.Fill(i, 1)
	f.set(h.Set, 2)
}

func (f *formatter) body(b *Body, indent int) {
	if b == nil {
		return
	}
	switch b.Kind {
	case BodyRef:
		for i := range b.Sequence {
			f.args(b.Sequence[i].Args)
		}
		for _, e := range b.Index {
			f.expr(e)
		}
	case BodyIf:
		f.expr(b.Cond)
		f.body(b.Yes, indent+1)
		if b.No != nil {
			// else stands on its own line where a group of the branches is broken.
			f.Fill(f.Token(b.No.Span.Start)-1, indent)
			f.body(b.No, indent+1)
		}
	case BodyChoice:
		from, to := f.Token(b.Span.Start), f.Last(b.End)
		if len(b.Choices) > 1 {
			f.Bracket(from, to, indent)
		}
		for k, c := range b.Choices {
			if k > 0 {
				f.Bar(f.Token(c.Span.Start)-1, from, indent)
			}
			f.choice(c, indent)
		}
	}
}

func (f *formatter) choice(c *Choice, indent int) {
	f.expr(c.Guard)
	for i, a := range c.Actions {
		f.label(a, indent+2)
		if i > 0 {
			f.Fill(f.Token(a.Span.Start)-1, indent+1)
		}
	}
	arrow := f.Token(c.Body.Span.Start) - 1
	f.Fill(arrow, indent+1)
	f.body(c.Body, indent+1)
}

func (f *formatter) args(es []*Expr) {
	for _, e := range es {
		f.expr(e)
	}
}

func (f *formatter) composition(c *Composition, indent int) {
	if c == nil {
		return
	}
	f.expr(c.Cond)
	f.indices(c.Ranges, indent)
	f.label(c.Share, indent+1)
	f.label(c.Prefix, indent+1)
	switch c.Kind {
	case CompIf:
		f.composition(c.Yes, indent+1)
		if c.No != nil {
			f.Fill(f.Token(c.No.Span.Start)-1, indent)
			f.composition(c.No, indent+1)
		}
	case CompForall:
		f.composition(c.Yes, indent+1)
	case CompRef:
		f.args(c.Ref.Args)
	case CompGroup:
		f.compositionGroup(c, indent)
	}
	f.relabels(c.Relabel, indent)
}

func (f *formatter) compositionGroup(c *Composition, indent int) {
	if len(c.Group) == 0 {
		return
	}
	from := f.Token(c.Group[0].Span.Start) - 1
	to := f.Last(c.Group[len(c.Group)-1].End) + 1
	if len(c.Group) > 1 {
		f.Bracket(from, to, indent)
		if c.Prefix != nil || c.Share != nil {
			f.Marks[from].Break = layout.Never // stay behind the prefix
		}
	}
	for k, g := range c.Group {
		if k > 0 {
			bar := f.Token(g.Span.Start) - 1
			f.Bar(bar, from, indent)
			f.Marks[bar].After = layout.One
		}
		f.composition(g, indent+1)
	}
}

func (f *formatter) relabels(rs []*Relabel, indent int) {
	if len(rs) == 0 {
		return
	}
	open, end := f.Token(rs[0].Span.Start)-1, f.Last(rs[len(rs)-1].End)+1
	f.Marks[open].Opens, f.Marks[open].Close = true, end
	f.Marks[open].Before = layout.None
	if f.file.Tokens[open-1].Is("/") {
		f.Marks[open-1].Before = layout.None
	} else {
		f.Marks[open].Before = layout.One // the brace of a forall
	}
	f.Bar(end, open, indent)
	for _, r := range rs {
		f.Bar(f.Token(r.Span.Start), open, indent+1)
		f.indices(r.Ranges, indent+2)
		f.relabels(r.Body, indent+1)
		f.label(r.New, indent+2)
		if r.Old != nil {
			slash := f.Token(r.Old.Span.Start) - 1
			f.Marks[slash].Before, f.Marks[slash].After = layout.None, layout.None
			f.label(r.Old, indent+2)
		}
	}
}

func (f *formatter) label(l *Label, indent int) {
	if l == nil {
		return
	}
	for k := range l.Parts {
		p := &l.Parts[k]
		if k > 0 {
			f.Marks[f.Token(p.Span.Start)].Before = layout.None
			if p.Dot {
				f.Marks[f.Token(p.Span.Start)-1].Before = layout.None
			}
		}
		if p.Set != nil && (len(l.Parts) == 1 || len(p.Set.Labels) > 8) {
			f.set(p.Set, indent)
		} else if p.Set != nil { // a short set inside a label stays together
			for _, e := range p.Set.Labels {
				f.label(e, indent)
			}
		}
		if p.Minus != nil {
			i := f.Token(p.Minus.Span.Start) - 1
			f.Marks[i].Before, f.Marks[i].After = layout.None, layout.None
			f.set(p.Minus, indent)
		}
		if p.Index != nil {
			f.index(p.Index, indent)
		}
	}
}

func (f *formatter) set(s *LabelSet, indent int) {
	if s == nil {
		return
	}
	for k, l := range s.Labels {
		if k > 0 {
			f.Fill(f.Token(l.Span.Start), indent+1)
		}
		f.label(l, indent)
	}
}

func (f *formatter) indices(is []*Index, indent int) {
	for _, i := range is {
		f.Marks[f.Token(i.Span.Start)].Before = layout.None
		f.index(i, indent)
	}
}

func (f *formatter) index(i *Index, indent int) {
	f.set(i.Set, indent)
	f.expr(i.Lo)
	f.expr(i.Hi)
	f.expr(i.Expr)
}

// expr marks unary operators, and the binary ones that stand without blanks.
func (f *formatter) expr(e *Expr) {
	if e == nil {
		return
	}
	f.label(e.Label, 2)
	switch {
	case e.Op == OpPlus || e.Op == OpNeg || e.Op == OpNot || e.Op == OpLabel || e.Op == OpCount || e.Op == OpSelect:
		i := f.Token(e.Span.Start)
		for e.Parens && f.file.Tokens[i].Is("(") {
			i++
		}
		f.Marks[i].After = layout.None
	case e.Left != nil && e.Right != nil:
		// The operator follows the left operand and what closes it.
		i := f.Last(e.Left.End) + 1
		tight := e.Op >= OpShl || e.Op >= OpBitOr && e.Op <= OpBitAnd
		f.Marks[i].Before, f.Marks[i].After = layout.One, layout.One
		if tight {
			f.Marks[i].Before, f.Marks[i].After = layout.None, layout.None
		}
	}
	f.expr(e.Left)
	f.expr(e.Right)
}

func (f *formatter) assertion(a *Assertion, indent int) {
	if a == nil {
		return
	}
	f.indices(a.Ranges, indent)
	f.args(a.Args)
	f.expr(a.Expr)
	f.label(a.Label, indent)
	switch a.Op {
	case AssertNot, AssertAlways, AssertEventually:
		i := f.Token(a.Span.Start)
		for a.Parens && f.file.Tokens[i].Is("(") && i < f.Token(a.Left.Span.Start) {
			i++
		}
		f.Marks[i].After = layout.None
	case AssertAnd, AssertOr, AssertUntil, AssertWeakUntil, AssertImplies, AssertIff:
		op := f.Last(a.Left.End) + 1
		f.Marks[op].Before, f.Marks[op].After = layout.One, layout.One
		f.Fill(op, indent+1)
	}
	f.assertion(a.Left, indent)
	f.assertion(a.Right, indent)
}

// space reports whether a blank stands between token i and the one before it, where the
// tree says nothing.
func (f *formatter) space(i int) bool {
	a, b := &f.file.Tokens[i-1], &f.file.Tokens[i]
	if b.Kind == Symbol {
		switch b.Text {
		case ",", ".", ";", ")", "]", "}", ":", "::", "..":
			return false
		case "[":
			return a.Is(")") || a.Kind == Keyword && a.Text != "forall" && a.Text != "exists" || spaced(a)
		case "(":
			return a.Kind == Keyword || a.Is("]") || spaced(a)
		}
	}
	if a.Kind == Symbol {
		switch a.Text {
		case "(", "[", "{", ".", ":", "::", "..", ";", "'", "#":
			return false
		case "[]", "<>", "!":
			return false
		}
	}
	return true
}

// spaced reports whether a symbol has a blank behind it, whatever follows.
func spaced(a *Token) bool {
	if a.Kind != Symbol {
		return false
	}
	switch a.Text {
	case "->", "<->", "=", "|", "||", "&&", ",", "==", "!=", "<=", ">=", "<", ">", "<<", ">>":
		return true
	}
	return false
}
