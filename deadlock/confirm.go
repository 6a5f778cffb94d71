package deadlock

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// trial is an abstract deadlock under examination, component by component.
type trial struct {
	path      abstractPath
	sims      []*simulation
	actions   [][]int32 // by component: projection of the trace
	classes   [][]int32 // by component: projection of the classes
	refusals  [][]int32 // by component: abstract refusal of the last class
	witnesses []int32   // by component: see simulation.isFailure
}

// newTrial asks for every component whether its part of the path is a failure.
func newTrial(a *composite, comps []component, path abstractPath) *trial {
	t := &trial{path: path}
	for i, q := range a.parts {
		actions, classes := path.project(a.net, int32(i))
		last := classes[len(classes)-1]
		refusal := abstractRefusal(&comps[i], q, last)
		sim := simulate(q.c.m, actions)
		t.actions = append(t.actions, actions)
		t.classes = append(t.classes, classes)
		t.refusals = append(t.refusals, refusal)
		t.sims = append(t.sims, sim)
		t.witnesses = append(t.witnesses, sim.isFailure(q, refusal, last))
	}
	return t
}

// work estimates the effort that newTrial took, for pace.
func (t *trial) work() int64 {
	work := 0
	for _, s := range t.sims {
		for _, x := range s.after {
			work += len(x)
		}
	}
	return int64(work)
}

// confirm returns final local states, one per component, that the trace can lead
// to and that together refuse all rules, or nil. The components' witnesses are
// such if there are all of them (Lemma 2); but the trace can also lead to a
// deadlock whose refusals are not those of the abstract state, so otherwise the
// possible final states are tried, within bounds.
func (t *trial) confirm(a *composite, comps []component) []int32 {
	if !slices.Contains(t.witnesses, -1) {
		return t.witnesses
	}
	// A state without special kinds at the end has had none before, since special
	// local states have no transitions.
	for _, s := range t.sims {
		if len(s.final()) == 0 {
			return nil
		}
	}
	c := confirmation{net: a.net, t: t, comps: comps, chosen: make([]int32, len(comps)), nodes: maxConfirmNodes}
	possible := make([]uint64, a.rules)
	for r := range a.net.Rules() {
		possible[r/64] |= 1 << (r % 64)
	}
	if c.choose(0, possible) {
		return c.chosen
	}
	return nil
}

// maxConfirmNodes bounds the search of confirm. A deadlock missed by it is found
// after refinement.
const maxConfirmNodes = 2000

type confirmation struct {
	net    *lks.Network
	t      *trial
	comps  []component
	chosen []int32
	nodes  int
}

// choose picks states for the components from i on such that none of the
// possible rules, those that the states picked so far offer, remains. Its depth
// is the number of components.
func (c *confirmation) choose(i int, possible []uint64) bool {
	if c.nodes--; c.nodes < 0 {
		return false
	}
	if i == len(c.comps) {
		state := make([]uint64, c.net.Words())
		c.net.Pack(c.chosen, state)
		return empty(possible) && c.net.Kind(state) == lks.Normal
	}
	sim := c.t.sims[i]
	var tried [][]uint64
	for _, s := range sim.final() {
		if sim.m.Kind(s) == lks.Error {
			continue
		}
		rest := slices.Clone(possible)
		for a, rules := range c.comps[i].rules {
			if len(rules) == 0 || len(sim.m.Succ(s, int32(a))) > 0 {
				continue
			}
			for _, r := range rules {
				rest[r/64] &^= 1 << (r % 64)
			}
		}
		if slices.ContainsFunc(tried, func(other []uint64) bool { return slices.Equal(other, rest) }) {
			continue
		}
		tried = append(tried, rest)
		c.chosen[i] = s
		if c.choose(i+1, rest) {
			return true
		}
	}
	return false
}

// trace puts the components' own paths to the final states together.
func (t *trial) trace(net *lks.Network, final []int32) *run.Run {
	own := make([][]int32, len(final))
	for i, s := range t.sims {
		own[i] = s.pathTo(final[i])
	}
	locals := make([]int32, len(final))
	at := make([]int, len(final))
	for i := range own {
		locals[i] = own[i][0]
	}
	states := [][]int32{slices.Clone(locals)}
	for _, r := range t.path.rules {
		for _, part := range net.Rules()[r].Parts {
			c := part.Component
			at[c]++
			locals[c] = own[c][at[c]]
		}
		states = append(states, slices.Clone(locals))
	}
	return run.New(net, states, t.path.rules, -1)
}
