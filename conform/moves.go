package conform

import (
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Moves is a counterexample as what the components do: a witness ([Chaki05], 5.5), or a
// trace, with the local states of all components. It has no circles, and states can be
// reached in several ways.
type Moves struct {
	Locals [][]int32 // by state, by component of the network; state 0 is initial
	Steps  [][]Move  // by state
}

// Move is a step of the implementation.
type Move struct {
	Action int32 // index into Result.Alphabet
	Rule   int32 // of the network: see Part
	Target int32
}

// Moves returns the moves of Trees[i], or, with i = 0, of the trace. It is nil if there
// would be too many.
func (r *Result) Moves(i int) (*Moves, error) {
	var w *witness
	if r.Trace != nil {
		w = r.Trace.way
	} else {
		w = r.Trees[i].toWitness()
	}
	if w == nil {
		return nil, nil
	}
	l, err := locate(w, r.impl)
	if err != nil {
		return nil, err
	}
	m := &Moves{Locals: l.local, Steps: make([][]Move, len(l.edges))}
	for s, edges := range l.edges {
		for _, e := range edges {
			m.Steps[s] = append(m.Steps[s], Move{e.action, e.rule, e.target})
		}
	}
	return m, nil
}

// located is a witness with the local (abstract) states of all components. Where
// the abstraction is terminated or in error, its canonical state does not tell
// where the components went: there every edge has a target of its own, with local
// states that the edge can lead to.
type located struct {
	witness
	local [][]int32
	// plain says for every state whether its local states are those of the
	// abstract state, not one of several that it stands for.
	plain []bool
}

func locate(w *witness, abstract *space) (*located, error) {
	l := &located{witness: witness{impl: slices.Clone(w.impl), edges: make([][]witnessEdge, len(w.edges))}}
	net := abstract.net
	for _, s := range w.impl {
		local := make([]int32, len(net.Components()))
		net.Unpack(abstract.states.State(s), local)
		l.local = append(l.local, local)
		l.plain = append(l.plain, abstract.classes[s].kind == lks.Normal)
	}
	if !l.plain[0] {
		local, err := run.Start(net, abstract.states.State(w.impl[0]))
		if err != nil {
			return nil, &bug.Error{Stage: "conform", Err: err}
		}
		l.local[0] = local
	}
	for s, edges := range w.edges {
		for _, e := range edges {
			if !l.plain[e.target] {
				local, err := run.Follow(net, l.local[s], e.rule, abstract.states.State(w.impl[e.target]))
				if err != nil {
					return nil, &bug.Error{Stage: "conform", Err: err}
				}
				e.target = int32(len(l.impl))
				l.impl = append(l.impl, w.impl[w.edges[s][len(l.edges[s])].target])
				l.local = append(l.local, local)
				l.plain = append(l.plain, true)
				l.edges = append(l.edges, nil)
			}
			l.edges[s] = append(l.edges[s], e)
		}
	}
	return l, nil
}
