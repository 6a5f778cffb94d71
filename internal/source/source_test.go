package source

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPositionCountsCharacters(t *testing.T) {
	f := NewFile("m.lks", "αβ = x\r\nnext\n")
	for _, c := range []struct{ offset, line, column int }{
		{0, 1, 1}, {2, 1, 2}, {4, 1, 3}, {-5, 1, 1}, {10, 2, 1}, {14, 2, 5}, {15, 3, 1}, {99, 3, 1},
	} {
		if got := f.position(c.offset); got != (Position{c.line, c.column}) {
			t.Errorf("Position(%d) = %v, want %d:%d", c.offset, got, c.line, c.column)
		}
	}
	if got := f.line(1); got != "αβ = x" {
		t.Errorf("Line(1) = %q", got)
	}
	if got := f.line(9); got != "" {
		t.Errorf("Line(9) = %q", got)
	}
}

// TestPositionInLongLines: columns are those that counting from the beginning of the line gives, in lines
// of any length and of any bytes.
func TestPositionInLongLines(t *testing.T) {
	r := rand.New(rand.NewPCG(0, 1))
	parts := []string{"a", "é", "€", "𝄞", "\x80", "\xe2\x82", "\xff", "abcdefgh"}
	for seed := range 40 {
		var b strings.Builder
		for b.Len() < 10_000 {
			if b.WriteString(parts[r.IntN(len(parts))]); r.IntN(3000) == 0 {
				b.WriteByte('\n')
			}
		}
		f := NewFile("m", b.String())
		for range 300 {
			at := r.IntN(b.Len() + 1)
			before := b.String()[:at]
			line := strings.Count(before, "\n") + 1
			want := Position{line, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1}
			if got := f.position(at); got != want {
				t.Fatalf("text %d, byte %d: %v, want %v", seed, at, got, want)
			}
		}
	}
}

func TestRender(t *testing.T) {
	f := NewFile("model.lks", "A = B.\n\t||SYS = (BUFFR || USER).\n")
	var l List
	at := strings.Index(f.Text(), "BUFFR")
	d := l.Errorf(f.Span(at, at+5), "unknown-process", "unknown process %q", "BUFFR")
	d.Help = DidYouMean("BUFFR", []string{"USER", "BUFFER"})
	d.Related = []Related{{Span: f.Span(0, 1), Message: "first process is here"}}
	l.Warnf(f.Span(0, 1), "w", "before it")
	err := l.Err()
	if err == nil {
		t.Fatal("no error")
	}
	var b bytes.Buffer
	err.(List).Render(&b)
	want := `model.lks:1:1: warning: before it
    1 | A = B.
      | ^
model.lks:2:11: error: unknown process "BUFFR"
    2 |  ||SYS = (BUFFR || USER).
      |           ^^^^^
  model.lks:1:1: first process is here
    1 | A = B.
      | ^
    help: did you mean "BUFFER"?
`
	if b.String() != want {
		t.Errorf("rendered\n%s\nwant\n%s", b.String(), want)
	}
	if got := err.Error(); got != "model.lks:1:1: warning: before it (and 1 more)" {
		t.Errorf("Error() = %q", got)
	}
}

// TestRenderGarbage: a megabyte in one line, control characters and broken UTF-8
// are shown in a line of bearable length.
func TestRenderGarbage(t *testing.T) {
	text := strings.Repeat("x\x00\xff(", 1<<18)
	f := NewFile("g", text)
	for _, at := range []int{0, 50, 1 << 19, len(text)} {
		got := Diagnostic{Span: f.Span(at, at+70000), Message: "m"}.Render()
		if len(got) > 1000 {
			t.Errorf("at %d: %d bytes rendered", at, len(got))
		}
		lines := strings.Split(got, "\n")
		if len(lines) < 3 || !strings.Contains(lines[2], "^") {
			t.Errorf("at %d: no caret in %q", at, got)
		}
	}
}

func TestWarningsAreNoError(t *testing.T) {
	var l List
	l.Warnf(Span{}, "w", "careful")
	if l.Err() != nil || l.HasErrors() {
		t.Error("a warning became an error")
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"thinking", "eating", "fork"}
	for name, want := range map[string]string{
		"eatting": "eating", "EATING": "eating", "tihnking": "thinking", "frok": "fork", "completely": "", "eating": "",
	} {
		if got := Suggest(name, known); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	f := NewFile("f", "abcdef")
	if got := f.Span(4, 9); got.Text() != "ef" {
		t.Errorf("a span beyond the end = %q", got.Text())
	}
	if (Span{}).Valid() || (Span{}).Text() != "" || (Span{}).Pos() != (Position{}) {
		t.Error("the zero span is somewhere")
	}
}

// A part of a longer text shows its own lines under the positions of the whole.
func TestPart(t *testing.T) {
	f := NewPart("x", "one\ntwo", 7)
	got := Diagnostic{Message: "wrong", Span: f.Span(4, 7)}.Render()
	if !strings.Contains(got, "x:8:1: error: wrong") || !strings.Contains(got, "two\n") {
		t.Errorf("got %s", got)
	}
}
