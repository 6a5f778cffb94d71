package fsp

import "strings"

// The grammar of assertions (FSP.md, LTL), which differs from SE-LTL's: "||" is
// the loosest operator, and U W -> <-> do not chain.

// assertOr reads bin {'||' bin}.
func (p *parser) assertOr() *assertion {
	left := p.assertBinary()
	chain := 0
	defer func() { p.depth -= chain }()
	for p.is("||") && !p.definitionStarts() {
		p.enter() // a long chain is a deep tree, too
		chain++
		p.advance()
		left = p.assertJoin(assertOr, left, p.assertBinary())
	}
	return left
}

func (p *parser) assertJoin(op assertOp, left, right *assertion) *assertion {
	return &assertion{op: op, left: left, right: right, pos: left.pos.to(right.pos)}
}

// binaryAssertOp returns the operator at the current token among U W -> <->.
func (p *parser) binaryAssertOp() (assertOp, bool) {
	switch t := p.tok(); {
	case t.symbol("->"):
		return assertImplies, true
	case t.symbol("<->"):
		return assertIff, true
	case t.kind == tUpper && t.text == "U":
		return assertUntil, true
	case t.kind == tUpper && t.text == "W":
		return assertWeakUntil, true
	}
	return 0, false
}

func (p *parser) assertBinary() *assertion {
	left := p.assertAnd()
	op, ok := p.binaryAssertOp()
	if t := p.tok(); t.symbol("=>") {
		p.fail(t.pos(), "syntax", "implication is written ->", "there is no operator %q in assertions", t.text)
	}
	if !ok {
		return left
	}
	p.advance()
	left = p.assertJoin(op, left, p.assertAnd())
	if _, again := p.binaryAssertOp(); again {
		p.fail(p.tok().pos(), "syntax", "put one of the two in parentheses", "U, W, -> and <-> do not chain")
	}
	return left
}

func (p *parser) assertAnd() *assertion {
	left := p.assertUnary()
	chain := 0
	defer func() { p.depth -= chain }()
	for p.is("&&") {
		p.enter()
		chain++
		p.advance()
		left = p.assertJoin(assertAnd, left, p.assertUnary())
	}
	return left
}

func (p *parser) assertUnary() *assertion {
	p.enter()
	defer p.leave()
	t := p.tok()
	start := t.pos()
	prefix := func(op assertOp) *assertion {
		p.advance()
		return &assertion{op: op, left: p.assertUnary()}
	}
	var a *assertion
	switch {
	case t.symbol("!"):
		a = prefix(assertNot)
	case t.symbol("[]"):
		a = prefix(assertAlways)
	case t.symbol("<>"):
		a = prefix(assertEventually)
	case t.kind == tUpper && t.text == "X":
		a = prefix(assertNext)
	case t.symbol("("):
		p.advance()
		a = p.assertOr()
		p.closeBracket(")", start, elsewhere)
		a.parens = true
	case p.is("forall"), p.is("exists"):
		op := assertForall
		if t.text == "exists" {
			op = assertExists
		}
		p.advance()
		a = &assertion{op: op, ranges: p.ranges()}
		a.left = p.assertUnary()
	case p.is("rigid"):
		p.advance()
		a = &assertion{op: assertRigid, expr: p.simpleExpr()}
	case t.kind == tUpper && !p.setLabelFollows():
		p.operatorLetters()
		a = p.assertNamed()
	case t.kind == tUpper, t.kind == tLower, t.symbol("{"), t.symbol("["):
		a = &assertion{op: assertAction, label: p.label()}
	default:
		help := ""
		if t.symbol("&") || t.symbol("|") || t.symbol("~") {
			help = "assertions use ! && || -> <-> [] <> X U W; write ltl NAME = ... for SE-LTL"
		}
		p.unexpected("a formula", help)
	}
	a.pos = start.to(p.prev())
	return a
}

// operatorLetters reports the G and F of SE-LTL: upper-case letters that nothing
// is named by, with a formula behind them.
func (p *parser) operatorLetters() {
	t, n := p.tok(), p.peek(1)
	if strings.Trim(t.text, "GFX") != "" || n.newlines > 0 || p.defines(t.text) {
		return
	}
	binary := n.kind == tUpper && (n.text == "U" || n.text == "W")
	if (n.kind == tLower || n.kind == tUpper) && !binary || n.symbol("(") || n.symbol("!") || n.symbol("[]") || n.symbol("<>") || n.symbol("{") {
		p.fail(t.pos(), "syntax", ltsaSyntax, "expected a formula, got %q, which no fluent or assertion is called", t.text)
	}
}

// defines reports whether the file has a fluent, assert or set of a name.
func (p *parser) defines(name string) bool {
	for i := 1; i < len(p.tokens); i++ {
		before := &p.tokens[i-1]
		if t := &p.tokens[i]; t.kind == tUpper && t.text == name && before.kind == tKeyword && definitionKeywords[before.text] {
			return true
		}
	}
	return false
}

// setLabelFollows reports whether an upper-case name begins a label that goes on
// with a dot (S.a): then it is a set of actions. A lone name may still be one;
// that is decided when the names are known.
func (p *parser) setLabelFollows() bool {
	n := p.peek(1)
	return n.symbol(".") && (p.peek(2).kind == tLower || p.peek(2).symbol("{") || p.peek(2).symbol("["))
}

// assertNamed reads the name of a fluent, an assert or a set, with indices or
// arguments.
func (p *parser) assertNamed() *assertion {
	t := p.advance()
	a := &assertion{op: assertName, name: name{t.text, t.pos()}}
	switch {
	case p.is("["):
		for p.is("[") {
			a.ranges = append(a.ranges, p.index())
		}
	case p.is("("):
		a.args = p.args()
	}
	return a
}
