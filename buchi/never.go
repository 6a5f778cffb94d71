package buchi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/ltl"
)

// ErrNotBuchi is returned by WriteNever for automata without state-based Büchi
// acceptance: translate with Acceptance StateBuchi.
var ErrNotBuchi = errors.New("buchi: a never claim needs a Büchi automaton with acceptance on states")

// WriteNever writes the automaton as a never claim for SPIN. Atoms are written as
// ltl.Format does with ltl.SPIN; an atom that SPIN cannot express is an error, and
// nothing is written then.
func (a *Automaton) WriteNever(w io.Writer) error {
	if a.sets > 1 || a.sets == 1 && !a.stateBased {
		return ErrNotBuchi
	}
	names := make([]string, len(a.atoms))
	for i, at := range a.atoms {
		text, err := ltl.Format(ltl.AtomOf(at), ltl.SPIN)
		if err != nil {
			return err
		}
		names[i] = text
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "never { /* %s */\n", strings.NewReplacer("*/", "* /", "\n", " ").Replace(a.name))
	// SPIN starts a claim at its first state.
	a.writeClaimState(b, a.initial, names)
	for s := range a.out {
		if int32(s) != a.initial {
			a.writeClaimState(b, int32(s), names)
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

func (a *Automaton) writeClaimState(b *bufio.Writer, s int32, names []string) {
	fmt.Fprintf(b, "%s:\n", a.claimLabel(s))
	es := a.out[s]
	if len(es) == 0 {
		b.WriteString("  false;\n")
		return
	}
	b.WriteString("  do\n")
	for _, e := range es {
		fmt.Fprintf(b, "  :: (%s) -> goto %s\n", a.claimCondition(e.Label, names), a.claimLabel(e.To))
	}
	b.WriteString("  od;\n")
}

// claimLabel names a state; names that start with "accept" are accepting for SPIN.
func (a *Automaton) claimLabel(s int32) string {
	name := "T"
	if a.sets == 0 || a.StateMarks(s) == 1 {
		name = "accept"
	}
	if s == a.initial {
		return name + "_init"
	}
	return fmt.Sprintf("%s_S%d", name, s)
}

func (a *Automaton) claimCondition(l Label, names []string) string {
	var cubes []string
	for _, cube := range a.isop(l) {
		literals := make([]string, len(cube))
		for i, lit := range cube {
			literals[i] = names[lit.Var()]
			if lit.Negated() {
				literals[i] = "!" + literals[i]
			}
		}
		if len(cube) == 0 {
			literals = []string{"true"}
		}
		cubes = append(cubes, "("+strings.Join(literals, " && ")+")")
	}
	return strings.Join(cubes, " || ")
}
