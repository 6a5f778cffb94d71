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

// writeTruth writes why a formula fails, and a table of its parts.
func writeTruth(b *bufio.Writer, c *Counterexample, screen int) {
	t := c.Truth
	if t == nil {
		return
	}
	b.WriteString("  why it fails:\n")
	for _, because := range t.Why {
		fmt.Fprintf(b, "    %s\n", because)
	}
	if len(t.Parts) == 0 {
		return
	}
	n := len(t.Parts[0].Holds)
	cell := len(fmt.Sprint(max(n-1, 0))) + 1
	wide := 0
	for i := range t.Parts {
		wide = max(wide, min(width(t.Parts[i].Formula), widestPart))
	}
	room := mostColumns
	if screen > 0 {
		room = min(room, max(1, (screen-4-wide)/cell))
	}
	fmt.Fprintf(b, "  what holds in which state (+ holds, - fails%s):\n", map[bool]string{true: ", ? depends on what follows"}[t.depends()])
	for from := 0; from < n; from += room {
		to := min(from+room, n)
		if n > 2*mostColumns && from > 0 && to < n-room {
			if from == room {
				fmt.Fprintf(b, "    ... %s in between (--json has them all)\n", Counted(int64((n-1)/room*room-room), "state"))
			}
			continue
		}
		fmt.Fprintf(b, "    %-*s", wide, "")
		for i := from; i < to; i++ {
			fmt.Fprintf(b, "%*d", cell, i)
		}
		b.WriteByte('\n')
		for i := range t.Parts {
			fmt.Fprintf(b, "    %s", padded(clipped(t.Parts[i].Formula, widestPart), wide))
			for _, sign := range t.Parts[i].Holds[from:to] {
				fmt.Fprintf(b, "%*c", cell, sign)
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
