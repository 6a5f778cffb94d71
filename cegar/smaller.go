package cegar

import (
	"context"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/smt"
)

// smaller makes components smaller before they are abstracted; nil for one that is to stay as
// it is. What passes took for known is asked of the solver: a component is taken only if all
// of it is proved.
func smaller(ctx context.Context, components []*program.Component, spec *lks.LKS, solver smt.Checker, opts Options) ([]*passes.PassedComponent, error) {
	out := make([]*passes.PassedComponent, len(components))
	list := slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(opts.Without, p) })
	if len(list) == 0 {
		return out, nil
	}
	solver.Limit(questionWork)
	ends := !mayEnd(spec)
	for i, c := range components {
		if i < len(opts.User) && slices.ContainsFunc(opts.User[i], func(ps []*logic.Term) bool { return len(ps) > 0 }) {
			continue
		}
		made := passes.ApplyComponent(ctx, c, ends, list)
		if proved, err := justified(ctx, solver, made.Passed); err != nil {
			return nil, err
		} else if proved {
			out[i] = made
		}
	}
	return out, nil
}

// justified reports that what passes took for known is proved.
func justified(ctx context.Context, solver smt.Checker, p *passes.Passed) (bool, error) {
	for _, broken := range p.Obligations() {
		if none, err := never(ctx, solver, broken); err != nil || !none {
			return false, err
		}
	}
	return true, nil
}

// never reports that none of some formulas can be satisfied: all at once, and one by one where
// that is too much at once.
func never(ctx context.Context, s smt.Checker, all []*logic.Term) (bool, error) {
	status, err := smt.CheckAll(ctx, s, logic.Or(all...))
	if err != nil || status != smt.Unknown {
		return status == smt.Unsat, err
	}
	for _, f := range all {
		if status, err := smt.CheckAll(ctx, s, f); err != nil || status != smt.Unsat {
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

// steps tells what a component did in a run of its part, before passes.
func (k *component) steps(p *part, r *execution) (Part, error) {
	out := p.steps(r)
	if k.passed == nil {
		return out, nil
	}
	places := make([]*passes.Place, len(out.Steps))
	for i := range out.Steps {
		step := &out.Steps[i]
		var err error
		if step.Parent < 0 {
			places[i], err = k.passed.Start(step.Location, step.State)
		} else {
			step.Trace, places[i], err = k.passed.Follow(places[step.Parent], step.Trace)
		}
		if err != nil {
			return Part{}, err
		}
		step.State, step.Location = places[i].State, places[i].Location
	}
	return out, nil
}
