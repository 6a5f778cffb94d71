package ltl

import (
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/tokens"
)

// tokenKind is the kind of a token of the formula language. Tokens that stand
// for an operator are mapped to it by prefixOps and binaryOps.
type tokenKind uint8

const (
	tEOF tokenKind = iota
	tBad           // a character that no token starts with
	tBadString
	tTrue
	tFalse
	tNot
	tAnd
	tOr
	tXor
	tImplies
	tIff
	tNext
	tAlways
	tEventually
	tUntil
	tWeakUntil
	tRelease
	tStrongRelease
	tYesterday
	tWeakYesterday
	tOnce
	tHistorically
	tSince
	tTriggered
	tForall
	tExists
	tDeadlock
	tEnabled
	tRigid
	tTau
	tName  // starts with a lower-case letter or '_', or is an upper-case name of the model
	tUpper // an upper-case name that the model does not have
	tState // the S of S.name
	tEvent // the E of E.name
	tString
	tNumber
	tLParen
	tRParen
	tLBrace
	tRBrace
	tLBracket
	tRBracket
	tComma
	tDot
	tDots // ..
	tColon
	tBackslash
	tEq
	tNe
	tLt
	tLe
	tGt
	tGe
	tSemicolon
	tRepeat            // [* [+] [= [-> [:* [:+]
	tSuffixImplies     // []->
	tSuffixImpliesNext // []=>
	tSuffixAnd         // <>->
	tSuffixAndNext     // <>=>
	tIndexOp           // an operator that only index expressions have; text says which
)

// token is a piece of the source text: text[start:end].
type token struct {
	kind       tokenKind
	start, end int
}

// words are the reserved words of formulas.
var words = map[string]tokenKind{
	"true": tTrue, "tt": tTrue, "false": tFalse, "ff": tFalse,
	"not": tNot, "and": tAnd, "or": tOr, "xor": tXor, "implies": tImplies, "iff": tIff,
	"next": tNext, "always": tAlways, "eventually": tEventually, "until": tUntil,
	"yesterday": tYesterday, "once": tOnce, "historically": tHistorically, "since": tSince, "triggered": tTriggered,
	"forall": tForall, "exists": tExists, "deadlock": tDeadlock, "enabled": tEnabled,
	"rigid": tRigid, "tau": tTau,
}

// letters are the operators that are split off a run of upper-case letters.
var letters = map[byte]tokenKind{
	'X': tNext, 'F': tEventually, 'G': tAlways, 'U': tUntil, 'W': tWeakUntil,
	'R': tRelease, 'V': tRelease, 'M': tStrongRelease,
	'Y': tYesterday, 'Z': tWeakYesterday, 'O': tOnce, 'H': tHistorically, 'S': tSince, 'T': tTriggered,
}

// symbols of formulas; the longest match wins.
var symbols = []struct {
	text string
	kind tokenKind
}{
	{"[]->", tSuffixImplies}, {"|->", tSuffixImplies}, {"[]=>", tSuffixImpliesNext}, {"|=>", tSuffixImpliesNext},
	{"<>->", tSuffixAnd}, {"<>=>", tSuffixAndNext},
	{"[*", tRepeat}, {"[+]", tRepeat}, {"[=", tRepeat}, {"[->", tRepeat}, {"[:*", tRepeat}, {"[:+]", tRepeat},
	{";", tSemicolon},
	{"<-->", tIff}, {"<->", tIff}, {"<=>", tIff}, {"-->", tImplies}, {"->", tImplies}, {"=>", tImplies},
	{"()", tNext}, {"[]", tAlways}, {"<>", tEventually},
	{"&&", tAnd}, {"&", tAnd}, {"/\\", tAnd}, {"||", tOr}, {"|", tOr}, {"\\/", tOr}, {"^", tXor},
	{"==", tEq}, {"=", tEq}, {"!=", tNe}, {"<=", tLe}, {">=", tGe}, {"<", tLt}, {">", tGt},
	{"!", tNot}, {"~", tNot},
	{"(", tLParen}, {")", tRParen}, {"{", tLBrace}, {"}", tRBrace}, {"[", tLBracket}, {"]", tRBracket},
	{",", tComma}, {"..", tDots}, {".", tDot}, {":", tColon}, {"\\", tBackslash},
}

// indexSymbols are the symbols inside [ ] and behind a comparison. The arrows
// and /\ are here so that their first characters are not taken for arithmetic.
var indexSymbols = []struct {
	text string
	kind tokenKind
}{
	{"-->", tImplies}, {"->", tImplies}, {"/\\", tAnd}, {"\\/", tOr},
	{"<->", tIff}, {"<-->", tIff}, {"<=>", tIff}, {"=>", tImplies},
	{"<<", tIndexOp}, {">>", tIndexOp}, {"&&", tIndexOp}, {"||", tIndexOp}, {"==", tIndexOp}, {"!=", tIndexOp},
	{"<=", tIndexOp}, {">=", tIndexOp}, {"<", tIndexOp}, {">", tIndexOp}, {"&", tIndexOp}, {"|", tIndexOp},
	{"^", tIndexOp}, {"+", tIndexOp}, {"-", tIndexOp}, {"*", tIndexOp}, {"/", tIndexOp}, {"%", tIndexOp},
	{"!", tIndexOp}, {"#", tIndexOp}, {"'", tIndexOp},
	{"(", tLParen}, {")", tRParen}, {"{", tLBrace}, {"}", tRBrace}, {"[", tLBracket}, {"]", tRBracket},
	{",", tComma}, {"..", tDots}, {".", tDot}, {":", tColon}, {"\\", tBackslash},
}

