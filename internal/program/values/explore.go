package values

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Analysis is a system of blocks made ready for exploration. It is not safe for concurrent use.
type Analysis struct {
	blocks  *program.Blocks
	edges   []edge // the blocks
	out     [][]int
	uses    [][]int32 // by location: the slots that the blocks from there mention
	init    []region
	bad     [][]failure // by location: the formulas of its error regions
	live    [][]bool    // by location and variable
	env     env
	vars    int
	all     []int32 // the variables
	related []int   // by variable, see there
}

// edge is a block.
type edge struct {
	guard []*node // conjuncts
	to    []int32 // variables that are assigned
	by    []*node
	uses  []int32 // slots that guard and by mention, inputs among them
}

type region struct {
	location int
	where    []*node
	uses     []int32 // slots that where mentions
}

// failure is a formula whose states are errors.
type failure struct {
	where   *node
	formula *logic.Term
	uses    []int32 // slots that where mentions
}

// New makes blocks ready: an abstract step is one of these. Linear in their size.
func New(blocks *program.Blocks) *Analysis {
	sys := blocks.System
	a := &Analysis{blocks: blocks, vars: len(sys.Vars), out: blocks.Out, bad: make([][]failure, len(sys.Locations))}
	a.env.contents = newContents()
	c := &compiler{nodes: map[*logic.Term]*node{}, slots: map[*logic.Term]int32{}}
	slot := func(v *logic.Term) {
		if _, known := c.slots[v]; !known {
			c.slots[v] = int32(len(a.env.kinds))
			a.env.kinds = append(a.env.kinds, kindOf(v.Sort()))
		}
	}
	for i, v := range sys.Vars {
		slot(v)
		a.all = append(a.all, int32(i))
	}
	for _, e := range blocks.All {
		for _, in := range e.Command.Inputs {
			slot(in) // an input of the same name in another edge has the same slot
		}
		a.edges = append(a.edges, c.edge(sys, e.Command))
	}
	for l := range sys.Locations {
		var uses []int32
		for _, b := range a.out[l] {
			uses = append(uses, a.edges[b].uses...)
		}
		slices.Sort(uses)
		a.uses = append(a.uses, slices.Compact(uses))
		for _, where := range logic.Disjuncts(blocks.Init[l]) {
			a.init = append(a.init, region{l, c.conjuncts(where), c.uses(where)})
		}
		for _, where := range logic.Disjuncts(blocks.Error[l]) {
			a.bad[l] = append(a.bad[l], failure{c.compile(where), where, c.uses(where)})
		}
	}
	a.env.slots, a.env.since = make([]value, len(a.env.kinds)), make([]uint64, len(a.env.kinds))
	a.live, a.related = liveness(blocks), related(blocks)
	return a
}

func (c *compiler) edge(sys *program.System, cmd *program.Command) edge {
	e := edge{guard: c.conjuncts(cmd.Guard)}
	mentioned := []*logic.Term{cmd.Guard}
	for _, v := range sys.Vars { // in a fixed order
		if t := cmd.Update[v]; t != nil {
			e.to, e.by = append(e.to, c.slots[v]), append(e.by, c.compile(t))
			mentioned = append(mentioned, t)
		}
	}
	e.uses = c.uses(mentioned...)
	return e
}

func (c *compiler) conjuncts(f *logic.Term) (all []*node) {
	return lists.Append(nil, logic.Conjuncts(f), c.compile)
}

func (c *compiler) uses(ts ...*logic.Term) (slots []int32) {
	slots = lists.Append(nil, logic.Vars(ts...), func(v *logic.Term) int32 { return c.slots[v] })
	slices.Sort(slots)
	return slots
}

// Precision says what is known of a variable.
type Precision uint8

const (
	// Untracked variables may have any value.
	Untracked Precision = iota
	// Relative variables have differences from each other, but no numbers.
	Relative
	// Exact variables have numbers.
	Exact
)

// Trackable reports whether a variable, by index, can have values at all.
func (a *Analysis) Trackable(v int) bool { return a.env.kinds[v] != opaque }

// begin gives the slots the values of an initial region; false if it has no states.
func (a *Analysis) begin(init *region) bool {
	a.env.load(nil, nil, a.all)
	return a.env.assumeAll(init.where, true)
}

// may reports that a state may be in a failure.
func (a *Analysis) may(f failure, words []uint64, vars []int32) bool {
	a.env.load(words, vars, a.all)
	return a.env.assume(f.where, true)
}

// lists are the variables that are tracked at each location.
func (a *Analysis) lists(precision []Precision) [][]int32 {
	lists := make([][]int32, len(a.bad))
	for l := range lists {
		lists[l] = a.list(l, precision)
	}
	return lists
}

// list is the variables that are tracked at a location: only those that matter there, as
// many as a state has room for.
func (a *Analysis) list(location int, precision []Precision) (list []int32) {
	for v, p := range precision {
		if p != Untracked && a.live[location][v] && a.Trackable(v) && len(list) < MaxTracked {
			list = append(list, int32(v))
		}
	}
	return list
}

// do takes an edge: false if its guard does not hold.
func (e *env) do(edge *edge) bool {
	if !e.assumeAll(edge.guard, true) {
		return false
	}
	e.assign(edge)
	return true
}

// assign gives variables the values that they have behind an edge.
func (e *env) assign(edge *edge) {
	after := e.after[:0]
	for i, by := range edge.by {
		v := e.eval(by)
		if v.sym == unknown && e.kinds[edge.to[i]] == arrays {
			v = constant(0)
		} else if v.sym == unknown { // some number, which nothing else is known of
			v = value{sym: int32(len(e.slots)) + edge.to[i] + 1}
		}
		after = append(after, v)
	}
	e.after = after
	e.stamp++
	for i, v := range edge.to {
		e.set(v, after[i])
	}
}
