package specification_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
)

// TestSpecPage reads every specification of docs/spec.md: without an error or a warning,
// in the standard layout, and with constants and machines that have values.
func TestSpecPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/spec.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```spec\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 11 {
		t.Fatalf("only %d specifications found", len(blocks))
	}
	for _, b := range blocks {
		text := string(b[1])
		f, _ := specification.ParseText("docs/spec.md", text)
		if got := messages(f); got != "" {
			t.Errorf("%s\nin\n%s", got, text)
		}
		if got := specification.Format(f); got != text {
			t.Errorf("in the standard layout:\n%s\nfor\n%s", got, text)
		}
	}
}
