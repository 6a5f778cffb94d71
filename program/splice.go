package program

import (
	"container/heap"
	"slices"

	"github.com/seltl/seltl/logic"
)

// SplicedBlocks makes one block of each path of edges through locations that paths only
// pass through; two paths are two blocks. Locations are removed in the order of their
// numbers, and then those that can be removed since, as long as that adds few blocks
// (maxGrowth).
//
// The work is linear in the edges, the sizes of their commands, and the blocks that are
// made and the values they copy, where numbers follow the flow of control, as those of
// texts mostly do: blocks grow at their end. A long block behind a location is
// substituted into as a whole. No block of more than maxCopied parts is copied: of n tests
// after one another, each with a way out, the ways would have n*n/2 of them.
func SplicedBlocks(sys *System) *Blocks {
	j := newJoiner(sys)
	j.enlarge()
	return j.blocks()
}

// removal remembers a removed location and the blocks that left it.
type removal struct {
	location int
	out      []*joint
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
	work      int // locations, blocks and parts of commands touched
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

// maxCopied bounds the parts of a block that is copied when a location is removed.
const maxCopied = 256

// mostJoined bounds the work: programs of some thousand locations take a hundred thousand. What is left stays as it
// is: thousands of ways into each of thousands of locations, say.
const mostJoined = 4_000_000

// enlarge looks at all locations in the order of their numbers, and again, in a next
// round, at those of which a neighbour was removed.
func (j *joiner) enlarge() {
	n := len(j.places)
	for l := range n {
		j.turns = append(j.turns, l)
		j.places[l].turn = l
	}
	for len(j.turns) > 0 && j.work < mostJoined {
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
		p.ins*p.outs <= p.ins+p.outs+maxGrowth && p.loops == 0 && p.choose == 0 &&
		(p.outs < 2 || j.short(&p.in)) && (p.ins < 2 || j.short(&p.out))
}

// short reports whether blocks at a location may be copied. Where there are others on its other
// side, they are few.
func (j *joiner) short(blocks *[]*joint) bool {
	j.work += len(*blocks)
	*blocks = left(*blocks)
	return !slices.ContainsFunc(*blocks, func(b *joint) bool { return b.size() > maxCopied })
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
	out := newBlocks(j.sys, j.init, j.bad)
	out.removed = j.removed
	for _, b := range left(j.all) {
		b.command()
		out.add(b.Block)
	}
	return out
}
