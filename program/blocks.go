package program

import (
	"container/heap"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Large-block encoding: locations that paths only pass through are removed, and
// every path through them becomes one command. Fewer, larger blocks mean fewer
// abstractions and shorter paths to refine.

// Blocks is a system as the methods see it: edges, or paths of edges, between the
// locations that are left.
type Blocks struct {
	System      *System
	Init, Error []*logic.Term // by location: the union of its regions
	All         []Block
	Out, In     [][]int // indices into All, by location
	removed     []removal
}

// Block is the command of a path of edges. Only the first of them chooses inputs,
// which have the same names in the block.
type Block struct {
	From, To int
	Edges    []int // of the system
	Command  *Command
}

// removal remembers a removed location and the blocks that left it.
type removal struct {
	location int
	out      []*joint
}

// SmallBlocks makes one block of each edge.
func SmallBlocks(sys *System) *Blocks { return newJoiner(sys).blocks() }

// LargeBlocks joins blocks as long as that adds few (maxGrowth): locations are removed
// in the order of their numbers, and then those that can be removed since.
//
// The work is linear in the edges, the sizes of their commands, and the blocks that are
// made and the values they copy, where numbers follow the flow of control, as those of
// texts mostly do: blocks grow at their end. A long block behind a location is
// substituted into as a whole.
func LargeBlocks(sys *System) *Blocks {
	j := newJoiner(sys)
	j.enlarge()
	return j.blocks()
}

// joint is a block while joining goes on.
type joint struct {
	Block           // Command is that of the one edge, nil if there are several
	seq   *sequence // the command of several edges
	gone  bool
}

func (b *joint) chooses() bool {
	if b.seq != nil {
		return len(b.seq.inputs) > 0
	}
	return len(b.Command.Inputs) > 0
}

func (b *joint) command() *Command {
	if b.Command == nil {
		b.Command = b.seq.command()
	}
	return b.Command
}

// grow returns a sequence that begins like the block; the block's own if it may be taken.
func (b *joint) grow(take bool) *sequence {
	switch {
	case b.seq == nil:
		s := &sequence{}
		s.add(b.Command.Inputs, logic.Conjuncts(b.Command.Guard), b.Command.Update)
		return s
	case take:
		return b.seq
	}
	return b.seq.clone()
}

// size is what it takes to copy a block.
func (b *joint) size() int {
	if b.seq != nil {
		return len(b.Edges) + len(b.seq.conjuncts) + len(b.seq.update)
	}
	return 1 + len(logic.Conjuncts(b.Command.Guard)) + len(b.Command.Update)
}

// then adds a block without inputs at the end.
func (s *sequence) then(b *joint) {
	if b.seq != nil {
		s.add(nil, b.seq.conjuncts, b.seq.update)
	} else {
		s.add(nil, logic.Conjuncts(b.Command.Guard), b.Command.Update)
	}
}

// joiner removes locations. A removal touches the blocks at the location, and whether a
// location can be removed is known from counts that are kept, so that nothing looks at
// the whole system again.
type joiner struct {
	sys       *System
	init, bad []*logic.Term
	all       []*joint
	places    []place // by location
	turns     turns
	removed   []removal
	work      int // locations, blocks and parts of commands touched, for a test
}

// place is a location with the blocks that enter and leave it, in the order in which
// they were made. Those that are gone stay in the lists until the location is removed.
type place struct {
	in, out       []*joint
	ins, outs     int // not gone
	loops, choose int // of those that leave: back to the location, with inputs
	turn          int // the last one it was given
}

// turns are the locations to look at: n times the round plus the location.
type turns []int

func (t turns) Len() int           { return len(t) }
func (t turns) Less(i, j int) bool { return t[i] < t[j] }
func (t turns) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *turns) Push(x any)        { *t = append(*t, x.(int)) }
func (t *turns) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

func newJoiner(sys *System) *joiner {
	j := &joiner{sys: sys, init: sys.union(sys.Init), bad: sys.union(sys.Error), places: make([]place, len(sys.Locations))}
	for i, e := range sys.Edges {
		j.add(&joint{Block: Block{From: e.From, To: e.To, Edges: []int{i}, Command: e.Command}})
	}
	return j
}

func (j *joiner) add(b *joint) {
	j.all = append(j.all, b)
	from, to := &j.places[b.From], &j.places[b.To]
	from.out, to.in = append(from.out, b), append(to.in, b)
	j.count(b, 1)
}

func (j *joiner) drop(b *joint) {
	if !b.gone {
		b.gone = true
		j.count(b, -1)
	}
}

func (j *joiner) count(b *joint, by int) {
	j.work++
	from := &j.places[b.From]
	from.outs += by
	j.places[b.To].ins += by
	if b.From == b.To {
		from.loops += by
	}
	if b.chooses() {
		from.choose += by
	}
}

// maxGrowth bounds how many blocks removing one location may add.
const maxGrowth = 2

