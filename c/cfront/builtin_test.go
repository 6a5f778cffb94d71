package cfront

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// parsed is what a source with its conditions means, as text.
func parsed(text string, opts Options) string {
	p, err := Parse([]*source.File{source.NewFile("p.c", text)}, opts)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	if err := p.WriteC(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// withAll is text so that all of what is built in is declared: it might hide names.
func withAll(text string) string { return text + "\n// ##\n" }

// TestBuiltins: the parser understands the same, whether it gets all declarations of what is
// built in, or those that a source names.
func TestBuiltins(t *testing.T) {
	all := builtinPieces()
	if n := len(all.routines); n < 150 {
		t.Fatalf("%d declarations of routines:\n%s", n, all.always)
	}
	k := 0
	for names := range slices.Chunk(slices.Sorted(maps.Keys(all.named)), 8) {
		if k++; soak.Skip(k) {
			continue
		}
		text := "int x; void *p;\nint main(void) {\n"
		for _, name := range names {
			text += name + "(x, p);\n"
		}
		text += "return 0; }"
		if got, want := parsed(text, Options{}), parsed(withAll(text), Options{}); got != want {
			t.Errorf("%s\n%s\nwith all declarations:\n%s", text, got, want)
		}
	}
	opts := func() Options {
		return Options{Open: func(name string) (*source.File, error) {
			text, ok := map[string]string{"own.h": "#define LENGTH(s) strlen(s)\n", "stdlib.h": "#define mine(x) __builtin_abs(x)\n"}[filepath.Base(name)]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return source.NewFile(name, text), nil
		}, Include: []string{"own"}}
	}
	for _, text := range []string{
		"#include \"own.h\"\nint main(void) { return LENGTH(\"abc\"); }",
		"#define FILE <own.h>\n#include FILE\nint main(void) { return LENGTH(\"abc\"); }",
		"#include <stdlib.h>\nint main(void) { return mine(-1); }", // another one than that of the library
		"#define P(x) __builtin_ ## x\nint main(void) { return P(strlen)(\"abc\"); }",
		"int main(void) { return __builtin_\\\nstrlen(\"abc\"); }",
		"int main(void) { return __builtin\\u005fabs(3); }",
		"int main(void) { return __builtin_types_compatible_p(int, int); }",
		"int main(void) { return __builtin_offsetof(struct { int a, b; }, b); }",
		"#if __has_builtin(__builtin_strlen)\nint main(void) { return 1; }\n#endif",
	} {
		if got, want := parsed(text, opts()), parsed(withAll(text), opts()); got != want {
			t.Errorf("%s\n%s\nwith all declarations:\n%s", text, got, want)
		}
	}
	text := "int main(void) { return 0; }" // whose routine only the condition names
	condition := source.NewFile("c.txt", "$1 != 0")
	of := Options{Conditions: []Condition{{Routine: "__builtin_puts", Expr: condition.Span(0, len(condition.Text()))}}}
	if got, want := parsed(text, of), parsed(withAll(text), of); got != want || strings.Contains(got, "error") {
		t.Errorf("%s\nwith all declarations:\n%s", got, want)
	}
}

// TestBuiltinsOfHeaders: headers that come with seltl name no routine that is built in but
// where they declare it.
func TestBuiltinsOfHeaders(t *testing.T) {
	names := builtinPieces().named
	macro := regexp.MustCompile(`(?m)^#[ \t]*define[ \t]+(\w+)(.*)$`)
	headers, err := fs.Glob(standardHeaders, "include/*.h")
	if err != nil || len(headers) < 10 {
		t.Fatal(headers, err)
	}
	for _, h := range headers {
		text, err := standardHeaders.ReadFile(h)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range macro.FindAllStringSubmatch(string(text), -1) {
			for w := range strings.FieldsFuncSeq(m[2], func(c rune) bool { return !wordChar(c) }) {
				if names[w] != nil && !regexp.MustCompile(`(?m)^\w[\w ]* `+w+`\(`).Match(text) {
					t.Errorf("%s: %s names %s", h, m[0], w)
				}
			}
		}
		if regexp.MustCompile(`\)\s*\{`).Match(text) {
			t.Errorf("%s: has bodies of routines", h)
		}
	}
	if strings.Contains(cc.Builtin, "##") {
		t.Error("names may be made of parts")
	}
}

// TestBuiltinsOfSpecs is TestBuiltins for the programs of specs/c.
func TestBuiltinsOfSpecs(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../specs/c", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".c" {
			return err
		}
		if n++; soak.Skip(n) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		opts := Options{Open: func(name string) (*source.File, error) {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(path), filepath.Base(name)))
			return source.NewFile(name, string(text)), err
		}}
		if got, want := parsed(string(text), opts), parsed(withAll(string(text)), opts); got != want {
			t.Errorf("%s:\n%s\nwith all declarations:\n%s", path, got, want)
		}
		return nil
	})
	if err != nil || n < 10 {
		t.Error(n, err)
	}
}
