package product

import (
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/silent"
	"github.com/seltl/seltl/product/internal/symmetry"
)

// attempt is one way to look for a run that violates the formula of a task.
type attempt struct {
	*task
	on        *lks.Network // the task's network, or one that stands for it
	emptiness Emptiness
	fair      bool // only fair runs count
	symmetry  bool
	// noSymmetry is why there is none though it was asked for.
	noSymmetry string
	workers    int
	// inside restricts the search to these states, see graph.
	inside func(state []uint64) bool
}

// attempt returns the one that looks at all runs of the network as it is.
func (t *task) attempt() attempt {
	a := attempt{task: t, on: t.net, emptiness: t.opts.Emptiness.or(anyRuns), symmetry: t.opts.Symmetry, workers: t.opts.Workers}
	if a.symmetry && t.language != nil {
		a.symmetry, a.noSymmetry = false, automatonSees
	}
	return a
}

// fairOnly looks at fair runs only.
func (a attempt) fairOnly() attempt {
	a.fair, a.emptiness = true, AutoSearch.or(fairRuns)
	if a.symmetry {
		a.symmetry, a.noSymmetry = false, silent.FairnessSees
	}
	return a
}

// finding is what an attempt has come to: a path of the product that violates the formula,
// or that there is none, or, with an error, neither.
type finding struct {
	// result has what the search tells, and the verdict unless there is a path.
	result Result
	g      *meet.Graph
	p      *meet.Path
	// crooked: there is a path, of the quotient by symmetry, but it stands for one that
	// would be too long.
	crooked bool
}

// nothing is the finding of an attempt that has not begun.
func (a attempt) nothing() finding {
	return finding{result: Result{
		Finite: a.opts.Finite, Fairness: a.opts.Fairness, Emptiness: a.emptiness, Workers: 1, Store: a.opts.Store, Coverage: 1,
		NoSymmetryBecause: a.noSymmetry,
	}}
}

// search is an attempt with all that it needs. It is made once.
type search struct {
	attempt
	g      *meet.Graph        // nil if the formula holds whatever the network does
	sym    *symmetry.Symmetry // that of g; may be nil
	result Result
	walked int64 // pairs that were visited to complement the automaton along the runs
}

// decide makes an attempt, and another one if symmetry has not helped. The lane may be nil.
func (a attempt) decide(l *portfolio.Lane) (finding, error) {
	f, err := a.once(l)
	if err == nil && f.crooked {
		return a.asymmetric().once(l)
	}
	return f, err
}

// asymmetric is the attempt that follows a crooked path.
func (a attempt) asymmetric() attempt {
	a.symmetry, a.noSymmetry = false, "the counterexample would become too long"
	return a
}

func (a attempt) once(l *portfolio.Lane) (finding, error) {
	s, err := a.prepare()
	if err != nil {
		return finding{result: s.result}, err
	}
	return s.run(l)
}

// prepare translates the formula and chooses the reductions. With an error there is a
// result all the same.
func (a attempt) prepare() (*search, error) {
	s := &search{attempt: a, result: a.nothing().result}
	aut, err := s.translate()
	if err != nil {
		return s, err
	}
	stats := &s.result.Stats
	stats.AutomatonStates, stats.AutomatonEdges, stats.AcceptanceSets = len(aut.Out), aut.NumEdges(), aut.Sets
	if aut.Empty {
		return s, nil
	}
	g, err := a.graph(aut)
	if err != nil {
		return s, err
	}
	s.g, g.Inside = g, a.inside
	if a.inside != nil {
		return s, nil
	}
	if a.symmetry {
		s.sym, s.result.NoSymmetryBecause = symmetry.Find(a.on, a.f, aut)
		if s.sym != nil {
			g.Symmetry, s.result.Symmetric = s.sym, s.sym.Groups
		}
	}
	return s, s.reduceOrder()
}

// graph returns the product of the network with an automaton, without reductions.
func (a attempt) graph(aut *meet.Automaton) (*meet.Graph, error) {
	finite := a.opts.Finite
	return meet.NewGraph(a.on, aut, finite == StutterRuns, finite != IgnoreRuns, a.meter, a.opts.Limits.States)
}

// translate makes an automaton of what violates the formula, with what is known of the
// network's atoms.
func (s *search) translate() (*meet.Automaton, error) {
	start := time.Now()
	defer func() { s.result.Stats.Translate = time.Since(start) }()
	if s.language != nil {
		a, err := s.violations()
		if err != nil {
			return nil, err
		}
		return meet.NewAutomaton(a), nil
	}
	f := ltl.MakeNot(s.f)
	opts := buchi.Options{Constraints: meet.Constraints(s.on, ltl.Atoms(f)), Meter: s.meter}
	if s.emptiness.method().OnStates {
		opts.Acceptance = buchi.StateBuchi
	}
	a, err := buchi.Translate(f, opts)
	if err != nil {
		return nil, err
	}
	return meet.NewAutomaton(a), nil
}

// run searches. The lane, which may be nil, is told the number of states that were
// expanded or stored, whichever is larger.
func (s *search) run(l *portfolio.Lane) (finding, error) {
	g := s.g
	if g == nil {
		s.result.Verdict, s.result.Trivial = Holds, s.walked == 0
		s.result.Stats.States = s.walked
		return finding{result: s.result}, nil
	}
	start := time.Now()
	g.Lane = l
	p, err := s.find()
	g.Lane, g.Order = nil, nil // what makes a counterexample shorter may take any rule
	stats := &s.result.Stats
	stats.Search = time.Since(start)
	stats.Expanded, stats.Transitions, stats.Depth = g.Expanded, g.Transitions, g.Depth
	s.result.FiniteMet = g.Stopped
	if err == nil && p == nil {
		s.result.Verdict, s.result.Reason = s.nothingFound()
	}
	if err != nil || p == nil || s.sym == nil {
		return finding{result: s.result, g: g, p: p}, err
	}
	return s.straighten(p)
}

// straighten turns a path of the quotient by symmetry into one of the product.
func (s *search) straighten(p *meet.Path) (finding, error) {
	h, err := s.graph(s.g.Aut)
	if err != nil {
		return finding{result: s.result}, err
	}
	h.Found = true
	q, ok, err := s.sym.Straighten(s.g, h, p)
	if err != nil || !ok {
		return finding{result: s.result, crooked: !ok}, err
	}
	h.Counts, h.Stopped = s.g.Counts, s.g.Stopped
	return finding{result: s.result, g: h, p: q}, nil
}
