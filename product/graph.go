package product

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/stubborn"
)

// graph is the state/event product of a network and an automaton ([Chaki05],
// 8.3.4), explored on the fly. A state is a packed state of the network with the
// automaton's state in bits that the network leaves free; an edge reads what is
// true in the network's state it leaves together with the event of the step.
//
// States are numbered in the order in which they are first seen as a target.
type graph struct {
	net   *lks.Network
	ex    *lks.Explorer
	aut   *meet.Automaton
	bind  *meet.Binding
	match *meet.Matcher
	table *statetable.Table
	meter *budget.Meter
	// stutter: states without successors repeat. total: every state has a
	// successor, by stuttering or because the network never stops.
	stutter, total bool
	por            *stubborn.Sets // nil: follow all rules
	sym            *symmetry      // nil: all states; else states stand for others
	// inside restricts what is followed to these states of the network; nil: all.
	inside func(state []uint64) bool

	netWords int
	words    int
	used     []uint64 // the bits that product states use
	autWord  int      // where the automaton's state is
	autShift uint
	autMask  uint64

	state    []uint64 // scratch: the network's part of the state being expanded
	succ     lks.Successors
	targets  []uint64 // scratch: packed product states, one per edge of out
	numbers  []int32  // scratch: their numbers
	out      []outEdge
	kept     []int32  // scratch: the successors of the network's state to follow
	current  int32    // the automaton's part of the state expanded last
	followed []uint64 // scratch: that state

	maxStates   int64
	expanded    int64
	pace        budget.Pace
	transitions int64
	depth       int64
	stopped     bool            // a state without successors was met
	lane        *portfolio.Lane // is told of states expanded or stored; may be nil
	found       bool            // only the lasso is missing: limits of states no longer count
}

// outEdge is an edge of the product.
type outEdge struct {
	marks   uint64
	target  int32
	rule    int32 // of the network, or run.Stutter
	markSet int32 // number of marks, see matcher
	nth     int32 // position among the successors of the network's state; -1 for run.Stutter
}

func newGraph(net *lks.Network, aut *meet.Automaton, finite FiniteRuns, meter *budget.Meter, limits budget.Limits) (*graph, error) {
	bind, err := meet.NewBinding(net, aut.Atoms)
	if err != nil {
		return nil, err
	}
	g := &graph{
		net: net, ex: net.Explorer(), aut: aut, bind: bind,
		match: meet.NewMatcher(aut, bind), meter: meter,
		stutter: finite == StutterRuns, total: finite != IgnoreRuns,
		netWords: net.Words(), maxStates: limits.States,
	}
	g.placeAutomaton()
	g.state = make([]uint64, g.netWords)
	g.table = statetable.New(g.words)
	return g, nil
}

// placeAutomaton finds room for the automaton's state: above the highest used
// bit of some word, or in a word of its own.
func (g *graph) placeAutomaton() {
	width := bits.Len(uint(len(g.aut.Out) - 1))
	used := g.net.Bits(func(int) bool { return true })
	g.words, g.autWord, g.autShift = g.netWords+1, g.netWords, 0
	for w, u := range used {
		if bits.LeadingZeros64(u) >= width {
			g.words, g.autWord, g.autShift = g.netWords, w, uint(bits.Len64(u))
			break
		}
	}
	g.autMask = 1<<width - 1
	if width == 0 {
		g.autShift = 0
	}
	g.used = append(used, 0)[:g.words]
	g.used[g.autWord] |= g.autMask << g.autShift
}

// widthOf returns how many bits it takes to tell that many things apart, at least 1.
func widthOf(things uint64) uint { return uint(max(1, bits.Len64(things-1))) }

func (g *graph) numStates() int { return g.table.Len() }

// automatonState returns the automaton's part of a product state.
func (g *graph) automatonState(s int32) int32 {
	return g.automatonPart(g.table.State(s))
}

// automatonPart returns the automaton's part of a packed product state.
func (g *graph) automatonPart(packed []uint64) int32 {
	return int32(packed[g.autWord] >> (g.autShift & 63) & g.autMask)
}

// networkState copies the network's part of a product state.
func (g *graph) networkState(s int32, to []uint64) {
	g.split(g.table.State(s), to)
}

