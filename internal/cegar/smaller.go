package cegar

import (
	"context"
	"slices"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// smaller makes components smaller, as far as the question does not notice: nil for those that
// are to stay as they are, or nearly so. seen is what it sees of them, by component, or nil. Of
// sight, Watched is filled in here.
func smaller(ctx context.Context, components []*program.Component, seen []predabs.Observation, sight passes.Sight, opts Options) (all []*passes.PassedComponent) {
	list := slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(opts.Without, p) })
	for i, c := range components {
		if len(list) == 0 || i < len(opts.User) && slices.ContainsFunc(opts.User[i], func(ps []*logic.Term) bool { return len(ps) > 0 }) {
			all = append(all, nil)
			continue
		}
		mine := sight
		if i < len(seen) {
			mine.Watched = watched(c, seen[i].Props)
		}
		made := passes.ApplyComponent(ctx, c, mine, list)
		if sight.Endless && !made.Passed.Did(passes.Split) {
			// Blocks leave the heads of loops, over which it is easier to see that these end.
			made = passes.ApplyComponent(ctx, c, mine, slices.DeleteFunc(slices.Clone(list), func(p passes.Pass) bool { return p == passes.Merge || p == passes.Split }))
		}
		if !worthwhile(made.Passed.Sizes) {
			made = nil
		}
		all = append(all, made)
	}
	return all
}

// newSmallLoop is newLoop for components that are made smaller before they are abstracted: those
// of all that are not nil, and of which the solver proves what passes took for known.
func newSmallLoop(ctx context.Context, components []*program.Component, all []*passes.PassedComponent, seen []predabs.Observation, solver smt.Solver, opts Options, answer *Answer) (*loop, error) {
	small, seen := slices.Clone(components), slices.Clone(seen)
	for i, made := range all {
		if made == nil {
			continue
		}
		proved, err := justified(ctx, solver, made)
		if err != nil {
			return nil, err
		}
		if !proved {
			all[i] = nil
			continue
		}
		small[i], answer.Smaller = made.Component, true
		if i < len(seen) {
			seen[i].Props = nil
			for _, w := range made.Watched {
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

// justified asks the solver what passes took for known.
func justified(ctx context.Context, solver smt.Solver, made *passes.PassedComponent) (bool, error) {
	for _, broken := range made.Obligations() {
		if never, err := never(ctx, solver, broken); err != nil || !never {
			return false, err
		}
	}
	return true, nil
}

// worthwhile reports that passes left out edges or variables: blocks join lines in any case.
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
