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
			var lines strings.Builder
			lines.WriteString(block.name() + ":\n")
			for _, in := range block.Instrs {
				lines.WriteString(InstrText(in) + "\n")
			}
			if br, ok := block.End.(*Branch); ok {
				lines.WriteString("if (" + Text(br.Cond) + ")\n")
			} else if _, ok := block.End.(*Jump); !ok {
				lines.WriteString(endText(block.End, nil) + "\n")
			}
			label := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(lines.String(), `\`, `\\`), `"`, `\"`), "\n", `\l`)
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
