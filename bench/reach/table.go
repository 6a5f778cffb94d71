package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
)

func (b *bench) header(w io.Writer) {
	var head, rule strings.Builder
	for i := range len(b.lanes) + 1 {
		fmt.Fprintf(&head, " %s | wall s | CPU s |", b.column(i))
		rule.WriteString("---|--:|--:|")
	}
	fmt.Fprintf(w, "Limit: %s for each problem and program.\n\n| problem |%s\n|---|%s\n", b.Limits, head.String(), rule.String())
}

func (b *bench) print(w io.Writer, r row) {
	fmt.Fprintf(w, "| %s |", r.name)
	for _, a := range r.answers {
		fmt.Fprintf(w, " %s | %.2f | %.2f |", strings.TrimSpace(a.Verdict+" "+strings.ReplaceAll(a.Why, "|", "/")), a.Wall.Seconds(), a.CPU.Seconds())
	}
	fmt.Fprintln(w)
}

// summary compares every lane with Spacer, on what both have solved.
func (b *bench) summary(w io.Writer) {
	fmt.Fprintf(w, "\n%d problems. Medians are of those that a lane and Spacer both solved: lane / Spacer in seconds, and the median of the ratios.\n\n", len(b.rows))
	fmt.Fprint(w, "| | solved | safe | unsafe | errors | only it | only Spacer | median wall | ratio | median CPU | ratio | queries/s | bytes/query | CPU s | outside Z3 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	spacer := len(b.lanes)
	for i := range len(b.lanes) + 1 {
		var count = map[string]int{}
		var only, not int
		var both []row
		var all decide.Work
		for _, r := range b.rows {
			a, s := r.answers[i], r.answers[spacer]
			count[a.Verdict]++
			all.Add(a.Work)
			switch {
			case a.Solved() && s.Solved():
				both = append(both, r)
			case a.Solved():
				only++
			case s.Solved():
				not++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |", b.column(i), count["safe"]+count["unsafe"], count["safe"], count["unsafe"], count["error"])
		if i == spacer {
			fmt.Fprintln(w, " | | | | | | | | | |")
			continue
		}
		fmt.Fprintf(w, " %d | %d |", only, not)
		for _, of := range []func(decide.Answer) time.Duration{func(a decide.Answer) time.Duration { return a.Wall }, func(a decide.Answer) time.Duration { return a.CPU }} {
			var mine, theirs, ratios []float64
			for _, r := range both {
				m, t := of(r.answers[i]).Seconds(), of(r.answers[spacer]).Seconds()
				mine, theirs, ratios = append(mine, m), append(theirs, t), append(ratios, m/max(t, 0.001))
			}
			fmt.Fprintf(w, " %.2f / %.2f | %.1f |", median(mine), median(theirs), median(ratios))
		}
		fmt.Fprintf(w, " %.0f | %.0f | %.2f | %.0f %% |\n", float64(all.Queries)/max(all.Time, 0.001), float64(all.Bytes)/float64(max(all.Queries, 1)), all.CPU, 100*(1-all.CPUInSolver/max(all.CPU, 0.001)))
	}
	for i, l := range b.lanes {
		var names []string
		for _, r := range b.rows {
			if !r.answers[i].Solved() && r.answers[spacer].Solved() {
				names = append(names, r.name)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(w, "\nSolved by Spacer and not by %s: %s.\n", l.name, strings.Join(names, ", "))
		}
	}
}

// median returns the middle of some numbers, which it sorts; 0 of none.
func median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	n := len(numbers)
	return (numbers[(n-1)/2] + numbers[n/2]) / 2
}
