package emptiness

// Multi-core nested depth-first search: [Evangelista12], algorithm 2
// (CNDFS). Every worker runs a nested search of its own, in an order of its own,
// and leaves out what others have marked blue (all of whose successors were blue,
// or on the stack of who marked it) or red (on no accepting cycle). A worker
// whose red search ends marks what it found red only when the accepting states
// among it, its seed apart, have been marked by those who have them as seeds.
//
// A cycle of the product stays in one strongly connected component of the
// automaton. So CNDFS is needed only for components with an accepting state on a
// cycle, for each by itself, with the states where runs enter it as roots, and its
// red search need not leave it. A state whose automaton part is in no such component
// (plain) is on no accepting cycle: it is marked blue by who enters it, and nobody
// else does. Without this, most states would be on everybody's stack: where the
// network can always return, a search leaves states only when it has seen nearly all.
// The part where cycles would be accepting is acyclic, in a weak component, as long as
// none is found, and the searches leave its states soon.
//
// A worker that has nothing to do gets successors that are still to come from the
// stack of another, of plain states only, so that those of other states are done, or
// on the stack, when their state is left. If there are none, it is sent to where the
// other one entered the component of the automaton that it is in, to search it too.
//
// As in ndfs, a cycle is also found as soon as the blue search closes one with an
// accepting state at either end of the closing edge. For weak automata that
// suffices: of the states of an accepting cycle let s be the first that becomes
// blue, by worker i. Its successor on the cycle was not blue then, so it was on
// the stack of worker i, and all states of the cycle it closed are accepting. For the
// same reason a worker may leave a state early that another has made blue.
//
// Which cycle is found depends on chance, that there is one does not.

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/product/internal/meet"
)

// mostWorkers have room for their marks.
const mostWorkers = (statetable.MostMarks - 2) / 2

// workerMarks returns the marks of a worker, cyan, as in ndfs, and pink, met by the red
// search under way, and how many marks so many workers need. For a weak automaton none
// is pink or red: the fewer marks, the more often they have room in states.
func workerMarks(weak bool, id, workers int) (cyan, pink uint32, marks uint) {
	if weak {
		return markRed << id, 0, uint(1 + workers)
	}
	return markCyan << (2 * id), markCyan << (2*id + 1), uint(2 + 2*workers)
}

// cndfs is one parallel search.
type cndfs struct {
	g       *meet.Graph
	table   *statetable.Shared
	workers []*cndfsWorker

	stop   atomic.Bool
	hungry atomic.Int32 // workers that wait for work, and find none

	lock   sync.Mutex // guards the rest, and the meter
	change sync.Cond  // of what idle and parked workers wait for
	work   []cndfsTask
	idle   int // workers that wait for work
	parked int // workers that wait for the table to grow
	stem   []uint64
	loop   []uint64 // of the lasso that was found first; see graph.pathOfPacked
	err    error

	meet.Counts
}

// cndfsTask is a list of states to search from, and the states of a run to where
// all of them are successors of the last.
type cndfsTask struct{ prefix, states []int32 }

type cndfsWorker struct {
	storedSearch // its graph is the worker's own
	search       *cndfs
	id           int
	cyan, pink   uint32
	random       *rand.Rand

	prefix    []int32 // a run to the bottom of the blue stack
	blue, red dfsStack
	met       []int32 // states met by the red search
	seeds     []int32 // accepting ones among them

	expanded, followed int64 // since the last report
	sinceTick          int
	patience           int // expansions until work is offered again
	start              int // see position
}

// newCNDFS prepares a search by so many workers, or as many as there can be, of what ndfs
// would search in g.
// worker makes the graph of a worker, which must expand as g does.
func newCNDFS(g *meet.Graph, workers int, worker func() (*meet.Graph, error)) (*cndfs, error) {
	workers = min(workers, mostWorkers)
	_, _, marks := workerMarks(g.Aut.Weak, 0, workers)
	c := &cndfs{g: g, table: statetable.NewShared(g.Words, g.Used, marks, workers)}
	c.change.L = &c.lock
	for id := range workers {
		own, err := worker()
		if err != nil {
			return nil, err
		}
		w := &cndfsWorker{storedSearch: newStoredSearch(own, c.table), search: c, id: id, random: rand.New(rand.NewPCG(uint64(id), 0))}
		w.cyan, w.pink, _ = workerMarks(g.Aut.Weak, id, workers)
		c.workers = append(c.workers, w)
	}
	return c, nil
}

