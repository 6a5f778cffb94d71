package cegar

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/smt"
)

// exclude gives a component predicates that exclude a part which it cannot follow, and
// returns how many are new; 0 if nothing was learnt.
func (s *simulation) exclude(k *component, p *part) (int, error) {
	if s.opts.Predicates != Branches {
		added, err := s.interpolate(k, p)
		if added > 0 || err != nil || s.opts.Predicates == Interpolants {
			return added, err
		}
	}
	return s.chooseBranches(k, p)
}

// interpolate takes predicates of a path of the part that cannot be run, or, if each can be
// run alone, of the weakest preconditions of all that the part asks for together.
func (s *simulation) interpolate(k *component, p *part) (added int, err error) {
	for _, leaf := range p.leaves() {
		path, nodes := p.path(leaf)
		status, _, _, err := predabs.Feasible(s.ctx, s.solver, path)
		if err != nil {
			return 0, err
		}
		if status != smt.Unsat {
			continue
		}
		found, err := predabs.Refine(s.ctx, s.solver, path, predabs.Interpolation, k.predicates())
		if err != nil {
			return 0, err
		}
		for i, ps := range found.At {
			added += k.track(p.nodes[nodes[i]].location, ps)
		}
		if added > 0 {
			return added, nil
		}
	}
	return s.together(k, p)
}

// together takes the atoms of weakest preconditions over the tree: of what an
// unsatisfiable core of it asks for.
func (s *simulation) together(k *component, p *part) (added int, err error) {
	conditions, _ := p.unroll()
	needed, err := s.core(conditions)
	if err != nil {
		return 0, err
	}
	pre := make([]*logic.Term, len(p.nodes))
	for n := len(p.nodes) - 1; n >= 0; n-- { // children have larger numbers
		pre[n] = logic.True()
		for _, child := range p.nodes[n].children {
			c := p.of.Blocks.All[p.nodes[child].block].Command
			guard := logic.True()
			if needed[child] {
				guard = c.Guard
			}
			for _, a := range logic.Atoms(logic.And(guard, c.After(pre[child]))) {
				if !mentions(a, c.Inputs) {
					added += k.track(p.nodes[n].location, []*logic.Term{a})
				}
			}
			pre[n] = logic.And(pre[n], guard, c.After(pre[child]))
		}
	}
	return added, nil
}

func mentions(t *logic.Term, inputs []*logic.Term) bool {
	for _, v := range logic.Vars(t) {
		for _, in := range inputs {
			if v == in {
				return true
			}
		}
	}
	return false
}

// core says which of some conditions contradict each other; all of them if the solver
// cannot say.
func (s *simulation) core(conditions []*logic.Term) ([]bool, error) {
	needed := make([]bool, len(conditions))
	s.solver.Push()
	defer s.solver.Pop()
	status, err := s.solver.Check(s.ctx, conditions...)
	if err != nil {
		return nil, err
	}
	if status == smt.Unsat {
		core, err := s.solver.Core(s.ctx)
		if err != nil {
			return nil, err
		}
		for _, i := range core {
			needed[i] = true
		}
		if len(core) > 0 {
			return needed, nil
		}
	}
	for i := range needed {
		needed[i] = true
	}
	return needed, nil
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
