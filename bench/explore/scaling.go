package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seltl/seltl/bench/internal/chart"
)

// growth is one panel of the scaling plots: a question about a model of growing
// size.
type growth struct {
	title   string
	model   instance
	formula string
	sizes   []int
}

// span returns the numbers from low to high in steps.
func span(low, high, step int) []int {
	var all []int
	for n := low; n <= high; n += step {
		all = append(all, n)
	}
	return all
}

// Sizes go on to where reduced searches take long; the line of a search ends
// earlier, see -cap.
var (
	complete = []growth{
		{"Philosophers (PHILOK)", philok, "", slices.Concat(span(5, 14, 1), span(16, 32, 4))},
		{"Readers and writers (RW)", rw, "", slices.Concat(span(3, 10, 1), span(12, 16, 2))},
		{"Milner's scheduler (MILNER)", milner, "", slices.Concat(span(6, 20, 2), span(24, 40, 4))},
		{"Token ring (RING)", ring, "", slices.Concat(span(6, 20, 2), span(24, 40, 4))},
	}
	liveness = []growth{
		{"PHILOK: G !(p[0].eating & p[1].eating)", philok, "G !(p[0].eating & p[1].eating)", slices.Concat(span(5, 14, 1), span(16, 32, 4))},
		{"RW: G !(writer[0].writing & writer[1].writing)", rw, "G !(writer[0].writing & writer[1].writing)", slices.Concat(span(3, 10, 1), span(12, 16, 2))},
		{"MILNER: G F cell[0].run", milner, "GF cell[0].run", slices.Concat(span(6, 20, 2), span(24, 40, 4))},
		{"RING: G(s[1].try -> F s[1].crit)", ring, "G(s[1].try -> F s[1].crit)", slices.Concat(span(6, 20, 2), span(24, 40, 4))},
	}
)

// scalingSection measures models of growing size, one run a point, and draws time
// and memory.
func (b *bench) scalingSection() error {
	fmt.Printf("\n## Scaling\n\nOne run each; a search goes on to larger models until a run takes more than %v of processor time.\n\n", b.cap)
	printHeader("model")
	for _, part := range []struct {
		name, title string
		growths     []growth
	}{
		{"search", "Deadlock search", complete},
		{"ltl", "LTL by nested depth-first search", liveness},
	} {
		var times, peaks []chart.Panel
		for _, g := range part.growths {
			if chosen, err := choose([]instance{g.model}, b.only); err != nil || len(chosen) == 0 {
				continue
			}
			lines, err := b.grow(g)
			if err != nil {
				return err
			}
			times = append(times, g.panel(lines, "CPU seconds", func(f figures) float64 { return f.CPU }))
			peaks = append(peaks, g.panel(lines, "peak MiB of the process", func(f figures) float64 { return f.Peak / (1 << 20) }))
		}
		if b.plots == "" {
			continue
		}
		if err := b.plot("scaling-"+part.name+"-time.svg", part.title+": time against n", times); err != nil {
			return err
		}
		if err := b.plot("scaling-"+part.name+"-memory.svg", part.title+": memory against n", peaks); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) plot(file, title string, panels []chart.Panel) error {
	figure := chart.Figure{Title: title, Columns: 2, Panels: panels}
	return os.WriteFile(filepath.Join(b.plots, file), []byte(figure.SVG()), 0o644) //nolint:gosec // a file for everybody
}

// line is what one search took for growing sizes.
type line struct {
	name   string
	sizes  []int
	points []figures
}

// grow runs all searches for growing sizes, each as long as it is fast enough.
func (b *bench) grow(g growth) ([]*line, error) {
	var lines []*line
	ended := map[string]bool{}
	sizes := g.sizes
	if b.quick {
		sizes = sizes[:4]
	}
	for _, n := range sizes {
		rows, err := b.point(g, n, ended)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.err != nil {
				ended[r.name] = true
				continue
			}
			f := r.runs[0]
			at := slices.IndexFunc(lines, func(l *line) bool { return l.name == r.name })
			if at < 0 {
				at = len(lines)
				lines = append(lines, &line{name: r.name})
			}
			lines[at].sizes = append(lines[at].sizes, n)
			lines[at].points = append(lines[at].points, f)
			ended[r.name] = f.CPU > b.cap.Seconds()
		}
		if len(rows) == 0 {
			break
		}
	}
	return lines, nil
}

// point runs the searches that have not ended for one size.
func (b *bench) point(g growth, n int, ended map[string]bool) ([]*row, error) {
	c, err := b.contest(g.model.sized(n), g.formula)
	if err != nil {
		return nil, err
	}
	defer c.close()
	c.skip = ended
	name := c.instance.String()
	if g.formula == "" {
		c.ours("seltl exact", job{Store: "exact"})
		c.ours("seltl compact", job{Store: "compact"})
		c.ours("seltl with reduction", job{Deadlock: true, POR: true})
		c.spinRow(spinWay{flat: true, bfs: true})
		c.ltsminRows(ltsminWay{"tree", 1, false, nil})
	} else {
		name += ", " + g.formula
		c.ours("seltl ndfs", job{Formula: g.formula, Search: "ndfs"})
		c.ours("seltl with reduction", job{Formula: g.formula, Search: "ndfs", POR: true})
		c.spinRow(spinWay{flat: true})
		c.ltsminRows(ltsminWay{"ndfs", 1, false, []string{"--strategy=ndfs"}})
	}
	c.spinRow(spinWay{por: true})
	c.ltsminRows(ltsminWay{"with reduction", 1, true, c.ltsminReduced("heur")})
	measure(c.rows, 1)
	printRows(name, c.rows)
	for _, r := range c.rows {
		if r.err == nil && r.runs[0].Violated {
			return nil, fmt.Errorf("%s: %s says that it is violated", name, r.name)
		}
	}
	if b.limit > 0 {
		return c.rows, nil
	}
	full := slices.DeleteFunc(slices.Clone(c.rows), func(r *row) bool { return r.reduced })
	return c.rows, same(name, "states", full, func(f figures) float64 { return f.States })
}

// panel draws the lines of a growth.
func (g growth) panel(lines []*line, unit string, of func(figures) float64) chart.Panel {
	p := chart.Panel{Title: g.title, X: chart.Axis{Label: "n"}, Y: chart.Axis{Label: unit, Log: true}}
	for _, l := range lines {
		s := chart.Series{Name: l.name}
		for i, f := range l.points {
			s.Points = append(s.Points, chart.Point{X: float64(l.sizes[i]), Y: of(f)})
		}
		p.Series = append(p.Series, s)
	}
	return p
}
