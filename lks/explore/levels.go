package explore

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Breadth-first search level by level, by one or more workers.
//
// A level is worked off in windows of blocks of states. Every worker explores its
// share of the window, and then what others have left. Workers share one exact store
// without locks (exact.go). For other stores the states are
// divided by hash among several of them, each with a lock: a worker adds successors
// by the hundred, and keeps the new ones for the next level. So such a store needs no
// care for concurrency, and workers hardly ever wait for each other. New states stay
// in the order in which they were found, neighbours beside each other: so a worker
// often meets the same successor again soon, and then need not ask any store.
// Neither verdicts nor counts depend on who does what.

const (
	blockStates = 1024    // states of a block, fewer if that exceeds
	blockWords  = 1 << 14 // words
	windowShare = 32      // blocks of a window, for each worker if there are several
	// A window with fewer states than this is not worth waking others for.
	alone       = 256
	storesEach  = 4 // stores for each worker if there are several, and none is shared
	storesMost  = 1 << 10
	storeStates = 512 // states that are divided among the stores at once
	// A window ends early when so many words of successors have come of it.
	windowMost = 1 << 24
)

// levels is one search.
type levels struct {
	*Reached
	opts    Options
	special bool // some state may be in error or terminated
	workers []*levelWorker
	stores  []lockedStore
	exact   *exactStore // the only store, if it is of this kind

	level    [][]uint64   // blocks of the level yet to be explored
	window   [][]uint64   // blocks being explored
	produced atomic.Int64 // words of successors that have come of the window
	saved    time.Time    // when the last checkpoint was written

	blocks sync.Mutex // guards the following
	spare  [][]uint64 // empty blocks
	queued int64      // bytes of all blocks
}

// lockedStore has a part of the states.
type lockedStore struct {
	sync.Mutex
	stateStore
}

type levelWorker struct {
	search    *levels
	explorer  *lks.Explorer
	succ      lks.Successors
	recent    *statetable.Recent
	different lks.Distinct
	first     atomic.Int64 // block of the window that is the next of its share
	end       int64        // of its share
	rest      [][]uint64   // parts of blocks that the window has not come to
	inserter  inserter     // into the shared store; nil without
	left      []uint64     // states for which that had no room
	pending   []uint64     // successors to be added
	which     []uint16     // their stores
	out       parcels
	fresh     []uint64
	lost      int        // words of new states that have no place in the order; none, unless there is a mistake
	next      [][]uint64 // new states, blocks of the next level; the last one is being filled

	phases Phases
	watch  *stopwatch

	transitions, deadlocks, ends, errors int64
	// The least of the findings of the first level with any, until l.settle.
	found [numFindings][]uint64
}

// stateStore is a set of states. AddAll adds the states, which lie one after the
// other, and appends those that were new to fresh, in their order.
type stateStore interface {
	AddAll(states, fresh []uint64) []uint64
	Len() int
	Bytes() int64
}

func reachByLevels(n *lks.Network, opts Options) (*Reached, error) {
	r := &Reached{Deadlock: -1, Error: -1, Goal: -1, Store: opts.Store, Workers: max(1, opts.Workers), net: n}
	if opts.Traces {
		return r, fmt.Errorf("explore: only the %v store keeps traces, not %v", Numbered, opts.Store)
	}
	if opts.Disk != "" {
		if opts.Store != Exact {
			return r, errors.New("explore: states on disk need the exact store")
		}
		dir, err := statesFolder(&opts)
		if err != nil {
			return r, err
		}
		defer removeStates(&opts, dir)
		opts.Disk = dir
	}
	l := &levels{Reached: r, opts: opts, special: n.Special()}
	stores := 1
	switch {
	case r.Workers > 1 && opts.Disk != "":
		stores = min(storesMost, r.Workers) // every store has files
	case r.Workers > 1 && opts.Store != Exact:
		stores = min(storesMost, storesEach*r.Workers)
	}
	l.stores = make([]lockedStore, stores)
	for i := range l.stores {
		store, err := newStateStore(n, opts, i, stores)
		if err != nil {
			return r, err
		}
		l.stores[i].stateStore = store
	}
	l.exact, _ = l.stores[0].stateStore.(*exactStore)
	for range r.Workers {
		l.workers = append(l.workers, &levelWorker{
			search: l, explorer: n.Explorer(), recent: statetable.NewRecent(n.Words()),
			out: newParcels(len(l.stores)), watch: newStopwatch(),
		})
	}
	for i, w := range l.workers {
		switch {
		case l.exact == nil:
		case i == 0:
			w.inserter = l.exact.first
		default:
			w.inserter = l.exact.inserter()
		}
	}
	err := budget.Within(l.run)
	l.count()
	l.time()
	return r, err
}

