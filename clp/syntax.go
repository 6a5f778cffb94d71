package clp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/layout"
	"github.com/seltl/seltl/internal/source"
)

// text is a .clp text taken apart: the last token stands for the end.
type text struct {
	file     *source.File
	tokens   []layout.Token
	comments []layout.Comment
	errs     source.List
}

// operators of more than one character, longest first.
var operators = []string{"<->", "->", "<=", ">=", "==", "!=", "&&", "||", ":-"}

// scan takes a text apart.
func scan(file *source.File) *text {
	s := &text{file: file}
	all := file.Text()
	newlines, behind := 0, false
	for at := 0; ; {
		for at < len(all) && strings.IndexByte(" \t\r\n", all[at]) >= 0 {
			if all[at] == '\n' {
				newlines++
				behind = false
			}
			at++
		}
		rest := all[at:]
		if n, line := commentLength(rest); n > 0 {
			if n > len(rest) {
				s.errs.Errorf(file.Span(at, at+2), "syntax", "comment is never closed")
				n = len(rest)
			}
			s.comments = append(s.comments, layout.Comment{Text: strings.TrimRight(rest[:n], " \t\r"), Before: len(s.tokens), Newlines: newlines, OwnLine: !behind, Line: line})
			at, newlines, behind = at+n, 0, true
			continue
		}
		n := tokenLength(rest)
		s.tokens = append(s.tokens, layout.Token{Text: rest[:n], Start: int32(at), End: int32(at + n), Newlines: int32(newlines)})
		if n == 0 {
			return s
		}
		at, newlines, behind = at+n, 0, true
	}
}

// commentLength measures a comment, 0 if there is none; longer than the text if it is never
// closed.
func commentLength(rest string) (n int, line bool) {
	switch {
	case strings.HasPrefix(rest, "//"):
		if n = strings.IndexByte(rest, '\n'); n < 0 {
			n = len(rest)
		}
		return n, true
	case strings.HasPrefix(rest, "/*"):
		if n = strings.Index(rest[2:], "*/"); n < 0 {
			return len(rest) + 1, false
		}
		return n + 4, false
	}
	return 0, false
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func inName(r rune) bool { return letter(r) || unicode.IsDigit(r) || r == '\'' || r == '.' || r == '@' }

// tokenLength measures a name, a number, or an operator.
func tokenLength(rest string) int {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return 0
	case unicode.IsDigit(r):
		return numberLength(rest)
	case letter(r):
		if n := strings.IndexFunc(rest, func(r rune) bool { return !inName(r) }); n >= 0 {
			return n
		}
		return len(rest)
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return len(op)
		}
	}
	return size
}

// numberLength measures digits, perhaps with a point and more digits.
func numberLength(rest string) int {
	n, point := 0, false
	for i, r := range rest {
		switch {
		case unicode.IsDigit(r):
			n = i + utf8.RuneLen(r)
		case r == '.' && !point:
			point = true
		default:
			return n
		}
	}
	return n
}

// Format returns a .clp text in the standard layout: each declaration and each rule begins
// a line, and a body that does not fit on one has a line for each of its parts. Only blanks
// and line breaks change. The error is that of Parse.
func Format(file *source.File) (string, error) {
	if _, err := Parse(file); err != nil {
		return "", err
	}
	return arranged(file), nil
}

// arranged lays out a text without mistakes.
func arranged(file *source.File) string {
	s := scan(file)
	l := layout.New(file.Text(), s.tokens, s.comments)
	l.Space = func(i int) bool { return spaced(s.tokens, i) }
	for start := 0; start < len(s.tokens)-1; {
		end := start
		for s.tokens[end].Text != ";" {
			end++
		}
		l.Marks[start].Break, l.Marks[start].Blank = layout.Always, true
		arrange(l, s.tokens, start, end)
		start = end + 1
	}
	return l.Print()
}

// arrange marks where a statement may be broken.
func arrange(l *layout.Layout, tokens []layout.Token, start, end int) {
	turnstile := start
	for turnstile < end && tokens[turnstile].Text != ":-" {
		turnstile++
	}
	bars := "&&" // what a line is begun for: alternatives, if there are some
	depth := 0
	for i := start; i < end; i++ {
		switch tokens[i].Text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "||":
			if depth == 0 {
				bars = "||"
			}
		}
	}
	for i := start; i < end; i++ {
		switch tokens[i].Text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case ",":
			l.Fill(i+1, 2)
		case "&&", "||":
			if i > turnstile && depth == 0 && tokens[i].Text == bars {
				l.Bar(i, turnstile+1, 1)
			} else {
				l.Fill(i, 2)
			}
		}
	}
	if turnstile < end-1 {
		first := turnstile + 1
		l.Marks[first].Break, l.Marks[first].Group, l.Marks[first].Indent = layout.WithGroup, first, 1
		l.Marks[first].Opens, l.Marks[first].Close = true, end
	}
}

// spaced reports whether a blank stands before token i, which is on the line of the one
// before it.
func spaced(tokens []layout.Token, i int) bool {
	before, t := tokens[i-1].Text, tokens[i].Text
	switch {
	case slices.Contains([]string{",", ";", ")", "]"}, t), slices.Contains([]string{"(", "[", "!"}, before):
		return false
	case t == ":":
		return tokens[i].Start != tokens[i-1].End
	case t == "[":
		return false
	case t == "(":
		r, _ := utf8.DecodeRuneInString(before)
		return !letter(r)
	case before == "-" && i >= 2: // a sign
		r, _ := utf8.DecodeLastRuneInString(tokens[i-2].Text)
		return inName(r) || tokens[i-2].Text == ")" || tokens[i-2].Text == "]"
	}
	return true
}
