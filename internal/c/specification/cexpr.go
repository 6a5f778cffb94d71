package specification

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// endsC are the symbols that end a C expression outside of brackets.
var endsC = []string{",", ";", ")", "]", "}", ":="}

// closers are the brackets of C.
var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// effects are the operators of C that change something; noC stand in no expression of C.
var (
	effects = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}
	noC     = []string{":=", "::", "..", "...", ";", "\\", "/\\", "\\/"}
)

// cexpr reads a C expression up to what ends it, which it leaves. result says whether $0
// may stand in it.
func (p *parser) cexpr(what string, result bool) *CExpr {
	start := p.Tok().Span
	e := &CExpr{}
	var open []*Token
	for !p.Stopped {
		t := p.Tok()
		if len(open) == 0 && t.Kind == Symbol && slices.Contains(endsC, t.Text) || t.Kind == EOF || p.blockStarts() ||
			len(open) == 0 && p.statementStarts() {
			break
		}
		if open = p.cbracket(open, t); p.Stopped {
			break
		}
		p.ctoken(t, e, result)
		p.Advance()
	}
	if len(open) > 0 && !p.Stopped {
		p.neverClosed(open[len(open)-1])
	}
	if !p.Stopped && p.Tok().Start == start.Start {
		p.Unexpected(what, "")
	}
	e.Bad = p.Stopped
	e.Span = p.Since(start)
	e.Text = p.file.Place(e.Span).Text()
	return e
}

// ParseExpr reads a C expression, which must be all of a part of a file that is in another
// language; $1 is an argument in it, $0 a result if there is one. Spans are those of the file.
// The error is Diagnostics.
func ParseExpr(at source.Span, result bool) (*CExpr, error) {
	around := func(r rune) rune { // what is around it is as many blanks
		if r == '\n' {
			return r
		}
		return ' '
	}
	text := at.File.Text()
	blank := func(s string) string {
		if strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
			return strings.Repeat(" ", len(s))
		}
		return strings.Map(around, s)
	}
	l := lex(source.NewFile(at.File.Name(), blank(text[:at.Start])+at.Text()+blank(text[at.End:])))
	for i := range l.Errs {
		l.Errs[i].Span.File = at.File
	}
	p := newParser(at.File, l)
	e := p.cexpr("a C expression", result)
	if p.Tok().Kind != EOF {
		p.Unexpected("the end of the expression", "")
	}
	p.Errs.Sort()
	return e, p.Errs.Err()
}

// cbracket returns the brackets that are open behind a token.
func (p *parser) cbracket(open []*Token, t *Token) []*Token {
	if t.Kind != Symbol {
		return open
	}
	if closers[t.Text] != "" {
		return append(open, t)
	}
	if t.Text != ")" && t.Text != "]" && t.Text != "}" && t.Text != ";" {
		return open
	}
	if last := open[len(open)-1]; closers[last.Text] != t.Text {
		p.neverClosed(last)
		return nil
	}
	return open[:len(open)-1]
}

func (p *parser) neverClosed(open *Token) {
	p.Fail(open.Span, "unclosed-bracket", fmt.Sprintf("close it with %q", closers[open.Text]), "%q is never closed in this C expression", open.Text)
}

// ctoken looks at a token of a C expression.
func (p *parser) ctoken(t *Token, e *CExpr, result bool) {
	switch {
	case t.Kind == Dollar:
		number, _ := strconv.Atoi(t.Text[1:]) // at most three digits
		if number == 0 && !result {
			p.Fail(t.Span, "no-result", "$1 is the first argument", "there is no result $0 here, only in return {...}")
		}
		e.Words = append(e.Words, CWord{Number: number, Span: t.Span})
	case t.Kind == Word:
		if before := p.Before(); !before.Is(".") && !before.Is("->") {
			e.Words = append(e.Words, CWord{Text: t.Text, Span: t.Span})
		}
	case t.Kind != Symbol:
	case slices.Contains(effects, t.Text):
		help := "a condition changes nothing"
		if t.Text == "=" {
			help = "to compare, write ==; a transition that assigns is written {v := 1} -> S"
		}
		p.Fail(t.Span, "side-effect", help, "there is no operator %q here", t.Text)
	case slices.Contains(noC, t.Text):
		p.Fail(t.Span, "syntax", "", "there is no operator %q in C", t.Text)
	}
}

