package statetable

import "slices"

// Stack is the stack of a depth-first search: it keeps packed states in their
// order, and finds the place of one that is on it. States on it are all different.
// It takes 8 bytes per word of a state and 8 more. It is not safe for concurrent
// use.
//
// States with the same hash are linked, the one pushed last first. Since they
// leave in the opposite order, the state on top is always the first of its chain.
type Stack struct {
	words  int
	states []uint64
	below  []int32 // by place: the next of the chain, or -1
	chains []int32 // by hash, a power of two of them: the first place, or -1
}

// NewStack returns an empty stack of states of that many words, at least 1.
func NewStack(words int) *Stack {
	s := &Stack{words: words}
	s.setChains(1 << minBits)
	return s
}

func (s *Stack) setChains(n int) {
	s.chains = make([]int32, n)
	for i := range s.chains {
		s.chains[i] = -1
	}
}

// Len returns the number of states on the stack.
func (s *Stack) Len() int { return len(s.below) }

// Bytes returns the memory that the stack holds.
func (s *Stack) Bytes() int64 {
	return int64(cap(s.states))*8 + int64(cap(s.below)+cap(s.chains))*4
}

// State returns the state at a place, counted from 0 at the bottom. The slice is
// valid until the next Push and must not be changed.
func (s *Stack) State(place int) []uint64 {
	return s.states[place*s.words : (place+1)*s.words : (place+1)*s.words]
}

// States returns all states from a place on, one after the other, as State does.
func (s *Stack) States(place int) []uint64 { return s.states[place*s.words:] }

// Push puts a state on top that is not on the stack.
func (s *Stack) Push(state []uint64) {
	if len(s.below) == len(s.chains) {
		s.setChains(2 * len(s.chains))
		for place := range s.below {
			s.link(place)
		}
	}
	s.states = append(s.states, state...)
	s.below = append(s.below, 0)
	s.link(len(s.below) - 1)
}

func (s *Stack) link(place int) {
	chain := &s.chains[hash(s.State(place))&uint64(len(s.chains)-1)]
	s.below[place], *chain = *chain, int32(place)
}

// Pop takes the state on top away.
func (s *Stack) Pop() {
	top := len(s.below) - 1
	s.chains[hash(s.State(top))&uint64(len(s.chains)-1)] = s.below[top]
	s.below, s.states = s.below[:top], s.states[:top*s.words]
}

// Find returns the place of a state, or -1.
func (s *Stack) Find(state []uint64) int {
	place := s.chains[hash(state)&uint64(len(s.chains)-1)]
	for place >= 0 && !slices.Equal(s.State(int(place)), state) {
		place = s.below[place]
	}
	return int(place)
}
