// Package reader reads programs whatever language they are in, by the name and the look of
// the text.
package reader

import (
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/program/prolog"
)

// ParseText is Parse of a text; name is what messages call it, such as the file's name,
// whose ending says which language it is.
func ParseText(name, text string) (*program.System, error) {
	return Parse(source.NewFile(name, text))
}

// Parse reads a system: Horn clauses in SMT-LIB if the name ends in .smt2, ARMC's Prolog
// terms if it ends in .pl or .armc, the .gcl language if it ends in that, or else what the text
// looks like. The error is a source.List (program.Diagnostics).
func Parse(src *source.File) (*program.System, error) {
	switch text := src.Text(); source.KindOf(src.Name()) {
	case source.Clauses:
		return clauses.Parse(src)
	case source.Terms:
		return prolog.Parse(src)
	case source.Commands:
		return gcl.Parse(src)
	default:
		switch {
		case looksLikeClauses(text):
			return clauses.Parse(src)
		case looksLikeProlog(text):
			return prolog.Parse(src)
		}
		return gcl.Parse(src)
	}
}

// looksLikeClauses: in SMT-LIB all is in parentheses, but for comments behind semicolons.
func looksLikeClauses(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && (text[0] == '(' || text[0] == ';')
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
