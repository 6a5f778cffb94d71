package meet

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks/run"
)

// Hop is an edge of the product on a path.
type Hop struct {
	From, To int32
	Rule     int32
	Nth      int32 // as in Edge
	Marks    uint64
}

func NewHop(from int32, e Edge) Hop {
	return Hop{From: from, To: e.Target, Rule: e.Rule, Nth: e.Nth, Marks: e.Marks}
}

// Path is a lasso of the product: stem and loop meet in the state that the loop
// starts from, and returns to. The loop is not empty.
type Path struct {
	Stem, Loop []Hop
}

// Len returns the number of edges, stem and loop together.
func (p *Path) Len() int { return len(p.Stem) + len(p.Loop) }

// Start returns the first state.
func (p *Path) Start() int32 {
	if len(p.Stem) > 0 {
		return p.Stem[0].From
	}
	return p.Loop[0].From
}

// pathOfNumbers makes a lasso of the states of its stem, and of those of its loop with
// its first state at both ends. The last of the stem is the first of the loop.
func (g *Graph) pathOfNumbers(stem, loop []int32) (*Path, error) {
	g.Found = true
	p := &Path{}
	var err error
	if p.Stem, err = g.hops(stem); err != nil {
		return nil, err
	}
	p.Loop, err = g.hops(loop)
	return p, err
}

// PathOf makes a lasso of the packed states of its stem, and of those of its loop with its
// first state at both ends; the last of the stem is the first of the loop. Of a stem alone,
// whose last state accepts whatever follows, it makes a complete one. The error is a
// *bug.Error, if there are no such edges, or that of the budget.
func (g *Graph) PathOf(stem, loop []uint64) (*Path, error) {
	number := func(packed []uint64) []int32 {
		numbers := make([]int32, len(packed)/g.Words)
		g.Table.InsertAll(packed, numbers)
		return numbers
	}
	if loop == nil {
		return g.Complete(number(stem))
	}
	return g.pathOfNumbers(number(stem), number(loop))
}

// hops finds the edges between states that follow each other.
func (g *Graph) hops(states []int32) ([]Hop, error) {
	var hops []Hop
	for i := 1; i < len(states); i++ {
		h, ok := g.hop(states[i-1], states[i])
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("the search took an edge that is not there")}
		}
		hops = append(hops, h)
	}
	return hops, nil
}

func (g *Graph) hop(from, to int32) (Hop, bool) {
	g.Successors(from)
	for _, e := range g.Out {
		if e.Target == to {
			return NewHop(from, e), true
		}
	}
	return Hop{}, false
}

// BFS is a breadth-first search for a shortest way in the product.
type BFS struct {
	g      *Graph
	parent map[int32]Hop // the hop that first reached a state; roots have to == -1
	queue  []int32
}

func NewBFS(g *Graph, roots ...int32) *BFS {
	b := &BFS{g: g, parent: map[int32]Hop{}}
	for _, r := range roots {
		if _, seen := b.parent[r]; !seen {
			b.parent[r] = Hop{To: -1}
			b.queue = append(b.queue, r)
		}
	}
	return b
}

// Search returns a shortest way, at least one edge long, whose last edge is
// wanted; edges that are not admitted are not taken. It gives up (false) after
// expanding most states.
func (b *BFS) Search(most int, admitted, wanted func(from int32, e Edge) bool) ([]Hop, bool, error) {
	for i := 0; i < len(b.queue) && i < most; i++ {
		from := b.queue[i]
		b.g.Successors(from)
		if i%1024 == 1023 {
			if err := b.g.Tick(b.g.NumStates(), 0); err != nil {
				return nil, false, err
			}
		}
		for _, e := range b.g.Out {
			if admitted != nil && !admitted(from, e) {
				continue
			}
			h := NewHop(from, e)
			if wanted(from, e) {
				return append(b.way(from), h), true, nil
			}
			if _, seen := b.parent[e.Target]; !seen {
				b.parent[e.Target] = h
				b.queue = append(b.queue, e.Target)
			}
		}
	}
	return nil, false, nil
}

// way returns the hops from a root to a state that was reached.
func (b *BFS) way(to int32) []Hop {
	var hops []Hop
	for h := b.parent[to]; h.To >= 0; h = b.parent[h.From] {
		hops = append(hops, h)
	}
	slices.Reverse(hops)
	return hops
}

// Everywhere is a bound for searches of parts that are known to be small enough.
const Everywhere = int(^uint(0) >> 1)

// Goals are things that a loop must contain: keys are read off edges.
type Goals struct {
	Missing map[int64]bool
	Keys    func(from int32, e Edge) []int64 // the slice is read at once
	// Admitted says which edges the loop may take; nil: all.
	Admitted func(e Edge) bool
}

func (t *Goals) wants(from int32, e Edge) bool {
	for _, k := range t.Keys(from, e) {
		if t.Missing[k] {
			return true
		}
	}
	return false
}

func (t *Goals) meet(h Hop) {
	for _, k := range t.Keys(h.From, Edge{Target: h.To, Rule: h.Rule, Nth: h.Nth, Marks: h.Marks}) {
		delete(t.Missing, k)
	}
}

