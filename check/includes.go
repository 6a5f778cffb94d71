package check

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// included finds what a C source includes, whether a preprocessor would come to that line or
// not.
var included = sync.OnceValue(func() *regexp.Regexp {
	const gap = `(?:[ \t\f\v]|/\*[^\n]*?\*/)*`
	return regexp.MustCompile(`(?m)^` + gap + `#` + gap + `include(?:_next)?` + gap + `(?:"([^"\n]+)"|<([^>\n]+)>)`)
})

// Includes returns the names of the files that a text names to be read beside it, as they
// stand there: the imports of a model, which are relative to its folder, or what a C source
// includes, relative to its folder or one of those searched. A name that a macro makes is not
// found.
func Includes(src *source.File) []string {
	var names []string
	kind := source.KindOf(src.Name())
	if kind == source.C || kind == source.Header {
		text := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(src.Text())
		for _, m := range included().FindAllStringSubmatch(text, -1) {
			names = append(names, m[1]+m[2])
		}
		return names
	}
	if kind == source.Transitions || kind == source.Spec || kind.System() || kind.Query() {
		return nil
	}
	file, err := syntax.Parse(src)
	if err != nil {
		return nil // it will not be read any further
	}
	for _, d := range file.Defs {
		if d, ok := d.(*syntax.ImportDef); ok {
			names = append(names, d.Path)
		}
	}
	return names
}
