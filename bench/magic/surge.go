package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// surges are the formalisms of table 8.1: the program of specs/c/surge.c and the property of
// thesis 8.4 for a range.
var surges = []struct {
	name, process string
	property      func(r int) string
}{
	{"states", "states", func(r int) string {
		return over(r, func(j int) string { return fmt.Sprintf(`("c != %d" & X "c == %d" -> "m >= %d")`, j, j, j) })
	}},
	{"events", "messages", func(r int) string {
		return "forall [j:1..R] forall [i:0..j-1] G(m[i] -> (!c[j] W {m[j..R]}))"
	}},
	{"both", "messages", func(r int) string {
		return over(r, func(j int) string { return fmt.Sprintf(`(c[%d] -> "m >= %d")`, j, j) })
	}},
}

func over(r int, conjunct func(j int) string) string {
	var all []string
	for j := 1; j <= r; j++ {
		all = append(all, conjunct(j))
	}
	return "G(" + strings.Join(all, " & ") + ")"
}

// surge is table 8.1.
func (b *bench) surge(w io.Writer) error {
	fmt.Fprint(w, "\n## Table 8.1 in C\n\nCPU s of all; of the time that passed, the share of automata of the formula (B) and of searches of the abstract models (V), the rest being C source, models and refinement; rounds (R); positions (S). The thesis's: Büchi states, ms of the automaton, ms of all.\n\n| range |")
	rule := "|--:|"
	for _, s := range surges {
		fmt.Fprintf(w, " %s: CPU s | B | V | R | S | thesis: states | ms | ms |", s.name)
		rule += strings.Repeat("--:|", 8)
	}
	fmt.Fprintln(w, "\n"+rule)
	base := filepath.Join("specs", "c", "surge")
	for i, row := range table81 {
		r := i + 2
		fmt.Fprintf(w, "| %d |", r)
		for k, s := range surges {
			t := task{name: fmt.Sprintf("surge %s %d", s.name, r), path: base + ".c", spec: base + ".spec", command: "verify", expect: "safe"}
			a, err := b.ask(t, "--process="+s.process, "-D", fmt.Sprintf("R=%d", r), s.property(r))
			if err != nil {
				return err
			}
			word := ""
			if !a.Solved() {
				word = " " + a.Verdict
			}
			fmt.Fprintf(w, " %.2f%s | %s | %s | %d | %d | %s |", a.CPU.Seconds(), word, share(a.Work.Translating, a.Work.Time), share(a.Work.Searching, a.Work.Time), a.Work.Rounds, a.Work.Positions, strings.Join(row[k][:], " | "))
		}
		fmt.Fprintln(w)
	}
	return nil
}

func share(part, of float64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*part/of)
}
