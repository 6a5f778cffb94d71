package floors

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProcedures: the map of the papers' procedures names files that speak of them: of the first name, or of
// all numbers.
func TestProcedures(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "## Procedures of the papers\n")
	if section, _, _ = strings.Cut(section, "\n## "); !found {
		t.Fatal("there is no map")
	}
	rows := regexp.MustCompile("(?m)^\\| \\[(\\w+)\\] \\| ([^|]*) \\| ([^|]*) \\| `([^`]+)` \\|$").FindAllStringSubmatch(section, -1)
	for _, row := range rows {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(row[4])))
		if err != nil {
			t.Error(err)
			continue
		}
		name, _, _ := strings.Cut(row[2], ",")
		speaks := strings.Contains(string(text), name)
		if numbers := strings.Split(row[3], ", "); row[3] != "" && !speaks {
			speaks = true
			for _, n := range numbers {
				speaks = speaks && strings.Contains(string(text), n)
			}
		}
		if !speaks && !strings.Contains(string(text), row[1]) {
			t.Errorf("%s says nothing of %s", row[4], row[2])
		}
	}
	if len(rows) < 20 {
		t.Errorf("%d rows", len(rows))
	}
}
