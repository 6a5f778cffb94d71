package omega

import (
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/parity"
)

// Determinisation by Safra trees (internal/parity). A run that goes to another component
// begins again below the root: what it has met before does not matter. So trees do not tell
// apart what only runs do that have left, and components without accepting cycles cost no
// more than their sets of states. Two variants are tried: one lets a run that comes into a
// component wait at the root for an accepting edge, the other gives it a node of its own at
// once, and the root never accepts. Which needs fewer trees depends on the automaton. States that
// others simulate, in their component or below, are left out of trees; so runs still leave
// components finitely often.

// Determinise returns an equivalent deterministic automaton, with a parity condition (min even)
// unless a is deterministic. The number of states is exponential in n log n of the n states of
// an equivalent Büchi automaton in the worst case. Errors are those of the meter, which may
// be nil, and limits.
func (a *Automaton) Determinise(meter *budget.Meter) (*Automaton, error) {
	if a.Deterministic() {
		return a, nil
	}
	return guarded(func() (*Automaton, error) {
		b, err := a.toBuchi(buchi.Buchi, meter)
		if err != nil {
			return nil, err
		}
		b.name = a.name
		if b.Deterministic() {
			return b, nil
		}
		best, err := b.safra(false, 0, meter)
		if err != nil {
			return nil, err
		}
		other, err := b.safra(true, 2*len(best.out)+8, meter)
		if err != nil {
			return nil, err
		}
		if other != nil && len(other.out) < len(best.out) {
			best = other
		}
		return best.descended(), nil
	})
}

// safra determinises a, which has the condition Inf(0), in one of the variants; nil if it takes
// more trees than limit (0: none).
func (a *Automaton) safra(enter bool, limit int, meter *budget.Meter) (*Automaton, error) {
	d, err := newSafra(a, enter)
	if err != nil {
		return nil, err
	}
	out, err := d.run(limit, meter)
	if err != nil || out == nil {
		return nil, err
	}
	lowerPriorities(out)
	var best *Automaton
	for _, change := range []func(){func() {}, out.Pull, out.Forget} {
		change()
		p, err := a.withPriorities(out)
		if err != nil {
			return nil, err
		}
		if p = p.Trim().Quotient(); best == nil || len(p.out) < len(best.out) {
			best = p
		}
	}
	return best, nil
}

type safra struct {
	a     *Automaton
	c     *components
	enter bool // runs that come into a component get a node

	covers func(s, t int32) bool
}

// newSafra prepares the determinisation of a, which has the condition Inf(0).
func newSafra(a *Automaton, enter bool) (*safra, error) {
	b, err := a.Buchi()
	if err != nil {
		return nil, err
	}
	d := &safra{a: a, c: a.components(), enter: enter}
	simulates := b.DirectSimulation()
	d.covers = func(s, t int32) bool { return d.c.of[t] <= d.c.of[s] && simulates(s, t) }
	return d, nil
}

// run makes the automaton; its initial state is 0. It is nil at the limit.
func (d *safra) run(limit int, meter *budget.Meter) (parity.Graph, error) {
	splitter := d.a.splitter()
	trees := parity.Trees{Covers: d.covers}
	start := []int32{0}
	if d.enter && d.c.marks[d.c.of[d.a.initial]]&1 != 0 {
		start = append(start, 1)
	}
	trees.Number(&parity.Tree{States: []int32{d.a.initial}, Stacks: [][]int32{start}})
	var out parity.Graph
	for i := 0; i < len(trees.List); i++ {
		if err := tick(meter, "determinising", len(trees.List)); err != nil {
			return nil, err
		}
		if limit > 0 && len(trees.List) > limit {
			return nil, nil
		}
		t := trees.List[i]
		var es []parity.Edge
		for _, step := range d.a.split(splitter, t.States) {
			if len(step.Read) > 0 {
				to, priority := trees.Successor(t, d.moves(t, step.Read), d.enter)
				es = append(es, parity.Edge{Letters: step.Letters, To: to, Priority: priority})
			}
		}
		out = append(out, es)
		t.Stacks = nil // only the number is needed from here on
	}
	return out, nil
}

// moves says what edges do to the stacks of a tree.
func (d *safra) moves(t *parity.Tree, read []move) []parity.Move {
	moves := make([]parity.Move, len(read))
	for i, m := range read {
		moves[i] = parity.Move{From: m.from, To: m.to}
		switch id := d.c.of[m.to]; {
		case d.c.of[t.States[m.from]] != id && d.enter && d.c.marks[id]&1 != 0:
			moves[i].Does = parity.Enters
		case d.c.of[t.States[m.from]] != id || d.c.marks[id]&1 == 0:
			moves[i].Does = parity.Leaves
		case m.mark&1 != 0:
			moves[i].Does = parity.Accepts
		}
	}
	return moves
}

// move is an edge of the state at a place of a list.
type move struct {
	from int
	to   int32
	mark uint64
}

// split partitions the letters by the edges of the states that read them.
func (a *Automaton) split(l *bdd.Splitter, states []int32) []bdd.Part[move] {
	return bdd.Split(l, func(yield func(Label, move) bool) {
		for from, s := range states {
			for _, e := range a.out[s] {
				if !yield(e.Label, move{from, e.To, e.Marks}) {
					return
				}
			}
		}
	})
}
