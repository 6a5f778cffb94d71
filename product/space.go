package product

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Space is the state/event product of a network with an automaton of the runs that violate
// a formula, for searches that are not of this package: states are packed words, and an
// accepting run is for the search to find. Spaces that are made of the same network, formula
// and options are the same, in every process. With partial-order reduction successors are those
// by stubborn sets, which depend on the network's state alone: so any search is sound.
type Space struct {
	search *search
	text   string
}

// SpaceOptions of NewSpace.
type SpaceOptions struct {
	// Finite says what finite runs mean. RefuseRuns is for networks that have none, which is
	// not checked here.
	Finite FiniteRuns
	// POR is as for Verify.
	POR POR
}

// NewSpace returns the product for a formula all of whose atoms are of the network. The meter
// is asked by the translation. The error is ltl.ErrNil, an *ltl.AtomError, or that of the
// translation.
func NewSpace(net *lks.Network, f *ltl.Formula, opts SpaceOptions, meter *budget.Meter) (*Space, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	t := &task{net: net, f: f, meter: meter, opts: Options{Finite: opts.Finite, Search: Search{Store: explore.Numbered}, Reductions: Reductions{POR: opts.POR}}}
	if err := t.check(); err != nil {
		return nil, err
	}
	not := ltl.MakeNot(f)
	a, err := buchi.Translate(not, buchi.Options{Constraints: meet.Constraints(net, ltl.Atoms(not)), Meter: meter, Acceptance: buchi.StateBuchi})
	if err != nil {
		return nil, err
	}
	s := &Space{search: &search{attempt: t.attempt()}}
	aut := meet.NewAutomaton(a)
	var text strings.Builder
	if err := a.WriteHOA(&text); err != nil {
		return nil, err
	}
	if !aut.Empty {
		if s.search.g, err = s.search.graph(aut); err == nil {
			err = s.search.reduceOrder()
		}
	}
	s.text = fmt.Sprintf("%v %v %s", opts.Finite, s.Reduced(), text.String())
	return s, err
}

// graph returns one that expands states as all of them do.
func (s *Space) graph() (*meet.Graph, error) { return s.search.workerGraph() }

func (s *Space) aut() *meet.Automaton { return s.search.g.Aut }

// Reduced reports whether partial-order reduction is used.
func (s *Space) Reduced() bool { return s.search.result.POR }

// Identity is a text that differs if automaton or options do: what searches that share a
// space compare first, beside the network.
func (s *Space) Identity() string { return s.text }

// Trivial reports whether no run is accepted, whatever the network does: the formula holds,
// and the space, which has no states, must not be asked for anything else.
func (s *Space) Trivial() bool { return s.search.g == nil }

// Words returns the length of a packed state.
func (s *Space) Words() int { return s.search.g.Words }

// Place says where a packed state has that of the automaton, and how many states the
// automaton has. The rest of it is a packed state of the network.
func (s *Space) Place() (field lks.Field, states int) { return s.search.g.Place(), len(s.aut().Out) }

// Accepting reports whether a run that meets the state again and again is accepted.
func (s *Space) Accepting(packed []uint64) bool {
	return s.aut().Accepting[s.search.g.AutomatonPart(packed)]
}

// Recurrent reports whether accepting runs can meet the state again and again: only such
// states are on cycles that accept.
func (s *Space) Recurrent(packed []uint64) bool {
	return !s.aut().Plain[s.search.g.AutomatonPart(packed)]
}

// Universal reports whether all runs from the state are accepted, and there is one. It is
// never so where runs that end are ignored.
func (s *Space) Universal(packed []uint64) bool {
	return s.search.opts.Finite != IgnoreRuns && s.aut().Universal(s.search.g.AutomatonPart(packed))
}

// SpaceExplorer computes states of a space. It is not safe for concurrent use: make one per
// goroutine.
type SpaceExplorer struct{ g *meet.Graph }

// Explorer returns a new explorer.
func (s *Space) Explorer() (*SpaceExplorer, error) {
	g, err := s.graph()
	return &SpaceExplorer{g}, err
}

// Initial returns the initial states, which lie one after the other.
func (e *SpaceExplorer) Initial() ([]uint64, error) { return e.g.InitialPacked() }

// Successors returns where the edges lead that leave a state, a target once for each edge,
// always in the same order. The slice is overwritten by the next call.
func (e *SpaceExplorer) Successors(packed []uint64) []uint64 {
	e.g.FollowTargets(packed)
	return e.g.Targets
}

// Ended reports whether the network has no successors in the state that was asked for last.
func (e *SpaceExplorer) Ended() bool { return e.g.Succ.Len() == 0 }

// Violated returns the result of a search that has found an accepting run: the packed
// states of its stem, and of its loop with the first at both ends, which is the last of the
// stem; or a stem alone, to a Universal state. The run is made shorter at little cost,
// replayed, and evaluated. The error is a *bug.Error, if it is no such run, or the meter's.
func (s *Space) Violated(stem, loop []uint64, meter *budget.Meter) (*Result, error) {
	t := *s.search.task
	t.meter = meter
	g, err := t.attempt().graph(s.aut())
	if err != nil {
		return nil, err
	}
	p, err := g.PathOf(stem, loop)
	if err != nil {
		return nil, err
	}
	e, err := t.explain(g, p)
	if err != nil {
		return nil, err
	}
	return &Result{Verdict: Violated, Lasso: e.lasso, Prefix: e.prefix, Finite: t.opts.Finite, FiniteMet: g.Stopped, Coverage: 1}, nil
}

// Predicate decides a formula about states, one without temporal operators and events. It is
// not safe for concurrent use.
type Predicate struct {
	f     *ltl.Formula
	atoms []ltl.Atom
	bind  *meet.Binding
	truth []truth // by letter
}

type truth uint8

const (
	isFalse truth = iota + 1
	isTrue
)

// NewPredicate returns a predicate on the states of a network, of which the formula's atoms
// must be. The error is ltl.ErrNil or an *ltl.AtomError.
func NewPredicate(net *lks.Network, f *ltl.Formula) (*Predicate, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	atoms := ltl.Atoms(f)
	bind, err := meet.NewBinding(net, atoms)
	return &Predicate{f: f, atoms: atoms, bind: bind}, err
}

// Holds reports whether the formula is true of a packed state with these successors.
func (p *Predicate) Holds(state []uint64, succ *lks.Successors) bool {
	letter := p.bind.LetterOf(state, succ)
	for int(letter) >= len(p.truth) {
		p.truth = append(p.truth, 0)
	}
	if p.truth[letter] == 0 {
		p.truth[letter] = isFalse
		v := p.bind.Letter[int(letter)*p.bind.Words:]
		holds := func(a ltl.Atom) bool {
			i := slices.Index(p.atoms, a)
			return i >= 0 && v[i/64]>>(i%64)&1 == 1
		}
		if ltl.Eval(p.f, ltl.Word{Loop: []ltl.Letter{holds}}) {
			p.truth[letter] = isTrue
		}
	}
	return p.truth[letter] == isTrue
}