func (l *levels) run() error {
	team := newTeam(len(l.workers))
	defer team.stop()
	resumed, err := l.resume()
	if l.opts.Checkpoint != "" {
		l.lap(&l.workers[0].phases.Checkpoint)
	}
	if err != nil {
		return err
	}
	if !resumed {
		first := l.workers[0]
		first.explorer.Initial(&first.succ)
		first.send(first.succ.States)
		first.flush()
		l.makeRoom()
		if err := l.settleDisk(team); err != nil {
			return err
		}
		l.settle()
		if l.nextLevel(); l.finished() {
			return nil
		}
	}
	err = l.windows(team)
	l.settle()
	if err == nil && l.opts.Checkpoint != "" {
		l.Unsaved = removeCheckpoint(l.opts.Checkpoint)
	}
	l.Ended = err == nil && len(l.level) == 0
	l.Complete = l.Ended && !l.opts.Store.Lossy()
	return err
}

// windows works off level after level.
func (l *levels) windows(team *team) error {
	for ; len(l.level) > 0; l.nextLevel() {
		for len(l.level) > 0 {
			if err := l.tick(); err != nil {
				l.checkpoint(true)
				return err
			}
			l.checkpoint(false)
			l.takeWindow()
			if len(l.window) == 1 && len(l.window[0]) < alone*l.net.Words() {
				l.workers[0].explore()
			} else {
				l.all(team, (*levelWorker).explore)
			}
			l.putBack()
			l.makeRoom()
		}
		for _, w := range l.workers {
			if w.lost > 0 {
				return bug.Errorf("exploration", "it lost %d new states", w.lost/l.net.Words())
			}
		}
		if err := l.settleDisk(team); err != nil {
			return err
		}
		if l.settle(); l.finished() {
			l.nextLevel()
			return nil
		}
		l.Depth++
	}
	l.Depth = max(0, l.Depth-1)
	return nil
}

// all has every worker do something, and keeps the time.
func (l *levels) all(team *team, do func(*levelWorker)) {
	l.lap(&l.workers[0].phases.Queue)
	team.do(func(i int) {
		w := l.workers[i]
		w.watch.lap(&w.phases.Waiting)
		do(w)
		w.watch.lap(&w.phases.Queue)
	})
	l.lap(&l.workers[0].phases.Waiting)
}

// lap adds the time since the last lap to a phase of the worker that also directs
// the others.
func (l *levels) lap(phase *time.Duration) { l.workers[0].watch.lap(phase) }

// time sums up where the time went.
func (l *levels) time() {
	l.lap(&l.workers[0].phases.Queue)
	l.Elapsed = l.workers[0].watch.elapsed()
	for _, w := range l.workers {
		// The others have waited since their last lap.
		w.phases.Waiting += l.Elapsed - w.phases.Total()
		l.Phases.add(w.phases)
	}
}

// settle chooses among what the workers have found on the level explored last.
func (l *levels) settle() {
	l.QueueBytes = l.queued
	for kind, found := range l.findings() {
		if *found == nil {
			for _, w := range l.workers {
				*found = least(*found, w.found[kind])
			}
		}
	}
}

// Kinds of findings.
const (
	foundDeadlock = iota
	foundError
	foundGoal
	numFindings
)

func (l *levels) findings() [numFindings]*[]uint64 {
	return [numFindings]*[]uint64{&l.DeadlockState, &l.ErrorState, &l.GoalState}
}

// finished reports whether something was found at which the search is to stop.
func (l *levels) finished() bool {
	return l.opts.StopAtDeadlock && l.DeadlockState != nil || l.opts.StopAtError && l.ErrorState != nil ||
		l.opts.StopAtGoal && l.GoalState != nil
}

