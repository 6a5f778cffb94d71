package product

// Multi-core nested depth-first search: Evangelista, Laarman, Petrucci and van de
// Pol, "Improved multi-core nested depth-first search" (ATVA 2012), algorithm 2
// (CNDFS). Every worker runs a nested search of its own, in an order of its own,
// and leaves out what others have marked blue (all of whose successors were blue,
// or on the stack of who marked it) or red (on no accepting cycle). A worker
// whose red search ends marks what it found red only when the accepting states
// among it, its seed apart, have been marked by those who have them as seeds.
//
// As in ndfs, a cycle is also found as soon as the blue search closes one with an
// accepting state at either end of the closing edge. For weak automata that
// suffices: of the states of an accepting cycle let s be the first that becomes
// blue, by worker i. Its successor on the cycle was not blue then, so it was on
// the stack of worker i, and all states of the cycle it closed are accepting.
//
// Which cycle is found depends on chance, that there is one does not.

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/internal/statetable"
)

// Marks of a state that all workers see.
const (
	markBlue uint32 = 1
	markRed  uint32 = 2
)

// Marks of a state that only one worker sees.
const (
	localCyan uint8 = 1 // on the blue stack
	localPink uint8 = 2 // met by the red search that is under way
	localSeed uint8 = 4 // added to cyan: accepting
)

// cndfs is one parallel search. What it finds is put into the table of the graph
// that it was made for.
type cndfs struct {
	g       *graph
	weak    bool
	table   *statetable.Shared
	roots   []uint64
	workers []*cndfsWorker

	stop atomic.Bool
	lock sync.Mutex // guards the rest, and the meter
	stem []uint64   // of the lasso that was found first: packed states, from a root on
	loop []uint64   // from the state where the loop starts back to it; nil: see finish
	err  error

	states, expanded, transitions, depth int64
}

type cndfsWorker struct {
	search *cndfs
	id     int
	g      *graph // for expansion only; its table is not used
	random *rand.Rand
	local  [statetable.Shards][]uint8

	blue, red pstack
	pink      []int32 // states met by the red search
	seeds     []int32 // accepting ones among them

	numbers   []int32
	order     []int32
	expanded  int64 // since the last tick
	followed  int64 // transitions, likewise
	sinceTick int
}

// pstack is the stack of a depth-first search whose states are packed.
type pstack struct {
	words   int
	frames  []pframe
	states  []uint64 // of the frames
	numbers []int32  // successors that are still to come
	targets []uint64 // the same, packed
}

type pframe struct {
	state      int32
	accepting  bool
	next, last int // successors that are still to come: numbers[next:last]
}

// later adds a successor of the state on top.
func (s *pstack) later(number int32, packed []uint64) {
	s.numbers = append(s.numbers, number)
	s.targets = append(s.targets, packed...)
	s.frames[len(s.frames)-1].last = len(s.numbers)
}

func (s *pstack) top() *pframe { return &s.frames[len(s.frames)-1] }

func (s *pstack) clear() {
	s.frames, s.states, s.numbers, s.targets = s.frames[:0], s.states[:0], s.numbers[:0], s.targets[:0]
}

// newCNDFS prepares a search by so many workers of what ndfs would search in g.
// worker makes the graph of a worker, which must expand as g does.
func newCNDFS(g *graph, workers int, worker func() (*graph, error)) (*cndfs, error) {
	c := &cndfs{g: g, weak: g.aut.weak, table: statetable.NewShared(g.words)}
	for id := range workers {
		own, err := worker()
		if err != nil {
			return nil, err
		}
		w := &cndfsWorker{search: c, id: id, g: own, random: rand.New(rand.NewPCG(uint64(id), 0))}
		w.blue.words, w.red.words = g.words, g.words
		c.workers = append(c.workers, w)
	}
	return c, nil
}

// run returns an accepting lasso of the product, in terms of g, nil if there is
// none.
func (c *cndfs) run() (*path, error) {
	roots, err := c.g.initial()
	if err != nil {
		return nil, err
	}
	for _, r := range roots {
		c.roots = append(c.roots, c.g.table.State(r)...)
	}
	var wait sync.WaitGroup
	for _, w := range c.workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			w.run()
		}()
	}
	wait.Wait()
	for _, w := range c.workers {
		w.report()
		c.g.stopped = c.g.stopped || w.g.stopped
	}
	c.g.expanded, c.g.transitions, c.g.depth = c.expanded, c.transitions, c.depth
	switch {
	case c.stem != nil:
		return c.g.pathOfPacked(c.stem, c.loop)
	case c.err != nil:
		return nil, c.err
	}
	return nil, nil
}