// Run returns an accepting lasso of the product, in terms of g, nil if there is
// none.
func (c *cndfs) Run() (*meet.Path, error) {
	roots, err := c.g.InitialPacked()
	if err != nil {
		return nil, err
	}
	var wait sync.WaitGroup
	for _, w := range c.workers {
		wait.Go(func() {
			if err := budget.Within(func() error { w.run(roots); return nil }); err != nil {
				c.fail(err)
			}
		})
	}
	wait.Wait()
	for _, w := range c.workers {
		_ = w.report() // a limit that is met now is too late
		c.g.Stopped = c.g.Stopped || w.g.Stopped
	}
	c.g.Counts = c.Counts
	switch {
	case c.stem != nil:
		return c.g.PathOf(c.stem, c.loop)
	case c.err != nil:
		return nil, c.err
	}
	return nil, nil
}

// fail ends the search without an answer.
func (c *cndfs) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.err == nil {
		c.err = err
	}
	c.halt()
}

// halt ends the search; the lock is held.
func (c *cndfs) halt() {
	c.stop.Store(true)
	c.change.Broadcast()
}

// Len, Bytes and All are those of the table.
func (c *cndfs) Len() int                            { return c.table.Len() }
func (c *cndfs) Bytes() int64                        { return c.table.Bytes() }
func (c *cndfs) All(yield func(state []uint64) bool) { c.table.All(yield) }

// Workers returns how many search.
func (c *cndfs) Workers() int { return len(c.workers) }

// StackBytes returns the memory of the stacks.
func (c *cndfs) StackBytes() int64 {
	total := int64(0)
	for _, w := range c.workers {
		total += w.blue.bytes() + w.red.bytes() + int64(cap(w.met)+cap(w.seeds)+cap(w.prefix))*4
	}
	return total
}

// take waits for work; false: there is none, or the search has ended.
func (c *cndfs) take() (cndfsTask, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.idle++
	c.hungry.Add(1)
	if c.idle+c.parked == len(c.workers) {
		c.change.Broadcast()
	}
	for len(c.work) == 0 {
		if c.stop.Load() || c.idle == len(c.workers) {
			c.halt()
			return cndfsTask{}, false
		}
		c.change.Wait()
	}
	c.idle--
	c.hungry.Add(-1)
	t := c.work[len(c.work)-1]
	c.work = c.work[:len(c.work)-1]
	return t, !c.stop.Load()
}

// offer gives work to those that wait.
func (c *cndfs) offer(tasks []cndfsTask) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.work = append(c.work, tasks...)
	c.change.Broadcast()
}

// makeRoom waits until no worker uses the table, and has it grow.
func (w *cndfsWorker) makeRoom() {
	c := w.search
	w.in.Flush()
	c.lock.Lock()
	defer c.lock.Unlock()
	c.parked++
	for c.table.Crowded() && !c.stop.Load() {
		if c.parked+c.idle == len(c.workers) {
			c.table.Grow()
			c.change.Broadcast()
			break
		}
		c.change.Wait()
	}
	c.parked--
}

func (w *cndfsWorker) run(roots []uint64) {
	defer w.in.Flush()
	if !w.enter(roots) {
		return
	}
	if !w.searchFrom(cndfsTask{states: slices.Clone(w.numbers)}) {
		return
	}
	for {
		w.in.Flush()
		t, ok := w.search.take()
		if !ok || !w.searchFrom(t) {
			return
		}
	}
}

// enter is insert where there is always room, until the search ends.
func (w *cndfsWorker) enter(states []uint64) bool {
	for !w.insert(states) || w.table.Crowded() {
		w.makeRoom()
		if w.search.stop.Load() {
			return false
		}
	}
	return true
}

// expand finds the successors of a state, and reports whether the search goes on.
func (w *cndfsWorker) expand(state int32) bool {
	g := w.g
	w.table.State(state, w.packed)
	g.FollowTargets(w.packed)
	if !w.enter(g.Targets) {
		return false
	}
	w.expanded++
	w.followed += int64(len(w.numbers))
	g.Depth = max(g.Depth, int64(len(w.prefix)+len(w.blue.frames)+len(w.red.frames)))
	every := budget.TickEvery
	if g.MaxStates > 0 {
		every = 64
	}
	if w.sinceTick += 1 + len(g.Targets)/16; w.sinceTick >= every {
		w.sinceTick = 0
		if err := w.report(); err != nil {
			w.search.fail(err)
		}
	}
	return !w.search.stop.Load()
}

