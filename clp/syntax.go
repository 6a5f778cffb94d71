package clp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/layout"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// operators of more than one character, longest first.
var operators = []string{"<->", "->", "<=", ">=", "==", "!=", "&&", "||", ":-"}

// scan takes a text apart: words, numbers and operators, and every other character is a token, too.
func scan(file *source.File) *tokens.Lexer {
	l := &tokens.Lexer{Source: file}
	l.Own = func(rest string) bool {
		l.Add(tokens.Symbol, tokenLength(rest))
		return true
	}
	l.Run()
	return l
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
	l := layout.New(file.Text(), s.Tokens, s.Comments)
	l.Space = func(i int) bool { return spaced(s.Tokens, i) }
	for start := 0; start < len(s.Tokens)-1; {
		end := start
		for s.Tokens[end].Text != ";" {
			end++
		}
		l.Marks[start].Break, l.Marks[start].Blank = layout.Always, true
		arrange(l, s.Tokens, start, end)
		start = end + 1
	}
	return l.Print()
}

// arrange marks where a statement may be broken.
func arrange(l *layout.Layout, all []tokens.Token, start, end int) {
	turnstile := start
	for turnstile < end && all[turnstile].Text != ":-" {
		turnstile++
	}
	bars := "&&" // what a line is begun for: alternatives, if there are some
	depth := 0
	for i := start; i < end; i++ {
		switch all[i].Text {
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
		switch all[i].Text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case ",":
			l.Fill(i+1, 2)
		case "&&", "||":
			if i > turnstile && depth == 0 && all[i].Text == bars {
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
func spaced(all []tokens.Token, i int) bool {
	before, t := all[i-1].Text, all[i].Text
	switch {
	case slices.Contains([]string{",", ";", ")", "]"}, t), slices.Contains([]string{"(", "[", "!"}, before):
		return false
	case t == ":":
		return all[i].Start != all[i-1].End
	case t == "[":
		return false
	case t == "(":
		r, _ := utf8.DecodeRuneInString(before)
		return !letter(r)
	case before == "-" && i >= 2: // a sign
		r, _ := utf8.DecodeLastRuneInString(all[i-2].Text)
		return inName(r) || all[i-2].Text == ")" || all[i-2].Text == "]"
	}
	return true
}
