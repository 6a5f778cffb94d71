package syntax

import (
	"github.com/seltl/seltl/internal/tokens"
)

// binaryLevels lists the binary operators from the loosest to the tightest.
var binaryLevels = []tokens.Level[Op]{
	{{"||", OpOr}},
	{{"&&", OpAnd}},
	{{"|", OpBitOr}},
	{{"^", OpBitXor}},
	{{"&", OpBitAnd}},
	{{"==", OpEq}, {"!=", OpNe}},
	{{"<", OpLt}, {"<=", OpLe}, {">", OpGt}, {">=", OpGe}},
	{{"<<", OpShl}, {">>", OpShr}},
	{{"+", OpAdd}, {"-", OpSub}},
	{{"*", OpMul}, {"/", OpDiv}, {"%", OpMod}},
}

// additive is the level where simpleExpr stops.
const additive = 8

func (p *parser) expr() *Expr {
	e := p.binary(0)
	p.checkExprEnd()
	return e
}

// simpleExpr reads an expression of +, - and tighter operators only: what FSP
// allows where a looser operator could also belong to the definition itself.
func (p *parser) simpleExpr() *Expr { return p.binary(additive) }

func (p *parser) binary(level int) *Expr {
	return tokens.Binary(&p.Cursor, binaryLevels[level:], p.unary, func(op Op, left, right *Expr) *Expr {
		return &Expr{Op: op, Left: left, Right: right, Span: left.To(right.Span)}
	})
}

func (p *parser) unary() *Expr {
	p.Enter()
	defer p.Leave()
	t := p.Tok()
	start := t.Span
	if t.Kind == Symbol {
		switch t.Text {
		case "+", "-", "!":
			p.Advance()
			e := &Expr{Op: map[string]Op{"+": OpPlus, "-": OpNeg, "!": OpNot}[t.Text], Left: p.unary()}
			e.Span = p.Since(start)
			return e
		case "(":
			p.Advance()
			e := p.expr()
			p.closeBracket(")", start, inExpr)
			e.Parens = true
			e.Span = p.Since(start)
			return e
		case "'":
			p.Advance()
			e := &Expr{Op: OpLabel, Label: p.label()}
			e.Span = p.Since(start)
			return e
		case "#":
			p.Advance()
			e := &Expr{Op: OpCount, Label: p.label()}
			e.Span = p.Since(start)
			return e
		case "@":
			p.Advance()
			p.Expect("(", "an element of a set is written @(set, number)")
			e := &Expr{Op: OpSelect, Label: p.label()}
			p.Expect(",", "an element of a set is written @(set, number)")
			e.Left = p.expr()
			p.Expect(")", "")
			e.Span = p.Since(start)
			return e
		}
	}
	switch t.Kind {
	case Number:
		p.Advance()
		return &Expr{Op: OpNumber, Value: t.Value, Text: t.Text, Span: start}
	case Lower:
		p.Advance()
		if t.Text == "not" && (p.Is("(") || p.Tok().Kind == Lower || p.Tok().Kind == Upper) {
			p.Fail(start, "syntax", "not is written !", "there is no operator %q in expressions", t.Text)
		}
		return &Expr{Op: OpVariable, Text: t.Text, Span: start}
	case Upper:
		p.Advance()
		return &Expr{Op: OpName, Text: t.Text, Span: start}
	}
	help := ""
	if p.At > 1 && p.Tokens[p.At-1].Is("+") && p.Tokens[p.At-2].Is("+") || p.At > 1 && p.Tokens[p.At-1].Is("-") && p.Tokens[p.At-2].Is("-") {
		help = "there is no ++ and no --: write i+1"
	}
	p.Unexpected("an expression", help)
	return &Expr{Span: p.Prev()}
}

// label reads a label: parts joined by dots and indices.
func (p *parser) label() *Label {
	p.Enter()
	defer p.Leave()
	return p.labelParts(true)
}

