package conform

import (
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// replayer checks counterexamples on the networks themselves: by the definitions
// of networks and preorders, comparing propositions by name. It shares with the
// search only the numbering of states.
type replayer struct {
	impl     *space
	spec     *specification
	weak     bool
	saturate bool
}

func newReplayer(impl *space, spec *specification, weak, saturate bool) *replayer {
	return &replayer{impl: impl, spec: spec, weak: weak, saturate: saturate}
}

// moves reports whether the implementation has that transition, by that rule.
func (r *replayer) moves(from, action, rule, to int32) bool {
	net := r.impl.net
	return rule >= 0 && net.Rules()[rule].Action == action &&
		run.CheckStep(net, r.impl.states.State(from), rule, r.impl.states.State(to)) == nil
}

// starts reports whether a state of the implementation is initial.
func (r *replayer) starts(state int32) bool {
	return run.CheckInitial(r.impl.net, r.impl.states.State(state)) == nil
}

// fits compares an implementation and a specification state by name.
func (r *replayer) fits(impl, spec int32) bool {
	net, state := r.impl.net, r.impl.states.State(impl)
	kind, answer := net.Kind(state), r.spec.m.Kind(spec)
	holds := func(prop string) bool {
		c, p, ok := net.Prop(prop)
		return ok && net.HasProp(state, c, p)
	}
	return r.sameProps(holds, spec) && (kind == answer || kind == lks.Normal && answer == lks.End)
}

// sameProps compares what holds in a state of the implementation, which has all
// propositions of the specification, with a specification state.
func (r *replayer) sameProps(holds func(prop string) bool, spec int32) bool {
	m := r.spec.m
	for i, name := range m.Props() {
		if holds(name) != m.HasProp(spec, int32(i)) {
			return false
		}
	}
	return true
}

// answers returns the specification states that answer a challenge by the
// definition of the preorder, sorted.
func (r *replayer) answers(spec, action, to int32) []int32 {
	m := r.spec.m
	var all []int32
	if r.weak && action == lks.TauID {
		all = append(all, spec)
	}
	before := []int32{spec}
	if r.saturate {
		before = silently(m, before)
	}
	if r.saturate && action == lks.TauID {
		all = append(all, before...)
	} else {
		var after []int32
		for _, t := range before {
			for _, e := range m.Succ(t, action) {
				after = append(after, e.Target)
			}
		}
		if r.saturate {
			after = silently(m, after)
		}
		all = append(all, after...)
	}
	all = slices.DeleteFunc(all, func(s int32) bool { return !r.fits(to, s) })
	slices.Sort(all)
	return slices.Compact(all)
}

// silently returns what is reached by silent steps.
func silently(m *lks.LKS, from []int32) []int32 {
	seen := map[int32]bool{}
	var all []int32
	for _, s := range from {
		if !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	for i := 0; i < len(all); i++ {
		for _, e := range m.Succ(all[i], lks.TauID) {
			if !seen[e.Target] {
				seen[e.Target] = true
				all = append(all, e.Target)
			}
		}
	}
	return all
}

// tree checks CE1, CE2 and CE3, and that the implementation can make every move.
func (r *replayer) tree(t *Tree) error {
	if _, ok := t.postorder(); !ok {
		return bug.Errorf("conform", "the counterexample tree has a circle")
	}
	for id, n := range t.Nodes {
		var answers []int32
		if id == 0 {
			if !r.starts(n.Next) {
				return bug.Errorf("conform", "the counterexample tree does not start in an initial state")
			}
			for _, s := range r.spec.m.Initial() {
				if r.fits(n.Next, s) {
					answers = append(answers, s)
				}
			}
		} else {
			if !r.moves(n.Impl, n.Action, n.Rule, n.Next) {
				return bug.Errorf("conform", "node %d of the counterexample tree is no move of the implementation", id)
			}
			answers = r.answers(n.Spec, n.Action, n.Next)
		}
		var children []int32
		for _, c := range n.Children {
			if t.Nodes[c].Impl != n.Next {
				return bug.Errorf("conform", "node %d of the counterexample tree goes on elsewhere", id)
			}
			children = append(children, t.Nodes[c].Spec)
		}
		slices.Sort(children)
		if !slices.Equal(children, answers) {
			return bug.Errorf("conform", "the children of node %d of the counterexample tree are %v, not the answers %v", id, children, answers)
		}
	}
	return nil
}

// witness checks theorem 10: the implementation simulates the witness m, by the
// state that each of its states stands for; the specification does not. The
// second is a game of its own, with the witness as implementation.
func (r *replayer) witness(w *witness, m *lks.LKS) error {
	if !r.starts(w.impl[0]) {
		return bug.Errorf("conform", "the witness does not start in an initial state")
	}
	for s, edges := range w.edges {
		for _, e := range edges {
			if !r.moves(w.impl[s], e.action, e.rule, w.impl[e.target]) {
				return bug.Errorf("conform", "the implementation cannot follow the witness")
			}
		}
	}
	follows, err := newGame(newSpace(lks.Single(m), r.impl.labels), r.spec, r.weak, nil).solve()
	if err == nil && follows {
		return bug.Errorf("conform", "the specification can follow the witness")
	}
	return err
}

// leavesFirst returns the states with every state after its successors. The
// witness must be acyclic.
func (w *witness) leavesFirst() []int32 {
	var order []int32
	scc.DepthFirst(len(w.edges), []int{0}, func(v, i int) (int, bool) {
		if i == len(w.edges[v]) {
			return 0, false
		}
		return int(w.edges[v][i].target), true
	}, func(v int) { order = append(order, int32(v)) }, nil)
	return order
}
