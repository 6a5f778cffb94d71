package armc

import (
	"io"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/layered"
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

// Diagram is the picture of the graph: covering edges are dotted, as in [TUMLectures],
// figure 3.
func (g *Graph) Diagram(sys *program.System) *diagram.Graph {
	d := &diagram.Graph{Name: "abstract states", Flow: layered.Down}
	for i, n := range g.Nodes {
		location := sys.Locations[n.Location].Name
		node := diagram.Node{Number: i, Block: true, Lines: []string{location}, Tip: location + "\n" + cubeText(n.Cube)}
		for _, t := range n.Cube {
			node.Lines = append(node.Lines, logic.Formats([]*logic.Term{t}, logic.C, ""))
		}
		if len(n.Cube) == 0 {
			node.Lines = append(node.Lines, cubeText(n.Cube))
		}
		if n.Initial {
			node.Marks |= diagram.Initial
		}
		if n.Error {
			node.Marks |= diagram.Marked
		}
		d.Nodes = append(d.Nodes, node)
	}
	for _, e := range g.Edges {
		if e.Covered {
			d.Edges = append(d.Edges, diagram.Edge{From: e.From, To: e.To, Style: diagram.Dotted})
			continue
		}
		d.Edges = append(d.Edges, diagram.Edge{From: e.From, To: e.To, Labels: []string{e.Block.Text(sys)}})
	}
	return d
}

// WriteDOT draws the graph for Graphviz. The error is the writer's.
func (g *Graph) WriteDOT(w io.Writer, sys *program.System) error {
	return diagram.WriteDOT(w, g.Diagram(sys))
}

// WriteSVG draws the graph. The error is the writer's.
func (g *Graph) WriteSVG(w io.Writer, sys *program.System) error {
	return diagram.WriteSVG(w, g.Diagram(sys))
}

// cubeText prints a conjunction; the empty one is true.
func cubeText(cube []*logic.Term) string {
	if len(cube) == 0 {
		return "true"
	}
	return logic.Formats(cube, logic.C, " && ")
}
