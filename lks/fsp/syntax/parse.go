package syntax

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
	l := lex(src)
	p := &parser{file: &File{Source: src, Tokens: l.Tokens, Comments: l.Comments}, Cursor: tokens.Cursor{Source: src, Tokens: l.Tokens, Errs: l.Errs}, keyword: map[string]bool{}}
	p.Begins = p.definitionStarts
	if slices.ContainsFunc(p.Errs, func(d source.Diagnostic) bool { return d.Code == tokens.BadEncoding }) {
		p.file.Diagnostics = p.Errs
		return p.file, p.Errs.Err() // the text ends there: what is missing behind it is no mistake
	}
	p.parseFile()
	p.file.Diagnostics = p.Errs
	return p.file, p.Errs.Err()
}

// The parser stops at a mistake (tokens.Cursor); parseFile lets it go on behind the definition.
type parser struct {
	tokens.Cursor
	file   *File
	braces []int32 // by token, for closing; nil until it is needed
	// keyword has the keywords that were reported as names of actions.
	keyword map[string]bool
}

// closeBracket expects the bracket that closes the one at open, in a place of which the
// usual mistakes are known.
func (p *parser) closeBracket(symbol string, open Span, in place) {
	if p.Is(symbol) {
		p.Advance()
		return
	}
	if !p.Quiet && !p.Stopped {
		t := p.Tok()
		got := fmt.Sprintf("%q", t.Text)
		at := t.Span
		if t.Kind == EOF {
			got, at = "the end of the file", p.Prev()
		}
		d := p.Errs.Errorf(p.file.Place(at), "syntax", "expected %q, got %s", symbol, got)
		d.Help = p.slip(in)
		d.Related = []source.Related{{Span: p.file.Place(open), Message: "opened here"}}
	}
	p.Halt()
}

func (p *parser) upper(what string) Name {
	t := p.Tok()
	if t.Kind != Upper {
		help := ""
		switch {
		case t.Kind == Lower && p.Peek(1).Kind == Upper:
			help = fmt.Sprintf("there is no word before a name: leave out %q", t.Text)
		case t.Kind == Lower && what == "a parameter name" && p.Peek(1).Is("->"):
			help = `"=" is missing before the parenthesis: NAME = (a -> NAME)`
		case t.Kind == Lower:
			help = fmt.Sprintf("%s is written with a capital letter: %q", what, strings.ToUpper(t.Text[:1])+t.Text[1:])
		}
		p.Unexpected(what, help)
		return Name{Span: p.Prev()}
	}
	p.Advance()
	return Name{Text: t.Text, Span: t.Span}
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
	t, n := p.Tok(), p.Peek(1)
	switch {
	case t.Kind == EOF:
		return true
	case t.Kind == Keyword:
		// Not one that is used as an action: set -> P.
		return definitionKeywords[t.Text] && !(n.Kind == Symbol && strings.Contains("-> . [ | ) , } /", n.Text))
	case t.Is("||"):
		return n.Kind == Upper && p.headFollows(2)
	case t.Kind == Lower && t.Text == "ltl":
		return n.Kind == Upper && p.Peek(2).Is("=")
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
	switch t := p.Peek(n); {
	case t.Is("="), t.Is("@") && p.Peek(n+1).Is("="):
		return true
	case t.Is("("):
		return p.Peek(n+1).Kind == Upper && p.Peek(n+2).Is("=")
	case t.Is("{"):
		end := p.closing(p.At + n)
		return end > 0 && end-p.At-n < maxStateLabels && p.Peek(end+1-p.At).Is("=")
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
			case t.Is("{"):
				open = append(open, i)
			case t.Is("}") && len(open) > 0:
				p.braces[open[len(open)-1]] = int32(i)
				open = open[:len(open)-1]
			}
		}
	}
	if end := int(p.braces[brace]); end < len(p.Tokens)-1 {
		return end
	}
	return 0
}

