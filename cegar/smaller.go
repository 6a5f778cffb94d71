package cegar

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/smt"
)

// smaller makes a component smaller before it is abstracted; nil if it is to stay as it is.
// What passes took for known is asked of the solver: a component is taken only if all of it is
// proved.
func (s *simulation) smaller(c *program.Component, user predabs.Mapping) (*passes.PassedComponent, error) {
	list := slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(s.opts.Without, p) })
	if len(list) == 0 || slices.ContainsFunc(user, func(ps []*logic.Term) bool { return len(ps) > 0 }) {
		return nil, nil
	}
	made := passes.ApplyComponent(s.ctx, c, !s.mayEnd, list)
	for _, broken := range made.Passed.Obligations() {
		if never, err := s.never(broken); err != nil || !never {
			return nil, err
		}
	}
	return made, nil
}

// never reports that none of some formulas can be satisfied: all at once, and one by one where
// that is too much at once.
func (s *simulation) never(all []*logic.Term) (bool, error) {
	status, err := smt.CheckAll(s.ctx, s.solver, logic.Or(all...))
	if err != nil || status != smt.Unknown {
		return status == smt.Unsat, err
	}
	for _, f := range all {
		if status, err := smt.CheckAll(s.ctx, s.solver, f); err != nil || status != smt.Unsat {
			return false, err
		}
	}
	return true, nil
}

// mayEnd reports that a specification can end, by silent steps, wherever it is: then it can
// wherever all components have ended.
func mayEnd(m *lks.LKS) bool {
	ends := make([]bool, m.NumStates())
	for again := true; again; {
		again = false
		for q := range int32(m.NumStates()) {
			can := m.Kind(q) == lks.End
			for _, e := range m.Succ(q, lks.TauID) {
				can = can || ends[e.Target]
			}
			if can && !ends[q] {
				ends[q], again = true, true
			}
		}
	}
	return !slices.Contains(ends, false)
}

// steps tells what a component did in a run of its part.
func (k *component) steps(p *part, r *run) (out Part, err error) {
	places := make([]*passes.Place, len(p.nodes))
	for i, n := range p.nodes {
		step := Step{Parent: n.parent, Moves: n.moves, Trace: r.traces[i], State: r.states[i], Location: n.location}
		if n.block >= 0 {
			step.Action = p.of.Actions[n.block]
		}
		if k.passed != nil {
			if i == 0 {
				places[i], err = k.passed.Start(n.location, r.states[i])
			} else {
				step.Trace, places[i], err = k.passed.Follow(places[n.parent], r.traces[i])
			}
			if err != nil {
				return Part{}, err
			}
			step.State, step.Location = places[i].State, places[i].Location
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}
