package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestWord bounds words of other people's texts in messages, in characters.
const longestWord = 160

// Shown is a text of a model, a program or a person as a terminal can be given it: characters that
// control one, and bytes that are no UTF-8, are '.', and of words that nobody has written by hand
// the beginning is left.
func Shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return '.'
		}
		return r
	}, text)
	if len(text) <= longestWord {
		return text
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; unicode.IsSpace(r) {
			n = 0
		}
		switch {
		case n <= longestWord:
			b.WriteRune(r)
		case n == longestWord+1:
			b.WriteRune('…')
		}
	}
	return b.String()
}

// Beginning is what Shown makes of a text, and of a long one so many characters at most.
func Beginning(text string, most int) string {
	text = Shown(text)
	if len(text) <= most {
		return text
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
