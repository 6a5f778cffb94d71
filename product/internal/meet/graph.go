package meet

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Order is a partial-order reduction: it chooses the rules to follow from a state of the
// network with these successors. The set is valid until the next call; nil: all of them.
type Order interface {
	Choose(state []uint64, succ *lks.Successors) []uint64
}

// Symmetry chooses one of the states of the network that stand for each other.
type Symmetry interface {
	// Canonicalise replaces a packed state by the one that stands for it.
	Canonicalise(state []uint64)
}

// Graph is the state/event product of a network and an automaton ([Chaki05],
// 8.3.4), explored on the fly. A state is a packed state of the network with the
// automaton's state in bits that the network leaves free; an edge reads what is
// true in the network's state it leaves together with the event of the step.
//
// States are numbered in the order in which they are first seen as a target.
type Graph struct {
	Net *lks.Network
	Aut *Automaton
	// Order is the partial-order reduction; nil: all rules are followed. Symmetry is that of
	// the network; nil: every state stands for itself.
	Order    Order
	Symmetry Symmetry
	// Inside restricts what is followed to these states of the network; nil: all.
	Inside    func(state []uint64) bool
	Meter     *budget.Meter
	MaxStates int64           // stored before the meter is asked; 0: any number
	Lane      *portfolio.Lane // is told of states expanded or stored; may be nil
	Found     bool            // only the lasso is missing: limits of states no longer count

	NetWords int               // of a packed state of the network
	Words    int               // of a packed state of the product
	Used     []uint64          // the bits that product states use
	Table    *statetable.Table // of states that have numbers

	// Out and Targets are what was found of the state that was expanded last: its edges, and
	// where they lead, packed, one after the other. State and Succ are the network's part of
	// it and what leaves that, and Current is the automaton's part.
	Out     []Edge
	Targets []uint64
	State   []uint64
	Succ    lks.Successors
	Current int32

	Counts
	Stopped bool // a state without successors was met

	ex    *lks.Explorer
	bind  *Binding
	match *Matcher
	// stutter: states without successors repeat. total: every state has a
	// successor, by stuttering or because the network never stops.
	stutter, total bool
	autWord        int // where the automaton's state is
	autShift       uint
	autMask        uint64
	numbers        []int32 // scratch: of Targets
	kept           []int32 // scratch: the successors of the network's state to follow
	pace           budget.Pace
}

// Counts are how far a search has come.
type Counts struct {
	Expanded    int64 // states, each time they were
	Transitions int64 // followed
	Depth       int64
}

// Edge is an edge of the product.
type Edge struct {
	Marks   uint64
	Target  int32
	Rule    int32 // of the network, or run.Stutter
	MarkSet int32 // number of the marks, see Graph.MarksOf
	Nth     int32 // position among the successors of the network's state; -1 for run.Stutter
}

// NewGraph returns the product. stutter says that states without successors repeat for
// ever; total, that runs which end there count or that there are none. No more than most
// states are stored before the meter is asked, 0: any number. The error is an *ltl.AtomError.
func NewGraph(net *lks.Network, aut *Automaton, stutter, total bool, meter *budget.Meter, most int64) (*Graph, error) {
	bind, err := NewBinding(net, aut.Atoms)
	if err != nil {
		return nil, err
	}
	g := &Graph{
		Net: net, ex: net.Explorer(), Aut: aut, bind: bind,
		match: NewMatcher(aut, bind), Meter: meter,
		stutter: stutter, total: total,
		NetWords: net.Words(), MaxStates: most,
	}
	g.placeAutomaton()
	g.State = make([]uint64, g.NetWords)
	g.Table = statetable.New(g.Words)
	return g, nil
}

// placeAutomaton finds room for the automaton's state: above the highest used
// bit of some word, or in a word of its own.
func (g *Graph) placeAutomaton() {
	width := bits.Len(uint(len(g.Aut.Out) - 1))
	used := g.Net.Bits(func(int) bool { return true })
	g.Words, g.autWord, g.autShift = g.NetWords+1, g.NetWords, 0
	for w, u := range used {
		if bits.LeadingZeros64(u) >= width {
			g.Words, g.autWord, g.autShift = g.NetWords, w, uint(bits.Len64(u))
			break
		}
	}
	g.autMask = 1<<width - 1
	if width == 0 {
		g.autShift = 0
	}
	g.Used = append(used, 0)[:g.Words]
	g.Used[g.autWord] |= g.autMask << g.autShift
}

// Place says where packed states have that of the automaton.
func (g *Graph) Place() lks.Field {
	return lks.Field{Word: int32(g.autWord), Shift: uint8(g.autShift), Width: uint8(bits.Len64(g.autMask)), Mask: g.autMask}
}

// NumStates returns how many states have numbers.
func (g *Graph) NumStates() int { return g.Table.Len() }

