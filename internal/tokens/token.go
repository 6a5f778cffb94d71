// Package tokens is the frame of the small languages: it takes a text apart into tokens and comments
// with their places, which a formatter lays out (internal/layout), and goes along them for a parser
// that stops at a mistake. What is a token, and what a mistake may have meant, each language says. Parsers that
// read a text as they go (formulas, terms, systems) have Skip of it.
package tokens

// Span is a half-open range of bytes of a text. Every node of a syntax tree has one, so it is small;
// the file makes of it a position that people read.
type Span struct{ Start, End int32 }

// To returns the span from the beginning of s to the end of t.
func (s Span) To(t Span) Span { return Span{s.Start, t.End} }

// Extent returns the span itself: what embeds one is a Node.
func (s Span) Extent() Span { return s }

// Node is a part of a syntax tree. The span of a node contains those of its children.
type Node interface{ Extent() Span }

// Kind is the kind of a token. A language has some of them.
type Kind uint8

const (
	EOF     Kind = iota
	Word         // a name or keyword
	Upper        // a name that begins with a capital letter, where that makes a difference
	Lower        // another name, where that makes a difference
	Number       // 12, 0x1F
	String       // "..."
	Keyword      // a word that is no name
	Dollar       // $1
	Symbol       // everything else: the text is the symbol
)

// Token is one token; its text is that of the span.
type Token struct {
	Kind Kind
	Span
	Text  string
	Value int32 // of a number, where the language has a use for it
	// Newlines counts the line ends between the previous token or comment and this one,
	// for the layout and for going on behind mistakes.
	Newlines int32
}

// Is reports whether a token is that symbol.
func (t *Token) Is(symbol string) bool { return t.Kind == Symbol && t.Text == symbol }

// Comment is a comment with the number of the token that follows it. Its text and span are without
// blanks at the end.
type Comment struct {
	Text string
	Span
	Before   int  // index of the next token
	Newlines int  // line ends between it and what precedes it
	OwnLine  bool // nothing else stands before it on its line
	Line     bool // a // comment: the line ends with it
}
