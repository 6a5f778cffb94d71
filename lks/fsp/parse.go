package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Bounds of the parser. A nesting of 500 is far beyond what a person writes and
// keeps every recursion over the syntax tree shallow.
const (
	maxNesting     = 500
	maxParseErrors = 20
	// maxStateLabels bounds, in tokens, how far the parser looks for the end of a
	// set of state labels to tell a definition from something else.
	maxStateLabels = 2000
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// ParseText is Parse of a text; name is what messages call it, such as the file's name.
func ParseText(name, text string) (*File, error) { return Parse(source.NewFile(name, text)) }

// Parse reads a model file. The error is a source.List with everything that was
// found wrong; the file is returned along with it, holding the definitions that
// could be read, and is nil only if there is none.
func Parse(src *source.File) (*File, error) {
	tokens, comments, errs := lex(src)
	p := &parser{file: &File{src: src, tokens: tokens, comments: comments}, tokens: tokens, errs: errs, keyword: map[string]bool{}}
	if slices.ContainsFunc(errs, func(d source.Diagnostic) bool { return d.Code == "bad-encoding" }) {
		return p.file, errs.Err() // the text ends there: what is missing behind it is no mistake
	}
	p.parseFile()
	p.file.notes = source.List{}
	for _, d := range p.errs {
		if d.Severity == source.Warning {
			p.file.notes = append(p.file.notes, d)
		}
	}
	return p.file, p.errs.Err()
}

// bail unwinds the parser to the definition it is in; it never leaves Parse.
type bail struct{}

type parser struct {
	file   *File
	tokens []token
	at     int
	depth  int
	errs   source.List
	quiet  bool // looking ahead: errors only bail out
	// keyword has the keywords that were reported as names of actions.
	keyword map[string]bool
}

func (p *parser) tok() *token { return &p.tokens[p.at] }

func (p *parser) peek(n int) *token {
	return &p.tokens[min(p.at+n, len(p.tokens)-1)]
}

func (p *parser) advance() *token {
	t := &p.tokens[p.at]
	if t.kind != tEOF {
		p.at++
	}
	return t
}

func (t *token) pos() pos { return pos{t.start, t.end} }

// prev returns the position of the token before the current one.
func (p *parser) prev() pos {
	if p.at == 0 {
		return pos{}
	}
	return p.tokens[p.at-1].pos()
}

func (p *parser) is(symbol string) bool {
	t := p.tok()
	return (t.kind == tSymbol || t.kind == tKeyword) && t.text == symbol
}

func (t *token) symbol(s string) bool { return t.kind == tSymbol && t.text == s }

func (p *parser) accept(symbol string) bool {
	if p.is(symbol) {
		p.advance()
		return true
	}
	return false
}

// fail reports an error and unwinds to the next definition.
func (p *parser) fail(at pos, code, help, format string, args ...any) {
	if !p.quiet {
		p.errs.Errorf(p.file.span(at), code, format, args...).Help = help
	}
	panic(bail{})
}

// unexpected reports that something else was expected here.
func (p *parser) unexpected(want, help string) {
	t := p.tok()
	got := fmt.Sprintf("%q", t.text)
	switch t.kind {
	case tEOF:
		got = "the end of the file"
	case tString:
		got = "a string"
	case tKeyword:
		got = fmt.Sprintf("the keyword %q", t.text)
	}
	at := t.pos()
	switch {
	case p.at == 0:
	case t.kind == tEOF:
		at = p.prev() // the end of the text is a poor place for a caret
	case t.newlines > 0 && p.definitionStarts():
		at, got = p.prev(), "the next definition" // which has nothing to do with it
	}
	p.fail(at, "syntax", help, "expected %s, got %s", want, got)
}

func (p *parser) expect(symbol, help string) *token {
	if !p.is(symbol) {
		p.unexpected(fmt.Sprintf("%q", symbol), help)
	}
	return p.advance()
}

// closeBracket expects the bracket that closes the one at open, in a place of which the
// usual mistakes are known.
func (p *parser) closeBracket(symbol string, open pos, in place) {
	if p.is(symbol) {
		p.advance()
		return
	}
	if !p.quiet {
		t := p.tok()
		got := fmt.Sprintf("%q", t.text)
		at := t.pos()
		if t.kind == tEOF {
			got, at = "the end of the file", p.prev()
		}
		d := p.errs.Errorf(p.file.span(at), "syntax", "expected %q, got %s", symbol, got)
		d.Help = p.slip(in)
		d.Related = []source.Related{{Span: p.file.span(open), Message: "opened here"}}
	}
	panic(bail{})
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok().pos(), "too-deep", "split the definition", "nested more than %d levels deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) upper(what string) name {
	t := p.tok()
	if t.kind != tUpper {
		help := ""
		switch {
		case t.kind == tLower && p.peek(1).kind == tUpper:
			help = fmt.Sprintf("there is no word before a name: leave out %q", t.text)
		case t.kind == tLower && what == "a parameter name" && p.peek(1).symbol("->"):
			help = `"=" is missing before the parenthesis: NAME = (a -> NAME)`
		case t.kind == tLower:
			help = fmt.Sprintf("%s is written with a capital letter: %q", what, strings.ToUpper(t.text[:1])+t.text[1:])
		}
		p.unexpected(what, help)
	}
	p.advance()
	return name{t.text, t.pos()}
}

// parseFile reads all definitions, going on behind each error.
func (p *parser) parseFile() {
	for p.tok().kind != tEOF && len(p.errs) < maxParseErrors {
		from := p.at
		if d := p.definition(); d != nil {
			p.file.defs = append(p.file.defs, d)
		} else {
			p.recover(from)
		}
	}
}

// definition returns nil after an error, which has been reported.
func (p *parser) definition() (def definition) {
	p.depth = 0
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bail); !ok {
				panic(r)
			}
			def = nil
		}
	}()
	start := p.tok().pos()
	d := p.anyDefinition()
	type positioned interface{ setPos(pos) }
	d.(positioned).setPos(start.to(p.prev()))
	return d
}

