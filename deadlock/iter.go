package deadlock

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/lks"
)

// iteration is IterDeadlock ([Chaki05], Procedure 10.3): it searches the composition
// of quotients for abstract deadlocks, starting from the coarsest, and refines
// them until there is none, or one that is real.
//
// Beyond the thesis, a round takes several abstract deadlocks, convicts for each
// all components that cannot take part, and makes a cut for each of these; only quotients
// that were cut are built anew; and when the quotients
// are nearly as large as their components it goes on with the components
// themselves, where the search decides.
type iteration struct {
	net    *lks.Network
	opts   *Options
	pace   *pace
	comps  []component
	parts  []*quotient
	stats  Abstraction
	search *absSearch // the last one
	phase  string     // for reports of progress, instead of the number of the round
	large  bool       // see tooLarge
	rival  bool       // plain search runs beside it: end when it would do the same
}

// maxOffers bounds the lists of rules of all quotients together (512 MiB). They can
// be far larger than the components when relabelling has made many rules of one
// action.
const maxOffers = 1 << 27

// newIteration starts with the coarsest quotients, or with the components
// themselves. With an error, which is the meter's, it has no more than its figures.
func newIteration(net *lks.Network, opts *Options, pace *pace, coarse bool) (*iteration, error) {
	it := &iteration{net: net, opts: opts, pace: pace, comps: components(net)}
	it.large = tooLarge(it.comps)
	it.parts = make([]*quotient, len(it.comps))
	for i := range it.comps {
		p := newPartition(it.comps[i].m)
		it.stats.Components = append(it.stats.Components, p.States())
		if !coarse {
			p = p.Finest()
		}
		if err := it.divide(i, p); err != nil {
			return it, err
		}
	}
	return it, nil
}

// divide makes the quotient of component i by p; after an error there is the one from before.
func (it *iteration) divide(i int, p *partition.Partition) error {
	q, err := newQuotient(&it.comps[i], p, func() error { return it.pace.meter.Tick(it.pace.p) })
	if err == nil {
		it.parts[i] = q
	}
	return err
}

// run searches and refines. It can be called again after an error and goes on with the
// quotients that it has. The error is the pace's, or that there is too little memory.
func (it *iteration) run() (finding, error) {
	s, found, err := refine.Run(it, refine.Options[Round]{Explain: it.explain})
	if !found {
		return finding{}, err
	}
	return s.finding, nil
}

// suspects are the abstract deadlocks of a round, and what they come to.
type suspects struct {
	a      *composite
	paths  []abstractPath
	trials []*trial // of those that are none
	finding
}

// Check searches the composition of the quotients.
func (it *iteration) Check(_ int, round *Round) (*suspects, bool, error) {
	if it.rival && it.concrete() {
		return &suspects{finding: finding{open: concrete}}, true, nil
	}
	it.stats.Rounds++
	it.pace.phase(cmp.Or(it.phase, fmt.Sprintf("refining, round %d, abstract", it.stats.Rounds)))
	a := compose(it.net, it.parts, !it.opts.NoReduction)
	s := newAbsSearch(a, it.pace)
	it.search = s
	paths, err := s.run(maxTrials)
	it.stats.note(s, it.parts)
	if err != nil {
		return nil, false, err
	}
	*round = it.account()
	if len(paths) == 0 {
		round.Outcome = "no abstract deadlock: the network is free of deadlocks"
	}
	return &suspects{a: a, paths: paths}, len(paths) > 0, nil
}

// Validate asks of each abstract deadlock whether every component can take part.
func (it *iteration) Validate(s *suspects, round *Round) (bool, error) {
	if s.open != decided {
		return true, nil
	}
	for _, p := range s.paths {
		t := newTrial(s.a, it.comps, p)
		if err := it.pace.spend(4*t.work()+int64(len(it.comps)*len(p.rules)), it.search.states.Len()); err != nil {
			return false, err
		}
		final := t.confirm(s.a, it.comps)
		if final == nil {
			s.trials = append(s.trials, t)
			continue
		}
		tr := t.trace(it.net, final)
		if it.net.Low() != nil && replayDeadlock(it.net, tr) != nil {
			s.open = forbidden
			return true, nil
		}
		s.trace = tr
		round.Outcome = "every component can take part: a deadlock"
		return true, nil
	}
	return false, nil
}

// maxTrials is the number of abstract deadlocks of a round.
const maxTrials = 16

