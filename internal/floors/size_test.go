package floors

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

const (
	maxFunction = 80  // lines
	maxFile     = 700 // lines
)

// tooLong lists what is too long in a Go file: what one cannot read on one page, or
// look through in one go.
func tooLong(path string, text []byte) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	if n := strings.Count(string(text), "\n"); n > maxFile {
		found = append(found, fmt.Sprintf("%s: %d lines, at most %d are wanted", path, n, maxFile))
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFunction {
			found = append(found, fmt.Sprintf("%v: %s has %d lines, at most %d are wanted", fset.Position(f.Pos()), f.Name.Name, n, maxFunction))
		}
	}
	return found, nil
}

// TestSizes reads every Go file that is no test. No function and no file is excepted.
func TestSizes(t *testing.T) {
	for _, path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := tooLong(path, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range found {
			t.Error(what)
		}
	}
}

// TestTooLong shows that the rule can fail.
func TestTooLong(t *testing.T) {
	for _, c := range []struct{ inside, after, want int }{
		{maxFunction - 2, 0, 0}, {maxFunction - 1, 0, 1}, {10, maxFile - 15, 0}, {10, maxFile, 1}, {maxFunction, maxFile, 2},
	} {
		text := "package p\n\nfunc (t T) f() {\n" + strings.Repeat("\tg()\n", c.inside) + "}\n" + strings.Repeat("//\n", c.after)
		found, err := tooLong("p.go", []byte(text))
		if err != nil || len(found) != c.want {
			t.Errorf("%d lines inside, %d after: %q, %v, want %d", c.inside, c.after, found, err, c.want)
		}
	}
}
