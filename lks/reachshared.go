package lks

import (
	"slices"

	"github.com/seltl/seltl/internal/statetable"
)

// sharedStore is the exact store of several workers, and of one for states of one word:
// one table that all of them use at once, without locks. It grows between windows, when
// nobody uses it, so a window ends early when the table is crowded.
type sharedStore struct {
	sharedTable
	inserter func() inserter // makes one for a worker
	first    inserter        // of the first worker
}

// sharedTable is a statetable.WordSet for states of one word, and a
// statetable.Shared for others.
type sharedTable interface {
	Crowded() bool
	Grow()
	Len() int
	Bytes() int64
	Load() float64
	All(yield func(state []uint64) bool)
}

// inserter adds states to a shared table for one worker.
type inserter interface {
	AddAll(states, fresh []uint64) (done int, added []uint64)
	Flush()
}

// setInserter is an inserter that keeps nothing to itself.
type setInserter struct{ *statetable.WordSet }

func (setInserter) Flush() {}

func newSharedStore(n *Network, workers int) *sharedStore {
	s := &sharedStore{}
	if n.Words() == 1 {
		set := statetable.NewWordSet(workers)
		s.sharedTable, s.inserter = set, func() inserter { return setInserter{set} }
	} else {
		used := slices.Repeat([]uint64{^uint64(0)}, n.Words())
		table := statetable.NewShared(n.Words(), used, 0, workers)
		s.sharedTable, s.inserter = table, func() inserter { return table.Inserter() }
	}
	s.first = s.inserter()
	return s
}

// AddAll is for one goroutine, while no other uses the store.
func (s *sharedStore) AddAll(states, fresh []uint64) []uint64 {
	for {
		done, more := s.first.AddAll(states, fresh)
		s.first.Flush()
		if states, fresh = states[done:], more; len(states) == 0 {
			return fresh
		}
		s.Grow()
	}
}

func (s *sharedStore) save(list func([]uint64)) { saveStates(s.All, list) }
func (s *sharedStore) load(states []uint64)     { s.AddAll(states, nil) }

// addShared adds states to the shared store, and keeps and looks at the new ones.
// States for which there is no room are kept for makeRoom.
func (w *levelWorker) addShared(states []uint64) {
	done, fresh := w.inserter.AddAll(states, w.fresh[:0])
	w.left = append(w.left, states[done:]...)
	w.fresh = fresh
	w.watch.lap(&w.phases.Store)
	w.inspect(fresh)
	w.queue(fresh)
}

// crowded reports whether the window has to end early.
func (l *levels) crowded() bool { return l.shared != nil && l.shared.Crowded() }

// makeRoom enlarges a shared store that is crowded, after a window. The blocks that
// nobody has begun go back to the level.
func (l *levels) makeRoom() {
	if !l.crowded() {
		return
	}
	for _, w := range l.workers {
		for b := w.first.Load(); b < w.end; b++ {
			l.level = append(l.level, l.window[b])
			l.window[b] = nil
		}
		w.first.Store(w.end)
	}
	for l.crowded() {
		l.shared.Grow()
		for _, w := range l.workers {
			left := w.left
			w.left = nil
			w.addShared(left)
			w.inserter.Flush()
		}
	}
}
