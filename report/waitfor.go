package report

import (
	"io"
	"slices"

	"github.com/seltl/seltl/internal/diagram"
)

// mostWaits is how many components there are in a picture of who waits for whom.
const mostWaits = 40

// WaitsForOthers reports whether there is a picture of who waits for whom: whether some
// component of a deadlock waits for another, and there are few enough to be seen.
func (c *Counterexample) WaitsForOthers() bool {
	return len(c.Waiting) > 1 && len(c.Waiting) <= mostWaits && len(c.waitFor().Edges) > 0
}

// waitFor is the graph of who waits for whom, to take part in which events: components in
// their states. The cycle of waiting is marked.
func (c *Counterexample) waitFor() *diagram.Graph {
	g := &diagram.Graph{}
	number := map[string]int{}
	for i, w := range c.Waiting {
		number[w.Component] = i
		n := diagram.Node{Number: i, Lines: []string{w.Component, "in " + w.State}}
		switch {
		case slices.Contains(c.Cycle, w.Component):
			n.Marks = diagram.Marked
		case w.Ended:
			n.Marks = diagram.End
		}
		g.Nodes = append(g.Nodes, n)
	}
	for i, w := range c.Waiting {
		next := ""
		if k := slices.Index(c.Cycle, w.Component); k >= 0 {
			next = c.Cycle[(k+1)%len(c.Cycle)]
		}
		for _, o := range w.Offers {
			for _, by := range o.Refused {
				to, known := number[by]
				if !known {
					continue
				}
				e := diagram.Edge{From: i, To: to, Labels: []string{o.Event}}
				if by == next {
					e.Style = diagram.Strong
				}
				g.Edges = append(g.Edges, e)
			}
		}
	}
	return g
}

// WaitForDiagram is the picture of who waits for whom in a deadlock; nil where nobody waits.
func (c *Counterexample) WaitForDiagram() *diagram.Graph {
	if len(c.Waiting) == 0 {
		return nil
	}
	g := c.waitFor()
	g.Name = "who waits for whom"
	return g
}

// WaitForSVG draws who waits for whom in a deadlock. The error is the writer's.
func (c *Counterexample) WaitForSVG(w io.Writer) error { return diagram.WriteSVG(w, c.waitFor()) }
