// Package chart draws the plots of the benchmarks as SVG: a grid of panels with
// lines or points on linear or logarithmic axes, and one legend.
package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Point is one measurement.
type Point struct{ X, Y float64 }

// Series is one line, or one cloud of points, of a panel. The same name in several
// panels has the same look, and one entry in the legend.
type Series struct {
	Name   string
	Points []Point // in the order of the line
	Cloud  bool    // points without a line between them
}

// Axis says how an axis is drawn. Points that a logarithmic axis cannot show, zero
// and below, are left out.
type Axis struct {
	Label string
	Log   bool
	Zero  bool // a linear axis starts at 0
}

// Panel is one plot.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// Figure is a grid of panels.
type Figure struct {
	Title   string
	Columns int // of panels; 0 is one
	Panels  []Panel
}

// Sizes in pixels.
const (
	panelWidth, panelHeight                      = 400, 290
	marginLeft, marginRight, marginTop, marginUp = 58, 16, 34, 44
	titleHeight, legendRow, legendWidth          = 34, 22, 262
)

// colours are those of Okabe and Ito, which colour-blind people can tell apart.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f"}

// markers are paths around the origin.
var markers = []string{
	"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "M-3 -3H3V3H-3z", "M0 -4.2L4 3H-4z", "M0 -4.4L4.4 0L0 4.4L-4.4 0z",
	"M-3 -3L3 3M3 -3L-3 3", "M0 4.2L4 -3H-4z", "M-4 0H4M0 -4V4", "M-3 -1.5H3V1.5H-3z",
}

// SVG returns the figure as an SVG document, always the same for the same figure.
func (f *Figure) SVG() string {
	columns := min(max(1, f.Columns), max(1, len(f.Panels)))
	rows := (len(f.Panels) + columns - 1) / columns
	names := f.names()
	perRow := max(1, columns*panelWidth/legendWidth)
	legendHeight := 0
	if len(names) > 1 {
		legendHeight = 10 + legendRow*((len(names)+perRow-1)/perRow)
	}
	width, height := columns*panelWidth, titleHeight+rows*panelHeight+legendHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(f.Title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	size := min(15, 1.6*float64(width)/float64(max(1, len(f.Title)))) // a long title gets smaller letters
	text(&b, float64(width)/2, 22, "middle", fmt.Sprintf(`font-size="%.1f" font-weight="bold"`, size), f.Title)
	for i, p := range f.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWidth, titleHeight+i/columns*panelHeight)
		p.draw(&b, names)
		b.WriteString("</g>\n")
	}
	if legendHeight > 0 {
		drawLegend(&b, names, perRow, float64(titleHeight+rows*panelHeight))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// names returns the names of all series in the order of their first use.
func (f *Figure) names() []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if !seen[s.Name] {
				seen[s.Name] = true
				names = append(names, s.Name)
			}
		}
	}
	return names
}

func drawLegend(b *strings.Builder, names []string, perRow int, top float64) {
	for i, name := range names {
		x, y := float64(20+i%perRow*legendWidth), top+14+float64(i/perRow*legendRow)
		fmt.Fprintf(b, `<path d="M%.1f %.1fh26" stroke="%s" stroke-width="1.6"/>`+"\n", x, y, colours[i%len(colours)])
		mark(b, i, x+13, y)
		text(b, x+33, y+4, "start", "", name)
	}
}

func (p *Panel) draw(b *strings.Builder, names []string) {
	x := newScale(p.X, p.values(func(q Point) float64 { return q.X }), marginLeft, panelWidth-marginRight)
	y := newScale(p.Y, p.values(func(q Point) float64 { return q.Y }), panelHeight-marginUp, marginTop)
	text(b, (marginLeft+panelWidth-marginRight)/2, 18, "middle", `font-weight="bold"`, p.Title)
	for _, t := range x.ticks() {
		at := x.at(t)
		fmt.Fprintf(b, `<path d="M%.1f %dV%d" stroke="#e4e4e4"/>`+"\n", at, marginTop, panelHeight-marginUp)
		text(b, at, panelHeight-marginUp+16, "middle", `fill="#444"`, label(t))
	}
	for _, t := range y.ticks() {
		at := y.at(t)
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#e4e4e4"/>`+"\n", marginLeft, at, panelWidth-marginRight)
		text(b, marginLeft-6, at+4, "end", `fill="#444"`, label(t))
	}
	fmt.Fprintf(b, `<path d="M%d %dV%dH%d" stroke="#444" fill="none"/>`+"\n", marginLeft, marginTop, panelHeight-marginUp, panelWidth-marginRight)
	text(b, (marginLeft+panelWidth-marginRight)/2, panelHeight-10, "middle", "", p.X.Label)
	fmt.Fprintf(b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		(marginTop+panelHeight-marginUp)/2, html.EscapeString(p.Y.Label))
	for _, s := range p.Series {
		s.draw(b, index(names, s.Name), x, y)
	}
}

// values collects a coordinate of all points that can be drawn.
func (p *Panel) values(of func(Point) float64) []float64 {
	var all []float64
	for _, s := range p.Series {
		for _, q := range s.Points {
			if p.shows(q) {
				all = append(all, of(q))
			}
		}
	}
	return all
}

func (p *Panel) shows(q Point) bool { return p.X.shows(q.X) && p.Y.shows(q.Y) }

func (a Axis) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.Log || v > 0)
}

func (s *Series) draw(b *strings.Builder, look int, x, y scale) {
	var line strings.Builder
	var shown []Point
	for _, q := range s.Points {
		if x.shows(q.X) && y.shows(q.Y) {
			fmt.Fprintf(&line, " %.1f,%.1f", x.at(q.X), y.at(q.Y))
			shown = append(shown, q)
		}
	}
	if !s.Cloud && len(shown) > 1 {
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"/>`+"\n", line.String()[1:], colours[look%len(colours)])
	}
	for _, q := range shown {
		mark(b, look, x.at(q.X), y.at(q.Y))
	}
}

func mark(b *strings.Builder, look int, x, y float64) {
	fmt.Fprintf(b, `<path transform="translate(%.1f %.1f)" d="%s" fill="%[4]s" stroke="%[4]s"/>`+"\n", x, y, markers[look%len(markers)], colours[look%len(colours)])
}

func text(b *strings.Builder, x, y float64, anchor, more, s string) {
	if more != "" {
		more = " " + more
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(s))
}

func index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return 0
}
