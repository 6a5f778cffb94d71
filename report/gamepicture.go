package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// DOT draws a game as a Graphviz tree: boxes are the implementation's states
// with the specification's beside them, edges are events and answers.
func (m *Move) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("digraph game {\n  rankdir=TB\n  node [shape=box, fontname=\"monospace\"]\n")
	for i, n := range m.rows() {
		fmt.Fprintf(b, "  n%d [label=%s%s]\n", i, dotQuote(n.move.caption()), map[bool]string{true: ", color=red"}[n.move.lost()])
		if n.parent >= 0 {
			fmt.Fprintf(b, "  n%d -> n%d [label=%s]\n", n.parent, i, dotQuote("answer: "+n.move.Specification))
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// lost reports whether the specification has no answer.
func (m *Move) lost() bool { return len(m.Answers) == 0 && !m.Cut }

// caption says what the implementation does.
func (m *Move) caption() string {
	if m.Event == "" {
		return "start in " + m.Implementation
	}
	text := fmt.Sprintf("%s to %s", silently(m.Event), m.Implementation)
	switch {
	case m.Cut:
		text += " ..."
	case m.lost():
		text += ": no answer, only " + orNothing(m.Offers)
	}
	return text
}

// gameRow is a move in the order in which it is drawn.
type gameRow struct {
	move   *Move
	parent int // row of the move that it answers, -1 at the root
	depth  int
}

// rows lists the moves depth-first.
func (m *Move) rows() []gameRow {
	var rows []gameRow
	stack := []gameRow{{m, -1, 0}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rows = append(rows, at)
		for i := len(at.move.Answers) - 1; i >= 0; i-- {
			stack = append(stack, gameRow{at.move.Answers[i], len(rows) - 1, at.depth + 1})
		}
	}
	return rows
}

// SVG draws a game as an indented tree, a line for every move.
func (m *Move) SVG(w io.Writer, title string) error {
	const top, row, indent = 60, 34, 36
	b := bufio.NewWriter(w)
	rows := m.rows()
	width := 400.0
	text := make([]string, len(rows))
	for i, n := range rows {
		text[i] = n.move.caption()
		if n.move.Specification != "" {
			text[i] = "in " + n.move.Specification + ": " + text[i]
		}
		width = max(width, float64(30+n.depth*indent)+float64(utf8.RuneCountInString(text[i]))*seqChar+30)
	}
	height := top + row*len(rows) + 10
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", html.EscapeString(title))
	fmt.Fprintf(b, `<text x="16" y="24" font-size="14" font-weight="bold">%s</text>`+"\n", html.EscapeString(title))
	for i, n := range rows {
		x, y := float64(20+n.depth*indent), float64(top+row*i)
		if n.parent >= 0 {
			px, py := float64(20+rows[n.parent].depth*indent), float64(top+row*n.parent)
			fmt.Fprintf(b, `<path d="M %.0f %.0f V %.0f H %.0f" fill="none" stroke="#7aa0dd"/>`+"\n", px, py+6, y-4, x-8)
		}
		color := "#222222"
		if n.move.lost() {
			color = "#cc4422"
		}
		fmt.Fprintf(b, `<circle cx="%.0f" cy="%.0f" r="4" fill="%s"/><text x="%.0f" y="%.0f" fill="%s">%s</text>`+"\n", x, y-4, color, x+10, y, color, html.EscapeString(text[i]))
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}
