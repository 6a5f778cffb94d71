package syntax

import "strings"

// lineWidth is where Format breaks lines.
const lineWidth = 80

// indentWidth is the width of one level of indentation.
const indentWidth = 4

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
	f := &formatter{file: file, marks: make([]mark, len(file.Tokens))}
	f.at = make(map[int32]int, len(file.Tokens))
	for i := range file.Tokens {
		f.at[file.Tokens[i].Start] = i
	}
	for i := range f.marks {
		f.marks[i].close = -1
	}
	for _, d := range file.Defs {
		f.definition(d)
	}
	f.print()
	return f.out.String()
}

// breakKind says when a line break stands before a token.
type breakKind uint8

const (
	breakNever breakKind = iota
	breakFill            // if what follows, up to the next break, does not fit
	breakGroup           // if the group does not fit on a line
	breakAlways
)

// spacing overrides the rules of space.
type spacing uint8

const (
	spaceDefault spacing = iota
	spaceNone
	spaceOne
)

// mark is what the syntax tree says about the layout of one token.
type mark struct {
	kind   breakKind
	indent int     // levels, if a line break stands before it
	group  int     // index of the group's first token, for breakGroup
	opens  bool    // it is the first token of a group
	close  int     // of a group's first token: the group's last token
	before spacing // between it and the token before it
	after  spacing
	// wide: in a broken group a blank stands behind it, as in "( a".
	wide     bool
	verbatim int // it begins a text that is kept as it is, up to this token
	blank    bool
}

type formatter struct {
	file  *File
	marks []mark
	at    map[int32]int // token by start offset

	out      strings.Builder
	column   int
	broken   map[int]bool
	comment  int  // next comment
	fresh    bool // nothing stands on the current line
	indented int  // indentation of the current line
}

// token returns the index of the token that starts at an offset.
func (f *formatter) token(start int32) int { return f.at[start] }

