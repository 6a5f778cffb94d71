package magic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Bounds of the parser. A nesting of 500 is far beyond what a person writes and keeps
// every recursion over the syntax tree shallow.
const (
	maxNesting     = 500
	maxParseErrors = 20
)

// ParseText is Parse of a text; name is what messages call it, such as the file's name.
func ParseText(name, text string) (*File, error) { return Parse(source.NewFile(name, text)) }

// Parse reads a specification file. The error is Diagnostics: everything that was found
// wrong. The file is returned along with it, with bad nodes where the text is wrong, and
// is never nil. It takes time linear in the length of the text.
//
// A file without error has no name twice where one is needed, and every state that is
// named in a definition is a state of it. What other names mean (procedures, definitions,
// constants) is found out by those who have all files and the program.
func Parse(src *source.File) (*File, error) {
	tokens, comments, errs := lex(src)
	p := &parser{file: &File{Source: src, Tokens: tokens, Comments: comments}, errs: errs}
	if !slices.ContainsFunc(errs, func(d source.Diagnostic) bool { return d.Code == badEncoding }) {
		p.definitions() // otherwise the text ends there: what is missing behind it is no mistake
	}
	if len(p.errs) < maxParseErrors {
		p.names()
	}
	p.expectations()
	p.errs.Sort()
	p.file.Diagnostics = p.errs
	err := p.file.Diagnostics.Err()
	return p.file, err
}

// A mistake stops the parser: from then on it sees the end of a text and reports nothing,
// so that every function ends as it does there, with bad nodes for what is missing, and
// what was read before the mistake stays in the tree. Behind a statement or a definition
// the parser goes on.
type parser struct {
	file    *File
	at      int
	depth   int
	errs    source.List
	stopped bool
	stop    Token // what a stopped parser sees
}

func (p *parser) tok() *Token { return p.peek(0) }

func (p *parser) peek(n int) *Token {
	if p.stopped {
		return &p.stop
	}
	return &p.file.Tokens[min(p.at+n, len(p.file.Tokens)-1)]
}

// before returns the token before the current one, an empty one if there is none.
func (p *parser) before() *Token {
	if p.at == 0 {
		return &Token{}
	}
	return &p.file.Tokens[p.at-1]
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
	if p.stopped {
		return p.stop.Span // nodes that are not complete reach to the mistake
	}
	return p.before().Span
}

// since returns the span of a node from its first token to the last one that was read. If
// the first one was none of it, the node is missing, and has the gap.
func (p *parser) since(first Span) Span {
	if end := p.prev(); first.Start < end.End {
		return first.To(end)
	}
	return p.prev()
}

// halt stops the parser. What is missing is missing in the gap before the current token.
func (p *parser) halt() {
	if p.stopped {
		return
	}
	next := p.tok().Start
	gap := Span{next, next}
	if p.at > 0 {
		gap.Start = p.before().End
	}
	p.stopped, p.stop = true, Token{Kind: EOF, Span: gap}
}

func (t *Token) symbol(s string) bool { return t.Kind == Symbol && t.Text == s }

func (t *Token) word(s string) bool { return t.Kind == Word && t.Text == s }

// upper and lower report whether a token is a name that begins so; an underscore is small.
func (t *Token) upper() bool { return t.Kind == Word && t.Text[0] >= 'A' && t.Text[0] <= 'Z' }
func (t *Token) lower() bool { return t.Kind == Word && !t.upper() }

func (p *parser) is(symbol string) bool { return p.tok().symbol(symbol) }

func (p *parser) accept(symbol string) bool {
	if p.is(symbol) {
		p.advance()
		return true
	}
	return false
}

// fail reports an error and stops the parser.
func (p *parser) fail(at Span, code, help, format string, args ...any) {
	if !p.stopped {
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
	got, at := fmt.Sprintf("%q", t.Text), t.Span
	if t.symbol("\\") {
		help = "actions are hidden by hide {a, b}; in a cprog block"
	}
	switch {
	case t.Kind == EOF:
		got = "the end of the file"
		if p.at > 0 {
			at = p.prev() // the end of the text is a poor place for a caret
		}
	case p.at > 0 && t.Newlines > 0 && p.definitionStarts():
		at, got = p.prev(), "the next definition" // which has nothing to do with it
	}
	p.fail(at, "syntax", help, "expected %s, got %s", want, got)
}

func (p *parser) expect(symbol, help string) {
	if !p.accept(symbol) {
		p.unexpected(fmt.Sprintf("%q", symbol), help)
	}
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok().Span, "too-deep", "split the definition", "nested more than %d levels deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// name reads a C identifier.
func (p *parser) name(what, help string) Name {
	t := p.tok()
	if t.Kind != Word {
		p.unexpected(what, help)
		return Name{Span: p.prev()}
	}
	p.advance()
	return Name{t.Text, t.Span}
}

// state reads the name of a state or definition.
func (p *parser) state(what string) Name {
	if t := p.tok(); t.lower() {
		p.unexpected(what, p.stateName(t.Text))
	}
	return p.name(what, "")
}

// stateName is what to do about a small word in the place of a state.
func (p *parser) stateName(word string) string {
	if near := p.capitalised(word); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, helpCapital)
	}
	return helpCapital
}

