package values

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Analysis is a system of blocks made ready for exploration. It is not safe for concurrent use.
type Analysis struct {
	blocks  *program.Blocks
	edges   []edge // the blocks
	out     [][]int
	init    []region
	bad     [][]*node // by location: the formulas of its error regions
	live    [][]bool  // by location and variable
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
}

// New makes blocks ready: an abstract step is one of these. Linear in their size.
func New(blocks *program.Blocks) *Analysis {
	sys := blocks.System
	a := &Analysis{blocks: blocks, vars: len(sys.Vars), out: blocks.Out, bad: make([][]*node, len(sys.Locations))}
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
		for _, where := range logic.Disjuncts(blocks.Init[l]) {
			a.init = append(a.init, region{l, c.conjuncts(where)})
		}
		for _, where := range logic.Disjuncts(blocks.Error[l]) {
			a.bad[l] = append(a.bad[l], c.compile(where))
		}
	}
	a.env.slots = make([]value, len(a.env.kinds))
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
	for _, p := range logic.Conjuncts(f) {
		all = append(all, c.compile(p))
	}
	return all
}

func (c *compiler) uses(ts ...*logic.Term) (slots []int32) {
	for _, v := range logic.Vars(ts...) {
		slots = append(slots, c.slots[v])
	}
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

// Reached are the abstract states of an exploration.
type Reached struct {
	a       *Analysis
	vars    [][]int32           // by location: the variables that are tracked there, increasing
	tables  []*statetable.Table // by location; nil: not reached
	number  [][]int32           // by location and number in its table: index into states
	states  []state             // in breadth-first order
	Error   int                 // an abstract state that has an error, -1 without
	enc     encoder
	numbers []map[uint64]bool // by variable that is Exact: what it has been
	fixed   []bool
	many    int     // a variable that has too many, -1 without
	oldest  int     // of the states that were not visited in breadth-first order
	newest  []int32 // of the states beyond, a stack
	seen    int     // states that have come to the stack
}

type state struct {
	location, number int32 // in the location's table
	from, by         int32 // the state before and the edge; -1: initial
}

// Explore visits all abstract states, or those before the first one with an error.
// precision is by variable. tick is asked for every state that is visited; its error ends
// the exploration. A variable that has more than a few numbers is made Relative, with
// those it is related to: their precision is changed, and the exploration begins anew. fixed are the variables for which
// this is not wanted; the error is *TooMany if one of those finds no end.
func (a *Analysis) Explore(precision []Precision, fixed []bool, tick func(states int) error) (*Reached, error) {
	for {
		r, err := a.explore(precision, fixed, tick)
		if err != nil || r.many < 0 {
			return r, err
		}
		if fixed[r.many] {
			return nil, &TooMany{a.blocks.System.Vars[r.many]}
		}
		for v, class := range a.related {
			if class == a.related[r.many] && precision[v] == Exact && !fixed[v] {
				precision[v] = Relative
			}
		}
	}
}

// mostNumbers is how many numbers a variable has before it is made Relative, and mostFixed
// how many it has at all.
const (
	mostNumbers = 32
	mostFixed   = 20_000
)

// TooMany is the error of Explore for a variable whose numbers find no end.
type TooMany struct{ Variable *logic.Term }

func (e *TooMany) Error() string {
	return fmt.Sprintf("%s has more than %d numbers", e.Variable, mostFixed)
}

func (a *Analysis) explore(precision []Precision, fixed []bool, tick func(states int) error) (*Reached, error) {
	n := len(a.bad)
	r := &Reached{a: a, fixed: fixed, vars: a.lists(precision), tables: make([]*statetable.Table, n), number: make([][]int32, n), Error: -1, many: -1,
		enc: encoder{precision: precision}, numbers: make([]map[uint64]bool, a.vars)}
	for v := range a.vars {
		if precision[v] == Exact {
			r.numbers[v] = map[uint64]bool{}
		}
	}
	for _, init := range a.init {
		if a.begin(&init) && r.enter(init.location, -1, -1) {
			return r, nil
		}
	}
	for {
		i, left := r.next()
		if !left || r.many >= 0 {
			return r, nil
		}
		if err := tick(len(r.states)); err != nil {
			return nil, err
		}
		s := r.states[i]
		for _, e := range a.out[s.location] {
			if r.step(s, e) && r.enter(a.blocks.All[e].To, int32(i), int32(e)) {
				return r, nil
			}
		}
	}
}

// shallow is how many states are visited in breadth-first order, which gives the shortest
// paths. Beyond, errors that are far away are found sooner by going on from the newest.
const shallow = 4_000

// next takes a state that was not visited.
func (r *Reached) next() (i int, left bool) {
	if r.oldest == len(r.states) {
		return 0, false
	}
	if r.oldest < shallow {
		r.oldest++
		return r.oldest - 1, true
	}
	if r.newest == nil {
		for i := len(r.states) - 1; i >= r.oldest; i-- {
			r.newest = append(r.newest, int32(i))
		}
		slices.Reverse(r.newest)
		r.seen = len(r.states)
	}
	for ; r.seen < len(r.states); r.seen++ {
		r.newest = append(r.newest, int32(r.seen))
	}
	if len(r.newest) == 0 {
		return 0, false
	}
	i = int(r.newest[len(r.newest)-1])
	r.newest = r.newest[:len(r.newest)-1]
	return i, true
}

// begin gives the slots the values of an initial region; false if it has no states.
func (a *Analysis) begin(init *region) bool {
	a.env.load(nil, nil, a.all)
	return a.env.assumeAll(init.where, true)
}

// errs reports that a state may be an error.
func (a *Analysis) errs(location int, words []uint64, vars []int32) bool {
	for _, where := range a.bad[location] {
		a.env.load(words, vars, a.all)
		if a.env.assume(where, true) {
			return true
		}
	}
	return false
}

// lists are the variables that are tracked at each location.
func (a *Analysis) lists(precision []Precision) [][]int32 {
	lists := make([][]int32, len(a.bad))
	for l := range lists {
		lists[l] = a.list(l, precision)
	}
	return lists
}

// list is the variables that are tracked at a location: only those that matter there.
func (a *Analysis) list(location int, precision []Precision) (list []int32) {
	for v, p := range precision {
		if p != Untracked && a.live[location][v] && a.Trackable(v) {
			list = append(list, int32(v))
		}
	}
	return list
}

// step takes an edge from a state; the slots have the values behind it, if it is possible.
func (r *Reached) step(s state, e int) bool {
	env, edge := &r.a.env, &r.a.edges[e]
	env.load(r.tables[s.location].State(s.number), r.vars[s.location], edge.uses)
	return env.do(edge)
}

// do takes an edge: false if its guard does not hold.
func (e *env) do(edge *edge) bool {
	if !e.assumeAll(edge.guard, true) {
		return false
	}
	after := e.after[:0]
	for i, by := range edge.by {
		v := e.eval(by)
		if v.sym == unknown { // some number, which nothing else is known of
			v = value{sym: int32(len(e.slots)) + edge.to[i] + 1}
		}
		after = append(after, v)
	}
	e.after = after
	e.stamp++
	for i, v := range edge.to {
		e.set(v, after[i])
	}
	return true
}

// enter adds the state that the slots have at a location, unless it is known. It returns
// true if it has an error.
func (r *Reached) enter(location int, from, by int32) (bad bool) {
	words := r.enc.encode(&r.a.env, r.vars[location])
	t := r.tables[location]
	if t == nil {
		t = statetable.New(len(words))
		r.tables[location] = t
	}
	number, fresh := t.Insert(words)
	if !fresh {
		return false
	}
	r.count(words, r.vars[location])
	r.number[location] = append(r.number[location], int32(len(r.states)))
	r.states = append(r.states, state{int32(location), number, from, by})
	if bad = r.a.errs(location, words, r.vars[location]); bad {
		r.Error = len(r.states) - 1
	}
	return bad
}

// count takes down the numbers of a new state.
func (r *Reached) count(words []uint64, vars []int32) {
	for i, v := range vars {
		seen := r.numbers[v]
		if seen == nil || sourceOf(words, len(vars), i) != isNumber {
			continue
		}
		seen[words[i]] = true
		if n := len(seen); n > mostFixed || n > mostNumbers && !r.fixed[v] {
			r.many = int(v)
		}
	}
}

// States returns how many there are.
func (r *Reached) States() int { return len(r.states) }

// Path returns how a state was reached.
func (r *Reached) Path(i int) (p Path) {
	for ; r.states[i].from >= 0; i = int(r.states[i].from) {
		p.Blocks = append(p.Blocks, int(r.states[i].by))
	}
	slices.Reverse(p.Blocks)
	p.Start = int(r.states[i].location)
	return p
}