// scanner splits text[:end] into tokens. It has no state but the text: the
// parser says where to go on, and whether in a formula or in an index
// expression, where upper-case names are whole.
type scanner struct {
	text  string
	end   int
	known func(upper string) bool // is the upper-case word a name of the model?
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' || c == '_' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordEnd returns the end of the run of letters, digits and '_' from pos.
func (s *scanner) wordEnd(pos int) int {
	for pos < s.end && (isUpper(s.text[pos]) || isLower(s.text[pos]) || isDigit(s.text[pos])) {
		pos++
	}
	return pos
}

// skip returns the first position from pos that is neither blank nor comment.
func (s *scanner) skip(pos int, hashComments bool) int {
	marks := []string{"//", "#"}
	if !hashComments {
		marks = marks[:1]
	}
	if pos < s.end {
		n, _ := tokens.Skip(s.text[pos:s.end], marks...)
		pos += n
	}
	return pos
}

// formulaToken returns the first token from pos, read as part of a formula.
func (s *scanner) formulaToken(pos int) token {
	pos = s.skip(pos, true)
	if pos >= s.end {
		return token{tEOF, s.end, s.end}
	}
	switch c := s.text[pos]; {
	case isUpper(c):
		return s.upper(pos)
	case isLower(c):
		end := s.wordEnd(pos)
		kind, reserved := words[s.text[pos:end]]
		// A reserved word with a segment behind it is a label: next.1
		if !reserved || kind != tTau && end+1 < s.end && s.text[end] == '.' && s.text[end+1] != '.' {
			kind = tName
		}
		return token{kind, pos, end}
	case isDigit(c):
		return token{tNumber, pos, s.wordEnd(pos)}
	case c == '"':
		return s.quoted(pos)
	}
	for _, sym := range symbols {
		if strings.HasPrefix(s.text[pos:s.end], sym.text) {
			return token{sym.kind, pos, pos + len(sym.text)}
		}
	}
	return s.bad(pos)
}

// upper splits a word that starts with an upper-case letter: a name of the
// model is taken whole, otherwise one operator letter or a qualifier is split off.
func (s *scanner) upper(pos int) token {
	end := s.wordEnd(pos)
	if s.known(s.text[pos:end]) {
		return token{tName, pos, end}
	}
	if end == pos+1 && end+1 < s.end && s.text[end] == '.' && s.text[end+1] != '.' {
		switch s.text[pos] {
		case 'S':
			return token{tState, pos, end}
		case 'E':
			return token{tEvent, pos, end}
		}
	}
	if kind, ok := letters[s.text[pos]]; ok {
		return token{kind, pos, pos + 1}
	}
	return token{tUpper, pos, end}
}

// quoted reads a "string", which ends on its line; \" \\ and \n are the escapes.
func (s *scanner) quoted(pos int) token {
	for i := pos + 1; i < s.end; i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			return token{tString, pos, i + 1}
		case '\n':
			return token{tBadString, pos, i}
		}
	}
	return token{tBadString, pos, s.end}
}

func (s *scanner) bad(pos int) token {
	_, size := utf8.DecodeRuneInString(s.text[pos:s.end])
	return token{tBad, pos, pos + size}
}

// indexToken returns the first token from pos, read as part of an index
// expression.
func (s *scanner) indexToken(pos int) token {
	pos = s.skip(pos, false)
	if pos >= s.end {
		return token{tEOF, s.end, s.end}
	}
	switch c := s.text[pos]; {
	case isUpper(c):
		return token{tUpper, pos, s.wordEnd(pos)}
	case isLower(c):
		return token{tName, pos, s.wordEnd(pos)}
	case isDigit(c):
		return token{tNumber, pos, s.wordEnd(pos)}
	}
	for _, sym := range indexSymbols {
		if strings.HasPrefix(s.text[pos:s.end], sym.text) {
			return token{sym.kind, pos, pos + len(sym.text)}
		}
	}
	return s.bad(pos)
}

// unquote returns the text of a tString token; ok is false for an unknown escape.
func unquote(quoted string) (text string, ok bool) {
	inner := quoted[1 : len(quoted)-1]
	if !strings.Contains(inner, `\`) {
		return inner, true
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			b.WriteByte(inner[i])
			continue
		}
		i++
		switch {
		case i < len(inner) && inner[i] == 'n':
			b.WriteByte('\n')
		case i < len(inner) && (inner[i] == '"' || inner[i] == '\\'):
			b.WriteByte(inner[i])
		default:
			return "", false
		}
	}
	return b.String(), true
}

// quote is the inverse of unquote.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
