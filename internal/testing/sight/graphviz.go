package sight

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Graphviz has dot draw the same graph, with nodes and labels of the same sizes, downwards
// or to the right. The end of the context is an error.
func (p *Picture) Graphviz(ctx context.Context, right bool) (*Picture, error) {
	var b strings.Builder
	number := map[string]int{}
	fmt.Fprintf(&b, "digraph g {\n node [shape=box, fixedsize=true, label=\"\"];\n")
	if right {
		b.WriteString(" rankdir=LR;\n")
	}
	for i, n := range p.Nodes {
		number[n.Name] = i
		fmt.Fprintf(&b, " n%d [width=%f, height=%f];\n", i, (n.High.X-n.Low.X)/72, (n.High.Y-n.Low.Y)/72)
	}
	for i, e := range p.Edges {
		from := "state " + e.From
		if e.From == "start" {
			from = "start " + e.To
		}
		label := ""
		if len(e.Labels) > 0 {
			box := e.Labels[0]
			for _, l := range e.Labels {
				box.add(l.Low)
				box.add(l.High)
			}
			label = fmt.Sprintf(`, label=<<table border="0" cellspacing="0" cellpadding="0"><tr><td fixedsize="true" width="%.0f" height="%.0f"></td></tr></table>>`, box.High.X-box.Low.X, box.High.Y-box.Low.Y)
		}
		fmt.Fprintf(&b, " n%d -> n%d [id=%d%s];\n", number[from], number["state "+e.To], i, label)
	}
	b.WriteString("}\n")
	dot := exec.CommandContext(ctx, "dot", "-Tplain")
	dot.Stdin = strings.NewReader(b.String())
	out, err := dot.Output()
	if err != nil {
		return nil, err
	}
	return plain(string(out))
}

// plain reads dot's plain format.
func plain(text string) (*Picture, error) {
	p := &Picture{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		at := func(i int) float64 { return 72 * number(f[i]) }
		switch f[0] {
		case "graph":
			p.Width, p.Height = at(2), at(3)
		case "node":
			p.Nodes = append(p.Nodes, Box{Point{at(2) - at(4)/2, at(3) - at(5)/2}, Point{at(2) + at(4)/2, at(3) + at(5)/2}, f[1]})
		case "edge":
			n := int(number(f[3]))
			if len(f) < 4+2*n {
				return nil, fmt.Errorf("short line: %s", lines.Text())
			}
			var points []Point
			for i := range n {
				points = append(points, Point{at(4 + 2*i), at(5 + 2*i)})
			}
			e := Edge{From: f[1], To: f[2], Line: []Point{points[0]}}
			for i := 1; i+2 < n; i += 3 {
				e.Line = append(e.Line, Bezier(points[i-1], points[i], points[i+1], points[i+2])...)
			}
			p.Edges = append(p.Edges, e)
		}
	}
	return p, lines.Err()
}
