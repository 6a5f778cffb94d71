package report

import (
	"bufio"
	"strings"
)

// usualWidth is where runs are broken if the width of the output is not known.
const usualWidth = 80

// piece is a text that is not broken if it fits into a line.
type piece struct {
	text  string
	gap   int  // blanks between it and the piece before it
	hang  int  // blanks before it where it begins the column
	fresh bool // it begins a line
}

// rowWriter writes rows of two columns, of which the second is broken at a width.
type rowWriter struct {
	*bufio.Writer
	at, width int // where the second column begins, and where lines end
}

// row writes a head and the pieces behind it.
func (w rowWriter) row(head string, pieces []piece) {
	column, broken := cells(head), false
	w.WriteString(head)
	for i, p := range pieces {
		gap := p.gap
		if i == 0 && column <= w.at {
			gap = w.at + p.hang - column
		} else if i == 0 || p.fresh || broken && gap > 1 || column+gap+cells(p.text) > w.width {
			gap, column = w.at+p.hang, 0
			w.WriteByte('\n')
		}
		w.WriteString(strings.Repeat(" ", gap))
		lines := brokenBehind(p.text, w.width-w.at-p.hang, 2)
		broken = len(lines) > 1
		for k, line := range lines {
			if k > 0 {
				gap, column = w.at+p.hang+2, 0
				w.WriteString("\n" + strings.Repeat(" ", gap))
			}
			w.WriteString(line)
			column += gap + cells(line)
		}
	}
	w.WriteByte('\n')
}

// listPieces are those of a list in some brackets, broken between its elements.
func listPieces(before string, list []string, after string) (all []piece) {
	for i, text := range list {
		p := piece{text: text, gap: 1, hang: cells(before)}
		if i == 0 {
			p.text, p.gap, p.hang = before+text, 2, 0
		}
		if i < len(list)-1 {
			p.text += ","
		} else {
			p.text += after
		}
		all = append(all, p)
	}
	return all
}

// brokenBehind breaks a text into lines of n places, of which all but the first lack hang:
// between words, and words that are longer behind signs; never within a name.
func brokenBehind(text string, n, hang int) (lines []string) {
	return broken(text, float64(n), float64(hang), func(s string) float64 { return float64(cells(s)) })
}

// broken is brokenBehind for widths in any measure.
func broken(text string, n, hang float64, measure func(string) float64) (lines []string) {
	if measure(text) <= n {
		return []string{text}
	}
	line, room := "", n
	add := func(word, glue string) {
		switch {
		case line == "":
			line = word
		case measure(line+glue+word) <= room:
			line += glue + word
		default:
			lines = append(lines, line)
			line, room = word, n-hang
		}
	}
	for _, word := range strings.Fields(text) {
		if measure(word) <= n-hang {
			add(word, " ")
			continue
		}
		glue := " "
		for _, part := range wordParts(word) {
			add(part, glue)
			glue = ""
		}
	}
	return append(lines, line)
}

// wordParts cuts a word behind its signs.
func wordParts(word string) (parts []string) {
	from := 0
	for i := 1; i < len(word); i++ {
		if strings.IndexByte(",.:;>|&=_/", word[i-1]) >= 0 && strings.IndexByte(",.:;>|&=_/)]}", word[i]) < 0 {
			parts = append(parts, word[from:i])
			from = i
		}
	}
	return append(parts, word[from:])
}
