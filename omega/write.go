package omega

import (
	"io"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
)

// WriteHOA writes the automaton in the Hanoi format, version 1 ([Babiak15]), with marks on
// states if it is state-based.
func (a *Automaton) WriteHOA(w io.Writer) error {
	h := &hoa.Automaton{Name: a.name, Atoms: buchi.AtomNames(a.atoms), Man: a.man, Care: AnyLetter, Initial: a.initial,
		Sets: a.sets, Acceptance: a.condition.hoa(), OnStates: a.StateBased()}
	for _, es := range a.out {
		out := lists.Map(es, func(e Edge) hoa.Edge { return hoa.Edge(e) })
		h.Out = append(h.Out, out)
	}
	return hoa.Write(w, h, a.condition.AccName(a.sets))
}
