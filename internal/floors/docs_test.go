package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// publicPackages returns the folders of packages that other modules can import.
func publicPackages(t *testing.T) (dirs []string) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != root && (name[0] == '.' || slices.Contains([]string{"bench", "cmd", "internal", "testdata"}, name)) {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			dirs = append(dirs, path)
		}
		return nil
	})
	if err != nil || len(dirs) < 15 {
		t.Fatal(dirs, err)
	}
	return dirs
}

// What library users read names nothing that they cannot import.
func TestDocsNameNoInternals(t *testing.T) {
	internal := regexp.MustCompile(`\b(statetable|frontier|partition|bdd|names|cegar|predabs|facts|passes|values|concrete|lists|relations|specification|bind|steps)\.[A-Z]\w*`)
	fset := token.NewFileSet()
	checked := 0
	for _, dir := range publicPackages(t) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
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
