// Package token splits texts of the languages of programs into tokens; it leaves terms and
// formulas to package logic.
package token

import (
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Lexer is at a token of a text. The zero value with a File is before the first one.
type Lexer struct {
	File    *source.File
	Comment string // that starts a comment to the end of the line
	At      int    // behind Tok
	Start   int    // of Tok
	Last    int    // behind the token before it
	Tok     string // "" at the end
	Errs    source.List
}

// Next goes on to the next token.
func (l *Lexer) Next() {
	l.Last = l.At
	text := l.File.Text()
	n, open := tokens.Skip(text[l.At:], l.Comment)
	if l.At += n; open {
		l.Errs.Errorf(l.File.Span(l.At, l.At+2), "syntax", "comment is never closed")
		l.At = len(text)
	}
	l.Start = l.At
	if l.At >= len(text) {
		l.Tok = ""
		return
	}
	n = tokenLength(text[l.At:])
	l.Tok = text[l.At : l.At+n]
	l.At += n
}

// tokenLength measures a word, a quoted atom, or an operator.
func tokenLength(rest string) int {
	for _, op := range []string{":-", "->", ":="} {
		if strings.HasPrefix(rest, op) {
			return len(op)
		}
	}
	if rest[0] == '\'' {
		if end := strings.IndexByte(rest[1:], '\''); end >= 0 {
			return end + 2
		}
	}
	n := 0
	for n < len(rest) && IsWord(rest[n]) {
		n++
	}
	return max(n, 1)
}

// IsWord reports whether a byte may be in a word.
func IsWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// Span is the place of the token.
func (l *Lexer) Span() source.Span { return l.File.Span(l.Start, l.At) }

// Found is the token for a message.
func (l *Lexer) Found() string {
	if l.Tok == "" {
		return "end of text"
	}
	return "\"" + l.Tok + "\""
}

// Expect takes a token or reports that it is missing.
func (l *Lexer) Expect(tok string) bool {
	if l.Tok == tok {
		l.Next()
		return true
	}
	l.Errs.Errorf(l.Span(), "syntax", "expected %q, found %s", tok, l.Found())
	return false
}

// Take takes a token if it is there.
func (l *Lexer) Take(tok string) bool {
	if l.Tok == tok {
		l.Next()
		return true
	}
	return false
}

// Name takes a word that starts with a letter or underscore.
func (l *Lexer) Name(what string) (string, source.Span, bool) {
	span := l.Span()
	if l.Tok == "" || !IsWord(l.Tok[0]) || l.Tok[0] >= '0' && l.Tok[0] <= '9' {
		l.Errs.Errorf(span, "syntax", "expected %s, found %s", what, l.Found())
		return "", span, false
	}
	name := l.Tok
	l.Next()
	return name, span, true
}