// capitalised returns the name of a state that a small word may stand for, or "".
func (p *parser) capitalised(word string) string {
	switch strings.ToLower(word) {
	case "stop", "end":
		return strings.ToUpper(word)
	case "exit", "skip":
		return stop
	}
	for i := range p.file.Tokens {
		if t := &p.file.Tokens[i]; t.upper() && strings.EqualFold(t.Text, word) {
			return t.Text
		}
	}
	return ""
}

// The state in which nothing is done any more, and its other name.
const (
	stop = "STOP"
	end  = "END"
)

const helpCapital = "the name of a state begins with a capital letter"

// words that begin definitions.
var definingWords = []string{"cproc", "cprog", "const"}

// blockStarts reports whether the current token begins a cproc or cprog block.
func (p *parser) blockStarts() bool {
	t, n := p.tok(), p.peek(1)
	return (t.word("cproc") || t.word("cprog")) && n.Kind == Word
}

// definitionStarts reports whether the current token begins a definition, or the equation
// of a state.
func (p *parser) definitionStarts() bool {
	t := p.tok()
	return t.Kind == EOF || p.blockStarts() || t.word("const") && p.peek(1).Kind == Word || t.upper() && p.peek(1).symbol("=")
}

// fresh reports whether the current token stands behind what ends a definition or at the
// start of a line.
func (p *parser) fresh() bool {
	b := p.before()
	return p.tok().Newlines > 0 || b.symbol(".") || b.symbol("}") || p.at == 0
}

// definitions reads the file. Behind a mistake it goes on with what looks like the next
// definition.
func (p *parser) definitions() {
	for p.tok().Kind != EOF && len(p.errs) < maxParseErrors {
		from := p.at
		p.depth = 0
		d := p.definition()
		if p.stopped {
			p.stopped = false
			p.toNext(from)
			d.Head().Bad = true
			d.Head().End = max(d.Head().End, p.prev().End)
		}
		p.file.Defs = append(p.file.Defs, d)
	}
}

// toNext goes from the first token of a definition with a mistake to what seems to be the
// first of the next one: there may be one before the mistake, if the end of this one is
// missing. States stand behind a comma.
func (p *parser) toNext(from int) {
	for p.at = min(from+1, len(p.file.Tokens)-1); p.tok().Kind != EOF; p.at++ {
		if p.fresh() && p.definitionStarts() && !p.before().symbol(",") {
			return
		}
	}
}

func (p *parser) definition() Definition {
	start := p.tok().Span
	var d Definition
	switch t := p.tok(); {
	case t.word("cproc"):
		d = p.cproc()
	case t.word("cprog"):
		d = p.cprog()
	case t.word("const") && !p.peek(1).symbol("->"):
		d = p.constant()
	case t.upper():
		d = p.lks()
	default:
		p.unexpected("a definition", p.notADefinition())
		d = &BadDef{}
	}
	d.Head().Span = p.since(start)
	return d
}

// notADefinition is what to do about a token that begins no definition.
func (p *parser) notADefinition() string {
	t, n := p.tok(), p.peek(1)
	switch {
	case t.symbol(".") || t.symbol(";"):
		return `only definitions of states end with "."; blocks and constants end without`
	case t.symbol(")"), t.symbol("}"), t.symbol("]"):
		return fmt.Sprintf("this %q closes nothing", t.Text)
	case t.symbol(","):
		return `"," stands between the states of one definition, and "." behind the last`
	case t.Kind != Word:
		return ""
	case t.Text == "ltl" && n.Kind == Word:
		return "properties stand in a cprog block: cprog NAME = p, q { ltl NAME = G (a -> F b); }"
	case slices.Contains([]string{"range", "set", "property", "progress", "fluent", "assert", "fair"}, t.Text) && n.Kind == Word:
		return fmt.Sprintf("%s belongs to the modelling language (.lks)", t.Text)
	case n.symbol("="):
		return p.stateName(t.Text)
	case n.symbol("(") || n.Kind == Word && p.peek(2).symbol("("):
		return "this looks like C, which stands in a .c file"
	}
	if near := source.DidYouMean(t.Text, definingWords); near != "" {
		return near
	}
	return "a file consists of cproc and cprog blocks, of states NAME = (a -> NAME). and of constants const N = 3"
}

