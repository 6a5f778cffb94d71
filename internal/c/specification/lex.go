package specification

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
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

// Tokens and comments are those of all small languages.
type (
	TokenKind = tokens.Kind
	Token     = tokens.Token
	Comment   = tokens.Comment
)

const (
	EOF    = tokens.EOF
	Word   = tokens.Word   // a name or keyword
	Number = tokens.Number // as in C: 12, 0x1F, 3UL, 1.5
	String = tokens.String // "..." or '...', as in C
	Dollar = tokens.Dollar // $1
	Symbol = tokens.Symbol // everything else: the text is the symbol
)

// lexer takes the tokens that are this language's own.
type lexer struct{ tokens.Lexer }

// lex takes a text apart.
func lex(src *source.File) *lexer {
	l := &lexer{tokens.Lexer{Source: src, Symbols: symbols, Plain: plainSymbols, Files: "a .spec file"}}
	l.Own, l.Help = l.own, helpStrange
	l.Run()
	return l
}

func (l *lexer) own(rest string) bool {
	switch c := rest[0]; {
	case tokens.IsLetter(c):
		l.Add(Word, tokens.WordLength(rest))
	case tokens.IsDigit(c) || c == '.' && len(rest) > 1 && tokens.IsDigit(rest[1]):
		l.number(rest)
	case c == '"' || c == '\'':
		l.quoted(rest)
	case c == '$':
		l.dollar(rest)
	default:
		return false
	}
	return true
}

// number reads a preprocessing number of C, which has all that belongs to one (signs of
// exponents too), but not the dots of a range: 0..3.
func (l *lexer) number(rest string) {
	end := 1
	for end < len(rest) {
		c := rest[end]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", rest[end-1]) >= 0 && !strings.HasPrefix(rest, "0x") && !strings.HasPrefix(rest, "0X")
		dot := c == '.' && !strings.HasPrefix(rest[end:], "..")
		if !tokens.IsLetter(c) && !tokens.IsDigit(c) && !sign && !dot {
			break
		}
		end++
	}
	l.Add(Number, end)
}

// quoted reads a string or a character of C.
func (l *lexer) quoted(rest string) {
	for end := 1; end < len(rest) && rest[end] != '\n'; end++ {
		switch rest[end] {
		case '\\':
			end++
		case rest[0]:
			l.Add(String, end+1)
			return
		}
	}
	what := "string"
	if rest[0] == '\'' {
		what = "character"
	}
	// What follows is read as if the quote were not there.
	l.Errorf(1, "unclosed-string", "%s is never closed", what).Help =
		fmt.Sprintf("close it with %c on the same line", rest[0])
	l.Skip(1)
}

func (l *lexer) dollar(rest string) {
	end := 1
	for end < len(rest) && tokens.IsDigit(rest[end]) {
		end++
	}
	if end == 1 || end > 4 {
		l.Errorf(end, "bad-dollar", "no argument is called %s", rest[:end]).Help =
			"$1 is the first argument of a procedure, $2 the second; $0 is its result"
		l.Skip(end)
		return
	}
	l.Add(Dollar, end)
}

// helpStrange is what to do about a character that begins no token.
func helpStrange(r rune) string {
	switch r {
	case '@':
		return "there is nothing that is written with @"
	case '#':
		return "a constant is written const N = 3; what the program defines is known in C expressions"
	}
	return "names consist of letters, digits and _"
}

// plainSymbols are what word processors make of symbols.
var plainSymbols = map[rune]string{'→': "->", '≔': ":=", '∧': "&&", '∨': "||", '¬': "!", '≤': "<=", '≥': ">=", '≠': "!=", '…': "..", '–': "-", '−': "-"}
