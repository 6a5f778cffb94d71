package lks

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDOT draws m for Graphviz: a node for every state with its name and
// propositions, one edge for all actions between two states. Deadlocks are
// drawn filled, End states with a double line, Error states as red octagons.
// The error is the writer's.
func WriteDOT(w io.Writer, m *LKS) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph %s {\n  rankdir=LR;\n  node [shape=ellipse, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n", quoteDOT(m.name))
	for _, s := range m.initial {
		fmt.Fprintf(out, "  init%d [shape=point, label=\"\"];\n  init%d -> s%d;\n", s, s, s)
	}
	for s := range int32(m.NumStates()) {
		text := m.StateName(s)
		if label := m.labelText(s); label != "" {
			text += "\n{" + label + "}"
		}
		fmt.Fprintf(out, "  s%d [label=%s%s];\n", s, quoteDOT(text), m.styleDOT(s))
	}
	for s := range int32(m.NumStates()) {
		m.writeEdgesDOT(out, s)
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

func (m *LKS) labelText(s int32) string {
	var names []string
	for _, p := range m.Label(s) {
		names = append(names, m.props[p])
	}
	return strings.Join(names, ", ")
}

func (m *LKS) styleDOT(s int32) string {
	switch {
	case m.Kind(s) == End:
		return ", peripheries=2"
	case m.Kind(s) == Error:
		return ", shape=octagon, color=red"
	case len(m.Edges(s)) == 0:
		return ", style=filled, fillcolor=lightgrey"
	}
	return ""
}

// writeEdgesDOT writes the edges of s: one for each target, in the order in which
// the targets first appear.
func (m *LKS) writeEdgesDOT(out io.Writer, s int32) {
	actions := map[int32][]string{}
	var targets []int32
	for _, e := range m.Edges(s) {
		if actions[e.Target] == nil {
			targets = append(targets, e.Target)
		}
		name := m.alphabet[e.Action]
		if e.Action == TauID {
			name = "τ"
		}
		actions[e.Target] = append(actions[e.Target], name)
	}
	for _, t := range targets {
		fmt.Fprintf(out, "  s%d -> s%d [label=%s];\n", s, t, quoteDOT(strings.Join(actions[t], "\n")))
	}
}

var escapeDOT = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func quoteDOT(s string) string { return `"` + escapeDOT.Replace(s) + `"` }
