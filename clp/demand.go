package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Magic sets [BeeriRamakrishnan91], which make a bottom-up evaluation goal-directed: beside
// the relation of what a routine returns for its arguments, one of the arguments that it is
// called with. Facts about both are found together, so that those about a relation need only
// hold where somebody asks for it. For verification this is the query-answer transformation
// [KafleGallagher15].
//
// The relations of calls are used for facts only: refinement goes on with the clauses as
// they were, in which these facts stand as conditions (guarded). So traces do not have to
// derive each call from the goal, and a derivation is one of the clauses as they were.

// Modes say which arguments of predicates those who call them give.
type Modes struct {
	Group []int   // of each predicate: those of a group are called alike; -1: nobody is asked
	Given [][]int // of each predicate: the positions of these arguments, in the group's order
}

// demand is a problem with a predicate more for each group: what it is called with.
type demand struct {
	of     *horn.Problem
	modes  *Modes
	asks   *horn.Problem // clauses of the same numbers, with a condition that they are asked for, and then those that ask
	called []int         // of each group: its predicate
}

// demanded makes the clauses that are asked for, and those that ask: for each call, that of
// what is known in its clause before it, of those that come first.
func demanded(p *horn.Problem, modes *Modes) *demand {
	d := &demand{of: p, modes: modes, asks: &horn.Problem{Preds: slices.Clone(p.Preds)}}
	for i, g := range modes.Group {
		for g >= len(d.called) {
			d.called = append(d.called, -1)
		}
		if g < 0 || d.called[g] >= 0 {
			continue
		}
		pred := horn.Pred{Name: fmt.Sprintf("seltl!called%d", g), Span: p.Preds[i].Span}
		for _, k := range modes.Given[i] {
			pred.Params = append(pred.Params, p.Preds[i].Params[k])
		}
		d.called[g] = len(d.asks.Preds)
		d.asks.Preds = append(d.asks.Preds, pred)
	}
	var asking []horn.Clause
	for i := range p.Clauses {
		c := p.Clauses[i]
		var before []horn.App
		if c.Head != nil && modes.Group[c.Head.Pred] >= 0 {
			before = append(before, d.call(*c.Head))
		}
		for k, a := range c.Body {
			if modes.Group[a.Pred] < 0 {
				continue
			}
			ask := d.call(a)
			body := slices.Concat(before, c.Body[:k])
			if !slices.ContainsFunc(body, func(b horn.App) bool { return b.Pred == ask.Pred && slices.Equal(b.Args, ask.Args) }) {
				asking = append(asking, horn.Clause{Head: &ask, Body: body, Constraint: c.Constraint, Span: c.Span})
			}
		}
		c.Body = slices.Concat(before, c.Body)
		d.asks.Clauses = append(d.asks.Clauses, c)
	}
	d.asks.Clauses = append(d.asks.Clauses, asking...)
	return d
}

// call is what a predicate's application asks for.
func (d *demand) call(a horn.App) horn.App {
	out := horn.App{Pred: d.called[d.modes.Group[a.Pred]]}
	for _, k := range d.modes.Given[a.Pred] {
		out.Args = append(out.Args, a.Args[k])
	}
	return out
}

// when says over a predicate's parameters that it is called, if known is what holds of the
// problem with calls.
func (d *demand) when(pred int, known []*logic.Term) *logic.Term {
	if d.modes.Group[pred] < 0 {
		return logic.True()
	}
	ask := d.call(horn.App{Pred: pred, Args: d.of.Preds[pred].Params})
	return applied(d.asks, ask, known[ask.Pred])
}

// guarded are the clauses where they are asked for, with what is known of their calls.
func (d *demand) guarded(known []*logic.Term) *horn.Problem {
	out := &horn.Problem{Preds: d.of.Preds}
	for i := range d.of.Clauses {
		c := d.of.Clauses[i]
		all := []*logic.Term{c.Constraint}
		if c.Head != nil {
			all = append(all, applied(d.of, *c.Head, d.when(c.Head.Pred, known)))
		}
		for _, a := range c.Body {
			all = append(all, applied(d.of, a, known[a.Pred]))
		}
		c.Constraint = logic.And(all...)
		out.Clauses = append(out.Clauses, c)
	}
	return out
}

