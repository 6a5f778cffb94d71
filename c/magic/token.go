package magic

// TokenKind is the kind of a token.
type TokenKind uint8

const (
	EOF    TokenKind = iota
	Word             // a name or keyword
	Number           // as in C: 12, 0x1F, 3UL, 1.5
	String           // "..." or '...', as in C
	Dollar           // $1
	Symbol           // everything else: the text is the symbol
)

// Token is one token; its text is that of the span.
type Token struct {
	Kind TokenKind
	Span
	Text string
	// Newlines counts the line ends between the previous token or comment and this one,
	// for the layout and for going on behind mistakes.
	Newlines int32
}

// Comment is a comment with the number of the token that follows it. Its text and span
// are without blanks at the end.
type Comment struct {
	Text string
	Span
	Before   int  // index of the next token
	Newlines int  // line ends between it and what precedes it
	OwnLine  bool // nothing else stands before it on its line
	Line     bool // a // comment: the line ends with it
}
