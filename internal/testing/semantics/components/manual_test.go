package components

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/testing/soak"
)

// examples are those of a page: each C block with the specification behind it, and the first two
// blocks, which they share.
func examples(t *testing.T, path string) (all []struct{ name, c, spec string }) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var sharedC, sharedSpec, c string
	for i, m := range regexp.MustCompile("(?s)```(c|spec)\n(.*?)```").FindAllSubmatch(page, -1) {
		text := string(m[2])
		switch {
		case i == 0:
			sharedSpec = text
		case i == 1:
			sharedC = text
		case string(m[1]) == "c":
			c = text
		default:
			line := 1 + bytes.Count(page[:bytes.Index(page, m[2])], []byte("\n"))
			all = append(all, struct{ name, c, spec string }{fmt.Sprintf("%s:%d", filepath.Base(path), line), sharedC + c, sharedSpec + text})
		}
	}
	return all
}

// TestManual: the meaning agrees with every example of docs/components.md.
func TestManual(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "check", "programs", "testdata", "components", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	compared, unsupported, programs := 0, 0, 0
	for _, page := range append(pages, filepath.Join(root, "docs", "components.md")) {
		for _, e := range examples(t, page) {
			file, err := specification.ParseText(e.name, e.spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Defs {
				p, is := d.(*specification.ProgDef)
				if programs++; !is || soak.Thin(programs) {
					continue
				}
				name := e.name + " " + p.Name.Text
				s, err := Load(Case{C: e.c, Spec: e.spec, Process: p.Name.Text}, 60_000)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				see := func(what, expected string, a Answer, err error) {
					switch {
					case expected == "":
					case err != nil:
						unsupported++
						t.Logf("%s %s: %v", name, what, err)
					default:
						compared++
						got := map[Verdict]string{Holds: "holds", Fails: "fails", Undefined: "undefined"}[a.Verdict]
						if got != expected && !(a.Sampled && got == "holds") {
							t.Errorf("%s %s: %s, expected %s", name, what, got, expected)
						}
					}
				}
				if want := file.Expected(p); want != "" {
					a, err := s.Deadlock()
					see("deadlock", map[string]string{"deadlock": "fails", "no deadlock": "holds"}[want], a, err)
				}
				for _, st := range p.Statements {
					switch st := st.(type) {
					case *specification.Property:
						a, err := s.Satisfies(strings.TrimSpace(st.Formula.Text), "stutter")
						see(st.Name.Text, file.Expected(st), a, err)
					case *specification.Abstract:
						for _, traces := range []bool{false, true} {
							a, err := s.Conforms(st.Name.Text, traces)
							see(st.Name.Text, file.Expected(st), a, err)
						}
					}
				}
			}
		}
	}
	t.Log(compared, "verdicts compared,", unsupported, "not supported")
	if compared < 250 && !testing.Short() || compared < 40 {
		t.Errorf("only %d verdicts", compared)
	}
}