// found ends the search with a lasso, unless one was found before.
func (c *cndfs) found(stem, loop []uint64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.stem == nil {
		c.stem, c.loop = slices.Clone(stem), loop
	}
	c.stop.Store(true)
}

func (c *cndfs) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.err == nil {
		c.err = err
	}
	c.stop.Store(true)
}

func (w *cndfsWorker) run() {
	words := w.search.g.words
	for roots := w.search.roots; len(roots) > 0; roots = roots[words:] {
		w.numbers = append(w.numbers[:0], 0)
		w.search.table.InsertAll(roots[:words], w.numbers)
		root := w.numbers[0]
		if w.search.table.Marks(root)&markBlue == 0 {
			w.searchBlue(root, roots[:words])
		}
		if w.search.stop.Load() {
			return
		}
	}
}

// mine returns the local marks of a state.
func (w *cndfsWorker) mine(state int32) *uint8 {
	shard, index := statetable.Place(state)
	if marks := w.local[shard]; index < len(marks) {
		return &marks[index]
	}
	marks := append(w.local[shard], make([]uint8, index+1-len(w.local[shard]))...)
	w.local[shard] = marks[:cap(marks)]
	return &w.local[shard][index]
}

// expand computes the successors of a packed state, and their numbers.
func (w *cndfsWorker) expand(packed []uint64, depth int) bool {
	g := w.g
	g.follow(packed)
	w.numbers = slices.Grow(w.numbers[:0], len(g.out))[:len(g.out)]
	w.search.table.InsertAll(g.targets, w.numbers)
	w.expanded++
	w.followed += int64(len(g.out))
	g.depth = max(g.depth, int64(depth))
	every := budget.TickEvery
	if g.maxStates > 0 {
		every = 64
	}
	if w.sinceTick++; w.sinceTick >= every {
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
	states := int64(c.table.Len())
	c.lock.Lock()
	defer c.lock.Unlock()
	c.states = states
	c.expanded += w.expanded
	c.transitions += w.followed
	c.depth = max(c.depth, w.g.depth)
	w.expanded, w.followed = 0, 0
	p := budget.Progress{Phase: "searching", States: states, Transitions: c.transitions, Depth: c.depth}
	if states > statetable.MaxStates/2 {
		return &budget.Exhausted{What: "states", Limit: "all that the shared state table can hold", At: p}
	}
	return c.g.meter.Tick(p)
}

// Len returns the number of states of the product that were stored.
func (c *cndfs) Len() int { return c.table.Len() }

// All calls yield for every state of the product that was stored.
func (c *cndfs) All(yield func(state []uint64) bool) { c.table.All(yield) }

// Bytes returns the memory of the states and of all marks.
func (c *cndfs) Bytes() int64 {
	total := c.table.Bytes()
	for _, w := range c.workers {
		for _, marks := range w.local {
			total += int64(cap(marks))
		}
	}
	return total
}

// shuffled returns the positions of the successors in this worker's order: the
// first worker goes as ndfs does.
func (w *cndfsWorker) shuffled(n int) []int32 {
	w.order = w.order[:0]
	for i := range n {
		w.order = append(w.order, int32(i))
	}
	if w.id > 0 {
		w.random.Shuffle(n, func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	}
	return w.order
}

// searchBlue is dfsBlue from a root.
func (w *cndfsWorker) searchBlue(root int32, packed []uint64) {
	if !w.pushBlue(root, packed) {
		return
	}
	words := w.blue.words
	for len(w.blue.frames) > 0 {
		f := w.blue.top()
		if f.next == f.last {
			if !w.popBlue() {
				return
			}
			continue
		}
		// Successors are taken from the end, which shrinks the list.
		f.last--
		t, state := w.blue.numbers[f.last], w.blue.targets[f.last*words:(f.last+1)*words]
		w.blue.numbers = w.blue.numbers[:f.last]
		if *w.mine(t)&localCyan == 0 && w.search.table.Marks(t)&markBlue == 0 && !w.pushBlue(t, state) {
			return
		}
	}
}

// pushBlue enters a state and reports whether the search goes on.
func (w *cndfsWorker) pushBlue(s int32, packed []uint64) bool {
	words := w.blue.words
	// packed may lie in targets, which push and later overwrite.
	w.blue.states = append(w.blue.states, packed...)
	at := len(w.blue.frames)
	w.blue.targets = w.blue.targets[:len(w.blue.numbers)*words]
	packed = w.blue.states[at*words:]
	if !w.expand(packed, at+1) {
		return false
	}
	accepts := w.g.aut.accepting[w.g.current]
	w.blue.frames = append(w.blue.frames, pframe{state: s, accepting: accepts, next: len(w.blue.numbers), last: len(w.blue.numbers)})
	*w.mine(s) |= localCyan
	if accepts {
		*w.mine(s) |= localSeed
	}
	if w.g.universal() {
		w.search.found(w.blue.states, nil)
		return false
	}
	for _, i := range w.shuffled(len(w.numbers)) {
		t := w.numbers[i]
		if mine := *w.mine(t); mine&localCyan != 0 {
			if accepts || mine&localSeed != 0 {
				w.closeCycle(w.onBlue(t), nil)
				return false
			}
		} else if w.search.table.Marks(t)&markBlue == 0 {
			w.blue.later(t, w.g.targets[int(i)*words:(int(i)+1)*words])
		}
	}
	return true
}

// onBlue returns the position of a state on the blue stack.
func (w *cndfsWorker) onBlue(t int32) int {
	return slices.IndexFunc(w.blue.frames, func(f pframe) bool { return f.state == t })
}

// closeCycle ends the search with a lasso: the loop starts at a position of the
// blue stack, goes to its top, and back by the states of the red stack.
func (w *cndfsWorker) closeCycle(at int, red []uint64) {
	words := w.blue.words
	loop := slices.Concat(w.blue.states[at*words:], red, w.blue.states[at*words:(at+1)*words])
	w.search.found(w.blue.states[:(at+1)*words], loop)
}

// popBlue leaves the top of the blue stack, all of whose successors are done, and
// reports whether the search goes on.
func (w *cndfsWorker) popBlue() bool {
	f := *w.blue.top()
	w.search.table.Mark(f.state, markBlue)
	if f.accepting && !w.search.weak && !w.searchRed(f.state) {
		return false
	}
	*w.mine(f.state) &^= localCyan | localSeed
	n := len(w.blue.frames) - 1
	w.blue.frames = w.blue.frames[:n]
	w.blue.states = w.blue.states[:n*w.blue.words]
	return true
}

// searchRed is dfsRed from the accepting state on top of the blue stack, and what
// comes after it.
func (w *cndfsWorker) searchRed(seed int32) bool {
	w.red.clear()
	w.pink, w.seeds = w.pink[:0], w.seeds[:0]
	words := w.red.words
	top := w.blue.states[len(w.blue.states)-words:]
	if !w.pushRed(seed, top, true) {
		return false
	}
	for len(w.red.frames) > 0 {
		f := w.red.top()
		if f.next == f.last {
			n := len(w.red.frames) - 1
			w.red.frames = w.red.frames[:n]
			w.red.states = w.red.states[:n*words]
			continue
		}
		f.last--
		t, state := w.red.numbers[f.last], w.red.targets[f.last*words:(f.last+1)*words]
		w.red.numbers = w.red.numbers[:f.last]
		if *w.mine(t)&localPink == 0 && w.search.table.Marks(t)&markRed == 0 && !w.pushRed(t, state, false) {
			return false
		}
	}
	return w.await()
}

// pushRed enters a state of the red search.
func (w *cndfsWorker) pushRed(s int32, packed []uint64, seed bool) bool {
	words := w.red.words
	w.red.states = append(w.red.states, packed...)
	at := len(w.red.frames)
	w.red.targets = w.red.targets[:len(w.red.numbers)*words]
	packed = w.red.states[at*words:]
	if !w.expand(packed, len(w.blue.frames)+at+1) {
		return false
	}
	accepts := w.g.aut.accepting[w.g.current]
	w.red.frames = append(w.red.frames, pframe{state: s, accepting: accepts, next: len(w.red.numbers), last: len(w.red.numbers)})
	*w.mine(s) |= localPink
	w.pink = append(w.pink, s)
	if accepts && !seed {
		w.seeds = append(w.seeds, s)
	}
	for _, i := range w.shuffled(len(w.numbers)) {
		t := w.numbers[i]
		mine := *w.mine(t)
		if mine&localCyan != 0 {
			// The seed, which is first on the red stack, is on the blue one too.
			w.closeCycle(w.onBlue(t), w.red.states[words:])
			return false
		}
		if mine&localPink == 0 && w.search.table.Marks(t)&markRed == 0 {
			w.red.later(t, w.g.targets[int(i)*words:(int(i)+1)*words])
		}
	}
	return true
}

// await waits until the accepting states of the red search, its seed apart, are
// red by the work of others, and then marks all its states red.
func (w *cndfsWorker) await() bool {
	for _, s := range w.seeds {
		for w.search.table.Marks(s)&markRed == 0 {
			if w.search.stop.Load() {
				return false
			}
			runtime.Gosched()
		}
	}
	for _, s := range w.pink {
		w.search.table.Mark(s, markRed)
		*w.mine(s) &^= localPink
	}
	return true
}