// automatonState returns the automaton's part of a product state.
func (g *Graph) automatonState(s int32) int32 {
	return g.AutomatonPart(g.Table.State(s))
}

// AutomatonPart returns the automaton's part of a packed product state.
func (g *Graph) AutomatonPart(packed []uint64) int32 {
	return int32(packed[g.autWord] >> (g.autShift & 63) & g.autMask)
}

// NetworkState copies the network's part of a product state.
func (g *Graph) NetworkState(s int32, to []uint64) {
	g.Split(g.Table.State(s), to)
}

// Split copies the network's part of a packed product state.
func (g *Graph) Split(packed, to []uint64) {
	copy(to, packed[:g.NetWords])
	if g.autWord < g.NetWords {
		to[g.autWord] &^= g.autMask << g.autShift
	}
}

// universal reports whether every continuation from the state expanded last is
// accepted, and there is one.
func (g *Graph) Universal() bool { return g.total && g.Inside == nil && g.Aut.universal[g.Current] }

// add appends an edge to Out; number gives its target a number.
func (g *Graph) add(m Match, rule, nth int32, state []uint64) {
	g.Out = append(g.Out, Edge{Marks: m.marks, Rule: rule, MarkSet: m.markSet, Nth: nth})
	at := len(g.Targets)
	g.Targets = append(g.Targets, state...)
	if g.Words > g.NetWords {
		g.Targets = append(g.Targets, uint64(m.Target))
		return
	}
	g.Targets[at+g.autWord] |= uint64(m.Target) << (g.autShift & 63)
}

// number inserts the targets of all edges of Out into the table at once.
func (g *Graph) number() {
	n := len(g.Out)
	g.numbers = slices.Grow(g.numbers[:0], n)[:n]
	g.Table.InsertAll(g.Targets, g.numbers)
	for i, t := range g.numbers {
		g.Out[i].Target = t
	}
	g.Targets = g.Targets[:0]
}

// NumberOf returns the number of the product state with these parts.
func (g *Graph) NumberOf(network []uint64, automaton int32) int32 {
	g.Out, g.Targets = g.Out[:0], g.Targets[:0]
	g.add(Match{Target: automaton}, run.Stutter, -1, network)
	g.number()
	return g.Out[0].Target
}

// MarksOf returns the marks with a number, see Edge.
func (g *Graph) MarksOf(markSet int32) uint64 { return g.match.markSets[markSet] }

// Initial returns the initial states, without duplicates.
func (g *Graph) Initial() ([]int32, error) {
	g.followInitial()
	g.number()
	return slices.Clone(g.numbers), g.Tick(g.Table.Len(), 0)
}

// InitialPacked returns the same, packed.
func (g *Graph) InitialPacked() ([]uint64, error) {
	g.followInitial()
	return slices.Clone(g.Targets), g.Tick(g.Table.Len(), 0)
}

func (g *Graph) followInitial() {
	g.ex.Initial(&g.Succ)
	g.Out, g.Targets = g.Out[:0], g.Targets[:0]
	for i := range g.Succ.Len() {
		if g.Symmetry != nil {
			g.Symmetry.Canonicalise(g.Succ.States[i*g.NetWords : (i+1)*g.NetWords])
		}
		g.add(Match{Target: g.Aut.Initial}, run.Stutter, -1, g.Succ.States[i*g.NetWords:(i+1)*g.NetWords])
	}
}

// Expand stores the edges that leave s in Out, as a step of a search that is
// this deep. The error is that of the budget.
func (g *Graph) Expand(s int32, depth int) error {
	g.Successors(s)
	return g.Count(len(g.Out), g.Table.Len(), depth)
}

// Step is Expand for searches that keep packed states, so many of them, and need
// only where edges lead: in Targets, not in Out.
func (g *Graph) Step(packed []uint64, states, depth int) error {
	g.FollowTargets(packed)
	return g.Count(len(g.Targets)/g.Words, states, depth)
}

// Count notes that a state was expanded, which so many edges leave, by a search that
// has stored so many states and is this deep.
func (g *Graph) Count(edges, states, depth int) error {
	g.Expanded++
	g.Transitions += int64(edges)
	g.Depth = max(g.Depth, int64(depth))
	if err := g.reach(states); err != nil {
		return err
	}
	if g.pace.Due(g.Expanded, g.Transitions, g.Words) || g.MaxStates > 0 && int64(states) > g.MaxStates && !g.Found {
		return g.Tick(states, depth)
	}
	return nil
}

// Tick asks the meter, of a search that has stored so many states and is this deep.
func (g *Graph) Tick(states, depth int) error {
	p := budget.Progress{Phase: "searching", States: int64(states), Transitions: g.Transitions, Depth: int64(depth)}
	if g.Found {
		p.Phase, p.States = "writing the counterexample", 0
	}
	if g.Table.Full() {
		return budget.Full("states", g.Table.Len(), p)
	}
	return g.Meter.Tick(p)
}

