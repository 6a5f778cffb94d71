package html

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// text is a source with its lines highlighted.
type text struct {
	Name   string
	Number int
	Lines  []line
	// Left is how many lines more there are, which are not shown.
	Left int
}

// line is a line of a source, in pieces.
type line struct {
	Number int
	Pieces []piece
}

// piece is a part of a line with what it is: the class "" is plain.
type piece struct{ Class, Text string }

// mostLines is how many lines of a source are shown.
const mostLines = 20_000

// span is a part of a text with its class.
type span struct {
	start, end int
	class      string
}

// highlighted cuts a source into lines and these into pieces.
func highlighted(number int, s *Source) *text {
	source := strings.ToValidUTF8(s.Text, "\uFFFD")
	t := &text{Name: s.Name, Number: number}
	spans := spansOf(s.Name, source)
	at, k := 0, 0
	for raw := range strings.Lines(source) {
		if len(t.Lines) == mostLines {
			t.Left = strings.Count(source[at:], "\n") + 1
			break
		}
		end := at + len(strings.TrimRight(raw, "\r\n"))
		l := line{Number: len(t.Lines) + 1}
		for from := at; from < end; {
			for k < len(spans) && spans[k].end <= from {
				k++
			}
			p, to := piece{}, end
			if k < len(spans) && spans[k].start < end {
				if to = spans[k].start; to <= from {
					p.Class, to = spans[k].class, min(spans[k].end, end)
				}
			}
			p.Text = source[from:to]
			l.Pieces = append(l.Pieces, p)
			from = to
		}
		t.Lines = append(t.Lines, l)
		at += len(raw)
	}
	return t
}

// spansOf finds what is to be highlighted, by the language that a file's name says.
func spansOf(name, text string) []span {
	switch source.KindOf(name) {
	case source.C, source.Header, source.Spec:
		return lexed(text, &cLike)
	case source.Commands:
		return lexed(text, &language{line: []string{"//", "#"}, block: true, keywords: cLike.keywords})
	case source.Terms, source.Rules:
		return lexed(text, &language{line: []string{"%", "//"}, block: true, keywords: []string{"var", "query", "int", "real", "bool", "array"}})
	case source.Clauses:
		return lexed(text, &language{line: []string{";"}})
	case source.Automata:
		return lexed(text, &language{block: true, keywords: hoaWords})
	case source.Transitions:
		return lexed(text, &language{})
	}
	if ending := filepath.Ext(name); ending == ".dot" || ending == ".json" {
		return lexed(text, &language{})
	}
	return modelSpans(text)
}

// modelSpans are the tokens and comments of a model.
func modelSpans(source string) (spans []span) {
	file, _ := syntax.ParseText("", source) // with mistakes, too
	for _, c := range file.Comments {
		spans = append(spans, span{int(c.Start), int(c.End), "comment"})
	}
	for _, t := range file.Tokens {
		class := map[syntax.TokenKind]string{syntax.Keyword: "keyword", syntax.Number: "number", syntax.String: "string", syntax.Upper: "name", syntax.Lower: "action"}[t.Kind]
		if class != "" && t.End > t.Start {
			spans = append(spans, span{int(t.Start), int(t.End), class})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// language says how a text is cut into pieces where no parser of ours keeps its tokens.
type language struct {
	line     []string // what begins a comment up to the end of the line
	block    bool     // comments /* */
	hash     bool     // #include and the like
	keywords []string
}

var cLike = language{line: []string{"//"}, block: true, hash: true, keywords: strings.Fields(`auto break case char const continue default do double
	else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union
	unsigned void volatile while _Bool _Atomic abstract cprog cproc when ltl guard assume init true false`)}

// hoaWords are those of the Hanoi format.
var hoaWords = strings.Fields("HOA States Start AP Alias Acceptance Inf Fin tool name properties State BODY END acc")

// lexed finds comments, strings, numbers and keywords.
func lexed(source string, l *language) (spans []span) {
	for i := 0; i < len(source); {
		end, class := l.next(source, i)
		if class != "" {
			spans = append(spans, span{i, end, class})
		}
		i = end
	}
	return spans
}

// next is the end and the class of what begins at i.
func (l *language) next(source string, i int) (end int, class string) {
	rest := source[i:]
	begins := func(s string) bool { return strings.HasPrefix(rest, s) }
	to := func(stop string) int {
		if k := strings.Index(rest, stop); k >= 0 {
			return i + k
		}
		return len(source)
	}
	switch c := rest[0]; {
	case slices.ContainsFunc(l.line, begins):
		return to("\n"), "comment"
	case l.block && begins("/*"):
		if k := strings.Index(rest[2:], "*/"); k >= 0 {
			return i + 2 + k + 2, "comment"
		}
		return len(source), "comment"
	case l.hash && c == '#':
		for end = i + 1; end < len(source) && (source[end] == ' ' || isWord(source[end])); end++ {
			if source[end] == ' ' && source[end-1] != '#' && source[end-1] != ' ' {
				break
			}
		}
		return end, "keyword"
	case c == '"' || c == '\'':
		return stringEnd(source, i), "string"
	case c >= '0' && c <= '9':
		end = i + 1
		for end < len(source) && (isWord(source[end]) || source[end] == '.') {
			end++
		}
		return end, "number"
	case isWord(c):
		end = i + 1
		for end < len(source) && isWord(source[end]) {
			end++
		}
		if slices.Contains(l.keywords, source[i:end]) {
			class = "keyword"
		}
		return end, class
	}
	_, size := utf8.DecodeRuneInString(rest)
	return i + size, ""
}

// stringEnd is the end of a text in quotes, which ends with its line at the latest.
func stringEnd(source string, i int) int {
	for k := i + 1; k < len(source); k++ {
		switch source[k] {
		case '\\':
			k++
		case source[i]:
			return k + 1
		case '\n':
			return k
		}
	}
	return len(source)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '$'
}
