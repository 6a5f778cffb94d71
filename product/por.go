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

// reduceOrder has the search follow stubborn sets if that is sound: the formula is
// invariant under silent stuttering (silent.go), every run counts, and no rule
// has priority over another. Verdicts are the same for every reading of finite
// runs. The error is the budget's.
func (s *search) reduceOrder() error {
	why, err := s.noOrderReduction()
	if err != nil {
		return err
	}
	if why == "" {
		s.g.por = stubbornFor(s.on, s.f, s.g.sym)
		if s.opts.POR == AutoPOR {
			worth, err := worthwhile(s.on, s.g.por, s.meter)
			if err != nil {
				return err
			}
			if !worth {
				why, s.g.por = "it would leave out next to nothing", nil
			}
		}
	}
	s.result.POR, s.result.NoPORBecause = s.g.por != nil, why
	return nil
}

// fairnessSees is why no reduction goes with fairness.
const fairnessSees = "fairness depends on steps that the formula does not see"

// noOrderReduction says why stubborn sets must not be used, or would cost too much, or "".
func (s *search) noOrderReduction() (why string, err error) {
	if s.opts.POR == NoPOR {
		return "it was switched off", nil
	}
	why = tooWide(s.on)
	switch {
	case why != "":
		return why, nil
	case s.fair:
		return fairnessSees, nil
	case s.on.Low() != nil:
		return "the model has priorities", nil
	}
	return silentInvariant(s.on, s.f, true, s.meter)
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
