package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seltl/seltl/budget"
)

var farSearch = budget.Progress{Phase: "exploring", States: 123456789, Transitions: 987654321, Depth: 12345, Elapsed: 754 * time.Second, Memory: 12 << 30}

// TestProgressText: numbers are grouped, and a line is never wider than it may be.
func TestProgressText(t *testing.T) {
	const full = "exploring: 123,456,789 states, 987,654,321 transitions, depth 12,345, 163,735 states/s, 12.0 GiB (104.4 bytes/state), 12m34s"
	if got := progressText(farSearch, 0); got != full {
		t.Errorf("got  %s\nwant %s", got, full)
	}
	want := "exploring: 123,456,789 states, 987,654,321 transitions, 12.0 GiB, 12m34s"
	if got := progressText(farSearch, 80); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for width := 1; width < 150; width++ {
		got := progressText(farSearch, width)
		for _, field := range strings.Split(got, ", ") {
			// No field is cut.
			if field != "" && !strings.Contains(", "+full+",", " "+field+",") && !strings.Contains(full, field+" (") {
				t.Errorf("%d columns: %q of %q", width, field, got)
			}
		}
		if width == smallestWidth-6 && got != "123,456,789 states" {
			t.Errorf("on the narrowest screen: %q", got)
		}
		if n := utf8.RuneCountInString(got); n > width || width > 30 && !strings.HasPrefix(got, "exploring: 123,456,789 states") {
			t.Errorf("%d columns for %d: %s", n, width, got)
		}
	}
}

// TestProgressLine: the line that rewrites itself stays in its line, on a screen that
// becomes narrower, too.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	width := 100
	show, done := progressLine(&b, func() int { return width })
	for ; width >= 40; width -= 7 {
		b.Reset()
		show(farSearch)
		for _, line := range strings.Split(b.String(), "\r") {
			// What clears the line is as wide as what stood there: the screen was wider then.
			if n := utf8.RuneCountInString(line); n >= width && strings.TrimSpace(line) != "" || strings.Contains(line, "\n") {
				t.Errorf("%d columns on a screen of %d: %q", n, width, line)
			}
		}
	}
	done()
}

// TestProgressLines: where control characters mean nothing there are none.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	show := progressLines(&b, func() int { return 60 })
	for _, elapsed := range []time.Duration{1, 2, 11, 12, 22} {
		p := farSearch
		p.Elapsed = elapsed * time.Second
		show(p)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines:\n%s", len(lines), b.String())
	}
	for _, line := range lines {
		if len(line) > 60 || strings.ContainsAny(line, "\r\x1b\b") || !strings.HasPrefix(line, "seltl: exploring: 123,456,789 states") {
			t.Errorf("line %q", line)
		}
	}
}
