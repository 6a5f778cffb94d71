package lks

import "github.com/seltl/seltl/internal/statetable"

// sharedStore is the exact store of several workers: one table that all of them
// use at once, without locks. It grows between windows, when nobody uses it, so a
// window ends early when the table is crowded.
type sharedStore struct {
	*statetable.Shared
	words int
	first *statetable.Inserter // of the first worker
}

func newSharedStore(n *Network, workers int) *sharedStore {
	used := make([]uint64, n.Words())
	for i := range used {
		used[i] = ^uint64(0)
	}
	s := &sharedStore{Shared: statetable.NewShared(n.Words(), used, 0, workers), words: n.Words()}
	s.first = s.Inserter()
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