func (d *defHead) setPos(p pos) { d.pos = p }

// recover skips to the next place where a definition seems to begin: behind a
// full stop or at the start of a line.
func (p *parser) recover(from int) {
	if p.at == from {
		p.advance()
	}
	for p.tok().kind != tEOF {
		fresh := p.tok().newlines > 0 || p.at > 0 && p.tokens[p.at-1].symbol(".")
		if fresh && p.definitionStarts() {
			return
		}
		p.advance()
	}
}

var definitionKeywords = map[string]bool{
	"const": true, "range": true, "set": true, "property": true, "progress": true, "menu": true,
	"animation": true, "import": true, "deterministic": true, "minimal": true, "compose": true,
	"assert": true, "fluent": true, "constraint": true,
}

// definitionStarts reports whether the current token begins a definition.
func (p *parser) definitionStarts() bool {
	t, n := p.tok(), p.peek(1)
	switch {
	case t.kind == tEOF:
		return true
	case t.kind == tKeyword:
		// Not one that is used as an action: set -> P.
		return definitionKeywords[t.text] && !(n.kind == tSymbol && strings.Contains("-> . [ | ) , } /", n.text))
	case t.symbol("||"):
		return n.kind == tUpper && p.headFollows(2)
	case t.kind == tLower && t.text == "ltl":
		return n.kind == tUpper && p.peek(2).symbol("=")
	case t.kind == tLower && t.text == "fair":
		return n.kind == tLower && (n.text == "strong" || n.text == "weak")
	case t.kind == tUpper:
		return p.headFollows(1)
	}
	return false
}

// headFollows reports whether n tokens from here stand "=", "(UP =" or state
// labels with "=" behind them: what follows the name in a definition.
func (p *parser) headFollows(n int) bool {
	switch t := p.peek(n); {
	case t.symbol("="), t.symbol("@") && p.peek(n+1).symbol("="):
		return true
	case t.symbol("("):
		return p.peek(n+1).kind == tUpper && p.peek(n+2).symbol("=")
	case t.symbol("{"):
		depth := 0
		for i := n; i < n+maxStateLabels; i++ {
			switch t := p.peek(i); {
			case t.kind == tEOF:
				return false
			case t.symbol("{"):
				depth++
			case t.symbol("}"):
				if depth--; depth == 0 {
					return p.peek(i + 1).symbol("=")
				}
			}
		}
	}
	return false
}

