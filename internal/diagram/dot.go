package diagram

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/layered"
)

// WriteDOT writes graphs for Graphviz: several as clusters of one. Labels are written out;
// pictures that Graphviz makes of it have the same tooltips. The error is the writer's.
func WriteDOT(w io.Writer, graphs ...*Graph) error {
	b := bufio.NewWriter(w)
	name := "graph"
	if len(graphs) > 0 && graphs[0].Name != "" {
		name = graphs[0].Name
	}
	fmt.Fprintf(b, "digraph %s {\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n", quote(name))
	for i, g := range graphs {
		if len(graphs) == 1 {
			g.writeDOT(b, "", "  ")
			continue
		}
		fmt.Fprintf(b, "  subgraph cluster_%d {\n", i)
		g.writeDOT(b, fmt.Sprintf("g%d_", i), "    ")
		fmt.Fprint(b, "  }\n")
	}
	fmt.Fprint(b, "}\n")
	return b.Flush()
}

// writeDOT writes a graph whose nodes have a prefix.
func (g *Graph) writeDOT(w io.Writer, prefix, indent string) {
	if title := strings.TrimPrefix(strings.Join(append([]string{g.Name}, g.Notes...), "\n"), "\n"); title != "" {
		fmt.Fprintf(w, "%slabel=%s;\n%slabelloc=t;\n", indent, quote(title), indent)
	}
	if g.Flow != layered.Down {
		fmt.Fprintf(w, "%srankdir=LR;\n", indent)
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Marks&Initial != 0 {
			fmt.Fprintf(w, "%s%sinit%d [shape=point, label=\"\"];\n%s%sinit%d -> %ss%d;\n", indent, prefix, n.Number, indent, prefix, n.Number, prefix, n.Number)
		}
		lines := n.shown()
		if len(n.Props) > 0 {
			lines = append(append([]string(nil), lines...), "{"+strings.Join(n.Props, ", ")+"}")
		}
		label := quote(strings.Join(lines, "\n"))
		if n.Block {
			label = `"` + strings.ReplaceAll(escapeDOT.Replace(strings.Join(lines, "\x00")+"\x00"), "\x00", `\l`) + `"`
		}
		fmt.Fprintf(w, "%s%ss%d [label=%s, tooltip=%s%s];\n", indent, prefix, n.Number, label, quote(n.described()), n.styleDOT())
	}
	for _, e := range g.merge() {
		style := map[Style]string{Dotted: ", style=dotted", Strong: ", color=red"}[e.Style]
		fmt.Fprintf(w, "%s%ss%d -> %ss%d [label=%s%s];\n", indent, prefix, g.Nodes[e.From].Number, prefix, g.Nodes[e.To].Number, quote(strings.Join(e.Labels, "\n")), style)
	}
}

func (n *Node) styleDOT() string {
	style := ""
	switch {
	case n.Block:
		style = ", style=solid, fontname=\"monospace\""
	case n.Marks&Deadlock != 0:
		style = ", style=\"rounded,filled\", fillcolor=lightgrey"
	case n.Marks&Component != 0:
		style = ", style=\"rounded,dashed\""
	case n.Marks&Error != 0:
		style = ", shape=octagon, style=solid"
	}
	if n.Marks&(Accepting|End) != 0 {
		style += ", peripheries=2"
	}
	if n.Marks&(Error|Marked) != 0 {
		style += ", color=red"
	}
	return style
}

var escapeDOT = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func quote(s string) string { return `"` + escapeDOT.Replace(s) + `"` }
