package ltl

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// nodeKind is the kind of a node of the syntax tree.
type nodeKind uint8

const (
	nOperator nodeKind = iota // op over args
	nLabel                    // a label: one atom, or a disjunction if it has ranges
	nCompare                  // label cmp expr
	nQuoted                   // "text"
	nEnabled                  // enabled(label)
	nDeadlock
	nTau
	nQuantifier // op And or Or, over indices
	nBounded    // a prefix operator other than ! with [lo..hi]
	nRigid      // rigid expr
	nSuffix     // {r}, {r}! (text), or {r} op f, of the expression r ; true if rop is Concat
	nRegexp     // rop over args
	nRepeat     // args[0] repeated as text says
)

// node is a formula as written, before names are resolved and quantifiers are
// expanded. It covers the bytes [start, end) of the source.
type node struct {
	kind       nodeKind
	op         Op
	rop        RegexpOp
	qualifier  AtomKind // Prop for S., Event for E., else Name
	start, end int
	args       []*node
	label      *label
	text       string       // of nQuoted, nSuffix and nRepeat
	cmp        string       // of nCompare: = != < <= > >=
	expr       *expr        // of nCompare, nRigid and the lo of nBounded and nRepeat
	hi         *expr        // of nBounded and nRepeat, nil if open or a single number
	open       bool         // of nBounded and nRepeat: [lo..]
	omitted    bool         // of nRepeat: [..hi]
	strong     bool         // of Next and nBounded: with ! in the brackets, as in X[!]
	indices    []*labelPart // of nQuantifier
	depth      int32
}

// parser is a recursive-descent parser with precedence climbing. After the
// first error tok stays tEOF, so that everything returns.
type parser struct {
	scanner
	src    *source.File
	opts   ParseOptions
	prefix bool // stop quietly where a formula can end
	tok    token
	last   int             // end of the token before tok
	depth  int             // open parentheses, braces and prefix operators
	heads  map[string]bool // first segments of the model's upper-case names
	errs   source.List
	failed bool
}

func newParser(span source.Span, opts ParseOptions, prefix bool) *parser {
	p := &parser{src: span.File, opts: opts, prefix: prefix}
	p.scanner = scanner{text: span.File.Text(), end: span.End, known: p.knownUpper}
	p.last = span.Start
	p.tok = p.formulaToken(span.Start)
	return p
}

// knownUpper reports whether an upper-case word is a name of the model, the
// first segment of one, a set, or a formula.
func (p *parser) knownUpper(word string) bool {
	if p.opts.Named != nil && p.opts.Named(word) != nil {
		return true
	}
	v := p.opts.Vocabulary
	if v == nil {
		return false
	}
	if p.heads == nil {
		p.heads = map[string]bool{}
		for _, name := range v.Names() {
			if head, _, _ := strings.Cut(name, "."); head != "" && isUpper(head[0]) {
				p.heads[head] = true
			}
		}
	}
	_, isSet := v.Set(word)
	return isSet || p.heads[word]
}

func (p *parser) lexeme() string { return p.text[p.tok.start:p.tok.end] }

// advance moves to the next token of the formula.
func (p *parser) advance() {
	if p.failed {
		return
	}
	p.last = p.tok.end
	p.tok = p.formulaToken(p.tok.end)
}

// advanceIndex moves to the next token of an index expression.
func (p *parser) advanceIndex() {
	if p.failed {
		return
	}
	p.last = p.tok.end
	p.tok = p.indexToken(p.tok.end)
}

// reread reads the current token again as part of a formula.
func (p *parser) reread() {
	if !p.failed {
		p.tok = p.formulaToken(p.last)
	}
}

// fail reports an error, the first one only, and stops the parser.
func (p *parser) fail(start, end int, code, format string, args ...any) *source.Diagnostic {
	if p.failed {
		return &source.Diagnostic{}
	}
	d := p.errs.Errorf(p.src.Span(start, end), code, format, args...)
	p.failed = true
	p.tok = token{tEOF, start, start}
	return d
}