// split copies the network's part of a packed product state.
func (g *graph) split(packed, to []uint64) {
	copy(to, packed[:g.netWords])
	if g.autWord < g.netWords {
		to[g.autWord] &^= g.autMask << g.autShift
	}
}

// universal reports whether every continuation from the state expanded last is
// accepted, and there is one.
func (g *graph) universal() bool { return g.total && g.inside == nil && g.aut.Universal[g.current] }

// add appends an edge to out; number gives its target a number.
func (g *graph) add(m meet.Match, rule, nth int32, state []uint64) {
	g.out = append(g.out, outEdge{marks: m.Marks, rule: rule, markSet: m.MarkSet, nth: nth})
	at := len(g.targets)
	g.targets = append(g.targets, state...)
	if g.words > g.netWords {
		g.targets = append(g.targets, uint64(m.Target))
		return
	}
	g.targets[at+g.autWord] |= uint64(m.Target) << (g.autShift & 63)
}

// number inserts the targets of all edges of out into the table at once.
func (g *graph) number() {
	n := len(g.out)
	g.numbers = slices.Grow(g.numbers[:0], n)[:n]
	g.table.InsertAll(g.targets, g.numbers)
	for i, t := range g.numbers {
		g.out[i].target = t
	}
	g.targets = g.targets[:0]
}

// initial returns the initial states, without duplicates.
func (g *graph) initial() ([]int32, error) {
	g.followInitial()
	g.number()
	return slices.Clone(g.numbers), g.tick(0)
}

// initialPacked returns the same, packed.
func (g *graph) initialPacked() ([]uint64, error) {
	g.followInitial()
	return slices.Clone(g.targets), g.tick(0)
}

func (g *graph) followInitial() {
	g.ex.Initial(&g.succ)
	g.out, g.targets = g.out[:0], g.targets[:0]
	for i := range g.succ.Len() {
		if g.sym != nil {
			g.sym.canonicalise(g.succ.States[i*g.netWords : (i+1)*g.netWords])
		}
		g.add(meet.Match{Target: g.aut.Initial}, run.Stutter, -1, g.succ.States[i*g.netWords:(i+1)*g.netWords])
	}
}

// expand stores the edges that leave s in out, as a step of a search that is
// this deep. The error is that of the budget.
func (g *graph) expand(s int32, depth int) error {
	g.successors(s)
	g.expanded++
	g.transitions += int64(len(g.out))
	if int64(depth) > g.depth {
		g.depth = int64(depth)
	}
	if err := g.reach(g.table.Len()); err != nil {
		return err
	}
	if g.due() || g.maxStates > 0 && int64(g.table.Len()) > g.maxStates && !g.found {
		return g.tick(depth)
	}
	return nil
}

// due reports whether the meter is to be asked.
func (g *graph) due() bool { return g.pace.Due(g.expanded, g.transitions, g.words) }

func (g *graph) tick(depth int) error {
	p := budget.Progress{Phase: "searching", States: int64(g.table.Len()), Transitions: g.transitions, Depth: int64(depth)}
	if g.found {
		p.Phase, p.States = "writing the counterexample", 0
	}
	if g.table.Full() {
		return budget.Full("states", g.table.Len(), p)
	}
	return g.meter.Tick(p)
}

// reach tells the lane how far the search, which has stored so many states, has come.
func (g *graph) reach(states int) error {
	if g.found {
		return nil
	}
	return g.lane.Reach(max(g.expanded, int64(states)))
}

// countModel counts the different states of the network among packed states of
// the product, all of which it calls for.
func (g *graph) countModel(all func(yield func(state []uint64) bool)) int64 {
	model := statetable.New(g.netWords)
	packed := make([]uint64, g.netWords)
	for state := range all {
		g.split(state, packed)
		model.Insert(packed)
	}
	return int64(model.Len())
}

// step is expand for searches that keep packed states, so many of them, and need
// only where edges lead: in targets, not in out.
func (g *graph) step(packed []uint64, states, depth int) error {
	g.followTargets(packed)
	g.expanded++
	g.transitions += int64(len(g.targets) / g.words)
	g.depth = max(g.depth, int64(depth))
	if err := g.reach(states); err != nil {
		return err
	}
	if g.due() || g.maxStates > 0 && int64(states) > g.maxStates {
		return g.meter.Tick(budget.Progress{Phase: "searching", States: int64(states), Transitions: g.transitions, Depth: int64(depth)})
	}
	return nil
}