// last returns the index of the last token of a node.
func (f *formatter) last(p Span) int {
	lo, hi := 0, len(f.file.Tokens)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if f.file.Tokens[mid].Start < p.End {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// definition marks the tokens of one definition.
func (f *formatter) definition(d Definition) {
	p := d.Head().Span
	start := f.token(p.Start)
	f.marks[start].kind, f.marks[start].blank = breakAlways, true
	switch d := d.(type) {
	case *ProcessDef:
		f.process(d)
	case *CompositeDef:
		i := start
		for !f.file.Tokens[i].symbol("||") {
			i++
		}
		f.marks[i].after = spaceNone
		f.params(d.Params)
		f.composition(d.Body, 1)
		if d.Priority != nil {
			i := f.token(d.Priority.Span.Start)
			f.fill(i, 1)
			f.marks[i].before, f.marks[i].after = spaceOne, spaceOne
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
		f.marks[f.token(d.Set.Span.Start)].before = spaceOne
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
		open := f.token(d.Begin.Span.Start) - 1
		f.marks[open].before, f.marks[open].after = spaceOne, spaceNone
		f.label(d.Begin, 2)
		f.label(d.End, 2)
		f.marks[f.last(d.End.Span)+1].before = spaceNone
		f.expr(d.Initially)
	case *AssertDef:
		f.params(d.Params)
		f.assertion(d.Formula, 1)
		if d.Extension != nil {
			i := f.token(d.Extension.Span.Start) - 1
			f.marks[i].before, f.marks[i].after = spaceOne, spaceNone
			f.set(d.Extension, 1)
		}
	case *LTLDef:
		f.marks[f.token(d.Formula.Start)].verbatim = f.last(d.Formula)
	case *AnimationDef:
		f.marks[start].verbatim = f.last(p)
	}
}

// fill marks a token as a place where a full line may be broken.
func (f *formatter) fill(i, indent int) {
	if f.marks[i].kind == breakNever {
		f.marks[i].kind, f.marks[i].indent = breakFill, indent
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
		start := f.token(l.Name.Span.Start)
		if k > 0 {
			f.marks[start].kind = breakAlways
		}
		if l.Accept {
			f.marks[start+1].before = spaceNone
		}
		f.label(l.Index, 1)
		if l.Labelled {
			f.marks[f.token(l.LabelsSpan.Start)].before = spaceOne
			for j, s := range l.Labels {
				if j > 0 {
					f.fill(f.token(s.Span.Start), 2)
				}
				f.expr(s.Guard)
				f.label(s.Label, 2)
			}
		}
		f.body(l.Body, 1)
	}
	if d.Extension != nil {
		i := f.token(d.Extension.Span.Start) - 1
		f.fill(i, 1)
		f.marks[i].before, f.marks[i].after = spaceOne, spaceNone
		f.set(d.Extension, 2)
	}
	f.relabels(d.Relabel, 1)
	f.hiding(d.Hide)
}

func (f *formatter) hiding(h *Hiding) {
	if h == nil {
		return
	}
	i := f.token(h.Set.Span.Start) - 1
	f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
	f.fill(i, 1)
	f.set(h.Set, 2)
}

// group marks the tokens from one to another as a group: it is laid out on one
// line if it fits.
func (f *formatter) group(from, to, indent int) {
	f.marks[from].opens, f.marks[from].close = true, to
	f.marks[from].group = from
	if f.marks[from].kind != breakAlways {
		f.marks[from].kind, f.marks[from].indent = breakGroup, indent
	}
	f.marks[from].wide = true
	f.bar(to, from, indent)
	f.marks[to].before = spaceNone
}

// bar is a separator or the end of a group.
func (f *formatter) bar(i, group, indent int) {
	f.marks[i].kind, f.marks[i].group, f.marks[i].indent = breakGroup, group, indent
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
			f.fill(f.token(b.No.Span.Start)-1, indent)
			f.body(b.No, indent+1)
		}
	case BodyChoice:
		from, to := f.token(b.Span.Start), f.last(b.Span)
		if len(b.Choices) > 1 {
			f.group(from, to, indent)
		}
		for k, c := range b.Choices {
			if k > 0 {
				f.bar(f.token(c.Span.Start)-1, from, indent)
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
			f.fill(f.token(a.Span.Start)-1, indent+1)
		}
	}
	arrow := f.token(c.Body.Span.Start) - 1
	f.fill(arrow, indent+1)
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
			f.fill(f.token(c.No.Span.Start)-1, indent)
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
	from := f.token(c.Group[0].Span.Start) - 1
	to := f.last(c.Group[len(c.Group)-1].Span) + 1
	if len(c.Group) > 1 {
		f.group(from, to, indent)
		if c.Prefix != nil || c.Share != nil {
			f.marks[from].kind = breakNever // stay behind the prefix
		}
	}
	for k, g := range c.Group {
		if k > 0 {
			bar := f.token(g.Span.Start) - 1
			f.bar(bar, from, indent)
			f.marks[bar].after = spaceOne
		}
		f.composition(g, indent+1)
	}
}

func (f *formatter) relabels(rs []*Relabel, indent int) {
	if len(rs) == 0 {
		return
	}
	open, end := f.token(rs[0].Span.Start)-1, f.last(rs[len(rs)-1].Span)+1
	f.marks[open].opens, f.marks[open].close = true, end
	f.marks[open].before = spaceNone
	if f.file.Tokens[open-1].symbol("/") {
		f.marks[open-1].before = spaceNone
	} else {
		f.marks[open].before = spaceOne // the brace of a forall
	}
	f.bar(end, open, indent)
	for _, r := range rs {
		f.bar(f.token(r.Span.Start), open, indent+1)
		f.indices(r.Ranges, indent+2)
		f.relabels(r.Body, indent+1)
		f.label(r.New, indent+2)
		if r.Old != nil {
			slash := f.token(r.Old.Span.Start) - 1
			f.marks[slash].before, f.marks[slash].after = spaceNone, spaceNone
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
			f.marks[f.token(p.Span.Start)].before = spaceNone
			if p.Dot {
				f.marks[f.token(p.Span.Start)-1].before = spaceNone
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
			i := f.token(p.Minus.Span.Start) - 1
			f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
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
			f.fill(f.token(l.Span.Start), indent+1)
		}
		f.label(l, indent)
	}
}

func (f *formatter) indices(is []*Index, indent int) {
	for _, i := range is {
		f.marks[f.token(i.Span.Start)].before = spaceNone
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
		i := f.token(e.Span.Start)
		for e.Parens && f.file.Tokens[i].symbol("(") {
			i++
		}
		f.marks[i].after = spaceNone
	case e.Left != nil && e.Right != nil:
		// The operator follows the left operand and what closes it.
		i := f.last(e.Left.Span) + 1
		tight := e.Op >= OpShl || e.Op >= OpBitOr && e.Op <= OpBitAnd
		f.marks[i].before, f.marks[i].after = spaceOne, spaceOne
		if tight {
			f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
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
		i := f.token(a.Span.Start)
		for a.Parens && f.file.Tokens[i].symbol("(") && i < f.token(a.Left.Span.Start) {
			i++
		}
		f.marks[i].after = spaceNone
	case AssertAnd, AssertOr, AssertUntil, AssertWeakUntil, AssertImplies, AssertIff:
		op := f.last(a.Left.Span) + 1
		f.marks[op].before, f.marks[op].after = spaceOne, spaceOne
		f.fill(op, indent+1)
	}
	f.assertion(a.Left, indent)
	f.assertion(a.Right, indent)
}
