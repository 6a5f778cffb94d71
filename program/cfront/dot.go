package cfront

import (
	"fmt"
	"io"
	"strings"
)

// WriteDOT draws the control-flow graphs of the routines with bodies, for Graphviz.
func (p *Program) WriteDOT(w io.Writer) error {
	var b strings.Builder
	b.WriteString("digraph program {\n  node [shape=box, fontname=monospace];\n")
	for i, f := range p.Funcs {
		if f.Extern() {
			continue
		}
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%q;\n", i, f.Name)
		for _, block := range f.Blocks {
			text := strings.Join(block.lines(), "\n") + "\n"
			label := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`), "\n", `\l`)
			fmt.Fprintf(&b, "    f%d_%d [label=\"%s\"];\n", i, block.Index, label)
			switch t := block.End.(type) {
			case *Jump:
				fmt.Fprintf(&b, "    f%d_%d -> f%d_%d;\n", i, block.Index, i, t.To.Index)
			case *Branch:
				fmt.Fprintf(&b, "    f%d_%d -> f%d_%d [label=\"yes\"];\n", i, block.Index, i, t.Then.Index)
				fmt.Fprintf(&b, "    f%d_%d -> f%d_%d [label=\"no\"];\n", i, block.Index, i, t.Else.Index)
			}
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// lines are the instructions of a block, below its name.
func (b *Block) lines() []string {
	all := []string{b.name() + ":"}
	for _, in := range b.Instrs {
		all = append(all, InstrText(in))
	}
	switch end := b.End.(type) {
	case *Branch:
		all = append(all, "if ("+Text(end.Cond)+")")
	case *Jump:
	default:
		all = append(all, endText(end, nil))
	}
	return all
}