// followTargets is follow for searches that do not need out.
func (g *graph) followTargets(packed []uint64) {
	if g.words == 1 && g.por == nil && g.sym == nil && g.inside == nil {
		g.follow1(packed[0])
	} else {
		g.follow(packed)
	}
}

// tickStored is tick for a table that several searches may fill.
func tickStored(meter *budget.Meter, table *statetable.Shared, p budget.Progress) error {
	p.States = int64(table.Len())
	if table.Full() {
		return budget.Full("states", table.Len(), p)
	}
	return meter.Tick(p)
}

// aheadFirst: of all edges that leave a state of the product, those come first with
// which the automaton leaves its component. An automaton often waits in its first
// component, which accepts nothing, for the moment to guess that the rest of the run
// accepts. A depth-first search that made it wait as long as it can would go
// through the whole network before it guessed once.
var aheadFirst = [...]bool{true, false}

// follow1 is follow for states of one word, without out.
func (g *graph) follow1(packed uint64) {
	shift := g.autShift & 63
	g.current = int32(packed >> shift & g.autMask)
	g.state[0] = packed &^ (g.autMask << shift)
	g.targets = g.targets[:0]
	g.ex.Successors(g.state, &g.succ)
	row := g.match.Row(g.bind.LetterOf(g.state, &g.succ), g.current)
	if g.succ.Len() == 0 {
		g.stopped = true
		if g.stutter {
			for _, m := range g.match.Find(row, 0) {
				g.targets = append(g.targets, g.state[0]|uint64(m.Target)<<shift)
			}
		}
		return
	}
	targets := g.targets
	if g.aut.Forks[g.current] {
		for _, ahead := range aheadFirst {
			for i, rule := range g.succ.Rules {
				for _, m := range g.match.Find(row, g.bind.Class[rule]) {
					if m.Ahead == ahead {
						targets = append(targets, g.succ.States[i]|uint64(m.Target)<<shift)
					}
				}
			}
		}
	} else if len(g.bind.Events) == 1 {
		for _, m := range g.match.Find(row, 0) {
			part := uint64(m.Target) << shift
			for _, state := range g.succ.States {
				targets = append(targets, state|part)
			}
		}
	} else {
		for i, rule := range g.succ.Rules {
			for _, m := range g.match.Find(row, g.bind.Class[rule]) {
				targets = append(targets, g.succ.States[i]|uint64(m.Target)<<shift)
			}
		}
	}
	g.targets = targets
}

// successors stores the edges that leave s in out.
func (g *graph) successors(s int32) {
	g.follow(g.table.State(s))
	g.number()
}

// follow stores the edges that leave a packed state in out, without the numbers
// of their targets, and the targets in targets, packed.
func (g *graph) follow(packed []uint64) {
	g.split(packed, g.state)
	aut := g.automatonPart(packed)
	g.followed = append(g.followed[:0], packed...)
	g.current = aut
	g.out, g.targets = g.out[:0], g.targets[:0]
	g.ex.Successors(g.state, &g.succ)
	row := g.match.Row(g.bind.LetterOf(g.state, &g.succ), aut)
	if g.succ.Len() == 0 {
		g.stopped = true
		if g.stutter {
			for _, m := range g.match.Find(row, 0) {
				g.add(m, run.Stutter, -1, g.state)
			}
		}
	}
	var some []uint64
	if g.por != nil {
		some = g.por.Choose(g.state, &g.succ)
	}
	g.kept = g.kept[:0]
	for i, rule := range g.succ.Rules {
		to := g.succ.States[i*g.netWords : (i+1)*g.netWords]
		if some != nil && !stubborn.Has(some, rule) || g.inside != nil && !g.inside(to) {
			continue
		}
		if g.sym != nil {
			g.sym.canonicalise(to)
		}
		g.kept = append(g.kept, int32(i))
	}
	forks := g.aut.Forks[aut]
	for _, ahead := range aheadFirst {
		if ahead && !forks {
			continue
		}
		for _, i := range g.kept {
			rule := g.succ.Rules[i]
			for _, m := range g.match.Find(row, g.bind.Class[rule]) {
				if m.Ahead == ahead || !forks {
					g.add(m, rule, i, g.succ.States[int(i)*g.netWords:(int(i)+1)*g.netWords])
				}
			}
		}
	}
}
