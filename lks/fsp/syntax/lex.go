package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Tokens and comments are those of all small languages.
type (
	TokenKind = tokens.Kind
	Token     = tokens.Token
	Comment   = tokens.Comment
)

const (
	EOF     = tokens.EOF
	Upper   = tokens.Upper   // process, constant, range, set, ... name
	Lower   = tokens.Lower   // action name, index variable
	Number  = tokens.Number  // 12, 0x1F, 010 (octal)
	String  = tokens.String  // "..."
	Keyword = tokens.Keyword // const, range, when, ...
	Symbol  = tokens.Symbol  // everything else: the text is the symbol
)

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
func IsNameByte(c byte) bool { return tokens.IsLetter(c) || tokens.IsDigit(c) }

// IsActionName reports whether a word is read as the name of an action: no keyword,
// beginning with a small letter or an underscore.
func IsActionName(word string) bool {
	if word == "" || tokens.IsDigit(word[0]) || word[0] >= 'A' && word[0] <= 'Z' || keywords[word] {
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

// lexer takes the tokens that are this language's own.
type lexer struct{ tokens.Lexer }

// lex takes a text apart.
func lex(src *source.File) *lexer {
	l := &lexer{tokens.Lexer{Source: src, Symbols: symbols, Plain: plainSymbols, Files: "a .lks, .lts, .fsp or .aut file"}}
	l.Own, l.Help = l.own, func(rune) string { return "names consist of letters, digits and _" }
	l.Run()
	return l
}

func (l *lexer) own(rest string) bool {
	switch c := rest[0]; {
	case tokens.IsLetter(c):
		l.word(rest)
	case tokens.IsDigit(c):
		l.number(rest)
	case c == '"':
		l.stringLiteral(rest)
	default:
		return false
	}
	return true
}

func (l *lexer) word(rest string) {
	word := rest[:tokens.WordLength(rest)]
	k := Lower
	switch {
	case keywords[word]:
		k = Keyword
	case word[0] >= 'A' && word[0] <= 'Z':
		k = Upper
	}
	l.Add(k, len(word))
}

// number reads a decimal, hexadecimal or (leading 0) octal number. Numbers are
// 32 bits wide, as in LTSA.
func (l *lexer) number(rest string) {
	base, digits := int64(10), 0
	if strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X") {
		base, digits = 16, 2
	} else if rest[0] == '0' {
		base = 8
	}
	value, overflow, bad := int64(0), false, false
	end := digits
	for ; end < len(rest); end++ {
		d := digitValue(rest[end])
		if d < 0 || base != 16 && d > 9 {
			break
		}
		bad = bad || int64(d) >= base
		if value = value*base + int64(d); value > 1<<31-1 {
			value, overflow = 0, true
		}
	}
	switch {
	case bad:
		l.Errorf(end, "bad-number", "bad digit in the octal number %s", rest[:end]).Help =
			"a number that begins with 0 is octal, as in LTSA: leave out the leading 0 for a decimal number"
	case end == digits:
		l.Errorf(end, "bad-number", "hexadecimal digits missing after %s", rest[:end])
	case overflow:
		l.Errorf(end, "bad-number", "number %s is too large", rest[:end]).Help = "numbers have 32 bits: at most 2147483647"
	}
	l.Add(Number, end).Value = int32(value)
}

func digitValue(c byte) int {
	switch {
	case tokens.IsDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func (l *lexer) stringLiteral(rest string) {
	end := strings.IndexAny(rest[1:], "\"\n")
	if end < 0 || rest[1+end] == '\n' {
		if end < 0 {
			end = len(rest) - 1
		}
		l.Errorf(1+end, "unclosed-string", "string is never closed").Help = `close it with " on the same line`
		l.Skip(1 + end)
		return
	}
	l.Add(String, 1+end+1)
}

// plainSymbols are what word processors make of symbols.
var plainSymbols = map[rune]string{'→': "->", '⇒': "->", '↔': "<->", '‖': "||", '∥': "||", '∧': "&&", '∨': "||", '¬': "!", '≤': "<=", '≥': ">=", '≠': "!=", '…': "..", '–': "-", '−': "-", '□': "[]", '◇': "<>"}
