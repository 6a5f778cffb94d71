package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
)

// TokenKind is the kind of a token.
type TokenKind uint8

const (
	EOF     TokenKind = iota
	Upper             // process, constant, range, set, ... name
	Lower             // action name, index variable
	Number            // 12, 0x1F, 010 (octal)
	String            // "..."
	Keyword           // const, range, when, ...
	Symbol            // everything else: the text is the symbol
)

// Token is one token; its text is that of the span.
type Token struct {
	Kind TokenKind
	Span
	Text  string
	Value int32 // of a number
	// Newlines counts the line ends between the previous token or comment and this
	// one, for the formatter and for error recovery.
	Newlines int32
}

// Comment is a comment with the number of the token that follows it. Its text and
// span are without blanks at the end.
type Comment struct {
	Text string
	Span
	Before   int  // index of the next token
	Newlines int  // line ends between it and what precedes it
	OwnLine  bool // nothing else stands before it on its line
	Line     bool // a // comment: the line ends with it
}

var keywords = map[string]bool{
	"const": true, "range": true, "set": true, "property": true, "progress": true, "menu": true,
	"animation": true, "actions": true, "controls": true, "target": true, "import": true,
	"if": true, "then": true, "else": true, "forall": true, "when": true,
	"deterministic": true, "minimal": true, "compose": true, "assert": true, "fluent": true,
	"constraint": true, "exists": true, "rigid": true, "initially": true,
}

// symbols, longest first where one is a prefix of another.
var symbols = []string{
	"<->", "...", "[]", "<>", "->", "=>", "..", "::", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>",
	"(", ")", "{", "}", "[", "]", ",", ".", ";", ":", "=", "|", "&", "^", "+", "-", "*", "/", "%",
	"<", ">", "!", "?", "\\", "@", "#", "'", "~",
}

// IsNameByte reports whether names may contain a byte.
func IsNameByte(c byte) bool { return isLetter(c) || isDigit(c) }

// IsActionName reports whether a word is read as the name of an action: no keyword,
// beginning with a small letter or an underscore.
func IsActionName(word string) bool {
	if word == "" || isDigit(word[0]) || word[0] >= 'A' && word[0] <= 'Z' || keywords[word] {
		return false
	}
	for _, c := range []byte(word) {
		if !IsNameByte(c) {
			return false
		}
	}
	return true
}

// Keywords returns the reserved words, sorted.
func Keywords() []string { return slices.Sorted(maps.Keys(keywords)) }

// lexer splits a file into tokens and comments.
type lexer struct {
	src      *source.File
	text     string
	pos      int
	newlines int // since the last token or comment
	tokens   []Token
	comments []Comment
	errs     source.List
}

// maxLexErrors bounds how many bad characters are reported one by one.
const maxLexErrors = 10