// report adds up the figures and asks the meter.
func (w *cndfsWorker) report() error {
	c := w.search
	c.lock.Lock()
	defer c.lock.Unlock()
	c.Expanded += w.expanded
	c.Transitions += w.followed
	c.Depth = max(c.Depth, w.g.Depth)
	w.expanded, w.followed = 0, 0
	p := budget.Progress{Phase: "searching", States: int64(c.table.Len()), Transitions: c.Transitions, Depth: c.Depth}
	if c.table.Full() {
		return budget.Full("states", c.table.Len(), p)
	}
	return c.g.Meter.Tick(p)
}

// searchFrom runs blue searches from the states of a task, and reports whether the
// search as a whole goes on.
func (w *cndfsWorker) searchFrom(t cndfsTask) bool {
	w.prefix = t.prefix
	for _, s := range t.states {
		if !w.searchBlue(s) {
			return false
		}
	}
	return true
}

// searchBlue is dfsBlue from a state, unless that is done.
func (w *cndfsWorker) searchBlue(root int32) bool {
	w.blue.clear()
	if !w.pushBlue(root) {
		return false
	}
	for len(w.blue.frames) > 0 {
		w.share()
		t := w.blue.next()
		goesOn := true
		switch {
		case t < 0:
			goesOn = w.popBlue()
		case w.leaves():
			w.blue.top().next = w.blue.top().end
		default:
			goesOn = w.pushBlue(t)
		}
		if !goesOn {
			return false
		}
	}
	return true
}

// leaves reports whether another worker has made the state on top blue, of those
// that are not blue from the start, where that is a reason to leave it.
func (w *cndfsWorker) leaves() bool {
	f := w.blue.top()
	return w.g.Aut.Weak && !f.plain && w.table.Marks(f.state)&markBlue != 0
}

// claim marks a state as entered by the blue search of this worker, and reports
// whether it should enter it.
func (w *cndfsWorker) claim(state int32, plain bool) bool {
	if plain {
		return w.table.Mark(state, markBlue, 0)&markBlue == 0
	}
	if w.table.Marks(state)&(markBlue|w.cyan) != 0 {
		return false
	}
	w.table.Mark(state, w.cyan, 0)
	return true
}

// pushBlue enters a state, unless another has or it is on the stack, and reports
// whether the search goes on.
func (w *cndfsWorker) pushBlue(s int32) bool {
	plain := w.g.Aut.Plain[w.partOf(s)]
	if !w.claim(s, plain) {
		return true
	}
	w.blue.push(s).plain = plain
	if !w.expand(s) {
		return false
	}
	g := w.g
	if g.Universal() {
		w.found(w.blue.states(0), nil)
		return false
	}
	accepts := g.Aut.Accepting[g.Current]
	fresh := len(w.blue.targets)
	for i := range w.marks {
		i = w.position(i)
		switch t, m := w.numbers[i], w.marks[i]; {
		case m&w.cyan != 0:
			if accepts || g.Aut.Accepting[g.AutomatonPart(g.Targets[i*g.Words:])] {
				w.found(w.blue.lasso(t, nil))
				return false
			}
		case m&markBlue != 0:
		case m == 0:
			// States that nobody has met come first.
			w.blue.targets = append(w.blue.targets, t)
			last := len(w.blue.targets) - 1
			w.blue.targets[fresh], w.blue.targets[last] = t, w.blue.targets[fresh]
			fresh++
		default:
			w.blue.targets = append(w.blue.targets, t)
		}
	}
	w.blue.top().end = len(w.blue.targets)
	return true
}

// position returns the place of the i-th successor in this worker's order: the first
// goes as ndfs does, the second the other way round, others begin anywhere.
func (w *cndfsWorker) position(i int) int {
	switch n := len(w.marks); w.id {
	case 0:
		return i
	case 1:
		return n - 1 - i
	default:
		if i == 0 {
			w.start = w.random.IntN(n)
		}
		return (w.start + i) % n
	}
}

// partOf returns the automaton's part of a state.
func (s *storedSearch) partOf(state int32) int32 {
	s.table.State(state, s.packed)
	return s.g.AutomatonPart(s.packed)
}

// found ends the search with a lasso, of which the worker has all but the prefix,
// unless one was found before.
func (w *cndfsWorker) found(stem, loop []int32) {
	c := w.search
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.stem == nil {
		c.stem = w.packedOf(slices.Concat(w.prefix, stem))
		if loop != nil {
			c.loop = w.packedOf(loop)
		}
	}
	c.halt()
}

