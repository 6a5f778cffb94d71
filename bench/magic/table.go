package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/bench/internal/chart"
	"github.com/seltl/seltl/bench/internal/decide"
)

const mega = 1 << 20

// cells are what a run took: seconds, rounds, predicates and branches, MiB.
func cells(t task, a decide.Answer) string {
	word := ""
	switch {
	case a.Solved() && t.expect != "" && a.Verdict != t.expect:
		word = " **" + strings.ToUpper(a.Verdict) + ", WRONG**"
	case !a.Solved():
		word = " " + a.Verdict
	}
	return fmt.Sprintf("%.2f%s | %d | %d/%d | %.0f |", a.CPU.Seconds(), word, a.Work.Rounds, a.Work.Predicates, a.Work.Branches, a.Peak/mega)
}

// tables is tables 7.1 to 7.3: all tasks, column after column, so that a run that is ended
// has whole ones.
func (b *bench) tables(w io.Writer) error {
	for _, c := range b.columns {
		for _, t := range b.tasks {
			if _, err := b.ask(t, c.options...); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(w, "\n## Tables 7.1 to 7.3\n\nLimit: %s for each run. CPU s, rounds, predicates at a location at most / branches, and MiB of the larger of seltl and Z3. Of the thesis (rows of the same number): seconds, iterations; BLAST: seconds.\n\n| task | expected |", b.Limits)
	rule := "|---|---|"
	for _, c := range b.columns {
		fmt.Fprintf(w, " %s: CPU s | R | P/B | MiB |", c.name)
		rule += "--:|--:|--:|--:|"
	}
	fmt.Fprintf(w, " thesis's row | minimised: s | I | P | MB | not: s | I | P | MB | greedy: s | I | BLAST: s |\n%s---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", rule)
	for _, t := range b.tasks {
		fmt.Fprintf(w, "| %s | %s |", t.name, t.expect)
		for _, c := range b.columns {
			a, err := b.ask(t, c.options...)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %s", cells(t, a))
		}
		row := t.row()
		r := recorded[row]
		if r.minimal.seconds == "" {
			row = ""
		}
		fmt.Fprintf(w, " %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", row, r.minimal.seconds, r.minimal.iterations, r.minimal.predicates, r.minimal.memory,
			r.none.seconds, r.none.iterations, r.none.predicates, r.none.memory, r.greedy.seconds, r.greedy.iterations, r.blast.seconds)
	}
	return b.sums(w)
}

// sums adds up columns; runs without an answer count with what they took.
func (b *bench) sums(w io.Writer) error {
	fmt.Fprint(w, "\n| column | solved | CPU s of all | slowest | rounds of the solved |\n|---|--:|--:|--:|--:|\n")
	for _, c := range b.columns {
		solved, rounds, sum, most := 0, 0, 0.0, 0.0
		for _, t := range b.tasks {
			a, err := b.ask(t, c.options...)
			if err != nil {
				return err
			}
			sum += a.CPU.Seconds()
			most = max(most, a.CPU.Seconds())
			if a.Solved() && (t.expect == "" || a.Verdict == t.expect) {
				solved++
				rounds += a.Work.Rounds
			}
		}
		fmt.Fprintf(w, "| %s | %d of %d | %.1f | %.1f | %d |\n", c.name, solved, len(b.tasks), sum, most, rounds)
	}
	return nil
}

// unpassed leaves something to refine: these sections are about how, and passes leave nothing.
const unpassed = "--passes=none"

// optimality is tables 7.4 and 7.5.
func (b *bench) optimality(w io.Writer, tasks []task) error {
	part := func(title string, limits [][2]int) error {
		fmt.Fprintf(w, "\n## %s\n\n| task | MAXELM | MAXSUB | CPU s | R | P/B | MiB |\n|---|--:|--:|--:|--:|--:|--:|\n", title)
		for _, t := range tasks {
			for _, l := range limits {
				a, err := b.ask(t, unpassed, "--predicates=branches", fmt.Sprintf("--max-eliminating=%d", l[0]), fmt.Sprintf("--max-subsets=%d", l[1]))
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "| %s | %d | %d | %s\n", t.name, l[0], l[1], cells(t, a))
			}
		}
		return nil
	}
	if err := part("Table 7.4: MAXELM", [][2]int{{50, 250}, {100, 250}, {150, 250}, {200, 250}, {250, 250}}); err != nil {
		return err
	}
	return part("Table 7.5: MAXSUB", [][2]int{{100, 100}, {200, 200}, {400, 400}, {800, 800}, {1600, 1600}, {3200, 3200}, {6400, 6400}})
}

// draw writes a plot.
func draw(folder, name string, f *chart.Figure) error {
	if folder == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(folder, name), []byte(f.SVG()), 0o666)
}

// traces is figure 6.3: simulation against trace containment.
func (b *bench) traces(w io.Writer, tasks []task, plots string) error {
	fmt.Fprint(w, "\n## Figure 6.3: simulation and traces\n\n| task | simulation: CPU s | R | P/B | MiB | traces: CPU s | R | P/B | MiB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	time, rounds := chart.Series{Name: "a program", Cloud: true}, chart.Series{Name: "a program", Cloud: true}
	for _, t := range tasks {
		s, err := b.ask(t, unpassed)
		if err != nil {
			return err
		}
		r, err := b.ask(t, unpassed, "--by=traces")
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %s %s\n", t.name, cells(t, s), cells(t, r))
		time.Points = append(time.Points, chart.Point{X: s.CPU.Seconds(), Y: r.CPU.Seconds()})
		rounds.Points = append(rounds.Points, chart.Point{X: float64(s.Work.Rounds), Y: float64(r.Work.Rounds)})
	}
	return draw(plots, "magic-traces.svg", &chart.Figure{Title: "Simulation and trace containment of C programs", Columns: 2, Panels: []chart.Panel{
		{Title: "time", X: chart.Axis{Label: "simulation: processor seconds", Log: true}, Y: chart.Axis{Label: "traces: processor seconds", Log: true}, Series: []chart.Series{time}},
		{Title: "rounds", X: chart.Axis{Label: "simulation: rounds", Zero: true}, Y: chart.Axis{Label: "traces: rounds", Zero: true}, Series: []chart.Series{rounds}},
	}})
}

// trees is figure 6.4: how many counterexamples a round looks at.
func (b *bench) trees(w io.Writer, tasks []task, plots string) error {
	fmt.Fprint(w, "\n## Figure 6.4: trees in a round\n\n| task | trees | CPU s | R | P/B | MiB |\n|---|--:|--:|--:|--:|--:|\n")
	var panels [3][]chart.Series
	for _, t := range tasks {
		var lines [3]chart.Series
		for n := 1; n <= 15; n++ {
			a, err := b.ask(t, unpassed, fmt.Sprintf("--trees=%d", n))
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "| %s | %d | %s\n", t.name, n, cells(t, a))
			for i, y := range []float64{a.CPU.Seconds(), float64(a.Work.Rounds), a.Peak / mega} {
				lines[i].Name = t.name
				lines[i].Points = append(lines[i].Points, chart.Point{X: float64(n), Y: y})
			}
		}
		for i := range panels {
			panels[i] = append(panels[i], lines[i])
		}
	}
	figure := &chart.Figure{Title: "Counterexample trees in a round", Columns: 3}
	for i, label := range []string{"processor seconds", "rounds", "MiB"} {
		figure.Panels = append(figure.Panels, chart.Panel{X: chart.Axis{Label: "trees", Zero: true}, Y: chart.Axis{Label: label, Zero: true}, Series: panels[i]})
	}
	return draw(plots, "magic-trees.svg", figure)
}
