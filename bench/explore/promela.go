package main

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/lks"
)

// promela returns a network as a Promela model with the same state space: one
// process, a variable per component, and an indivisible guarded command for every
// way in which the parts of a rule can move. That is the form which SPIN explores
// fastest. Networks with several initial states, states in error, termination,
// priorities or more than 255 local states are refused.
func promela(n *lks.Network) (string, error) {
	var b strings.Builder
	for c, m := range n.Components() {
		if len(m.Initial()) != 1 || m.NumStates() > 255 {
			return "", fmt.Errorf("%s: several initial states, or too many states", m.Name())
		}
		for s := range int32(m.NumStates()) {
			if m.Kind(s) != lks.Normal {
				return "", fmt.Errorf("%s has END or ERROR states", m.Name())
			}
		}
		fmt.Fprintf(&b, "byte v%d = %d; /* %s */\n", c, m.Initial()[0], n.ComponentName(c))
	}
	if n.Low() != nil {
		return "", fmt.Errorf("%s has priorities", n.Name())
	}
	b.WriteString("active proctype system() {\n\tdo\n")
	for _, r := range n.Rules() {
		writeRule(&b, n, r, nil)
	}
	b.WriteString("\tod\n}\n")
	return b.String(), nil
}

// move is a transition of the part of a rule.
type move struct{ from, to int32 }

// writeRule writes a command for every choice of moves that extends the chosen
// ones, which are those of the first parts.
func writeRule(b *strings.Builder, n *lks.Network, r lks.Rule, chosen []move) {
	if len(chosen) == len(r.Parts) {
		writeCommand(b, r, chosen, n.Alphabet()[r.Action])
		return
	}
	p := r.Parts[len(chosen)]
	m := n.Components()[p.Component]
	for s := range int32(m.NumStates()) {
		for _, e := range m.Succ(s, p.Action) {
			writeRule(b, n, r, append(chosen[:len(chosen):len(chosen)], move{s, e.Target}))
		}
	}
}

func writeCommand(b *strings.Builder, r lks.Rule, moves []move, action string) {
	var guards, updates []string
	for i, m := range moves {
		c := r.Parts[i].Component
		guards = append(guards, fmt.Sprintf("v%d==%d", c, m.from))
		if m.from != m.to {
			updates = append(updates, fmt.Sprintf("v%d=%d", c, m.to))
		}
	}
	if len(updates) == 0 {
		updates = []string{"skip"}
	}
	fmt.Fprintf(b, "\t:: d_step { %s -> %s } /* %s */\n", strings.Join(guards, " && "), strings.Join(updates, "; "), action)
}
