package cfront

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// The system's headers (of glibc) are read as by a compiler that is not GNU's: what a program sees of __GNUC__ stays
// as it is without them.

// ofCompilers are the headers that come with compilers, not with a library; and assert.h, whose failures are those that
// are looked for.
var ofCompilers = map[string]bool{"assert.h": true, "float.h": true, "iso646.h": true, "stdalign.h": true, "stdarg.h": true, "stdbool.h": true, "stddef.h": true, "stdnoreturn.h": true}

// withHeaders reads with the headers that come with seltl, and, where one is missing, with the system's.
func withHeaders[T any](o Options, read func(Options) (T, error)) (T, error) {
	t, err := read(o)
	if len(o.System) > 0 && lacksHeader(err) {
		o.system = true
		if with, other := read(o); !lacksHeader(other) {
			return with, other
		}
	}
	return t, err
}

// lacksHeader reports that a source includes a header that there is not.
func lacksHeader(err error) bool {
	var list source.List
	if !errors.As(err, &list) {
		return false
	}
	for _, d := range list {
		if strings.HasPrefix(d.Message, missingFile+": <") {
			return true
		}
	}
	return false
}

// systemMacros are names of types for headers that define them: for the parser, they are its own.
func (l *linker) systemMacros() string {
	if !l.opts.system {
		return ""
	}
	var b strings.Builder
	for _, name := range []string{"_Float32", "_Float64", "_Float32x", "_Float64x"} {
		b.WriteString("#define " + name + " " + ir.OwnPrefix + name + "\n")
	}
	return b.String()
}

// ofSystem reports that a file is the system's.
func (l *linker) ofSystem(name string) bool {
	if !l.opts.system {
		return false
	}
	for _, folder := range l.opts.System {
		if rel, err := filepath.Rel(folder, name); err == nil && rel != ".." && !strings.HasPrefix(filepath.ToSlash(rel), "../") {
			return true
		}
	}
	return false
}

var attributeMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+__attribute__\b[^\n]*`)
})

// withAttributes blanks definitions that would make attributes nothing, of the program's own types, too: they are for
// compilers that do not read them.
func withAttributes(text string) string {
	return attributeMacro().ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
}