// MarkGoals demands an edge of every acceptance set; their keys are 0 to sets-1.
func (g *Graph) MarkGoals() *Goals {
	t := &Goals{Missing: map[int64]bool{}}
	for i := range g.Aut.Sets {
		t.Missing[int64(i)] = true
	}
	var keys []int64
	t.Keys = func(_ int32, e Edge) []int64 {
		keys = keys[:0]
		for m := e.Marks; m != 0; m &= m - 1 {
			keys = append(keys, int64(bits.TrailingZeros64(m)))
		}
		return keys
	}
	return t
}

// Tour makes a lasso whose stem visits these states and whose loop starts at
// the last of them, stays inside a strongly connected set of states, and meets
// all goals: it always goes to the nearest edge that meets one.
func (g *Graph) Tour(stem []int32, inside map[int32]bool, goals *Goals) (*Path, error) {
	g.Found = true
	p := &Path{}
	var err error
	if p.Stem, err = g.hops(stem); err != nil {
		return nil, err
	}
	start := stem[len(stem)-1]
	within := func(_ int32, e Edge) bool {
		return inside[e.Target] && (goals.Admitted == nil || goals.Admitted(e))
	}
	at := start
	for len(goals.Missing) > 0 {
		// Goals can be as many as transitions, and each is near the last.
		if err := g.Tick(g.NumStates(), 0); err != nil {
			return nil, err
		}
		way, ok, err := NewBFS(g, at).Search(Everywhere, within, goals.wants)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a component lacks an edge that it had")}
		}
		for _, h := range way {
			goals.meet(h)
		}
		p.Loop = append(p.Loop, way...)
		at = way[len(way)-1].To
	}
	if at != start || len(p.Loop) == 0 {
		back := func(_ int32, e Edge) bool { return e.Target == start }
		way, ok, err := NewBFS(g, at).Search(Everywhere, within, back)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a component is not strongly connected")}
		}
		p.Loop = append(p.Loop, way...)
	}
	return p, nil
}

// Nearby bounds the search for a short end of a run that is lost already.
const Nearby = 1 << 14

// Complete makes a lasso of a stem whose last state accepts whatever follows,
// without leaving that state of the automaton. It looks for a cycle breadth
// first, and failing that walks until it meets itself.
func (g *Graph) Complete(stem []int32) (*Path, error) {
	g.Found = true
	last := stem[len(stem)-1]
	stay := g.automatonState(last)
	staying := func(_ int32, e Edge) bool { return g.automatonState(e.Target) == stay && e.Marks == g.Aut.AllMarks }
	before, err := g.hops(stem)
	if err != nil {
		return nil, err
	}
	way, ok, err := NewBFS(g, last).Cycle(Nearby, staying)
	if err != nil {
		return nil, err
	}
	if !ok {
		if way, err = g.walk(last, staying); err != nil {
			return nil, err
		}
	}
	return CloseLasso(before, way), nil
}

// CloseLasso makes a lasso of a stem and a way on, which ends in a state that it
// has visited: the loop starts there.
func CloseLasso(stem, way []Hop) *Path {
	end := way[len(way)-1].To
	i := slices.IndexFunc(way, func(h Hop) bool { return h.From == end })
	return &Path{Stem: slices.Concat(stem, way[:i]), Loop: way[i:]}
}

// Cycle returns a way from a root whose last edge leads back to a state on it,
// such that the edges from there on carry all marks. Of the ways along the tree
// of the search it is one with the fewest edges. Edges that are not admitted are
// not taken; it gives up (false) after expanding most states.
func (b *BFS) Cycle(most int, admitted func(from int32, e Edge) bool) ([]Hop, bool, error) {
	return b.Search(most, admitted, func(from int32, e Edge) bool {
		if _, seen := b.parent[e.Target]; !seen {
			return false
		}
		marks := e.Marks
		for at := from; at != e.Target; {
			h := b.parent[at]
			if h.To < 0 {
				return false
			}
			marks |= h.Marks
			at = h.From
		}
		return marks == b.g.Aut.AllMarks
	})
}

// walk takes the first admitted edge of every state until it comes back to one.
func (g *Graph) walk(from int32, admitted func(int32, Edge) bool) ([]Hop, error) {
	var way []Hop
	seen := map[int32]bool{}
	for at := from; !seen[at]; at = way[len(way)-1].To {
		seen[at] = true
		if err := g.Expand(at, len(way)); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(g.Out, func(e Edge) bool { return admitted(at, e) })
		if i < 0 {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a run ends that must not")}
		}
		e := g.Out[i]
		way = append(way, NewHop(at, e))
	}
	return way, nil
}

// Run describes a path of the product as a run of the network.
func (g *Graph) Run(p *Path) (*run.Run, error) {
	state := func(n int32) []uint64 {
		packed := make([]uint64, g.NetWords)
		g.NetworkState(n, packed)
		return packed
	}
	states := [][]uint64{state(p.Start())}
	var rules []int32
	for _, hops := range [][]Hop{p.Stem, p.Loop} {
		for _, h := range hops {
			states, rules = append(states, state(h.To)), append(rules, h.Rule)
		}
	}
	return run.Unpack(g.Net, states, rules, len(p.Stem))
}
