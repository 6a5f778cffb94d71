package buchi

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// The tokens of the Hanoi Omega-Automata format, version 1 ([Babiak15]).

type hoaKind uint8

const (
	hoaEnd hoaKind = iota
	hoaInt
	hoaString
	hoaIdentifier
	hoaHeader // identifier and colon
	hoaAlias  // @name
	hoaMarker // --BODY--, --END--, --ABORT--
	hoaPunct
)

type hoaToken struct {
	kind       hoaKind
	text       string // without quotes, colon, @
	start, end int
}

func (t hoaToken) describe() string {
	switch t.kind {
	case hoaEnd:
		return "the end of the text"
	case hoaHeader:
		return strconv.Quote(t.text + ":")
	case hoaAlias:
		return strconv.Quote("@" + t.text)
	}
	return strconv.Quote(t.text)
}

// hoaScanner splits the text into tokens.
type hoaScanner struct {
	src  *source.File
	text string
	pos  int
	tok  hoaToken
	errs source.List
}

// hoaFailure unwinds the parser to the automaton that it is reading.
type hoaFailure struct{}

func (p *hoaScanner) fail(start, end int, code, format string, args ...any) *source.Diagnostic {
	return p.errs.Errorf(p.src.Span(start, end), code, format, args...)
}

// failAt reports an error at the current token and gives up the automaton.
func (p *hoaScanner) failAt(code, format string, args ...any) {
	p.fail(p.tok.start, p.tok.end, code, format, args...)
	panic(hoaFailure{})
}

func (p *hoaScanner) expected(what string) {
	p.failAt("unexpected-token", "expected %s, found %s", what, p.tok.describe())
}

func isHOALetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isHOADigit(c byte) bool { return c >= '0' && c <= '9' }

// word returns the end of the identifier that starts at i.
func (p *hoaScanner) word(i int) int {
	for i < len(p.text) && (isHOALetter(p.text[i]) || isHOADigit(p.text[i]) || p.text[i] == '-') {
		i++
	}
	return i
}

// advance reads the next token.
func (p *hoaScanner) advance() {
	p.skipBlanks()
	start := p.pos
	set := func(kind hoaKind, text string, end int) {
		p.tok = hoaToken{kind, text, start, end}
		p.pos = end
	}
	if start >= len(p.text) {
		set(hoaEnd, "", start)
		return
	}
	switch c := p.text[start]; {
	case c == '"':
		p.scanString()
	case isHOADigit(c):
		end := start
		for end < len(p.text) && isHOADigit(p.text[end]) {
			end++
		}
		set(hoaInt, p.text[start:end], end)
	case c == '@':
		end := p.word(start + 1)
		set(hoaAlias, p.text[start+1:end], end)
	case strings.HasPrefix(p.text[start:], "--"):
		for _, marker := range []string{"--BODY--", "--END--", "--ABORT--"} {
			if strings.HasPrefix(p.text[start:], marker) {
				set(hoaMarker, marker, start+len(marker))
				return
			}
		}
		set(hoaPunct, "--", start+2)
	case isHOALetter(c):
		end := p.word(start)
		text := p.text[start:end]
		if end < len(p.text) && p.text[end] == ':' {
			set(hoaHeader, text, end+1)
			return
		}
		set(hoaIdentifier, text, end)
	default:
		set(hoaPunct, p.text[start:start+1], start+1)
	}
}

// skipBlanks skips blanks and comments, which nest.
func (p *hoaScanner) skipBlanks() {
	depth, open := 0, 0
	for p.pos < len(p.text) {
		rest := p.text[p.pos:]
		switch {
		case strings.HasPrefix(rest, "/*"):
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
		panic(hoaFailure{})
	}
}

func (p *hoaScanner) scanString() {
	var b strings.Builder
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.tok = hoaToken{hoaString, b.String(), p.pos, i + 1}
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
	panic(hoaFailure{})
}
