package tokens

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
)

// Lexer takes a text apart. Blanks, comments (// and /* */), symbols and strange characters are the
// same in all languages; the others are the language's.
type Lexer struct {
	Source *source.File
	// Symbols of the language, longest first where one is a prefix of another.
	Symbols []string
	// Plain are the symbols that word processors make something else of, by that.
	Plain map[rune]string
	// Own takes what is the language's at the current place, by Add or Skip; false: nothing is. The
	// rest of the text is not empty.
	Own func(rest string) bool
	// Help is what to do about a character that begins no token.
	Help func(r rune) string
	// Files says which are read ("a .spec file").
	Files string

	Tokens   []Token
	Comments []Comment
	Errs     source.List

	text      string
	pos       int
	newlines  int // since the last token or comment
	strangers map[rune]bool
}

// maxLexErrors bounds how many bad characters are reported one by one.
const maxLexErrors = 10

// BadEncoding is the code of messages about what is no text. It ends there.
const BadEncoding = "bad-encoding"

// Run fills in Tokens, which end in EOF, Comments, and Errs: characters that begin no token are reported
// and left out.
func (l *Lexer) Run() {
	l.text, l.strangers = l.Source.Text(), map[rune]bool{}
	if strings.HasPrefix(l.text, "\ufeff") {
		l.pos = len("\ufeff") // a byte order mark, as some editors write it
	}
	for l.pos < len(l.text) && len(l.Errs) < maxLexErrors {
		l.next()
	}
	end := int32(len(l.text))
	l.Tokens = append(l.Tokens, Token{Kind: EOF, Span: Span{end, end}, Newlines: int32(l.newlines)})
}

func (l *Lexer) next() {
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
		l.comment(end, true)
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			l.Errorf(2, "unclosed-comment", "comment is never closed").Help = "close it with */"
			l.pos = len(l.text)
			return
		}
		l.comment(2+end+2, false)
	default:
		if !l.Own(rest) {
			l.symbol(rest)
		}
	}
}

// IsLetter reports whether a byte begins names: an ASCII letter or an underscore.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// WordLength measures the letters and digits at the beginning of a text.
func WordLength(rest string) int {
	n := 0
	for n < len(rest) && (IsLetter(rest[n]) || IsDigit(rest[n])) {
		n++
	}
	return n
}

// Add makes a token of the next bytes. It is valid until the next one is made.
func (l *Lexer) Add(k Kind, length int) *Token {
	end := l.pos + length
	l.Tokens = append(l.Tokens, Token{
		Kind: k, Span: Span{int32(l.pos), int32(end)}, Text: l.text[l.pos:end], Newlines: int32(l.newlines),
	})
	l.pos, l.newlines = end, 0
	return &l.Tokens[len(l.Tokens)-1]
}

// Skip leaves out the next bytes, which were reported.
func (l *Lexer) Skip(length int) { l.pos += length }

// Errorf reports what is wrong with the next bytes.
func (l *Lexer) Errorf(length int, code, format string, args ...any) *source.Diagnostic {
	return l.Errs.Errorf(l.Source.Span(l.pos, l.pos+length), code, format, args...)
}

func (l *Lexer) comment(length int, line bool) {
	text := strings.TrimRight(l.text[l.pos:l.pos+length], " \t\r")
	l.Comments = append(l.Comments, Comment{
		Text:     text,
		Span:     Span{int32(l.pos), int32(l.pos + len(text))},
		Before:   len(l.Tokens),
		Newlines: l.newlines,
		OwnLine:  l.newlines > 0 || len(l.Tokens) == 0 && len(l.Comments) == 0,
		Line:     line,
	})
	l.pos, l.newlines = l.pos+length, 0
}

func (l *Lexer) symbol(rest string) {
	for _, s := range l.Symbols {
		if strings.HasPrefix(rest, s) {
			l.Add(Symbol, len(s))
			return
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == utf8.RuneError && size == 1:
		l.Errorf(size, BadEncoding, "invalid UTF-8 (byte 0x%02x)", rest[0]).Help = "save the file as UTF-8"
		l.pos = len(l.text)
	case unicode.IsControl(r):
		l.Errorf(size, BadEncoding, "this is not a text: it has the control character %q", r).Help = "name " + l.Files
		l.pos = len(l.text)
	default:
		l.strange(r, size)
	}
}

// strange reports a character that begins no token, where it is met first: every further one would
// say the same.
func (l *Lexer) strange(r rune, size int) {
	if !l.strangers[r] {
		l.strangers[r] = true
		d := l.Errorf(size, "bad-character", "unexpected character %q", r)
		switch plain := l.Plain[r]; {
		case plain != "":
			d.Help = fmt.Sprintf("write %s", plain)
		case slices.Contains([]rune("“”‘’"), r):
			d.Help = `use plain quotes: " or '`
		default:
			d.Help = l.Help(r)
		}
	}
	if plain := l.Plain[r]; plain != "" {
		// As if it had been written, so that this remains the only message about it.
		l.Add(Symbol, size).Text = plain
		return
	}
	l.Skip(size)
}