// enter counts one more level of nesting; every call is paired with leave.
func (p *parser) enter(t token) bool {
	if p.depth++; p.depth > MaxDepth {
		p.fail(t.start, t.end, "too-deep", "the formula is nested more than %d deep", MaxDepth)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// operator makes a node and checks its depth.
func (p *parser) operator(op Op, start int, args ...*node) *node {
	n := &node{kind: nOperator, op: op, start: start, end: p.last, args: args}
	return p.deepen(n)
}

// deepen sets the depth of n from its args.
func (p *parser) deepen(n *node) *node {
	for _, a := range n.args {
		if a != nil {
			n.depth = max(n.depth, a.depth)
		}
	}
	if n.depth++; n.depth > MaxDepth {
		p.fail(n.start, n.start+1, "too-deep", "the formula is nested more than %d deep", MaxDepth)
	}
	return n
}

// formula parses everything: one formula and, unless only a prefix is wanted,
// the end of the text.
func (p *parser) formula() *node {
	if p.tok.kind == tEOF {
		p.fail(p.tok.start, p.tok.end, "empty-formula", "there is no formula").
			Help = "write a formula such as G(request -> F reply)"
		return nil
	}
	n := p.binary(0)
	if p.failed || p.tok.kind == tEOF || p.prefix {
		return n
	}
	p.unexpected()
	return n
}

// binaryOp is a binary operator: how tightly it binds, and whether a chain of it
// groups to the right, to the left, or is one n-ary node.
type binaryOp struct {
	op    Op
	level int
	group byte // 'r', 'l' or 'n'
}

var binaryOps = map[tokenKind]binaryOp{
	tImplies: {Implies, 1, 'r'}, tIff: {Iff, 1, 'r'},
	tOr: {Or, 2, 'n'}, tXor: {Xor, 3, 'l'}, tAnd: {And, 4, 'n'},
	tUntil: {Until, 5, 'r'}, tWeakUntil: {WeakUntil, 5, 'r'},
	tRelease: {Release, 5, 'r'}, tStrongRelease: {StrongRelease, 5, 'r'},
	tSince: {Since, 5, 'r'}, tTriggered: {Triggered, 5, 'r'},
}

// binary parses operators that bind at least as tightly as level.
func (p *parser) binary(level int) *node {
	start := p.tok.start
	left := p.unary()
	for {
		op, ok := binaryOps[p.tok.kind]
		if !ok || op.level < level || p.failed || p.prefix && p.definitionFollows() {
			return left
		}
		at := p.tok
		if !p.enter(at) {
			return left
		}
		switch op.group {
		case 'n':
			args := []*node{left}
			for binaryOps[p.tok.kind] == op && !(p.prefix && p.definitionFollows()) {
				at = p.tok
				p.advance()
				args = append(args, p.operand(at, op.level+1))
			}
			left = p.operator(op.op, start, args...)
		case 'l':
			p.advance()
			left = p.operator(op.op, start, left, p.operand(at, op.level+1))
		case 'r':
			p.advance()
			left = p.operator(op.op, start, left, p.operand(at, op.level))
		}
		p.leave()
	}
}

// operand parses the right operand of the operator at.
func (p *parser) operand(at token, level int) *node {
	if !p.startsOperand() {
		p.missingOperand(at)
		return nil
	}
	return p.binary(level)
}

// definitionFollows reports whether the current token starts a line with what
// must be an FSP definition: [||] NAME [(...)] = with an upper-case name.
func (p *parser) definitionFollows() bool {
	at := p.tok.start
	lineStart := strings.LastIndexByte(p.text[:at], '\n') + 1
	if strings.Trim(p.text[lineStart:at], " \t\r") != "" {
		return false
	}
	if strings.HasPrefix(p.text[at:p.end], "||") {
		at = p.skip(at+2, false)
	}
	if at >= p.end || !isUpper(p.text[at]) {
		return false
	}
	at = p.skip(p.wordEnd(at), false)
	rest := p.text[at:p.end]
	if strings.HasPrefix(rest, "(") {
		i := strings.IndexByte(rest, ')')
		if i < 0 {
			return false
		}
		rest = strings.TrimLeft(rest[i+1:], " \t\r\n")
	}
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>")
}

// prefixOps maps tokens to unary operators.
var prefixOps = map[tokenKind]Op{
	tNot: Not, tNext: Next, tEventually: Eventually, tAlways: Always,
	tYesterday: Yesterday, tWeakYesterday: WeakYesterday, tOnce: Once, tHistorically: Historically,
}

func (p *parser) startsOperand() bool {
	switch p.tok.kind {
	case tTrue, tFalse, tForall, tExists, tDeadlock, tEnabled, tRigid, tTau, tName, tUpper, tState, tEvent,
		tString, tNumber, tLParen, tLBrace, tBad, tBadString, tLBracket:
		return true
	}
	_, ok := prefixOps[p.tok.kind]
	return ok
}

// unary parses prefix operators and quantifiers, which all bind alike, and the
// operand behind them.
func (p *parser) unary() *node {
	at := p.tok
	if op, ok := prefixOps[at.kind]; ok {
		if !p.enter(at) {
			return nil
		}
		defer p.leave()
		p.advance()
		if op != Not && p.tok.kind == tLBracket {
			return p.bounded(op, at)
		}
		return p.operator(op, at.start, p.prefixed(at))
	}
	if at.kind == tForall || at.kind == tExists {
		return p.quantifier()
	}
	return p.primary()
}

// prefixed parses the operand of the prefix operator at.
func (p *parser) prefixed(at token) *node {
	if !p.startsOperand() {
		p.missingOperand(at)
		return nil
	}
	return p.unary()
}

// bounded parses what follows a prefix operator when it is a bracket: X[3] f, F[2..4] f.
func (p *parser) bounded(op Op, at token) *node {
	open := p.tok
	n := &node{kind: nBounded, op: op, start: at.start}
	p.advanceIndex()
	if op == Next && p.isBang() {
		// Spot's strong next: on infinite words the same as next.
		p.advanceIndex()
		p.closing(tRBracket, "]", open)
		n := p.operator(op, at.start, p.prefixed(at))
		n.strong = true
		return n
	}
	n.expr = p.expression(0)
	single := isStep(op)
	if single && (p.tok.kind == tDots || p.tok.kind == tColon) {
		some, all := "F", "G"
		if isPast(op) {
			some, all = "O", "H"
		}
		p.fail(p.tok.start, p.tok.end, "unexpected-range", "%s takes a single number", op).
			Help = fmt.Sprintf("write %s[3] f, or %s[2..4] f for one of several steps, or %s[2..4] f for all of them", op, some, all)
	}
	if !single {
		if p.tok.kind != tDots && p.tok.kind != tColon {
			p.fail(p.tok.start, p.tok.end, "expected-range", "expected \"..\" in the bounds of %s", p.text[at.start:at.end]).
				Help = fmt.Sprintf("write for example %s[2..4] f; %s[3] f takes a single number", op, step[op])
			return n
		}
		p.advanceIndex()
		if p.tok.kind == tRBracket || p.isBang() {
			n.open = true
		} else {
			n.hi = p.expression(0)
		}
	}
	if isFuture(op) && p.isBang() {
		n.strong = true
		p.advanceIndex()
	}
	p.closing(tRBracket, "]", open)
	n.args = []*node{p.prefixed(at)}
	n.end = p.last
	return p.deepen(n)
}

// isBang reports whether the token is the ! of X[!] and F[2..4!].
func (p *parser) isBang() bool { return p.tok.kind == tIndexOp && p.lexeme() == "!" }

// quantifier parses forall [i:0..2][j:R] f. The quantifier binds like !, as in
// LTSA.
func (p *parser) quantifier() *node {
	at := p.tok
	if !p.enter(at) {
		return nil
	}
	defer p.leave()
	n := &node{kind: nQuantifier, op: And, start: at.start}
	if at.kind == tExists {
		n.op = Or
	}
	p.advance()
	for p.tok.kind == tLBracket {
		part := p.index()
		if !p.failed && part.variable == "" {
			p.fail(part.start, part.end, "expected-variable", "%s needs a variable", p.text[at.start:at.end]).
				Help = "write for example forall [i:0..2] a[i]"
		}
		n.indices = append(n.indices, part)
	}
	if len(n.indices) == 0 {
		p.expected("\"[\" with a variable and its range", "write for example forall [i:0..2] a[i]")
		return n
	}
	n.args = []*node{p.prefixed(at)}
	n.end = p.last
	return p.deepen(n)
}

// primary parses atoms and parenthesised formulas.
func (p *parser) primary() *node {
	at := p.tok
	n := &node{start: at.start, depth: 1}
	switch at.kind {
	case tTrue, tFalse:
		n.op = True
		if at.kind == tFalse {
			n.op = False
		}
		p.advance()
	case tNumber:
		return p.number()
	case tLParen:
		return p.parenthesised()
	case tDeadlock:
		n.kind = nDeadlock
		p.advance()
	case tEnabled:
		return p.enabled()
	case tRigid:
		n.kind = nRigid
		p.advanceIndex()
		n.expr = p.expression(sumLevel)
		p.reread()
	case tTau:
		n.kind = nTau
		p.advance()
	case tString:
		return p.quotedAtom(Name)
	case tState, tEvent:
		return p.qualified()
	case tLBrace:
		return p.braced()
	case tName:
		return p.labelAtom(Name)
	default:
		p.unexpectedOperand()
	}
	n.end = p.last
	return n
}

func (p *parser) number() *node {
	n := &node{kind: nOperator, start: p.tok.start, end: p.tok.end, depth: 1}
	switch p.lexeme() {
	case "0":
		n.op = False
	case "1":
		n.op = True
	default:
		p.fail(p.tok.start, p.tok.end, "unexpected-number", "a number is no formula").
			Help = "only 0 (false) and 1 (true) are; names start with a letter"
	}
	p.advance()
	return n
}

func (p *parser) parenthesised() *node {
	open := p.tok
	if !p.enter(open) {
		return nil
	}
	p.advance()
	if !p.startsOperand() {
		p.missingOperand(open)
		return nil
	}
	n := p.binary(0)
	p.leave()
	p.closing(tRParen, ")", open)
	return n
}

// closing consumes a closing bracket, or says which opening one has none.
func (p *parser) closing(kind tokenKind, text string, open token) {
	if p.tok.kind == kind {
		p.advance()
		return
	}
	if p.failed {
		return
	}
	if p.tok.kind == tBad {
		p.badCharacter()
		return
	}
	help := ""
	switch kind {
	case tRParen:
		help = p.joinHelp()
	case tRBrace:
		help = "separate events by commas, the letters of a regular expression by ;"
	}
	d := p.fail(p.tok.start, p.tok.end, "unbalanced-parenthesis", "expected %q%s", text, p.found())
	d.Related = []source.Related{{Span: p.src.Span(open.start, open.end), Message: "to close this"}}
	d.Help = help
}

// enabled parses enabled(label).
func (p *parser) enabled() *node {
	n := &node{kind: nEnabled, start: p.tok.start, depth: 1}
	p.advance()
	open := p.tok
	if open.kind != tLParen {
		p.expected("\"(\"", "write enabled(a) for: action a is possible in this state")
		return n
	}
	p.advance()
	if p.tok.kind == tEvent {
		p.advance()
		p.advance()
	}
	if p.tok.kind == tTau {
		n.label = &label{start: p.tok.start, end: p.tok.end, parts: []*labelPart{{name: "tau", start: p.tok.start, end: p.tok.end}}}
		p.advance()
	} else if p.tok.kind == tString {
		quoted := p.quotedAtom(Event)
		n.label = &label{start: quoted.start, end: quoted.end, parts: []*labelPart{{name: quoted.text, start: quoted.start, end: quoted.end}}}
	} else {
		n.label = p.parseLabel()
	}
	p.closing(tRParen, ")", open)
	n.end = p.last
	return n
}

// qualified parses S.name and E.name.
func (p *parser) qualified() *node {
	kind, start := Prop, p.tok.start
	if p.tok.kind == tEvent {
		kind = Event
	}
	p.advance() // the dot
	var n *node
	if p.tok.end < p.end && p.text[p.tok.end] == '"' {
		p.advance()
		n = p.quotedAtom(kind)
	} else {
		p.last, p.tok = p.tok.end, p.indexToken(p.tok.end)
		n = p.labelAtom(kind)
	}
	n.start = start
	return n
}

func (p *parser) quotedAtom(kind AtomKind) *node {
	n := &node{kind: nQuoted, qualifier: kind, start: p.tok.start, end: p.tok.end, depth: 1}
	if p.tok.kind != tString {
		p.unexpectedOperand()
		return n
	}
	text, ok := unquote(p.lexeme())
	if !ok {
		p.fail(p.tok.start, p.tok.end, "bad-escape", "unknown escape in a quoted name").
			Help = `the escapes are \" \\ and \n`
	}
	if ok && text == "" {
		p.fail(p.tok.start, p.tok.end, "empty-name", "the quoted name is empty")
	}
	n.text = text
	p.advance()
	return n
}

// comparisons maps tokens to the spelling in the names of comparison atoms.
var comparisons = map[tokenKind]string{tEq: "=", tNe: "!=", tLt: "<", tLe: "<=", tGt: ">", tGe: ">="}

// labelAtom parses a label, a set of labels, or a comparison m = 2.
func (p *parser) labelAtom(kind AtomKind) *node {
	n := &node{kind: nLabel, qualifier: kind, start: p.tok.start, depth: 1}
	word := p.lexeme()
	n.label = p.parseLabel()
	n.end = p.last
	if p.failed {
		return n
	}
	if (word == "fluent" || word == "assert" || word == "ltl") && isUpper(firstByte(p.lexeme())) && p.namesDefinition() {
		p.definitionHelp(word, n)
		return n
	}
	cmp, ok := comparisons[p.tok.kind]
	if !ok {
		return n
	}
	n.kind, n.cmp = nCompare, cmp
	at := p.tok
	p.advanceIndex()
	if k := p.tok.kind; k != tNumber && k != tName && k != tUpper && k != tLParen && k != tIndexOp {
		p.fail(at.start, at.end, "expected-number", "expected a number behind %q%s", p.text[at.start:at.end], p.found()).
			Help = "comparisons are between an indexed proposition and a number, as in m = 2; write <-> for equivalence, -> for implication"
		return n
	}
	n.expr = p.expression(sumLevel)
	p.reread()
	n.end = p.last
	return n
}

// namesDefinition reports whether the current word is followed by "=".
func (p *parser) namesDefinition() bool {
	return strings.HasPrefix(p.text[p.skip(p.wordEnd(p.tok.start), false):p.end], "=")
}

func (p *parser) definitionHelp(word string, n *node) {
	d := p.fail(n.start, n.end, "unexpected-definition", "a definition (%q) is no formula", word)
	if word == "fluent" {
		d.Help = "declare fluents in the model file; in a formula use their names"
		return
	}
	d.Help = fmt.Sprintf("write the formula alone, without %q and its name", word+" NAME =")
}
