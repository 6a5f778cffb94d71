package cegar

import (
	"context"
	"fmt"
	"maps"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Part is what a component does in a counterexample.
type Part struct {
	Steps []Step // Steps[0] is where it starts
}

// Step is where a component is, and how it came there.
type Step struct {
	Parent   int   // the step before it, -1 at the start
	Moves    int32 // the state of the Moves that it leads to
	Action   string
	Trace    *program.Trace // the edges and the states between, nil at the start
	State    logic.Model
	Location int
}

// part is a component's part in a counterexample, its projection ([Chaki05], Def. 19)
// unfolded to a tree: a node for every step that the component takes part in, and 0 where
// it starts. Steps of others are left out, as weak simulation has it.
type part struct {
	of    *predabs.Abstracter
	nodes []node
	lost  bool // it leaves what is modelled somewhere
}

// node is a place of a component in a counterexample.
type node struct {
	parent   int // -1 at the root
	block    int // that leads here, of the Abstracter's blocks; -1 at the root
	location int
	moves    int32 // a state of the Moves in which the component is here
	// holds is what the counterexample needs to be true here, over the component's
	// variables: nil where it needs nothing.
	holds    *logic.Term
	children []int
}

// maxPart bounds the nodes of a part. Tests lower it.
var maxPart = 20_000

// project returns the part of a component, nil if it is too large.
func project(m *conform.Moves, net *lks.Network, component int, abstract *predabs.AbstractLKS) (*part, error) {
	p := &part{of: abstract.Abstracter}
	type visit struct {
		node  int
		moves int32
	}
	type edge struct {
		node, block int
		moves       int32
	}
	p.nodes = []node{{parent: -1, block: -1, location: abstract.States[m.Locals[0][component]].Location}}
	seen := map[visit]bool{{0, 0}: true}
	child := map[edge]int{}
	for queue := []visit{{0, 0}}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		enter := func(v visit) {
			if !seen[v] {
				seen[v] = true
				queue = append(queue, v)
			}
		}
		for _, step := range m.Steps[at.moves] {
			action := conform.Part(net, step.Rule, int32(component))
			if action < 0 {
				enter(visit{at.node, step.Target})
				continue
			}
			name := net.Components()[component].Alphabet()[action]
			if name == abstract.Abstracter.LostAction() {
				p.lost = true
				enter(visit{at.node, step.Target})
				continue
			}
			block := abstract.Step(m.Locals[at.moves][component], name, m.Locals[step.Target][component])
			if block < 0 {
				return nil, bug.Errorf("cegar", "%s has no step with %s", p.of.Component.Name, name)
			}
			e := edge{at.node, block, step.Target}
			n, known := child[e]
			if !known {
				n = len(p.nodes)
				child[e] = n
				p.nodes = append(p.nodes, node{parent: at.node, block: block, location: p.of.Blocks.All[block].To, moves: step.Target})
				p.nodes[at.node].children = append(p.nodes[at.node].children, n)
			}
			enter(visit{n, step.Target})
		}
		if len(p.nodes) > maxPart || len(seen) > 4*maxPart {
			return nil, nil
		}
	}
	return p, nil
}

// execution is a part that was executed: by node the state there, and how the step into it
// went edge by edge (nil at the root).
type execution struct {
	states []logic.Model
	traces []*program.Trace
}

// feasible asks whether the component can follow its part: whether there is one state for
// each node such that all steps are possible. That is WeakSimul ([Chaki05], Procedure 6.1)
// along the blocks of the counterexample, by one question. With Sat it returns the states,
// which evaluation has confirmed; with Unknown a reason.
func (p *part) feasible(ctx context.Context, s smt.Checker) (status smt.Status, r *execution, reason string, err error) {
	conditions, _ := p.unroll()
	status, m, err := smt.ModelOf(ctx, s, conditions...)
	switch {
	case err != nil || status == smt.Unsat:
		return status, nil, "", err
	case status == smt.Unknown:
		return status, nil, s.Reason(), nil
	}
	if r, err = p.replay(m); err != nil {
		return smt.Unknown, nil, err.Error(), nil
	}
	return smt.Sat, r, "", nil
}

