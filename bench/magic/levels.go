package main

import (
	"fmt"
	"io"
	"path/filepath"
)

// levelled are the columns of tables about one level and two.
var levelled = []string{"--levels=1", "--levels=2", "--levels=auto"}

// family is one of table 10.1, written in C: bench/deadlock prints the thesis's figures beside
// models of the same.
type family struct {
	name, file, process, constant string
	sizes                         []int
	expect                        string
}

var families = []family{
	{"DPN", "philosophers", "peace", "N", []int{3, 4, 5, 6}, "safe"},
	{"DPD", "philosophers", "dinner", "N", []int{9, 10}, "unsafe"},
	{"UCOSN", "ucos", "ucosn", "N", []int{4, 5, 6}, "safe"},
	{"UCOSD", "ucos", "ucosd", "N", []int{4, 5}, "unsafe"},
	{"RW", "readers", "rw", "R", []int{4, 5, 6}, "safe"},
	{"stand-in for ABB", "ipc", "abb", "N", []int{2, 3}, "safe"},
}

// levels measures one level of abstraction and two: tables 9.2, 9.3 and 10.1.
func (b *bench) levels(w io.Writer) error {
	fmt.Fprint(w, "\n## Tables 9.2 and 9.3\n\nCPU s; rounds of predicates (P) and searches of quotients (L); the most positions (S) of a round; MiB.\n\n")
	if err := b.levelTable(w, b.tasks, nil); err != nil {
		return err
	}
	fmt.Fprint(w, "\nThe thesis's, of other properties of the same routines, in its order: eight servers, eight clients, thirteen of both.\n\n| states | I | s | MB | two levels: states | P | L | s | MB | states, MB: ratio |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, r := range tables9 {
		ratio := quotient(r.states, r.states2)
		if r.memory != "" {
			ratio += ", " + quotient(r.memory, r.memory2)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.states, r.iterations, r.seconds, r.memory, r.states2, r.below, r.above, r.seconds2, r.memory2, ratio)
	}
	fmt.Fprint(w, "\n## Table 10.1 in C\n\nThe same columns.\n\n")
	var tasks []task
	options := map[string][]string{}
	for _, f := range families {
		for _, n := range f.sizes {
			base := filepath.Join("specs", "c", f.file)
			t := task{name: fmt.Sprintf("%s-%d", f.name, n), path: base + ".c", spec: base + ".spec", command: "deadlock", expect: f.expect}
			tasks = append(tasks, t)
			options[t.name] = []string{"--process=" + f.process, "-D", fmt.Sprintf("%s=%d", f.constant, n)}
		}
	}
	return b.levelTable(w, tasks, options)
}

// quotient of two numbers that are printed.
func quotient(a, b string) string {
	var x, y float64
	if n, err := fmt.Sscan(a+" "+b, &x, &y); n < 2 || err != nil || y == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x/y)
}

func (b *bench) levelTable(w io.Writer, tasks []task, options map[string][]string) error {
	fmt.Fprint(w, "| task |")
	rule := "|---|"
	for _, l := range levelled {
		fmt.Fprintf(w, " %s: CPU s | P | L | S | MiB |", l[2:])
		rule += "--:|--:|--:|--:|--:|"
	}
	fmt.Fprintln(w, "\n"+rule)
	for _, t := range tasks {
		fmt.Fprintf(w, "| %s |", t.name)
		for _, l := range levelled {
			a, err := b.ask(t, append([]string{l}, options[t.name]...)...)
			if err != nil {
				return err
			}
			word := ""
			switch {
			case a.Solved() && t.expect != "" && a.Verdict != t.expect:
				word = " **WRONG**"
			case !a.Solved():
				word = " " + a.Verdict
			}
			fmt.Fprintf(w, " %.2f%s | %d | %d | %d | %.0f |", a.CPU.Seconds(), word, a.Work.Rounds, a.Work.Above, a.Work.Positions, a.Peak/mega)
		}
		fmt.Fprintln(w)
	}
	return nil
}
