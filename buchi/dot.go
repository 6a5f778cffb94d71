package buchi

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/ltl"
)

// LabelFormula returns the label as a formula in disjunctive form.
func (a *Automaton) LabelFormula(l Label) *ltl.Formula {
	var cubes []*ltl.Formula
	for _, cube := range a.isop(l) {
		literals := make([]*ltl.Formula, len(cube))
		for i, lit := range cube {
			literals[i] = ltl.AtomOf(a.atoms[lit.Var()])
			if lit.Negated() {
				literals[i] = ltl.MakeNot(literals[i])
			}
		}
		cubes = append(cubes, ltl.MakeAnd(literals...))
	}
	return ltl.MakeOr(cubes...)
}

// WriteDOT writes the automaton as a graph for Graphviz. Accepting states have a
// double circle; with acceptance on edges, the sets stand behind the label.
func (a *Automaton) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n")
	if a.name != "" {
		fmt.Fprintf(b, "  label=%s\n  labelloc=t\n", quoteDOT(a.name))
	}
	fmt.Fprintf(b, "  start [shape=point, style=invis]\n  start -> %d\n", a.initial)
	for s, es := range a.out {
		shape := ""
		if a.sets == 0 || a.stateBased && a.StateMarks(int32(s)) == a.AllMarks() {
			shape = ", peripheries=2"
		}
		fmt.Fprintf(b, "  %d [label=\"%d\"%s]\n", s, s, shape)
		for _, e := range es {
			label := a.LabelFormula(e.Label).String()
			if !a.stateBased {
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
