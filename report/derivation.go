package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// Derivation is why a query of constraint logic has one: an instance of a rule, with
// values, and the instances that it calls.
type Derivation struct {
	Fact   string        `json:"fact"`             // "fib(3, 2)"
	File   string        `json:"file,omitempty"`   // of the rule or clause
	Line   int           `json:"line,omitempty"`   // from 1
	Clause int           `json:"clause"`           // its number, from 1
	Values []string      `json:"values,omitempty"` // of its variables, "x = 3"
	Calls  []*Derivation `json:"calls,omitempty"`
}

// maxDerivation is how many instances texts and pictures show.
const maxDerivation = 200

// derivationRow is an instance in the order in which it is told.
type derivationRow struct {
	*Derivation
	parent, depth int
}

// rows lists instances depth-first, so many at most, and counts all.
func (d *Derivation) rows(most int) (rows []derivationRow, total int) {
	stack := []derivationRow{{d, -1, 0}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		row := len(rows)
		if total++; row < most {
			rows = append(rows, at)
		}
		for i := len(at.Calls) - 1; i >= 0; i-- {
			stack = append(stack, derivationRow{at.Calls[i], row, at.depth + 1})
		}
	}
	return rows, total
}

// text is a line about an instance.
func (d *Derivation) text() string {
	text := d.Fact
	if d.Line > 0 {
		text += fmt.Sprintf("  [line %d]", d.Line)
	}
	if len(d.Values) > 0 {
		text += "  with " + strings.Join(d.Values, ", ")
	}
	return text
}

// writeDerivation prints a derivation as an indented tree.
func writeDerivation(b *bufio.Writer, d *Derivation) {
	rows, total := d.rows(maxDerivation)
	for _, r := range rows {
		fmt.Fprintf(b, "  %s%s\n", strings.Repeat("  ", r.depth), r.text())
	}
	if total > len(rows) {
		fmt.Fprintf(b, "  ...  %s (--json has them all)\n", Counted(int64(total-len(rows)), "more instance"))
	}
}

// SVG draws a derivation as an indented tree, a line for each instance.
func (d *Derivation) SVG(w io.Writer, title string) error {
	const top, row, indent = 60, 30, 30
	rows, total := d.rows(maxDerivation)
	width := 400.0
	for _, r := range rows {
		width = max(width, float64(50+r.depth*indent)+float64(utf8.RuneCountInString(r.text()))*seqChar+30)
	}
	height := top + row*(len(rows)+1)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", html.EscapeString(title))
	fmt.Fprintf(b, `<text x="16" y="24" font-size="14" font-weight="bold">%s</text>`+"\n", html.EscapeString(title))
	for i, r := range rows {
		x, y := float64(20+r.depth*indent), float64(top+row*i)
		if r.parent >= 0 {
			px, py := float64(20+rows[r.parent].depth*indent), float64(top+row*r.parent)
			fmt.Fprintf(b, `<path d="M %.0f %.0f V %.0f H %.0f" fill="none" stroke="#7aa0dd"/>`+"\n", px, py, y-4, x-4)
		}
		fmt.Fprintf(b, `<circle cx="%.0f" cy="%.0f" r="4" fill="#222222"/><text x="%.0f" y="%.0f" fill="#222222">%s</text>`+"\n", x, y-4, x+10, y, html.EscapeString(r.text()))
	}
	if total > len(rows) {
		fmt.Fprintf(b, `<text x="20" y="%d" fill="#666666">and %s</text>`+"\n", top+row*len(rows), Counted(int64(total-len(rows)), "more instance"))
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}
