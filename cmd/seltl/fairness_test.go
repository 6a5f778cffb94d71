package main

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
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestFairnessTable decides every cell of the table in docs/verify.md that tells the
// kinds of fairness apart.
func TestFairnessTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "verify.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := compileSpec(t, filepath.Join("..", "..", "specs", "fairness", "kinds.lks"))
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

func decideFair(t *testing.T, m *fsp.Model, process, formula, kind string) string {
	t.Helper()
	opts, err := m.ParseOptions(process)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(source.NewFile("formula", formula), opts)
	if err != nil {
		t.Fatal(err)
	}
	net, err := m.Network(process)
	if err != nil {
		t.Fatal(err)
	}
	fair, ok := fairnessNames[kind]
	if !ok {
		t.Fatalf("the page has a kind of fairness %q", kind)
	}
	_, status, err := answer(context.Background(), question{kind: "ltl", formula: f, net: net}, product.Options{Fairness: fair})
	if err != nil {
		t.Fatal(err)
	}
	return map[int]string{exitHolds: "holds", exitViolated: "fails"}[status]
}
