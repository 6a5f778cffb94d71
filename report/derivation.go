package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/diagram"
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

// maxDerivation is how many instances texts show.
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

// pieces tell of an instance.
func (d *Derivation) pieces() []piece {
	all := []piece{{text: d.Fact}}
	if d.Line > 0 {
		all = append(all, piece{text: fmt.Sprintf("[line %d]", d.Line), gap: 2, hang: 2})
	}
	for _, p := range listPieces("with ", d.Values, "") {
		p.hang += 2
		all = append(all, p)
	}
	return all
}

// writeDerivation prints a derivation as an indented tree.
func writeDerivation(b *bufio.Writer, d *Derivation, screen int) {
	rows, total := d.rows(maxDerivation)
	for _, r := range rows {
		at := min(2+2*r.depth, screen/2)
		rowWriter{b, at, screen}.row(strings.Repeat(" ", at), r.pieces())
	}
	if total > len(rows) {
		fmt.Fprintf(b, "  ...  %s (--json has them all)\n", Counted(int64(total-len(rows)), "more instance"))
	}
}

// Diagram is the picture of a derivation: a box for each instance, with an arrow to those that it
// calls.
func (d *Derivation) Diagram(title string) *diagram.Graph {
	g := &diagram.Graph{Name: title}
	rows, total := d.rows(mostDrawn)
	if total > len(rows) {
		g.Notes = append(g.Notes, Counted(int64(total-len(rows)), "more instance"))
	}
	for i, r := range rows {
		lines := blockLines(r.Fact)
		if r.Line > 0 {
			lines = append(lines, fmt.Sprintf("line %d", r.Line))
		}
		if len(r.Values) > 0 {
			lines = append(lines, blockLines("with "+strings.Join(r.Values, ", "))...)
		}
		g.Nodes = append(g.Nodes, diagram.Node{Number: i, Lines: lines, Block: true})
		if r.parent >= 0 {
			g.Edges = append(g.Edges, diagram.Edge{From: r.parent, To: i})
		}
	}
	return g
}
