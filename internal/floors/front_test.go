package floors

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the list of what the front exports")

// TestFront: docs/api.md names the packages of the front, and testdata/front.txt has all that they
// export, so that each change of it is seen by whoever makes it, and said in CHANGELOG.md.
func TestFront(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	packages := regexp.MustCompile("(?m)^\\| \\[`([a-z/]+)`\\]").FindAllStringSubmatch(string(page), -1)
	if len(packages) < 5 {
		t.Fatal("the page names few packages")
	}
	for _, m := range packages {
		for _, line := range exports(t, filepath.Join(root, m[1])) {
			b.WriteString(m[1] + ": " + line + "\n")
		}
	}
	golden := filepath.Join("testdata", "front.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, was := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for _, line := range got {
		if !slices.Contains(was, line) {
			t.Errorf("+ %s", line)
		}
	}
	for _, line := range was {
		if !slices.Contains(got, line) {
			t.Errorf("- %s", line)
		}
	}
	if t.Failed() {
		t.Log("what the front exports has changed: say so in CHANGELOG.md, and run go test ./internal/floors -run Front -update")
	}
}

// exports are the declarations of a package that others see, a line each: names with their types.
func exports(t *testing.T, dir string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !ast.FileExports(f) {
			continue
		}
		for _, d := range f.Decls {
			lines = append(lines, declared(t, set, d)...)
		}
	}
	slices.Sort(lines)
	return lines
}

var blanks = regexp.MustCompile(`\s+`)

func declared(t *testing.T, set *token.FileSet, d ast.Decl) (lines []string) {
	t.Helper()
	show := func(prefix string, n ast.Node) {
		var b bytes.Buffer
		if err := printer.Fprint(&b, set, n); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(prefix+" "+blanks.ReplaceAllString(b.String(), " ")))
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		d.Body = nil
		show("", d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				s.Values = nil // what a name stands for is no promise
				show(d.Tok.String(), s)
			case *ast.TypeSpec:
				show("type", s)
			}
		}
	}
	return lines
}

// TestFirstProgram: the program of docs/api.md prints what it says.
func TestFirstProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	if program == nil {
		t.Fatal("there is no program")
	}
	var want strings.Builder
	_, said, _ := strings.Cut(string(program[1]), "// Output:\n")
	for _, m := range regexp.MustCompile(`// (.*)\n`).FindAllStringSubmatch(said, -1) {
		want.WriteString(m[1] + "\n")
	}
	file := filepath.Join(t.TempDir(), "first.go")
	if err := os.WriteFile(file, program[1], 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil || string(got) != want.String() || want.Len() == 0 {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want.String())
	}
}
