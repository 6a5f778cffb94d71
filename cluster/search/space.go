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
	// seen is what it has seen so far.
	seen() *seen
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

// seen counts states that were expanded, and has the least of each finding that is wanted.
type seen struct {
	wanted                                         uint32 // bits of findings
	expanded, transitions, deadlocks, ends, errors int64
	ended                                          bool // some state of the network has no successors
	found                                          [numFindings][]uint64
}

func (s *seen) find(f finding, state []uint64) {
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
	seen_    seen
}

func newNetworkSpace(n *lks.Network, wanted ...finding) *networkSpace {
	s := &networkSpace{net: n, explorer: n.Explorer(), special: n.Special()}
	s.multiple = s.explorer.Alternatives()
	for _, f := range wanted {
		s.seen_.wanted |= 1 << f
	}
	return s
}

func (s *networkSpace) words() int      { return s.net.Words() }
func (s *networkSpace) ranges() *ranges { return newRanges(s.words(), networkFields(s.net)) }
func (s *networkSpace) seen() *seen     { return &s.seen_ }

func (s *networkSpace) initial() ([]uint64, error) {
	s.explorer.Initial(&s.succ)
	return s.succ.States, nil
}

func (s *networkSpace) expand(states []uint64) (successors, rest []uint64) {
	words, seen := s.words(), &s.seen_
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
			seen.transitions += s.distinct.Count(s.net, &s.succ, before, s.succ.Len())
		default:
			seen.transitions += int64(added)
		}
		if s.goal != nil && s.goal.Holds(state, &lks.Successors{Rules: s.succ.Rules[before:]}) {
			seen.find(foundGoal, state)
		}
	}
	seen.expanded += int64(at / words)
	return s.succ.States, states[at:]
}

// final looks at a state without successors.
func (s *networkSpace) final(state []uint64) {
	seen, kind := &s.seen_, lks.Normal
	if s.special {
		kind = s.net.Kind(state)
	}
	seen.ended = true
	seen.find(foundEnd, state)
	switch kind {
	case lks.Error:
		seen.errors++
		seen.find(foundError, state)
	case lks.End:
		seen.ends++
	default:
		seen.deadlocks++
		seen.find(foundDeadlock, state)
	}
}

// productSpace has the states of the product of a network and an automaton.
type productSpace struct {
	space    *product.Space
	net      *lks.Network
	explorer *product.SpaceExplorer
	targets  []uint64
	seen_    seen
}

func newProductSpace(n *lks.Network, p *product.Space) (*productSpace, error) {
	e, err := p.Explorer()
	s := &productSpace{space: p, net: n, explorer: e}
	s.seen_.wanted = 1<<foundUniversal | 1<<foundLoop
	return s, err
}

func (s *productSpace) words() int  { return s.space.Words() }
func (s *productSpace) seen() *seen { return &s.seen_ }

func (s *productSpace) ranges() *ranges {
	field, states := s.space.Place()
	return newRanges(s.words(), append(networkFields(s.net), part{field, states}))
}

func (s *productSpace) initial() ([]uint64, error) { return s.explorer.Initial() }

func (s *productSpace) expand(states []uint64) (successors, rest []uint64) {
	words, seen := s.words(), &s.seen_
	s.targets = s.targets[:0]
	at := 0
	for ; at < len(states) && at < batchStates*words && len(s.targets) < batchMost; at += words {
		state := states[at : at+words]
		targets := s.explorer.Successors(state)
		seen.transitions += int64(len(targets) / words)
		seen.ended = seen.ended || s.explorer.Ended()
		s.targets = append(s.targets, targets...)
		if s.space.Universal(state) {
			seen.find(foundUniversal, state)
		}
		if s.space.Accepting(state) && hasState(targets, state) {
			seen.find(foundLoop, state)
		}
	}
	seen.expanded += int64(at / words)
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