// Contract is a solution in parts: Returns of all that a predicate is Called with. Of each
// predicate of clauses with modes.
type Contract struct{ Called, Returns *logic.Term }

// contracts makes of a solution of the guarded clauses one of the clauses: where a predicate
// is called, what the solution and the facts say. For a clause with such a head has calls
// that are called, by the clauses that ask, and for these the same holds.
func (d *demand) contracts(s horn.Solution, known []*logic.Term) (out []Contract) {
	for i := range s {
		out = append(out, Contract{d.when(i, known), logic.And(known[i], s[i])})
	}
	return out
}

// byDemand decides a query whose modes are known: by facts of calls and returns alone, or
// else by the clauses that are guarded by them. What is found is confirmed for the query.
func byDemand(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, then func(*Clauses) (*Result, error)) (*Result, error) {
	d := demanded(q.Problem, q.Modes)
	var known []*logic.Term
	var done bool
	if err := with(ctx, pool, func(s smt.Solver) (err error) {
		known, done, err = d.facts(ctx, s, meter)
		return err
	}); err != nil {
		return undecided(ctx, &Result{}, err)
	}
	r := &Result{Method: CAR, Solution: make(horn.Solution, len(q.Problem.Preds))}
	for i := range r.Solution {
		r.Solution[i] = logic.True()
	}
	if !done {
		var err error
		if r, err = then(OfProblem(d.guarded(known))); err != nil || r.Verdict != Underivable {
			return r, err
		}
	}
	r.Verdict, r.Contracts = Unknown, d.contracts(r.Solution, known)
	for i, c := range r.Contracts {
		r.Solution[i] = logic.Or(logic.Not(c.Called), c.Returns)
	}
	var confirmed *Result
	if err := with(ctx, pool, func(s smt.Solver) (err error) {
		confirmed, err = confirm(ctx, r, q.Problem, s)
		return err
	}); err != nil {
		return undecided(ctx, r, err)
	}
	return confirmed, nil
}

// with lends a solver of a pool.
func with(ctx context.Context, pool *smt.Pool, do func(smt.Solver) error) error {
	s, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer pool.Release(s)
	return do(s)
}

// facts of the problem with calls, by its predicates; done reports that they answer the
// query.
func (d *demand) facts(ctx context.Context, s smt.Checker, meter *budget.Meter) (known []*logic.Term, done bool, err error) {
	for range d.asks.Preds {
		known = append(known, logic.True())
	}
	f := &factFinder{ctx: ctx, solver: s, meter: meter}
	s.Limit(factWork)
	defer s.Limit(0)
	if known, err = f.passes(d.asks, known, comparedForms(d.asks), maxFactQueries, true, false, true); err != nil {
		return nil, false, err
	}
	if done, err = f.answers(d.asks, known); done || err != nil {
		return known, done, err
	}
	if known, err = f.byValues(d.asks, known, d.keys(known)); err != nil {
		return nil, false, err
	}
	done, err = f.answers(d.asks, known)
	return known, done, err
}

// keys are the arguments by whose values facts are kept, by predicate.
func (d *demand) keys(known []*logic.Term) []*logic.Term {
	out := make([]*logic.Term, len(d.asks.Preds))
	for _, c := range d.called {
		if c < 0 {
			continue
		}
		params := d.asks.Preds[c].Params
		if at := few(params, known[c]); at >= 0 {
			out[c] = params[at]
			for i, g := range d.modes.Group {
				if g >= 0 && d.called[g] == c {
					out[i] = d.of.Preds[i].Params[d.modes.Given[i][at]]
				}
			}
		}
	}
	return out
}
