package cegar

import (
	"context"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/smt"
)

// newSmallLoop is newLoop for components that are made smaller before they are abstracted, as
// far as the question does not notice: seen is what it sees of them, by component, or nil. Of
// sight, Watched is filled in here.
func newSmallLoop(ctx context.Context, components []*program.Component, seen []predabs.Observation, sight passes.Sight, solver smt.Solver, opts Options, answer *Answer) (*loop, error) {
	all := make([]*passes.PassedComponent, len(components))
	small, seen := slices.Clone(components), slices.Clone(seen)
	for i, c := range components {
		if i < len(opts.User) && slices.ContainsFunc(opts.User[i], func(ps []*logic.Term) bool { return len(ps) > 0 }) {
			continue
		}
		mine := sight
		if i < len(seen) {
			mine.Watched = watched(c, seen[i].Props)
		}
		var err error
		if all[i], err = smaller(ctx, c, mine, solver, opts.Without); err != nil {
			return nil, err
		}
		if all[i] == nil {
			continue
		}
		small[i], answer.Smaller = all[i].Component, true
		if i < len(seen) {
			seen[i].Props = nil
			for _, w := range all[i].Watched {
				seen[i].Props = append(seen[i].Props, predabs.Prop{Name: w.Name, Local: w.Where})
			}
		}
	}
	l := newLoop(ctx, small, seen, solver, opts, answer)
	for i, k := range l.components {
		k.source, k.passed = components[i], all[i]
	}
	return l, nil
}

// watched are propositions by location.
func watched(c *program.Component, props []predabs.Prop) (all []passes.Watched) {
	for _, p := range props {
		w := passes.Watched{Name: p.Name}
		for l := range c.System.Locations {
			w.Where = append(w.Where, p.Where(l))
		}
		all = append(all, w)
	}
	return all
}

// smaller makes a component smaller; nil if it is to stay as it is, or nearly so. What passes took for known
// is asked of the solver: a component is taken only if all of it is proved.
func smaller(ctx context.Context, c *program.Component, sight passes.Sight, solver smt.Solver, without []passes.Pass) (*passes.PassedComponent, error) {
	list := slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(without, p) })
	if len(list) == 0 {
		return nil, nil
	}
	made := passes.ApplyComponent(ctx, c, sight, list)
	if !worthwhile(made.Passed.Sizes) {
		return nil, nil
	}
	for _, broken := range made.Obligations() {
		if never, err := never(ctx, solver, broken); err != nil || !never {
			return nil, err
		}
	}
	return made, nil
}

// worthwhile reports that passes left out edges or variables. Blocks join lines in any case, and
// do so where loops begin, which makes rankings easier to find than what Merge leaves.
func worthwhile(sizes []passes.Size) bool {
	for i, s := range sizes[1:] {
		if before := sizes[i]; s.After != passes.Merge && (s.Edges < before.Edges || s.Variables < before.Variables) {
			return true
		}
	}
	return false
}

// never reports that none of some formulas can be satisfied: all at once, and one by one where
// that is too much at once.
func never(ctx context.Context, solver smt.Solver, all []*logic.Term) (bool, error) {
	status, err := smt.CheckAll(ctx, solver, logic.Or(all...))
	if err != nil || status != smt.Unknown {
		return status == smt.Unsat, err
	}
	for _, f := range all {
		if status, err := smt.CheckAll(ctx, solver, f); err != nil || status != smt.Unsat {
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

// steps tells what a component did in a run of its part, before it was made smaller.
func (k *component) steps(p *part, r *execution) (Part, error) {
	out := p.steps(r)
	if k.passed == nil {
		return out, nil
	}
	places := make([]*passes.Place, len(p.nodes))
	for i, n := range p.nodes {
		step := &out.Steps[i]
		var err error
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
	return out, nil
}
