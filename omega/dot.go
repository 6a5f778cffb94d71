package omega

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/hoa"
)

// WriteDOT writes the automaton as a graph for Graphviz, with its condition as the title.
// Marks are in braces behind labels, or in states if it is state-based; accepting states of
// a state-based Büchi automaton have a double circle.
func (a *Automaton) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	title := a.condition.String()
	if name := a.condition.AccName(a.sets); name != "" {
		title = name + ": " + title
	}
	if a.name != "" {
		title = a.name + "\n" + title
	}
	fmt.Fprintf(b, "digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n  label=%s\n  labelloc=t\n", quoteDOT(title))
	fmt.Fprintf(b, "  start [shape=point, style=invis]\n  start -> %d\n", a.initial)
	stateBased := a.StateBased()
	circles := stateBased && (a.condition.op == OpTrue || a.condition.AccName(a.sets) == "Buchi")
	for s, es := range a.out {
		marks := uint64(0)
		if stateBased && len(es) > 0 {
			marks = es[0].Marks
		}
		switch {
		case circles && a.condition.Holds(marks) && len(es) > 0:
			fmt.Fprintf(b, "  %d [label=\"%d\", peripheries=2]\n", s, s)
		case circles:
			fmt.Fprintf(b, "  %d [label=\"%d\"]\n", s, s)
		default:
			fmt.Fprintf(b, "  %d [label=\"%d%s\"]\n", s, s, hoa.Marks(marks))
		}
		for _, e := range es {
			label := a.LabelFormula(e.Label).String()
			if !stateBased {
				label += hoa.Marks(e.Marks)
			}
			fmt.Fprintf(b, "  %d -> %d [label=%s]\n", s, e.To, quoteDOT(label))
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
