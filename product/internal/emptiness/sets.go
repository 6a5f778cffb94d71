package emptiness

// Nested depth-first search that remembers states in a set to which it can only
// add: for the stores that have no room for colours. [Courcoubetis92], with
// what [SchwoonEsparza05] say of cycles that the blue search closes itself; the
// red search has a set of its own. The stack of the blue search is exact, and
// finds the states that are on it.
//
// With a set that takes new states for old ones the search misses some. What it
// finds is there all the same: a lasso is made of states on its stacks.
//
// Memory is that of the sets, and of the stack: 20 bytes for a state of one word
// that is on it. The successors of such a state are computed anew when the search
// comes back to it, which costs less than to keep them.

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product/internal/meet"
)

// setSearch is one such search.
type setSearch struct {
	g          *meet.Graph
	weak       bool
	seed       uint64     // of the order of successors, 0: that of the graph
	seen, red  growingSet // of the states that the searches have entered
	stack      *statetable.Stack
	left       []int32 // by place on the stack: the edges that are still to be taken
	nested     []uint64
	nestedLeft []int32
	fresh      []uint64 // scratch
	followed   []uint64 // scratch: the state whose edges the graph has at hand
}

// growingSet is a set of packed product states.
type growingSet interface {
	// AddAll adds the states, which lie one after the other, and appends those that
	// count as new to fresh.
	AddAll(states, fresh []uint64) []uint64
	Len() int
	Bytes() int64
}

// defaultBytes is the size of a BitstateHash store if none is given.
const defaultBytes = 256 << 20

// newSetSearch prepares a search with sets of the kind that the problem says; StoreBytes
// bounds those whose size does not depend on the states, 0: defaultBytes. The error is that
// of the ranks.
func newSetSearch(p *Problem) (*setSearch, error) {
	g, size := p.Graph, p.StoreBytes
	s := &setSearch{g: g, weak: g.Aut.Weak, stack: statetable.NewStack(g.Words)}
	if p.Store.Lossy() {
		s.seed = p.Seed
	}
	if size <= 0 {
		size = defaultBytes
	}
	if !s.weak {
		size /= 2
	}
	var err error
	if s.seen, err = newGrowingSet(p, size); err != nil {
		return nil, err
	}
	if s.weak {
		s.red = emptySet{}
	} else if s.red, err = newGrowingSet(p, size); err != nil {
		return nil, err
	}
	return s, nil
}

func newGrowingSet(p *Problem, size int64) (growingSet, error) {
	g := p.Graph
	switch p.Store {
	case explore.Compact:
		return newRankSet(g)
	case explore.HashCompact:
		return statetable.NewHashed(g.Words, p.Seed), nil
	case explore.BitstateHash:
		return statetable.NewBitstate(g.Words, size, p.Seed), nil
	}
	return nil, bug.Errorf("search", "there is no store %v to add to", p.Store)
}

// emptySet is one to which nothing is added.
type emptySet struct{}

func (emptySet) AddAll(_, fresh []uint64) []uint64 { return fresh }
func (emptySet) Len() int                          { return 0 }
func (emptySet) Bytes() int64                      { return 0 }

// rankSet keeps the ranks of product states.
type rankSet struct {
	g     *meet.Graph
	ranks *lks.Ranks
	set   *statetable.Compact
	state []uint64 // scratch
}

func newRankSet(g *meet.Graph) (*rankSet, error) {
	ranks, err := g.Net.Ranks()
	if err != nil {
		return nil, err
	}
	states := uint64(len(g.Aut.Out))
	if ranks.Count() > ^uint64(0)/states {
		return nil, &budget.Exhausted{What: "combinations of local states", Limit: fmt.Sprintf("2^64 for the %v store, %d of the automaton among them", explore.Compact, states),
			Advice: "--store=exact or --store=hash"}
	}
	width := max(1, bits.Len64(ranks.Count()*states-1))
	return &rankSet{g: g, ranks: ranks, set: statetable.NewCompact(uint(width)), state: make([]uint64, g.NetWords)}, nil
}