func (p *parser) constant() Definition {
	const help = "a constant is written const N = 3"
	p.advance()
	d := &ConstDef{}
	if t := p.tok(); t.lower() {
		p.unexpected("the name of a constant", fmt.Sprintf("it begins with a capital letter: %s", strings.ToUpper(t.Text[:1])+t.Text[1:]))
	}
	d.Name = p.name("the name of a constant", help)
	p.expect("=", help)
	d.Value = p.expr()
	if t := p.tok(); t.symbol(";") || t.symbol(".") {
		p.fail(t.Span, "syntax", help, "%q stands behind a constant", t.Text)
	}
	return d
}

// index reads [i:lo..hi], [lo..hi] or [e].
func (p *parser) index() *Index {
	start := p.tok().Span
	p.expect("[", "")
	x := &Index{}
	if t := p.tok(); t.Kind == Word && p.peek(1).symbol(":") {
		x.Variable = Name{t.Text, t.Span}
		if t.upper() {
			p.unexpected("a variable", "variables begin with a small letter: [i:0..3]")
		}
		p.advance()
		p.advance()
	}
	x.Lo = p.expr()
	switch t := p.tok(); {
	case p.accept(".."):
		x.Hi = p.expr()
	case x.Variable.Text != "" || t.symbol("...") || t.word("to"):
		p.unexpected(`".."`, "a range is written LOW..HIGH: [i:0..3]")
	}
	help := ""
	if p.is(",") {
		help = "every index has brackets of its own: a[1][2]"
	} else if p.is("=") || p.tok().word("in") {
		help = "a variable and what it ranges over are separated by a colon: [i:0..3]"
	}
	p.closeBracket("]", start, help)
	x.Span = p.since(start)
	return x
}

// reserved are words that no action is called.
var reserved = map[string]string{
	"when":    "a guard stands at the beginning of an alternative: when (CONDITION) a -> S",
	"return":  "what a routine returns is written return {$0 == 1} or return {}",
	"epsilon": "the silent action stands alone, and in no set of actions",
	"tau":     "the silent action is written epsilon",
	"const":   "const is a keyword: choose another name",
	"cproc":   "cproc is a keyword: choose another name",
	"cprog":   "cprog is a keyword: choose another name",
}

// Keywords returns the words that have a meaning of their own, sorted: those that no
// action is called, and those that begin statements.
func Keywords() []string {
	words := []string{stop, end}
	for _, known := range []map[string]string{reserved, procStatements, progStatements} {
		words = slices.AppendSeq(words, maps.Keys(known))
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// label reads the name of an action.
func (p *parser) label() *Label {
	l := &Label{}
	start := p.tok().Span
	for !p.stopped {
		t := p.tok()
		dot := len(l.Parts) > 0 && p.accept(".")
		switch n := p.tok(); {
		case !dot && t.symbol("[") && len(l.Parts) > 0:
			x := p.index()
			l.Parts = append(l.Parts, LabelPart{Index: x, Span: x.Span})
			continue
		case !dot && len(l.Parts) > 0:
		case n.lower() && reserved[n.Text] == "":
			p.advance()
			l.Parts = append(l.Parts, LabelPart{Text: n.Text, Span: n.Span})
			continue
		default:
			p.notAnAction(n)
		}
		break
	}
	l.Span = p.since(start)
	return l
}

// notAnAction reports what stands in the place of the name of an action.
func (p *parser) notAnAction(t *Token) {
	help := ""
	switch {
	case t.Kind == Word && reserved[t.Text] != "":
		help = reserved[t.Text]
	case t.upper():
		help = "the names of actions begin with a small letter"
	case t.Kind == Number:
		help = "a number in the name of an action stands in brackets: a[1]"
	case t.Kind == String:
		help = "actions are written without quotes"
	}
	p.unexpected("the name of an action", help)
}

// set reads {a, b}, which may be empty.
func (p *parser) set(help string) *LabelSet {
	s := &LabelSet{}
	start := p.tok().Span
	p.expect("{", help)
	for !p.is("}") && !p.stopped {
		s.Labels = append(s.Labels, p.label())
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket("}", start, help)
	s.Span = p.since(start)
	return s
}
