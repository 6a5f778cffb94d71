package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Geometry of a picture of who waits for whom, in pixels.
const (
	waitChar   = 7.2
	waitBox    = 34 // height of a box
	waitSpace  = 54 // between boxes on the circle, at least
	mostWaits  = 40 // components in a picture
	waitMargin = 60
)

// WaitsForOthers reports whether there is a picture of who waits for whom: whether some
// component of a deadlock waits for another, and there are few enough to be seen.
func (c *Counterexample) WaitsForOthers() bool {
	return len(c.Waiting) > 1 && len(c.Waiting) <= mostWaits && len(c.waitEdges()) > 0
}

// waitEdge says that a component waits for another, to take part in some events.
type waitEdge struct {
	from, to int // numbers in Waiting
	events   []string
}

// waitEdges lists who waits for whom, in order.
func (c *Counterexample) waitEdges() (edges []waitEdge) {
	number := map[string]int{}
	for i, w := range c.Waiting {
		number[w.Component] = i
	}
	for i, w := range c.Waiting {
		for _, o := range w.Offers {
			for _, by := range o.Refused {
				to, known := number[by]
				if !known {
					continue
				}
				k := slices.IndexFunc(edges, func(e waitEdge) bool { return e.from == i && e.to == to })
				if k < 0 {
					k, edges = len(edges), append(edges, waitEdge{from: i, to: to})
				}
				if !slices.Contains(edges[k].events, o.Event) {
					edges[k].events = append(edges[k].events, o.Event)
				}
			}
		}
	}
	return edges
}

// waitOrder places components on the circle: those of the cycle of waiting side by side, the
// others behind them.
func (c *Counterexample) waitOrder() (order []int) {
	for _, name := range c.Cycle {
		if i := slices.IndexFunc(c.Waiting, func(w Waiting) bool { return w.Component == name }); i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	for i := range c.Waiting {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order
}

// WaitForSVG draws who waits for whom in a deadlock: components on a circle, with what each
// waits for on the arrows, the cycle of waiting in red.
func (c *Counterexample) WaitForSVG(w io.Writer, title string) error {
	order, edges := c.waitOrder(), c.waitEdges()
	n := len(order)
	wide := 60.0
	for _, waiting := range c.Waiting {
		wide = max(wide, float64(max(width(clipped(waiting.Component, 40)), width(clipped(waiting.State, 40))))*waitChar+20)
	}
	label := 0.0
	for _, e := range edges {
		label = max(label, float64(width(eventsText(e.events)))*waitChar)
	}
	radius := max(float64(n)*(waitBox+waitSpace)/(2*math.Pi), 90)
	across := max(radius, (wide+min(label, 260)*0.6)/1.4) // boxes are wider than high
	titles := brokenAt(title, chartWide)
	head := 24 + float64(seqTitle*len(titles))
	cx, cy := across+wide/2+waitMargin, head+radius+waitBox/2+waitMargin
	total, height := max(2*cx, float64(widest(titles))*seqBold+32), cy+radius+waitBox/2+waitMargin
	x, y := make([]float64, n), make([]float64, n)
	for k, i := range order {
		angle := 2*math.Pi*float64(k)/float64(n) - math.Pi/2
		x[i], y[i] = cx+across*math.Cos(angle), cy+radius*math.Sin(angle)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n", total, height, total, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", escaped(title))
	for i, line := range titles {
		fmt.Fprintf(b, `<text x="16" y="%d" font-size="14" font-weight="bold">%s</text>`+"\n", 24+seqTitle*i, escaped(line))
	}
	for _, e := range edges {
		both := slices.ContainsFunc(edges, func(f waitEdge) bool { return f.from == e.to && f.to == e.from })
		c.waitArrow(b, e, both, [4]float64{x[e.from], y[e.from], x[e.to], y[e.to]}, wide)
	}
	for i, waiting := range c.Waiting {
		color := "#444444"
		if slices.Contains(c.Cycle, waiting.Component) {
			color = "#b02a10"
		}
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6" fill="#f7f7f7" stroke="%s"/>`+"\n", x[i]-wide/2, y[i]-waitBox/2, wide, waitBox, color)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-weight="bold" fill="#222222">%s</text>`+"\n", x[i], y[i]-2, escaped(clipped(waiting.Component, 40)))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10" fill="#555555">%s</text>`+"\n", x[i], y[i]+12, escaped(clipped(waiting.State, 40)))
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// waitArrow draws an arrow between two boxes, bent if there is one in the other direction,
// with its events on white.
func (c *Counterexample) waitArrow(b *bufio.Writer, e waitEdge, bent bool, at [4]float64, wide float64) {
	color := "#777777"
	if k := slices.Index(c.Cycle, c.Waiting[e.from].Component); k >= 0 && c.Cycle[(k+1)%len(c.Cycle)] == c.Waiting[e.to].Component {
		color = "#b02a10"
	}
	bend := 0.0
	if bent {
		bend = 26
	}
	dx, dy := at[2]-at[0], at[3]-at[1]
	length := max(math.Hypot(dx, dy), 1)
	mx, my := (at[0]+at[2])/2-dy/length*bend, (at[1]+at[3])/2+dx/length*bend // of the curve's control point
	sx, sy := rimOf(at[0], at[1], mx, my, wide)
	tx, ty := rimOf(at[2], at[3], mx, my, wide)
	angle := math.Atan2(ty-my, tx-mx)
	fmt.Fprintf(b, `<path d="M %.1f %.1f Q %.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", sx, sy, mx, my, tx, ty, color)
	const head, spread = 10, 0.4
	fmt.Fprintf(b, `<path d="M %.1f %.1f L %.1f %.1f L %.1f %.1f Z" fill="%s"/>`+"\n", tx, ty,
		tx-head*math.Cos(angle-spread), ty-head*math.Sin(angle-spread), tx-head*math.Cos(angle+spread), ty-head*math.Sin(angle+spread), color)
	text := eventsText(e.events)
	lx, ly := (sx+2*mx+tx)/4, (sy+2*my+ty)/4
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="15" fill="white" fill-opacity="0.9"/>`+"\n", lx-float64(width(text))*3.4-2, ly-8, float64(width(text))*6.8+4)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="11" fill="%s">%s</text>`+"\n", lx, ly+4, color, escaped(text))
}

// rimOf is where the way from the middle of a box to a point leaves the box, and a little more.
func rimOf(x, y, toX, toY, wide float64) (float64, float64) {
	dx, dy := toX-x, toY-y
	scale := min((wide/2+3)/max(math.Abs(dx), 1e-9), (waitBox/2+3)/max(math.Abs(dy), 1e-9), 1)
	return x + dx*scale, y + dy*scale
}

// eventsText lists the events of an arrow, the first two of them.
func eventsText(events []string) string {
	if len(events) > 2 {
		return strings.Join(events[:2], ", ") + ", …"
	}
	return clipped(strings.Join(events, ", "), 40)
}
