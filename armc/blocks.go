package armc

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
)

// Large-block encoding: locations that paths only pass through are removed, and
// every path through them becomes one command. Fewer, larger blocks mean fewer
// abstractions and shorter paths to refine.

// block is a command made of one or more rules.
type block struct {
	from, to int
	command  *predabs.Command
	steps    []blockStep
}

// blockStep is a rule of a block; input maps the rule's inputs to the block's.
type blockStep struct {
	rule  int
	input map[*logic.Term]*logic.Term
}

// program is a system as the methods see it.
type program struct {
	sys       *System
	init, err []*logic.Term // by location
	blocks    []block
	out, in   [][]int // blocks by location
	removed   []removal
}

// removal remembers a removed location and the blocks that left it.
type removal struct {
	location int
	out      []block
}

// newProgram makes one block of each rule, and larger ones if asked to.
func newProgram(sys *System, large bool) *program {
	p := &program{sys: sys, init: sys.at(sys.Init), err: sys.at(sys.Error)}
	for i, r := range sys.Rules {
		step := blockStep{rule: i, input: map[*logic.Term]*logic.Term{}}
		for _, in := range r.Command.Inputs {
			step.input[in] = in
		}
		p.blocks = append(p.blocks, block{r.From, r.To, r.Command, []blockStep{step}})
	}
	if large {
		p.enlarge()
	}
	p.index()
	return p
}

func (p *program) index() {
	n := len(p.sys.Locations)
	p.out, p.in = make([][]int, n), make([][]int, n)
	for i, b := range p.blocks {
		p.out[b.from] = append(p.out[b.from], i)
		p.in[b.to] = append(p.in[b.to], i)
	}
}

// maxGrowth bounds how many blocks removing one location may add.
const maxGrowth = 2

// enlarge removes locations, in the order of their numbers, until none can be.
func (p *program) enlarge() {
	for again := true; again; {
		again = false
		p.index()
		for l := range p.sys.Locations {
			if p.removable(l) {
				p.remove(l)
				p.index()
				again = true
			}
		}
	}
}

// removable: the location is neither initial nor an error, has no loop, is
// reached, and its outgoing blocks have no inputs, so that a weakest
// precondition gives its invariant afterwards (see expand).
func (p *program) removable(l int) bool {
	in, out := p.in[l], p.out[l]
	if !p.init[l].IsFalse() || !p.err[l].IsFalse() || len(in)+len(out) == 0 {
		return false
	}
	if len(in)*len(out) > len(in)+len(out)+maxGrowth {
		return false
	}
	for _, i := range out {
		if p.blocks[i].to == l || len(p.blocks[i].command.Inputs) > 0 {
			return false
		}
	}
	return true
}

func (p *program) remove(l int) {
	r := removal{location: l}
	for _, j := range p.out[l] {
		r.out = append(r.out, p.blocks[j])
	}
	var joined []block
	for _, i := range p.in[l] {
		for _, b := range r.out {
			if j := join(p.blocks[i], b); !j.command.Guard.IsFalse() {
				joined = append(joined, j)
			}
		}
	}
	p.blocks = slices.DeleteFunc(slices.Clone(p.blocks), func(b block) bool { return b.from == l || b.to == l })
	p.blocks = append(p.blocks, joined...)
	p.removed = append(p.removed, r)
}

func join(a, b block) block {
	command, renamed := a.command.Then(b.command)
	out := block{a.from, b.to, command, slices.Clone(a.steps)}
	for _, s := range b.steps {
		input := maps.Clone(s.input)
		for own, in := range input {
			if n := renamed[in]; n != nil {
				input[own] = n
			}
		}
		out.steps = append(out.steps, blockStep{s.rule, input})
	}
	return out
}

// expand gives invariants to the removed locations: the weakest preconditions
// of what follows, last removed first.
func (p *program) expand(invariant []*logic.Term) {
	for i := len(p.removed) - 1; i >= 0; i-- {
		r := p.removed[i]
		inv := logic.True()
		for _, b := range r.out {
			inv = logic.And(inv, logic.Implies(b.command.Guard, b.command.After(invariant[b.to])))
		}
		invariant[r.location] = inv
	}
}