// nextLevel gathers the new states of all workers.
func (l *levels) nextLevel() {
	for _, w := range l.workers {
		for _, b := range w.next {
			if len(b) > 0 {
				l.level = append(l.level, b)
			} else {
				l.spare = append(l.spare, b)
			}
		}
		w.next = w.next[:0]
	}
}

// takeWindow moves blocks from the level to the window, and those of the last
// window, which are empty now, to the spare ones.
func (l *levels) takeWindow() {
	for _, b := range l.window {
		if b != nil {
			l.spare = append(l.spare, b[:0])
		}
	}
	k := 1
	if len(l.workers) > 1 {
		k = min(len(l.level), windowShare*len(l.workers))
	}
	// From the end, which costs nothing: the order within a level is of no account.
	rest := len(l.level) - k
	l.window = append(l.window[:0], l.level[rest:]...)
	clear(l.level[rest:])
	l.level = l.level[:rest]
	l.produced.Store(0)
	for i, w := range l.workers {
		w.first.Store(int64(k * i / len(l.workers)))
		w.end = int64(k * (i + 1) / len(l.workers))
	}
}

// putBack puts back into the level what a window that ended early has not come to.
func (l *levels) putBack() {
	for _, w := range l.workers {
		for b := w.first.Load(); b < w.end; b++ {
			l.level = append(l.level, l.window[b])
			l.window[b] = nil
		}
		w.first.Store(w.end)
		l.level = append(l.level, w.rest...)
		w.rest = w.rest[:0]
	}
}

// count sums up what the workers have counted and found.
func (l *levels) count() {
	l.States, l.Transitions, l.Deadlocks, l.Ends, l.Errors, l.bytes, l.Missed, l.Load = 0, 0, 0, 0, 0, 0, 0, 0
	for i := range l.stores {
		store := l.stores[i].stateStore
		l.States += int64(store.Len())
		l.bytes += store.Bytes()
		if lossy, ok := store.(interface{ Missed() float64 }); ok {
			l.Missed += lossy.Missed()
		}
		if table, ok := store.(interface{ Load() float64 }); ok {
			l.Load += table.Load() / float64(len(l.stores))
		}
	}
	for _, w := range l.workers {
		l.Transitions += w.transitions
		l.Deadlocks += w.deadlocks
		l.Ends += w.ends
		l.Errors += w.errors
	}
	l.States -= l.Errors
}

func (l *levels) tick() error {
	if l.exact != nil && l.exact.Nodes() > mostNodes {
		return budget.Full("states", int(l.exact.Nodes()), l.progress())
	}
	if l.opts.Meter == nil {
		return nil
	}
	return l.opts.Meter.Tick(l.progress())
}

func (l *levels) progress() budget.Progress {
	p := budget.Progress{Phase: "exploring", Depth: l.Depth}
	for i := range l.stores {
		p.States += int64(l.stores[i].Len())
	}
	for _, w := range l.workers {
		p.Transitions += w.transitions
	}
	return p
}

// least returns the lesser of two states, either of which may be nil.
func least(a, b []uint64) []uint64 {
	if a == nil || b != nil && slices.Compare(b, a) < 0 {
		return b
	}
	return a
}

// explore explores blocks of the window while there are any.
func (w *levelWorker) explore() {
	l := w.search
	me := slices.Index(l.workers, w)
	for i := range l.workers {
		// First its own share, then what others have left.
		share := l.workers[(me+i)%len(l.workers)]
		for !l.crowded() && !l.full() {
			b := share.first.Add(1) - 1
			if b >= share.end {
				break
			}
			w.exploreBlock(b)
		}
	}
	w.flush()
}

// full reports whether so much has come of the window that the meter is to be asked.
func (l *levels) full() bool { return l.produced.Load() > windowMost }

func (w *levelWorker) exploreBlock(number int64) {
	l := w.search
	words := l.net.Words()
	for block := l.window[number]; len(block) > 0; {
		if l.full() {
			w.rest, l.window[number] = append(w.rest, block), nil
			return
		}
		w.watch.lap(&w.phases.Queue)
		block = w.generate(block, min(batchStates*words, len(block)))
		l.produced.Add(int64(len(w.succ.States)))
		w.watch.lap(&w.phases.Successors)
		w.send(w.succ.States)
	}
}

