package ir

import (
	"io"
	"strings"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/layered"
)

// longestLine is how many letters of an instruction pictures show.
const longestLine = 90

// Diagrams are the control-flow graphs of the routines with bodies.
func (p *Program) Diagrams() []*diagram.Graph {
	var all []*diagram.Graph
	for _, f := range p.Funcs {
		if !f.Extern() {
			all = append(all, f.Diagram())
		}
	}
	return all
}

// Diagram is the control-flow graph of a routine with a body: instructions as in WriteC,
// branches that are taken if the condition holds with "yes", failures marked.
func (f *Func) Diagram() *diagram.Graph {
	g := &diagram.Graph{Name: f.Name + "()", Flow: layered.Down, Prefix: f.Name + "."}
	for _, b := range f.Blocks {
		n := diagram.Node{Number: b.Index, Block: true, Lines: b.lines()}
		n.Tip = strings.Join(n.Lines, "\n")
		if _, fails := b.End.(*Fail); fails {
			n.Marks |= diagram.Marked
		}
		if b.Index == 0 {
			n.Marks |= diagram.Initial
		}
		for i, line := range n.Lines {
			if r := []rune(line); len(r) > longestLine {
				n.Lines[i] = string(r[:longestLine-1]) + "…"
			}
		}
		g.Nodes = append(g.Nodes, n)
		edge := func(to *Block, labels ...string) {
			g.Edges = append(g.Edges, diagram.Edge{From: b.Index, To: to.Index, Labels: labels})
		}
		switch t := b.End.(type) {
		case *Jump:
			edge(t.To)
		case *Branch:
			edge(t.Then, "yes")
			edge(t.Else, "no")
		}
	}
	return g
}

// WriteDOT draws control-flow graphs for Graphviz. The error is the writer's.
func (p *Program) WriteDOT(w io.Writer) error { return diagram.WriteDOT(w, p.Diagrams()...) }

// WriteSVG draws control-flow graphs, one below the other. The error is the writer's.
func (p *Program) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, p.Diagrams()...) }

// lines are the instructions of a block, below its name.
func (b *Block) lines() []string {
	all := []string{b.name() + ":"}
	for _, in := range b.Instrs {
		all = append(all, InstrText(in))
	}
	switch end := b.End.(type) {
	case *Branch:
		all = append(all, "if ("+bare(end.Cond)+")")
	case *Jump:
	default:
		all = append(all, endText(end, nil))
	}
	return all
}
