package layout

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/tokens"
)

// TestPrint: a group stays on one line if it fits, else its parts get lines of their own;
// comments stay where they are.
func TestPrint(t *testing.T) {
	lay := func(words string, comments ...tokens.Comment) string {
		var all []tokens.Token
		at := int32(0)
		for _, w := range strings.Fields(words) {
			all = append(all, tokens.Token{Text: w, Span: tokens.Span{Start: at, End: at + int32(len(w))}})
			at += int32(len(w)) + 1
		}
		l := New(words, append(all, tokens.Token{Span: tokens.Span{Start: at, End: at}}), comments)
		l.Space = func(i int) bool { return all[i-1].Text != "(" && all[i].Text != ";" }
		l.Marks[0].Break, l.Marks[0].Blank = Always, true
		l.Bracket(1, len(all)-2, 1)
		for i, token := range all {
			if token.Text == "|" {
				l.Bar(i, 1, 1)
			}
		}
		if n := l.Last(all[2].End); n != 2 || l.Token(all[2].Start) != 2 {
			t.Errorf("%s: token 2 is said to be %d", words, n)
		}
		return l.Print()
	}
	long := strings.Repeat("x", 40)
	for _, c := range []struct{ got, want string }{
		{lay("S= ( a | b ) ;"), "S= (a | b);\n"},
		{lay("S= ( a | " + long + " | " + long + " ) ;"), "S=\n    ( a\n    | " + long + "\n    | " + long + "\n    );\n"},
		{lay("S= ( a | b ) ;", tokens.Comment{Text: "// c", Before: 3, Line: true}), "S=\n    ( a  // c\n    | b\n    );\n"},
		{lay("S= ( a | b ) ;", tokens.Comment{Text: "/* c */", Before: 3}), "S= (a /* c */ | b);\n"},
		{lay("S= ( a | b ) ;", tokens.Comment{Text: "// c", Before: 0, OwnLine: true, Line: true}), "// c\nS= (a | b);\n"},
		{lay("S= ( a | b ) ;", tokens.Comment{Text: "// c", Before: 7, Newlines: 2, OwnLine: true, Line: true}), "S= (a | b);\n\n// c\n"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
