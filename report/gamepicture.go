package report

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/source"
)

// mostDrawn is how many moves or instances a picture of a tree has, and widestBlock how many
// characters a line of theirs.
const (
	mostDrawn   = 200
	widestBlock = 48
)

// Diagram is the picture of a game: a box for every move of the implementation, with the state
// that it leads to, and an arrow for every answer of the specification. Moves without an answer
// are marked.
func (m *Move) Diagram(title string) *diagram.Graph {
	g := &diagram.Graph{Name: title}
	rows := m.rows()
	for i, r := range rows {
		if i == mostDrawn {
			g.Notes = append(g.Notes, Counted(int64(len(rows)-i), "more move"))
			break
		}
		n := diagram.Node{Number: i, Lines: blockLines(r.move.caption()), Block: true}
		if r.move.lost() {
			n.Marks = diagram.Marked
		}
		g.Nodes = append(g.Nodes, n)
		if r.parent >= 0 {
			g.Edges = append(g.Edges, diagram.Edge{From: r.parent, To: i, Labels: []string{"answer: " + r.move.Specification}})
		}
	}
	return g
}

// blockLines breaks a text for a box.
func blockLines(text string) []string {
	return strings.Split(source.Wrap(text, widestBlock, 2), "\n")
}

// lost reports whether the specification has no answer.
func (m *Move) lost() bool { return len(m.Answers) == 0 && !m.Cut }

// caption says what the implementation does.
func (m *Move) caption() string {
	if m.Event == "" {
		return "start in " + m.State()
	}
	text := fmt.Sprintf("%s to %s", silently(m.Event), m.State())
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
}

// rows lists the moves depth-first.
func (m *Move) rows() []gameRow {
	var rows []gameRow
	stack := []gameRow{{m, -1}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rows = append(rows, at)
		for i := len(at.move.Answers) - 1; i >= 0; i-- {
			stack = append(stack, gameRow{at.move.Answers[i], len(rows) - 1})
		}
	}
	return rows
}
