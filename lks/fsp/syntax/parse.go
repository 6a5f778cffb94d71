package syntax

import (
	"fmt"
	"maps"
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

// Parse reads a model file. The error is Diagnostics: everything that was found
// wrong. The file is returned along with it, with bad nodes where the text is wrong,
// and is never nil. It takes time linear in the length of the text.
func Parse(src *source.File) (*File, error) {
	tokens, comments, errs := lex(src)
	p := &parser{file: &File{Source: src, Tokens: tokens, Comments: comments}, tokens: tokens, errs: errs, keyword: map[string]bool{}}
	if slices.ContainsFunc(errs, func(d source.Diagnostic) bool { return d.Code == "bad-encoding" }) {
		p.file.Diagnostics = errs
		return p.file, errs.Err() // the text ends there: what is missing behind it is no mistake
	}
	p.parseFile()
	p.file.Diagnostics = p.errs
	return p.file, p.errs.Err()
}

// A mistake stops the parser: from then on it sees the end of a text and reports
// nothing, so that every function ends as it does there, with bad nodes for what is
// missing, and what was read before the mistake stays in the tree. parseFile lets it
// go on behind the definition.
type parser struct {
	file    *File
	tokens  []Token
	at      int
	depth   int
	errs    source.List
	quiet   bool // nothing is reported: looking ahead, or reading again
	stopped bool
	stop    Token   // what a stopped parser sees
	braces  []int32 // by token, for closing; nil until it is needed
	// keyword has the keywords that were reported as names of actions.
	keyword map[string]bool
}

func (p *parser) tok() *Token { return p.peek(0) }

func (p *parser) peek(n int) *Token {
	if p.stopped {
		return &p.stop
	}
	return &p.tokens[min(p.at+n, len(p.tokens)-1)]
}

func (p *parser) advance() *Token {
	t := p.tok()
	if t.Kind != EOF {
		p.at++
	}
	return t
}

// prev returns the position of the token before the current one.
func (p *parser) prev() Span {
	switch {
	case p.stopped:
		return p.stop.Span // nodes that are not complete reach to the mistake
	case p.at == 0:
		return Span{}
	}
	return p.tokens[p.at-1].Span
}

// since returns the span of a node from its first token to the last one that was
// read. If the first one was none of it, the node is missing, and has the gap.
func (p *parser) since(first Span) Span {
	if p.stopped && first.Start >= p.stop.End {
		return p.stop.Span
	}
	return first.To(p.prev())
}

// halt stops the parser. What is missing is missing in the gap before the current
// token.
func (p *parser) halt() {
	if p.stopped {
		return
	}
	next := p.tok().Start
	gap := Span{next, next}
	if p.at > 0 {
		gap.Start = p.tokens[p.at-1].End
	}
	p.stopped, p.stop = true, Token{Kind: EOF, Span: gap}
}

func (p *parser) is(symbol string) bool {
	t := p.tok()
	return (t.Kind == Symbol || t.Kind == Keyword) && t.Text == symbol
}

func (t *Token) symbol(s string) bool { return t.Kind == Symbol && t.Text == s }

func (p *parser) accept(symbol string) bool {
	if p.is(symbol) {
		p.advance()
		return true
	}
	return false
}

// fail reports an error and stops the parser.
func (p *parser) fail(at Span, code, help, format string, args ...any) {
	if !p.quiet && !p.stopped {
		p.errs.Errorf(p.file.Place(at), code, format, args...).Help = help
	}
	p.halt()
}

// unexpected reports that something else was expected here.
func (p *parser) unexpected(want, help string) {
	if p.stopped {
		return
	}
	t := p.tok()
	got := fmt.Sprintf("%q", t.Text)
	switch t.Kind {
	case EOF:
		got = "the end of the file"
	case String:
		got = "a string"
	case Keyword:
		got = fmt.Sprintf("the keyword %q", t.Text)
	}
	at := t.Span
	switch {
	case p.at == 0:
	case t.Kind == EOF:
		at = p.prev() // the end of the text is a poor place for a caret
	case t.Newlines > 0 && p.definitionStarts():
		at, got = p.prev(), "the next definition" // which has nothing to do with it
	}
	p.fail(at, "syntax", help, "expected %s, got %s", want, got)
}

func (p *parser) expect(symbol, help string) *Token {
	if !p.is(symbol) {
		p.unexpected(fmt.Sprintf("%q", symbol), help)
	}
	return p.advance()
}

// closeBracket expects the bracket that closes the one at open, in a place of which the
// usual mistakes are known.
func (p *parser) closeBracket(symbol string, open Span, in place) {
	if p.is(symbol) {
		p.advance()
		return
	}
	if !p.quiet && !p.stopped {
		t := p.tok()
		got := fmt.Sprintf("%q", t.Text)
		at := t.Span
		if t.Kind == EOF {
			got, at = "the end of the file", p.prev()
		}
		d := p.errs.Errorf(p.file.Place(at), "syntax", "expected %q, got %s", symbol, got)
		d.Help = p.slip(in)
		d.Related = []source.Related{{Span: p.file.Place(open), Message: "opened here"}}
	}
	p.halt()
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok().Span, "too-deep", "split the definition", "nested more than %d levels deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) upper(what string) Name {
	t := p.tok()
	if t.Kind != Upper {
		help := ""
		switch {
		case t.Kind == Lower && p.peek(1).Kind == Upper:
			help = fmt.Sprintf("there is no word before a name: leave out %q", t.Text)
		case t.Kind == Lower && what == "a parameter name" && p.peek(1).symbol("->"):
			help = `"=" is missing before the parenthesis: NAME = (a -> NAME)`
		case t.Kind == Lower:
			help = fmt.Sprintf("%s is written with a capital letter: %q", what, strings.ToUpper(t.Text[:1])+t.Text[1:])
		}
		p.unexpected(what, help)
		return Name{Span: p.prev()}
	}
	p.advance()
	return Name{t.Text, t.Span}
}

var definitionKeywords = map[string]bool{
	"const": true, "range": true, "set": true, "property": true, "progress": true, "menu": true,
	"animation": true, "import": true, "deterministic": true, "minimal": true, "compose": true,
	"assert": true, "fluent": true, "constraint": true,
}

// definingWords are the words that begin definitions, for suggestions.
func definingWords() []string {
	return append(slices.Sorted(maps.Keys(definitionKeywords)), "ltl", "fair")
}

// definitionStarts reports whether the current token begins a definition.
func (p *parser) definitionStarts() bool {
	t, n := p.tok(), p.peek(1)
	switch {
	case t.Kind == EOF:
		return true
	case t.Kind == Keyword:
		// Not one that is used as an action: set -> P.
		return definitionKeywords[t.Text] && !(n.Kind == Symbol && strings.Contains("-> . [ | ) , } /", n.Text))
	case t.symbol("||"):
		return n.Kind == Upper && p.headFollows(2)
	case t.Kind == Lower && t.Text == "ltl":
		return n.Kind == Upper && p.peek(2).symbol("=")
	case t.Kind == Lower && t.Text == "fair":
		return n.Kind == Lower && (n.Text == "strong" || n.Text == "weak")
	case t.Kind == Upper:
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
		return p.peek(n+1).Kind == Upper && p.peek(n+2).symbol("=")
	case t.symbol("{"):
		end := p.closing(p.at + n)
		return end > 0 && end-p.at-n < maxStateLabels && p.peek(end+1-p.at).symbol("=")
	}
	return false
}

// closing returns the brace that closes the one at a token, 0 if there is none.
func (p *parser) closing(brace int) int {
	if p.braces == nil {
		p.braces = make([]int32, len(p.file.Tokens))
		var open []int
		for i := range p.file.Tokens {
			switch t := &p.file.Tokens[i]; {
			case t.symbol("{"):
				open = append(open, i)
			case t.symbol("}") && len(open) > 0:
				p.braces[open[len(open)-1]] = int32(i)
				open = open[:len(open)-1]
			}
		}
	}
	if end := int(p.braces[brace]); end < len(p.tokens)-1 {
		return end
	}
	return 0
}

func (p *parser) anyDefinition() Definition {
	t := p.tok()
	switch {
	case t.Kind == Upper:
		return p.process(Marks{})
	case t.symbol("||"):
		return p.composite(Marks{})
	case t.Kind == Lower && t.Text == "ltl" && p.peek(1).Kind != EOF:
		return p.ltl()
	case t.Kind == Lower && t.Text == "fair" && p.peek(1).Kind != EOF:
		return p.fair()
	case t.Kind != Keyword:
	case t.Text == "const":
		p.advance()
		d := &ConstDef{DefHead: DefHead{Name: p.upper("a constant name")}}
		p.expect("=", "a constant is written const N = 3")
		d.Value = p.simpleExpr()
		return d
	case t.Text == "range":
		p.advance()
		d := &RangeDef{DefHead: DefHead{Name: p.upper("a range name")}}
		p.expect("=", "a range is written range R = 0..3")
		if p.is("[") || p.is("{") {
			p.unexpected("a number", "a range is written range R = 0..3")
		}
		d.Lo = p.simpleExpr()
		if p.is("...") {
			p.threeDots()
		}
		p.expect("..", "a range is written LOW..HIGH, such as 0..3")
		d.Hi = p.simpleExpr()
		return d
	case t.Text == "set":
		p.advance()
		d := &SetDef{DefHead: DefHead{Name: p.upper("a set name")}}
		p.expect("=", "a set is written set S = {a, b, c}")
		if !p.is("{") {
			p.unexpected(`"{"`, "a set is written {a, b, c}")
		}
		d.Set = p.labelSet()
		return d
	case t.Text == "progress":
		return p.progress()
	case t.Text == "menu":
		p.advance()
		d := &MenuDef{DefHead: DefHead{Name: p.upper("a menu name")}}
		p.expect("=", "")
		d.Set = p.label()
		return d
	case t.Text == "animation":
		return p.animation()
	case t.Text == "import":
		p.advance()
		d := &ImportDef{DefHead: DefHead{Name: p.upper("a process name")}}
		p.expect("=", "")
		if p.tok().Kind != String {
			p.unexpected("a file name in quotes", `write import P = "p.aut"`)
		}
		d.Path = strings.Trim(p.advance().Text, `"`)
		p.accept(".") // LTSA takes it without; people write it
		return d
	case t.Text == "fluent":
		return p.fluent()
	case t.Text == "assert" || t.Text == "constraint":
		return p.assert()
	case definitionKeywords[t.Text]:
		return p.marked()
	}
	p.unexpected("a definition", p.notADefinition())
	return nil
}

// misspelt suggests a keyword where a small word and NAME = stand, "lt X = ...",
// or "fiar strong ...".
func (p *parser) misspelt() string {
	if n := p.peek(1); p.tok().Kind == Lower && n.Kind == Lower && (n.Text == "strong" || n.Text == "weak") {
		return source.DidYouMean(p.tok().Text, []string{"fair"})
	}
	if p.tok().Kind != Lower || p.peek(1).Kind != Upper || !p.peek(2).symbol("=") {
		return ""
	}
	return source.DidYouMean(p.tok().Text, definingWords())
}

// marked reads the marks before a process or composite, which FSP wants in the
// order deterministic, minimal, compose, property; any order is accepted.
func (p *parser) marked() Definition {
	var m Marks
	for p.tok().Kind == Keyword {
		switch p.tok().Text {
		case "deterministic":
			m.Deterministic = true
		case "minimal":
			m.Minimal = true
		case "compose":
			m.Compose = true
		case "property":
			m.Property = true
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

func (p *parser) params(what string) []Param {
	if !p.is("(") {
		return nil
	}
	open := p.advance().Span
	var ps []Param
	for {
		n := p.upper("a parameter name")
		if !p.is("=") {
			p.unexpected(`"="`, fmt.Sprintf("a parameter of %s needs a default value: %s=1", what, n.Text))
		}
		p.advance()
		value := p.expr()
		ps = append(ps, Param{n, value, n.To(value.Span)})
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket(")", open, inExpr)
	return ps
}

func (p *parser) process(m Marks) Definition {
	d := &ProcessDef{Marks: m}
	d.Name = p.upper("a process name")
	d.Params = p.params("a process")
	first := &LocalDef{Name: d.Name}
	start := p.tok().Span
	p.localHead(first)
	d.Locals = append(d.Locals, first)
	p.expect("=", p.capitalKeyword(d.Name.Text))
	first.Body = p.body()
	first.Span = p.since(start)
	for p.accept(",") {
		if p.is(".") || p.tok().Kind == EOF {
			p.unexpected("a local process", `nothing follows the last ",": a definition ends with "."`)
		}
		l := &LocalDef{Name: p.upper("the name of a local process")}
		p.localHead(l)
		p.expect("=", "a local process is defined by NAME = ..., and the last one ends with a full stop")
		l.Body = p.body()
		l.Span = p.since(l.Name.Span)
		d.Locals = append(d.Locals, l)
	}
	if p.accept("+") {
		d.Extension = p.labelSet()
	}
	if p.is("/") {
		d.Relabel = p.relabelling()
	}
	d.Hide = p.hiding()
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
	case p.is(";") && p.peek(1).Kind == Upper && p.peek(2).symbol("["): // an indexed one is local
		help = `local processes are separated by ",", and the last one ends with "."`
	case p.is(";"), p.is(".."):
		help = `a process definition ends with one full stop and nothing else`
	case p.is("-"), p.is("\\"):
		help = `actions are hidden by \{a, b}; +{a, b} extends the alphabet`
	case p.is("||"):
		help = "components stand in parentheses: ||C = (P || Q)"
	case p.at > 0 && strings.Contains("G F X", p.tokens[p.at-1].Text):
		help = "a property is a process; a formula is declared by ltl NAME = G (a -> F b)"
	case p.is(")"), p.is("}"), p.is("]"):
		help = fmt.Sprintf("this %q closes nothing: remove it, or open it before", p.tok().Text)
	case p.misspelt() != "":
		help = p.misspelt()
	case p.tok().Kind == Upper:
		help = `local processes are separated by ",", and the last one ends with "."`
	}
	if p.tok().Kind != EOF && p.tok().Newlines > 0 && p.definitionStarts() {
		// Only the full stop is missing: say so where it belongs and go on.
		if !p.quiet {
			p.errs.Errorf(p.file.Place(p.prev()), "missing-full-stop", `"." is missing behind this definition`).Help =
				`a definition ends with "."; only local processes of one process are separated by ","`
		}
		return
	}
	p.unexpected(`"."`, help)
}

// localHead reads the indices and state labels behind the name of a (local)
// process. Indices come first, so a brace begins the state labels.
func (p *parser) localHead(l *LocalDef) {
	l.HeadSpan = l.Name.Span
	l.Accept = p.accept("@")
	p.accept(".")
	if p.is("[") || p.tok().Kind == Lower {
		l.Index = p.labelParts(false)
	}
	if p.is("{") {
		l.Labelled = true
		open := p.advance().Span
		for !p.is("}") {
			start := p.tok().Span
			var s StateLabel
			if p.accept("when") {
				s.Guard = p.expr()
			}
			s.Label = p.label()
			s.Span = p.since(start)
			l.Labels = append(l.Labels, s)
			if !p.accept(",") {
				break
			}
		}
		p.closeBracket("}", open, inSet)
		l.LabelsSpan = p.since(open)
	}
	l.HeadSpan = p.since(l.HeadSpan)
}

func (p *parser) body() *Body {
	p.enter()
	defer p.leave()
	b := &Body{}
	start := p.tok().Span
	switch {
	case p.accept("if"):
		b.Kind = BodyIf
		b.Cond = p.expr()
		p.expect("then", "a condition is written if EXPRESSION then P else Q")
		b.Yes = p.body()
		if p.accept("else") {
			b.No = p.body()
		}
	case p.is("("):
		b.Kind = BodyChoice
		open := p.advance().Span
		for {
			b.Choices = append(b.Choices, p.choice())
			if !p.accept("|") {
				break
			}
		}
		p.closeBracket(")", open, inChoice)
	case p.tok().Kind == Upper:
		p.bodyRef(b)
	default:
		help := ""
		if t := p.tok(); t.Kind == Lower || t.symbol("{") || t.symbol("[") {
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
	b.Span = p.since(start)
	return b
}

// bodyRef reads P(3);Q;LOCAL[i][j].
func (p *parser) bodyRef(b *Body) {
	b.Kind = BodyRef
	for {
		start := p.tok().Span
		n := p.upper("a process name")
		if p.is("(") || p.is(";") {
			ref := ProcessRef{Name: n, Args: p.args()}
			ref.Span = p.since(start)
			b.Sequence = append(b.Sequence, ref)
			p.expect(";", "only a process in a sequence P(3);Q has arguments; a local process has indices: P[3]")
			continue
		}
		b.Name = n
		break
	}
	for p.is("[") {
		open := p.advance().Span
		b.Index = append(b.Index, p.expr())
		p.closeBracket("]", open, inIndex)
	}
}

func (p *parser) args() []*Expr {
	if !p.is("(") {
		return nil
	}
	open := p.advance().Span
	args := []*Expr{p.expr()}
	for p.accept(",") {
		args = append(args, p.expr())
	}
	p.closeBracket(")", open, inExpr)
	return args
}

func (p *parser) choice() *Choice {
	c := &Choice{}
	start := p.tok().Span
	if p.accept("when") {
		c.Guard = p.expr()
	}
	for {
		if p.tok().Kind == Upper && len(c.Actions) > 0 && !p.labelThenArrow() || len(c.Actions) > 0 && (p.is("(") || p.is("if")) {
			break
		}
		if len(c.Actions) > 0 {
			p.behindArrow()
		} else {
			p.startOfChoice()
		}
		l := p.label()
		c.Actions = append(c.Actions, l)
		if !p.is("->") {
			p.afterLabel(l, len(c.Actions) == 1)
			break
		}
		p.advance()
	}
	c.Body = p.body()
	c.Span = p.since(start)
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

// try runs f as a look-ahead: without reporting errors and without advancing. It is
// false after a mistake.
func (p *parser) try(f func() bool) bool {
	if p.stopped {
		return false
	}
	at, depth, quiet := p.at, p.depth, p.quiet
	p.quiet = true
	ok := f() && !p.stopped
	p.at, p.depth, p.quiet, p.stopped = at, depth, quiet, false
	return ok
}

func (p *parser) hiding() *Hiding {
	start := p.tok().Span
	if !p.is("\\") && !p.is("@") {
		return nil
	}
	h := &Hiding{Expose: p.advance().Text == "@", Set: p.labelSet()}
	h.Span = p.since(start)
	return h
}

// ranges reads one or more indices. Behind a forall the thing that is repeated
// may begin with an index too ([i]:P); only indices that range over something
// belong to the forall.
func (p *parser) ranges() []*Index {
	if !p.is("[") {
		p.unexpected(`"["`, "ranges are written [i:0..3]")
	}
	var is []*Index
	for p.is("[") {
		if len(is) > 0 && p.try(func() bool { i := p.index(); return i.Variable.Text == "" && i.Expr != nil && !p.is("[") }) {
			break
		}
		is = append(is, p.index())
	}
	return is
}

func (p *parser) optionalRanges() []*Index {
	if !p.is("[") {
		return nil
	}
	return p.ranges()
}
