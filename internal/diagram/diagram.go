// Package diagram draws graphs of states: those of structures, automata, programs and games,
// as SVG by internal/layered, and as DOT for Graphviz. Whoever has such a graph makes a Graph
// of it; how long labels are shortened, parallel edges merged, marks explained and large
// graphs shown is decided here.
//
// Pictures stand alone: no script, no font, nothing from elsewhere; dark where the reader's
// screen is, light on paper. A page that embeds one finds its way by these attributes:
//
//	svg.seltl-graph
//	g.node[data-state="12"]    a state, by Node.Number; id "s12" behind Graph.Prefix;
//	                           with a class for each mark: initial end error deadlock
//	                           accepting component marked
//	g.edge[data-from="3"][data-to="4"][data-edge="7"]
//	                           an edge, by the numbers of its states, and by its place
//	                           in Graph.Edges (the first of those that were merged);
//	                           data-labels has its labels, one a line
//	.shape .line .head .label  within these: borders, curves, arrowheads, texts
//
// Classes current and taken are for the page: a node or edge that gets one is highlighted.
package diagram

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/layered"
)

// Graph is a picture's content.
type Graph struct {
	Name  string   // its title
	Notes []string // lines below the title
	Nodes []Node
	Edges []Edge
	// Listed says that the legend is to name the states that are shown by number only.
	Listed bool
	// Accepting is what the double border of accepting states means, "accepting" if empty.
	Accepting string
	Flow      layered.Flow // where edges lead; Either: whichever gives the better page
	Prefix    string       // of the ids of elements, where a page has several pictures
}

// Node is a state.
type Node struct {
	Number int      // what it is called by
	Lines  []string // what is shown; its number if there is nothing
	Props  []string // propositions, below that
	Tip    string   // the whole of it, shown where the mouse stands
	Marks  Marks
	Block  bool // a box of text as it is, of a program, say; not a state
}

// Marks say what is special about a state.
type Marks uint8

const (
	Initial Marks = 1 << iota
	End
	Error
	Deadlock
	Accepting
	Component // several states that are strongly connected
	Marked    // what the picture is about: the reason, the answer that is missing
)

// Edge leads from a node to another, by their places in Graph.Nodes. Those between the same
// nodes in the same style are drawn as one.
type Edge struct {
	From, To int
	Labels   []string
	Style    Style
}

// Style is how an edge is drawn.
type Style uint8

const (
	Solid Style = iota
	Dotted
	Strong // red and thick: what the picture is about
)

// merged is a drawn edge.
type merged struct {
	Edge
	first int // of Graph.Edges
}

// merge puts parallel edges together, in the order of the first of each.
func (g *Graph) merge() []merged {
	var all []merged
	at := map[[3]int]int{}
	type labelled struct {
		edge  int
		label string
	}
	has := map[labelled]bool{}
	for i, e := range g.Edges {
		key := [3]int{e.From, e.To, int(e.Style)}
		k, ok := at[key]
		if !ok {
			k = len(all)
			at[key] = k
			all = append(all, merged{Edge{From: e.From, To: e.To, Style: e.Style}, i})
		}
		for _, l := range e.Labels {
			if !has[labelled{k, l}] {
				has[labelled{k, l}] = true
				all[k].Labels = append(all[k].Labels, l)
			}
		}
	}
	return all
}

// shown are the lines of a node.
func (n *Node) shown() []string {
	lines := n.Lines
	if len(lines) == 0 {
		lines = []string{fmt.Sprint(n.Number)}
	}
	return lines
}

// described is the text about a node where the mouse stands.
func (n *Node) described() string {
	var lines []string
	lines = append(lines, cmp.Or(n.Tip, strings.Join(n.shown(), "\n")))
	if number := fmt.Sprint(n.Number); lines[0] != number && !n.Block {
		lines[0] = number + ": " + lines[0]
	}
	if len(n.Props) > 0 {
		lines = append(lines, "{"+strings.Join(n.Props, ", ")+"}")
	}
	for _, m := range marks {
		if n.Marks&m.mark != 0 && m.text != "" && !strings.HasSuffix(lines[0], m.text) {
			lines = append(lines, m.text)
		}
	}
	return strings.Join(lines, "\n")
}

// marks, with the classes of their nodes, and what legends and tips say of them.
var marks = []struct {
	mark        Marks
	class, text string
}{
	{Initial, "initial", "initial state"},
	{End, "end", "END: terminated"},
	{Error, "error", "ERROR"},
	{Deadlock, "deadlock", "deadlock: nothing is possible"},
	{Accepting, "accepting", "accepting"},
	{Component, "component", "strongly connected states"},
	{Marked, "marked", ""},
}

// classes of a node.
func (n *Node) classes() string {
	text := "node"
	if n.Block {
		text += " block"
	}
	for _, m := range marks {
		if n.Marks&m.mark != 0 {
			text += " " + m.class
		}
	}
	return text
}

// Numbered makes names of states short: all are shown by number if some are long or
// tuples, and the legend says which is which.
func (g *Graph) Numbered() {
	for _, n := range g.Nodes {
		if name := strings.Join(n.Lines, " "); n.Marks&(End|Error|Component) == 0 && (len([]rune(name)) > longestName || strings.HasPrefix(name, "(")) {
			g.Listed = true
		}
	}
	if !g.Listed {
		return
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Tip = cmp.Or(n.Tip, strings.Join(n.Lines, " "))
		if n.Marks&(End|Error|Component) == 0 {
			n.Lines = nil
		}
	}
}

// longestName is how long names of states may be that are shown.
const longestName = 16
