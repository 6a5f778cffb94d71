package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/specification"
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
	if err := b.levelTable(w, levelled, b.tasks, nil); err != nil {
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
	return b.levelTable(w, levelled, tasks, options)
}

// quotient of two numbers that are printed.
func quotient(a, b string) string {
	var x, y float64
	if n, err := fmt.Sscan(a+" "+b, &x, &y); n < 2 || err != nil || y == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x/y)
}

// kernel is table 9.1: the pieces in specs/c/kernel, with one level and two.
func (b *bench) kernel(w io.Writer) error {
	specs, err := filepath.Glob(filepath.Join("specs", "c", "kernel", "*.spec"))
	if err != nil || len(specs) == 0 {
		return fmt.Errorf("specs/c/kernel: nothing is there (%w)", err)
	}
	var tasks []task
	options := map[string][]string{}
	for _, spec := range specs {
		file, err := programs.LoadSpec(spec, nil)
		if err != nil {
			return err
		}
		add := func(program *specification.ProgDef, command, claim string, of specification.Node, chosen ...string) {
			t := task{path: strings.TrimSuffix(spec, ".spec") + ".c", spec: spec, command: command}
			t.name = strings.TrimSuffix(filepath.Base(spec), ".spec") + " " + program.Name.Text + ": " + claim
			t.expect = verdictOf[file.Expected(of)]
			tasks = append(tasks, t)
			options[t.name] = append(chosen, "--process="+program.Name.Text)
		}
		for _, d := range file.Defs {
			p, is := d.(*specification.ProgDef)
			if !is {
				continue
			}
			for _, s := range p.Statements {
				switch s := s.(type) {
				case *specification.Abstract:
					add(p, "conform", "conforms to "+s.LKS.Text, s, "--abstraction="+s.Name.Text)
				case *specification.Property:
					add(p, "verify", s.Name.Text, s, "--property="+s.Name.Text)
				}
			}
			if file.Expected(p) != "" {
				add(p, "deadlock", "deadlock", p)
			}
		}
	}
	fmt.Fprint(w, "\n## Table 9.1\n\nTen pieces of ours in the manner of a kernel (`specs/c/kernel`), 27 to 70 lines each. The same columns.\n\n")
	if err := b.levelTable(w, levelled[:2], tasks, options); err != nil {
		return err
	}
	fmt.Fprint(w, "\nThe thesis's ten, of conformance: lines, states, iterations, ms with one level; states, iterations, ms with two.\n\n| lines | piece of Linux 2.4.0 | states | I | ms | two levels: states | I | ms |\n|--:|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range table91 {
		fmt.Fprintf(w, "| %s |\n", strings.Join(r[:], " | "))
	}
	return nil
}

func (b *bench) levelTable(w io.Writer, columns []string, tasks []task, options map[string][]string) error {
	fmt.Fprint(w, "| task |")
	rule := "|---|"
	for _, l := range columns {
		fmt.Fprintf(w, " %s: CPU s | P | L | S | MiB |", l[2:])
		rule += "--:|--:|--:|--:|--:|"
	}
	fmt.Fprintln(w, "\n"+rule)
	for _, t := range tasks {
		fmt.Fprintf(w, "| %s |", t.name)
		for _, l := range columns {
			a, err := b.ask(t, append([]string{l}, options[t.name]...)...)
			if err != nil {
				return err
			}
			word := remark(t, a)
			fmt.Fprintf(w, " %.2f%s | %d | %d | %d | %.0f |", a.CPU.Seconds(), word, a.Work.Rounds, a.Work.Above, a.Work.Positions, a.Peak/mega)
		}
		fmt.Fprintln(w)
	}
	return nil
}
