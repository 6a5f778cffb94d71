package source

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a line of prose at blanks, so that no line is wider than width, as far as
// its words allow; 0 is no bound. It keeps the blanks at the start of the line, and
// indents what it breaks off by hang blanks. What stands in backticks is one word.
func Wrap(line string, width, hang int) string {
	if width <= 0 || utf8.RuneCountInString(line) <= width {
		return line
	}
	hang = min(hang, width/2)
	text := strings.TrimLeft(line, " ")
	var b strings.Builder
	column := len(line) - len(text)
	b.WriteString(line[:column])
	first := true
	for _, word := range words(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case first:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", hang))
			column = hang
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
		first = false
	}
	return b.String()
}

// words splits text at blanks outside of backticks; several blanks in a row are part of
// the word before them.
func words(text string) []string {
	var all []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`':
			quoted = !quoted && strings.IndexByte(text[i+1:], '`') >= 0
		case text[i] == ' ' && !quoted && i+1 < len(text) && text[i+1] != ' ':
			all = append(all, text[start:i])
			start = i + 1
		}
	}
	return append(all, text[start:])
}