// tooLarge reports whether the lists of rules would exceed maxOffers if the
// quotients were the components. Time O(transitions).
func tooLarge(comps []component) bool {
	total := 0
	for _, c := range comps {
		for s := range int32(c.m.NumStates()) {
			last := int32(-1)
			for _, e := range c.m.Edges(s) {
				if e.Action != last {
					total += len(c.rules[e.Action])
				}
				last = e.Action
			}
		}
	}
	return total > maxOffers
}

// concrete reports whether the quotients are the components.
func (it *iteration) concrete() bool {
	for i, q := range it.parts {
		if len(q.Members) < it.stats.Components[i] {
			return false
		}
	}
	return true
}

// exhausted reports whether the quotients together are nearly as large as the
// components: refining further would cost more rounds and save little.
func (it *iteration) exhausted() bool {
	if it.large {
		return false
	}
	abstract, concrete := 0.0, 0.0
	for i, q := range it.parts {
		abstract += math.Log2(float64(len(q.Members)))
		concrete += math.Log2(float64(it.stats.Components[i]))
	}
	return !it.opts.NoAbandon && abstract > 0.9*concrete && abstract < concrete
}

// concretise replaces the quotients by the components.
func (it *iteration) concretise() error {
	it.stats.Abandoned = it.stats.Rounds
	for i, q := range it.parts {
		if len(q.Members) < it.stats.Components[i] {
			if err := it.divide(i, q.Finest()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Refine cuts classes, or goes on with the components themselves.
func (it *iteration) Refine(s *suspects, round *Round) (bool, error) {
	if err := it.cut(s.trials, round); err != nil {
		return false, err
	}
	if it.exhausted() {
		return true, it.concretise()
	}
	return true, nil
}

// cut cuts classes so that each trial's path is excluded: every conviction of
// a trial names a class and how to cut it, and one cut would suffice. The class is
// cut at most once per round; a trial with a class that is cut already is excluded
// with it or comes back.
func (it *iteration) cut(trials []*trial, round *Round) error {
	type place struct{ component, class int32 }
	taken := map[place]bool{}
	round.Spurious = make([]Spurious, len(trials))
	fresh := make([]*partition.Partition, len(it.parts)) // of the components that are cut
	for i, t := range trials {
		spurious := &round.Spurious[i]
		spurious.Rules, spurious.Classes = t.path.rules, t.path.classes
		convictions := it.convict(t)
		if !slices.ContainsFunc(convictions, func(c conviction) bool { return taken[place{c.cut.component, c.cut.class}] }) {
			for k := range convictions {
				c := convictions[k].cut
				old := it.parts[c.component].Partition
				if fresh[c.component] == nil {
					fresh[c.component] = old.Clone()
				}
				pieces := c.split(fresh[c.component], old, it.comps[c.component].m)
				if pieces < 2 {
					panic("deadlock: a refinement is not proper")
				}
				convictions[k].pieces = pieces
				taken[place{c.component, c.class}] = true
			}
		}
		for _, c := range convictions {
			spurious.Convicted = append(spurious.Convicted, c.public(it))
		}
	}
	for i, p := range fresh {
		if p == nil {
			continue
		}
		if err := it.divide(i, p); err != nil {
			return err
		}
	}
	offers := 0
	for _, q := range it.parts {
		offers += len(q.own)
	}
	if offers > maxOffers {
		return &budget.Exhausted{What: "memory", Limit: budget.FormatBytes(maxOffers*4) + " for the rules that quotients offer"}
	}
	return nil
}

// conviction is a component that cannot take part in an abstract deadlock.
type conviction struct {
	cut      cut
	followed int // actions that it can follow within its classes
	actions  int // of its projection
	pieces   int // after the cut; 0 if it was not made
}

// convict examines the components without a witness. There is at least one: if
// all had one the deadlock would have been confirmed.
func (it *iteration) convict(t *trial) []conviction {
	var list []conviction
	for i, q := range it.parts {
		if t.witnesses[i] >= 0 {
			continue
		}
		k, followed := absRefine(&it.comps[i], q, int32(i), t.actions[i], t.classes[i], t.refusals[i])
		list = append(list, conviction{cut: k, followed: followed, actions: len(t.actions[i])})
	}
	return list
}

// account begins the account of the round whose search has ended.
func (it *iteration) account() Round {
	return Round{
		Number: it.stats.Rounds, States: it.stats.States,
		Concrete: it.concrete(), Classes: slices.Clone(it.stats.Classes),
	}
}

// explain passes a round that has come to something on to whoever wants to know.
func (it *iteration) explain(r Round) {
	if it.opts.Explain != nil && (r.Outcome != "" || len(r.Spurious) > 0) {
		it.opts.Explain(r)
	}
}
