package product

import (
	"errors"
	"math"
	"time"

	"github.com/seltl/seltl/lks"
)

// stages is the choice of AutoReduce: a search of the network as it is pauses when it
// has expanded or stored many states, until the network has been minimised and the smaller one
// searched: to the end if that certainly takes no longer than the paused search has
// taken, or else a quarter of that, for the smaller network may be large still, and
// less fit for partial-order reduction. If it has the answer, the paused search is
// abandoned, else it goes on where it was, and pauses again when it is four times as
// long. Minimisation may take a part of the time that the search
// has taken. So without success all that comes to a part of the search, and with it
// the searches to a few times the better one, apart from the first part.
//
// Before several workers begin again, which do not pause, one pauses for the last time.
//
// What is done depends on counts only, not on time.
type stages struct {
	v       *verification
	fresh   Result    // the result before the search
	start   time.Time // of the search
	tried   int64     // searched at the last pause
	simple  *lks.Simplified
	effort  int64 // that simple was allowed
	time    time.Duration
	hopeful bool // there is something to be tried

	// The answer from the smaller network.
	small *verification
	g     *graph
	p     *path
}

const (
	// The first pause is after firstWork states times rules: some tenth of a second,
	// in which most models are done. Stubborn sets take time for every rule.
	firstWork  = 1 << 21
	leastFirst = 1 << 11
	mostFirst  = 1 << 15
	// pauseFactor is how much later every pause is than the one before.
	pauseFactor = 4
	// leastEffort is what minimisation is allowed at least (lks.TreeLimits).
	leastEffort = 1 << 18
)

// errSmaller ends a search when a smaller network has the answer.
var errSmaller = errors.New("a smaller network has the answer")

// errNotSmall ends the search of a smaller network that is not small enough.
var errNotSmall = errors.New("the smaller network has many states")

func newStages(v *verification) *stages {
	return &stages{v: v, fresh: *v.result, start: time.Now(), hopeful: true}
}

// first returns the states at the first pause.
func (s *stages) first() int64 {
	if s.v.opts.ReduceAfter > 0 {
		return s.v.opts.ReduceAfter
	}
	return min(max(firstWork/int64(len(s.v.net.Rules())+1), leastFirst), mostFirst)
}

// pauses reports whether AutoReduce does anything for these options: lossy stores say
// how much they have missed of the network as it is.
func (o *Options) pauses() bool {
	return o.Reduce == AutoReduce && !o.Store.Lossy() && !o.CountModel
}

// decideByStages is decide for AutoReduce. If simple is not nil, graph and path are
// those of its network.
func (v *verification) decideByStages(s *stages) (g *graph, p *path, simple *lks.Simplified, err error) {
	v.pauseAt, v.pause = s.first(), s.decide
	g, p, err = v.decide()
	v.pauseAt, v.pause = 0, nil
	if err != errSmaller {
		return g, p, nil, err
	}
	*v.result = *s.small.result
	v.result.Reduction = v.newReduction(ReduceTree, s.simple)
	v.result.Reduction.Time, v.result.Reduction.Searched = s.time, s.tried
	v.result.Stats.Search = max(0, time.Since(s.start)-s.time-v.result.Stats.Translate)
	return s.g, s.p, s.simple, nil
}

// decide is the pause of a search for a run that violates the formula. The error is
// errSmaller if that is no longer needed.
func (s *stages) decide(searched int64) (next int64, err error) {
	if ok, err := s.minimise(searched); !ok || err != nil {
		return s.nextPause(searched), err
	}
	result := s.fresh
	small := &verification{net: s.simple.Network, f: s.v.f, opts: s.v.opts, meter: s.v.meter, result: &result}
	small.opts.Reduce, small.opts.Workers = NoReduce, 1
	small.pauseAt, small.pause = s.mostStates(searched), notSmall
	g, p, err := small.decide()
	if err == errNotSmall {
		return s.nextPause(searched), nil
	}
	if err != nil {
		return 0, err
	}
	s.small, s.g, s.p = small, g, p
	return 0, errSmaller
}

func notSmall(int64) (int64, error) { return 0, errNotSmall }

// refuse is the pause of a search for finite runs. The error is errSmaller if there
// is none.
func (s *stages) refuse(searched int64) (next int64, err error) {
	if ok, err := s.minimise(searched); !ok || err != nil {
		return s.nextPause(searched), err
	}
	v := s.v
	err = refuseFiniteRuns(s.simple.Network, v.meter, v.opts.Limits, s.mostStates(searched), notSmall)
	var finite *FiniteRunError
	switch {
	case err == nil:
		return 0, errSmaller
	case err == errNotSmall:
		return s.nextPause(searched), nil
	case errors.As(err, &finite):
		return math.MaxInt64, nil // it is there, and will be found in the network as it is
	}
	return 0, err
}

func (s *stages) nextPause(searched int64) int64 {
	if !s.hopeful {
		return math.MaxInt64
	}
	return pauseFactor * searched
}

// minimise makes the smaller network, unless it is there already and could not become
// smaller, and reports whether it is smaller.
func (s *stages) minimise(searched int64) (bool, error) {
	s.tried = searched
	v := s.v
	if s.simple == nil || s.simple.Stopped && s.effort < lks.TreeEffort {
		start := time.Now()
		s.effort = min(max(searched*int64(len(v.net.Rules()))/4, leastEffort), lks.TreeEffort)
		simple, err := v.simplify(ReduceTree, s.effort)
		if err != nil {
			return false, err
		}
		s.simple = simple
		s.time += time.Since(start)
	}
	smaller := len(s.simple.Parts) < len(v.net.Components()) || total(s.simple.Network) < total(v.net)
	s.hopeful = smaller || s.simple.Stopped
	return smaller, nil
}

// total returns the number of the components' states.
func total(net *lks.Network) int {
	sum := 0
	for _, m := range net.Components() {
		sum += m.NumStates()
	}
	return sum
}

// mostStates returns how many states the search of the smaller network may expand.
func (s *stages) mostStates(searched int64) int64 {
	if s.v.opts.smallerMost > 0 {
		return s.v.opts.smallerMost
	}
	bound := float64(max(1, s.v.result.Stats.AutomatonStates))
	for _, m := range s.simple.Network.Components() {
		bound *= float64(m.NumStates())
	}
	if 2*bound <= float64(searched) { // a nested search expands states twice at most
		return searched + 1
	}
	return max(1, searched/4)
}