// labelParts reads the parts of a label. If sets is false, a brace does not
// continue it (the name of a local process).
func (p *parser) labelParts(sets bool) *Label {
	l := &Label{}
	start := p.Tok().Span
	for {
		dot := len(l.Parts) > 0 && p.Accept(".")
		if len(l.Parts) > 0 && !dot && !p.Is("[") {
			break
		}
		part := p.labelPart(sets)
		part.Dot = dot
		l.Parts = append(l.Parts, part)
		if p.Is("[") {
			continue
		}
		if !p.Is(".") {
			break
		}
		if n := p.Peek(1); !(n.Kind == Lower && !p.ltlAt(1) || n.Is("[") || sets && (n.Is("{") || n.Kind == Upper && !p.upperDefinitionAt(1))) {
			break // the full stop that ends a definition
		}
	}
	l.Span = p.Since(start)
	return l
}

// ltlAt reports whether an ltl definition begins n tokens from here.
func (p *parser) ltlAt(n int) bool {
	return p.Peek(n).Text == "ltl" && p.Peek(n+1).Kind == Upper && p.Peek(n+2).Is("=")
}

func (p *parser) upperDefinitionAt(n int) bool { return p.headFollows(n + 1) }

func (p *parser) labelPart(sets bool) LabelPart {
	t := p.Tok()
	part := LabelPart{Span: t.Span}
	switch {
	case t.Kind == Lower:
		p.Advance()
		if t.Text == "tau" {
			p.Fail(t.Span, "tau", "hide an action to make it silent: P = (a -> P)\\{a}", "tau is not an action that can be written")
		}
		part.Kind, part.Text = PartName, t.Text
	case t.Kind == Keyword && p.keywordAsAction(t):
		p.Advance()
		part.Kind, part.Text = PartName, t.Text
	case t.Is("["):
		part.Kind, part.Index = PartIndex, p.index()
	case sets && (t.Is("{") || t.Kind == Upper):
		part.Kind, part.Set = PartSet, p.labelSet()
		if p.Is("\\") && (p.Peek(1).Is("{") || p.Peek(1).Kind == Upper) {
			p.Advance()
			part.Minus = p.labelSet()
		}
	default:
		p.Unexpected("an action label", labelHelp(t))
	}
	part.Span = p.Since(part.Span)
	return part
}

func labelHelp(t *Token) string {
	switch t.Kind {
	case Upper:
		return "action labels begin with a small letter"
	case Number:
		return "names begin with a letter; a number in a label stands in brackets: a[1]"
	case Keyword:
		return "this word is reserved; choose another action name"
	}
	return ""
}

// labelSet reads {a, b} or the name of a set.
func (p *parser) labelSet() *LabelSet {
	p.Enter()
	defer p.Leave()
	t := p.Tok()
	s := &LabelSet{Span: t.Span}
	if t.Kind == Upper {
		p.Advance()
		s.Name = t.Text
		return s
	}
	if !t.Is("{") {
		p.Unexpected("a set of labels", "a set is written {a, b, c}")
		s.Bad, s.Span = true, p.Since(t.Span)
		return s
	}
	open := p.Advance().Span
	for !p.Is("}") {
		s.Labels = append(s.Labels, p.label())
		if !p.Accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inSet)
	s.Bad, s.Span = p.Stopped, p.Since(open)
	return s
}

// index reads what stands in brackets.
func (p *parser) index() *Index {
	p.Enter()
	defer p.Leave()
	open := p.Expect("[", "").Span
	i := &Index{}
	if p.Tok().Kind == Lower && p.Peek(1).Is(":") {
		i.Variable = Name{Text: p.Tok().Text, Span: p.Tok().Span}
		p.Advance()
		p.Advance()
	}
	switch {
	case p.Is("{"):
		i.Set = p.labelSet()
		if p.Is("\\") {
			p.Unexpected(`"]"`, "write a difference of sets as a set of its own: [{S\\{a}}]")
		}
	default:
		e := p.expr()
		if p.Is("...") {
			p.threeDots()
		}
		if p.Accept("..") {
			i.Lo, i.Hi = e, p.expr()
			break
		}
		i.Expr = e
		if i.Variable.Text != "" && e.Op != OpName {
			p.Fail(e.Span, "syntax", "a variable ranges over LOW..HIGH, or a range or set, whose names begin with a capital letter", "%s:%s is no range", i.Variable.Text, p.file.Place(e.Span).Text())
		}
	}
	p.closeBracket("]", open, inIndex)
	i.Span = p.Since(open)
	return i
}
