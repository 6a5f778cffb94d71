package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/seltl/seltl"

// TestImportsGoDown reads the imports of every Go file of the repository.
func TestImportsGoDown(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		from := filepath.ToSlash(dir)
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			to, ok := strings.CutPrefix(imported, module+"/")
			if !ok || to == from {
				continue
			}
			if why := complaint(from, to, strings.HasSuffix(path, "_test.go")); why != "" {
				t.Errorf("%s imports %s: %s", path, to, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("only %d Go files found: the walk is wrong", files)
	}
}

// TestComplaint shows that the rule can fail.
func TestComplaint(t *testing.T) {
	for _, c := range []struct {
		from, to string
		inTest   bool
		bad      bool
	}{
		{"product", "buchi", false, false},
		{"buchi", "ltl", false, false},
		{"buchi", "lks", false, true},
		{"lks", "ltl", false, true},
		{"lks/fsp", "ltl", false, false},
		{"lks/fsp", "lks/fsp/types", false, false},
		{"lks/fsp/types", "lks/fsp", false, true},
		{"lks/fsp/syntax", "lks/fsp/types", false, true},
		{"ltl", "product", false, true},
		{"internal/source", "ltl", false, true},
		{"product", "internal/naive", false, true},
		{"product", "internal/naive", true, false},
		{"internal/semantics", "internal/source", false, true},
		{"internal/semantics", "product", true, false},
		{"product", "internal/semantics", false, true},
		{"deadlock", "product", false, true},
		{"cmd/seltl", "report", false, false},
		{"report", "cmd/seltl", false, true},
		{"report", "product", false, true},
		{"report", "product", true, false},
		{"report", "lks", false, false},
		{"check", "product", false, false},
		{"check", "report", false, false},
		{"shed", "ltl", false, true},
	} {
		if got := complaint(c.from, c.to, c.inTest) != ""; got != c.bad {
			t.Errorf("complaint(%s, %s, %v) = %v, want %v", c.from, c.to, c.inTest, got, c.bad)
		}
	}
}
