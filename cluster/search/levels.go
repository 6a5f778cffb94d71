package search

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/wordfile"
)

// levels explores a space breadth-first, level by level, each in a phase of its own. What
// comes of a level is known to all at the end of the phase, but for the states that are new:
// how many these are a worker says when it has expanded them. So the search ends
// with a phase in which nobody has expanded anything.
type levels struct {
	*worker
	space   space
	packing *codec
	vis     visited
	recent  *statetable.Recent
	sent    *statetable.Recent // of others, so that few are sent twice
	parts   [][]uint64         // by rank: successors
	stage   uint64
	depth   int // levels that were explored
	most    int // so many are, -1: all
	ended   bool
	met     bool // some state of the network has no successors, on any worker
	found   [numFindings][]uint64
	reason  string // why it ended before its time

	// What the worker had when it ended, see sum.
	states int64
	total  notes
}

// The cache of states that were sent has more words (powers of two) than a processor's cache
// holds: a state that is sent once more costs its owner a look-up in the store, and both of
// them the message. It is a small part of what the worker may use.
const (
	sentMost  = 20
	sentLeast = 12
	sentShare = 32
)

// sentWords is the binary logarithm of how many words that cache grows to, about, where a worker
// may use so much memory; 0 is no limit.
func sentWords(memory int64) uint8 {
	if memory <= 0 {
		return sentMost
	}
	return uint8(min(sentMost, max(sentLeast, bits.Len64(uint64(memory/8/sentShare))-1)))
}

func newLevels(w *worker, s space, vis visited, stage uint64) *levels {
	l := &levels{
		worker: w, space: s, vis: vis, recent: statetable.NewRecent(s.words()), sent: statetable.NewRecentWithin(s.words(), sentWords(w.opts.Memory)), parts: make([][]uint64, w.size),
		packing: newCodec(s.words(), s.ranges()), stage: stage, most: -1,
	}
	w.memory = func() int64 { return vis.bytes() + l.sent.Bytes() }
	w.states = func() int64 { return int64(vis.len()) }
	return l
}

// init takes the initial states that the worker owns.
func (l *levels) init() error {
	states, err := l.space.initial()
	if err != nil {
		return err
	}
	l.owners.route(states, l.parts)
	l.vis.add(l.parts[l.rank])
	for i := range l.parts {
		l.parts[i] = l.parts[i][:0]
	}
	l.vis.advance()
	return nil
}

// run explores level after level, until nothing is left, something is found, or some worker
// has a reason to end.
func (l *levels) run() error {
	for l.depth != l.most {
		before := l.space.noted().expanded
		l.worker.begin(kindStates, l.packing, l.vis.add)
		if err := l.level(); err != nil {
			return err
		}
		all, err := l.finish(l.tally(before))
		if err != nil {
			return err
		}
		work := l.learn(all)
		if l.reason = stopped(all); l.reason != "" {
			if l.anything() {
				l.depth++ // what was found counts, and is on this level
			}
			return nil
		}
		if l.ended = work == 0; l.ended {
			return nil
		}
		l.depth++
		l.vis.advance()
		if l.anything() {
			return nil
		}
		if err := l.checkpoint(l.stage, l.save); err != nil {
			return err
		}
	}
	return nil
}

// level expands the states of the level.
func (l *levels) level() error {
	for states := l.vis.take(); len(states) > 0 && l.stop == nil; states = l.vis.take() {
		for len(states) > 0 && l.stop == nil {
			var successors []uint64
			l.lap(&l.stats.Phases.Store)
			successors, states = l.space.expand(states)
			l.lap(&l.stats.Phases.Expand)
			if err := l.route(successors); err != nil {
				return err
			}
		}
		if err := l.poll(); err != nil {
			return err
		}
		if l.vis.full() {
			l.end("more states than can be numbered")
		}
	}
	return nil
}

// route keeps the states that the worker owns, and sends the others to who does. It
// overwrites them.
func (l *levels) route(states []uint64) error {
	words := l.space.words()
	states = l.recent.Filter(states, states[:0])
	l.stats.Routed += int64(len(states) / words)
	if l.size == 1 {
		l.lap(&l.stats.Phases.Route)
		l.vis.add(states)
		l.lap(&l.stats.Phases.Store)
		return nil
	}
	l.owners.route(states, l.parts)
	l.lap(&l.stats.Phases.Route)
	for to, part := range l.parts {
		if to == l.rank {
			l.vis.add(part)
			l.lap(&l.stats.Phases.Store)
		} else if len(part) > 0 {
			part = l.sent.Filter(part, part[:0])
			l.lap(&l.stats.Phases.Route)
			if err := l.send(to, part); err != nil {
				return err
			}
			l.lap(&l.stats.Phases.Encode)
		}
		l.parts[to] = part[:0]
	}
	return nil
}

const flagEnded = 1

// tally is that of a level of which so many states were expanded before.
func (l *levels) tally(before int64) *tally {
	s := l.space.noted()
	t := &tally{States: int64(l.vis.len()), Work: s.expanded - before, Moves: s.transitions}
	if s.ended {
		t.Flags |= flagEnded
	}
	if slices.ContainsFunc(s.found[:], func(state []uint64) bool { return state != nil }) {
		t.Found = s.found[:]
	}
	return t
}

// learn notes what all workers tell, and returns how many states they have expanded.
func (l *levels) learn(all []tally) (work int64) {
	l.others, l.moves = 0, 0
	for _, t := range all {
		work += t.Work
		l.others += t.States
		l.moves += t.Moves
		l.met = l.met || t.Flags&flagEnded != 0
		for f, state := range t.Found {
			if state != nil && (l.found[f] == nil || slices.Compare(state, l.found[f]) < 0) {
				l.found[f] = state
			}
		}
	}
	l.round++
	return work
}

// sum notes what the worker has explored: what comes later expands states again.
func (l *levels) sum() {
	l.states, l.total = int64(l.vis.len()), *l.space.noted()
}

// anything reports whether something was found.
func (l *levels) anything() bool {
	return slices.ContainsFunc(l.found[:], func(state []uint64) bool { return state != nil })
}

// save writes the worker's part where a level begins, load reads it.
func (l *levels) save(w *wordfile.Writer) {
	s := l.space.noted()
	ended := uint64(0)
	if l.met {
		ended = 1
	}
	w.Words(uint64(l.depth), uint64(s.expanded), uint64(s.transitions), uint64(s.deadlocks), uint64(s.ends), uint64(s.errors), ended)
	l.vis.save(w)
}

func (l *levels) load(r *wordfile.Reader) error {
	s := l.space.noted()
	l.depth = int(r.Word())
	for _, to := range []*int64{&s.expanded, &s.transitions, &s.deadlocks, &s.ends, &s.errors} {
		*to = int64(r.Word())
	}
	l.met = r.Word() == 1
	return l.vis.load(r)
}
