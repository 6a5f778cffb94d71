package omega

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/layered"
)

// Geometry of pictures, in pixels.
const (
	svgChar  = 7.3 // width of a character at the font size used
	svgLine  = 15.0
	svgInset = 8.0
	svgTitle = 48.0
	svgLong  = 60 // characters of a label that are shown
)

// svgNode is a state or, without border, the labels between two states.
type svgNode struct {
	lines    []string
	state    bool
	accepted bool // double border
}

// WriteSVG draws the automaton: states as boxes, the initial one on top with an arrow of its
// own, labels between them with their marks. Nothing overlaps, since labels have places in
// the layout as states do.
func (a *Automaton) WriteSVG(w io.Writer) error {
	nodes, g := a.picture()
	drawn := layered.Draw(g)
	title := a.condition.String()
	if name := a.condition.AccName(a.sets); name != "" {
		title = name + ": " + title
	}
	width := max(drawn.Width, float64(max(len(title), len(a.name))+4)*svgChar)
	height := drawn.Height + svgTitle
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", html.EscapeString(a.name))
	fmt.Fprintln(b, `<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#444444"/></marker></defs>`)
	fmt.Fprintf(b, `<text x="12" y="18" font-size="14" font-weight="bold">%s</text>`+"\n", html.EscapeString(a.name))
	fmt.Fprintf(b, `<text x="12" y="36" fill="#3366aa">%s</text>`+"\n", html.EscapeString(title))
	for i, way := range drawn.Edges {
		arrow := ""
		if nodes[g.Edges[i].To].state {
			arrow = ` marker-end="url(#arrow)"`
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="#444444"%s points="`, arrow)
		for _, p := range way {
			fmt.Fprintf(b, "%.1f,%.1f ", p.X, p.Y+svgTitle)
		}
		fmt.Fprintln(b, `"/>`)
	}
	first, size := drawn.Nodes[0], g.Sizes[0]
	fmt.Fprintf(b, `<polyline fill="none" stroke="#444444" marker-end="url(#arrow)" points="%.1f,%.1f %.1f,%.1f"/>`+"\n",
		first.X-size.Width/2-14, first.Y-size.Height/2+svgTitle-14, first.X-size.Width/2, first.Y-size.Height/2+svgTitle)
	for n, node := range nodes {
		node.write(b, drawn.Nodes[n], g.Sizes[n])
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func (n svgNode) write(w io.Writer, c layered.Point, s layered.Size) {
	x, y := c.X-s.Width/2, c.Y-s.Height/2+svgTitle
	if n.state {
		fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#f7f7f7" stroke="#444444" rx="10"/>`+"\n", x, y, s.Width, s.Height)
	}
	if n.accepted {
		fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#444444" rx="8"/>`+"\n", x+3, y+3, s.Width-6, s.Height-6)
	}
	for i, line := range n.lines {
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" text-anchor="middle" xml:space="preserve">%s</text>`+"\n", c.X, y+svgInset+svgLine*(float64(i)+0.8), html.EscapeString(line))
	}
}

// picture returns what is drawn: states, the initial one first, and labels, with the edges
// between them.
func (a *Automaton) picture() ([]svgNode, *layered.Graph) {
	stateBased := a.StateBased()
	circles := stateBased && (a.condition.op == OpTrue || a.condition.AccName(a.sets) == "Buchi")
	place := func(s int32) int { // the initial state changes places with 0
		switch s {
		case a.initial:
			return 0
		case 0:
			return int(a.initial)
		}
		return int(s)
	}
	nodes := make([]svgNode, len(a.out))
	g := &layered.Graph{}
	for s, es := range a.out {
		text, marks := fmt.Sprint(s), uint64(0)
		if stateBased && len(es) > 0 {
			marks = es[0].Marks
		}
		if !circles {
			text += hoa.Marks(marks)
		}
		nodes[place(int32(s))] = svgNode{lines: []string{text}, state: true, accepted: circles && len(es) > 0 && a.condition.Holds(marks)}
		for i, e := range es {
			label := a.LabelFormula(e.Label).String()
			if runes := []rune(label); len(runes) > svgLong {
				label = string(runes[:svgLong-3]) + "..."
			}
			if !stateBased {
				label += hoa.Marks(e.Marks)
			}
			if i > 0 && es[i-1].To == e.To { // edges are sorted by target
				last := &nodes[len(nodes)-1]
				last.lines = append(last.lines, label)
				continue
			}
			g.Edges = append(g.Edges, layered.Edge{From: place(int32(s)), To: len(nodes)}, layered.Edge{From: len(nodes), To: place(e.To)})
			nodes = append(nodes, svgNode{lines: []string{label}})
		}
	}
	for _, n := range nodes {
		longest := 0
		for _, line := range n.lines {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		inset := svgInset
		if !n.state {
			inset = 2
		}
		g.Sizes = append(g.Sizes, layered.Size{Width: float64(longest)*svgChar + 2*inset, Height: float64(len(n.lines))*svgLine + 2*svgInset})
	}
	return nodes, g
}
