package diagram

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seltl/seltl/internal/layered"
)

// Geometry, in pixels.
const (
	margin    = 14.0
	padding   = 7.0 // between the border of a node and its text
	lineSize  = textSize * lineRatio
	smallLine = smallSize * lineRatio
	arrowWide = 7.0
	dot       = 9.0 // where runs begin
	widePage  = 900.0
)

// StyleSheet has only what a reader's screen changes, of graphs and of charts (package report): colours of paper are attributes, which every
// program that shows SVG knows. Pictures have it in them.
const StyleSheet = `
.seltl-graph .current>.shape{fill:#ffe08a!important;stroke-width:2.5}
.seltl-graph .taken>.line{stroke:#c0392b!important;stroke-width:2.5}
.seltl-graph .taken>.head{fill:#c0392b!important}
@media screen and (prefers-color-scheme:dark){
.seltl-graph .paper{fill:#1b1e23}
.seltl-graph text{fill:#e4e6ea}
.seltl-graph .quiet{fill:#a7adb8}
.seltl-graph .shape{fill:#2a2f37;stroke:#aab1bd}
.seltl-graph .inner{stroke:#aab1bd}
.seltl-graph .deadlock>.shape{fill:#454b56}
.seltl-graph .error>.shape,.seltl-graph .marked>.shape{fill:#4a2622;stroke:#ff8a75}
.seltl-graph .line{stroke:#98a0ad}
.seltl-graph .head,.seltl-graph .start{fill:#98a0ad}
.seltl-graph .strong>.line{stroke:#ff8a75}
.seltl-graph .strong>.head{fill:#ff8a75}
.seltl-graph .edge>.label{fill:#9cc3ff}
.seltl-graph .current>.shape{fill:#6b5713!important}
.seltl-graph .current>.quiet{fill:#e4e6ea}
.seltl-chart text,.seltl-chart [fill="#000000"]{fill:#e4e6ea}
.seltl-chart [fill=white]{fill:#1b1e23}
.seltl-chart [fill="#666666"],.seltl-chart [fill="#555555"],.seltl-chart [fill="#777777"]{fill:#a7adb8}
.seltl-chart [fill="#3366aa"]{fill:#9cc3ff}
.seltl-chart [fill="#226622"]{fill:#8fd19e}
.seltl-chart [fill="#8a5a00"]{fill:#e0b060}
.seltl-chart [fill="#b02a10"],.seltl-chart [fill="#cc4422"]{fill:#ff8a75}
.seltl-chart [fill="#eef4ff"]{fill:#222a38}
.seltl-chart [fill="#fdecea"]{fill:#4a2622}
.seltl-chart [stroke="#bbbbbb"]{stroke:#59606c}
.seltl-chart [stroke="#b02a10"],.seltl-chart [stroke="#cc4422"]{stroke:#ff8a75}
}
`

// WriteSVG draws graphs, one below the other. The error is the writer's.
func WriteSVG(w io.Writer, graphs ...*Graph) error {
	s := &svg{Writer: bufio.NewWriter(w)}
	pictures := make([]*picture, len(graphs))
	wide, high := 0.0, margin
	for i, g := range graphs {
		pictures[i] = newPicture(g)
		wide, high = max(wide, pictures[i].width), high+pictures[i].height+margin
	}
	wide += 2 * margin
	name := ""
	if len(graphs) > 0 {
		name = graphs[0].Name
	}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" class="seltl-graph" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="%s" font-size="%g" role="img" aria-label="%s">`+"\n",
		wide, high, wide, high, Sans, textSize, escape(name))
	fmt.Fprintf(s, "<title>%s</title>\n<style>%s</style>\n", escape(name), StyleSheet)
	fmt.Fprintln(s, `<rect class="paper" width="100%" height="100%" fill="#ffffff"/>`)
	y := margin
	for _, p := range pictures {
		s.picture(p, margin, y)
		y += p.height + margin
	}
	fmt.Fprintln(s, "</svg>")
	return s.Flush()
}

