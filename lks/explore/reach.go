// Package explore searches the states of a network: for deadlocks, states in error, and
// whatever is asked for, one after the other, all of them if nothing else ends it.
//
// Reach searches, with the store of states that it is told to use (Store says what each
// costs), or one that it chooses as it goes. The result is a Reached: counts, what was
// found, and the ways there (TraceTo).
//
// # Decisions
//
// Explorations begin with numbered states (explore.Auto): they have traces at hand; beyond 65,536 states
// with several workers, or tens of millions with one, the search starts again with the exact store, which
// takes half the memory and any number of workers. Findings of stores without numbers get their traces by
// exploring again.
package explore

import (
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Options say what Reach looks for. The zero value explores everything and
// counts.
type Options struct {
	// Meter bounds the exploration and reports progress; nil: no bounds.
	Meter *budget.Meter
	// Traces keeps what is needed for Reached.Trace: 4 bytes per state.
	Traces bool
	Resources
	// Goal, if not nil, is asked for every state, in the order of discovery. It
	// must not keep or change state. With several workers it is called by several
	// goroutines at once.
	Goal func(state []uint64) bool
	// What ends the exploration when it is met: a state without successors that
	// is not terminated (noticed when it is explored), a state in error (noticed
	// when it is generated), a state with Goal (noticed when it is generated).
	// Stores other than Numbered end it with the level of the search, so that
	// what is found does not depend on Workers.
	StopAtDeadlock, StopAtError, StopAtGoal bool
}

// Resources are what an exploration may use: the zero value leaves the choice to Reach.
type Resources struct {
	// Store says how states are remembered. Only the Numbered store numbers states, and
	// keeps traces; it is searched by one worker.
	Store Store
	// StoreBytes is the size of the array of the BitstateHash store, 0: 256 MiB.
	StoreBytes int64
	// Seed chooses the hash function of stores that can lose states: with another one they
	// lose others.
	Seed uint64
	// Workers is the number of goroutines that search, 0 meaning as many as there are
	// processors. All stores but Numbered give the same counts and findings for any
	// number.
	Workers int
	// Checkpoint names a file from which an exploration that was ended by a limit,
	// an interruption or the machine goes on, if it exists: with the same network,
	// Store, StoreBytes, Seed, Workers and Goal; otherwise the error is a
	// *CheckpointError. It is written every CheckpointEvery (0: a minute) and when
	// a limit or an interruption ends the exploration, and removed when that comes
	// to its end. Where it cannot be written the exploration goes on: Reached.Unsaved.
	// Not with the Numbered store.
	Checkpoint      string
	CheckpointEvery time.Duration
	// Disk names a folder, in which the Exact store keeps the states, in files that
	// are removed in the end, instead of in memory; the states of two levels of the
	// search remain there, and DiskMemory bytes (0: 256 MiB) of candidates.
	Disk       string
	DiskMemory int64
}

// Reached is the result of Reach. Counts are those of the part explored.
type Reached struct {
	States      int64 // without those in error
	Transitions int64 // different triples (state, action, state), those into error included
	Depth       int64 // largest distance from an initial state, of states explored
	Deadlocks   int64 // states that are not terminated and have no successors
	Ends        int64 // terminated states
	Errors      int64 // states in error
	Complete    bool  // everything was explored; never with a store that can lose states

	// The first of each kind found, by number, or -1, of the Numbered store.
	// Breadth-first search makes them as near to an initial state as any.
	Deadlock, Error, Goal int32
	// The same as packed states, nil if there is none. Stores without numbers set
	// only these: of the nearest states the least. See TraceTo.
	DeadlockState, ErrorState, GoalState []uint64

	// Missed estimates how many states a lossy store took for others. What they
	// would have led to is not counted. Coverage is its share.
	Missed float64
	// Unsaved is why the last checkpoint that was due could not be written, or removed in the end, nil
	// if it was: the search goes on without.
	Unsaved error
	// Ended: nothing was left to explore. With a lossy store that does not make
	// the exploration complete.
	Ended bool

	// Store is the one that was used, never Auto, Workers is how many searched.
	// QueueBytes is the most memory that the states yet to be explored took; Numbered
	// needs none, its table is its queue.
	Store      Store
	Workers    int
	QueueBytes int64

	// Elapsed is the time that the exploration took, and Phases where it went. Load
	// is the share of the store's places in use, 0 for stores that have none; see
	// Bytes for its memory.
	Elapsed time.Duration
	Phases  Phases
	Load    float64

	bytes int64 // of stores other than Numbered

	net    *lks.Network
	states *frontier.Frontier // of the Numbered store; with ways if there are traces
}

// The Auto store goes over from Numbered to Exact after that many states.
// For one worker Numbered takes somewhat more time (up to half as much again, for states
// of one word) and twice the memory, but has traces at hand: leanAfter is where the
// memory begins to matter, at 600 MB for states of one word. Several workers pay much
// earlier: two with the Exact store are more than twice as fast as one with Numbered. Either
// way starting again costs less than the rest of a search that gets there.
var (
	leanAfter     int64 = 1 << 25
	parallelAfter int64 = 1 << 16
)

// Reach explores the network breadth-first. States are numbered in the order of
// discovery, which depends on nothing but the network. Memory is about 15 bytes per
// state of one word, 12 with the Exact store, see Store and Reached.Bytes.
//
// The error is the meter's, a *CheckpointError, or says that options do not go
// together; the result then holds what was explored so far.
func Reach(n *lks.Network, opts Options) (*Reached, error) {
	if n == nil {
		return nil, lks.ErrNil
	}
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.Store == Auto && opts.Traces {
		opts.Store = Numbered
	}
	switch {
	case opts.Store == Numbered && opts.Checkpoint != "":
		return &Reached{Deadlock: -1, Error: -1, Goal: -1}, errors.New("explore: the numbered store has no checkpoints")
	case opts.Store == Numbered:
		r := newReaching(n, opts)
		return r.Reached, budget.Within(r.run)
	case opts.Store == Auto && opts.Disk == "" && opts.Checkpoint == "":
		first := opts
		first.Traces = true
		r := newReaching(n, first)
		r.most = leanAfter
		if opts.Workers > 1 {
			r.most = min(leanAfter, parallelAfter)
		}
		if err := budget.Within(r.run); err != nil || !r.many {
			return r.Reached, err
		}
	}
	if opts.Store == Auto {
		opts.Store = Exact
	}
	return reachByLevels(n, opts)
}

// reaching is a search with the Numbered store.
type reaching struct {
	*Reached
	opts     Options
	explorer *lks.Explorer
	special  bool  // some state may be in error or terminated
	multiple bool  // some action has several rules
	most     int64 // states with which it goes on
	many     bool  // it has more, and was given up
	stop     bool

	// Of the batch being explored: the transitions, where those of each state end,
	// those targets that may be new, where those of each state end, their numbers,
	// and the least number not looked at yet.
	succ      lks.Successors
	ends      []int32
	targets   []uint64
	newEnds   []int32
	numbers   []int32
	next      int32
	recent    *statetable.Recent
	different lks.Distinct
}

func newReaching(n *lks.Network, opts Options) *reaching {
	r := &Reached{Deadlock: -1, Error: -1, Goal: -1, Store: Numbered, Workers: 1, net: n, states: frontier.New(n.Words())}
	s := &reaching{
		Reached:  r,
		opts:     opts,
		explorer: n.Explorer(),
		recent:   statetable.NewRecent(n.Words()),
		special:  n.Special(),
		most:     math.MaxInt64,
	}
	s.multiple = s.explorer.Alternatives()
	return s
}

// batchStates are explored before their successors are inserted: enough for
// look-ups to be made in full blocks, few enough to stay in the fastest cache.
const (
	batchStates = 64
	// batchMost is the number of words of successors at which a batch ends early.
	batchMost = 1 << 20
)

func (r *reaching) run() error {
	watch := newStopwatch()
	defer r.finish(watch)
	r.explorer.Initial(&r.succ)
	r.endState(0)
	r.insert(-1)
	r.discover(0)
	levelEnd := r.states.Len()
	tickedAt := int64(0) // transitions
	for s, ticked := 0, -budget.TickEvery; s < r.states.Len() && !r.stop; {
		if s == levelEnd {
			r.Depth++
			levelEnd = r.states.Len()
		}
		if r.opts.Meter.Over(int64(r.states.Len())) || s-ticked >= budget.TickEvery || r.Transitions-tickedAt >= max(1, int64(4*budget.TickEvery/r.net.Words())) {
			if r.many = int64(r.states.Len()) > r.most; r.many {
				return nil
			}
			if err := r.tick(); err != nil {
				return err
			}
			ticked, tickedAt = s, r.Transitions
		}
		watch.lap(&r.Phases.Queue)
		end := r.generate(s, min(s+batchStates, levelEnd))
		watch.lap(&r.Phases.Successors)
		r.insert(int32(s))
		watch.lap(&r.Phases.Store)
		for i := 0; i < end-s && !r.stop; i++ {
			r.explored(i, int32(s+i))
		}
		s = end
	}
	r.Complete = !r.stop
	r.Ended = r.Complete
	return nil
}

// finish sums up.
func (r *reaching) finish(watch *stopwatch) {
	r.States = int64(r.states.Len()) - r.Errors
	for _, found := range []struct {
		number int32
		state  *[]uint64
	}{{r.Deadlock, &r.DeadlockState}, {r.Error, &r.ErrorState}, {r.Goal, &r.GoalState}} {
		if found.number >= 0 {
			*found.state = r.states.State(found.number)
		}
	}
	r.Load = r.states.Load()
	watch.lap(&r.Phases.Queue)
	r.Elapsed = watch.elapsed()
}

func (r *reaching) tick() error {
	return r.states.Tick(r.opts.Meter, budget.Progress{Phase: "exploring", Transitions: r.Transitions, Depth: r.Depth})
}

// generate computes the transitions of a batch of states, up to to or, if they have very
// many, up to the one it returns.
func (r *reaching) generate(from, to int) int {
	r.succ.Reset()
	r.ends, r.targets, r.newEnds = r.ends[:0], r.targets[:0], r.newEnds[:0]
	s := from
	for ; s < to && len(r.succ.States) < batchMost; s++ {
		before := r.succ.Len()
		r.explorer.AppendSuccessors(r.states.State(int32(s)), &r.succ)
		r.endState(before)
	}
	return s
}

// endState notes the transitions of a state of a batch, which begin there.
func (r *reaching) endState(from int) {
	words := r.net.Words()
	r.ends = append(r.ends, int32(r.succ.Len()))
	r.targets = r.recent.Filter(r.succ.States[from*words:], r.targets)
	r.newEnds = append(r.newEnds, int32(len(r.targets)/words))
}

// insert numbers the targets of a batch that begins with that state.
func (r *reaching) insert(first int32) {
	r.next = int32(r.states.Len())
	r.numbers = r.states.Number(r.targets)
	if !r.opts.Traces {
		return
	}
	from := int32(0)
	for i, to := range r.newEnds {
		r.states.Adopt(first+int32(i), r.numbers[from:to], nil)
		from = to
	}
}

// explored looks at the i-th state of a batch.
func (r *reaching) explored(i int, state int32) {
	from, to := start(r.ends, i), int(r.ends[i])
	if from == to {
		r.final(state)
		return
	}
	r.discover(i)
	if r.multiple {
		r.Transitions += r.different.Count(r.net, &r.succ, from, to)
	} else {
		r.Transitions += int64(to - from)
	}
}

// start of the i-th of consecutive parts with those ends.
func start(ends []int32, i int) int {
	if i == 0 {
		return 0
	}
	return int(ends[i-1])
}

// discover looks at those targets of the i-th state of a batch that are new.
func (r *reaching) discover(i int) {
	if !r.special && r.opts.Goal == nil {
		return
	}
	for _, s := range r.numbers[start(r.newEnds, i):r.newEnds[i]] {
		if s != r.next {
			continue
		}
		r.next++
		state := r.states.State(s)
		if r.special && r.net.Kind(state) == lks.Error {
			r.Errors++
			if r.Error < 0 {
				r.Error = s
			}
			r.stop = r.stop || r.opts.StopAtError
		}
		if r.opts.Goal != nil && r.Goal < 0 && r.opts.Goal(state) {
			r.Goal = s
			r.stop = r.stop || r.opts.StopAtGoal
		}
	}
}

// final looks at a state without successors.
func (r *reaching) final(s int32) {
	kind := lks.Normal
	if r.special {
		kind = r.net.Kind(r.states.State(s))
	}
	switch kind {
	case lks.End:
		r.Ends++
	case lks.Normal:
		r.Deadlocks++
		if r.Deadlock < 0 {
			r.Deadlock = s
		}
		r.stop = r.stop || r.opts.StopAtDeadlock
	}
}

// Bytes returns the memory that the store of the states takes, and what is kept
// for traces.
func (r *Reached) Bytes() int64 {
	if r.states == nil {
		return r.bytes
	}
	return r.states.Bytes()
}

// Coverage estimates which share of the states was explored, of those that the
// search met: 1 for exact stores.
func (r *Reached) Coverage() float64 {
	if r.Missed == 0 {
		return 1
	}
	return float64(r.Len()) / (float64(r.Len()) + r.Missed)
}

// Len returns the number of states stored, those in error included.
func (r *Reached) Len() int { return int(r.States + r.Errors) }

// State returns the state with that number, 0 to Len()-1. The slice must not be
// changed. It panics unless the store is Numbered.
func (r *Reached) State(number int32) []uint64 { return r.states.State(number) }

// Number returns the number of a (canonical) state, or -1. It panics unless the
// store is Numbered.
func (r *Reached) Number(state []uint64) int32 { return r.states.Find(state) }
