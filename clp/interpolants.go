package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/predabs/interpolate"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// byFarkas explains a tree by interpolants of our own, without a solver: those of a chain
// of calls all at once, of another tree call by call from the innermost, each between what
// the call contributes, with the formulas of its own calls, and all the rest. nil if none
// are found.
func byFarkas(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, known [][]*logic.Term) (*Explanation, error) {
	if chain := t.chain(); chain != nil {
		return alongChain(ctx, s, p, t, chain, known)
	}
	e := &Explanation{Summaries: make([]*logic.Term, len(t.Nodes))}
	flat := Flatten(p, t)
	for i := len(t.Nodes) - 1; i > 0; i-- {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e.Summaries[i] = between(ctx, p, t, flat, e.Summaries, i, known); e.Summaries[i] == nil {
			return nil, nil
		}
	}
	e.Summaries[0] = logic.False()
	return e, nil
}

// chain returns the nodes of a tree in which every node has at most one call, innermost
// first; nil of others.
func (t *Trace) chain() (nodes []int) {
	for i := 0; ; i = t.Nodes[i].Calls[0] {
		nodes = append(nodes, i)
		if n := len(t.Nodes[i].Calls); n > 1 {
			return nil
		} else if n == 0 {
			slices.Reverse(nodes)
			return nodes
		}
	}
}

// slots are variables that stand for the arguments of any predicate, by position and sort.
func slots(p *horn.Problem, pred int) []*logic.Term {
	out := make([]*logic.Term, len(p.Preds[pred].Params))
	for k, v := range p.Preds[pred].Params {
		out[k] = logic.Var(fmt.Sprintf("seltl!slot%d.%s", k, v.Sort()), v.Sort())
	}
	return out
}

// maxSequences bounds how many sequences of interpolants are checked.
const maxSequences = 4

// alongChain makes a path of a chain: each call is a step that assigns the slots.
func alongChain(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, chain []int, known [][]*logic.Term) (*Explanation, error) {
	path := &program.Path{Init: logic.True(), Error: logic.True()}
	vars := map[*logic.Term]bool{}
	var knownSlots []*logic.Term
	for _, i := range chain {
		c := &p.Clauses[t.Nodes[i].Clause]
		guard := []*logic.Term{c.Constraint}
		if len(c.Body) > 0 {
			for k, v := range slots(p, c.Body[0].Pred) {
				guard = append(guard, logic.Eq(v, c.Body[0].Args[k]))
			}
		}
		step := &program.Command{Guard: logic.And(guard...), Update: map[*logic.Term]*logic.Term{}, Inputs: clauseVars(c)}
		if c.Head != nil {
			for k, v := range slots(p, c.Head.Pred) {
				step.Update[v] = c.Head.Args[k]
				vars[v] = true
			}
			if known != nil {
				knownSlots = append(knownSlots, logic.SubstituteAll(known[c.Head.Pred], renaming(p.Preds[c.Head.Pred].Params, slots(p, c.Head.Pred)))...)
			}
		}
		path.Steps = append(path.Steps, step)
	}
	for v := range vars {
		path.Vars = append(path.Vars, v)
	}
	path.Vars = logic.Vars(path.Vars...)
	for n, seq := range interpolate.Sequences(ctx, path, knownSlots) {
		if n == maxSequences {
			break
		}
		e := &Explanation{Summaries: make([]*logic.Term, len(t.Nodes))}
		for k, i := range chain {
			if i == 0 {
				e.Summaries[i] = logic.False()
				continue
			}
			pred := p.Clauses[t.Nodes[i].Clause].Head.Pred
			e.Summaries[i] = logic.Substitute(seq[k+1], renaming(slots(p, pred), p.Preds[pred].Params))
		}
		if err := e.Check(ctx, s, p, t); err == nil || ctx.Err() != nil {
			return e, ctx.Err()
		}
	}
	return nil, nil
}

func renaming(from, to []*logic.Term) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for k, v := range from {
		by[v] = to[k]
	}
	return by
}