func (p *parser) anyDefinition() definition {
	t := p.tok()
	switch {
	case t.kind == tUpper:
		return p.process(marks{})
	case t.symbol("||"):
		return p.composite(marks{})
	case t.kind == tLower && t.text == "ltl" && p.peek(1).kind != tEOF:
		return p.ltl()
	case t.kind == tLower && t.text == "fair" && p.peek(1).kind != tEOF:
		return p.fair()
	case t.kind != tKeyword:
	case t.text == "const":
		p.advance()
		d := &constDef{defHead: defHead{name: p.upper("a constant name")}}
		p.expect("=", "a constant is written const N = 3")
		d.value = p.simpleExpr()
		return d
	case t.text == "range":
		p.advance()
		d := &rangeDef{defHead: defHead{name: p.upper("a range name")}}
		p.expect("=", "a range is written range R = 0..3")
		if p.is("[") || p.is("{") {
			p.unexpected("a number", "a range is written range R = 0..3")
		}
		d.lo = p.simpleExpr()
		if p.is("...") {
			p.threeDots()
		}
		p.expect("..", "a range is written LOW..HIGH, such as 0..3")
		d.hi = p.simpleExpr()
		return d
	case t.text == "set":
		p.advance()
		d := &setDef{defHead: defHead{name: p.upper("a set name")}}
		p.expect("=", "a set is written set S = {a, b, c}")
		if !p.is("{") {
			p.unexpected(`"{"`, "a set is written {a, b, c}")
		}
		d.set = p.labelSet()
		return d
	case t.text == "progress":
		return p.progress()
	case t.text == "menu":
		p.advance()
		d := &menuDef{defHead: defHead{name: p.upper("a menu name")}}
		p.expect("=", "")
		d.set = p.label()
		return d
	case t.text == "animation":
		return p.animation()
	case t.text == "import":
		p.advance()
		d := &importDef{defHead: defHead{name: p.upper("a process name")}}
		p.expect("=", "")
		if p.tok().kind != tString {
			p.unexpected("a file name in quotes", `write import P = "p.aut"`)
		}
		d.path = strings.Trim(p.advance().text, `"`)
		p.accept(".") // LTSA takes it without; people write it
		return d
	case t.text == "fluent":
		return p.fluent()
	case t.text == "assert" || t.text == "constraint":
		return p.assert()
	case definitionKeywords[t.text]:
		return p.marked()
	}
	p.unexpected("a definition", p.notADefinition())
	return nil
}

// misspelt suggests a keyword where a small word and NAME = stand, "lt X = ...",
// or "fiar strong ...".
func (p *parser) misspelt() string {
	if n := p.peek(1); p.tok().kind == tLower && n.kind == tLower && (n.text == "strong" || n.text == "weak") {
		return source.DidYouMean(p.tok().text, []string{"fair"})
	}
	if p.tok().kind != tLower || p.peek(1).kind != tUpper || !p.peek(2).symbol("=") {
		return ""
	}
	keywords := append(sortedKeys(definitionKeywords), "ltl", "fair")
	return source.DidYouMean(p.tok().text, keywords)
}

// marked reads the marks before a process or composite, which FSP wants in the
// order deterministic, minimal, compose, property; any order is accepted.
func (p *parser) marked() definition {
	var m marks
	for p.tok().kind == tKeyword {
		switch p.tok().text {
		case "deterministic":
			m.deterministic = true
		case "minimal":
			m.minimal = true
		case "compose":
			m.compose = true
		case "property":
			m.property = true
		default:
			p.unexpected("a process or a composite", "")
		}
		p.advance()
	}
	if p.is("||") {
		return p.composite(m)
	}
	return p.process(m)
}

