package sight

import (
	"fmt"
	"math"
)

// slack is how much of a box may lie on another: pictures are written with one digit.
const slack = 0.25

func (b Box) overlaps(o Box) bool {
	return b.Low.X < o.High.X-slack && o.Low.X < b.High.X-slack && b.Low.Y < o.High.Y-slack && o.Low.Y < b.High.Y-slack
}

// Overlaps says what lies on what though it should not: labels on labels, nodes, arrowheads or
// lines of other edges; nodes on nodes, or on lines and arrowheads of edges between others;
// text that leaves its node; anything that leaves the picture.
func (p *Picture) Overlaps() []string {
	var found []string
	report := func(a, b Box) { found = append(found, fmt.Sprintf("%s lies on %s", a.Name, b.Name)) }
	var labels []Box
	var of []int // by label: its edge
	for i, e := range p.Edges {
		for _, l := range e.Labels {
			labels, of = append(labels, l), append(of, i)
		}
	}
	for i, l := range labels {
		for k, o := range labels[:i] {
			if l.overlaps(o) && of[i] != of[k] {
				report(l, o)
			}
		}
		for k, e := range p.Edges {
			if l.overlaps(e.Head) {
				report(l, e.Head)
			}
			if k != of[i] && passes(e.Line, l) {
				report(Box{Name: fmt.Sprintf("line from %s to %s", e.From, e.To)}, l)
			}
		}
	}
	for i, n := range p.Nodes {
		for _, o := range p.Nodes[:i] {
			if n.overlaps(o) {
				report(n, o)
			}
		}
		for _, l := range labels {
			if l.overlaps(n) {
				report(l, n)
			}
		}
		for _, e := range p.Edges {
			if own := "state " + e.From; n.Name == own || n.Name == "state "+e.To || n.Name == "start "+e.To && e.From == "start" {
				continue
			}
			if e.Head.overlaps(n) {
				report(e.Head, n)
			}
			if passes(e.Line, n) {
				report(Box{Name: fmt.Sprintf("line from %s to %s", e.From, e.To)}, n)
			}
		}
	}
	for _, b := range append(append(append([]Box(nil), labels...), p.Nodes...), p.texts...) {
		if b.Low.X < 0 || b.Low.Y < 0 || b.High.X > p.Width || b.High.Y > p.Height {
			report(b, Box{Name: "the edge of the page"})
		}
	}
	return found
}

// passes reports whether a line goes through a box.
func passes(line []Point, b Box) bool {
	for i := 1; i < len(line); i++ {
		p, q := line[i-1], line[i]
		if max(p.X, q.X) > b.Low.X && min(p.X, q.X) < b.High.X && max(p.Y, q.Y) > b.Low.Y && min(p.Y, q.Y) < b.High.Y && cut(p, q, b) {
			return true
		}
	}
	return false
}

// cut reports whether the line between two points enters a box: what is left of it after
// each side has taken its part away.
func cut(p, q Point, b Box) bool {
	from, to := 0.0, 1.0
	for _, side := range [][3]float64{
		{p.X, q.X, b.High.X - slack}, {-p.X, -q.X, -b.Low.X - slack},
		{p.Y, q.Y, b.High.Y - slack}, {-p.Y, -q.Y, -b.Low.Y - slack},
	} {
		start, way, bound := side[0], side[1]-side[0], side[2]
		switch { // start + t way <= bound
		case way > 0:
			to = min(to, (bound-start)/way)
		case way < 0:
			from = max(from, (bound-start)/way)
		case start > bound:
			return false
		}
	}
	return from < to
}

// Crossings counts the pairs of edges that cross, as often as they do. Edges that end at one
// node may meet there.
func (p *Picture) Crossings() int {
	n := 0
	boxes := make([]Box, len(p.Edges))
	for i, e := range p.Edges {
		boxes[i] = bounds("", e.Line, Point{})
		for k, o := range p.Edges[:i] {
			if !boxes[i].touches(boxes[k]) {
				continue
			}
			for a := 1; a < len(e.Line); a++ {
				for b := 1; b < len(o.Line); b++ {
					if crosses(e.Line[a-1], e.Line[a], o.Line[b-1], o.Line[b]) {
						n++
					}
				}
			}
		}
	}
	return n
}

func (b Box) touches(o Box) bool {
	return b.Low.X <= o.High.X && o.Low.X <= b.High.X && b.Low.Y <= o.High.Y && o.Low.Y <= b.High.Y
}

// crosses reports whether two lines cross within both.
func crosses(a, b, c, d Point) bool {
	return turn(a, b, c)*turn(a, b, d) < 0 && turn(c, d, a)*turn(c, d, b) < 0
}

func turn(a, b, c Point) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// Pierced says which arrowheads lines of other edges run through: one cannot see then where these
// edges end.
func (p *Picture) Pierced() (found [][2]Edge) {
	for i, e := range p.Edges {
		for k, o := range p.Edges {
			if k != i && passes(o.Line, e.Head.shrunk(1)) {
				found = append(found, [2]Edge{e, o})
			}
		}
	}
	return found
}

// Parallel says which lines run along each other, so close that they look like one, and not only
// where they cross.
func (p *Picture) Parallel() (found [][2]Edge) {
	boxes := make([]Box, len(p.Edges))
	for i, e := range p.Edges {
		boxes[i] = bounds("", e.Line, Point{})
		for k, o := range p.Edges[:i] {
			if boxes[i].touches(boxes[k].shrunk(-closest)) && along(e.Line, o.Line) > longest {
				found = append(found, [2]Edge{e, o})
			}
		}
	}
	return found
}

// Lines closer than closest, for more than longest, are taken for one.
const closest, longest = 1.5, 8.0

// shrunk takes something off each side.
func (b Box) shrunk(by float64) Box {
	return Box{Point{b.Low.X + by, b.Low.Y + by}, Point{b.High.X - by, b.High.Y - by}, b.Name}
}

// along is how much of a line is closest to another one, where both have about one direction.
func along(line, other []Point) float64 {
	const piece = 2.0
	sum := 0.0
	for i := 1; i < len(line); i++ {
		p, q := line[i-1], line[i]
		long := math.Hypot(q.X-p.X, q.Y-p.Y)
		if long == 0 {
			continue
		}
		n := math.Ceil(long / piece)
		for k := range int(n) {
			t := (float64(k) + 0.5) / n
			if near(Point{p.X + t*(q.X-p.X), p.Y + t*(q.Y-p.Y)}, Point{(q.X - p.X) / long, (q.Y - p.Y) / long}, other) {
				sum += long / n
			}
		}
	}
	return sum
}

// near reports whether a line passes close to a point, in a direction or against it.
func near(at, direction Point, line []Point) bool {
	for i := 1; i < len(line); i++ {
		p, q := line[i-1], line[i]
		if min(p.X, q.X) > at.X+closest || max(p.X, q.X) < at.X-closest || min(p.Y, q.Y) > at.Y+closest || max(p.Y, q.Y) < at.Y-closest {
			continue
		}
		long := math.Hypot(q.X-p.X, q.Y-p.Y)
		if long == 0 || math.Abs((q.X-p.X)*direction.Y-(q.Y-p.Y)*direction.X) > 0.35*long {
			continue
		}
		t := max(0, min(1, ((at.X-p.X)*(q.X-p.X)+(at.Y-p.Y)*(q.Y-p.Y))/(long*long)))
		if math.Hypot(p.X+t*(q.X-p.X)-at.X, p.Y+t*(q.Y-p.Y)-at.Y) < closest {
			return true
		}
	}
	return false
}
