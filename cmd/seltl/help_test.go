package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

// TestHelpWidth: no line of a help text is wider than 80 columns.
func TestHelpWidth(t *testing.T) {
	names := []string{"", "formulas", "language", "json", "memory"}
	for _, c := range newApp(cmdline.Streams{}).VisibleCommands() {
		names = append(names, c.Name)
	}
	if len(names) < 15 {
		t.Fatalf("only %d help texts", len(names))
	}
	for _, name := range names {
		var stdout, stderr bytes.Buffer
		if status := run(append([]string{"seltl", "help"}, strings.Fields(name)...), strings.NewReader(""), &stdout, &stderr); status != report.ExitHolds || stdout.Len() == 0 {
			t.Fatalf("help %s: status %d: %s", name, status, stderr.String())
		}
		for line := range strings.Lines(stdout.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > cmdline.HelpWidth {
				t.Errorf("help %s: %d columns: %s", name, n, line)
			}
		}
	}
}