func (p *parser) anyDefinition() Definition {
	t := p.Tok()
	switch {
	case t.Kind == Upper:
		return p.process(Marks{})
	case t.Is("||"):
		return p.composite(Marks{})
	case t.Kind == Lower && t.Text == "ltl" && p.Peek(1).Kind != EOF:
		return p.ltl()
	case t.Kind == Lower && t.Text == "fair" && p.Peek(1).Kind != EOF:
		return p.fair()
	case t.Kind != Keyword:
	case t.Text == "const":
		p.Advance()
		d := &ConstDef{DefHead: DefHead{Name: p.upper("a constant name")}}
		p.Expect("=", "a constant is written const N = 3")
		d.Value = p.simpleExpr()
		return d
	case t.Text == "range":
		p.Advance()
		d := &RangeDef{DefHead: DefHead{Name: p.upper("a range name")}}
		p.Expect("=", "a range is written range R = 0..3")
		if p.Is("[") || p.Is("{") {
			p.Unexpected("a number", "a range is written range R = 0..3")
		}
		d.Lo = p.simpleExpr()
		if p.Is("...") {
			p.threeDots()
		}
		p.Expect("..", "a range is written LOW..HIGH, such as 0..3")
		d.Hi = p.simpleExpr()
		return d
	case t.Text == "set":
		p.Advance()
		d := &SetDef{DefHead: DefHead{Name: p.upper("a set name")}}
		p.Expect("=", "a set is written set S = {a, b, c}")
		if !p.Is("{") {
			p.Unexpected(`"{"`, "a set is written {a, b, c}")
		}
		d.Set = p.labelSet()
		return d
	case t.Text == "progress":
		return p.progress()
	case t.Text == "menu":
		p.Advance()
		d := &MenuDef{DefHead: DefHead{Name: p.upper("a menu name")}}
		p.Expect("=", "")
		d.Set = p.label()
		return d
	case t.Text == "animation":
		return p.animation()
	case t.Text == "import":
		p.Advance()
		d := &ImportDef{DefHead: DefHead{Name: p.upper("a process name")}}
		p.Expect("=", "")
		if p.Tok().Kind != String {
			p.Unexpected("a file name in quotes", `write import P = "p.aut"`)
		}
		d.Path = strings.Trim(p.Advance().Text, `"`)
		p.Accept(".") // LTSA takes it without; people write it
		return d
	case t.Text == "fluent":
		return p.fluent()
	case t.Text == "assert" || t.Text == "constraint":
		return p.assert()
	case definitionKeywords[t.Text]:
		return p.marked()
	}
	p.Unexpected("a definition", p.notADefinition())
	return nil
}

// misspelt suggests a keyword where a small word and NAME = stand, "lt X = ...",
// or "fiar strong ...".
func (p *parser) misspelt() string {
	if n := p.Peek(1); p.Tok().Kind == Lower && n.Kind == Lower && (n.Text == "strong" || n.Text == "weak") {
		return source.DidYouMean(p.Tok().Text, []string{"fair"})
	}
	if p.Tok().Kind != Lower || p.Peek(1).Kind != Upper || !p.Peek(2).Is("=") {
		return ""
	}
	return source.DidYouMean(p.Tok().Text, definingWords())
}

// marked reads the marks before a process or composite, which FSP wants in the
// order deterministic, minimal, compose, property; any order is accepted.
func (p *parser) marked() Definition {
	var m Marks
	for p.Tok().Kind == Keyword {
		switch p.Tok().Text {
		case "deterministic":
			m.Deterministic = true
		case "minimal":
			m.Minimal = true
		case "compose":
			m.Compose = true
		case "property":
			m.Property = true
		default:
			p.Unexpected("a process or a composite", "")
		}
		p.Advance()
	}
	if p.Is("||") {
		return p.composite(m)
	}
	return p.process(m)
}

