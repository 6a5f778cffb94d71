package syntax

import "strings"

// The grammar of assertions (docs/language.md), which differs from SE-LTL's: "||" is
// the loosest operator, and U W -> <-> do not chain.

// assertOr reads bin {'||' bin}.
func (p *parser) assertOr() *Assertion {
	left := p.assertBinary()
	chain := 0
	defer func() { p.Depth -= chain }()
	for p.Is("||") && !p.definitionStarts() {
		p.Enter() // a long chain is a deep tree, too
		chain++
		p.Advance()
		left = p.assertJoin(AssertOr, left, p.assertBinary())
	}
	return left
}

func (p *parser) assertJoin(op AssertOp, left, right *Assertion) *Assertion {
	return &Assertion{Op: op, Left: left, Right: right, Span: left.Span.To(right.Span)}
}

// binaryAssertOp returns the operator at the current token among U W -> <->.
func (p *parser) binaryAssertOp() (AssertOp, bool) {
	switch t := p.Tok(); {
	case t.Is("->"):
		return AssertImplies, true
	case t.Is("<->"):
		return AssertIff, true
	case t.Kind == Upper && t.Text == "U":
		return AssertUntil, true
	case t.Kind == Upper && t.Text == "W":
		return AssertWeakUntil, true
	}
	return 0, false
}

func (p *parser) assertBinary() *Assertion {
	left := p.assertAnd()
	op, ok := p.binaryAssertOp()
	if t := p.Tok(); t.Is("=>") {
		p.Fail(t.Span, "syntax", "implication is written ->", "there is no operator %q in assertions", t.Text)
	}
	if !ok {
		return left
	}
	p.Advance()
	left = p.assertJoin(op, left, p.assertAnd())
	if _, again := p.binaryAssertOp(); again {
		p.Fail(p.Tok().Span, "syntax", "put one of the two in parentheses", "U, W, -> and <-> do not chain")
	}
	return left
}

func (p *parser) assertAnd() *Assertion {
	left := p.assertUnary()
	chain := 0
	defer func() { p.Depth -= chain }()
	for p.Is("&&") {
		p.Enter()
		chain++
		p.Advance()
		left = p.assertJoin(AssertAnd, left, p.assertUnary())
	}
	return left
}

func (p *parser) assertUnary() *Assertion {
	p.Enter()
	defer p.Leave()
	t := p.Tok()
	start := t.Span
	prefix := func(op AssertOp) *Assertion {
		p.Advance()
		return &Assertion{Op: op, Left: p.assertUnary()}
	}
	var a *Assertion
	switch {
	case t.Is("!"):
		a = prefix(AssertNot)
	case t.Is("[]"):
		a = prefix(AssertAlways)
	case t.Is("<>"):
		a = prefix(AssertEventually)
	case t.Kind == Upper && t.Text == "X":
		a = prefix(AssertNext)
	case t.Is("("):
		p.Advance()
		a = p.assertOr()
		p.closeBracket(")", start, elsewhere)
		a.Parens = true
	case p.Is("forall"), p.Is("exists"):
		op := AssertForall
		if t.Text == "exists" {
			op = AssertExists
		}
		p.Advance()
		a = &Assertion{Op: op, Ranges: p.ranges()}
		a.Left = p.assertUnary()
	case p.Is("rigid"):
		p.Advance()
		a = &Assertion{Op: AssertRigid, Expr: p.simpleExpr()}
	case t.Kind == Upper && !p.setLabelFollows():
		p.operatorLetters()
		a = p.assertNamed()
	case t.Kind == Upper, t.Kind == Lower, t.Is("{"), t.Is("["):
		a = &Assertion{Op: AssertAction, Label: p.label()}
	default:
		help := ""
		if t.Is("&") || t.Is("|") || t.Is("~") {
			help = "assertions use ! && || -> <-> [] <> X U W; write ltl NAME = ... for SE-LTL"
		}
		p.Unexpected("a formula", help)
		a = &Assertion{}
	}
	a.Span = p.Since(start)
	return a
}

// HelpLTSA is the help where an assertion looks like SE-LTL.
const HelpLTSA = "an assert has LTSA's syntax: []<>a for G F a; or declare it in SE-LTL: ltl NAME = G F a"

// operatorLetters reports the G and F of SE-LTL: upper-case letters that nothing
// is named by, with a formula behind them.
func (p *parser) operatorLetters() {
	t, n := p.Tok(), p.Peek(1)
	if strings.Trim(t.Text, "GFX") != "" || n.Newlines > 0 || p.defines(t.Text) {
		return
	}
	binary := n.Kind == Upper && (n.Text == "U" || n.Text == "W")
	if (n.Kind == Lower || n.Kind == Upper) && !binary || n.Is("(") || n.Is("!") || n.Is("[]") || n.Is("<>") || n.Is("{") {
		p.Fail(t.Span, "syntax", HelpLTSA, "expected a formula, got %q, which no fluent or assertion is called", t.Text)
	}
}

// defines reports whether the file has a fluent, assert or set of a name.
func (p *parser) defines(name string) bool {
	for i := 1; i < len(p.Tokens); i++ {
		before := &p.Tokens[i-1]
		if t := &p.Tokens[i]; t.Kind == Upper && t.Text == name && before.Kind == Keyword && definitionKeywords[before.Text] {
			return true
		}
	}
	return false
}

// setLabelFollows reports whether an upper-case name begins a label that goes on
// with a dot (S.a): then it is a set of actions. A lone name may still be one;
// that is decided when the names are known.
func (p *parser) setLabelFollows() bool {
	n := p.Peek(1)
	return n.Is(".") && (p.Peek(2).Kind == Lower || p.Peek(2).Is("{") || p.Peek(2).Is("["))
}

// assertNamed reads the name of a fluent, an assert or a set, with indices or
// arguments.
func (p *parser) assertNamed() *Assertion {
	t := p.Advance()
	a := &Assertion{Op: AssertName, Name: Name{Text: t.Text, Span: t.Span}}
	switch {
	case p.Is("["):
		for p.Is("[") {
			a.Ranges = append(a.Ranges, p.index())
		}
	case p.Is("("):
		a.Args = p.args()
	}
	return a
}
