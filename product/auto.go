package product

import (
	"errors"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/finite"
)

// stages is the choice of AutoReduce: a search of the network as it is waits when it
// has expanded or stored many states, until the network has been minimised and the smaller one
// searched: to the end if that certainly takes no longer than the waiting search has
// taken, or else a quarter of that, for the smaller network may be large still, and
// less fit for partial-order reduction. If it has the answer, the waiting search is
// given up, else it goes on where it was, and waits again when it is four times as
// long. Minimisation may take a part of the time that the search
// has taken. So without success all that comes to a part of the search, and with it
// the searches to a few times the better one, apart from the first part.
//
// Before several workers begin again, which do not wait, one waits for the last time.
//
// What is done depends on counts only, not on time.
type stages struct {
	*task
	start   time.Time // of the search
	tried   int64     // searched at the last wait
	simple  *lks.Simplified
	effort  int64 // that simple was allowed
	time    time.Duration
	hopeful bool // there is something to be tried
	heavy   bool // there is no memory to minimise
}

const (
	// The first wait is after firstWork states times rules: some tenth of a second,
	// in which most models are done. Stubborn sets take time for every rule.
	firstWork  = 1 << 21
	leastFirst = 1 << 11
	mostFirst  = 1 << 15
	// waitFactor is how much later every wait is than the one before.
	waitFactor = 4
	// leastEffort is what minimisation is allowed at least (lks.TreeLimits).
	leastEffort = 1 << 18
)

func newStages(t *task) *stages { return &stages{task: t, start: time.Now(), hopeful: true} }

// pauses reports whether AutoReduce does anything for these options: lossy stores say
// how much they have missed of the network as it is.
func (o *Options) pauses() bool {
	return o.Reduce == AutoReduce && !o.Store.Lossy() && !o.CountModel
}

// first returns the states at the first wait.
func (s *stages) first() int64 {
	if s.opts.ReduceAfter > 0 {
		return s.opts.ReduceAfter
	}
	return min(max(firstWork/int64(len(s.net.Rules())+1), leastFirst), mostFirst)
}

// next returns the states at the wait after one with so many.
func (s *stages) next(searched int64) int64 {
	if !s.hopeful {
		return portfolio.Ever
	}
	return waitFactor * searched
}

// decide makes an attempt at the network as it is, or at the smaller one.
func (s *stages) decide(a attempt) (decision, error) {
	d, err := s.once(a)
	if err == nil && d.crooked {
		return s.once(a.asymmetric())
	}
	return d, err
}

func (s *stages) once(a attempt) (decision, error) {
	whole, err := a.prepare()
	if err != nil {
		return decision{finding: finding{result: whole.result}}, err
	}
	run := portfolio.Start(s.first(), whole.run)
	defer run.Stop()
	for run.Wait(); !run.Ended(); run.Wait() {
		searched := run.Level()
		d, enough, err := s.trySmaller(a, searched, whole.result.Stats.AutomatonStates)
		if enough && err == nil {
			return d, nil
		}
		if err != nil {
			f, _, _ := run.Stop()
			return decision{finding: f}, err
		}
		run.Resume(s.next(searched))
	}
	f, _, err := run.Stop()
	return decision{finding: f}, err
}

// trySmaller makes an attempt at the smaller network, if there is one; false: it does not
// have the answer soon enough.
func (s *stages) trySmaller(a attempt, searched int64, automaton int) (d decision, enough bool, err error) {
	if ok, err := s.minimise(searched); !ok || err != nil {
		return d, false, err
	}
	a.on, a.workers = s.simple.Network, 1
	f, enough, err := portfolio.Try(s.mostStates(searched, automaton), a.decide)
	if !enough || err != nil {
		return d, false, err
	}
	d = decision{finding: f, simple: s.simple, reduction: s.reduction(ReduceTree, s.simple, s.time)}
	d.reduction.Searched = s.tried
	d.result.Stats.Search = max(0, time.Since(s.start)-s.time-d.result.Stats.Translate)
	return d, true, nil
}

// findFiniteRun returns a finite run of the network, nil if the smaller one has none.
func (s *stages) findFiniteRun() (*run.Run, error) {
	whole := portfolio.Start(s.first(), func(l *portfolio.Lane) (*run.Run, error) {
		return finite.Find(s.net, s.meter, s.opts.Limits, l)
	})
	defer whole.Stop()
	for whole.Wait(); !whole.Ended(); whole.Wait() {
		searched := whole.Level()
		ok, err := s.minimise(searched)
		if err != nil {
			return nil, err
		}
		until := s.next(searched)
		if ok {
			trace, enough, err := portfolio.Try(s.mostStates(searched, 0), func(l *portfolio.Lane) (*run.Run, error) {
				return finite.Find(s.simple.Network, s.meter, s.opts.Limits, l)
			})
			switch {
			case err != nil:
				return nil, err
			case enough && trace == nil:
				return nil, nil
			case enough: // it is there, and will be found in the network as it is
				until = portfolio.Ever
			}
		}
		whole.Resume(until)
	}
	trace, _, err := whole.Stop()
	return trace, err
}

// minimise makes the smaller network, unless it is there already and could not become
// smaller, or there is no memory for it, and reports whether it is smaller.
func (s *stages) minimise(searched int64) (bool, error) {
	s.tried = searched
	if s.heavy {
		return false, nil
	}
	if s.simple == nil || s.simple.Stopped && s.effort < lks.TreeEffort {
		start := time.Now()
		s.effort = min(max(searched*int64(len(s.net.Rules()))/4, leastEffort), lks.TreeEffort)
		simple, err := s.simplify(ReduceTree, s.effort)
		if limit := (*budget.Exhausted)(nil); errors.As(err, &limit) && limit.What == "memory" {
			s.heavy, s.hopeful = true, false // the network as it is may need less
			return false, nil
		}
		if err != nil {
			return false, err
		}
		s.simple = simple
		s.time += time.Since(start)
	}
	smaller := len(s.simple.Parts) < len(s.net.Components()) || s.simple.Network.LocalStates() < s.net.LocalStates()
	s.hopeful = smaller || s.simple.Stopped
	return smaller, nil
}

// mostStates returns how many states the search of the smaller network, with an automaton
// of so many states, may expand.
func (s *stages) mostStates(searched int64, automaton int) int64 {
	if s.smaller > 0 {
		return s.smaller
	}
	bound := float64(max(1, automaton))
	for _, m := range s.simple.Network.Components() {
		bound *= float64(m.NumStates())
	}
	if 2*bound <= float64(searched) { // a nested search expands states twice at most
		return searched + 1
	}
	return max(1, searched/4)
}