func (s *rankSet) AddAll(states, fresh []uint64) []uint64 {
	for ; len(states) > 0; states = states[s.g.Words:] {
		packed := states[:s.g.Words]
		s.g.Split(packed, s.state)
		if s.set.Add(uint64(s.g.AutomatonPart(packed))*s.ranks.Count() + s.ranks.Of(s.state)) {
			fresh = append(fresh, packed...)
		}
	}
	return fresh
}

func (s *rankSet) Len() int     { return s.set.Len() }
func (s *rankSet) Bytes() int64 { return s.set.Bytes() }

// Missed estimates how many states the sets took for others.
func (s *setSearch) Missed() float64 {
	total := 0.0
	for _, set := range []growingSet{s.seen, s.red} {
		if lossy, ok := set.(Lossy); ok {
			total += lossy.Missed()
		}
	}
	return total
}

// Len returns the number of states that were entered.
func (s *setSearch) Len() int { return s.seen.Len() }

// Bytes returns the memory of the sets.
func (s *setSearch) Bytes() int64 { return s.seen.Bytes() + s.red.Bytes() }

// StackBytes returns the memory of the stacks.
func (s *setSearch) StackBytes() int64 {
	return s.stack.Bytes() + int64(cap(s.left)+cap(s.nestedLeft))*4 + int64(cap(s.nested))*8
}

// All calls yield for every state that was entered; it calls it for none if the
// set does not keep states.
func (s *setSearch) All(yield func(state []uint64) bool) {
	if set, ok := s.seen.(Stored); ok {
		set.All(yield)
	}
}

