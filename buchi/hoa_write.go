package buchi

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/ltl"
)

// WriteHOA writes the automaton in the Hanoi Omega-Automata format, version 1
// ([Babiak15]). An atom is written as its name; where a proposition and an event
// have the same name, they become "S.name" and "E.name".
func (a *Automaton) WriteHOA(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("HOA: v1\n")
	if a.name != "" {
		fmt.Fprintf(b, "name: %s\n", quoteHOA(a.name))
	}
	fmt.Fprintf(b, "States: %d\nStart: %d\nAP: %d", len(a.out), a.initial, len(a.atoms))
	for _, name := range atomNames(a.atoms) {
		b.WriteString(" " + quoteHOA(name))
	}
	b.WriteString("\n" + a.acceptanceHOA())
	properties := "trans-labels explicit-labels"
	if a.stateBased || a.sets == 0 {
		properties += " state-acc"
	} else {
		properties += " trans-acc"
	}
	// Letters that the constraints exclude may be on any label here.
	if a.care == AnyLetter && a.complete() {
		properties += " complete"
	}
	if a.care == AnyLetter && a.Deterministic() {
		properties += " deterministic"
	}
	fmt.Fprintf(b, "properties: %s\n--BODY--\n", properties)
	for s, es := range a.out {
		fmt.Fprintf(b, "State: %d", s)
		if a.stateBased {
			b.WriteString(marksHOA(a.StateMarks(int32(s))))
		}
		b.WriteByte('\n')
		for _, e := range es {
			fmt.Fprintf(b, "[%s] %d", a.labelHOA(e.Label), e.To)
			if !a.stateBased {
				b.WriteString(marksHOA(e.Marks))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("--END--\n")
	return b.Flush()
}

// acceptanceHOA returns the two lines about acceptance.
func (a *Automaton) acceptanceHOA() string {
	switch a.sets {
	case 0:
		return "acc-name: all\nAcceptance: 0 t\n"
	case 1:
		return "acc-name: Buchi\nAcceptance: 1 Inf(0)\n"
	}
	infs := make([]string, a.sets)
	for i := range infs {
		infs[i] = fmt.Sprintf("Inf(%d)", i)
	}
	return fmt.Sprintf("acc-name: generalized-Buchi %d\nAcceptance: %d %s\n", a.sets, a.sets, strings.Join(infs, "&"))
}

func marksHOA(marks uint64) string {
	if marks == 0 {
		return ""
	}
	list := marksList(marks)
	return " {" + strings.Trim(fmt.Sprint(list), "[]") + "}"
}

// labelHOA writes a label over the numbers of the atoms.
func (a *Automaton) labelHOA(l Label) string {
	if l == NoLetter {
		return "f"
	}
	var b strings.Builder
	for i, cube := range a.isop(l) {
		if i > 0 {
			b.WriteString(" | ")
		}
		if len(cube) == 0 {
			b.WriteByte('t')
		}
		for j, lit := range cube {
			if j > 0 {
				b.WriteByte('&')
			}
			if lit.Negated() {
				b.WriteByte('!')
			}
			fmt.Fprint(&b, lit.Var())
		}
	}
	return b.String()
}

// quoteHOA writes a string of the format: only quotes and backslashes are
// escaped.
func quoteHOA(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// atomNames returns a name for each atom, all different.
func atomNames(atoms []ltl.Atom) []string {
	count := map[string]int{}
	plain := make([]string, len(atoms))
	for i, at := range atoms {
		switch at.Kind {
		case ltl.Deadlock:
			plain[i] = "deadlock"
		case ltl.Enabled:
			plain[i] = "enabled(" + at.Name + ")"
		default:
			plain[i] = at.Name
		}
		count[plain[i]]++
	}
	prefix := map[ltl.AtomKind]string{ltl.Prop: "S.", ltl.Event: "E.", ltl.Name: "N.", ltl.Enabled: "A.", ltl.Deadlock: "D."}
	for i, at := range atoms {
		if count[plain[i]] > 1 {
			plain[i] = prefix[at.Kind] + plain[i]
		}
	}
	return plain
}
