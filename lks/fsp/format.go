package fsp

import (
	"strings"
)

// lineWidth is where Format breaks lines.
const lineWidth = 80

// indentWidth is the width of one level of indentation.
const indentWidth = 4

// Format returns the file in the standard layout. Only blanks and line breaks
// change: the tokens and comments are those of the file, in their order, so the
// meaning cannot change, and formatting twice is formatting once. The file must
// have been parsed without errors.
//
// Every definition and every local process begins a line; up to one blank line
// between definitions is kept. Alternatives and parts of compositions stay on
// one line if they fit, else each gets its own. Formulas of ltl definitions and
// animations are left as they are written.
func Format(file *File) string {
	f := &formatter{file: file, marks: make([]mark, len(file.tokens))}
	f.at = make(map[int32]int, len(file.tokens))
	for i := range file.tokens {
		f.at[file.tokens[i].start] = i
	}
	for i := range f.marks {
		f.marks[i].close = -1
	}
	for _, d := range file.defs {
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
func (f *formatter) last(p pos) int {
	lo, hi := 0, len(f.file.tokens)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if f.file.tokens[mid].start < p.end {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// definition marks the tokens of one definition.
func (f *formatter) definition(d definition) {
	p := d.defPos()
	start := f.token(p.start)
	f.marks[start].kind, f.marks[start].blank = breakAlways, true
	switch d := d.(type) {
	case *processDef:
		f.process(d)
	case *compositeDef:
		i := start
		for !f.file.tokens[i].symbol("||") {
			i++
		}
		f.marks[i].after = spaceNone
		f.params(d.params)
		f.composition(d.body, 1)
		if d.priority != nil {
			i := f.token(d.priority.pos.start)
			f.fill(i, 1)
			f.marks[i].before, f.marks[i].after = spaceOne, spaceOne
			f.set(d.priority.set, 2)
		}
		f.hiding(d.hide)
	case *setDef:
		f.set(d.set, 1)
	case *progressDef:
		f.indices(d.ranges, 1)
		f.label(d.condition, 1)
		f.label(d.set, 1)
	case *fairDef:
		f.indices(d.ranges, 1)
		f.marks[f.token(d.set.pos.start)].before = spaceOne
		f.label(d.set, 1)
	case *menuDef:
		f.label(d.set, 1)
	case *constDef:
		f.expr(d.value)
	case *rangeDef:
		f.expr(d.lo)
		f.expr(d.hi)
	case *fluentDef:
		f.indices(d.ranges, 1)
		open := f.token(d.begin.pos.start) - 1
		f.marks[open].before, f.marks[open].after = spaceOne, spaceNone
		f.label(d.begin, 2)
		f.label(d.end, 2)
		f.marks[f.last(d.end.pos)+1].before = spaceNone
		f.expr(d.initially)
	case *assertDef:
		f.params(d.params)
		f.assertion(d.formula, 1)
		if d.extension != nil {
			i := f.token(d.extension.pos.start) - 1
			f.marks[i].before, f.marks[i].after = spaceOne, spaceNone
			f.set(d.extension, 1)
		}
	case *ltlDef:
		f.marks[f.token(d.formula.start)].verbatim = f.last(d.formula)
	case *animationDef:
		f.marks[start].verbatim = f.last(p)
	}
}

// fill marks a token as a place where a full line may be broken.
func (f *formatter) fill(i, indent int) {
	if f.marks[i].kind == breakNever {
		f.marks[i].kind, f.marks[i].indent = breakFill, indent
	}
}

func (f *formatter) params(ps []param) {
	for _, p := range ps {
		f.expr(p.value)
	}
}

func (f *formatter) process(d *processDef) {
	f.params(d.params)
	for k, l := range d.locals {
		start := f.token(l.name.pos.start)
		if k > 0 {
			f.marks[start].kind = breakAlways
		}
		if l.accept {
			f.marks[start+1].before = spaceNone
		}
		f.label(l.index, 1)
		if l.labelled {
			f.marks[f.token(l.labelsPos.start)].before = spaceOne
			for j, s := range l.labels {
				if j > 0 {
					f.fill(f.token(s.pos.start), 2)
				}
				f.expr(s.guard)
				f.label(s.label, 2)
			}
		}
		f.body(l.body, 1)
	}
	if d.extension != nil {
		i := f.token(d.extension.pos.start) - 1
		f.fill(i, 1)
		f.marks[i].before, f.marks[i].after = spaceOne, spaceNone
		f.set(d.extension, 2)
	}
	f.relabels(d.relabel, 1)
	f.hiding(d.hide)
}

func (f *formatter) hiding(h *hiding) {
	if h == nil {
		return
	}
	i := f.token(h.set.pos.start) - 1
	f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
	f.fill(i, 1)
	f.set(h.set, 2)
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

func (f *formatter) body(b *body, indent int) {
	if b == nil {
		return
	}
	switch b.kind {
	case bodyRef:
		for i := range b.sequence {
			f.args(b.sequence[i].args)
		}
		for _, e := range b.index {
			f.expr(e)
		}
	case bodyIf:
		f.expr(b.cond)
		f.body(b.yes, indent+1)
		if b.no != nil {
			// else stands on its own line where a group of the branches is broken.
			f.fill(f.token(b.no.pos.start)-1, indent)
			f.body(b.no, indent+1)
		}
	case bodyChoice:
		from, to := f.token(b.pos.start), f.last(b.pos)
		if len(b.choices) > 1 {
			f.group(from, to, indent)
		}
		for k, c := range b.choices {
			if k > 0 {
				f.bar(f.token(c.pos.start)-1, from, indent)
			}
			f.choice(c, indent)
		}
	}
}

func (f *formatter) choice(c *choice, indent int) {
	f.expr(c.guard)
	for i, a := range c.actions {
		f.label(a, indent+2)
		if i > 0 {
			f.fill(f.token(a.pos.start)-1, indent+1)
		}
	}
	arrow := f.token(c.body.pos.start) - 1
	f.fill(arrow, indent+1)
	f.body(c.body, indent+1)
}

func (f *formatter) args(es []*expr) {
	for _, e := range es {
		f.expr(e)
	}
}

func (f *formatter) composition(c *composition, indent int) {
	if c == nil {
		return
	}
	f.expr(c.cond)
	f.indices(c.ranges, indent)
	f.label(c.share, indent+1)
	f.label(c.prefix, indent+1)
	switch c.kind {
	case compIf:
		f.composition(c.yes, indent+1)
		if c.no != nil {
			f.fill(f.token(c.no.pos.start)-1, indent)
			f.composition(c.no, indent+1)
		}
	case compForall:
		f.composition(c.yes, indent+1)
	case compRef:
		f.args(c.ref.args)
	case compGroup:
		f.compositionGroup(c, indent)
	}
	f.relabels(c.relabel, indent)
}

func (f *formatter) compositionGroup(c *composition, indent int) {
	if len(c.group) == 0 {
		return
	}
	from := f.token(c.group[0].pos.start) - 1
	to := f.last(c.group[len(c.group)-1].pos) + 1
	if len(c.group) > 1 {
		f.group(from, to, indent)
		if c.prefix != nil || c.share != nil {
			f.marks[from].kind = breakNever // stay behind the prefix
		}
	}
	for k, g := range c.group {
		if k > 0 {
			bar := f.token(g.pos.start) - 1
			f.bar(bar, from, indent)
			f.marks[bar].after = spaceOne
		}
		f.composition(g, indent+1)
	}
}

func (f *formatter) relabels(rs []*relabel, indent int) {
	if len(rs) == 0 {
		return
	}
	open, end := f.token(rs[0].pos.start)-1, f.last(rs[len(rs)-1].pos)+1
	f.marks[open].opens, f.marks[open].close = true, end
	f.marks[open].before = spaceNone
	if f.file.tokens[open-1].symbol("/") {
		f.marks[open-1].before = spaceNone
	} else {
		f.marks[open].before = spaceOne // the brace of a forall
	}
	f.bar(end, open, indent)
	for _, r := range rs {
		f.bar(f.token(r.pos.start), open, indent+1)
		f.indices(r.ranges, indent+2)
		f.relabels(r.body, indent+1)
		f.label(r.new, indent+2)
		if r.old != nil {
			slash := f.token(r.old.pos.start) - 1
			f.marks[slash].before, f.marks[slash].after = spaceNone, spaceNone
			f.label(r.old, indent+2)
		}
	}
}

func (f *formatter) label(l *label, indent int) {
	if l == nil {
		return
	}
	for k := range l.parts {
		p := &l.parts[k]
		if k > 0 {
			f.marks[f.token(p.pos.start)].before = spaceNone
			if p.dot {
				f.marks[f.token(p.pos.start)-1].before = spaceNone
			}
		}
		if p.set != nil && (len(l.parts) == 1 || len(p.set.labels) > 8) {
			f.set(p.set, indent)
		} else if p.set != nil { // a short set inside a label stays together
			for _, e := range p.set.labels {
				f.label(e, indent)
			}
		}
		if p.minus != nil {
			i := f.token(p.minus.pos.start) - 1
			f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
			f.set(p.minus, indent)
		}
		if p.index != nil {
			f.index(p.index, indent)
		}
	}
}

func (f *formatter) set(s *labelSet, indent int) {
	if s == nil {
		return
	}
	for k, l := range s.labels {
		if k > 0 {
			f.fill(f.token(l.pos.start), indent+1)
		}
		f.label(l, indent)
	}
}

func (f *formatter) indices(is []*index, indent int) {
	for _, i := range is {
		f.marks[f.token(i.pos.start)].before = spaceNone
		f.index(i, indent)
	}
}

func (f *formatter) index(i *index, indent int) {
	f.set(i.set, indent)
	f.expr(i.lo)
	f.expr(i.hi)
	f.expr(i.expr)
}

// expr marks unary operators, and the binary ones that stand without blanks.
func (f *formatter) expr(e *expr) {
	if e == nil {
		return
	}
	f.label(e.label, 2)
	switch {
	case e.op == opPlus || e.op == opNeg || e.op == opNot || e.op == opLabel || e.op == opCount || e.op == opSelect:
		i := f.token(e.pos.start)
		for e.parens && f.file.tokens[i].symbol("(") {
			i++
		}
		f.marks[i].after = spaceNone
	case e.left != nil && e.right != nil:
		// The operator follows the left operand and what closes it.
		i := f.last(e.left.pos) + 1
		tight := e.op >= opShl || e.op >= opBitOr && e.op <= opBitAnd
		f.marks[i].before, f.marks[i].after = spaceOne, spaceOne
		if tight {
			f.marks[i].before, f.marks[i].after = spaceNone, spaceNone
		}
	}
	f.expr(e.left)
	f.expr(e.right)
}

func (f *formatter) assertion(a *assertion, indent int) {
	if a == nil {
		return
	}
	f.indices(a.ranges, indent)
	f.args(a.args)
	f.expr(a.expr)
	f.label(a.label, indent)
	switch a.op {
	case assertNot, assertAlways, assertEventually:
		i := f.token(a.pos.start)
		for a.parens && f.file.tokens[i].symbol("(") && i < f.token(a.left.pos.start) {
			i++
		}
		f.marks[i].after = spaceNone
	case assertAnd, assertOr, assertUntil, assertWeakUntil, assertImplies, assertIff:
		op := f.last(a.left.pos) + 1
		f.marks[op].before, f.marks[op].after = spaceOne, spaceOne
		f.fill(op, indent+1)
	}
	f.assertion(a.left, indent)
	f.assertion(a.right, indent)
}
