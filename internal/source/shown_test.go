package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShown(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for in, want := range map[string]string{
		"a\tb\nc":                   "a\tb\nc",
		"\x1b[31m\x00\xffred\u009b": ".[31m..red.",
		"a \u202eb":                 "a .b",
		"x " + long + " y":          "x " + long[:2*longestWord] + "… y",
	} {
		if got := Shown(in); got != want {
			t.Errorf("%.20q: %.300q, want %.300q", in, got, want)
		}
	}
	if got := Beginning(strings.Repeat("ab ", 1000), 10); got != "ab ab ab a…" {
		t.Errorf("%q", got)
	}
	var list List
	f := NewFile("f", long+"\x1b")
	list.Errorf(f.Span(0, len(long)), "c", "there is no %s \x1b[31m", long).Help = "\x1b" + long
	for _, text := range []string{list.Error(), list[0].Render()} {
		if utf8.RuneCountInString(text) > 700 || strings.ContainsAny(text, "\x1b") {
			t.Errorf("%d characters: %.100q", len(text), text)
		}
	}
}
