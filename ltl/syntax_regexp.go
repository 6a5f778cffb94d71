package ltl

import (
	"fmt"
	"strings"
)

// This file parses regular expressions and the operators that have them.

// suffixOps maps tokens to operators; those with "=" begin a letter later.
var suffixOps = map[tokenKind]struct {
	op    Op
	later bool
}{
	tSuffixImplies: {SuffixImplies, false}, tSuffixImpliesNext: {SuffixImplies, true},
	tSuffixAnd: {SuffixAnd, false}, tSuffixAndNext: {SuffixAnd, true},
}

// braced parses what begins with a brace: a set of events, or a regular expression and what
// follows it.
func (p *parser) braced() *node {
	start := p.tok.start
	var r *node
	if p.opensSet(false) {
		r = p.labelAtom(Name)
		if _, ok := suffixOps[p.tok.kind]; !ok || p.failed {
			return r
		}
	} else if r = p.group(); p.failed {
		return r
	}
	n := &node{kind: nSuffix, op: SuffixAnd, text: "{}", start: start, args: []*node{r}}
	at := p.tok
	s, ok := suffixOps[at.kind]
	switch {
	case ok:
		n.op, n.text = s.op, p.lexeme()
		if s.later {
			n.rop = Concat // r ; true
		}
		if !p.enter(at) {
			return n
		}
		p.advance()
		n.args = append(n.args, p.operand(at, 0))
		p.leave()
	case at.kind == tNot:
		n.text = "!"
		p.advance()
	}
	n.end = p.last
	return p.deepen(n)
}

// group parses a regular expression in braces or parentheses.
func (p *parser) group() *node {
	open := p.tok
	kind, text := tRBrace, "}"
	if open.kind == tLParen {
		kind, text = tRParen, ")"
	}
	if !p.enter(open) {
		return nil
	}
	defer p.leave()
	p.advance()
	if p.tok.kind == kind {
		p.fail(open.start, p.tok.end, "expected-operand", "there is no regular expression between the braces").
			Help = "the empty word is [*0]"
		return nil
	}
	n := p.sequence()
	p.closing(kind, text, open)
	return n
}

// opensSet reports whether the brace at the current token begins a set of events: it has a
// comma, or no more than a label. Within a regular expression braces group, and only a comma
// makes a set. {a}[]-> f and {a}! have a regular expression.
func (p *parser) opensSet(within bool) bool {
	begin := p.tok.end
	depth, plain := 0, true
	i := begin
	for ; i < p.end; i++ {
		if i = p.skip(i, true); i >= p.end {
			break
		}
		c := p.text[i]
		switch {
		case c == '"':
			i = p.quoted(i).end - 1
			plain = plain && depth > 0
		case c == '}' && depth == 0:
			return plain && !within && p.isSet(strings.TrimSpace(p.text[begin:i]), i+1)
		case c == '(' || c == '[' || c == '{':
			if depth++; depth > MaxDepth {
				return false // that is refused in any case, and each brace looks ahead
			}
			if c == '[' && p.formulaToken(i).kind != tLBracket || c != '[' {
				plain = false
			}
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth > 0:
		case c == ',':
			return true
		case c == ';':
			return false
		case !isUpper(c) && !isLower(c) && !isDigit(c) && c != '.':
			plain = false
		}
	}
	return plain && !within
}

// isSet reports whether a label between braces is a set of one event, by what stands behind
// the closing brace.
func (p *parser) isSet(label string, end int) bool {
	switch words[label] {
	case tTrue, tFalse, tTau, tDeadlock:
		return false
	}
	t := p.formulaToken(end)
	_, suffix := suffixOps[t.kind]
	return !suffix && t.kind != tNot && (label == "" || !isDigit(label[0]))
}

// sequence parses r ; s ; ...
func (p *parser) sequence() *node { return p.chain(tSemicolon, Concat, p.fusion) }

// fusion parses r : s : ...
func (p *parser) fusion() *node {
	return p.chain(tColon, Fusion, func() *node { return p.choice(0) })
}

// chain parses operands with a separator between them.
func (p *parser) chain(separator tokenKind, op RegexpOp, operand func() *node) *node {
	start := p.tok.start
	n := operand()
	if p.tok.kind != separator || p.failed {
		return n
	}
	args := []*node{n}
	for p.tok.kind == separator && !p.failed {
		at := p.tok
		p.advance()
		if !p.startsRegexp() {
			p.missingRegexp(at)
			return n
		}
		args = append(args, operand())
	}
	return p.regexpNode(op, start, args...)
}

func (p *parser) regexpNode(op RegexpOp, start int, args ...*node) *node {
	return p.deepen(&node{kind: nRegexp, rop: op, start: start, end: p.last, args: args})
}

// choice parses the operators that formulas have, too: &, && and | between regular
// expressions, all of them between letters.
func (p *parser) choice(level int) *node {
	start := p.tok.start
	left := p.repeated()
	for !p.failed {
		at := p.tok
		op, ok := binaryOps[at.kind]
		if !ok || op.level < level {
			return left
		}
		if op.op >= Until {
			p.temporal(at)
			return left
		}
		text := p.lexeme()
		p.advance()
		if !p.startsRegexp() {
			p.missingRegexp(at)
			return left
		}
		least := op.level + 1
		if op.group == 'r' {
			least = op.level
		}
		if !p.enter(at) {
			return left
		}
		right := p.choice(least)
		p.leave()
		if p.failed {
			return left
		}
		left = p.choose(op.op, text, at, start, left, right)
	}
	return left
}

