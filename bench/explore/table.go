package main

import (
	"fmt"
	"strings"
)

// printHeader prints the head of a table with a first column of the given name; all
// tables have the same columns.
func printHeader(first string) {
	fmt.Printf("| %s | tool and search | states | transitions | wall s | CPU s | million states/CPU s | bytes/state | peak MiB | × fastest peer |\n", first)
	fmt.Println("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
}

// printRows prints the rows of one model or question. The last column says how many
// times as fast a row is as the fastest other tool that does the same with as many
// workers.
func printRows(subject string, rows []*row) {
	var notes []string
	for _, r := range rows {
		if r.err != nil {
			fmt.Printf("| %s | %s | - | - | - | - | - | - | - | - |\n", subject, r.name)
			notes = append(notes, fmt.Sprintf("%s: %s", r.name, firstLines(r.err.Error())))
			continue
		}
		f := r.median()
		fmt.Printf("| %s | %s | %.0f | %.0f | %.2f | %.2f | %s | %.1f | %.0f | %s |\n", subject, r.name, f.States, f.Transitions,
			f.Wall, f.CPU, quotient(f.States/1e6, f.CPU), f.Store/f.States, f.Peak/(1<<20), quotient(fastestPeer(rows, r), f.seconds(r.workers)))
		if f.Note != "" {
			notes = append(notes, r.name+": "+f.Note)
		}
	}
	for _, n := range notes {
		fmt.Printf("| %s | *%s* ||||||||| \n", subject, n)
	}
}

// firstLines makes one line of the first few.
func firstLines(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[:min(3, len(lines))], " ")
}

// quotient writes a / b, and a dash where the times are too short to say anything.
func quotient(a, b float64) string {
	if a <= 0 || b < 0.02 {
		return "-"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// same complains if the rows that did their work differ in what they must agree on.
func same[T comparable](subject, what string, rows []*row, of func(figures) T) error {
	var first *row
	for _, r := range rows {
		if r.err != nil {
			continue
		}
		if first == nil {
			first = r
		}
		if a, b := of(first.runs[0]), of(r.runs[0]); a != b {
			return fmt.Errorf("%s: %s: %s says %v, %s %v", subject, what, first.name, a, r.name, b)
		}
	}
	return nil
}
