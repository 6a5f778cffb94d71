package cfront

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/layered"
)

// Geometry of control-flow graphs, in pixels.
const (
	svgChar  = 7.3 // width of a character at the font size used
	svgLine  = 15.0
	svgInset = 6.0
	svgTitle = 34.0 // above each routine
	svgLong  = 90   // characters of a line that are shown
)

// WriteSVG draws the control-flow graphs of the routines with bodies, one below the other:
// instructions as in WriteC, branches that are taken if the condition holds with "yes".
func (p *Program) WriteSVG(w io.Writer) error {
	type routine struct {
		f      *Func
		blocks [][]string
		labels []string
		graph  *layered.Graph
		drawn  *layered.Drawing
	}
	var all []routine
	width, height := 0.0, 0.0
	for _, f := range p.Funcs {
		if f.Extern() {
			continue
		}
		r := routine{f: f, graph: &layered.Graph{}}
		for _, b := range f.Blocks {
			lines := b.lines()
			longest := 0
			for i := range lines {
				if n := utf8.RuneCountInString(lines[i]); n > svgLong {
					lines[i] = string([]rune(lines[i])[:svgLong-3]) + "..."
				}
				longest = max(longest, utf8.RuneCountInString(lines[i]))
			}
			r.blocks = append(r.blocks, lines)
			r.graph.Sizes = append(r.graph.Sizes, layered.Size{Width: float64(longest)*svgChar + 2*svgInset, Height: float64(len(lines))*svgLine + 2*svgInset})
			edge := func(to *Block, label string) {
				r.graph.Edges = append(r.graph.Edges, layered.Edge{From: b.Index, To: to.Index})
				r.labels = append(r.labels, label)
			}
			switch t := b.End.(type) {
			case *Jump:
				edge(t.To, "")
			case *Branch:
				edge(t.Then, "yes")
				edge(t.Else, "no")
			}
		}
		r.drawn = layered.Draw(r.graph)
		width, height = max(width, r.drawn.Width, float64(len(f.Name)+6)*svgChar), height+svgTitle+r.drawn.Height
		all = append(all, r)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", html.EscapeString(p.Name))
	fmt.Fprintln(b, `<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#444444"/></marker></defs>`)
	top := 0.0
	for _, r := range all {
		fmt.Fprintf(b, `<text x="12" y="%.1f" font-size="14" font-weight="bold">%s</text>`+"\n", top+22, html.EscapeString(r.f.Name+"()"))
		top += svgTitle
		for i, way := range r.drawn.Edges {
			fmt.Fprint(b, `<polyline fill="none" stroke="#444444" marker-end="url(#arrow)" points="`)
			for _, p := range way {
				fmt.Fprintf(b, "%.1f,%.1f ", p.X, p.Y+top)
			}
			fmt.Fprintln(b, `"/>`)
			if r.labels[i] != "" {
				y := way[0].Y + top + 12
				if way[1].Y < way[0].Y {
					y = way[0].Y + top - 6
				}
				fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#3366aa">%s</text>`+"\n", way[0].X+(way[1].X-way[0].X)*0.3+4, y, r.labels[i])
			}
		}
		for n, lines := range r.blocks {
			c, s := r.drawn.Nodes[n], r.graph.Sizes[n]
			fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#f7f7f7" stroke="#888888" rx="3"/>`+"\n", c.X-s.Width/2, c.Y-s.Height/2+top, s.Width, s.Height)
			for i, line := range lines {
				fmt.Fprintf(b, `<text x="%.1f" y="%.1f" xml:space="preserve">%s</text>`+"\n", c.X-s.Width/2+svgInset, c.Y-s.Height/2+svgInset+svgLine*(float64(i)+0.8)+top, html.EscapeString(line))
			}
		}
		top += r.drawn.Height
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}
