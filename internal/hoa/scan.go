package hoa

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// The tokens of the Hanoi Omega-Automata format, version 1 ([Babiak15]).

type kind uint8

const (
	endOfText kind = iota
	integer
	quoted
	identifier
	header // identifier and colon
	alias  // @name
	marker // --BODY--, --END--, --ABORT--
	punct
)

type token struct {
	kind       kind
	text       string // without quotes, colon, @
	start, end int
}

func (t token) describe() string {
	switch t.kind {
	case endOfText:
		return "the end of the text"
	case header:
		return strconv.Quote(t.text + ":")
	case alias:
		return strconv.Quote("@" + t.text)
	}
	return strconv.Quote(t.text)
}

// scanner splits the text into tokens.
type scanner struct {
	src  *source.File
	text string
	pos  int
	tok  token
	last int // where the token before tok ends
	// promela: hyphens are in no word, comments do not nest, and // begins one.
	promela bool
	errs    source.List
}

// failure unwinds the parser to the automaton that it is reading.
type failure struct{}

func (p *scanner) fail(start, end int, code, format string, args ...any) *source.Diagnostic {
	return p.errs.Errorf(p.src.Span(start, end), code, format, args...)
}

// failAt reports an error at the current token and gives up the automaton.
func (p *scanner) failAt(code, format string, args ...any) {
	p.fail(p.tok.start, p.tok.end, code, format, args...)
	panic(failure{})
}

// refuse reports an error at a token and gives up the automaton.
func (p *scanner) refuse(t token, code, format string, args ...any) {
	p.fail(t.start, t.end, code, format, args...)
	panic(failure{})
}

func (p *scanner) expected(what string) {
	p.failAt("unexpected-token", "expected %s, found %s", what, p.tok.describe())
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// word returns the end of the identifier that starts at i. Version 1.1 has dots in names of
// header items, and in its own.
func (p *scanner) word(i int) int {
	for i < len(p.text) && (isLetter(p.text[i]) || isDigit(p.text[i]) || strings.IndexByte("-.", p.text[i]) >= 0 && !p.promela) {
		i++
	}
	return i
}

// advance reads the next token.
func (p *scanner) advance() {
	p.last = p.tok.end
	p.skipBlanks()
	start := p.pos
	set := func(k kind, text string, end int) {
		p.tok = token{k, text, start, end}
		p.pos = end
	}
	if start >= len(p.text) {
		set(endOfText, "", start)
		return
	}
	switch c := p.text[start]; {
	case c == '"':
		p.scanString()
	case isDigit(c):
		end := start
		for end < len(p.text) && isDigit(p.text[end]) {
			end++
		}
		set(integer, p.text[start:end], end)
	case c == '@':
		end := p.word(start + 1)
		set(alias, p.text[start+1:end], end)
	case strings.HasPrefix(p.text[start:], "--") && !p.promela:
		for _, m := range []string{"--BODY--", "--END--", "--ABORT--"} {
			if strings.HasPrefix(p.text[start:], m) {
				set(marker, m, start+len(m))
				return
			}
		}
		set(punct, "--", start+2)
	case isLetter(c):
		end := p.word(start)
		text := p.text[start:end]
		if end < len(p.text) && p.text[end] == ':' && !(p.promela && strings.HasPrefix(p.text[end:], "::")) {
			set(header, text, end+1)
			return
		}
		set(identifier, text, end)
	default:
		set(punct, p.text[start:start+1], start+1)
	}
}

// skipBlanks skips blanks and comments, which nest.
func (p *scanner) skipBlanks() {
	depth, open := 0, 0
	for p.pos < len(p.text) {
		rest := p.text[p.pos:]
		switch {
		case p.promela && depth == 0 && strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.pos += end
		case strings.HasPrefix(rest, "/*") && !(p.promela && depth > 0):
			if depth == 0 {
				open = p.pos
			}
			depth++
			p.pos += 2
		case depth > 0 && strings.HasPrefix(rest, "*/"):
			depth--
			p.pos += 2
		case depth > 0 || strings.IndexByte(" \t\n\r\f\v", rest[0]) >= 0:
			p.pos++
		default:
			return
		}
	}
	if depth > 0 {
		p.fail(open, open+2, "open-comment", "comment is not closed")
		panic(failure{})
	}
}

func (p *scanner) scanString() {
	var b strings.Builder
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.tok = token{quoted, b.String(), p.pos, i + 1}
			p.pos = i + 1
			return
		case c == '\\' && i+1 < len(p.text):
			i++
			b.WriteByte(p.text[i])
		default:
			b.WriteByte(c)
		}
	}
	start := p.pos
	p.pos = len(p.text)
	p.fail(start, start+1, "open-string", "string is not closed")
	panic(failure{})
}
