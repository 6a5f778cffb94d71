package buchi

import (
	"fmt"
	"io"

	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// WriteHOA writes the automaton in the Hanoi Omega-Automata format, version 1
// ([Babiak15]). An atom is written as its name; where a proposition and an event
// have the same name, they become "S.name" and "E.name".
func (a *Automaton) WriteHOA(w io.Writer) error {
	name, acceptance := a.acceptanceHOA()
	h := &hoa.Automaton{Name: a.name, Atoms: AtomNames(a.atoms), Man: a.man, Care: a.care, Initial: a.initial, Sets: a.sets,
		Acceptance: acceptance, OnStates: a.stateBased}
	for _, es := range a.out {
		out := lists.Append(nil, es, func(e Edge) hoa.Edge { return hoa.Edge(e) })
		h.Out = append(h.Out, out)
	}
	return hoa.Write(w, h, name)
}

// acceptanceHOA returns the name of the acceptance condition and the condition.
func (a *Automaton) acceptanceHOA() (name string, condition *hoa.Acceptance) {
	switch a.sets {
	case 0:
		return "all", &hoa.Acceptance{Op: hoa.True}
	case 1:
		return "Buchi", &hoa.Acceptance{Op: hoa.Inf}
	}
	all := &hoa.Acceptance{Op: hoa.And}
	for i := range a.sets {
		all.Args = append(all.Args, &hoa.Acceptance{Op: hoa.Inf, Set: i})
	}
	return fmt.Sprintf("generalized-Buchi %d", a.sets), all
}

// AtomNames returns the names that atoms have in HOA files, all different.
func AtomNames(atoms []ltl.Atom) []string {
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