// Replace returns the text of the expression with other texts in place of some of its
// words: those for which with reports true.
func (e *CExpr) Replace(with func(CWord) (string, bool)) string {
	var b strings.Builder
	at := e.Start
	for _, w := range e.Words {
		if text, ok := with(w); ok {
			b.WriteString(e.Text[at-e.Start : w.Start-e.Start])
			b.WriteString(text)
			at = w.End
		}
	}
	b.WriteString(e.Text[at-e.Start:])
	return b.String()
}

// Dollars returns the numbers i of the $i in the expression, sorted, each once.
func (e *CExpr) Dollars() []int {
	var numbers []int
	for _, w := range e.Words {
		if w.Text == "" {
			numbers = append(numbers, w.Number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// number reads a number of an index or a constant.
func (p *parser) number() *Expr {
	t := p.Advance()
	value, err := strconv.ParseInt(t.Text, 0, 32)
	switch {
	case err == nil:
	case len(t.Text) > 1 && t.Text[0] == '0' && tokens.IsDigit(t.Text[1]):
		p.Fail(t.Span, "bad-number", "a number that begins with 0 is octal, as in C", "bad digit in the octal number %s", t.Text)
	case strings.ContainsAny(t.Text, ".eEuUlLpP") && !strings.HasPrefix(t.Text, "0x"):
		p.Fail(t.Span, "bad-number", "", "indices and constants are integers, and %s is none", t.Text)
	default:
		p.Fail(t.Span, "bad-number", "numbers have 32 bits: at most 2147483647", "bad number %s", t.Text)
	}
	return &Expr{Op: OpNumber, Text: t.Text, Value: int32(value), Span: t.Span}
}

// binaryLevels lists the binary operators of indices from the loosest to the tightest.
var binaryLevels = []tokens.Level[Op]{
	{{"+", OpAdd}, {"-", OpSub}},
	{{"*", OpMul}, {"/", OpDiv}, {"%", OpMod}},
}

func (p *parser) expr() *Expr {
	return tokens.Binary(&p.Cursor, binaryLevels, p.unary, func(op Op, left, right *Expr) *Expr {
		return &Expr{Op: op, Left: left, Right: right, Span: left.To(right.Span)}
	})
}

func (p *parser) unary() *Expr {
	p.Enter()
	defer p.Leave()
	t := p.Tok()
	start := t.Span
	switch {
	case p.Accept("-"):
		e := &Expr{Op: OpNeg, Left: p.unary()}
		e.Span = p.Since(start)
		return e
	case p.Accept("("):
		e := *p.expr()
		p.closeBracket(")", start, "")
		e.Span = p.Since(start)
		return &e
	case t.Kind == Number:
		return p.number()
	case t.Kind == Word:
		p.Advance()
		return &Expr{Op: OpName, Text: t.Text, Span: start}
	}
	p.Unexpected("a number or a name", "")
	return &Expr{Span: p.Prev()}
}

// closeBracket expects the bracket that closes the one at open.
func (p *parser) closeBracket(symbol string, open Span, help string) {
	if p.Accept(symbol) || p.Stopped {
		return
	}
	t := p.Tok()
	got, at := fmt.Sprintf("%q", t.Text), t.Span
	switch {
	case t.Kind == EOF:
		got, at = "the end of the file", p.Prev()
	case t.Newlines > 0 && p.definitionStarts():
		got, at = "the next definition", p.Prev()
	}
	d := p.Errs.Errorf(p.file.Place(at), "syntax", "expected %q, got %s", symbol, got)
	d.Help = help
	d.Related = []source.Related{{Span: p.file.Place(open), Message: "opened here"}}
	p.Halt()
}
