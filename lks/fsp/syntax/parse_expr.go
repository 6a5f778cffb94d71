package syntax

// binaryLevels lists the binary operators from the loosest to the tightest.
var binaryLevels = [][]struct {
	text string
	op   Op
}{
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
	if level == len(binaryLevels) {
		return p.unary()
	}
	left := p.binary(level + 1)
	chain := 0
	defer func() { p.depth -= chain }()
next:
	for {
		for _, o := range binaryLevels[level] {
			if p.tok().symbol(o.text) {
				p.enter() // a long chain is a deep tree, too
				chain++
				p.advance()
				right := p.binary(level + 1)
				left = &Expr{Op: o.op, Left: left, Right: right, Span: left.Span.To(right.Span)}
				continue next
			}
		}
		return left
	}
}

func (p *parser) unary() *Expr {
	p.enter()
	defer p.leave()
	t := p.tok()
	start := t.Span
	if t.Kind == Symbol {
		switch t.Text {
		case "+", "-", "!":
			p.advance()
			e := &Expr{Op: map[string]Op{"+": OpPlus, "-": OpNeg, "!": OpNot}[t.Text], Left: p.unary()}
			e.Span = p.since(start)
			return e
		case "(":
			p.advance()
			e := p.expr()
			p.closeBracket(")", start, inExpr)
			e.Parens = true
			e.Span = p.since(start)
			return e
		case "'":
			p.advance()
			e := &Expr{Op: OpLabel, Label: p.label()}
			e.Span = p.since(start)
			return e
		case "#":
			p.advance()
			e := &Expr{Op: OpCount, Label: p.label()}
			e.Span = p.since(start)
			return e
		case "@":
			p.advance()
			p.expect("(", "an element of a set is written @(set, number)")
			e := &Expr{Op: OpSelect, Label: p.label()}
			p.expect(",", "an element of a set is written @(set, number)")
			e.Left = p.expr()
			p.expect(")", "")
			e.Span = p.since(start)
			return e
		}
	}
	switch t.Kind {
	case Number:
		p.advance()
		return &Expr{Op: OpNumber, Value: t.Value, Text: t.Text, Span: start}
	case Lower:
		p.advance()
		if t.Text == "not" && (p.is("(") || p.tok().Kind == Lower || p.tok().Kind == Upper) {
			p.fail(start, "syntax", "not is written !", "there is no operator %q in expressions", t.Text)
		}
		return &Expr{Op: OpVariable, Text: t.Text, Span: start}
	case Upper:
		p.advance()
		return &Expr{Op: OpName, Text: t.Text, Span: start}
	}
	help := ""
	if p.at > 1 && p.tokens[p.at-1].symbol("+") && p.tokens[p.at-2].symbol("+") || p.at > 1 && p.tokens[p.at-1].symbol("-") && p.tokens[p.at-2].symbol("-") {
		help = "there is no ++ and no --: write i+1"
	}
	p.unexpected("an expression", help)
	return &Expr{Span: p.prev()}
}

// label reads a label: parts joined by dots and indices.
func (p *parser) label() *Label {
	p.enter()
	defer p.leave()
	return p.labelParts(true)
}

// labelParts reads the parts of a label. If sets is false, a brace does not
// continue it (the name of a local process).
func (p *parser) labelParts(sets bool) *Label {
	l := &Label{}
	start := p.tok().Span
	for {
		dot := len(l.Parts) > 0 && p.accept(".")
		if len(l.Parts) > 0 && !dot && !p.is("[") {
			break
		}
		part := p.labelPart(sets)
		part.Dot = dot
		l.Parts = append(l.Parts, part)
		if p.is("[") {
			continue
		}
		if !p.is(".") {
			break
		}
		if n := p.peek(1); !(n.Kind == Lower && !p.ltlAt(1) || n.symbol("[") || sets && (n.symbol("{") || n.Kind == Upper && !p.upperDefinitionAt(1))) {
			break // the full stop that ends a definition
		}
	}
	l.Span = p.since(start)
	return l
}

// ltlAt reports whether an ltl definition begins n tokens from here.
func (p *parser) ltlAt(n int) bool {
	return p.peek(n).Text == "ltl" && p.peek(n+1).Kind == Upper && p.peek(n+2).symbol("=")
}

func (p *parser) upperDefinitionAt(n int) bool { return p.headFollows(n + 1) }

func (p *parser) labelPart(sets bool) LabelPart {
	t := p.tok()
	part := LabelPart{Span: t.Span}
	switch {
	case t.Kind == Lower:
		p.advance()
		if t.Text == "tau" {
			p.fail(t.Span, "tau", "hide an action to make it silent: P = (a -> P)\\{a}", "tau is not an action that can be written")
		}
		part.Kind, part.Text = PartName, t.Text
	case t.Kind == Keyword && p.keywordAsAction(t):
		p.advance()
		part.Kind, part.Text = PartName, t.Text
	case t.symbol("["):
		part.Kind, part.Index = PartIndex, p.index()
	case sets && (t.symbol("{") || t.Kind == Upper):
		part.Kind, part.Set = PartSet, p.labelSet()
		if p.is("\\") && (p.peek(1).symbol("{") || p.peek(1).Kind == Upper) {
			p.advance()
			part.Minus = p.labelSet()
		}
	default:
		p.unexpected("an action label", labelHelp(t))
	}
	part.Span = p.since(part.Span)
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
	p.enter()
	defer p.leave()
	t := p.tok()
	s := &LabelSet{Span: t.Span}
	if t.Kind == Upper {
		p.advance()
		s.Name = t.Text
		return s
	}
	if !t.symbol("{") {
		p.unexpected("a set of labels", "a set is written {a, b, c}")
		s.Bad, s.Span = true, p.since(t.Span)
		return s
	}
	open := p.advance().Span
	for !p.is("}") {
		s.Labels = append(s.Labels, p.label())
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inSet)
	s.Bad, s.Span = p.stopped, p.since(open)
	return s
}

// index reads what stands in brackets.
func (p *parser) index() *Index {
	p.enter()
	defer p.leave()
	open := p.expect("[", "").Span
	i := &Index{}
	if p.tok().Kind == Lower && p.peek(1).symbol(":") {
		i.Variable = Name{p.tok().Text, p.tok().Span}
		p.advance()
		p.advance()
	}
	switch {
	case p.is("{"):
		i.Set = p.labelSet()
		if p.is("\\") {
			p.unexpected(`"]"`, "write a difference of sets as a set of its own: [{S\\{a}}]")
		}
	default:
		e := p.expr()
		if p.is("...") {
			p.threeDots()
		}
		if p.accept("..") {
			i.Lo, i.Hi = e, p.expr()
			break
		}
		i.Expr = e
		if i.Variable.Text != "" && e.Op != OpName {
			p.fail(e.Span, "syntax", "a variable ranges over LOW..HIGH, or a range or set, whose names begin with a capital letter", "%s:%s is no range", i.Variable.Text, p.file.Place(e.Span).Text())
		}
	}
	p.closeBracket("]", open, inIndex)
	i.Span = p.since(open)
	return i
}