// between returns an interpolant between node i, with what is known of its calls, and the
// nodes outside its subtree; those with formulas stand for their subtrees. nil if none is
// found.
func between(ctx context.Context, p *horn.Problem, t *Trace, flat *Flat, summaries []*logic.Term, i int, known [][]*logic.Term) *logic.Term {
	head := p.Clauses[t.Nodes[i].Clause].Head
	at := make([]*logic.Term, len(head.Args)) // the parameters of node i
	for k, v := range p.Preds[head.Pred].Params {
		at[k] = logic.Var(fmt.Sprintf("seltl!slot%d.%s", k, v.Sort()), v.Sort())
	}
	// labelled says of a node what its clause and the formulas of those of its calls say
	// that have one; node i itself is only its parameters.
	labelled := func(j int) *logic.Term {
		n := t.Nodes[j]
		all := []*logic.Term{flat.Parts[j]}
		for k, call := range n.Calls {
			args := logic.SubstituteAll(p.Clauses[n.Clause].Body[k].Args, flat.labels[j])
			switch {
			case call == i:
				for a := range args {
					all = append(all, logic.Eq(at[a], args[a]))
				}
			case summaries[call] != nil:
				pred := p.Clauses[n.Clause].Body[k].Pred
				all = append(all, logic.Substitute(summaries[call], renaming(p.Preds[pred].Params, args)))
			default:
				all = append(all, flat.Bindings[call]...)
			}
		}
		return logic.And(all...)
	}
	inside := []*logic.Term{labelled(i)}
	for k, a := range logic.SubstituteAll(head.Args, flat.labels[i]) {
		inside = append(inside, logic.Eq(at[k], a))
	}
	var outside []*logic.Term
	for j := range t.Nodes {
		if j != i && summaries[j] == nil {
			outside = append(outside, labelled(j))
		}
	}
	inner, outer := logic.And(inside...), logic.And(outside...)
	path := &program.Path{Init: logic.True(), Error: logic.True(), Vars: at, Steps: []*program.Command{
		{Guard: inner, Inputs: others(inner, at)}, {Guard: outer, Inputs: others(outer, at)}}}
	var knownSlots []*logic.Term
	if known != nil {
		knownSlots = logic.SubstituteAll(known[head.Pred], renaming(p.Preds[head.Pred].Params, at))
	}
	all := interpolate.Sequences(ctx, path, knownSlots)
	if len(all) == 0 {
		return nil
	}
	return logic.Substitute(all[0][1], renaming(at, p.Preds[head.Pred].Params))
}

// spacerWork bounds what Spacer may do for one trace, in its units.
const spacerWork = 5_000_000

// bySpacer explains a tree by a solution of it as clauses of their own: a predicate for
// each node. nil if Spacer finds none.
func bySpacer(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, _ [][]*logic.Term) (*Explanation, error) {
	answer, err := s.Horn(ctx, t.problem(p), spacerWork)
	if err != nil || answer.Status != smt.Sat {
		return nil, err
	}
	e := &Explanation{Summaries: []*logic.Term{logic.False()}}
	for i, n := range t.Nodes[1:] {
		pred := p.Clauses[n.Clause].Head.Pred
		e.Summaries = append(e.Summaries, logic.Substitute(answer.Solution[i], renaming(nodeParams(p, pred), p.Preds[pred].Params)))
	}
	return e, nil
}

// nodeParams are parameters that no variable of a clause is.
func nodeParams(p *horn.Problem, pred int) []*logic.Term {
	out := make([]*logic.Term, len(p.Preds[pred].Params))
	for k, v := range p.Preds[pred].Params {
		out[k] = logic.Var(fmt.Sprintf("arg%d", k), v.Sort())
	}
	return out
}

// problem returns a tree as clauses: node i, from 1 on, is predicate i-1.
func (t *Trace) problem(p *horn.Problem) *horn.Problem {
	out := &horn.Problem{}
	for i, n := range t.Nodes {
		c := p.Clauses[n.Clause]
		copied := horn.Clause{Constraint: c.Constraint}
		for k, j := range n.Calls {
			copied.Body = append(copied.Body, horn.App{Pred: j - 1, Args: c.Body[k].Args})
		}
		if i > 0 {
			copied.Head = &horn.App{Pred: i - 1, Args: c.Head.Args}
			out.Preds = append(out.Preds, horn.Pred{Name: fmt.Sprintf("node!%d", i), Params: nodeParams(p, c.Head.Pred)})
		}
		out.Clauses = append(out.Clauses, copied)
	}
	return out
}
