// Package reader reads programs whatever language they are in, by the name and the look of
// the text.
package reader

import (
	"path"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/program/prolog"
)

// ParseText is Parse of a text; name is what messages call it, such as the file's name,
// whose ending says which language it is.
func ParseText(name, text string) (*program.System, error) {
	return Parse(source.NewFile(name, text))
}

// Parse reads a system: ARMC's Prolog terms if the name ends in .pl or the text
// looks like them, else the .gcl language. The error is a source.List (program.Diagnostics).
func Parse(src *source.File) (*program.System, error) {
	if ext := path.Ext(src.Name()); ext == ".pl" || ext != ".gcl" && looksLikeProlog(src.Text()) {
		return prolog.Parse(src)
	}
	return gcl.Parse(src)
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
