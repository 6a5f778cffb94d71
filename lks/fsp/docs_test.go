package fsp_test

import (
	"os"
	"regexp"
	"testing"
)

// TestLanguagePage compiles every model of docs/language.md and docs/concepts.md: all
// its processes, properties and progress properties, without an error or a warning.
func TestLanguagePage(t *testing.T) {
	for name, least := range map[string]int{"docs/language.md": 25, "docs/concepts.md": 6} {
		page, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)```lks\n(.*?)```").FindAllSubmatch(page, -1)
		if len(blocks) < least {
			t.Fatalf("only %d models found in %s", len(blocks), name)
		}
		for _, b := range blocks {
			if got := diagnose(name, string(b[1])); got != "" {
				t.Errorf("%s\nin the model\n%s", got, b[1])
			}
		}
	}
}
