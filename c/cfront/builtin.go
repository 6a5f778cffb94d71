package cfront

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// builtins are the parser's declarations of what compilers have built in, in pieces. The
// parser takes nine tenths of the time of a small program to read all of them, so it gets
// those that the sources may need.
type builtins struct {
	always   string   // macros, types, and what macros need
	routines []string // the declarations of the rest
	// named are their indices by their names and, since the parser takes __builtin_strlen for
	// a strlen that nobody has declared, by these without that prefix.
	named map[string][]int
}

var builtinPieces = sync.OnceValue(func() *builtins {
	declares := regexp.MustCompile(`^[A-Za-z_][\w *]*?(\w+) ?\(.*\);$`)
	b := &builtins{named: map[string][]int{}}
	depth := 0 // of conditional parts, which stay as they are
	for line := range strings.Lines(cc.Builtin) {
		switch {
		case strings.HasPrefix(line, "#if"):
			depth++
		case strings.HasPrefix(line, "#endif"):
			depth--
		}
		m := declares.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || depth > 0 || strings.HasPrefix(m[1], "__ccgo_") { // these stand in macros
			b.always += line
			continue
		}
		names := []string{m[1]}
		if plain, ok := strings.CutPrefix(m[1], "__builtin_"); ok {
			names = append(names, plain)
		}
		for _, name := range names {
			b.named[name] = append(b.named[name], len(b.routines))
		}
		b.routines = append(b.routines, line)
	}
	return b
})

// needed returns the declarations that texts may need; all of them if names may come from
// elsewhere.
func (b *builtins) needed(texts []string) (text string, all bool) {
	need := make([]bool, len(b.routines))
	for _, t := range texts {
		if hidden(t) {
			return cc.Builtin, true
		}
		for w := range strings.FieldsFuncSeq(t, func(c rune) bool { return !wordChar(c) }) {
			for _, i := range b.named[w] {
				need[i] = true
			}
		}
	}
	out := b.always
	for i, r := range b.routines {
		if need[i] {
			out += r
		}
	}
	return out, false
}

// The parser's va_list is a pointer. On x86-64 it is an array of one struct, which has a size; what is in it nobody
// looks at.
const (
	pointerList = "typedef void *__builtin_va_list;"
	arrayList   = "typedef struct __va_list_tag { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list[1];"
)

func withList(builtin string, model ir.DataModel) string {
	if model == ir.LP64 {
		return strings.Replace(builtin, pointerList, arrayList, 1)
	}
	return builtin
}

// listedBuiltins declares what texts name of the compiler's that is in the list of routines and not among the
// parser's.
func listedBuiltins(texts []string) string {
	names := map[string]bool{}
	for _, t := range texts {
		for _, w := range builtinWord().FindAllString(t, -1) {
			names[w] = true
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		line, listed := ir.KnownLines()[name]
		if !listed {
			line, listed = ir.KnownLines()[strings.TrimPrefix(name, ir.BuiltinPrefix)]
		}
		if listed && !strings.Contains(line.Typ, "(...)") && plainType().MatchString(line.Typ) && !strings.Contains(cc.Builtin, name+"(") && !strings.Contains(cc.Builtin, name+" (") {
			b.WriteString(declaring(line.Typ, name) + ";\n")
		}
	}
	return b.String()
}

var (
	builtinWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b__builtin_\w+`) })
	plainType   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:void|char|short|int|long|unsigned|signed|const|float|double)\b|[*(), ]|\.\.\.)+$`)
	})
)

func wordChar(c rune) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// hidden reports that a text may have names that do not stand in it: made of parts, of two
// lines, of trigraphs, of letters by number, or included. The headers that come with seltl
// declare what they name.
func hidden(text string) bool {
	for _, s := range []string{"##", "%:", "??"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	for rest, ok := text, false; ; {
		if _, rest, ok = strings.Cut(rest, "include"); !ok {
			break
		}
		if line, _, _ := strings.Cut(rest, "\n"); strings.Contains(line, `"`) {
			return true
		}
	}
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '\\')
		if i < 0 {
			return false
		}
		at += i
		next := strings.TrimPrefix(text[at+1:], "\r")
		if strings.HasPrefix(next, "u") || strings.HasPrefix(next, "U") || strings.HasPrefix(next, "\n") && at > 0 && wordChar(rune(text[at-1])) {
			return true
		}
	}
}
