package cegar

import (
	"slices"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// exclude gives a component predicates that exclude a part which it cannot follow, and
// returns how many are new; 0 if nothing was learnt.
func (l *loop) exclude(k *component, p *part) (added int, err error) {
	switch l.opts.Predicates {
	case Branches:
		return l.chooseBranches(k, p)
	case Interpolants:
		return l.interpolate(k, p)
	}
	if k.passed != nil { // what decides by few values where control goes is no data any more
		if added, err = l.interpolate(k, p); added > 0 || err != nil {
			return added, err
		}
	}
	if added, err = l.chooseByCore(k, p); err != nil {
		return 0, err
	}
	if added > 0 {
		if gone, err := l.excludes(k, k.mapping, p); gone || err != nil {
			return added, err
		}
	}
	more, err := l.interpolate(k, p)
	return added + more, err
}

// interpolate takes predicates of a path of the part that cannot be run, or, if each can be
// run alone, of the weakest preconditions of all that the part asks for together.
func (l *loop) interpolate(k *component, p *part) (added int, err error) {
	for _, leaf := range p.leaves() {
		path, nodes := p.path(leaf)
		status, _, _, err := predabs.Feasible(l.ctx, l.solver, path)
		if err != nil {
			return 0, err
		}
		if status != smt.Unsat {
			continue
		}
		found, err := predabs.Refine(l.ctx, l.solver, path, predabs.Interpolation, k.predicates())
		if err != nil {
			return 0, err
		}
		for i, ps := range found.At {
			added += k.spread(p.nodes[nodes[i]].location, ps)
		}
		if added > 0 {
			return added, nil
		}
	}
	return l.together(k, p)
}

// together takes the weakest preconditions over the tree of what an unsatisfiable core of it
// asks for, conjunct by conjunct.
func (l *loop) together(k *component, p *part) (added int, err error) {
	core, err := l.core(p.demands())
	if err != nil {
		return 0, err
	}
	needed, here := map[int]bool{}, map[int]bool{} // edges, nodes
	for _, d := range core {
		if d.edge >= 0 {
			needed[d.edge] = true
		} else {
			here[d.node] = true
		}
	}
	pre := make([][]*logic.Term, len(p.nodes))
	for n := len(p.nodes) - 1; n >= 0; n-- { // children have larger numbers
		if f := p.nodes[n].holds; f != nil && here[n] {
			pre[n] = slices.Clone(logic.Conjuncts(f))
		}
		for _, child := range p.nodes[n].children {
			for _, f := range p.before(child, pre[child], needed) {
				if !slices.Contains(pre[n], f) {
					pre[n] = append(pre[n], f)
				}
			}
		}
		added += k.spread(p.nodes[n].location, pre[n])
	}
	return added, nil
}

// before returns weakest preconditions, one by one, of predicates behind the block that leads
// to a node, and of the conjuncts of the needed guards in it. What speaks of inputs is left
// out.
func (p *part) before(n int, behind []*logic.Term, needed map[int]bool) []*logic.Term {
	edges := p.of.Blocks.All[p.nodes[n].block].Edges
	for i := len(edges) - 1; i >= 0; i-- {
		c := p.of.Component.System.Edges[edges[i]].Command
		all := logic.SubstituteAll(behind, c.Update)
		if needed[edges[i]] {
			all = append(all, logic.Conjuncts(c.Guard)...)
		}
		behind = nil
		for _, f := range all {
			if !f.IsTrue() && !f.IsFalse() && !mentions(f, c.Inputs) && !slices.Contains(behind, f) {
				behind = append(behind, f)
			}
		}
	}
	return behind
}

func mentions(t *logic.Term, inputs []*logic.Term) bool {
	for _, v := range logic.Vars(t) {
		if slices.Contains(inputs, v) {
			return true
		}
	}
	return false
}

// track adds predicates at a location and returns how many are new there.
func (k *component) track(location int, ps []*logic.Term) (added int) {
	for _, p := range ps {
		if k.mapping.Add(location, p) {
			added++
		}
	}
	return added
}

// spreadAfter is at how many locations a predicate is found before it is tracked at all. What is
// needed along a few ways is needed along many others, which would be counterexamples one by one:
// OpenSSL's server and client take 25 rounds instead of 200, and few states more.
const spreadAfter = 3

// spread is track for predicates that were found along the way of a part.
func (k *component) spread(location int, ps []*logic.Term) (added int) {
	if k.found == nil {
		k.found = map[*logic.Term]int{}
	}
	for _, p := range ps {
		if !k.mapping.Add(location, p) {
			continue
		}
		added++
		if k.found[p]++; k.found[p] < spreadAfter {
			continue
		}
		for l := range k.mapping {
			added += k.track(l, []*logic.Term{p})
		}
	}
	return added
}

// predicates returns all that are tracked somewhere.
func (k *component) predicates() (all []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for _, ps := range k.mapping {
		for _, p := range ps {
			if !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}