// send has states added to their stores, soon. It overwrites them.
func (w *levelWorker) send(states []uint64) {
	states = w.recent.Filter(states, states[:0])
	if w.inserter != nil {
		w.watch.lap(&w.phases.Queue)
		w.addExact(states)
		return
	}
	if len(w.search.stores) == 1 {
		w.fresh = w.add(0, states, w.fresh[:0])
		w.inspect(w.fresh)
		w.queue(w.fresh)
		return
	}
	if w.pending = append(w.pending, states...); len(w.pending) >= storeStates*w.search.net.Words() {
		w.flush()
	}
}

// parcels are the states that are to go to each store, and those of them that
// were new.
type parcels struct {
	states, fresh, rest [][]uint64
}

func newParcels(stores int) parcels {
	return parcels{make([][]uint64, stores), make([][]uint64, stores), make([][]uint64, stores)}
}

// flush has the pending states added, and keeps and looks at the new ones.
func (w *levelWorker) flush() {
	if w.inserter != nil {
		w.inserter.Flush()
		return
	}
	words := w.search.net.Words()
	w.which = statetable.Route(w.pending, words, w.out.states, w.which[:0])
	for i, states := range w.out.states {
		w.out.fresh[i] = w.add(i, states, w.out.fresh[i][:0])
		w.out.states[i] = states[:0]
	}
	w.fresh = w.merge(w.fresh[:0])
	w.pending = w.pending[:0]
	w.inspect(w.fresh)
	w.queue(w.fresh)
}

// merge brings the new states of all stores into the order of w.pending.
func (w *levelWorker) merge(to []uint64) []uint64 {
	words := w.search.net.Words()
	copy(w.out.rest, w.out.fresh)
	for i, store := range w.which {
		rest, state := w.out.rest[store], w.pending[i*words:(i+1)*words]
		if len(rest) > 0 && rest[0] == state[0] && slices.Equal(rest[:words], state) {
			to = append(to, state...)
			w.out.rest[store] = rest[words:]
		}
	}
	for _, rest := range w.out.rest {
		w.lost += len(rest)
	}
	return to
}

// generate computes the transitions of the states of so many words of a block, or of
// fewer, if these have very many, and returns the rest of the block.
func (w *levelWorker) generate(block []uint64, batch int) (rest []uint64) {
	words := w.search.net.Words()
	multiple := w.explorer.Alternatives()
	w.succ.Reset()
	at := 0
	for ; at < batch && len(w.succ.States) < batchMost; at += words {
		state := block[at : at+words]
		before := w.succ.Len()
		w.explorer.AppendSuccessors(state, &w.succ)
		switch added := w.succ.Len() - before; {
		case added == 0:
			w.final(state)
		case multiple:
			w.transitions += w.different.Count(w.search.net, &w.succ, before, w.succ.Len())
		default:
			w.transitions += int64(added)
		}
	}
	return block[at:]
}

// final looks at a state without successors.
func (w *levelWorker) final(state []uint64) {
	kind := lks.Normal
	if w.search.special {
		kind = w.search.net.Kind(state)
	}
	switch kind {
	case lks.End:
		w.ends++
	case lks.Normal:
		w.deadlocks++
		w.find(foundDeadlock, state, w.search.DeadlockState)
	}
}

// find notes a finding, unless there was one on an earlier level.
func (w *levelWorker) find(kind int, state, earlier []uint64) {
	if best := w.found[kind]; earlier == nil && (best == nil || slices.Compare(state, best) < 0) {
		w.found[kind] = slices.Clone(state)
	}
}

// add adds states to a store, and appends the new ones to fresh.
func (w *levelWorker) add(store int, states, fresh []uint64) []uint64 {
	s := &w.search.stores[store]
	w.watch.lap(&w.phases.Queue)
	s.Lock()
	if d, ok := s.stateStore.(*diskStore); ok {
		d.gather(states)
		s.Unlock()
		w.watch.lap(&w.phases.Disk)
		return fresh
	}
	fresh = s.AddAll(states, fresh)
	s.Unlock()
	w.watch.lap(&w.phases.Store)
	return fresh
}

