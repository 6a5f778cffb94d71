package source

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		line        string
		width, hang int
		want        string
	}{
		{"short", 10, 2, "short"},
		{"    help: one two three", 16, 8, "    help: one\n        two\n        three"},
		{"one two three", 0, 2, "one two three"},
		{"one two three", 7, 2, "one two\n  three"},
		{"see `seltl help verify` there", 12, 0, "see\n`seltl help verify`\nthere"},
		{"an ` alone is no quote", 11, 0, "an ` alone\nis no quote"},
		{"äöü äöü äöü", 7, 0, "äöü äöü\näöü"},
		{"averyveryverylongword b", 5, 10, "averyveryverylongword\n  b"},
	} {
		if got := Wrap(c.line, c.width, c.hang); got != c.want {
			t.Errorf("Wrap(%q, %d, %d) = %q, want %q", c.line, c.width, c.hang, got, c.want)
		}
	}
}

// TestWrapKeepsWords: nothing is lost, and only a word that is too long makes a line too
// long.
func TestWrapKeepsWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var parts []string
		for range 1 + r.IntN(20) {
			parts = append(parts, strings.Repeat("é", 1+r.IntN(12)))
		}
		line, width, hang := strings.Repeat(" ", r.IntN(4))+strings.Join(parts, " "), 20+r.IntN(30), r.IntN(8)
		got := Wrap(line, width, hang)
		if strings.Join(strings.Fields(got), " ") != strings.TrimSpace(line) {
			t.Fatalf("Wrap(%q, %d, %d) = %q", line, width, hang, got)
		}
		for l := range strings.Lines(got) {
			if utf8.RuneCountInString(strings.TrimSuffix(l, "\n")) > width {
				t.Fatalf("Wrap(%q, %d, %d) = %q", line, width, hang, got)
			}
		}
	}
}

// TestRenderWidth: messages are wrapped, the lines that they are about are not.
func TestRenderWidth(t *testing.T) {
	f := NewFile("m.lks", "P = (a -> b -> c -> d -> e -> f -> g -> h -> i -> P).\n")
	var l List
	l.Warnf(f.Span(5, 6), "x", "this is a message that says rather much about the letter").Help = "write something that is quite different from this letter"
	var b strings.Builder
	l.RenderWidth(&b, 40)
	want := `m.lks:1:6: warning: this is a message
    that says rather much about the
    letter
    1 | P = (a -> b -> c -> d -> e -> f -> g -> h -> i -> P).
      |      ^
    help: write something that is quite
          different from this letter
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
