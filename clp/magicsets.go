package clp

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/names"
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
func byDemand(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, tell func(Round), then func(*Clauses) (*Result, error)) (*Result, error) {
	d := demanded(q.Problem, q.Modes)
	var known []*logic.Term
	var done bool
	if err := with(ctx, pool, func(s smt.Solver) (err error) {
		known, done, err = d.facts(ctx, s, meter, q.Within, tell)
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
// query. They are looked for until they do, and say what is within.
func (d *demand) facts(ctx context.Context, s smt.Checker, meter *budget.Meter, within []*logic.Term, tell func(Round)) (known []*logic.Term, done bool, err error) {
	for range d.asks.Preds {
		known = append(known, logic.True())
	}
	f := &factFinder{ctx: ctx, solver: s, meter: meter}
	s.Limit(factWork)
	defer s.Limit(0)
	defer func() {
		if tell != nil && err == nil {
			tell(Round{Known: d.told(known), Answered: done})
		}
	}()
	if known, err = f.passes(d.asks, known, comparedForms(d.asks), maxFactQueries, true, false, true); err != nil {
		return nil, false, err
	}
	base, keys := known, d.keys(known)
	for stage := range 3 { // equations for each value, with bounds, and for pairs of values
		if done, err = f.answers(d.asks, known); err != nil {
			return nil, false, err
		}
		enough := within == nil && (done || stage > 0)
		if within != nil {
			if enough, err = d.within(ctx, s, known, within); err != nil {
				return nil, false, err
			}
		}
		if enough || !slices.ContainsFunc(keys, func(k *keyed) bool { return k != nil }) {
			return known, done, nil
		}
		var thresholds []map[string][]*big.Rat
		if stage > 0 {
			thresholds = d.thresholds(f, within)
		}
		if stage == 2 && !d.nested(f, keys) {
			break
		}
		if known, err = f.byValues(d.asks, base, known, keys, thresholds); err != nil {
			return nil, false, err
		}
	}
	done, err = f.answers(d.asks, known)
	return known, done, err
}

// thresholds are bounds that facts for a value may be widened to, by predicate and value:
// those that keep within what is wanted, by the equations that are known.
func (d *demand) thresholds(f *factFinder, within []*logic.Term) []map[string][]*big.Rat {
	out := make([]map[string][]*big.Rat, len(d.asks.Preds))
	for i := range out {
		out[i] = map[string][]*big.Rat{}
	}
	for i, g := range d.modes.Group {
		s, ok := f.elements[i].(*split)
		if !ok {
			continue
		}
		limit := func(v *logic.Term) (lo, hi *big.Rat) { return limitsOf(within[i], v) }
		for _, p := range s.parts {
			e, ok := p.of.(*element)
			if !ok {
				continue
			}
			all := e.backwards(limit)
			for _, v := range e.number {
				if lo, hi := limit(v); lo != nil && hi != nil {
					all = append(all, lo, hi)
				}
			}
			for _, n := range all {
				all = append(all, new(big.Rat).Neg(n))
			}
			value := p.value.RatString()
			for j, h := range d.modes.Group {
				if h == g {
					out[j][value] = append(out[j][value], all...)
				}
			}
			out[d.called[g]][value] = append(out[d.called[g]][value], all...)
		}
	}
	return out
}

// within reports that what is known entails what is wanted of each predicate; of calls, what
// that says of the arguments that are given.
func (d *demand) within(ctx context.Context, s smt.Checker, known, wanted []*logic.Term) (bool, error) {
	for i := range d.of.Preds {
		status, err := smt.CheckAll(ctx, s, d.when(i, known), known[i], logic.Not(wanted[i]))
		if err != nil || status != smt.Unsat {
			return false, err
		}
		var given []*logic.Term
		for _, c := range logic.Conjuncts(wanted[i]) {
			if !slices.ContainsFunc(logic.Vars(c), func(v *logic.Term) bool {
				return !slices.Contains(d.modes.Given[i], slices.Index(d.of.Preds[i].Params, v))
			}) {
				given = append(given, c)
			}
		}
		status, err = smt.CheckAll(ctx, s, d.when(i, known), logic.Not(logic.And(given...)))
		if err != nil || status != smt.Unsat {
			return false, err
		}
	}
	return true, nil
}

// keys are the arguments by whose values facts are kept, by predicate.
func (d *demand) keys(known []*logic.Term) []*keyed {
	out := make([]*keyed, len(d.asks.Preds))
	for _, c := range d.called {
		if c < 0 {
			continue
		}
		if at := few(d.asks.Preds[c].Params, known[c]); at >= 0 {
			d.alike(c, at, func(pred int, v *logic.Term) { out[pred] = &keyed{v, map[string]*logic.Term{}} })
		}
	}
	return out
}

// alike goes through the predicates of a group, its calls included, with the parameter that
// stands for one of those of the calls.
func (d *demand) alike(called, at int, do func(pred int, v *logic.Term)) {
	do(called, d.asks.Preds[called].Params[at])
	for i, g := range d.modes.Group {
		if g >= 0 && d.called[g] == called {
			do(i, d.of.Preds[i].Params[d.modes.Given[i][at]])
		}
	}
}

// nested adds second arguments to keys, of values of the first one with which only a few
// values of the second come; it reports that there are some.
func (d *demand) nested(f *factFinder, keys []*keyed) (found bool) {
	for _, c := range d.called {
		if c < 0 || keys[c] == nil {
			continue
		}
		s := f.elements[c].(*split)
		for _, p := range s.parts {
			if at := few(d.asks.Preds[c].Params, p.of.formula()); at >= 0 && !s.top {
				d.alike(c, at, func(pred int, v *logic.Term) { keys[pred].then[p.value.RatString()] = v })
				found = true
			}
		}
	}
	return found
}

// told says what is known of calls and predicates, for people.
func (d *demand) told(known []*logic.Term) (all []string) {
	for c, g := range d.asks.Preds {
		if i := slices.Index(d.called, c); i >= 0 {
			first := slices.Index(d.modes.Group, i)
			all = append(all, fmt.Sprintf("%s is called: %s", d.of.PredName(first), short(known[c])))
		} else {
			all = append(all, fmt.Sprintf("%s: %s", g.Name, short(known[c])))
		}
	}
	slices.Sort(all)
	return all
}

// short is a formula, cut where it is too long for a line or two.
func short(f *logic.Term) string {
	const most = 240
	if text := []rune(f.String()); len(text) > most {
		return fmt.Sprintf("%s ... (%s)", string(text[:most]), names.Counted(f.Size(), "node"))
	}
	return f.String()
}