// lex returns the tokens of src, ending in tEOF, and its comments. Characters
// that begin no token are reported and left out.
func lex(src *source.File) ([]Token, []Comment, source.List) {
	l := &lexer{src: src, text: src.Text()}
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
	c := l.text[l.pos]
	switch {
	case c == '\n':
		l.newlines++
		l.pos++
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
	case strings.HasPrefix(l.text[l.pos:], "//"):
		end := strings.IndexByte(l.text[l.pos:], '\n')
		if end < 0 {
			end = len(l.text) - l.pos
		}
		l.addComment(l.pos+end, true)
	case strings.HasPrefix(l.text[l.pos:], "/*"):
		l.blockComment()
	case isLetter(c):
		l.word()
	case c >= '0' && c <= '9':
		l.number()
	case c == '"':
		l.stringLiteral()
	default:
		l.symbol()
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) add(k TokenKind, end int) *Token {
	l.tokens = append(l.tokens, Token{
		Kind: k, Span: Span{int32(l.pos), int32(end)}, Text: l.text[l.pos:end], Newlines: int32(l.newlines),
	})
	l.pos, l.newlines = end, 0
	return &l.tokens[len(l.tokens)-1]
}

func (l *lexer) addComment(end int, line bool) {
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

func (l *lexer) blockComment() {
	end := strings.Index(l.text[l.pos+2:], "*/")
	if end < 0 {
		d := l.errs.Errorf(l.src.Span(l.pos, l.pos+2), "unclosed-comment", "comment is never closed")
		d.Help = "close it with */"
		l.pos = len(l.text)
		return
	}
	l.addComment(l.pos+2+end+2, false)
}

func (l *lexer) word() {
	end := l.pos
	for end < len(l.text) && IsNameByte(l.text[end]) {
		end++
	}
	k := Lower
	switch word := l.text[l.pos:end]; {
	case keywords[word]:
		k = Keyword
	case word[0] >= 'A' && word[0] <= 'Z':
		k = Upper
	}
	l.add(k, end)
}

// number reads a decimal, hexadecimal or (leading 0) octal number. Numbers are
// 32 bits wide, as in LTSA.
func (l *lexer) number() {
	base, digits := int64(10), l.pos
	if strings.HasPrefix(l.text[l.pos:], "0x") || strings.HasPrefix(l.text[l.pos:], "0X") {
		base, digits = 16, l.pos+2
	} else if l.text[l.pos] == '0' {
		base = 8
	}
	value, overflow, bad := int64(0), false, false
	end := digits
	for ; end < len(l.text); end++ {
		d := digitValue(l.text[end])
		if d < 0 || base != 16 && d > 9 {
			break
		}
		bad = bad || int64(d) >= base
		if value = value*base + int64(d); value > 1<<31-1 {
			value, overflow = 0, true
		}
	}
	empty := end == digits
	t := l.add(Number, end)
	t.Value = int32(value)
	span := l.src.Span(int(t.Start), int(t.End))
	switch {
	case bad:
		d := l.errs.Errorf(span, "bad-number", "bad digit in the octal number %s", t.Text)
		d.Help = "a number that begins with 0 is octal, as in LTSA: leave out the leading 0 for a decimal number"
	case empty:
		l.errs.Errorf(span, "bad-number", "hexadecimal digits missing after %s", t.Text)
	case overflow:
		d := l.errs.Errorf(span, "bad-number", "number %s is too large", t.Text)
		d.Help = "numbers have 32 bits: at most 2147483647"
	}
}

func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func (l *lexer) stringLiteral() {
	end := strings.IndexAny(l.text[l.pos+1:], "\"\n")
	if end < 0 || l.text[l.pos+1+end] == '\n' {
		if end < 0 {
			end = len(l.text) - l.pos - 1
		}
		d := l.errs.Errorf(l.src.Span(l.pos, l.pos+1+end), "unclosed-string", "string is never closed")
		d.Help = `close it with " on the same line`
		l.pos += 1 + end
		return
	}
	l.add(String, l.pos+1+end+1)
}

func (l *lexer) symbol() {
	rest := l.text[l.pos:]
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.add(Symbol, l.pos+len(s))
			return
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	span := l.src.Span(l.pos, l.pos+size)
	l.pos += size
	if r == utf8.RuneError && size == 1 {
		d := l.errs.Errorf(span, "bad-encoding", "invalid UTF-8 (byte 0x%02x)", rest[0])
		d.Help = "save the file as UTF-8"
		l.pos = len(l.text)
		return
	}
	if unicode.IsControl(r) {
		l.errs.Errorf(span, "bad-encoding", "this is not a text: it has the control character %q", r).Help = "name a .lks, .lts, .fsp or .aut file"
		l.pos = len(l.text)
		return
	}
	d := l.errs.Errorf(span, "bad-character", "unexpected character %q", r)
	d.Help = "names consist of letters, digits and _"
	if r == '“' || r == '”' || r == '‘' || r == '’' {
		d.Help = `use plain quotes: " or '`
	}
	if plain, ok := plainSymbols[r]; ok {
		// As if it had been written, so that this remains the only message about it.
		d.Help = fmt.Sprintf("write %s", plain)
		l.pos -= size
		l.add(Symbol, l.pos+size).Text = plain
	}
}

// plainSymbols are what word processors make of symbols.
var plainSymbols = map[rune]string{'→': "->", '⇒': "->", '↔': "<->", '‖': "||", '∥': "||", '∧': "&&", '∨': "||", '¬': "!", '≤': "<=", '≥': ">=", '≠': "!=", '…': "..", '–': "-", '−': "-", '□': "[]", '◇': "<>"}
