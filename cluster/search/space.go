package search

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
)

// space computes the states that are searched, and looks at those that it expands.
type space interface {
	words() int
	// ranges are those of its states.
	ranges() *ranges
	// initial returns the initial states.
	initial() ([]uint64, error)
	// expand returns the successors of some of the states, the first ones, one target for
	// each edge, and the rest of the states. The slice is the caller's until the next call.
	expand(states []uint64) (successors, rest []uint64)
	// noted is what it has noted so far.
	noted() *notes
}

// finding is what may be found of a state that is expanded.
type finding int

const (
	foundDeadlock  finding = iota
	foundError             // a state in error
	foundGoal              // one of which the formula is true
	foundEnd               // a state without successors, of any kind
	foundUniversal         // of the product: whatever follows is accepted
	foundLoop              // of the product: an accepting state that is its own successor
	numFindings
)

// notes counts states that were expanded, and has the least of each finding that is wanted.
type notes struct {
	wanted                                         uint32 // bits of findings
	expanded, transitions, deadlocks, ends, errors int64
	ended                                          bool // some state of the network has no successors
	found                                          [numFindings][]uint64
}

func (s *notes) find(f finding, state []uint64) {
	if s.wanted>>f&1 == 1 && (s.found[f] == nil || slices.Compare(state, s.found[f]) < 0) {
		s.found[f] = slices.Clone(state)
	}
}

const (
	// batchStates are expanded at once: few enough for their successors to stay in
	// the fastest cache.
	batchStates = 64
	// batchMost is the number of words of successors at which that ends early.
	batchMost = 1 << 18
)

// networkSpace has the states of a network.
type networkSpace struct {
	net      *lks.Network
	goal     *product.Predicate // of Reach
	explorer *lks.Explorer
	special  bool // some state may be in error or terminated
	multiple bool // some action has several rules
	succ     lks.Successors
	distinct lks.Distinct
	notes    notes
}

func newNetworkSpace(n *lks.Network, wanted ...finding) *networkSpace {
	s := &networkSpace{net: n, explorer: n.Explorer(), special: n.Special()}
	s.multiple = s.explorer.Alternatives()
	for _, f := range wanted {
		s.notes.wanted |= 1 << f
	}
	return s
}

func (s *networkSpace) words() int      { return s.net.Words() }
func (s *networkSpace) ranges() *ranges { return newRanges(s.words(), networkFields(s.net)) }
func (s *networkSpace) noted() *notes   { return &s.notes }

func (s *networkSpace) initial() ([]uint64, error) {
	s.explorer.Initial(&s.succ)
	return s.succ.States, nil
}

func (s *networkSpace) expand(states []uint64) (successors, rest []uint64) {
	words, notes := s.words(), &s.notes
	s.succ.Reset()
	at := 0
	for ; at < len(states) && at < batchStates*words && len(s.succ.States) < batchMost; at += words {
		state := states[at : at+words]
		before := s.succ.Len()
		s.explorer.AppendSuccessors(state, &s.succ)
		switch added := s.succ.Len() - before; {
		case added == 0:
			s.final(state)
		case s.multiple:
			notes.transitions += s.distinct.Count(s.net, &s.succ, before, s.succ.Len())
		default:
			notes.transitions += int64(added)
		}
		if s.goal != nil && s.goal.Holds(state, &lks.Successors{Rules: s.succ.Rules[before:]}) {
			notes.find(foundGoal, state)
		}
	}
	notes.expanded += int64(at / words)
	return s.succ.States, states[at:]
}

// final looks at a state without successors.
func (s *networkSpace) final(state []uint64) {
	notes, kind := &s.notes, lks.Normal
	if s.special {
		kind = s.net.Kind(state)
	}
	notes.ended = true
	notes.find(foundEnd, state)
	switch kind {
	case lks.Error:
		notes.errors++
		notes.find(foundError, state)
	case lks.End:
		notes.ends++
	default:
		notes.deadlocks++
		notes.find(foundDeadlock, state)
	}
}

// productSpace has the states of the product of a network and an automaton.
type productSpace struct {
	space    *product.Space
	net      *lks.Network
	explorer *product.SpaceExplorer
	targets  []uint64
	notes    notes
}

func newProductSpace(n *lks.Network, p *product.Space) (*productSpace, error) {
	e, err := p.Explorer()
	s := &productSpace{space: p, net: n, explorer: e}
	s.notes.wanted = 1<<foundUniversal | 1<<foundLoop
	return s, err
}

func (s *productSpace) words() int    { return s.space.Words() }
func (s *productSpace) noted() *notes { return &s.notes }

func (s *productSpace) ranges() *ranges {
	field, states := s.space.Place()
	return newRanges(s.words(), append(networkFields(s.net), part{field, states}))
}

func (s *productSpace) initial() ([]uint64, error) { return s.explorer.Initial() }

func (s *productSpace) expand(states []uint64) (successors, rest []uint64) {
	words, notes := s.words(), &s.notes
	s.targets = s.targets[:0]
	at := 0
	for ; at < len(states) && at < batchStates*words && len(s.targets) < batchMost; at += words {
		state := states[at : at+words]
		targets := s.explorer.Successors(state)
		notes.transitions += int64(len(targets) / words)
		notes.ended = notes.ended || s.explorer.Ended()
		s.targets = append(s.targets, targets...)
		if s.space.Universal(state) {
			notes.find(foundUniversal, state)
		}
		if s.space.Accepting(state) && hasState(targets, state) {
			notes.find(foundLoop, state)
		}
	}
	notes.expanded += int64(at / words)
	return s.targets, states[at:]
}

// hasState reports whether a state is one of those that lie one after the other.
func hasState(states, state []uint64) bool {
	for w := len(state); len(states) > 0; states = states[w:] {
		if slices.Equal(states[:w], state) {
			return true
		}
	}
	return false
}