// choose makes the node of an operator of formulas within a regular expression.
func (p *parser) choose(op Op, text string, at token, start int, left, right *node) *node {
	if left.kind != nRegexp && left.kind != nRepeat && right.kind != nRegexp && right.kind != nRepeat {
		return p.operator(op, start, left, right)
	}
	var rop RegexpOp
	switch {
	case op == Or:
		rop = Union
	case op == And && text == "&":
		rop = AnyLength
	case op == And:
		rop = SameLength
	default:
		p.fail(at.start, at.end, "not-boolean", "%q stands between letters, not between regular expressions", text).
			Help = "letters are Boolean formulas; regular expressions are joined by ; : | & and &&"
		return left
	}
	return p.regexpNode(rop, start, left, right)
}

func (p *parser) startsRegexp() bool {
	return p.startsOperand() || p.tok.kind == tRepeat
}

func (p *parser) missingRegexp(at token) {
	p.fail(at.start, at.end, "expected-operand", "expected a regular expression behind %q%s", p.text[at.start:at.end], p.found())
}

// temporal reports a temporal operator in a regular expression.
func (p *parser) temporal(at token) {
	p.fail(at.start, at.end, "not-boolean", "the temporal operator %q cannot stand in a regular expression", p.text[at.start:at.end]).
		Help = "letters are Boolean formulas; what is to hold at the end of a match stands behind it: {a; b}[]-> F c"
}

// repeated parses a letter, [*] or a group, and repetitions behind it.
func (p *parser) repeated() *node {
	start := p.tok.start
	var n *node
	if p.tok.kind == tRepeat {
		if text := p.lexeme(); text != "[*" && text != "[+]" {
			p.fail(p.tok.start, p.tok.end, "expected-operand", "expected a regular expression before %q", text).
				Help = "[*] and [+] alone repeat any letter"
			return nil
		}
		n = &node{kind: nOperator, op: True, start: start, end: start, depth: 1}
		n = p.repeat(n)
	} else {
		n = p.letter()
	}
	for p.tok.kind == tRepeat && !p.failed {
		n = p.repeat(n)
	}
	return n
}

// repeat parses [*i..j] and its like behind what is repeated.
func (p *parser) repeat(what *node) *node {
	open := p.tok
	n := &node{kind: nRepeat, text: strings.Trim(p.lexeme(), "[]"), start: what.start, args: []*node{what}}
	if strings.HasSuffix(p.lexeme(), "]") { // [+] and [:+]
		p.advance()
		n.end = p.last
		return p.deepen(n)
	}
	p.advanceIndex()
	if p.tok.kind != tRBracket {
		p.bounds(n)
	}
	p.closing(tRBracket, "]", open)
	n.end = p.last
	return p.deepen(n)
}

// bounds parses i, i..j, i.. and ..j; ":" and "," may stand for "..", and "inf" and "$" for no
// upper bound, as in PSL and SVA.
func (p *parser) bounds(n *node) {
	zero := &expr{start: p.tok.start, end: p.tok.start}
	if p.tok.kind == tDots {
		n.expr = zero
		n.omitted = true
	} else {
		n.expr = p.expression(0)
	}
	switch p.tok.kind {
	case tDots, tColon, tComma:
		p.advanceIndex()
	default:
		return
	}
	switch {
	case p.tok.kind == tRBracket:
		n.open = true
	case p.lexeme() == "inf" || p.lexeme() == "$":
		n.open = true
		p.advanceIndex()
	default:
		n.hi = p.expression(0)
	}
}

// letter parses an atom, a negated letter, first_match(r) or a group.
func (p *parser) letter() *node {
	at := p.tok
	switch at.kind {
	case tNot:
		if !p.enter(at) {
			return nil
		}
		defer p.leave()
		p.advance()
		if !p.startsRegexp() {
			p.missingRegexp(at)
			return nil
		}
		n := p.letter()
		if !p.failed && (n.kind == nRegexp || n.kind == nRepeat) {
			p.fail(at.start, n.end, "not-boolean", "only letters can be negated in a regular expression").
				Help = "the negation of a whole expression stands before its braces: !{a; b}"
			return nil
		}
		return p.operator(Not, at.start, n)
	case tNext, tEventually, tAlways:
		p.temporal(at)
		return nil
	case tForall, tExists:
		return p.quantifier()
	case tLBrace:
		if !p.opensSet(true) {
			return p.group()
		}
	case tLParen:
		return p.group()
	case tName:
		if open := p.formulaToken(at.end); p.lexeme() == "first_match" && open.kind == tLParen {
			p.advance()
			return p.regexpNode(FirstMatch, at.start, p.group())
		}
	}
	if !p.startsRegexp() {
		p.expected("a regular expression", "such as {a; b[*]; c}")
		return nil
	}
	return p.primary()
}

// outsideHelp says where ; and []-> belong.
func (p *parser) outsideHelp() string {
	switch p.tok.kind {
	case tSemicolon:
		if p.formulaToken(p.tok.end).kind == tEOF {
			return "a formula ends without punctuation"
		}
		return "a sequence stands in braces: {a; b; c}"
	case tRepeat:
		return "repetitions stand within a regular expression in braces: {a[*2]; b}"
	case tSuffixImplies, tSuffixImpliesNext, tSuffixAnd, tSuffixAndNext:
		text := p.lexeme()
		return fmt.Sprintf("on the left of %s stands a regular expression in braces: {a; b}%s c", text, text)
	}
	return ""
}
