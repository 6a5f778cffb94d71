package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/seltl/seltl"

// root is the module's folder.
var root = filepath.Join("..", "..")

// goFiles returns the paths of all Go files of the repository.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		if !d.IsDir() && filepath.Ext(path) == ".go" {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 300 {
		t.Fatalf("only %d Go files found: the walk is wrong", len(files))
	}
	return files
}

// packageOf returns the path of a file's package below the module.
func packageOf(t *testing.T, path string) string {
	t.Helper()
	dir, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(dir)
}

// TestImportsGoDown reads the imports of every Go file of the repository.
func TestImportsGoDown(t *testing.T) {
	for _, path := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		from := packageOf(t, path)
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			to, ok := strings.CutPrefix(imported, module+"/")
			if !ok || to == from {
				continue
			}
			if why := complaint(from, to, strings.HasSuffix(path, "_test.go")); why != "" {
				t.Errorf("%s imports %s: %s", path, to, why)
			}
		}
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
		{"product", "internal/testing/naive", false, true},
		{"product", "internal/testing/naive", true, false},
		{"internal/testing/semantics", "internal/source", false, true},
		{"internal/testing/semantics", "product", true, false},
		{"internal/testing/semantics/components", "internal/c/specification", false, false},
		{"internal/testing/semantics/components", "internal/c/bind", false, true},
		{"internal/testing/semantics/components", "c/cfront", false, true},
		{"product", "internal/testing/semantics", false, true},
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

// TestNamesExist: the tables speak of packages that there are.
func TestNamesExist(t *testing.T) {
	named := slices.Concat(slices.Collect(maps.Keys(floor)), slices.Collect(maps.Keys(sideways)), testOnly, alone, plain, slices.Collect(maps.Keys(apart)), anywhere)
	for _, all := range sideways {
		named = append(named, all...)
	}
	for _, path := range named {
		if info, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(path))); err != nil || !info.IsDir() {
			t.Errorf("there is no package %s", path)
		}
	}
}