func (p *parser) params(what string) []Param {
	if !p.Is("(") {
		return nil
	}
	open := p.Advance().Span
	var ps []Param
	for {
		n := p.upper("a parameter name")
		if !p.Is("=") {
			p.Unexpected(`"="`, fmt.Sprintf("a parameter of %s needs a default value: %s=1", what, n.Text))
		}
		p.Advance()
		value := p.expr()
		ps = append(ps, Param{n, value, n.To(value.Span)})
		if !p.Accept(",") {
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
	start := p.Tok().Span
	p.localHead(first)
	d.Locals = append(d.Locals, first)
	p.Expect("=", p.capitalKeyword(d.Name.Text))
	first.Body = p.body()
	first.Span = p.Since(start)
	for p.Accept(",") {
		if p.Is(".") || p.Tok().Kind == EOF {
			p.Unexpected("a local process", `nothing follows the last ",": a definition ends with "."`)
		}
		l := &LocalDef{Name: p.upper("the name of a local process")}
		p.localHead(l)
		p.Expect("=", "a local process is defined by NAME = ..., and the last one ends with a full stop")
		l.Body = p.body()
		l.Span = p.Since(l.Name.Span)
		d.Locals = append(d.Locals, l)
	}
	if p.Accept("+") {
		d.Extension = p.labelSet()
	}
	if p.Is("/") {
		d.Relabel = p.relabelling()
	}
	d.Hide = p.hiding()
	p.endOfProcess()
	return d
}

// endOfProcess expects the full stop, and says what is most often meant where
// something else stands.
func (p *parser) endOfProcess() {
	if p.Is(".") {
		p.Advance()
		return
	}
	help := "a process definition ends with a full stop"
	switch {
	case p.Is("|"):
		help = "alternatives stand in parentheses: (a -> P | b -> Q)"
	case p.Is("->"):
		help = "actions stand in parentheses: (a -> P)"
	case p.Is(";") && p.Peek(1).Kind == Upper && p.Peek(2).Is("["): // an indexed one is local
		help = `local processes are separated by ",", and the last one ends with "."`
	case p.Is(";"), p.Is(".."):
		help = `a process definition ends with one full stop and nothing else`
	case p.Is("-"), p.Is("\\"):
		help = `actions are hidden by \{a, b}; +{a, b} extends the alphabet`
	case p.Is("||"):
		help = "components stand in parentheses: ||C = (P || Q)"
	case p.At > 0 && strings.Contains("G F X", p.Tokens[p.At-1].Text):
		help = "a property is a process; a formula is declared by ltl NAME = G (a -> F b)"
	case p.Is(")"), p.Is("}"), p.Is("]"):
		help = fmt.Sprintf("this %q closes nothing: remove it, or open it before", p.Tok().Text)
	case p.misspelt() != "":
		help = p.misspelt()
	case p.Tok().Kind == Upper:
		help = `local processes are separated by ",", and the last one ends with "."`
	}
	if p.Tok().Kind != EOF && p.Tok().Newlines > 0 && p.definitionStarts() {
		// Only the full stop is missing: say so where it belongs and go on.
		if !p.Quiet {
			p.Errs.Errorf(p.file.Place(p.Prev()), "missing-full-stop", `"." is missing behind this definition`).Help =
				`a definition ends with "."; only local processes of one process are separated by ","`
		}
		return
	}
	p.Unexpected(`"."`, help)
}

// localHead reads the indices and state labels behind the name of a (local)
// process. Indices come first, so a brace begins the state labels.
func (p *parser) localHead(l *LocalDef) {
	l.HeadSpan = l.Name.Span
	l.Accept = p.Accept("@")
	p.Accept(".")
	if p.Is("[") || p.Tok().Kind == Lower {
		l.Index = p.labelParts(false)
	}
	if p.Is("{") {
		l.Labelled = true
		open := p.Advance().Span
		for !p.Is("}") {
			start := p.Tok().Span
			var s StateLabel
			if p.Accept("when") {
				s.Guard = p.expr()
			}
			s.Label = p.label()
			s.Span = p.Since(start)
			l.Labels = append(l.Labels, s)
			if !p.Accept(",") {
				break
			}
		}
		p.closeBracket("}", open, inSet)
		l.LabelsSpan = p.Since(open)
	}
	l.HeadSpan = p.Since(l.HeadSpan)
}

func (p *parser) body() *Body {
	p.Enter()
	defer p.Leave()
	b := &Body{}
	start := p.Tok().Span
	switch {
	case p.Accept("if"):
		b.Kind = BodyIf
		b.Cond = p.expr()
		p.Expect("then", "a condition is written if EXPRESSION then P else Q")
		b.Yes = p.body()
		if p.Accept("else") {
			b.No = p.body()
		}
	case p.Is("("):
		b.Kind = BodyChoice
		open := p.Advance().Span
		for {
			b.Choices = append(b.Choices, p.choice())
			if !p.Accept("|") {
				break
			}
		}
		p.closeBracket(")", open, inChoice)
	case p.Tok().Kind == Upper:
		p.bodyRef(b)
	default:
		help := ""
		if t := p.Tok(); t.Kind == Lower || t.Is("{") || t.Is("[") {
			help = "actions stand in parentheses: (a -> P)"
			if t.Is("{") {
				help += "; state labels stand before the =: P {p} = (a -> P)"
			}
		} else if t.Is("[]") || t.Is("<>") || t.Is("!") {
			help = "a formula is declared by ltl NAME = G (a -> F b), or assert NAME = [](a -> <>b)"
		} else if t.Is(".") || t.Is(",") {
			help = "the process that does nothing is STOP"
		}
		p.Unexpected(`a process: "(", "if" or a name`, help)
	}
	b.Span = p.Since(start)
	return b
}

// bodyRef reads P(3);Q;LOCAL[i][j].
func (p *parser) bodyRef(b *Body) {
	b.Kind = BodyRef
	for {
		start := p.Tok().Span
		n := p.upper("a process name")
		if p.Is("(") || p.Is(";") {
			ref := ProcessRef{Name: n, Args: p.args()}
			ref.Span = p.Since(start)
			b.Sequence = append(b.Sequence, ref)
			p.Expect(";", "only a process in a sequence P(3);Q has arguments; a local process has indices: P[3]")
			continue
		}
		b.Name = n
		break
	}
	for p.Is("[") {
		open := p.Advance().Span
		b.Index = append(b.Index, p.expr())
		p.closeBracket("]", open, inIndex)
	}
}

func (p *parser) args() []*Expr {
	if !p.Is("(") {
		return nil
	}
	open := p.Advance().Span
	args := []*Expr{p.expr()}
	for p.Accept(",") {
		args = append(args, p.expr())
	}
	p.closeBracket(")", open, inExpr)
	return args
}

func (p *parser) choice() *Choice {
	c := &Choice{}
	start := p.Tok().Span
	if p.Accept("when") {
		c.Guard = p.expr()
	}
	for {
		if p.Tok().Kind == Upper && len(c.Actions) > 0 && !p.labelThenArrow() || len(c.Actions) > 0 && (p.Is("(") || p.Is("if")) {
			break
		}
		if len(c.Actions) > 0 {
			p.behindArrow()
		} else {
			p.startOfChoice()
		}
		l := p.label()
		c.Actions = append(c.Actions, l)
		if !p.Is("->") {
			p.afterLabel(l, len(c.Actions) == 1)
			break
		}
		p.Advance()
	}
	c.Body = p.body()
	c.Span = p.Since(start)
	return c
}

// labelThenArrow reports whether an upper-case name begins a label (a set of
// actions) and not a process: whether "->" follows the label.
func (p *parser) labelThenArrow() bool {
	return p.try(func() bool {
		p.label()
		return p.Is("->")
	})
}

// try runs f as a look-ahead: without reporting errors and without advancing. It is
// false after a mistake.
func (p *parser) try(f func() bool) bool {
	if p.Stopped {
		return false
	}
	at, depth, quiet := p.At, p.Depth, p.Quiet
	p.Quiet = true
	ok := f() && !p.Stopped
	p.At, p.Depth, p.Quiet, p.Stopped = at, depth, quiet, false
	return ok
}

func (p *parser) hiding() *Hiding {
	start := p.Tok().Span
	if !p.Is("\\") && !p.Is("@") {
		return nil
	}
	h := &Hiding{Expose: p.Advance().Text == "@", Set: p.labelSet()}
	h.Span = p.Since(start)
	return h
}

// ranges reads one or more indices. Behind a forall the thing that is repeated
// may begin with an index too ([i]:P); only indices that range over something
// belong to the forall.
func (p *parser) ranges() []*Index {
	if !p.Is("[") {
		p.Unexpected(`"["`, "ranges are written [i:0..3]")
	}
	var is []*Index
	for p.Is("[") {
		if len(is) > 0 && p.try(func() bool { i := p.index(); return i.Variable.Text == "" && i.Expr != nil && !p.Is("[") }) {
			break
		}
		is = append(is, p.index())
	}
	return is
}

func (p *parser) optionalRanges() []*Index {
	if !p.Is("[") {
		return nil
	}
	return p.ranges()
}
