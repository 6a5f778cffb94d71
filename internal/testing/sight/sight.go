// Package sight looks at pictures of graphs, for tests: it reads the SVG of internal/diagram
// back, finds what overlaps, counts the crossings of lines, and has Graphviz draw the same
// graph. It knows nothing of how pictures are made.
package sight

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Box is a rectangle.
type Box struct {
	Low, High Point
	Name      string
}

// Edge is a line between two nodes.
type Edge struct {
	From, To string // names of nodes
	Line     []Point
	Head     Box
	Labels   []Box // a line of text each
}

// Picture is a graph that was drawn.
type Picture struct {
	Width, Height float64
	Nodes         []Box
	Edges         []Edge
	texts         []Box // within nodes
}

// Area is that of what holds all nodes, labels and lines.
func (p *Picture) Area() float64 {
	b := Box{Low: Point{math.Inf(1), math.Inf(1)}, High: Point{math.Inf(-1), math.Inf(-1)}}
	for _, n := range p.Nodes {
		b.add(n.Low)
		b.add(n.High)
	}
	for _, e := range p.Edges {
		for _, q := range e.Line {
			b.add(q)
		}
		for _, l := range e.Labels {
			b.add(l.Low)
			b.add(l.High)
		}
	}
	return (b.High.X - b.Low.X) * (b.High.Y - b.Low.Y)
}

func (b *Box) add(p Point) {
	b.Low = Point{math.Min(b.Low.X, p.X), math.Min(b.Low.Y, p.Y)}
	b.High = Point{math.Max(b.High.X, p.X), math.Max(b.High.Y, p.Y)}
}

// reader reads elements of SVG.
type reader struct {
	*Picture
	shift  []Point // by open element
	groups []map[string]string
	text   *strings.Builder // of the open text element
	at     map[string]string
}

// Read reads a picture; width estimates that of a line of text of some size in a
// proportional font.
func Read(svg string, width func(line string, size float64) float64) (*Picture, error) {
	r := &reader{Picture: &Picture{}, shift: []Point{{}}}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return r.Picture, nil
		case err != nil:
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			at := map[string]string{"": t.Name.Local}
			for _, a := range t.Attr {
				at[a.Name.Local] = a.Value
			}
			if err := r.open(at); err != nil {
				return nil, err
			}
		case xml.EndElement:
			r.close(width)
		case xml.CharData:
			if r.text != nil {
				r.text.Write(t)
			}
		}
	}
}

// open reads an element.
func (r *reader) open(at map[string]string) error {
	shift := r.shift[len(r.shift)-1]
	var x, y float64
	if n, _ := fmt.Sscanf(at["transform"], "translate(%f %f)", &x, &y); n == 2 {
		shift = Point{shift.X + x, shift.Y + y}
	}
	r.shift, r.groups = append(r.shift, shift), append(r.groups, at)
	var group map[string]string
	for _, g := range r.groups {
		if g["data-state"] != "" || g["data-to"] != "" {
			group = g
		}
	}
	switch {
	case at[""] == "svg":
		r.Width, r.Height = number(at["width"]), number(at["height"])
	case at[""] == "text":
		r.text, r.at = &strings.Builder{}, at
	case at["data-to"] != "":
		r.Edges = append(r.Edges, Edge{From: at["data-from"], To: at["data-to"]})
	case group == nil:
	case at["class"] == "shape":
		points := []Point{{number(at["x"]), number(at["y"])}, {number(at["x"]) + number(at["width"]), number(at["y"]) + number(at["height"])}}
		if at[""] == "path" {
			var err error
			if points, err = line(at["d"]); err != nil {
				return err
			}
		}
		r.Nodes = append(r.Nodes, bounds("state "+group["data-state"], points, shift))
	case at["class"] == "start":
		c := Point{number(at["cx"]), number(at["cy"])}
		radius := number(at["r"])
		r.Nodes = append(r.Nodes, bounds("start "+group["data-to"], []Point{{c.X - radius, c.Y - radius}, {c.X + radius, c.Y + radius}}, shift))
		r.Edges[len(r.Edges)-1].From = "start"
	case at["class"] == "line" || at["class"] == "head":
		points, err := line(at["d"])
		if err != nil {
			return err
		}
		e := &r.Edges[len(r.Edges)-1]
		if at["class"] == "head" {
			e.Head = bounds(fmt.Sprintf("arrowhead of %s to %s", e.From, e.To), points, shift)
			return nil
		}
		for _, p := range points {
			e.Line = append(e.Line, Point{p.X + shift.X, p.Y + shift.Y})
		}
	}
	return nil
}

// close ends an element.
func (r *reader) close(width func(line string, size float64) float64) {
	last := len(r.groups) - 1
	shift := r.shift[last+1]
	if r.text != nil && r.groups[last][""] == "text" {
		size := 12.0
		if s := r.at["font-size"]; s != "" {
			size = number(s)
		}
		text := r.text.String()
		wide := width(text, size)
		if strings.Contains(r.at["font-family"], "mono") {
			wide = 0.602 * size * float64(len([]rune(text)))
		}
		x := number(r.at["x"])
		if r.at["text-anchor"] == "middle" {
			x -= wide / 2
		}
		y := number(r.at["y"]) // from the tops of letters to below the line
		b := bounds(fmt.Sprintf("%q", text), []Point{{x, y - 0.76*size}, {x + wide, y + 0.22*size}}, shift)
		if strings.Contains(r.at["class"], "label") {
			e := &r.Edges[len(r.Edges)-1]
			e.Labels = append(e.Labels, b)
		} else {
			r.texts = append(r.texts, b)
		}
		r.text = nil
	}
	r.shift, r.groups = r.shift[:last+1], r.groups[:last]
}

func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}

func bounds(name string, points []Point, shift Point) Box {
	b := Box{Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}, name}
	for _, p := range points {
		b.add(Point{p.X + shift.X, p.Y + shift.Y})
	}
	return b
}

// line reads the data of a path (M, L, H, V, C, z, with absolute places) as a row of points.
func line(d string) ([]Point, error) {
	var points []Point
	for d = strings.TrimSpace(d); d != ""; {
		command := d[0]
		end := strings.IndexAny(d[1:], "MLHVCz") + 1
		if end == 0 {
			end = len(d)
		}
		var n []float64
		for _, f := range strings.Fields(d[1:end]) {
			n = append(n, number(f))
		}
		d = d[end:]
		switch {
		case (command == 'M' || command == 'L') && len(n) == 2:
			points = append(points, Point{n[0], n[1]})
		case command == 'H' && len(n) == 1:
			points = append(points, Point{n[0], points[len(points)-1].Y})
		case command == 'V' && len(n) == 1:
			points = append(points, Point{points[len(points)-1].X, n[0]})
		case command == 'C' && len(n) == 6:
			points = append(points, Bezier(points[len(points)-1], Point{n[0], n[1]}, Point{n[2], n[3]}, Point{n[4], n[5]})...)
		case command == 'z':
		default:
			return nil, fmt.Errorf("path command %c with %v", command, n)
		}
	}
	return points, nil
}

// Bezier samples a cubic curve, without its first point.
func Bezier(a, b, c, d Point) []Point {
	const steps = 8
	var points []Point
	for i := 1; i <= steps; i++ {
		t := float64(i) / steps
		u := 1 - t
		points = append(points, Point{u*u*u*a.X + 3*u*u*t*b.X + 3*u*t*t*c.X + t*t*t*d.X, u*u*u*a.Y + 3*u*u*t*b.Y + 3*u*t*t*c.Y + t*t*t*d.Y})
	}
	return points
}
