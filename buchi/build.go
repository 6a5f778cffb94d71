package buchi

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// Parts are what an automaton consists of. Labels are about the atoms, by their places;
// diagrams are those of Diagrams, which the automaton goes on to use.
type Parts struct {
	Name       string
	Atoms      []ltl.Atom
	Diagrams   *bdd.Manager
	Edges      [][]Edge // by state; at least one state
	Initial    int32
	Sets       int
	StateBased bool // all edges of each state have the same marks
}

// New makes an automaton of its parts, which must be those of one (see Automaton); it takes
// Edges over and sorts them.
func New(p Parts) *Automaton {
	a := &Automaton{name: p.Name, atoms: p.Atoms, man: p.Diagrams, care: AnyLetter, out: p.Edges, initial: p.Initial,
		sets: p.Sets, stateBased: p.StateBased}
	for s := range a.out {
		a.out[s] = a.mergeEdges(a.out[s])
	}
	return a
}

// CopyLabels returns a function that makes labels of a those of other diagrams, over the
// same atoms.
func (a *Automaton) CopyLabels(to *bdd.Manager) func(Label) Label {
	memo := map[Label]Label{}
	return func(l Label) Label { return a.man.Copy(to, l, nil, memo) }
}

// Reduce returns an automaton for the same language in the form of acceptance asked for,
// made smaller by removing what is useless and by simulations. The error is that of the
// meter, which may be nil, or says that diagrams get too large.
func Reduce(a *Automaton, acceptance Acceptance, meter *budget.Meter) (*Automaton, error) {
	b := a.clone()
	b.compact()
	b.man.SetLimit(maxNodes, func(int) error {
		if meter == nil {
			return nil
		}
		return meter.Tick(budget.Progress{Phase: "reducing", States: int64(len(b.out))})
	})
	err := bdd.Guard(func() error {
		t := &translation{opts: Options{Acceptance: acceptance}}
		b = renumber(t.acceptance(reduceSimulation(trim(b))))
		return nil
	})
	if err != nil {
		return nil, nodeLimit(err)
	}
	b.compact()
	b.atoms = slices.Clone(b.atoms)
	return b, nil
}
