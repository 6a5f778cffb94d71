package explore

import (
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// exactStore is the exact store: one table that all workers use at once, without locks.
// It grows between windows, when nobody uses it, so a window ends early when the table
// is crowded.
type exactStore struct {
	exactTable
	inserter func() inserter // makes one for a worker
	first    inserter        // of the first worker
}

// exactTable is a statetable.WordSet for states of one word, and a
// statetable.TreeSet for others.
type exactTable interface {
	Crowded() bool
	Grow()
	Reserve(states int, tick func() error) error
	Len() int
	Bytes() int64
	Load() float64
	Nodes() int
	All(yield func(state []uint64) bool)
}

// mostNodes is how many nodes of compressed states a search stores, about: so many more
// than memory holds on most machines, and a window less than can be numbered.
var mostNodes = statetable.MaxStates / 2

// inserter adds states to an exact store for one worker.
type inserter interface {
	AddAll(states, fresh []uint64) (done int, added []uint64)
	Flush()
}

func newExactStore(n *lks.Network, workers int) *exactStore {
	s := &exactStore{}
	if n.Words() == 1 {
		set := statetable.NewWordSet(workers)
		s.exactTable, s.inserter = set, func() inserter { return set.Inserter() }
	} else {
		set := statetable.NewTreeSet(n.Words(), n.Bits(func(int) bool { return true }), workers)
		s.exactTable, s.inserter = set, func() inserter { return set.Inserter() }
	}
	s.first = s.inserter()
	return s
}

// AddAll is for one goroutine, while no other uses the store.
func (s *exactStore) AddAll(states, fresh []uint64) []uint64 {
	for {
		done, more := s.first.AddAll(states, fresh)
		s.first.Flush()
		if s.Crowded() {
			s.Grow()
		}
		if states, fresh = states[done:], more; len(states) == 0 {
			return fresh
		}
	}
}

func (s *exactStore) save(list func([]uint64)) { saveStates(s.All, list) }

func (s *exactStore) prepare(states int, tick func() error) error { return s.Reserve(states, tick) }
func (s *exactStore) load(states []uint64)                        { s.AddAll(states, nil) }

// addExact adds states to the exact store, and keeps and looks at the new ones.
// States for which there is no room are kept for makeRoom.
func (w *levelWorker) addExact(states []uint64) {
	done, fresh := w.inserter.AddAll(states, w.fresh[:0])
	w.left = append(w.left, states[done:]...)
	w.fresh = fresh
	w.watch.lap(&w.phases.Store)
	w.inspect(fresh)
	w.queue(fresh)
}

// crowded reports whether the window has to end early.
func (l *levels) crowded() bool { return l.exact != nil && l.exact.Crowded() }

// makeRoom enlarges an exact store that is crowded, after a window.
func (l *levels) makeRoom() {
	for l.crowded() {
		l.exact.Grow()
		for _, w := range l.workers {
			left := w.left
			w.left = nil
			w.addExact(left)
			w.inserter.Flush()
		}
	}
}
