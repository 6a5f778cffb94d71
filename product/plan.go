package product

import (
	"errors"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/finite"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/silent"
)

// A verification is a plan: a task, which never changes; attempts at it (attempt.go), each
// of which says how far it may come and comes to a finding; the decision, which is the
// finding that counts; and the result, which is put together once, from the decision and,
// if a run violates the formula, the evidence for people (evidence.go).

// task is what Verify is asked.
type task struct {
	net      *lks.Network
	f        *ltl.Formula // nil with a language
	language *Language    // what an automaton says in place of a formula, or nil
	opts     Options
	meter    *budget.Meter
	lengths
}

// lengths are states of searches: workers of one worker before several begin, smaller of
// the smaller network of AutoReduce before it is given up, 0 being what mostStates
// says; whole of a complement before it is made along the runs.
type lengths struct{ workers, smaller, whole int64 }

// decision is the finding that the verdict rests on, and what it is about.
type decision struct {
	finding
	reduction *Reduction
	simple    *lks.Simplified // whose network was searched; nil: the task's was
	allRuns   bool            // no run violates the formula, fair or not
}

// check returns what is wrong with the task: that must not depend on how it is decided,
// or on what remains of the formula's atoms after translation.
func (t *task) check() error {
	if err := t.opts.Emptiness.check(); err != nil {
		return err
	}
	if err := t.checkStore(); err != nil {
		return err
	}
	if _, err := meet.NewBinding(t.net, t.atoms()); err != nil {
		return err
	}
	if err := checkLocalActions(t.net, t.opts.Compassion); err != nil {
		return err
	}
	return checkSetNames(t.net, t.opts.FairSets)
}

// reducesFirst reports whether something is minimised before any search.
func (o *Options) reducesFirst() bool { return o.Reduce != NoReduce && o.Reduce != AutoReduce }

// decide makes attempts until one has the answer. With an error the decision is how far
// they came.
func (t *task) decide() (decision, error) {
	a := t.attempt()
	var s *stages
	switch {
	case t.opts.fair():
		return t.decideFair()
	case t.opts.reducesFirst():
		return t.decideReduced(a, t.refuseReduced)
	case t.opts.pauses():
		s = newStages(t)
	}
	if err := t.refuse(s); err != nil {
		return decision{finding: a.nothing()}, err
	}
	if s != nil {
		return s.decide(a)
	}
	f, err := a.decide(nil)
	return decision{finding: f}, err
}

// decideFair tries all runs first: what holds in them holds in the fair ones. That search
// may be reduced in every way and is often much shorter, so safety properties lose nothing
// by the fairness that a model declares; and a run that violates the formula is mostly
// found early.
func (t *task) decideFair() (decision, error) {
	a := t.attempt().fairOnly()
	var s *stages
	if t.opts.pauses() {
		s = newStages(t)
	}
	if err := t.refuse(s); err != nil {
		return decision{finding: a.nothing()}, err
	}
	d, err := t.decideAllRuns()
	var exhausted *budget.Exhausted
	switch {
	case errors.As(err, &exhausted) && exhausted.What == "states":
		// Of the product with a larger automaton, perhaps.
	case err != nil:
		return decision{finding: a.nothing()}, err
	case d.result.Verdict == Holds:
		d.allRuns = true
		return d, nil
	}
	f, err := a.decide(nil)
	return decision{finding: f}, err
}

// decideAllRuns decides whether the formula holds in all runs, fair or not.
func (t *task) decideAllRuns() (decision, error) {
	a := t.attempt()
	switch {
	case t.opts.reducesFirst():
		return t.decideReduced(a, func(*lks.Simplified) error { return nil })
	case t.opts.pauses():
		return newStages(t).decide(a)
	}
	f, err := a.decide(nil)
	return decision{finding: f}, err
}

// result puts the result of a decision together. The error is that of the decision: one of
// the budget is a reason not to know.
func (t *task) result(d decision, err error) (*Result, error) {
	var e evidence
	if err == nil && d.p != nil {
		if d.simple != nil {
			err = t.lift(&d)
		}
		if err == nil {
			e, err = t.explain(d.g, d.p)
		}
	}
	if err != nil && !budget.Stopped(err) {
		return nil, err
	}
	r := d.result
	r.Reduction, r.AllRuns = d.reduction, d.allRuns
	if t.opts.fair() && t.opts.reducesFirst() && !d.allRuns {
		r.NoReductionBecause = silent.FairnessSees
	}
	switch {
	case err != nil:
		r.Reason = err
	case d.p != nil:
		r.Verdict, r.Lasso, r.Prefix, r.Fair = Violated, e.lasso, e.prefix, e.fair
		r.Minimal, r.ShortestRun = e.minimal, e.shortestRun
		r.FiniteMet, r.Stats.Trace = d.g.Stopped, e.time
	}
	return &r, nil
}

// refuse returns a *FiniteRunError if finite runs are to be refused and there is one. With
// stages, which may be nil, the smaller network may have the answer.
func (t *task) refuse(s *stages) error {
	if t.opts.Finite != RefuseRuns {
		return nil
	}
	if t.opts.Store != explore.Numbered {
		// Numbers are for networks that this store does not know to have no finite run.
		r, err := explore.Reach(t.net, explore.Options{Resources: explore.Resources{Store: t.opts.Store, Workers: 1}, Meter: t.meter})
		if err != nil || r.Deadlocks+r.Ends+r.Errors == 0 {
			return err
		}
	}
	if s == nil {
		return refused(finite.Find(t.net, t.meter, t.opts.Limits, nil))
	}
	return refused(s.findFiniteRun())
}

// refuseReduced is refuse with the minimised network at hand.
func (t *task) refuseReduced(simple *lks.Simplified) error {
	if t.opts.Finite != RefuseRuns {
		return nil
	}
	trace, err := finite.Find(simple.Network, t.meter, t.opts.Limits, nil)
	if trace == nil || err != nil {
		return err
	}
	if err := refused(finite.Find(t.net, t.meter, t.opts.Limits, nil)); err != nil {
		return err
	}
	return bug.Errorf("minimised components", "they have a finite run that the model does not have")
}

// refused makes an error of a finite run.
func refused(trace *run.Run, err error) error {
	if trace != nil {
		return &FiniteRunError{Trace: trace}
	}
	return err
}
