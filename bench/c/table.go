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
	fmt.Fprintf(w, "Limit: %s for each task and program. R: rounds; P: predicates; Q: questions to Z3, and the share of the time in it, of the first column.\n\n| task | expected |", b.Limits)
	rule := "|---|---|"
	for i, c := range b.columns {
		fmt.Fprintf(w, " %s | CPU s |", c.name)
		rule += "---|--:|"
		if i == 0 {
			fmt.Fprint(w, " wall s | R | P | Q | Z3 |")
			rule += "--:|--:|--:|--:|--:|"
		}
	}
	fmt.Fprintf(w, " CPAchecker 1.1 | shown |\n%s--:|---|\n", rule)
}

func (b *bench) print(w io.Writer, r row) {
	fmt.Fprintf(w, "| %s | %s |", r.Task, r.expect)
	for i, c := range b.columns {
		a := r.Answers[c.name]
		word := a.Verdict
		if b.wrong(r, c.name) {
			word = "**" + strings.ToUpper(word) + ", WRONG**"
		}
		if a.Why != "" && i == 0 {
			word += ": " + strings.ReplaceAll(a.Why, "|", "/")
		}
		fmt.Fprintf(w, " %s | %.2f |", word, a.CPU.Seconds())
		if i == 0 {
			fmt.Fprintf(w, " %.2f | %d | %d | %d | %.0f %% |", a.Wall.Seconds(), a.Work.Rounds, a.Work.Predicates, a.Work.Queries, 100*a.Work.InSolver/max(a.Work.Time, 0.001))
		}
	}
	recorded, shown := "", r.Checked
	if r.recorded > 0 {
		recorded = fmt.Sprintf("%.2f", r.recorded)
	}
	if r.Harness != "" {
		shown = strings.TrimPrefix(shown+", harness "+r.Harness, ", ")
	}
	fmt.Fprintf(w, " %s | %s |\n", recorded, strings.ReplaceAll(shown, "|", "/"))
}

// wrong reports a verdict that is not the expected one. Spacer's clauses have errors
// beside failures: that these can be reached is not wrong.
func (b *bench) wrong(r row, column string) bool {
	a := r.Answers[column]
	return a.Solved() && r.expect != "" && a.Verdict != r.expect && !(column == "spacer" && a.Verdict == "unsafe")
}

// summary adds up by category.
func (b *bench) summary(w io.Writer) {
	var categories []string
	for _, r := range b.rows {
		if c := (task{Name: r.Task}).category(); !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	fmt.Fprint(w, "\nSolved tasks, and their processor seconds; of CPAchecker those with a figure, of the columns in brackets the seconds on these.\n\n| category | tasks |")
	rule := "|---|--:|"
	for _, c := range b.columns {
		fmt.Fprintf(w, " %s | CPU s |", c.name)
		rule += "--:|--:|"
	}
	fmt.Fprintf(w, " CPAchecker 1.1 | CPU s |\n%s--:|--:|\n", rule)
	for _, category := range append(categories, "all") {
		var rows []row
		for _, r := range b.rows {
			if category == "all" || (task{Name: r.Task}).category() == category {
				rows = append(rows, r)
			}
		}
		b.sum(w, category, rows)
	}
}

func (b *bench) sum(w io.Writer, name string, rows []row) {
	fmt.Fprintf(w, "| %s | %d |", name, len(rows))
	for _, c := range b.columns {
		solved := 0
		var spent, beside time.Duration
		for _, r := range rows {
			a := r.Answers[c.name]
			if !b.counts(r, c.name, a) {
				continue
			}
			solved++
			spent += a.CPU
			if r.recorded > 0 {
				beside += a.CPU
			}
		}
		fmt.Fprintf(w, " %d | %.1f (%.1f) |", solved, spent.Seconds(), beside.Seconds())
	}
	recorded, seconds := 0, 0.0
	for _, r := range rows {
		if r.recorded > 0 {
			recorded++
			seconds += r.recorded
		}
	}
	fmt.Fprintf(w, " %d | %.1f |\n", recorded, seconds)
}

// counts reports an answer that is right, as far as that is known.
func (b *bench) counts(r row, column string, a decide.Answer) bool {
	return a.Solved() && (r.expect == "" || a.Verdict == r.expect)
}

// verdict is an error if something is wrong.
func (b *bench) verdict(w io.Writer) error {
	wrong := 0
	complain := func(format string, args ...any) {
		wrong++
		fmt.Fprintf(w, "\n"+format+"\n", args...)
	}
	for _, r := range b.rows {
		for _, c := range b.columns {
			if b.wrong(r, c.name) {
				complain("WRONG: %s: %s says %s, not %s", r.Task, c.name, r.Answers[c.name].Verdict, r.expect)
			}
		}
		if r.Harness != "" && r.Harness != "fails" {
			complain("HARNESS: %s: %s", r.Task, r.Harness)
		}
		if r.Checked != "" && r.Checked != "accepted" {
			complain("CERTIFICATE: %s: %s", r.Task, r.Checked)
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d things are wrong", wrong)
	}
	fmt.Fprint(w, "\nNo verdict is wrong, all harnesses fail, all certificates are accepted.\n")
	return nil
}