// Run returns an accepting lasso of the product, nil if there is none that the
// search meets.
func (s *setSearch) Run() (*meet.Path, error) {
	roots, err := s.g.InitialPacked()
	if err != nil {
		return nil, err
	}
	for ; len(roots) > 0; roots = roots[s.g.Words:] {
		root := roots[:s.g.Words]
		if !s.add(s.seen, root) {
			continue
		}
		p, err := s.search(root)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// add adds a state to a set and reports whether it counts as new.
func (s *setSearch) add(set growingSet, packed []uint64) bool {
	s.fresh = set.AddAll(packed, s.fresh[:0])
	return len(s.fresh) > 0
}

// expand follows the edges of a packed state for the first time.
func (s *setSearch) expand(packed []uint64, depth int) error {
	s.follow(packed)
	return s.g.Count(len(s.g.Out), s.seen.Len(), depth)
}

func (s *setSearch) follow(packed []uint64) {
	s.followed = append(s.followed[:0], packed...)
	s.g.Follow(packed)
}

// search is the blue search from a root that has been added.
func (s *setSearch) search(root []uint64) (*meet.Path, error) {
	p, err := s.push(root)
	for p == nil && err == nil && s.stack.Len() > 0 {
		top := s.stack.Len() - 1
		t := s.next(s.stack.State(top), &s.left[top], s.seen)
		if t != nil {
			p, err = s.push(t)
			continue
		}
		p, err = s.pop()
	}
	return p, err
}

// push enters a state in the blue search, and looks for an edge back to the stack
// that closes an accepting cycle. Later is too late for none of them: what is on
// the stack below a state does not change while the state is on it.
func (s *setSearch) push(packed []uint64) (*meet.Path, error) {
	s.stack.Push(packed)
	s.left = append(s.left, 0)
	top := s.stack.Len() - 1
	if err := s.expand(s.stack.State(top), top+1); err != nil {
		return nil, err
	}
	g := s.g
	s.left[top] = int32(len(g.Out))
	if g.Universal() {
		return g.PathOf(s.stack.States(0), nil)
	}
	accepts := g.Aut.Accepting[g.Current]
	for targets := g.Targets; len(targets) > 0; targets = targets[g.Words:] {
		t := targets[:g.Words]
		if !accepts && !g.Aut.Accepting[g.AutomatonPart(t)] {
			continue
		}
		if at := s.stack.Find(t); at >= 0 {
			return s.lasso(at, nil)
		}
	}
	return nil, nil
}

// next takes edges of a state, from the first of those that are left on, until one
// leads to a state that is new to the set, and returns that state; nil if none does.
// The edges are those that the graph followed last, or are followed again.
func (s *setSearch) next(packed []uint64, left *int32, set growingSet) []uint64 {
	g := s.g
	if *left == 0 {
		return nil
	}
	if !slices.Equal(s.followed, packed) {
		s.follow(packed)
	}
	for *left > 0 {
		at := s.place(len(g.Out)-int(*left), len(g.Out)) * g.Words
		t := g.Targets[at : at+g.Words]
		*left--
		if s.add(set, t) {
			return s.fresh
		}
	}
	return nil
}

// place says which of n successors of the state that was followed comes at turn i: with a
// seed, another one is the first, and they go up or down from there. So a search that cannot
// see all states begins elsewhere [HolzmannJoshiGroce08].
func (s *setSearch) place(i, n int) int {
	if s.seed == 0 {
		return i
	}
	chosen := s.seed
	for _, word := range s.followed {
		chosen = (chosen ^ word) * 0x9e3779b97f4a7c15
		chosen ^= chosen >> 32
	}
	if chosen&1 == 1 {
		i = n - 1 - i
	}
	return (i + int(chosen>>1%uint64(n))) % n
}

// lasso is closed by an edge from the last of the red states, or else from the top
// of the blue stack, to a place on that.
func (s *setSearch) lasso(at int, red []uint64) (*meet.Path, error) {
	stem := s.stack.States(0)[:(at+1)*s.g.Words]
	return s.g.PathOf(stem, slices.Concat(s.stack.States(at), red, s.stack.State(at)))
}

// pop leaves the state on top of the blue stack, whose successors are all done.
func (s *setSearch) pop() (*meet.Path, error) {
	top := s.stack.Len() - 1
	if state := s.stack.State(top); !s.weak && s.g.Aut.Accepting[s.g.AutomatonPart(state)] {
		if p, err := s.searchRed(state); p != nil || err != nil {
			return p, err
		}
	}
	s.stack.Pop()
	s.left = s.left[:top]
	return nil, nil
}

// searchRed looks for a way from the seed, which is on top of the blue stack, back
// to that stack.
func (s *setSearch) searchRed(seed []uint64) (*meet.Path, error) {
	// No seed before has met this one: it would have been on the stack. Whatever a set
	// that loses states says, its successors are worth a look.
	s.add(s.red, seed)
	s.nested, s.nestedLeft = s.nested[:0], s.nestedLeft[:0]
	p, err := s.pushRed(seed)
	words := s.g.Words
	for p == nil && err == nil && len(s.nestedLeft) > 0 {
		top := len(s.nestedLeft) - 1
		t := s.next(s.nested[top*words:], &s.nestedLeft[top], s.red)
		if t == nil {
			s.nested, s.nestedLeft = s.nested[:top*words], s.nestedLeft[:top]
			continue
		}
		p, err = s.pushRed(t)
	}
	return p, err
}

func (s *setSearch) pushRed(packed []uint64) (*meet.Path, error) {
	g := s.g
	s.nested = append(s.nested, packed...)
	state := s.nested[len(s.nested)-g.Words:]
	if err := s.expand(state, s.stack.Len()+len(s.nestedLeft)+1); err != nil {
		return nil, err
	}
	s.nestedLeft = append(s.nestedLeft, int32(len(g.Out)))
	for targets := g.Targets; len(targets) > 0; targets = targets[g.Words:] {
		if at := s.stack.Find(targets[:g.Words]); at >= 0 {
			return s.lasso(at, s.nested[g.Words:])
		}
	}
	return nil, nil
}
