package armc

import (
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Graph is the abstract reachability graph of a round: the abstract states that
// were found and how.
type Graph struct {
	Nodes []GraphNode
	Edges []GraphEdge
}

// GraphNode is an abstract state: a location and a conjunction of predicates.
type GraphNode struct {
	Location int
	Cube     []*logic.Term
	Initial  bool
	Error    bool // overlaps with error states (Backward: with initial ones)
}

// GraphEdge leads from one node to another by a block of edges; Covered edges say instead
// that the first node is contained in the second. Backward, edges lead from the
// node that was found to the one it was found from: with the steps of the system.
type GraphEdge struct {
	From, To int
	Block    program.Block
	Covered  bool
}

// WriteDOT draws the graph for Graphviz: covering edges are dotted, as in
// [TUMLectures], figure 3.
func (g *Graph) WriteDOT(w io.Writer, sys *program.System) error {
	var b strings.Builder
	b.WriteString("digraph reach {\n  node [shape=box, fontname=\"monospace\"];\n")
	for i, n := range g.Nodes {
		label := sys.Locations[n.Location].Name + "\\n" + escapeDOT(cubeText(n.Cube))
		style := ""
		if n.Initial {
			style += ", style=bold"
		}
		if n.Error {
			style += ", color=red"
		}
		fmt.Fprintf(&b, "  n%d [label=\"%s\"%s];\n", i, label, style)
	}
	for _, e := range g.Edges {
		if e.Covered {
			fmt.Fprintf(&b, "  n%d -> n%d [style=dotted];\n", e.From, e.To)
			continue
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=\"%s\"];\n", e.From, e.To, escapeDOT(e.Block.Text(sys)))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func escapeDOT(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// cubeText prints a conjunction; the empty one is true.
func cubeText(cube []*logic.Term) string {
	if len(cube) == 0 {
		return "true"
	}
	return logic.Formats(cube, logic.C, " && ")
}
