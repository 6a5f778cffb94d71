package fsp_test

import (
	"os"
	"regexp"
	"testing"
)

// TestLanguagePage compiles every model of docs/language.md: all its processes,
// properties and progress properties, without an error or a warning.
func TestLanguagePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```lks\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 25 {
		t.Fatalf("only %d models found", len(blocks))
	}
	for _, b := range blocks {
		if got := diagnose("docs/language.md", string(b[1])); got != "" {
			t.Errorf("%s\nin the model\n%s", got, b[1])
		}
	}
}
