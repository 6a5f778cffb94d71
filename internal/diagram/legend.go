package diagram

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/seltl/seltl/internal/layered"
)

// legend says what marks mean, and what numbered states are.
type legend struct {
	graph         *Graph
	marks         Marks // that occur and need a word
	entries       [][]string
	more          int     // states that are not listed
	column        float64 // width of one
	columns       int
	width, height float64
}

// mostListed is how many states a legend names: tooltips name all.
const mostListed = 80

// legendSize is that of texts in the legend.
const legendSize = 11.0

// newLegend fits a legend below a graph.
func newLegend(g *Graph, wide float64) *legend {
	l := &legend{graph: g}
	for _, n := range g.Nodes {
		if !n.Block {
			l.marks |= n.Marks &^ (Initial | Marked)
		}
	}
	if l.marks != 0 {
		l.height += 30
		l.width = l.writeMarks(nil, 0)
	}
	if !g.Listed {
		return l
	}
	letters := int(wide/(legendSize*monoWidth)) - 2
	longest := 0
	for _, n := range g.Nodes {
		if n.Tip == "" || len(n.Lines) > 0 {
			continue
		}
		if len(l.entries) == mostListed {
			l.more++
			continue
		}
		lines := wrap(strings.ReplaceAll(n.Tip, "\n", "; "), letters-6)
		for i := range lines {
			head := ""
			if i == 0 {
				head = fmt.Sprint(n.Number)
			}
			lines[i] = fmt.Sprintf("%4s  %s", head, lines[i])
			longest = max(longest, len([]rune(lines[i])))
		}
		l.entries = append(l.entries, lines)
	}
	l.column = float64(longest+2) * legendSize * monoWidth
	l.columns = max(1, min(int(wide/max(l.column, 1)), len(l.entries)))
	rows := 0
	for _, c := range l.split() {
		n := 0
		for _, e := range c {
			n += len(e)
		}
		rows = max(rows, n)
	}
	if l.more > 0 {
		rows++
	}
	l.height += 10 + float64(rows)*legendSize*lineRatio
	l.width = max(l.width, l.column*float64(l.columns))
	return l
}

// split deals entries out to columns of about the same length.
func (l *legend) split() [][][]string {
	if l.columns == 0 {
		return nil
	}
	each := int(math.Ceil(float64(len(l.entries)) / float64(l.columns)))
	var columns [][][]string
	for i := 0; i < len(l.entries); i += each {
		columns = append(columns, l.entries[i:min(i+each, len(l.entries))])
	}
	return columns
}

// write draws the legend from some height.
func (l *legend) write(s *svg, y float64) {
	if l.height == 0 {
		return
	}
	fmt.Fprintln(s, `<g class="legend">`)
	if l.marks != 0 {
		l.writeMarks(s, y+16)
		y += 30
	}
	y += 10
	rows := 0
	for c, column := range l.split() {
		at, n := y, 0
		for _, lines := range column {
			for _, line := range lines {
				at += legendSize * lineRatio
				n++
				fmt.Fprintf(s, `<text class="quiet" x="%.1f" y="%.1f" font-size="%g" font-family="%s" xml:space="preserve" fill="#5a6675">%s</text>`+"\n", float64(c)*l.column, at-3, legendSize, Mono, escape(line))
			}
		}
		rows = max(rows, n)
	}
	if l.more > 0 {
		at := y + float64(rows+1)*legendSize*lineRatio
		fmt.Fprintf(s, `<text class="quiet" x="0" y="%.1f" font-size="%g" fill="#5a6675">and %d more: the mouse over a state shows its name</text>`+"\n", at-3, legendSize, l.more)
	}
	fmt.Fprintln(s, `</g>`)
}

// writeMarks draws a sample of each mark with its meaning, and returns how wide that is; it
// writes nothing to nil.
func (l *legend) writeMarks(s *svg, y float64) float64 {
	x := 0.0
	for _, m := range marks {
		if l.marks&m.mark == 0 {
			continue
		}
		text := m.text
		if m.mark == Accepting {
			text = cmp.Or(l.graph.Accepting, text)
		}
		if s != nil {
			fmt.Fprintf(s, `<g class="%s">`, m.class)
			s.shape(m.mark, layered.Point{X: x + 12, Y: y - 4}, layered.Size{Width: 22, Height: 16}, 8)
			fmt.Fprintf(s, `<text class="quiet" x="%.1f" y="%.1f" fill="#5a6675">%s</text></g>`+"\n", x+30, y, escape(text))
		}
		x += 30 + width(text, textSize, false) + 18
	}
	return x
}