// unroll writes what holds in a run, node by node, in terms of the first state and of the
// inputs of each step, which are called n@node. by is what variables stand for at each.
func (p *part) unroll() (conditions []*logic.Term, by []map[*logic.Term]*logic.Term) {
	first := map[*logic.Term]*logic.Term{}
	for _, v := range p.of.Component.System.Vars {
		first[v] = v
	}
	conditions = append(conditions, p.of.Blocks.Init[p.nodes[0].location])
	by = append(by, first)
	here := func(n int) {
		if f := p.nodes[n].holds; f != nil {
			conditions = append(conditions, logic.Substitute(f, by[n]))
		}
	}
	here(0)
	for n := 1; n < len(p.nodes); n++ {
		c := p.of.Blocks.All[p.nodes[n].block].Command
		before := by[p.nodes[n].parent]
		if len(c.Inputs) > 0 {
			before = maps.Clone(before)
			for _, in := range c.Inputs {
				before[in] = inputAt(in, n)
			}
		}
		conditions = append(conditions, logic.Substitute(c.Guard, before))
		now := maps.Clone(by[p.nodes[n].parent])
		for v, t := range c.Update {
			now[v] = logic.Substitute(t, before)
		}
		by = append(by, now)
		here(n)
	}
	return conditions, by
}

func inputAt(in *logic.Term, n int) *logic.Term {
	return logic.Var(fmt.Sprintf("%s@%d", in.Name(), n), in.Sort())
}

// replay evaluates the steps from the first state of a model; what it does not speak of
// is 0.
func (p *part) replay(m logic.Model) (*execution, error) {
	value := func(v *logic.Term) logic.Value {
		if x, ok := m[v.Name()]; ok {
			return x
		}
		return logic.Zero(v.Sort())
	}
	first := logic.Model{}
	for _, v := range p.of.Component.System.Vars {
		first[v.Name()] = value(v)
	}
	if ok, err := logic.Holds(p.of.Blocks.Init[p.nodes[0].location], first); !ok {
		return nil, fmt.Errorf("the first state of %s is not initial (%v)", p.of.Component.Name, err)
	}
	r := &execution{states: []logic.Model{first}, traces: []*program.Trace{nil}}
	here := func(n int) error {
		if f := p.nodes[n].holds; f != nil {
			if ok, err := logic.Holds(f, r.states[n]); !ok {
				return fmt.Errorf("a state of %s is not as the counterexample needs it (%v)", p.of.Component.Name, err)
			}
		}
		return nil
	}
	if err := here(0); err != nil {
		return nil, err
	}
	for n := 1; n < len(p.nodes); n++ {
		at := p.nodes[n]
		inputs := logic.Model{}
		for _, in := range p.of.Blocks.All[at.block].Command.Inputs {
			inputs[in.Name()] = value(inputAt(in, n))
		}
		t, err := p.of.Blocks.Unfold(p.nodes[at.parent].location, []int{at.block}, &program.Execution{States: []logic.Model{r.states[at.parent]}, Inputs: []logic.Model{inputs}})
		if err != nil {
			return nil, err
		}
		r.states = append(r.states, t.States[len(t.States)-1])
		r.traces = append(r.traces, t)
		if err := here(n); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// leaves returns the nodes without children.
func (p *part) leaves() (all []int) {
	for n := range p.nodes {
		if len(p.nodes[n].children) == 0 {
			all = append(all, n)
		}
	}
	return all
}

// path returns the steps that lead to a node, and the nodes on the way, the root first. What
// is needed at a node is in the guard of the step behind it.
func (p *part) path(n int) (path *program.Path, nodes []int) {
	for at := n; at >= 0; at = p.nodes[at].parent {
		nodes = append([]int{at}, nodes...)
	}
	path = &program.Path{Vars: p.of.Component.System.Vars, Init: p.of.Blocks.Init[p.nodes[0].location], Error: logic.True()}
	for i, at := range nodes[1:] {
		c := p.of.Blocks.All[p.nodes[at].block].Command
		if f := p.nodes[nodes[i]].holds; f != nil {
			needed := *c
			needed.Guard = logic.And(f, c.Guard)
			c = &needed
		}
		path.Steps = append(path.Steps, c)
	}
	if f := p.nodes[n].holds; f != nil {
		path.Error = f
	}
	return path, nodes
}

// leaving says where a part leaves what is modelled, and why.
func (p *part) leaving() string {
	for _, n := range p.nodes {
		if why, is := p.of.Component.Lost[n.location]; is {
			text := fmt.Sprintf("a run of %s leaves what is modelled: %s", p.of.Component.Name, why)
			if at := p.of.Component.System.Locations[n.location].Span; at.Valid() {
				text += fmt.Sprintf(" (%s:%d)", at.File.Name(), at.Pos().Line)
			}
			return text
		}
	}
	return ""
}

// steps tells what a component did in a run of its part.
func (p *part) steps(r *execution) Part {
	var out Part
	for i, n := range p.nodes {
		step := Step{Parent: n.parent, Moves: n.moves, Trace: r.traces[i], State: r.states[i], Location: n.location}
		if n.block >= 0 {
			step.Action = p.of.Actions[n.block]
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
