package specification

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Bounds of the parser.
const (
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
	p := newParser(src, lex(src))
	if !slices.ContainsFunc(p.Errs, func(d source.Diagnostic) bool { return d.Code == tokens.BadEncoding }) {
		p.definitions() // otherwise the text ends there: what is missing behind it is no mistake
	}
	if len(p.Errs) < maxParseErrors {
		p.names()
	}
	p.expectations()
	p.Errs.Sort()
	p.file.Diagnostics = p.Errs
	err := p.file.Diagnostics.Err()
	return p.file, err
}

// The parser stops at a mistake (tokens.Cursor). Behind a statement or a definition it goes on.
type parser struct {
	tokens.Cursor
	file *File
}

// newParser is at the first token of a file.
func newParser(src *source.File, l *lexer) *parser {
	p := &parser{file: &File{Source: src, Tokens: l.Tokens, Comments: l.Comments}, Cursor: tokens.Cursor{Source: src, Tokens: l.Tokens, Errs: l.Errs}}
	p.Begins = p.definitionStarts
	p.Advise = func(t *Token) string {
		if t.Is("\\") {
			return "actions are hidden by hide {a, b}; in a cprog block"
		}
		return ""
	}
	return p
}

func isWord(t *Token, s string) bool { return t.Kind == Word && t.Text == s }

// upper and lower report whether a token is a name that begins so; an underscore is small.
func upper(t *Token) bool { return t.Kind == Word && t.Text[0] >= 'A' && t.Text[0] <= 'Z' }
func lower(t *Token) bool { return t.Kind == Word && !upper(t) }

// name reads a C identifier.
func (p *parser) name(what, help string) Name {
	t := p.Tok()
	if t.Kind != Word {
		p.Unexpected(what, help)
		return Name{Span: p.Prev()}
	}
	p.Advance()
	return Name{Text: t.Text, Span: t.Span}
}

