package search

import (
	"cmp"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// A sample of a search tells how owners would do: it is breadth-first, but of every level only
// those states go on whose hashes are least, so that every state that was met has the same
// chance, however often it was met. It is the same on all workers. States that many steps lead
// to are still met more often than others: what is chosen must not depend on the shares of
// states being quite those of the sample (shares.go).

// sample has some states of a network, level by level, and one step from each.
type sample struct {
	words  int
	states []uint64
	levels []int    // number of the first state of each level
	next   []uint64 // for each state one of its successors; without any, itself
	degree float64  // successors of a state
	window []int    // of each state: levels are put together, with about as many states
}

const (
	sampleWidth = 128 // states of a level that go on
	// So many states are expanded for two workers, and more for more, up to sampleMost.
	sampleStates = 1 << 14
	sampleMost   = 1 << 16
	// Wide states, and those with many successors, are fewer.
	sampleWords      = 1 << 19
	sampleSuccessors = 1 << 18
	// A window has so many states for each worker, so that chance has little part in which
	// worker has most of them, but there are no more than mostWindows.
	windowShare = 256
	mostWindows = 16
)

// newSample samples a network for so many workers.
func newSample(n *lks.Network, workers int) *sample {
	s := &sample{words: n.Words()}
	most := min(sampleMost, max(sampleStates, 1024*workers), sampleWords/s.words)
	met, explorer := statetable.New(s.words), n.Explorer()
	var succ lks.Successors
	explorer.Initial(&succ)
	level := leastStates(enter(met, succ.States), met)
	successors := 0
	for len(level) > 0 && s.len() < most && successors < sampleSuccessors {
		s.levels = append(s.levels, s.len())
		succ.Reset()
		for i := 0; i < len(level) && len(succ.States) < batchMost; i += s.words {
			state, before := level[i:i+s.words], succ.Len()
			explorer.AppendSuccessors(state, &succ)
			s.step(state, succ.States[before*s.words:])
		}
		successors += succ.Len()
		level = leastStates(enter(met, succ.States), met)
	}
	s.degree = float64(successors) / float64(max(1, s.len()))
	s.divide(workers)
	return s
}

func (s *sample) len() int { return len(s.states) / s.words }

// step notes a state and one of its successors, any of them.
func (s *sample) step(state, successors []uint64) {
	s.states = append(s.states, state...)
	if len(successors) > 0 {
		at := int(statetable.Permute(uint64(s.len()))>>33) % (len(successors) / s.words) * s.words
		state = successors[at : at+s.words]
	}
	s.next = append(s.next, state...)
}

// enter adds states to a table, and returns the number of the first that is new.
func enter(table *statetable.Table, states []uint64) (first int) {
	first = table.Len()
	table.InsertAll(states, make([]int32, len(states)/table.Words()))
	return first
}

// leastStates returns those states of a table, from a number on, whose hashes are least.
func leastStates(from int, table *statetable.Table) (states []uint64) {
	type hashed struct {
		hash   uint64
		number int32
	}
	var all []hashed
	for number := from; number < table.Len(); number++ {
		h := uint64(0)
		for _, x := range table.State(int32(number)) {
			h = statetable.Permute(h ^ x)
		}
		all = append(all, hashed{h, int32(number)})
	}
	slices.SortFunc(all, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	for _, h := range all[:min(len(all), sampleWidth)] {
		states = append(states, table.State(h.number)...)
	}
	return states
}

// divide puts levels together to windows.
func (s *sample) divide(workers int) {
	most := max(1, min(mostWindows, s.len()/(windowShare*workers)))
	s.window = make([]int, 0, s.len())
	for l, from := range s.levels {
		to := s.len()
		if l+1 < len(s.levels) {
			to = s.levels[l+1]
		}
		s.window = append(s.window, slices.Repeat([]int{from * most / s.len()}, to-from)...)
	}
}