// queue has new states explored on the next level.
func (w *levelWorker) queue(states []uint64) {
	words := w.search.net.Words()
	for len(states) > 0 {
		last := len(w.next) - 1
		if last < 0 || len(w.next[last]) == cap(w.next[last]) {
			w.next = append(w.next, w.search.newBlock())
			last++
		}
		b := w.next[last]
		k := min(len(states), (cap(b)-len(b))/words*words)
		w.next[last] = append(b, states[:k]...)
		states = states[k:]
	}
}

// settleDisk has stores on disk say which states of the level were new. It takes
// as long as reading all states, so that the meter is asked meanwhile.
func (l *levels) settleDisk(team *team) error {
	if l.opts.Disk == "" {
		return nil
	}
	progress := l.progress()
	var next atomic.Int64
	var halted atomic.Bool
	var reason error
	l.all(team, func(w *levelWorker) {
		halt := func() bool {
			if w == l.workers[0] && reason == nil && l.opts.Meter != nil {
				reason = l.opts.Meter.Tick(progress)
				halted.Store(reason != nil)
			}
			return halted.Load()
		}
		for i := next.Add(1) - 1; i < int64(len(l.stores)) && !halted.Load(); i = next.Add(1) - 1 {
			l.stores[i].stateStore.(*diskStore).settle(w.keep, halt)
		}
		w.watch.lap(&w.phases.Disk)
	})
	for i := range l.stores {
		if err := l.stores[i].stateStore.(*diskStore).err; err != nil {
			return err
		}
	}
	return reason
}

// keep notes a new state.
func (w *levelWorker) keep(state []uint64) {
	w.inspect(state)
	w.queue(state)
}

// newBlock returns an empty block.
func (l *levels) newBlock() []uint64 {
	l.blocks.Lock()
	defer l.blocks.Unlock()
	if n := len(l.spare) - 1; n >= 0 {
		b := l.spare[n]
		l.spare = l.spare[:n]
		return b
	}
	words := l.net.Words()
	b := make([]uint64, 0, max(1, min(blockStates, blockWords/words))*words)
	l.queued += int64(cap(b)) * 8
	return b
}

// inspect looks for errors and goals among new states.
func (w *levelWorker) inspect(states []uint64) {
	l := w.search
	if !l.special && l.opts.Goal == nil {
		return
	}
	words := l.net.Words()
	for ; len(states) > 0; states = states[words:] {
		state := states[:words]
		if l.special && l.net.Kind(state) == lks.Error {
			w.errors++
			w.find(foundError, state, l.ErrorState)
		}
		if l.opts.Goal != nil && l.GoalState == nil && l.opts.Goal(state) {
			w.find(foundGoal, state, l.GoalState)
		}
	}
}

// team runs a function by several goroutines at once, the caller being one.
type team struct {
	work    []chan func(int)
	wait    sync.WaitGroup
	aborted atomic.Pointer[any] // by what a member was aborted
}

func newTeam(n int) *team {
	t := &team{}
	for i := 1; i < n; i++ {
		work := make(chan func(int))
		t.work = append(t.work, work)
		go func() {
			for f := range work {
				t.member(f, i)
			}
		}()
	}
	return t
}

// member calls f for one. If that is aborted (budget.Abort), so is do.
func (t *team) member(f func(int), i int) {
	defer t.wait.Done()
	defer func() {
		switch p := recover(); {
		case p == nil:
		case budget.Aborted(p) == nil:
			panic(p) // here, where it happened
		default:
			t.aborted.CompareAndSwap(nil, &p)
		}
	}()
	f(i)
}

// do calls f once for every member of the team and returns when all are done.
func (t *team) do(f func(member int)) {
	t.wait.Add(len(t.work))
	for _, w := range t.work {
		w <- f
	}
	t.wait.Add(1)
	t.member(f, 0)
	t.wait.Wait()
	if p := t.aborted.Swap(nil); p != nil {
		panic(*p)
	}
}

func (t *team) stop() {
	for _, w := range t.work {
		close(w)
	}
}
