package tokens

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// small is a language of words and a few symbols.
func small(text string) *Lexer {
	l := &Lexer{Source: source.NewFile("t", text), Symbols: []string{"->", "-", "(", ")"}, Plain: map[rune]string{'→': "->"}, Files: "a file"}
	l.Own = func(rest string) bool {
		n := WordLength(rest)
		if n > 0 {
			l.Add(Word, n)
		}
		return n > 0
	}
	l.Help = func(rune) string { return "" }
	l.Run()
	return l
}

// TestPartition: tokens and comments stand in the order of the text, with the text of their spans;
// nothing but blanks, and what was reported, is between them.
func TestPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(0, 5))
	parts := []string{"a", "B2", "->", "-", "(", ")", " ", "\n", "\t", "// c\n", "/* c\n */", "→", "§", "/*", "\x00", "\xff", "\ufeff", "/"}
	for seed := range soak.Cases(3000) {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		l := small(text)
		covered := make([]bool, len(text))
		at, newlines := int32(0), 0
		take := func(s Span, shown string) {
			if s.Start < at || shown != "" && text[s.Start:s.End] != shown && shown != "->" {
				t.Fatalf("seed %d, %q: %v %q stands at %d", seed, text, s, shown, at)
			}
			for i := s.Start; i < s.End; i++ {
				covered[i] = true
			}
			at = s.End
		}
		c := 0
		for i, token := range l.Tokens {
			for ; c < len(l.Comments) && l.Comments[c].Before == i; c++ {
				take(l.Comments[c].Span, l.Comments[c].Text)
				newlines += l.Comments[c].Newlines
			}
			take(token.Span, token.Text)
			newlines += int(token.Newlines)
		}
		if c != len(l.Comments) || l.Tokens[len(l.Tokens)-1].Kind != EOF {
			t.Fatalf("seed %d, %q: %+v %+v", seed, text, l.Tokens, l.Comments)
		}
		for i, is := range covered {
			if !is && !strings.ContainsRune(" \t\n\r", rune(text[i])) && len(l.Errs) == 0 && !strings.HasPrefix(text, "\ufeff") {
				t.Fatalf("seed %d, %q: byte %d is lost", seed, text, i)
			}
		}
		if want := strings.Count(text, "\n"); len(l.Errs) == 0 && len(l.Comments) == 0 && newlines != want {
			t.Fatalf("seed %d, %q: %d line ends, want %d", seed, text, newlines, want)
		}
	}
}

// TestStrangers: a character that begins no token is reported once, and what a word processor made of a
// symbol is that symbol.
func TestStrangers(t *testing.T) {
	l := small("a → b → c § § “")
	var texts []string
	for _, token := range l.Tokens {
		texts = append(texts, token.Text)
	}
	if want := []string{"a", "->", "b", "->", "c", ""}; !slices.Equal(texts, want) || len(l.Errs) != 3 {
		t.Errorf("%q, %v", texts, l.Errs)
	}
}

// TestCursor: behind a mistake there is the end of a text, nothing else is reported, and what is missing
// is in the gap; it can be gone on from there.
func TestCursor(t *testing.T) {
	l := small("a (\n b")
	c := Cursor{Source: l.Source, Tokens: l.Tokens, Begins: func() bool { return false }}
	first := c.Advance().Span
	if !c.Accept("(") || c.Accept("(") || c.Prev() != (Span{Start: 2, End: 3}) {
		t.Fatalf("at %d, before it %v", c.At, c.Prev())
	}
	c.Expect(")", "close it")
	c.Expect("->", "")
	c.Unexpected("anything", "")
	if len(c.Errs) != 1 || c.Errs[0].Message != `expected ")", got "b"` || c.Tok().Kind != EOF || c.Since(first) != (Span{Start: 0, End: 5}) {
		t.Errorf("%v, %v, %v", c.Errs, c.Tok(), c.Since(first))
	}
	c.Stopped = false
	if c.Advance().Text != "b" || c.Advance().Kind != EOF || c.Advance().Kind != EOF {
		t.Error("it does not go on")
	}
}

// TestSkip: what is left out is blanks and comments, as the text says, and nothing else.
func TestSkip(t *testing.T) {
	for _, c := range []struct {
		text, rest string
		open       bool
	}{
		{"", "", false}, {" \t\r\n", "", false}, {"x //", "x //", false}, {"// a", "", false}, {"// a\n\n# b\nx", "x", false},
		{"/* a // */ /**/x", "x", false}, {" /*/ x", "/*/ x", true}, {"\fx", "\fx", false}, {"/ x", "/ x", false}, {"% x", "% x", false},
	} {
		n, open := Skip(c.text, "//", "#")
		if c.text[n:] != c.rest || open != c.open {
			t.Errorf("of %q, %q is left, open %v", c.text, c.text[n:], open)
		}
	}
	if n, _ := Skip("# x"); n != 0 {
		t.Errorf("a comment without a mark: %d", n)
	}
}
