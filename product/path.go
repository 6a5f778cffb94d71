package product

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks/run"
)

// hop is an edge of the product on a path.
type hop struct {
	from, to int32
	rule     int32
	nth      int32 // as in outEdge
	marks    uint64
}

func newHop(from int32, e outEdge) hop {
	return hop{from: from, to: e.target, rule: e.rule, nth: e.nth, marks: e.marks}
}

// path is a lasso of the product: stem and loop meet in the state that the loop
// starts from, and returns to. The loop is not empty.
type path struct {
	stem, loop []hop
}

// length returns the number of edges, stem and loop together.
func (p *path) length() int { return len(p.stem) + len(p.loop) }

// start returns the first state.
func (p *path) start() int32 {
	if len(p.stem) > 0 {
		return p.stem[0].from
	}
	return p.loop[0].from
}

// pathOf makes a lasso of the states of its stem, and of those of its loop with
// its first state at both ends. The last of the stem is the first of the loop.
func (g *graph) pathOf(stem, loop []int32) (*path, error) {
	g.found = true
	p := &path{}
	var err error
	if p.stem, err = g.hops(stem); err != nil {
		return nil, err
	}
	p.loop, err = g.hops(loop)
	return p, err
}

// pathOfPacked is pathOf for packed states; without a loop it is complete.
func (g *graph) pathOfPacked(stem, loop []uint64) (*path, error) {
	number := func(packed []uint64) []int32 {
		numbers := make([]int32, len(packed)/g.words)
		g.table.InsertAll(packed, numbers)
		return numbers
	}
	if loop == nil {
		return g.complete(number(stem))
	}
	return g.pathOf(number(stem), number(loop))
}

// hops finds the edges between states that follow each other.
func (g *graph) hops(states []int32) ([]hop, error) {
	var hops []hop
	for i := 1; i < len(states); i++ {
		h, ok := g.hop(states[i-1], states[i])
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("the search took an edge that is not there")}
		}
		hops = append(hops, h)
	}
	return hops, nil
}

func (g *graph) hop(from, to int32) (hop, bool) {
	g.successors(from)
	for _, e := range g.out {
		if e.target == to {
			return newHop(from, e), true
		}
	}
	return hop{}, false
}

// bfs is a breadth-first search for a shortest way in the product.
type bfs struct {
	g      *graph
	parent map[int32]hop // the hop that first reached a state; roots have to == -1
	queue  []int32
}

func newBFS(g *graph, roots ...int32) *bfs {
	b := &bfs{g: g, parent: map[int32]hop{}}
	for _, r := range roots {
		if _, seen := b.parent[r]; !seen {
			b.parent[r] = hop{to: -1}
			b.queue = append(b.queue, r)
		}
	}
	return b
}

// search returns a shortest way, at least one edge long, whose last edge is
// wanted; edges that are not admitted are not taken. It gives up (false) after
// expanding most states.
func (b *bfs) search(most int, admitted, wanted func(from int32, e outEdge) bool) ([]hop, bool, error) {
	for i := 0; i < len(b.queue) && i < most; i++ {
		from := b.queue[i]
		b.g.successors(from)
		if i%1024 == 1023 {
			if err := b.g.tick(0); err != nil {
				return nil, false, err
			}
		}
		for _, e := range b.g.out {
			if admitted != nil && !admitted(from, e) {
				continue
			}
			h := newHop(from, e)
			if wanted(from, e) {
				return append(b.way(from), h), true, nil
			}
			if _, seen := b.parent[e.target]; !seen {
				b.parent[e.target] = h
				b.queue = append(b.queue, e.target)
			}
		}
	}
	return nil, false, nil
}

// way returns the hops from a root to a state that was reached.
func (b *bfs) way(to int32) []hop {
	var hops []hop
	for h := b.parent[to]; h.to >= 0; h = b.parent[h.from] {
		hops = append(hops, h)
	}
	slices.Reverse(hops)
	return hops
}

// everywhere is a bound for searches of parts that are known to be small enough.
const everywhere = int(^uint(0) >> 1)

// tourGoals are things that a loop must contain: keys are read off edges.
type tourGoals struct {
	missing map[int64]bool
	keys    func(from int32, e outEdge) []int64 // the slice is read at once
}

func (t *tourGoals) wants(from int32, e outEdge) bool {
	for _, k := range t.keys(from, e) {
		if t.missing[k] {
			return true
		}
	}
	return false
}

func (t *tourGoals) meet(h hop) {
	for _, k := range t.keys(h.from, outEdge{target: h.to, rule: h.rule, nth: h.nth, marks: h.marks}) {
		delete(t.missing, k)
	}
}

