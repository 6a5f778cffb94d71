package deadlock

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
)

// Minimised says how far compositional minimisation came: numbers of components, and
// of their states in all, before and after.
type Minimised struct {
	Components, States int
	Left, LeftStates   int
	Equivalence        lks.Equivalence
	Tried, GivenUp     int         // compositions, and those that were too large
	Exploration        Exploration // of what is left
}

// treeBound bounds the states of compositions.
const treeBound = 1 << 14

// findTree minimises the components, and compositions of them, as one who sees no action
// may (lks.SimplifyTree), and searches what is left. Divergence-preserving branching
// bisimulation preserves deadlocks: a state without transitions is equivalent to one from
// which silent steps to equivalent states lead to one, in finitely many steps since it
// does not diverge. Kinds of states are kept apart, so that termination and errors are
// no deadlocks.
//
// It reports whether what is left has a deadlock: so has the network then, and a
// plain search finds it. Among the states that the trace stands for alone there are
// often too many: minimisation leaves little of what leads to a deadlock. The effort is that of lks.TreeLimits.
func findTree(net *lks.Network, effort int64, pace *pace, result *Result) (dead bool, err error) {
	result.Method = Tree
	none := func(string) bool { return false }
	meter := budget.Watch(func(now budget.Progress) error { return pace.meter.Tick(now) })
	simple, err := net.SimplifyTree(lks.View{Prop: none, Action: none}, lks.DivergenceBranching, lks.TreeLimits{States: treeBound, Effort: effort}, meter)
	if err != nil {
		return false, err
	}
	m := &Minimised{
		Components: len(net.Components()), States: net.LocalStates(), Left: len(simple.Network.Components()), LeftStates: simple.Network.LocalStates(),
		Equivalence: simple.Equivalence, Tried: simple.Tried, GivenUp: simple.GivenUp,
	}
	result.Minimised = m
	p := newPlain(simple.Network, pace)
	dead, err = p.breadthFirst()
	m.Exploration = p.stats
	return dead, err
}