// popBlue leaves the top of the blue stack, all of whose successors are done, and
// reports whether the search goes on.
func (w *cndfsWorker) popBlue() bool {
	f := *w.blue.top()
	if !f.plain {
		w.table.Mark(f.state, markBlue, 0)
		if !w.g.Aut.Weak && w.accepting(f.state) && !w.searchRed(f.state) {
			return false
		}
		w.table.Mark(f.state, 0, w.cyan)
	}
	w.blue.pop()
	return true
}

// searchRed is dfsRed from the accepting state on top of the blue stack, and what
// comes after it.
func (w *cndfsWorker) searchRed(seed int32) bool {
	w.red.clear()
	w.met, w.seeds = w.met[:0], w.seeds[:0]
	component := w.g.Aut.Component[w.partOf(seed)]
	goesOn := w.pushRed(seed, component)
	for goesOn && len(w.red.frames) > 0 {
		t := w.red.next()
		if t < 0 {
			w.red.pop()
		} else if w.table.Marks(t)&(markRed|w.pink) == 0 {
			goesOn = w.pushRed(t, component)
		}
	}
	return goesOn && w.await()
}

// pushRed enters a state of the red search, whose automaton part is in a component.
func (w *cndfsWorker) pushRed(s, component int32) bool {
	w.red.push(s)
	if !w.expand(s) {
		return false
	}
	g := w.g
	w.table.Mark(s, w.pink, 0)
	w.met = append(w.met, s)
	if g.Aut.Accepting[g.Current] && len(w.red.frames) > 1 {
		w.seeds = append(w.seeds, s)
	}
	for i := range w.marks {
		i = w.position(i)
		t, m := w.numbers[i], w.marks[i]
		if m&w.cyan != 0 {
			w.found(w.blue.lasso(t, w.red.states(1)))
			return false
		}
		if m&(w.pink|markRed) == 0 && g.Aut.Component[g.AutomatonPart(g.Targets[i*g.Words:])] == component {
			w.red.later(t)
		}
	}
	return true
}

// await waits until the accepting states of the red search, its seed apart, are
// red by the work of others, and then marks all its states red.
func (w *cndfsWorker) await() bool {
	for _, s := range w.seeds {
		for w.table.Marks(s)&markRed == 0 {
			if w.search.stop.Load() {
				return false
			}
			if w.table.Crowded() {
				w.makeRoom()
			}
			runtime.Gosched()
		}
	}
	for _, s := range w.met {
		w.table.Mark(s, markRed, w.pink)
	}
	return true
}

// Offers of work.
const (
	offerEvery = 64      // expansions between two looks at whether others want work
	offerLater = 4096    // the same, if there was none to give
	mostOffer  = 1 << 12 // states
)

// share gives work to those that have none.
func (w *cndfsWorker) share() {
	c := w.search
	if w.patience--; w.patience > 0 {
		return
	}
	w.patience = offerEvery
	if c.hungry.Load() == 0 {
		return
	}
	tasks := w.spare()
	if tasks == nil {
		w.patience = offerLater
		return
	}
	c.offer(tasks)
}

// spare takes up to half of the successors that are still to come off the stack, from
// the bottom, of plain states; or has others search the component of the automaton
// that this worker is in.
func (w *cndfsWorker) spare() []cndfsTask {
	frames, states := w.blue.frames, w.blue.targets
	most := min(mostOffer, len(states)/2+1)
	given, inner := 0, -1
	var tasks []cndfsTask
	run := slices.Concat(w.prefix, w.blue.states(0))
	for i := range frames {
		f := &frames[i]
		if !f.plain {
			if inner < 0 {
				inner = i
			}
			continue
		}
		inner = -1
		if given >= most || f.next == f.end {
			continue
		}
		var list []int32
		for _, t := range states[f.next:f.end] {
			if w.table.Marks(t)&markBlue == 0 {
				list = append(list, t)
			}
		}
		f.next = f.end
		if len(list) > 0 {
			tasks = append(tasks, cndfsTask{run[:len(w.prefix)+i+1], list})
			given += len(list)
		}
	}
	if tasks == nil && inner >= 0 && w.table.Marks(frames[inner].state)&markBlue == 0 {
		at := len(w.prefix) + inner
		tasks = append(tasks, cndfsTask{run[:at:at], []int32{frames[inner].state}})
	}
	return tasks
}