func (p *parser) params(what string) []param {
	if !p.is("(") {
		return nil
	}
	open := p.advance().pos()
	var ps []param
	for {
		n := p.upper("a parameter name")
		if !p.is("=") {
			p.unexpected(`"="`, fmt.Sprintf("a parameter of %s needs a default value: %s=1", what, n.text))
		}
		p.advance()
		ps = append(ps, param{n, p.expr()})
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket(")", open, inExpr)
	return ps
}

func (p *parser) process(m marks) definition {
	d := &processDef{marks: m}
	d.name = p.upper("a process name")
	d.params = p.params("a process")
	first := &localDef{name: d.name}
	p.localHead(first)
	d.locals = append(d.locals, first)
	p.expect("=", p.capitalKeyword(d.name.text))
	first.body = p.body()
	for p.accept(",") {
		if p.is(".") || p.tok().kind == tEOF {
			p.unexpected("a local process", `nothing follows the last ",": a definition ends with "."`)
		}
		l := &localDef{name: p.upper("the name of a local process")}
		p.localHead(l)
		p.expect("=", "a local process is defined by NAME = ..., and the last one ends with a full stop")
		l.body = p.body()
		d.locals = append(d.locals, l)
	}
	if p.accept("+") {
		d.extension = p.labelSet()
	}
	if p.is("/") {
		d.relabel = p.relabelling()
	}
	d.hide = p.hiding()
	p.endOfProcess()
	return d
}

// endOfProcess expects the full stop, and says what is most often meant where
// something else stands.
func (p *parser) endOfProcess() {
	if p.is(".") {
		p.advance()
		return
	}
	help := "a process definition ends with a full stop"
	switch {
	case p.is("|"):
		help = "alternatives stand in parentheses: (a -> P | b -> Q)"
	case p.is("->"):
		help = "actions stand in parentheses: (a -> P)"
	case p.is(";"), p.is(".."):
		help = `a process definition ends with one full stop and nothing else`
	case p.is("-"), p.is("\\"):
		help = `actions are hidden by \{a, b}; +{a, b} extends the alphabet`
	case p.is("||"):
		help = "components stand in parentheses: ||C = (P || Q)"
	case p.at > 0 && strings.Contains("G F X", p.tokens[p.at-1].text):
		help = "a property is a process; a formula is declared by ltl NAME = G (a -> F b)"
	case p.is(")"), p.is("}"), p.is("]"):
		help = fmt.Sprintf("this %q closes nothing: remove it, or open it before", p.tok().text)
	case p.misspelt() != "":
		help = p.misspelt()
	case p.tok().kind == tUpper:
		help = `local processes are separated by ",", and the last one ends with "."`
	}
	if p.tok().kind != tEOF && p.tok().newlines > 0 && p.definitionStarts() {
		// Only the full stop is missing: say so where it belongs and go on.
		at := p.prev()
		p.errs.Errorf(p.file.span(at), "missing-full-stop", `"." is missing behind this definition`).Help =
			`a definition ends with "."; only local processes of one process are separated by ","`
		return
	}
	p.unexpected(`"."`, help)
}

// localHead reads the indices and state labels behind the name of a (local)
// process. Indices come first, so a brace begins the state labels.
func (p *parser) localHead(l *localDef) {
	l.pos = l.name.pos
	l.accept = p.accept("@")
	p.accept(".")
	if p.is("[") || p.tok().kind == tLower {
		l.index = p.labelParts(false)
	}
	if p.is("{") {
		l.labelled = true
		open := p.advance().pos()
		for !p.is("}") {
			start := p.tok().pos()
			var s stateLabel
			if p.accept("when") {
				s.guard = p.expr()
			}
			s.label = p.label()
			s.pos = start.to(p.prev())
			l.labels = append(l.labels, s)
			if !p.accept(",") {
				break
			}
		}
		p.closeBracket("}", open, inSet)
		l.labelsPos = open.to(p.prev())
	}
	l.pos = l.pos.to(p.prev())
}

func (p *parser) body() *body {
	p.enter()
	defer p.leave()
	b := &body{}
	start := p.tok().pos()
	switch {
	case p.accept("if"):
		b.kind = bodyIf
		b.cond = p.expr()
		p.expect("then", "a condition is written if EXPRESSION then P else Q")
		b.yes = p.body()
		if p.accept("else") {
			b.no = p.body()
		}
	case p.is("("):
		b.kind = bodyChoice
		open := p.advance().pos()
		for {
			b.choices = append(b.choices, p.choice())
			if !p.accept("|") {
				break
			}
		}
		p.closeBracket(")", open, inChoice)
	case p.tok().kind == tUpper:
		p.bodyRef(b)
	default:
		help := ""
		if t := p.tok(); t.kind == tLower || t.symbol("{") || t.symbol("[") {
			help = "actions stand in parentheses: (a -> P)"
			if t.symbol("{") {
				help += "; state labels stand before the =: P {p} = (a -> P)"
			}
		} else if t.symbol("[]") || t.symbol("<>") || t.symbol("!") {
			help = "a formula is declared by ltl NAME = G (a -> F b), or assert NAME = [](a -> <>b)"
		} else if t.symbol(".") || t.symbol(",") {
			help = "the process that does nothing is STOP"
		}
		p.unexpected(`a process: "(", "if" or a name`, help)
	}
	b.pos = start.to(p.prev())
	return b
}

// bodyRef reads P(3);Q;LOCAL[i][j].
func (p *parser) bodyRef(b *body) {
	for {
		start := p.tok().pos()
		n := p.upper("a process name")
		if p.is("(") || p.is(";") {
			ref := processRef{name: n, args: p.args()}
			ref.pos = start.to(p.prev())
			b.sequence = append(b.sequence, ref)
			p.expect(";", "only a process in a sequence P(3);Q has arguments; a local process has indices: P[3]")
			continue
		}
		b.name = n
		break
	}
	for p.is("[") {
		open := p.advance().pos()
		b.index = append(b.index, p.expr())
		p.closeBracket("]", open, inIndex)
	}
}

func (p *parser) args() []*expr {
	if !p.is("(") {
		return nil
	}
	open := p.advance().pos()
	args := []*expr{p.expr()}
	for p.accept(",") {
		args = append(args, p.expr())
	}
	p.closeBracket(")", open, inExpr)
	return args
}

func (p *parser) choice() *choice {
	c := &choice{}
	start := p.tok().pos()
	if p.accept("when") {
		c.guard = p.expr()
	}
	for {
		if p.tok().kind == tUpper && len(c.actions) > 0 && !p.labelThenArrow() || len(c.actions) > 0 && (p.is("(") || p.is("if")) {
			break
		}
		if len(c.actions) > 0 {
			p.behindArrow()
		} else {
			p.startOfChoice()
		}
		l := p.label()
		c.actions = append(c.actions, l)
		if !p.is("->") {
			p.afterLabel(l, len(c.actions) == 1)
		}
		p.advance()
	}
	c.body = p.body()
	c.pos = start.to(p.prev())
	return c
}

// labelThenArrow reports whether an upper-case name begins a label (a set of
// actions) and not a process: whether "->" follows the label.
func (p *parser) labelThenArrow() bool {
	return p.try(func() bool {
		p.label()
		return p.is("->")
	})
}

// try runs f as a look-ahead: without reporting errors and without advancing.
func (p *parser) try(f func() bool) (ok bool) {
	at, depth, quiet := p.at, p.depth, p.quiet
	p.quiet = true
	defer func() {
		p.at, p.depth, p.quiet = at, depth, quiet
		if r := recover(); r != nil {
			if _, isBail := r.(bail); !isBail {
				panic(r)
			}
			ok = false
		}
	}()
	return f()
}

func (p *parser) hiding() *hiding {
	switch {
	case p.accept("\\"):
		return &hiding{set: p.labelSet()}
	case p.accept("@"):
		return &hiding{expose: true, set: p.labelSet()}
	}
	return nil
}

// ranges reads one or more indices. Behind a forall the thing that is repeated
// may begin with an index too ([i]:P); only indices that range over something
// belong to the forall.
func (p *parser) ranges() []*index {
	if !p.is("[") {
		p.unexpected(`"["`, "ranges are written [i:0..3]")
	}
	var is []*index
	for p.is("[") {
		if len(is) > 0 && p.try(func() bool { i := p.index(); return i.variable == "" && i.expr != nil && !p.is("[") }) {
			break
		}
		is = append(is, p.index())
	}
	return is
}

func (p *parser) optionalRanges() []*index {
	if !p.is("[") {
		return nil
	}
	return p.ranges()
}
