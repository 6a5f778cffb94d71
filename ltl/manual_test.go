package ltl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Every formula in an ltl block of the manual is read.
func TestManual(t *testing.T) {
	path := filepath.Join("..", "docs", "formulas.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```ltl\n")[1:]
	n := 0
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		all, err := ltl.ParseAll(source.NewFile(path, block), ltl.ParseOptions{})
		if err != nil {
			t.Errorf("%v in\n%s", err, block)
		}
		n += len(all)
	}
	if n < 20 {
		t.Errorf("only %d formulas found", n)
	}
}