// markGoals demands an edge of every acceptance set; their keys are 0 to sets-1.
func (g *graph) markGoals() *tourGoals {
	t := &tourGoals{missing: map[int64]bool{}}
	for i := range g.aut.Sets {
		t.missing[int64(i)] = true
	}
	var keys []int64
	t.keys = func(_ int32, e outEdge) []int64 {
		keys = keys[:0]
		for m := e.marks; m != 0; m &= m - 1 {
			keys = append(keys, int64(bits.TrailingZeros64(m)))
		}
		return keys
	}
	return t
}

// tour makes a lasso whose stem visits these states and whose loop starts at
// the last of them, stays inside a strongly connected set of states, and meets
// all goals: it always goes to the nearest edge that meets one.
func (g *graph) tour(stem []int32, inside map[int32]bool, goals *tourGoals) (*path, error) {
	g.found = true
	p := &path{}
	var err error
	if p.stem, err = g.hops(stem); err != nil {
		return nil, err
	}
	start := stem[len(stem)-1]
	within := func(_ int32, e outEdge) bool { return inside[e.target] }
	at := start
	for len(goals.missing) > 0 {
		// Goals can be as many as transitions, and each is near the last.
		if err := g.tick(0); err != nil {
			return nil, err
		}
		way, ok, err := newBFS(g, at).search(everywhere, within, goals.wants)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a component lacks an edge that it had")}
		}
		for _, h := range way {
			goals.meet(h)
		}
		p.loop = append(p.loop, way...)
		at = way[len(way)-1].to
	}
	if at != start || len(p.loop) == 0 {
		back := func(_ int32, e outEdge) bool { return e.target == start }
		way, ok, err := newBFS(g, at).search(everywhere, within, back)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a component is not strongly connected")}
		}
		p.loop = append(p.loop, way...)
	}
	return p, nil
}

// nearby bounds the search for a short end of a run that is lost already.
const nearby = 1 << 14

// complete makes a lasso of a stem whose last state accepts whatever follows,
// without leaving that state of the automaton. It looks for a cycle breadth
// first, and failing that walks until it meets itself.
func (g *graph) complete(stem []int32) (*path, error) {
	g.found = true
	last := stem[len(stem)-1]
	stay := g.automatonState(last)
	staying := func(_ int32, e outEdge) bool { return g.automatonState(e.target) == stay && e.marks == g.aut.AllMarks }
	before, err := g.hops(stem)
	if err != nil {
		return nil, err
	}
	way, ok, err := newBFS(g, last).cycle(nearby, staying)
	if err != nil {
		return nil, err
	}
	if !ok {
		if way, err = g.walk(last, staying); err != nil {
			return nil, err
		}
	}
	return closeLasso(before, way), nil
}

// closeLasso makes a lasso of a stem and a way on, which ends in a state that it
// has visited: the loop starts there.
func closeLasso(stem, way []hop) *path {
	end := way[len(way)-1].to
	i := slices.IndexFunc(way, func(h hop) bool { return h.from == end })
	return &path{stem: slices.Concat(stem, way[:i]), loop: way[i:]}
}

// cycle returns a way from a root whose last edge leads back to a state on it,
// such that the edges from there on carry all marks. Of the ways along the tree
// of the search it is one with the fewest edges. Edges that are not admitted are
// not taken; it gives up (false) after expanding most states.
func (b *bfs) cycle(most int, admitted func(from int32, e outEdge) bool) ([]hop, bool, error) {
	return b.search(most, admitted, func(from int32, e outEdge) bool {
		if _, seen := b.parent[e.target]; !seen {
			return false
		}
		marks := e.marks
		for at := from; at != e.target; {
			h := b.parent[at]
			if h.to < 0 {
				return false
			}
			marks |= h.marks
			at = h.from
		}
		return marks == b.g.aut.AllMarks
	})
}

// walk takes the first admitted edge of every state until it comes back to one.
func (g *graph) walk(from int32, admitted func(int32, outEdge) bool) ([]hop, error) {
	var way []hop
	seen := map[int32]bool{}
	for at := from; !seen[at]; at = way[len(way)-1].to {
		seen[at] = true
		if err := g.expand(at, len(way)); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(g.out, func(e outEdge) bool { return admitted(at, e) })
		if i < 0 {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a run ends that must not")}
		}
		e := g.out[i]
		way = append(way, newHop(at, e))
	}
	return way, nil
}

// lasso describes a path of the product as a run of the network.
func (g *graph) lasso(p *path) (*run.Run, error) {
	state := func(n int32) []uint64 {
		packed := make([]uint64, g.netWords)
		g.networkState(n, packed)
		return packed
	}
	states := [][]uint64{state(p.start())}
	var rules []int32
	for _, hops := range [][]hop{p.stem, p.loop} {
		for _, h := range hops {
			states, rules = append(states, state(h.to)), append(rules, h.rule)
		}
	}
	return run.Unpack(g.net, states, rules, len(p.stem))
}