// picture is a graph with places.
type picture struct {
	*Graph
	edges         []merged
	labels        [][]string // by edge: its lines
	laid          *layered.Drawing
	sizes         []layered.Size // by node; dots where runs begin are behind all nodes
	starts        []int          // nodes that have one
	notes         []string
	legend        *legend
	width, height float64
	top           float64 // of what is laid out
}

// newPicture lays a graph out.
func newPicture(g *Graph) *picture {
	p := &picture{Graph: g, edges: g.merge()}
	// Dots come first, so that nothing stands before them.
	shapes := &layered.Graph{Flow: g.Flow}
	for i := range g.Nodes {
		if g.Nodes[i].Marks&Initial != 0 {
			p.starts = append(p.starts, i)
			shapes.Nodes = append(shapes.Nodes, layered.Node{Size: layered.Size{Width: dot, Height: dot}, Round: dot / 2})
		}
	}
	first := len(p.starts)
	for i := range g.Nodes {
		size, round := g.Nodes[i].size()
		shapes.Nodes = append(shapes.Nodes, layered.Node{Size: size, Round: round})
	}
	for k, n := range p.starts {
		shapes.Edges = append(shapes.Edges, layered.Edge{From: k, To: first + n})
	}
	for _, e := range p.edges {
		lines := fit(e.Labels)
		p.labels = append(p.labels, lines)
		edge := layered.Edge{From: first + e.From, To: first + e.To}
		if len(lines) > 0 {
			edge.Label = layered.Size{Width: widest(lines, textSize, false), Height: float64(len(lines)) * lineSize}
		}
		shapes.Edges = append(shapes.Edges, edge)
	}
	p.laid = layered.Draw(shapes)
	p.sizes = p.laid.Sizes[first:] // some longer, for their edges
	p.top = 0
	if g.Name != "" {
		p.top += titleSize*lineRatio + 2
	}
	wide := max(p.laid.Width, widePage)
	for _, n := range g.Notes {
		p.notes = append(p.notes, wrap(n, int(wide/(textSize*0.62)))...)
	}
	p.top += float64(len(p.notes))*lineSize + 4
	p.legend = newLegend(g, wide)
	p.width = max(p.laid.Width, width(g.Name, titleSize, false)*1.08, widest(p.notes, textSize, false), p.legend.width)
	p.height = p.top + p.laid.Height + p.legend.height
	return p
}

// size is that of a node, and the radius of its corners.
func (n *Node) size() (layered.Size, float64) {
	lines := n.shown()
	if n.Block {
		return layered.Size{Width: widest(lines, textSize, true) + 2*padding, Height: float64(len(lines))*lineSize + 2*padding}, 4
	}
	props := n.shownProps()
	wide := max(widest(lines, textSize, false), widest(props, smallSize, false))
	size := layered.Size{Width: wide + 2*padding, Height: float64(len(lines))*lineSize + float64(len(props))*smallLine + 2*padding - 2}
	if n.Marks&(Accepting|End) != 0 {
		size.Width, size.Height = size.Width+6, size.Height+6
	}
	if n.Marks&Error != 0 {
		size.Width += 8
	}
	size.Width = max(size.Width, size.Height)
	round := size.Height / 2
	if len(lines)+len(props) > 1 {
		round = 10
	}
	return size, round
}

// shownProps are the lines of propositions.
func (n *Node) shownProps() []string {
	if len(n.Props) == 0 {
		return nil
	}
	lines := fit(n.Props)
	lines[0] = "{" + lines[0]
	lines[len(lines)-1] += "}"
	return lines
}

// svg writes elements.
type svg struct{ *bufio.Writer }

