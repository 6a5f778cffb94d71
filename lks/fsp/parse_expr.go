package fsp

// binaryLevels lists the binary operators from the loosest to the tightest.
var binaryLevels = [][]struct {
	text string
	op   exprOp
}{
	{{"||", opOr}},
	{{"&&", opAnd}},
	{{"|", opBitOr}},
	{{"^", opBitXor}},
	{{"&", opBitAnd}},
	{{"==", opEq}, {"!=", opNe}},
	{{"<", opLt}, {"<=", opLe}, {">", opGt}, {">=", opGe}},
	{{"<<", opShl}, {">>", opShr}},
	{{"+", opAdd}, {"-", opSub}},
	{{"*", opMul}, {"/", opDiv}, {"%", opMod}},
}

// additive is the level where simpleExpr stops.
const additive = 8

func (p *parser) expr() *expr {
	e := p.binary(0)
	p.checkExprEnd()
	return e
}

// simpleExpr reads an expression of +, - and tighter operators only: what FSP
// allows where a looser operator could also belong to the definition itself.
func (p *parser) simpleExpr() *expr { return p.binary(additive) }

func (p *parser) binary(level int) *expr {
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
				left = &expr{op: o.op, left: left, right: right, pos: left.pos.to(right.pos)}
				continue next
			}
		}
		return left
	}
}

func (p *parser) unary() *expr {
	p.enter()
	defer p.leave()
	t := p.tok()
	start := t.pos()
	if t.kind == tSymbol {
		switch t.text {
		case "+", "-", "!":
			p.advance()
			e := &expr{op: map[string]exprOp{"+": opPlus, "-": opNeg, "!": opNot}[t.text], left: p.unary()}
			e.pos = start.to(p.prev())
			return e
		case "(":
			p.advance()
			e := p.expr()
			p.closeBracket(")", start, inExpr)
			e.parens = true
			e.pos = start.to(p.prev())
			return e
		case "'":
			p.advance()
			e := &expr{op: opLabel, label: p.label()}
			e.pos = start.to(p.prev())
			return e
		case "#":
			p.advance()
			e := &expr{op: opCount, label: p.label()}
			e.pos = start.to(p.prev())
			return e
		case "@":
			p.advance()
			p.expect("(", "an element of a set is written @(set, number)")
			e := &expr{op: opSelect, label: p.label()}
			p.expect(",", "an element of a set is written @(set, number)")
			e.left = p.expr()
			p.expect(")", "")
			e.pos = start.to(p.prev())
			return e
		}
	}
	switch t.kind {
	case tNumber:
		p.advance()
		return &expr{op: opNumber, value: t.value, text: t.text, pos: start}
	case tLower:
		p.advance()
		if t.text == "not" && (p.is("(") || p.tok().kind == tLower || p.tok().kind == tUpper) {
			p.fail(start, "syntax", "not is written !", "there is no operator %q in expressions", t.text)
		}
		return &expr{op: opVariable, text: t.text, pos: start}
	case tUpper:
		p.advance()
		return &expr{op: opName, text: t.text, pos: start}
	}
	help := ""
	if p.at > 1 && p.tokens[p.at-1].symbol("+") && p.tokens[p.at-2].symbol("+") || p.at > 1 && p.tokens[p.at-1].symbol("-") && p.tokens[p.at-2].symbol("-") {
		help = "there is no ++ and no --: write i+1"
	}
	p.unexpected("an expression", help)
	return nil
}

// label reads a label: parts joined by dots and indices.
func (p *parser) label() *label {
	p.enter()
	defer p.leave()
	return p.labelParts(true)
}

