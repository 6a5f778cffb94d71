package stubborn

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// New prepares stubborn sets for what a formula, whose atoms the network has, sees. If they
// are to be combined with symmetry, close adds to a set of rules those that it maps them to;
// else it is nil. The sets are not safe for concurrent use.
func New(net *lks.Network, f *ltl.Formula, close func(rules []bool)) *Sets {
	v := &visibility{
		close:   close,
		props:   make([][]bool, len(net.Components())),
		events:  make([]bool, len(net.Alphabet())),
		enabled: make([]bool, len(net.Alphabet())),
	}
	for c, m := range net.Components() {
		v.props[c] = make([]bool, len(m.Props()))
	}
	for _, a := range ltl.Atoms(f) {
		switch a.Kind {
		case ltl.Prop:
			c, p, _ := net.Prop(a.Name)
			v.props[c][p], v.labels = true, true
		case ltl.Event:
			v.events[net.Action(a.Name)] = true
		case ltl.Enabled:
			v.enabled[net.Action(a.Name)], v.stops = true, true
		case ltl.Deadlock:
			v.stops = true
		}
	}
	return newSets(net, v)
}

// sampleStates are looked at before reduction is used: it must leave out one
// transition of sampleGain.
const (
	sampleStates = 400
	sampleGain   = 12
)

// Worthwhile samples states of the network breadth first. The error is the meter's.
func Worthwhile(net *lks.Network, sets *Sets, meter *budget.Meter) (bool, error) {
	ex, states := net.Explorer(), frontier.New(net.Words())
	var succ lks.Successors
	ex.Initial(&succ)
	insert := func() {
		for i := 0; i < succ.Len() && states.Len() < sampleStates; i++ {
			states.Insert(succ.States[i*net.Words() : (i+1)*net.Words()])
		}
	}
	insert()
	all, kept := 0, 0
	for s := range states.InOrder {
		if err := meter.Tick(budget.Progress{Phase: "sampling"}); err != nil {
			return false, err
		}
		ex.Successors(states.State(s), &succ)
		insert()
		all += succ.Len()
		some := sets.Choose(states.State(s), &succ)
		for _, r := range succ.Rules {
			if some == nil || has(some, r) {
				kept++
			}
		}
	}
	return states.Len() < sampleStates || (all-kept)*sampleGain >= all, nil
}
