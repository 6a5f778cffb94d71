package tokens

import (
	"cmp"
	"fmt"

	"github.com/seltl/seltl/internal/source"
)

// MaxNesting bounds how deep a parser goes: far beyond what a person writes, and it keeps every
// recursion over a syntax tree shallow.
const MaxNesting = 500

// Cursor goes along the tokens of a text. A mistake stops it: from then on it sees the end of a text and
// reports nothing, so that every function of the parser that embeds it ends as it does there, with bad
// nodes for what is missing, and what was read before the mistake stays in the tree. The parser goes on
// where it clears Stopped.
type Cursor struct {
	Source *source.File
	Tokens []Token // the last one is EOF
	At     int
	Depth  int
	Errs   source.List
	Quiet  bool // nothing is reported: looking ahead, or reading again
	// Stopped: it stands at a mistake.
	Stopped bool
	// Begins reports whether the current token begins a definition.
	Begins func() bool
	// Advise, if not nil, is what to do about a token that is nowhere expected, or "".
	Advise func(t *Token) string

	stop Token // what a stopped cursor sees
}

// Tok returns the current token.
func (c *Cursor) Tok() *Token { return c.Peek(0) }

// Peek returns the nth token behind the current one, or the last.
func (c *Cursor) Peek(n int) *Token {
	if c.Stopped {
		return &c.stop
	}
	return &c.Tokens[min(c.At+n, len(c.Tokens)-1)]
}

// Before returns the token before the current one, an empty one if there is none.
func (c *Cursor) Before() *Token {
	if c.At == 0 {
		return &Token{}
	}
	return &c.Tokens[c.At-1]
}

// Advance returns the current token, and goes to the next one.
func (c *Cursor) Advance() *Token {
	t := c.Tok()
	if t.Kind != EOF {
		c.At++
	}
	return t
}

// Prev returns the place of the token before the current one. Nodes that are not complete reach to the
// mistake.
func (c *Cursor) Prev() Span {
	if c.Stopped {
		return c.stop.Span
	}
	return c.Before().Span
}

// Since returns the span of a node from its first token to the last one that was read. If the first one
// was none of it, the node is missing, and has the gap.
func (c *Cursor) Since(first Span) Span {
	if end := c.Prev(); first.Start < end.End {
		return first.To(end)
	}
	return c.Prev()
}

// Halt stops the cursor. What is missing is missing in the gap before the current token.
func (c *Cursor) Halt() {
	if c.Stopped {
		return
	}
	next := c.Tok().Start
	gap := Span{next, next}
	if c.At > 0 {
		gap.Start = c.Before().End
	}
	c.Stopped, c.stop = true, Token{Kind: EOF, Span: gap}
}

// Is reports whether the current token is a symbol or a keyword.
func (c *Cursor) Is(symbol string) bool {
	t := c.Tok()
	return (t.Kind == Symbol || t.Kind == Keyword) && t.Text == symbol
}

// Accept takes a symbol or a keyword, if it is there.
func (c *Cursor) Accept(symbol string) bool {
	if c.Is(symbol) {
		c.Advance()
		return true
	}
	return false
}

// Expect takes a symbol or a keyword; that it is not there is a mistake.
func (c *Cursor) Expect(symbol, help string) *Token {
	if !c.Is(symbol) {
		c.Unexpected(fmt.Sprintf("%q", symbol), help)
	}
	return c.Advance()
}

// Fail reports a mistake, and stops.
func (c *Cursor) Fail(at Span, code, help, format string, args ...any) {
	if !c.Quiet && !c.Stopped {
		c.Errs.Errorf(c.Source.Span(int(at.Start), int(at.End)), code, format, args...).Help = help
	}
	c.Halt()
}

// Unexpected reports that something else was expected here.
func (c *Cursor) Unexpected(want, help string) {
	if c.Stopped {
		return
	}
	t := c.Tok()
	got, at := fmt.Sprintf("%q", t.Text), t.Span
	if c.Advise != nil {
		help = cmp.Or(c.Advise(t), help)
	}
	switch {
	case t.Kind == EOF:
		got = "the end of the file"
		if c.At > 0 {
			at = c.Prev() // the end of the text is a poor place for a caret
		}
	case c.At > 0 && t.Newlines > 0 && c.Begins():
		at, got = c.Prev(), "the next definition" // which has nothing to do with it
	case t.Kind == String:
		got = "a string"
	case t.Kind == Keyword:
		got = fmt.Sprintf("the keyword %q", t.Text)
	}
	c.Fail(at, "syntax", help, "expected %s, got %s", want, got)
}

// Enter begins a node that may contain nodes of its kind; Leave ends it.
func (c *Cursor) Enter() {
	if c.Depth++; c.Depth > MaxNesting {
		c.Fail(c.Tok().Span, "too-deep", "split the definition", "nested more than %d levels deep", MaxNesting)
	}
}

// Leave ends what Enter has begun.
func (c *Cursor) Leave() { c.Depth-- }
