package armc

import (
	"path"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// ParseText is Parse of a text; name is what messages call it, such as the file's name,
// whose ending says which language it is.
func ParseText(name, text string) (*System, error) { return Parse(source.NewFile(name, text)) }

// Parse reads a system: ARMC's Prolog terms if the name ends in .pl or the text
// looks like them, else the .gcl language. The error is a source.List.
func Parse(src *source.File) (*System, error) {
	if len(src.Text()) > source.MaxText {
		return nil, source.TooLarge(src.Name(), source.MaxText)
	}
	if ext := path.Ext(src.Name()); ext == ".pl" || ext != ".gcl" && looksLikeProlog(src.Text()) {
		return parseProlog(src)
	}
	return parseGCL(src)
}

func looksLikeProlog(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, start := range []string{":-", "r(", "s(", "b("} {
			if strings.HasPrefix(line, start) {
				return true
			}
		}
		if line != "" && line[0] != '%' {
			return false
		}
	}
	return false
}

// lexer splits both languages into tokens. Formulas are read by package logic.
type lexer struct {
	file    *source.File
	comment string // that starts a comment to the end of the line
	at      int    // behind tok
	start   int
	tok     string // "" at the end
	errs    source.List
}

func (l *lexer) next() {
	text := l.file.Text()
	for l.at < len(text) {
		rest := text[l.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			l.at++
			continue
		case strings.HasPrefix(rest, l.comment):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.at += n
			} else {
				l.at = len(text)
			}
			continue
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				l.errs.Errorf(l.file.Span(l.at, l.at+2), "syntax", "comment is never closed")
				l.at = len(text)
				continue
			}
			l.at += n + 4
			continue
		}
		break
	}
	l.start = l.at
	if l.at >= len(text) {
		l.tok = ""
		return
	}
	n := tokenLength(text[l.at:])
	l.tok = text[l.at : l.at+n]
	l.at += n
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
	for n < len(rest) && wordByte(rest[n]) {
		n++
	}
	return max(n, 1)
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (l *lexer) span() source.Span { return l.file.Span(l.start, l.at) }

func (l *lexer) found() string {
	if l.tok == "" {
		return "end of text"
	}
	return "\"" + l.tok + "\""
}

// expect takes a token or reports that it is missing.
func (l *lexer) expect(tok string) bool {
	if l.tok == tok {
		l.next()
		return true
	}
	l.errs.Errorf(l.span(), "syntax", "expected %q, found %s", tok, l.found())
	return false
}

func (l *lexer) take(tok string) bool {
	if l.tok == tok {
		l.next()
		return true
	}
	return false
}

// name takes a word that starts with a letter or underscore.
func (l *lexer) name(what string) (string, source.Span, bool) {
	span := l.span()
	if l.tok == "" || !wordByte(l.tok[0]) || l.tok[0] >= '0' && l.tok[0] <= '9' {
		l.errs.Errorf(span, "syntax", "expected %s, found %s", what, l.found())
		return "", span, false
	}
	name := l.tok
	l.next()
	return name, span, true
}
