package hoa

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
)

// Write writes the automaton in the Hanoi format. accName is the name of the acceptance
// condition as the format has it, "" for none.
func Write(w io.Writer, a *Automaton, accName string) error {
	b := bufio.NewWriter(w)
	b.WriteString("HOA: v1\n")
	if a.Name != "" {
		fmt.Fprintf(b, "name: %s\n", quote(a.Name))
	}
	fmt.Fprintf(b, "States: %d\nStart: %d\nAP: %d", len(a.Out), a.Initial, len(a.Atoms))
	for _, name := range a.Atoms {
		b.WriteString(" " + quote(name))
	}
	b.WriteByte('\n')
	if accName != "" {
		fmt.Fprintf(b, "acc-name: %s\n", accName)
	}
	fmt.Fprintf(b, "Acceptance: %d %s\n", a.Sets, a.Acceptance)
	fmt.Fprintf(b, "properties: %s\n--BODY--\n", a.properties())
	for s, es := range a.Out {
		fmt.Fprintf(b, "State: %d", s)
		if a.OnStates && len(es) > 0 {
			b.WriteString(Marks(es[0].Marks))
		}
		b.WriteByte('\n')
		for _, e := range es {
			fmt.Fprintf(b, "[%s] %d", a.Label(e.Label), e.To)
			if !a.OnStates {
				b.WriteString(Marks(e.Marks))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("--END--\n")
	return b.Flush()
}

// properties lists what a reader may rely on.
func (a *Automaton) properties() string {
	properties := "trans-labels explicit-labels"
	if a.OnStates || a.Sets == 0 {
		properties += " state-acc"
	} else {
		properties += " trans-acc"
	}
	if a.Care != bdd.True {
		return properties // letters that do not occur may be on any label here
	}
	complete, deterministic := true, true
	for _, es := range a.Out {
		read := bdd.False
		for _, e := range es {
			deterministic = deterministic && a.Man.Disjoint(read, e.Label)
			read = a.Man.Or(read, e.Label)
		}
		complete = complete && read == bdd.True
	}
	if complete {
		properties += " complete"
	}
	if deterministic {
		properties += " deterministic"
	}
	return properties
}

// Marks writes acceptance sets: " {0 2}", or nothing.
func Marks(marks uint64) string {
	if marks == 0 {
		return ""
	}
	var list []string
	for ; marks != 0; marks &= marks - 1 {
		list = append(list, fmt.Sprint(bits.TrailingZeros64(marks)))
	}
	return " {" + strings.Join(list, " ") + "}"
}

// Label writes a label over the numbers of the atoms.
func (a *Automaton) Label(l bdd.Node) string {
	if l == bdd.False {
		return "f"
	}
	var b strings.Builder
	for i, cube := range a.Man.ISOP(l, a.Man.Or(l, a.Man.Not(a.Care))) {
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

// quote writes a string of the format: only quotes and backslashes are escaped.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
