package product

import (
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// POR is the use of partial-order reduction.
type POR int

const (
	// AutoPOR: where it is sound, unless a sample of states says that it leaves
	// out next to nothing.
	AutoPOR POR = iota
	// NoPOR: never.
	NoPOR
	// EagerPOR: wherever it is sound.
	EagerPOR
)

func (p POR) String() string {
	switch p {
	case AutoPOR:
		return "auto"
	case NoPOR:
		return "off"
	case EagerPOR:
		return "eager"
	}
	return fmt.Sprintf("POR(%d)", int(p))
}

// reduceOrder has g follow stubborn sets if that is sound: the formula is
// invariant under silent stuttering (silent.go), every run counts, and no rule
// has priority over another. Verdicts are the same for every reading of finite
// runs. The error is the budget's.
func (v *verification) reduceOrder(g *graph) error {
	why, err := v.noOrderReduction()
	if err != nil {
		return err
	}
	if why == "" {
		g.por = stubbornFor(v.net, v.f, g.sym)
		if v.opts.POR == AutoPOR {
			worth, err := worthwhile(v.net, g.por, v.meter)
			if err != nil {
				return err
			}
			if !worth {
				why, g.por = "it would leave out next to nothing", nil
			}
		}
	}
	v.result.POR, v.result.NoPORBecause = g.por != nil, why
	return nil
}

// fairnessSees is why no reduction goes with fairness.
const fairnessSees = "fairness depends on steps that the formula does not see"

// noOrderReduction says why stubborn sets must not be used, or "".
func (v *verification) noOrderReduction() (why string, err error) {
	switch {
	case v.opts.POR == NoPOR:
		return "it was switched off", nil
	case v.opts.fair():
		return fairnessSees, nil
	case v.net.Low() != nil:
		return "the model has priorities", nil
	case len(v.net.Components()) == 1:
		return "the model has one component", nil
	}
	return silentInvariant(v.net, v.f, true, v.meter)
}

// stubbornFor prepares stubborn sets for what a formula sees. If they are to be
// combined with symmetry, that is not nil.
func stubbornFor(net *lks.Network, f *ltl.Formula, sym *symmetry) *stubborn {
	v := &visibility{
		sym:     sym,
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
	return newStubborn(net, v)
}

// sampleStates are looked at before reduction is used: it must leave out one
// transition of sampleGain.
const (
	sampleStates = 400
	sampleGain   = 12
)

// worthwhile samples states of the network breadth first. The error is the meter's.
func worthwhile(net *lks.Network, por *stubborn, meter *budget.Meter) (bool, error) {
	ex, table := net.Explorer(), statetable.New(net.Words())
	var succ lks.Successors
	ex.Initial(&succ)
	insert := func() {
		for i := 0; i < succ.Len() && table.Len() < sampleStates; i++ {
			table.Insert(succ.States[i*net.Words() : (i+1)*net.Words()])
		}
	}
	insert()
	all, kept := 0, 0
	for s := int32(0); int(s) < table.Len(); s++ {
		if err := meter.Tick(budget.Progress{Phase: "sampling"}); err != nil {
			return false, err
		}
		ex.Successors(table.State(s), &succ)
		insert()
		all += succ.Len()
		some := por.choose(table.State(s), &succ)
		for _, r := range succ.Rules {
			if some == nil || has(some, r) {
				kept++
			}
		}
	}
	return table.Len() < sampleStates || (all-kept)*sampleGain >= all, nil
}
