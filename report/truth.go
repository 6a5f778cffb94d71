package report

import (
	"bufio"
	"fmt"
	"strings"
)

// Truth says which parts of a formula hold in which states of a run. A state is a position of
// the formula: with the event that leaves it.
type Truth struct {
	// Parts are the subformulas, operands before the formulas that use them: the last one
	// is the formula. Of a large formula only that is there.
	Parts []Part `json:"parts"`
	// Why leads from the formula to what makes it fail.
	Why []Because `json:"why"`
}

// Part is a subformula. Holds has a character for each state of the run (of a loop, the state
// that it comes back to is written once): HoldsThere, FailsThere, or DependsThere.
type Part struct {
	Formula  string `json:"formula"`
	Holds    string `json:"holds"`
	Operands []int  `json:"operands,omitempty"` // numbers of parts
}

// What Part.Holds consists of.
const (
	HoldsThere   = '+'
	FailsThere   = '-'
	DependsThere = '?' // on what follows the run
)

// Because says that a part of a formula holds, or fails, in a state, or from there on.
type Because struct {
	Formula string `json:"formula"`
	State   int    `json:"state"`
	Holds   bool   `json:"holds"`
	Ever    bool   `json:"ever,omitempty"`
}

// String says it in a line.
func (b Because) String() string {
	verb := map[[2]bool]string{{true, true}: "holds in all states from %d on", {false, true}: "holds in no state from %d on",
		{true, false}: "holds in state %d", {false, false}: "fails in state %d"}[[2]bool{b.Holds, b.Ever}]
	return b.Formula + " " + fmt.Sprintf(verb, b.State)
}

// widestPart is how many characters of a subformula the table has, and mostColumns how many
// states.
const (
	widestPart  = 48
	mostColumns = 40
)

// truthRow is a line of the table of truth: what is said of, and a cell for each state.
type truthRow struct {
	of    string
	cells []string
}

// truthRows are those of the parts of a formula, and of an automaton that is the property.
func (c *Counterexample) truthRows() (rows []truthRow) {
	for i := range c.Truth.Parts {
		row := truthRow{of: clipped(c.Truth.Parts[i].Formula, widestPart)}
		for _, sign := range c.Truth.Parts[i].Holds {
			row.cells = append(row.cells, string(sign))
		}
		rows = append(rows, row)
	}
	if in := c.PassedStates(); in != nil {
		rows = append(rows, truthRow{of: "the automaton is in", cells: in})
	}
	return rows
}

// writeTruth writes why a formula fails, and a table of its parts.
func writeTruth(b *bufio.Writer, c *Counterexample, screen int) {
	t := c.Truth
	if t == nil {
		return
	}
	if len(t.Why) > 0 {
		b.WriteString("  why it fails:\n")
	}
	for _, because := range t.Why {
		rowWriter{b, 4, screen}.row("    ", []piece{{text: because.String()}})
	}
	rows := c.truthRows()
	if len(rows) == 0 {
		return
	}
	n := len(rows[0].cells)
	cell, wide := len(fmt.Sprint(max(n-1, 0))), 0
	for _, r := range rows {
		wide = max(wide, width(r.of))
		for _, text := range r.cells {
			cell = max(cell, width(text))
		}
	}
	cell++
	room := min(mostColumns, max(1, (screen-4-wide)/cell))
	where := "in which state"
	if c.Kind == "program" {
		where = "before which line"
	}
	fmt.Fprintf(b, "  what holds %s (+ holds, - fails%s):\n", where, map[bool]string{true: ", ? depends on what follows"}[t.depends()])
	for from := 0; from < n; from += room {
		to := min(from+room, n)
		if n > 2*mostColumns && from > 0 && to < n-room {
			if from == room {
				fmt.Fprintf(b, "    ... %s in between (--json has them all)\n", Counted(int64(hiddenStates(n, room)), "state"))
			}
			continue
		}
		fmt.Fprintf(b, "    %-*s", wide, "")
		for i := from; i < to; i++ {
			fmt.Fprintf(b, "%*d", cell, i)
		}
		b.WriteByte('\n')
		for _, r := range rows {
			fmt.Fprintf(b, "    %s", padded(r.of, wide))
			for _, text := range r.cells[from:min(to, len(r.cells))] {
				b.WriteString(strings.Repeat(" ", cell-width(text)) + text)
			}
			b.WriteByte('\n')
		}
	}
}

// depends reports whether anything depends on what follows.
func (t *Truth) depends() bool {
	for i := range t.Parts {
		if strings.ContainsRune(t.Parts[i].Holds, DependsThere) {
			return true
		}
	}
	return false
}

// clipped cuts what is longer than n characters.
func clipped(text string, n int) string {
	if width(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

func padded(text string, n int) string { return text + strings.Repeat(" ", max(0, n-width(text))) }

// hiddenStates are those between the first block of so many states and the last two.
func hiddenStates(n, room int) (hidden int) {
	for from := room; from+room < n-room; from += room {
		hidden += room
	}
	return hidden
}
