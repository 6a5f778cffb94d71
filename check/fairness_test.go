package check

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/report"
)

// TestFairnessTable decides every cell of the table in docs/verify.md that tells the
// kinds of fairness apart.
func TestFairnessTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "verify.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := compileSpec(t, filepath.Join("..", "specs", "fairness", "kinds.lks"))
	var kinds []string
	checked := 0
	quoted := regexp.MustCompile("`([^`]*)`")
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case cells[0] == "process":
			kinds = cells[2:]
		case kinds != nil && !strings.HasPrefix(line, "|"):
			kinds = nil
		case kinds != nil && strings.HasPrefix(line, "| `"):
			process, formula := quoted.FindStringSubmatch(cells[0])[1], quoted.FindStringSubmatch(cells[1])[1]
			for i, kind := range kinds {
				if got := decideFair(t, m, process, formula, kind); got != cells[2+i] {
					t.Errorf("%s, %s, --fair=%s: %s, the page says %s", process, formula, kind, got, cells[2+i])
				}
				checked++
			}
		}
	}
	if checked != 36 {
		t.Errorf("%d cells were checked", checked)
	}
}

func compileSpec(t *testing.T, path string) *fsp.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func decideFair(t *testing.T, model *fsp.Model, process, formula, kind string) string {
	t.Helper()
	net, err := model.Network(process)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Process: process, FSP: model, Net: net}
	q, err := m.Ask(formula)
	if err != nil {
		t.Fatal(err)
	}
	var opts Verification
	if err := opts.Fair.UnmarshalText([]byte(kind)); err != nil {
		t.Fatal("the page has a kind of fairness:", err)
	}
	r, err := Verify(context.Background(), m, []Question{q}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return map[int]string{report.ExitHolds: "holds", report.ExitViolated: "fails"}[r.Exit]
}