// enlarge looks at all locations in the order of their numbers, and again, in a next
// round, at those of which a neighbour was removed.
func (j *joiner) enlarge() {
	n := len(j.places)
	for l := range n {
		j.turns = append(j.turns, l)
		j.places[l].turn = l
	}
	for len(j.turns) > 0 {
		turn := heap.Pop(&j.turns).(int)
		j.work++
		if l := turn % n; j.removable(l) {
			j.remove(l, turn)
		}
	}
}

// removable: the location is neither initial nor an error, has no loop, is
// reached, and its outgoing blocks have no inputs, so that a weakest
// precondition gives its invariant afterwards (see Expand).
func (j *joiner) removable(l int) bool {
	p := &j.places[l]
	return j.init[l].IsFalse() && j.bad[l].IsFalse() && p.ins+p.outs > 0 &&
		p.ins*p.outs <= p.ins+p.outs+maxGrowth && p.loops == 0 && p.choose == 0
}

func (j *joiner) remove(l, turn int) {
	p := &j.places[l]
	in, out := left(p.in), left(p.out)
	j.work += len(p.in) + len(p.out)
	j.removed = append(j.removed, removal{l, out})
	for _, a := range in {
		j.drop(a)
		for k, b := range out {
			s := a.grow(k == len(out)-1)
			if s != a.seq {
				j.work += a.size()
			}
			j.work += b.size()
			s.then(b)
			if !s.never {
				j.add(&joint{Block: Block{From: a.From, To: b.To, Edges: joined(a.Edges, b.Edges, s == a.seq)}, seq: s})
			}
		}
		j.again(a.From, turn)
	}
	for _, b := range out {
		j.drop(b)
		j.again(b.To, turn)
	}
	p.in, p.out = nil, nil
}

// joined appends to a where a may be taken.
func joined(a, b []int, take bool) []int {
	if take {
		return append(a, b...)
	}
	return slices.Concat(a, b)
}

// again gives a location a turn: in this round if that is still to come.
func (j *joiner) again(l, turn int) {
	n := len(j.places)
	next := turn - turn%n + l
	if next <= turn {
		next += n
	}
	if p := &j.places[l]; p.turn != next {
		p.turn = next
		heap.Push(&j.turns, next)
	}
}

func left(blocks []*joint) []*joint {
	return slices.DeleteFunc(blocks, func(b *joint) bool { return b.gone })
}

func (j *joiner) blocks() *Blocks {
	n := len(j.places)
	out := &Blocks{System: j.sys, Init: j.init, Error: j.bad, Out: make([][]int, n), In: make([][]int, n), removed: j.removed}
	for _, b := range left(j.all) {
		b.command()
		i := len(out.All)
		out.All = append(out.All, b.Block)
		out.Out[b.From] = append(out.Out[b.From], i)
		out.In[b.To] = append(out.In[b.To], i)
	}
	return out
}

// Expand gives invariants to the removed locations: the weakest preconditions
// of what follows, last removed first. invariant is by location.
func (b *Blocks) Expand(invariant []*logic.Term) {
	for i := len(b.removed) - 1; i >= 0; i-- {
		r := b.removed[i]
		inv := logic.True()
		for _, out := range r.out {
			c := out.command()
			inv = logic.And(inv, logic.Implies(c.Guard, c.After(invariant[out.To])))
		}
		invariant[r.location] = inv
	}
}

// Path returns the path of blocks, each of which begins where the one before it ends,
// from the initial states at a location to the error states at the last one.
func (b *Blocks) Path(start int, blocks []int) *Path {
	p := &Path{Vars: b.System.Vars, Init: b.Init[start]}
	end := start
	for _, i := range blocks {
		p.Steps = append(p.Steps, b.All[i].Command)
		end = b.All[i].To
	}
	p.Error = b.Error[end]
	return p
}

// Edges returns the edges that the blocks are made of.
func (b *Blocks) Edges(blocks []int) []int {
	out := []int{}
	for _, i := range blocks {
		out = append(out, b.All[i].Edges...)
	}
	return out
}

// Unfold makes a trace of the system of an execution along a path of blocks, of which it
// takes the first state and the inputs; see Trace.Replay. The error is of a step that
// cannot be evaluated.
func (b *Blocks) Unfold(start int, blocks []int, e *Execution) (*Trace, error) {
	t := &Trace{Start: start, Execution: Execution{States: []logic.Model{e.States[0]}}}
	for i, k := range blocks {
		for n, edge := range b.All[k].Edges {
			inputs := logic.Model{}
			if n == 0 {
				inputs = e.Inputs[i]
			}
			next, err := b.System.Edges[edge].Command.Step(t.States[len(t.States)-1], inputs)
			if err != nil {
				return nil, err
			}
			t.Edges, t.Inputs, t.States = append(t.Edges, edge), append(t.Inputs, inputs), append(t.States, next)
		}
	}
	return t, nil
}
