package tokens

import (
	"slices"
	"strings"
)

// Skip measures the blanks and comments that a text begins with, for parsers that read it as they go: comments from
// one of the marks to the end of the line, and between /* and */. If open, a comment that is never closed is behind them.
func Skip(text string, marks ...string) (n int, open bool) {
	for n < len(text) {
		rest := text[n:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			n++
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return n, true
			}
			n += end + 4
		case hasPrefix(rest, marks):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(text), false
			}
			n += end
		default:
			return n, false
		}
	}
	return n, false
}

func hasPrefix(text string, some []string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return strings.HasPrefix(text, s) })
}