// picture writes one graph at a place.
func (s *svg) picture(p *picture, x, y float64) {
	fmt.Fprintf(s, `<g transform="translate(%.1f %.1f)">`+"\n", x, y)
	at := 0.0
	if p.Name != "" {
		at = titleSize * lineRatio
		fmt.Fprintf(s, `<text class="title" x="0" y="%.1f" font-size="%g" font-weight="bold" fill="#1d2733">%s</text>`+"\n", at-4, titleSize, escape(p.Name))
		at += 2
	}
	for _, n := range p.notes {
		at += lineSize
		fmt.Fprintf(s, `<text class="quiet" x="0" y="%.1f" fill="#5a6675">%s</text>`+"\n", at-4, escape(n))
	}
	// A narrow graph stands in the middle of its legend.
	fmt.Fprintf(s, `<g transform="translate(%.1f %.1f)">`+"\n", max(0, min(p.width, widePage*0.7)-p.laid.Width)/2, p.top)
	fmt.Fprintln(s, `<g class="edges">`)
	for k := range p.starts {
		s.start(p, k)
	}
	for k := range p.edges {
		s.edge(p, k)
	}
	fmt.Fprintln(s, `</g>`)
	fmt.Fprintln(s, `<g class="nodes">`)
	for i := range p.Nodes {
		s.node(p, i)
	}
	fmt.Fprint(s, "</g>\n</g>\n")
	p.legend.write(s, p.top+p.laid.Height)
	fmt.Fprintln(s, `</g>`)
}

// start draws a dot, and the arrow to an initial state.
func (s *svg) start(p *picture, k int) {
	c := p.laid.Nodes[k]
	n := &p.Nodes[p.starts[k]]
	fmt.Fprintf(s, `<g class="starts" data-to="%d"><circle class="start" cx="%.1f" cy="%.1f" r="%.1f" fill="#4a5563"/>`, n.Number, c.X, c.Y, dot/2)
	s.way(p.laid.Edges[k].Path, Solid)
	fmt.Fprintln(s, `</g>`)
}

// edge draws a curve with its arrowhead and labels.
func (s *svg) edge(p *picture, k int) {
	e, route := &p.edges[k], p.laid.Edges[len(p.starts)+k]
	from, to := p.Nodes[e.From].Number, p.Nodes[e.To].Number
	class := map[Style]string{Solid: "edge", Dotted: "edge dotted", Strong: "edge strong"}[e.Style]
	fmt.Fprintf(s, `<g class="%s" id="%se%d" data-edge="%d" data-from="%d" data-to="%d" data-labels="%s"><title>%d → %d&#10;%s</title>`,
		class, escape(p.Prefix), e.first, e.first, from, to, escape(listed(e.Labels)), from, to, escape(listed(e.Labels)))
	s.way(route.Path, e.Style)
	anchor, x := "start", route.Label.X
	lines := p.labels[k]
	wide := widest(lines, textSize, false)
	if p.laid.Flow == layered.Right {
		anchor = "middle"
	} else {
		x -= wide / 2
	}
	y := route.Label.Y - float64(len(lines))*lineSize/2
	for i, l := range lines {
		fmt.Fprintf(s, `<text class="label" x="%.1f" y="%.1f" text-anchor="%s" fill="#1f4f8f">%s</text>`, x, y+lineSize*float64(i)+textSize*0.95, anchor, escape(l))
	}
	fmt.Fprintln(s, `</g>`)
}

// way draws a path with an arrowhead at its end.
func (s *svg) way(path []layered.Point, style Style) {
	n := len(path)
	tip, before := path[n-1], path[n-2]
	dx, dy := tip.X-before.X, tip.Y-before.Y
	length := max(math.Hypot(dx, dy), 1e-9)
	dx, dy = dx/length, dy/length
	base := layered.Point{X: tip.X - dx*layered.ArrowLength, Y: tip.Y - dy*layered.ArrowLength}
	color, extra := "#6b7786", ""
	switch style {
	case Dotted:
		extra = ` stroke-dasharray="2 3"`
	case Strong:
		color, extra = "#c0392b", ` stroke-width="2"`
	}
	var d strings.Builder
	fmt.Fprintf(&d, "M%.1f %.1f", path[0].X, path[0].Y)
	for i := 1; i+2 < n; i += 3 {
		end := path[i+2]
		if i+3 == n { // the line ends within the arrowhead
			end = layered.Point{X: tip.X - dx*layered.ArrowLength*0.6, Y: tip.Y - dy*layered.ArrowLength*0.6}
		}
		fmt.Fprintf(&d, "C%.1f %.1f %.1f %.1f %.1f %.1f", path[i].X, path[i].Y, path[i+1].X, path[i+1].Y, end.X, end.Y)
	}
	fmt.Fprintf(s, `<path class="line" d="%s" fill="none" stroke="%s"%s/>`, d.String(), color, extra)
	fmt.Fprintf(s, `<path class="head" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fz" fill="%s"/>`, tip.X, tip.Y,
		base.X-dy*arrowWide/2, base.Y+dx*arrowWide/2, base.X+dy*arrowWide/2, base.Y-dx*arrowWide/2, color)
}

