package buchi

import (
	"errors"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// ReadHOAText reads all automata of a text in the Hanoi Omega-Automata format,
// version 1, or never claims: with acceptance on states or edges, with labels on edges,
// on states or implicit, with aliases, with several initial states. Automata that end in
// --ABORT-- are left out. Atoms get the kind ltl.Name. name is what messages call the
// text, such as the file's name.
//
// Acceptance must be a conjunction of Inf terms, t, or f; automata with universal
// branching are refused. Errors are a source.List, at most one for each automaton; the
// automata without errors are returned with it. Package omega reads any acceptance.
func ReadHOAText(name, text string) ([]*Automaton, error) {
	var automata []*Automaton
	var errs source.List
	r := hoa.NewReader(name, strings.NewReader(text))
	for {
		h, err := r.Next()
		var broken source.List
		switch {
		case err == io.EOF:
			return automata, errs.Err()
		case errors.As(err, &broken):
			errs = append(errs, broken...)
			continue
		case err != nil:
			return automata, err
		}
		if len(h.Joints) > 0 {
			errs.Errorf(h.Branches, "alternation", "an automaton with universal branching cannot be read here").
				Help = "remove the branching first: seltl automaton --acceptance=buchi"
			continue
		}
		sets, ok := conjuncts(h.Acceptance, nil)
		if !ok || len(sets) > MaxSets {
			errs.Errorf(h.At, "acceptance", "only generalised Büchi acceptance (a conjunction of Inf terms, t, or f) can be read").
				Help = "convert the automaton to (generalised) Büchi acceptance first: seltl automaton --acceptance=buchi"
			continue
		}
		automata = append(automata, fromHOA(h, sets))
	}
}

// never stands for the set that no edge is in.
const never = -1

// conjuncts appends the sets of a conjunction of Inf terms to sets; false if the condition is none.
func conjuncts(c *hoa.Acceptance, sets []int) ([]int, bool) {
	switch c.Op {
	case hoa.True:
		return sets, true
	case hoa.False:
		return append(sets, never), true
	case hoa.Inf:
		return append(sets, c.Set), true
	case hoa.And:
		ok := true
		for _, arg := range c.Args {
			if sets, ok = conjuncts(arg, sets); !ok {
				return nil, false
			}
		}
		return sets, true
	}
	return nil, false
}

// fromHOA makes an automaton whose i-th set is the one of this number in h.
func fromHOA(h *hoa.Automaton, sets []int) *Automaton {
	a := &Automaton{name: h.Name, man: h.Man, care: AnyLetter, initial: h.Initial, sets: len(sets), stateBased: h.OnStates}
	for _, name := range h.Atoms {
		a.atoms = append(a.atoms, ltl.Atom{Kind: ltl.Name, Name: name})
	}
	for _, es := range h.Out {
		var out []Edge
		for _, e := range es {
			marks := uint64(0)
			for i, set := range sets {
				if set != never && e.Marks>>set&1 != 0 {
					marks |= 1 << i
				}
			}
			out = append(out, Edge{e.Label, e.To, marks})
		}
		a.out = append(a.out, a.mergeEdges(out))
	}
	return a
}