// labelParts reads the parts of a label. If sets is false, a brace does not
// continue it (the name of a local process).
func (p *parser) labelParts(sets bool) *label {
	l := &label{}
	start := p.tok().pos()
	for {
		dot := len(l.parts) > 0 && p.accept(".")
		if len(l.parts) > 0 && !dot && !p.is("[") {
			break
		}
		part := p.labelPart(sets)
		part.dot = dot
		l.parts = append(l.parts, part)
		if p.is("[") {
			continue
		}
		if !p.is(".") {
			break
		}
		if n := p.peek(1); !(n.kind == tLower && !p.ltlAt(1) || n.symbol("[") || sets && (n.symbol("{") || n.kind == tUpper && !p.upperDefinitionAt(1))) {
			break // the full stop that ends a definition
		}
	}
	l.pos = start.to(p.prev())
	return l
}

// ltlAt reports whether an ltl definition begins n tokens from here.
func (p *parser) ltlAt(n int) bool {
	return p.peek(n).text == "ltl" && p.peek(n+1).kind == tUpper && p.peek(n+2).symbol("=")
}

func (p *parser) upperDefinitionAt(n int) bool { return p.headFollows(n + 1) }

func (p *parser) labelPart(sets bool) labelPart {
	t := p.tok()
	part := labelPart{pos: t.pos()}
	switch {
	case t.kind == tLower:
		p.advance()
		if t.text == "tau" {
			p.fail(t.pos(), "tau", "hide an action to make it silent: P = (a -> P)\\{a}", "tau is not an action that can be written")
		}
		part.kind, part.text = partName, t.text
	case t.kind == tKeyword && p.keywordAsAction(t):
		p.advance()
		part.kind, part.text = partName, t.text
	case t.symbol("["):
		part.kind, part.index = partIndex, p.index()
	case sets && (t.symbol("{") || t.kind == tUpper):
		part.kind, part.set = partSet, p.labelSet()
		if p.is("\\") && (p.peek(1).symbol("{") || p.peek(1).kind == tUpper) {
			p.advance()
			part.minus = p.labelSet()
		}
	default:
		p.unexpected("an action label", labelHelp(t))
	}
	part.pos = part.pos.to(p.prev())
	return part
}

func labelHelp(t *token) string {
	switch t.kind {
	case tUpper:
		return "action labels begin with a small letter"
	case tNumber:
		return "names begin with a letter; a number in a label stands in brackets: a[1]"
	case tKeyword:
		return "this word is reserved; choose another action name"
	}
	return ""
}

// labelSet reads {a, b} or the name of a set.
func (p *parser) labelSet() *labelSet {
	p.enter()
	defer p.leave()
	t := p.tok()
	s := &labelSet{pos: t.pos()}
	if t.kind == tUpper {
		p.advance()
		s.text = t.text
		return s
	}
	if !t.symbol("{") {
		p.unexpected("a set of labels", "a set is written {a, b, c}")
	}
	open := p.advance().pos()
	for !p.is("}") {
		s.labels = append(s.labels, p.label())
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inSet)
	s.pos = open.to(p.prev())
	return s
}

// index reads what stands in brackets.
func (p *parser) index() *index {
	p.enter()
	defer p.leave()
	open := p.expect("[", "").pos()
	i := &index{}
	if p.tok().kind == tLower && p.peek(1).symbol(":") {
		i.variable, i.varPos = p.tok().text, p.tok().pos()
		p.advance()
		p.advance()
	}
	switch {
	case p.is("{"):
		i.set = p.labelSet()
		if p.is("\\") {
			p.unexpected(`"]"`, "write a difference of sets as a set of its own: [{S\\{a}}]")
		}
	default:
		e := p.expr()
		if p.is("...") {
			p.threeDots()
		}
		if p.accept("..") {
			i.lo, i.hi = e, p.expr()
			break
		}
		i.expr = e
		if i.variable != "" && e.op != opName {
			p.fail(e.pos, "syntax", "a variable ranges over LOW..HIGH, or a range or set, whose names begin with a capital letter", "%s:%s is no range", i.variable, p.file.span(e.pos).Text())
		}
	}
	p.closeBracket("]", open, inIndex)
	i.pos = open.to(p.prev())
	return i
}