// node draws a state, or a block of text.
func (s *svg) node(p *picture, i int) {
	n, c, size := &p.Nodes[i], p.laid.Nodes[len(p.starts)+i], p.sizes[i]
	_, round := n.size()
	fmt.Fprintf(s, `<g class="%s" id="%ss%d" data-state="%d"><title>%s</title>`, n.classes(), escape(p.Prefix), n.Number, n.Number, escape(n.described()))
	s.shape(n.Marks, c, size, round)
	y := c.Y - size.Height/2 + padding
	lines, props := n.shown(), n.shownProps()
	if n.Block {
		for k, l := range lines {
			fmt.Fprintf(s, `<text x="%.1f" y="%.1f" font-family="%s" xml:space="preserve" fill="#1d2733">%s</text>`, c.X-size.Width/2+padding, y+lineSize*float64(k)+textSize*0.95, Mono, escape(l))
		}
		fmt.Fprintln(s, `</g>`)
		return
	}
	y = c.Y - (float64(len(lines))*lineSize+float64(len(props))*smallLine)/2
	for _, l := range lines {
		fmt.Fprintf(s, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#1d2733">%s</text>`, c.X, y+textSize*0.95, escape(l))
		y += lineSize
	}
	for _, l := range props {
		fmt.Fprintf(s, `<text class="quiet" x="%.1f" y="%.1f" text-anchor="middle" font-size="%g" fill="#5a6675">%s</text>`, c.X, y+smallSize*0.95, smallSize, escape(l))
		y += smallLine
	}
	fmt.Fprintln(s, `</g>`)
}

// shape draws the border of a node: errors have cut corners, END and accepting states a
// second border, deadlocks a thick one.
func (s *svg) shape(m Marks, c layered.Point, size layered.Size, round float64) {
	fill, stroke, extra := "#f4f6f9", "#4a5563", ""
	switch {
	case m&(Error|Marked) != 0:
		fill, stroke, extra = "#fdecea", "#c0392b", ` stroke-width="1.6"`
	case m&Deadlock != 0:
		fill, extra = "#d5dae1", ` stroke-width="2.2"`
	case m&Component != 0:
		extra = ` stroke-width="1.5" stroke-dasharray="5 2"`
	}
	x, y, w, h := c.X-size.Width/2, c.Y-size.Height/2, size.Width, size.Height
	if m&Error != 0 {
		k := h * 0.29
		fmt.Fprintf(s, `<path class="shape" d="M%.1f %.1fH%.1fL%.1f %.1fV%.1fL%.1f %.1fH%.1fL%.1f %.1fV%.1fz" fill="%s" stroke="%s"%s/>`,
			x+k, y, x+w-k, x+w, y+k, y+h-k, x+w-k, y+h, x+k, x, y+h-k, y+k, fill, stroke, extra)
		return
	}
	fmt.Fprintf(s, `<rect class="shape" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s" stroke="%s"%s/>`, x, y, w, h, round, fill, stroke, extra)
	if m&(Accepting|End) != 0 {
		fmt.Fprintf(s, `<rect class="inner" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="none" stroke="%s"/>`, x+3, y+3, w-6, h-6, max(0, round-3), stroke)
	}
}
