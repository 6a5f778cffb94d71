package gcl

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
)

// property reads ltl NAME = FORMULA; and what a comment behind it expects. The formula reaches to
// the semicolon that stands in no brackets, no quotes and no comment; which names it may use is
// known where it is asked about.
func (g *gcl) property() bool {
	start := g.Start
	g.Next()
	name, at, ok := g.Name("the name of a property")
	if !ok {
		return false
	}
	if g.Tok != "=" {
		return g.Expect("=")
	}
	p := program.Property{Name: name, Formula: g.formulaAt(g.At)}
	if p.Formula.Start == p.Formula.End {
		g.Errs.Errorf(g.Span(), "syntax", "expected a formula behind %q", "=").Help = "write for example: ltl ENDS = F deadlock;"
		return false
	}
	wrong, _ := ltl.CheckSyntax(p.Formula, nil).(source.List)
	g.Errs = append(g.Errs, wrong...)
	for _, other := range g.system.Properties {
		if other.Name == name {
			d := g.Errs.Errorf(at, "duplicate", "the property %q is declared twice", name)
			d.Related = append(d.Related, source.Related{Span: other.Span, Message: "first declared here"})
		}
	}
	g.At = p.Formula.End
	g.Next()
	p.Span = g.File.Span(start, g.At)
	semicolon := g.At
	if !g.Expect(";") {
		return false
	}
	p.Expected = g.expected(semicolon)
	g.system.Properties = append(g.system.Properties, p)
	return true
}

// formulaAt is the text of a formula from an offset on, without blanks around it.
func (g *gcl) formulaAt(from int) source.Span {
	text, depth, end := g.File.Text(), 0, len(g.File.Text())
scan:
	for i := from; i < len(text); i++ {
		n, open := tokens.Skip(text[i:], g.Comment)
		if i += n; open || i == len(text) {
			break
		}
		rest := text[i:]
		switch {
		case rest[0] == '"':
			n := strings.IndexByte(rest[1:], '"')
			if n < 0 {
				break scan
			}
			i += n + 1
		case strings.IndexByte("([{", rest[0]) >= 0:
			depth++
		case strings.IndexByte(")]}", rest[0]) >= 0:
			depth--
		case rest[0] == ';' && depth <= 0:
			end = i
			break scan
		}
	}
	part := text[from:end]
	start := from + len(part) - len(strings.TrimLeft(part, " \t\r\n"))
	return g.File.Span(start, max(start, from+len(strings.TrimRight(part, " \t\r\n"))))
}

// expected reads the comment behind an offset, on the same line: "holds", "fails", or "" if it
// expects nothing. One that cannot be read is a warning.
func (g *gcl) expected(from int) string {
	line, _, _ := strings.Cut(g.File.Text()[from:], "\n")
	comment := strings.TrimLeft(line, " \t")
	at := g.File.Span(from+len(line)-len(comment), from+len(strings.TrimRight(line, " \t\r")))
	if !strings.HasPrefix(comment, "//") && !strings.HasPrefix(comment, "/*") {
		return ""
	}
	allowed := []string{expectation.Holds, expectation.Fails}
	words, near, ok := expectation.Words(comment)
	word := ""
	switch {
	case !ok && near != "":
		g.system.Warnings.Warnf(at, expectation.Unknown, "this looks like an expectation, and is ignored").Help = "write // " + near
		return ""
	case !ok:
		return ""
	case len(words) > 0:
		word, _ = expectation.Next(words)
	}
	if !slices.Contains(allowed, word) {
		g.system.Warnings.Warnf(at, expectation.Unknown, "%q cannot be expected here, and is ignored", word).Help = expectation.Help(word, allowed)
		return ""
	}
	return word
}
