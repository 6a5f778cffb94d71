package program

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Blocks is a system as the methods see it: edges, or what is made of several of them,
// between the locations that are left. Fewer, larger blocks mean fewer abstractions and
// shorter paths to refine.
type Blocks struct {
	System      *System
	Init, Error []*logic.Term // by location: the union of its regions
	All         []Block
	Out, In     [][]int   // indices into All, by location
	removed     []removal // of SplicedBlocks
	inner       *inner    // of LargeBlocks
}

// Block is the command of a path of edges, or of all paths between two locations through
// such as are not left. If it is of one path, only the first edge chooses inputs, which
// have the same names in the block; other blocks have inputs of their own.
type Block struct {
	From, To int
	Edges    []int // of the system: the path, or those of all paths, in the order in which runs can take them
	Merged   bool  // there are several paths
	Command  *Command
}

// newBlocks returns what all encodings have in common.
func newBlocks(sys *System, init, bad []*logic.Term) *Blocks {
	n := len(sys.Locations)
	return &Blocks{System: sys, Init: init, Error: bad, Out: make([][]int, n), In: make([][]int, n)}
}

func (b *Blocks) add(block Block) {
	i := len(b.All)
	b.All = append(b.All, block)
	b.Out[block.From], b.In[block.To] = append(b.Out[block.From], i), append(b.In[block.To], i)
}

// SmallBlocks makes one block of each edge.
func SmallBlocks(sys *System) *Blocks { return newJoiner(sys).blocks() }

// Expand gives invariants to the removed locations: the weakest preconditions
// of what follows, last removed first. invariant is by location. ask is called before each of
// them with the number of parts of what it is made from, and what it returns ends it: steps that
// give a variable one of n values make n copies of a precondition, and k of them n^k.
func (b *Blocks) Expand(invariant []*logic.Term, ask func(parts int) error) error {
	x := &expansion{invariant: invariant, parts: make([]int, len(invariant)), ask: ask}
	if b.inner != nil {
		return b.inner.expand(x)
	}
	for i := len(b.removed) - 1; i >= 0; i-- {
		r := b.removed[i]
		inv := make([]*logic.Term, 0, len(r.out))
		for _, out := range r.out {
			c := out.command()
			before, err := x.before(c, out.To)
			if err != nil {
				return err
			}
			inv = append(inv, before)
		}
		invariant[r.location] = logic.And(inv...)
	}
	return nil
}

// expansion gives invariants to locations, each of which others may follow from.
type expansion struct {
	invariant []*logic.Term
	parts     []int // of invariants, by location; 0: not counted
	ask       func(parts int) error
}

// before is what has to hold for a command to lead to the invariant of a location only.
func (x *expansion) before(c *Command, to int) (*logic.Term, error) {
	if x.parts[to] == 0 {
		x.parts[to] = logic.Parts(x.invariant[to])
	}
	if err := x.ask(x.parts[to]); err != nil {
		return nil, err
	}
	return logic.Implies(c.Guard, c.After(x.invariant[to])), nil
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

// Select returns the blocks with some numbers.
func (b *Blocks) Select(blocks []int) []Block {
	return lists.Map(blocks, func(k int) Block { return b.All[k] })
}

// Length returns how many edges some blocks are made of.
func (b *Blocks) Length(blocks []int) (edges int) {
	for _, k := range blocks {
		edges += len(b.All[k].Edges)
	}
	return edges
}

// Text names the edges of a block: "rho1 rho2", or "{rho1 rho2 rho3}" where runs take some
// of them. Of many, it tells their number.
func (b *Block) Text(sys *System) string {
	const most = 8
	names := lists.Map(b.Edges, func(e int) string { return sys.Edges[e].Name })
	if b.Merged && len(names) > most {
		names = append(names[:most-2], fmt.Sprintf("... %s (%d edges)", names[len(names)-1], len(names)))
	}
	text := strings.Join(names, " ")
	if b.Merged {
		text = "{" + text + "}"
	}
	return text
}

// Unfold makes a trace of the system of an execution along a path of blocks, of which it
// takes the first state and the inputs; see Trace.Replay. In a block of several paths it
// takes the edges that lead to where the block leads. The error is of a step that cannot
// be evaluated.
func (b *Blocks) Unfold(start int, blocks []int, e *Execution) (*Trace, error) {
	t := &Trace{Start: start, Edges: make([]int, 0, len(blocks)), Execution: Execution{States: make([]logic.Model, 1, len(blocks)+1), Inputs: make([]logic.Model, 0, len(blocks))}}
	t.States[0] = e.States[0]
	for i, k := range blocks {
		if b.inner != nil {
			if err := b.inner.follow(t, &b.All[k], e.Inputs[i]); err != nil {
				return nil, err
			}
			continue
		}
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

// Reduced is the blocks as a system of its own, an edge for each: locations that they do
// not speak of are left out. What facts say at a location, where they are given, is added
// to the guards behind it and to its errors. locations are the numbers that those of the
// result have in the blocks' system.
func (b *Blocks) Reduced(facts []*logic.Term) (sys *System, locations []int) {
	sys = &System{Name: b.System.Name, Vars: b.System.Vars}
	number := map[int]int{}
	place := func(l int) int {
		n, ok := number[l]
		if !ok {
			n = len(locations)
			number[l] = n
			locations = append(locations, l)
			sys.Locations = append(sys.Locations, b.System.Locations[l])
		}
		return n
	}
	known := func(l int) *logic.Term {
		if facts == nil {
			return logic.True()
		}
		return facts[l]
	}
	for l := range b.System.Locations {
		if where := b.Init[l]; !where.IsFalse() {
			sys.Init = append(sys.Init, Region{Location: place(l), Where: where})
		}
		if where := b.Error[l]; !where.IsFalse() {
			sys.Error = append(sys.Error, Region{Location: place(l), Where: logic.And(known(l), where)})
		}
	}
	for _, block := range b.All {
		c := *block.Command
		c.Guard = logic.And(known(block.From), c.Guard)
		sys.Edges = append(sys.Edges, Edge{From: place(block.From), To: place(block.To), Command: &c})
	}
	return sys, locations
}
