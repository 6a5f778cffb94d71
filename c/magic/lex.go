package magic

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
)

// symbols of the language and of C and formulas, which stand inside of it; longest first where one is
// a prefix of another.
var symbols = []string{
	"...", "<<=", ">>=", "/\\", "\\/",
	"->", "..", "::", ":=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"(", ")", "{", "}", "[", "]", ",", ".", ";", ":", "=", "|", "&", "^", "+", "-", "*", "/", "%",
	"<", ">", "!", "?", "~", "\\",
}

// lexer splits a file into tokens and comments. It and the parser work as those of
// lks/fsp/syntax do, on purpose without sharing code: tokens, trees and positions are public
// and each language's own, and what a mistake may have meant is most of the text of both.
type lexer struct {
	src      *source.File
	text     string
	pos      int
	newlines int // since the last token or comment
	tokens   []Token
	comments []Comment
	errs     source.List
	// strangers are the characters that were reported.
	strangers map[rune]bool
}

// maxLexErrors bounds how many bad characters are reported one by one.
const maxLexErrors = 10

// lex returns the tokens of src, ending in EOF, and its comments. Characters that begin no
// token are reported and left out.
func lex(src *source.File) ([]Token, []Comment, source.List) {
	l := &lexer{src: src, text: src.Text(), strangers: map[rune]bool{}}
	if strings.HasPrefix(l.text, "\ufeff") {
		l.pos = len("\ufeff") // a byte order mark, as some editors write it
	}
	for l.pos < len(l.text) && len(l.errs) < maxLexErrors {
		l.next()
	}
	end := int32(len(l.text))
	l.tokens = append(l.tokens, Token{Kind: EOF, Span: Span{end, end}, Newlines: int32(l.newlines)})
	return l.tokens, l.comments, l.errs
}

func (l *lexer) next() {
	c, rest := l.text[l.pos], l.text[l.pos:]
	switch {
	case c == '\n':
		l.newlines++
		l.pos++
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
	case strings.HasPrefix(rest, "//"):
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		l.comment(l.pos+end, true)
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			l.errs.Errorf(l.src.Span(l.pos, l.pos+2), "unclosed-comment", "comment is never closed").Help = "close it with */"
			l.pos = len(l.text)
			return
		}
		l.comment(l.pos+2+end+2, false)
	case isLetter(c):
		l.add(Word, len(rest)-len(strings.TrimLeftFunc(rest, isNameRune)))
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		l.number(rest)
	case c == '"' || c == '\'':
		l.quoted(rest)
	case c == '$':
		l.dollar(rest)
	default:
		l.symbol(rest)
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameRune(r rune) bool { return r < utf8.RuneSelf && (isLetter(byte(r)) || isDigit(byte(r))) }

// add makes a token of the next bytes.
func (l *lexer) add(k TokenKind, length int) {
	end := l.pos + length
	l.tokens = append(l.tokens, Token{
		Kind: k, Span: Span{int32(l.pos), int32(end)}, Text: l.text[l.pos:end], Newlines: int32(l.newlines),
	})
	l.pos, l.newlines = end, 0
}

// comment is that of lks/fsp/syntax for the comments of this language, whose public type
// is its own (see Format).
func (l *lexer) comment(end int, line bool) {
	text := strings.TrimRight(l.text[l.pos:end], " \t\r")
	l.comments = append(l.comments, Comment{
		Text:     text,
		Span:     Span{int32(l.pos), int32(l.pos + len(text))},
		Before:   len(l.tokens),
		Newlines: l.newlines,
		OwnLine:  l.newlines > 0 || len(l.tokens) == 0 && len(l.comments) == 0,
		Line:     line,
	})
	l.pos, l.newlines = end, 0
}

// number reads a preprocessing number of C, which has all that belongs to one (signs of
// exponents too), but not the dots of a range: 0..3.
func (l *lexer) number(rest string) {
	end := 1
	for end < len(rest) {
		c := rest[end]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", rest[end-1]) >= 0 && !strings.HasPrefix(rest, "0x") && !strings.HasPrefix(rest, "0X")
		dot := c == '.' && !strings.HasPrefix(rest[end:], "..")
		if !isLetter(c) && !isDigit(c) && !sign && !dot {
			break
		}
		end++
	}
	l.add(Number, end)
}

// quoted reads a string or a character of C.
func (l *lexer) quoted(rest string) {
	for end := 1; end < len(rest) && rest[end] != '\n'; end++ {
		switch rest[end] {
		case '\\':
			end++
		case rest[0]:
			l.add(String, end+1)
			return
		}
	}
	what := "string"
	if rest[0] == '\'' {
		what = "character"
	}
	// What follows is read as if the quote were not there.
	l.errs.Errorf(l.src.Span(l.pos, l.pos+1), "unclosed-string", "%s is never closed", what).Help =
		fmt.Sprintf("close it with %c on the same line", rest[0])
	l.pos++
}

func (l *lexer) dollar(rest string) {
	end := 1
	for end < len(rest) && isDigit(rest[end]) {
		end++
	}
	if end == 1 || end > 4 {
		l.errs.Errorf(l.src.Span(l.pos, l.pos+end), "bad-dollar", "no argument is called %s", rest[:end]).Help =
			"$1 is the first argument of a procedure, $2 the second; $0 is its result"
		l.pos += end
		return
	}
	l.add(Dollar, end)
}

func (l *lexer) symbol(rest string) {
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.add(Symbol, len(s))
			return
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	span := l.src.Span(l.pos, l.pos+size)
	l.pos += size
	switch {
	case r == utf8.RuneError && size == 1:
		l.errs.Errorf(span, badEncoding, "invalid UTF-8 (byte 0x%02x)", rest[0]).Help = "save the file as UTF-8"
		l.pos = len(l.text)
	case unicode.IsControl(r):
		l.errs.Errorf(span, badEncoding, "this is not a text: it has the control character %q", r).Help = "name a .spec file"
		l.pos = len(l.text)
	default:
		l.strange(r, span)
	}
}

const badEncoding = "bad-encoding"

// strange reports a character that begins no token, where it is met first.
func (l *lexer) strange(r rune, span source.Span) {
	plain := plainSymbols[r]
	if plain != "" {
		// As if it had been written, so that this remains the only message about it.
		l.pos = span.Start
		l.add(Symbol, span.End-span.Start)
		l.tokens[len(l.tokens)-1].Text = plain
	}
	if l.strangers[r] {
		return // every further one would say the same
	}
	l.strangers[r] = true
	d := l.errs.Errorf(span, "bad-character", "unexpected character %q", r)
	switch {
	case plain != "":
		d.Help = fmt.Sprintf("write %s", plain)
	case slices.Contains([]rune("“”‘’"), r):
		d.Help = `use plain quotes: " or '`
	case r == '@':
		d.Help = "there is nothing that is written with @"
	case r == '#':
		d.Help = "a constant is written const N = 3; what the program defines is known in C expressions"
	default:
		d.Help = "names consist of letters, digits and _"
	}
}

// plainSymbols are what word processors make of symbols.
var plainSymbols = map[rune]string{'→': "->", '≔': ":=", '∧': "&&", '∨': "||", '¬': "!", '≤': "<=", '≥': ">=", '≠': "!=", '…': "..", '–': "-", '−': "-"}