// reach tells the lane how far the search, which has stored so many states, has come.
func (g *Graph) reach(states int) error {
	if g.Found {
		return nil
	}
	return g.Lane.Reach(max(g.Expanded, int64(states)))
}

// CountModel counts the different states of the network among packed states of
// the product, all of which it calls for.
func (g *Graph) CountModel(all func(yield func(state []uint64) bool)) int64 {
	model := statetable.New(g.NetWords)
	packed := make([]uint64, g.NetWords)
	for state := range all {
		g.Split(state, packed)
		model.Insert(packed)
	}
	return int64(model.Len())
}

// FollowTargets is Follow for searches that do not need Out.
func (g *Graph) FollowTargets(packed []uint64) {
	if g.Words == 1 && g.Order == nil && g.Symmetry == nil && g.Inside == nil {
		g.follow1(packed[0])
	} else {
		g.Follow(packed)
	}
}

// aheadFirst: of all edges that leave a state of the product, those come first with
// which the automaton leaves its component. An automaton often waits in its first
// component, which accepts nothing, for the moment to guess that the rest of the run
// accepts. A depth-first search that made it wait as long as it can would go
// through the whole network before it guessed once.
var aheadFirst = [...]bool{true, false}

// follow1 is Follow for states of one word, without Out.
func (g *Graph) follow1(packed uint64) {
	shift := g.autShift & 63
	g.Current = int32(packed >> shift & g.autMask)
	g.State[0] = packed &^ (g.autMask << shift)
	g.Targets = g.Targets[:0]
	g.ex.Successors(g.State, &g.Succ)
	row := g.match.Row(g.bind.LetterOf(g.State, &g.Succ), g.Current)
	if g.Succ.Len() == 0 {
		g.Stopped = true
		if g.stutter {
			for _, m := range g.match.Find(row, 0) {
				g.Targets = append(g.Targets, g.State[0]|uint64(m.Target)<<shift)
			}
		}
		return
	}
	targets := g.Targets
	if g.Aut.forks[g.Current] {
		for _, ahead := range aheadFirst {
			for i, rule := range g.Succ.Rules {
				for _, m := range g.match.Find(row, g.bind.Class[rule]) {
					if m.ahead == ahead {
						targets = append(targets, g.Succ.States[i]|uint64(m.Target)<<shift)
					}
				}
			}
		}
	} else if len(g.bind.Events) == 1 {
		for _, m := range g.match.Find(row, 0) {
			part := uint64(m.Target) << shift
			for _, state := range g.Succ.States {
				targets = append(targets, state|part)
			}
		}
	} else {
		for i, rule := range g.Succ.Rules {
			for _, m := range g.match.Find(row, g.bind.Class[rule]) {
				targets = append(targets, g.Succ.States[i]|uint64(m.Target)<<shift)
			}
		}
	}
	g.Targets = targets
}

// Successors stores the edges that leave s in Out.
func (g *Graph) Successors(s int32) {
	g.Follow(g.Table.State(s))
	g.number()
}

// Follow stores the edges that leave a packed state in Out, without the numbers
// of their targets, and the targets in Targets, packed.
func (g *Graph) Follow(packed []uint64) {
	g.Split(packed, g.State)
	aut := g.AutomatonPart(packed)
	g.Current = aut
	g.Out, g.Targets = g.Out[:0], g.Targets[:0]
	g.ex.Successors(g.State, &g.Succ)
	row := g.match.Row(g.bind.LetterOf(g.State, &g.Succ), aut)
	if g.Succ.Len() == 0 {
		g.Stopped = true
		if g.stutter {
			for _, m := range g.match.Find(row, 0) {
				g.add(m, run.Stutter, -1, g.State)
			}
		}
	}
	var some numset.Bits
	if g.Order != nil {
		some = g.Order.Choose(g.State, &g.Succ)
	}
	g.kept = g.kept[:0]
	for i, rule := range g.Succ.Rules {
		to := g.Succ.States[i*g.NetWords : (i+1)*g.NetWords]
		if some != nil && !some.Has(rule) || g.Inside != nil && !g.Inside(to) {
			continue
		}
		if g.Symmetry != nil {
			g.Symmetry.Canonicalise(to)
		}
		g.kept = append(g.kept, int32(i))
	}
	forks := g.Aut.forks[aut]
	for _, ahead := range aheadFirst {
		if ahead && !forks {
			continue
		}
		for _, i := range g.kept {
			rule := g.Succ.Rules[i]
			for _, m := range g.match.Find(row, g.bind.Class[rule]) {
				if m.ahead == ahead || !forks {
					g.add(m, rule, i, g.Succ.States[int(i)*g.NetWords:(int(i)+1)*g.NetWords])
				}
			}
		}
	}
}