// state reads the name of a state or definition.
func (p *parser) state(what string) Name {
	if t := p.Tok(); lower(t) {
		p.Unexpected(what, p.stateName(t.Text))
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
	for i := range p.Tokens {
		if t := &p.Tokens[i]; upper(t) && strings.EqualFold(t.Text, word) {
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
	t, n := p.Tok(), p.Peek(1)
	return (isWord(t, "cproc") || isWord(t, "cprog")) && n.Kind == Word
}

// definitionStarts reports whether the current token begins a definition, or the equation
// of a state.
func (p *parser) definitionStarts() bool {
	t := p.Tok()
	return t.Kind == EOF || p.blockStarts() || isWord(t, "const") && p.Peek(1).Kind == Word || upper(t) && p.Peek(1).Is("=")
}

// fresh reports whether the current token stands behind what ends a definition or at the
// start of a line.
func (p *parser) fresh() bool {
	b := p.Before()
	return p.Tok().Newlines > 0 || b.Is(".") || b.Is("}") || p.At == 0
}

// definitions reads the file. Behind a mistake it goes on with what looks like the next
// definition.
func (p *parser) definitions() {
	for p.Tok().Kind != EOF && len(p.Errs) < maxParseErrors {
		from := p.At
		p.Depth = 0
		d := p.definition()
		if p.Stopped {
			p.Stopped = false
			p.toNext(from)
			d.Head().Bad = true
			d.Head().End = max(d.Head().End, p.Prev().End)
		}
		p.file.Defs = append(p.file.Defs, d)
	}
}

// toNext goes from the first token of a definition with a mistake to what seems to be the
// first of the next one: there may be one before the mistake, if the end of this one is
// missing. States stand behind a comma.
func (p *parser) toNext(from int) {
	for p.At = min(from+1, len(p.Tokens)-1); p.Tok().Kind != EOF; p.At++ {
		if p.fresh() && p.definitionStarts() && !p.Before().Is(",") {
			return
		}
	}
}

func (p *parser) definition() Definition {
	start := p.Tok().Span
	var d Definition
	switch t := p.Tok(); {
	case isWord(t, "cproc"):
		d = p.cproc()
	case isWord(t, "cprog"):
		d = p.cprog()
	case isWord(t, "const") && !p.Peek(1).Is("->"):
		d = p.constant()
	case upper(t):
		d = p.lks()
	default:
		p.Unexpected("a definition", p.notADefinition())
		d = &BadDef{}
	}
	d.Head().Span = p.Since(start)
	return d
}

// notADefinition is what to do about a token that begins no definition.
func (p *parser) notADefinition() string {
	t, n := p.Tok(), p.Peek(1)
	switch {
	case t.Is(".") || t.Is(";"):
		return `only definitions of states end with "."; blocks and constants end without`
	case t.Is(")"), t.Is("}"), t.Is("]"):
		return fmt.Sprintf("this %q closes nothing", t.Text)
	case t.Is(","):
		return `"," stands between the states of one definition, and "." behind the last`
	case t.Kind != Word:
		return ""
	case t.Text == "ltl" && n.Kind == Word:
		return "properties stand in a cprog block: cprog NAME = p, q { ltl NAME = G (a -> F b); }"
	case slices.Contains([]string{"range", "set", "property", "progress", "fluent", "assert", "fair"}, t.Text) && n.Kind == Word:
		return fmt.Sprintf("%s belongs to the modelling language (.lks)", t.Text)
	case n.Is("="):
		return p.stateName(t.Text)
	case n.Is("(") || n.Kind == Word && p.Peek(2).Is("("):
		return "this looks like C, which stands in a .c file"
	}
	if near := source.DidYouMean(t.Text, definingWords); near != "" {
		return near
	}
	return "a file consists of cproc and cprog blocks, of states NAME = (a -> NAME). and of constants const N = 3"
}

func (p *parser) constant() Definition {
	const help = "a constant is written const N = 3"
	p.Advance()
	d := &ConstDef{}
	if t := p.Tok(); lower(t) {
		p.Unexpected("the name of a constant", fmt.Sprintf("it begins with a capital letter: %s", strings.ToUpper(t.Text[:1])+t.Text[1:]))
	}
	d.Name = p.name("the name of a constant", help)
	p.Expect("=", help)
	d.Value = p.expr()
	if t := p.Tok(); t.Is(";") || t.Is(".") {
		p.Fail(t.Span, "syntax", help, "%q stands behind a constant", t.Text)
	}
	return d
}

// index reads [i:lo..hi], [lo..hi] or [e].
func (p *parser) index() *Index {
	start := p.Tok().Span
	p.Expect("[", "")
	x := &Index{}
	if t := p.Tok(); t.Kind == Word && p.Peek(1).Is(":") {
		x.Variable = Name{Text: t.Text, Span: t.Span}
		if upper(t) {
			p.Unexpected("a variable", "variables begin with a small letter: [i:0..3]")
		}
		p.Advance()
		p.Advance()
	}
	x.Lo = p.expr()
	switch t := p.Tok(); {
	case p.Accept(".."):
		x.Hi = p.expr()
	case x.Variable.Text != "" || t.Is("...") || isWord(t, "to"):
		p.Unexpected(`".."`, "a range is written LOW..HIGH: [i:0..3]")
	}
	help := ""
	if p.Is(",") {
		help = "every index has brackets of its own: a[1][2]"
	} else if p.Is("=") || isWord(p.Tok(), "in") {
		help = "a variable and what it ranges over are separated by a colon: [i:0..3]"
	}
	p.closeBracket("]", start, help)
	x.Span = p.Since(start)
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
	start := p.Tok().Span
	for !p.Stopped {
		t := p.Tok()
		dot := len(l.Parts) > 0 && p.Accept(".")
		switch n := p.Tok(); {
		case !dot && t.Is("[") && len(l.Parts) > 0:
			x := p.index()
			l.Parts = append(l.Parts, LabelPart{Index: x, Span: x.Span})
			continue
		case !dot && len(l.Parts) > 0:
		case lower(n) && (reserved[n.Text] == "" || dot && n.Text == "return"): // lock.return, an event of a routine
			p.Advance()
			l.Parts = append(l.Parts, LabelPart{Text: n.Text, Span: n.Span})
			continue
		default:
			p.notAnAction(n)
		}
		break
	}
	l.Span = p.Since(start)
	return l
}

// notAnAction reports what stands in the place of the name of an action.
func (p *parser) notAnAction(t *Token) {
	help := ""
	switch {
	case t.Kind == Word && reserved[t.Text] != "":
		help = reserved[t.Text]
	case upper(t):
		help = "the names of actions begin with a small letter"
	case t.Kind == Number:
		help = "a number in the name of an action stands in brackets: a[1]"
	case t.Kind == String:
		help = "actions are written without quotes"
	}
	p.Unexpected("the name of an action", help)
}

// set reads {a, b}, which may be empty.
func (p *parser) set(help string) *LabelSet {
	s := &LabelSet{}
	start := p.Tok().Span
	p.Expect("{", help)
	for !p.Is("}") && !p.Stopped {
		s.Labels = append(s.Labels, p.label())
		if !p.Accept(",") {
			break
		}
	}
	p.closeBracket("}", start, help)
	s.Span = p.Since(start)
	return s
}
