package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What library users read names nothing that they cannot import.
func TestDocsNameNoInternals(t *testing.T) {
	internal := regexp.MustCompile(`\b(statetable|partition|bdd)\.[A-Z]\w*`)
	fset := token.NewFileSet()
	checked := 0
	for _, dir := range []string{"armc", "budget", "bug", "buchi", "conform", "deadlock", "lks", "lks/aut", "lks/fsp", "lks/fsp/syntax", "lks/fsp/types", "logic", "ltl", "predabs", "product", "report", "smt"} {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if !ast.FileExports(file) {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if c, ok := n.(*ast.CommentGroup); ok {
					checked++
					if found := internal.FindString(c.Text()); found != "" {
						t.Errorf("%v: documentation speaks of %s", fset.Position(c.Pos()), found)
					}
				}
				return true
			})
		}
	}
	if checked < 500 {
		t.Errorf("only %d comments seen", checked)
	}
}
