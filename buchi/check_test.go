package buchi

import (
	"fmt"

	"github.com/seltl/seltl/internal/hoa"
)

// check returns an error that names the first broken invariant, or nil.
func (a *Automaton) check() error {
	if len(a.out) == 0 || a.initial < 0 || int(a.initial) >= len(a.out) {
		return fmt.Errorf("buchi: initial state %d of %d", a.initial, len(a.out))
	}
	if a.sets < 0 || a.sets > MaxSets {
		return fmt.Errorf("buchi: %d acceptance sets", a.sets)
	}
	for s, es := range a.out {
		for i, e := range es {
			if err := a.checkEdge(s, i, e); err != nil {
				return err
			}
			if a.stateBased && e.Marks != es[0].Marks {
				return fmt.Errorf("buchi: state %d has edges with different marks", s)
			}
		}
	}
	return nil
}

func (a *Automaton) checkEdge(s, i int, e Edge) error {
	switch es := a.out[s]; {
	case e.To < 0 || int(e.To) >= len(a.out):
		return fmt.Errorf("buchi: edge %d -> %d leaves the automaton", s, e.To)
	case e.Label == NoLetter:
		return fmt.Errorf("buchi: edge %d -> %d reads no letter", s, e.To)
	case e.Marks&^a.AllMarks() != 0:
		return fmt.Errorf("buchi: edge %d -> %d has marks %b of %d sets", s, e.To, e.Marks, a.sets)
	case i > 0 && hoa.CompareEdges(es[i-1], e) >= 0:
		return fmt.Errorf("buchi: edges %d and %d of state %d are not in order", i-1, i, s)
	case !a.man.Implies(e.Label, a.care):
		return fmt.Errorf("buchi: edge %d -> %d reads letters that cannot occur", s, e.To)
	}
	for _, v := range a.man.Support(e.Label) {
		if v >= len(a.atoms) {
			return fmt.Errorf("buchi: edge %d -> %d reads variable %d of %d", s, e.To, v, len(a.atoms))
		}
	}
	return nil
}
