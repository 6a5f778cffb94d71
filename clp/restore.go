package clp

import (
	"context"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/predabs/interpolate"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// The solution of a predicate that was unfolded is any formula between its bodies and its
// calls, with what is known of the other predicates put in: an interpolant. The ways to one
// are tried in order: true; an interpolant by Farkas coefficients; the strongest formula,
// where equations and combinations of inequalities eliminate all variables; refinement of
// the clauses of this predicate alone, which has finitely many derivations; Spacer on them.

const (
	restoreRounds = 200
	maxSides      = 24 // bodies and calls that interpolation looks at
	maxStrongest  = 4000
)

func (u *unfolded) solution(ctx context.Context, s smt.Solver, after horn.Solution) (horn.Solution, error) {
	out := slices.Clone(after)
	p := u.alone(after)
	if len(u.uses) == 0 {
		out[u.pred] = logic.True()
		return out, nil
	}
	for _, f := range []*logic.Term{logic.True(), u.interpolant(ctx, p), u.strongest(p)} {
		if f == nil {
			continue
		}
		if err := CheckSolution(ctx, p, horn.Solution{f}, s); err == nil {
			out[u.pred] = f
			return out, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	c := &complete{ctx: ctx, solver: s, problem: p, known: []*logic.Term{logic.True()}, alpha: Bottom(1), narrow: true,
		meter: budget.Watch(func(budget.Progress) error { return ctx.Err() })}
	r, err := c.result(Options{Rounds: restoreRounds})
	if err != nil {
		return nil, err
	}
	if r.Verdict != Underivable {
		answer, err := s.Horn(ctx, p, spacerWork)
		if err != nil || answer.Status != smt.Sat {
			return nil, err
		}
		r.Solution = answer.Solution
	}
	out[u.pred] = r.Solution[0]
	return out, nil
}

// alone returns the clauses of the predicate, number 0, with a solution of the others put
// in: those that call it conclude false.
func (u *unfolded) alone(solution horn.Solution) *horn.Problem {
	p := &horn.Problem{Preds: []horn.Pred{{Name: u.before.PredName(u.pred), Params: u.before.Preds[u.pred].Params}}}
	add := func(i int, head *horn.App) {
		c := &u.before.Clauses[i]
		fs := []*logic.Term{c.Constraint}
		out := horn.Clause{Head: head}
		for _, a := range c.Body {
			if a.Pred == u.pred {
				out.Body = append(out.Body, horn.App{Args: a.Args})
			} else {
				fs = append(fs, applied(u.before, a, solution[a.Pred]))
			}
		}
		if c.Head != nil && head == nil {
			fs = append(fs, logic.Not(applied(u.before, *c.Head, solution[c.Head.Pred])))
		}
		if out.Constraint = logic.And(fs...); !out.Constraint.IsFalse() {
			p.Clauses = append(p.Clauses, out)
		}
	}
	for _, i := range u.defs {
		add(i, &horn.App{Args: u.before.Clauses[i].Head.Args})
	}
	for _, i := range u.uses {
		add(i, nil)
	}
	return p
}

// interpolant returns one between the bodies of predicate 0 and its calls, nil if none is
// found or a clause calls it twice.
func (u *unfolded) interpolant(ctx context.Context, p *horn.Problem) *logic.Term {
	if len(p.Clauses) > maxSides || slices.ContainsFunc(p.Clauses, func(c horn.Clause) bool { return len(c.Body) > 1 }) {
		return nil
	}
	at := slots(p, 0)
	var inner, outer []*logic.Term
	for i := range p.Clauses {
		c := substituted(p.Clauses[i], label(clauseVars(&p.Clauses[i]), i))
		app, side := c.Head, &inner
		if app == nil {
			app, side = &c.Body[0], &outer
		}
		all := []*logic.Term{c.Constraint}
		for k, t := range app.Args {
			all = append(all, logic.Eq(at[k], t))
		}
		*side = append(*side, logic.And(all...))
	}
	path := &program.Path{Init: logic.True(), Error: logic.True(), Vars: at, Steps: []*program.Command{
		{Guard: logic.Or(inner...), Inputs: others(logic.Or(inner...), at)}, {Guard: logic.Or(outer...), Inputs: others(logic.Or(outer...), at)}}}
	all := interpolate.Sequences(ctx, path, nil)
	if len(all) == 0 {
		return nil
	}
	return logic.Substitute(all[0][1], renaming(at, p.Preds[0].Params))
}

// others returns the variables of a formula that are not among some.
func others(f *logic.Term, some []*logic.Term) []*logic.Term {
	return slices.DeleteFunc(logic.Vars(f), func(v *logic.Term) bool { return slices.Contains(some, v) })
}

// strongest returns what the bodies of predicate 0 say of its parameters, nil if that is
// too much; it may be too weak.
func (u *unfolded) strongest(p *horn.Problem) *logic.Term {
	var all []*logic.Term
	size := 0
	for i := range p.Clauses {
		if c := &p.Clauses[i]; c.Head != nil {
			f := localised(p, *c.Head, logic.Conjuncts(c.Constraint))
			if size += f.Size(); size > maxStrongest {
				return nil
			}
			all = append(all, f)
		}
	}
	return logic.Or(all...)
}
