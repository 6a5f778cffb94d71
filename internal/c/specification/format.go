package specification

import (
	"slices"

	"github.com/seltl/seltl/internal/layout"
)

// Format returns the file in the standard layout, which is that of the modelling language.
// Only blanks and line breaks change: the tokens and comments are those of the file, in
// their order, and formatting twice is formatting once. A file with errors comes back as
// it is.
//
// Every definition, state and statement begins a line; up to one blank line between
// definitions, and between statements, is kept. Alternatives stay on one line if they fit,
// else each gets its own. Inside C expressions there are blanks where the file has some, and
// formulas are kept as they are.
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

// formatter marks tokens as the syntax tree says.
type formatter struct {
	file *File
	*layout.Layout
}

// first and last return the tokens at the ends of a node.
func (f *formatter) first(n Node) int { return f.Token(n.Extent().Start) }
func (f *formatter) last(n Node) int  { return f.Last(n.Extent().End) }

func (f *formatter) definition(d Definition) {
	start := f.first(d)
	f.Marks[start].Break, f.Marks[start].Blank = layout.Always, true
	switch d := d.(type) {
	case *ConstDef:
		f.expr(d.Value)
	case *LKSDef:
		for k, s := range d.States {
			if k > 0 {
				f.Marks[f.first(s)].Break = layout.Always
			}
			f.body(s.Body, 1)
		}
		if d.Extension != nil {
			i := f.first(d.Extension) - 1
			f.Fill(i, 1)
			f.Marks[i].Before, f.Marks[i].After = layout.One, layout.None
			f.set(d.Extension, 2)
		}
	case *ProcDef:
		f.block(d, d.Statements)
	case *ProgDef:
		for k, c := range d.Components {
			if k > 0 {
				f.Fill(f.first(c), 2)
			}
			f.index(c.Index)
		}
		f.block(d, d.Statements)
	}
}

// block marks the statements of a block and the brace that closes it, each of which begins
// a line; an empty block stays on one.
func (f *formatter) block(d Definition, statements []Statement) {
	end := f.last(d)
	for _, s := range statements {
		m := &f.Marks[f.first(s)]
		m.Break, m.Indent, m.Blank = layout.Always, 1, true
		f.statement(s)
	}
	if len(statements) > 0 || f.commented(end) {
		f.Marks[end].Break = layout.Always
	}
	f.Marks[end].Inside = 1
}

// commented reports whether a comment stands before a token.
func (f *formatter) commented(i int) bool {
	_, found := slices.BinarySearchFunc(f.file.Comments, i, func(c Comment, i int) int { return c.Before - i })
	return found
}

func (f *formatter) statement(s Statement) {
	switch s := s.(type) {
	case *Abstract:
		f.cexprs(s.Guards)
		f.Fill(f.first(s.LKS), 2)
	case *Property:
		f.Marks[f.first(s.Formula)].Verbatim = f.last(s.Formula)
	case *Assume:
		f.cexprs(s.Guards)
	case *Predicate:
		f.cexprs(s.Exprs)
	case *Inline:
		for _, r := range s.Routines[1:] {
			f.Fill(f.first(r), 2)
		}
	case *Alphabet:
		f.set(s.Set, 2)
	case *Hide:
		f.set(s.Set, 2)
	case *Rename:
		for k, p := range s.Pairs {
			if k > 0 {
				f.Fill(f.first(p), 2)
			}
			slash := f.first(p.New) - 1
			f.Marks[slash].Before, f.Marks[slash].After = layout.None, layout.None
			f.label(p.Old)
			f.label(p.New)
		}
	}
}

func (f *formatter) body(b *Body, indent int) {
	if b.Kind != BodyChoice {
		return
	}
	from := f.first(b)
	if len(b.Choices) > 1 {
		f.Bracket(from, f.last(b), indent)
	}
	for k, c := range b.Choices {
		if k > 0 {
			f.Bar(f.first(c)-1, from, indent)
		}
		f.choice(c, indent)
	}
}

func (f *formatter) choice(c *Choice, indent int) {
	if c.Guard != nil {
		f.cexpr(c.Guard, indent+2)
	}
	for k, s := range c.Steps {
		if k > 0 {
			f.Fill(f.first(s)-1, indent+1)
		}
		switch {
		case s.Kind == StepAction:
			f.label(s.Label)
		case s.Condition != nil:
			f.cexpr(s.Condition, indent+2)
		case s.Kind == StepAssign:
			f.cexpr(s.Left, indent+2)
			f.cexpr(s.Right, indent+2)
		}
	}
	f.Fill(f.first(c.Body)-1, indent+1)
	f.body(c.Body, indent+1)
}

// cexprs marks C expressions behind one another.
func (f *formatter) cexprs(all []*CExpr) {
	for k, e := range all {
		if k > 0 {
			f.Fill(f.first(e), 2)
		}
		f.cexpr(e, 3)
	}
}

// cexpr keeps the blanks of a C expression; a line may be broken at its connectives.
func (f *formatter) cexpr(e *CExpr, indent int) {
	tokens := f.file.Tokens
	for i := f.first(e) + 1; i <= f.last(e); i++ {
		f.Marks[i].Before = layout.None
		if tokens[i].Start > tokens[i-1].End {
			f.Marks[i].Before = layout.One
			if tokens[i].Is("&&") || tokens[i].Is("||") {
				f.Fill(i, indent)
			}
		}
	}
}

func (f *formatter) set(s *LabelSet, indent int) {
	for k, l := range s.Labels {
		if k > 0 {
			f.Fill(f.first(l), indent)
		}
		f.label(l)
	}
}

// label has no blanks, also in indices.
func (f *formatter) label(l *Label) { f.together(f.first(l)+1, f.last(l)) }

func (f *formatter) index(x *Index) {
	if x != nil {
		f.together(f.first(x), f.last(x))
	}
}

func (f *formatter) expr(e *Expr) { f.together(f.first(e)+1, f.last(e)) }

// together puts no blank before any token of first to last.
func (f *formatter) together(first, last int) {
	for i := first; i <= last; i++ {
		f.Marks[i].Before = layout.None
	}
}

// space reports whether a blank stands between token i and the one before it, where the
// tree says nothing.
func (f *formatter) space(i int) bool {
	a, b := &f.file.Tokens[i-1], &f.file.Tokens[i]
	if slices.ContainsFunc([]string{",", ".", ";", ")", "]", "}", "::"}, b.Is) {
		return false
	}
	return !slices.ContainsFunc([]string{"(", "[", "{", "::"}, a.Is)
}
