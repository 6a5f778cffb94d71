package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// byCAR is the method CAR.
func byCAR(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	if o.Explication == Lazy {
		return lazily(ctx, q, s, meter, o)
	}
	small := &smaller{source: q.Problem}
	if !o.NoPasses {
		var err error
		if small, err = shrink(ctx, s, q.Problem); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
	}
	r, err := completely(ctx, small.problem(), s, meter, o)
	if err != nil || len(small.steps) == 0 || r.Verdict == Unknown {
		return r, err
	}
	if r, err = small.back(ctx, s, r); err != nil || r.Verdict != Unknown || budget.Stopped(r.Reason) {
		return r, err
	}
	return completely(ctx, q.Problem, s, meter, o)
}

// completely is CAR with complete explication.
func completely(ctx context.Context, p *horn.Problem, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	c := &complete{ctx: ctx, solver: s, problem: p, source: o.Source, meter: meter, alpha: Bottom(len(p.Preds)), known: unknown(p),
		looked: map[marchKey]int{}, narrow: o.NoWidening}
	if !o.NoUnrolling {
		d, err := c.beginHunt()
		defer c.hunted.unrolling.end()
		if err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		if d != nil {
			return &Result{Method: CAR, Verdict: Derivable, Derivation: d}, nil
		}
	}
	if !o.NoFacts {
		var err error
		if c.known, err = findFacts(ctx, s, p, meter); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		c.hunted.learn(c.known)
	}
	return c.result(o)
}

// unknown says of each predicate that nothing is known.
func unknown(p *horn.Problem) (known []*logic.Term) {
	for range p.Preds {
		known = append(known, logic.True())
	}
	return known
}

// lazily is CAR with lazy explication, on the rules; clauses without rules are made some.
func lazily(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	own, order := q, []int(nil)
	if q.Rules == nil {
		var err error
		if own, err = FromProblem(q.Problem).Clauses(); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		order = grouped(q.Problem)
	}
	l := &lazy{ctx: ctx, solver: s, clauses: own, source: o.Source, meter: meter, alpha: Bottom(len(own.Rules.Relations))}
	r, err := l.result(o)
	if err != nil || order == nil {
		return r, err
	}
	if r.Derivation != nil {
		t := &Trace{}
		for _, n := range r.Derivation.Nodes {
			t.Nodes = append(t.Nodes, Node{Clause: order[n.Clause], Calls: n.Calls})
		}
		return withValues(ctx, r, q.Problem, t, s)
	}
	return r, nil
}

// grouped returns the clauses in the order in which FromProblem has them: by the predicate
// of the head.
func grouped(p *horn.Problem) (order []int) {
	for pred := range len(p.Preds) + 1 {
		for i := range p.Clauses {
			if h := p.Clauses[i].Head; h != nil && h.Pred == pred || h == nil && pred == len(p.Preds) {
				order = append(order, i)
			}
		}
	}
	return order
}

// withValues makes a derivation of a trace that is said to be one.
func withValues(ctx context.Context, r *Result, p *horn.Problem, t *Trace, s smt.Solver) (*Result, error) {
	r.Derivation = nil
	tree := t.Unfold(maxTree)
	if tree == nil {
		tree = t
	}
	if tree.Valid(p) != nil {
		r.Reason = &outcome.Stuck{What: "a trace was found, but is none of the clauses"}
		return r, nil
	}
	flat := Flatten(p, tree)
	status, m, err := smt.ModelOf(ctx, s, flat.Formula())
	if err != nil {
		return undecided(ctx, r, err)
	}
	if status != smt.Sat {
		r.Verdict, r.Reason = Unknown, &outcome.Stuck{What: "values for a derivation that was found are not confirmed: " + status.String()}
		return r, nil
	}
	r.Derivation = flat.Derivation(tree, m)
	r.Verdict = Derivable
	return r, nil
}

// byARMC is the method ARMC: clauses become a program, whose certificate is a solution, and
// whose trace is a derivation. The error is a source.List of clauses that are not linear.
// What it says is checked as answers of others are.
func byARMC(ctx context.Context, q *Clauses, pool *smt.Pool, o Options, queries int) (*Result, error) {
	named := &horn.Problem{Preds: q.Problem.Preds, Clauses: slices.Clone(q.Problem.Clauses)}
	number := map[string]int{}
	for i := range named.Clauses {
		named.Clauses[i].Name = fmt.Sprintf("clause %d", i)
		number[named.Clauses[i].Name] = i
	}
	sys, err := clauses.System(named)
	if err != nil {
		return nil, err
	}
	r := &Result{Method: ARMC}
	answer, err := armc.Check(ctx, sys, pool, armc.Options{Without: []armc.Method{armc.Spacer}, Rounds: o.Rounds, MaxQueries: queries, Limits: o.Limits})
	if err != nil {
		return undecided(ctx, r, err)
	}
	r.Stats.Rounds, r.Reason = answer.Stats.Refinements, answer.Reason
	if answer.Verdict == armc.Unknown {
		return r, nil
	}
	s, err := pool.Acquire(ctx) // after armc has given its own back
	if err != nil {
		return undecided(ctx, r, err)
	}
	defer pool.Release(s)
	if answer.Verdict == armc.Unsafe {
		return withValues(ctx, r, q.Problem, chainOf(clausesAlong(sys, answer.Trace, number)), s)
	}
	args := clauses.Arguments(named, sys)
	for i, pred := range named.Preds {
		r.Solution = append(r.Solution, logic.Substitute(unmentioned(answer.Certificate.Invariant[i], args[i]), renaming(args[i], pred.Params)))
	}
	return confirm(ctx, r, q.Problem, s)
}

// clausesAlong returns the clauses that the regions and edges of a trace were made of, by
// their names: none for locations that System has added.
func clausesAlong(sys *program.System, t *program.Trace, number map[string]int) (chain []int) {
	region := func(all []program.Region, location, state int) {
		for _, r := range all {
			if i, ok := number[r.Name]; ok && r.Location == location {
				if holds, err := logic.Holds(r.Where, t.States[state]); err == nil && holds {
					chain = append(chain, i)
					return
				}
			}
		}
	}
	region(sys.Init, t.Start, 0)
	for _, e := range t.Edges {
		chain = append(chain, number[sys.Edges[e].Name])
	}
	region(sys.Error, t.Location(sys, len(t.Edges)), len(t.Edges))
	return chain
}

// unmentioned takes variables for any value that a predicate has no argument for.
func unmentioned(f *logic.Term, args []*logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, v := range logic.Vars(f) {
		if !slices.Contains(args, v) {
			by[v] = logic.Zero(v.Sort()).Term()
		}
	}
	return logic.Substitute(f, by)
}

// chainOf is the trace of clauses of which each calls the one before.
func chainOf(chain []int) *Trace {
	t := &Trace{}
	for i := len(chain) - 1; i >= 0; i-- {
		n := Node{Clause: chain[i]}
		if i > 0 {
			n.Calls = []int{len(t.Nodes) + 1}
		}
		t.Nodes = append(t.Nodes, n)
	}
	return t
}

// bySolver is the method Spacer: all clauses at once. Of a problem without a solution it
// says nothing more, and a derivation is looked for by CAR.
func bySolver(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options, work uint64) (*Result, error) {
	r := &Result{Method: Spacer}
	answer, err := s.Horn(ctx, q.Problem, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	switch answer.Status {
	case smt.Sat:
		r.Solution = answer.Solution
		return confirm(ctx, r, q.Problem, s)
	case smt.Unsat:
		o.Explication, o.NoFacts = Complete, true
		found, err := byCAR(ctx, q, s, meter, o)
		if err != nil || found.Verdict == Derivable {
			return found, err
		}
		r.Reason = fmt.Errorf("a derivation is said to be there by Spacer, which gives none, and none was found: %w", found.Reason)
		return r, nil
	}
	r.Reason = &outcome.Stuck{What: answer.Reason}
	return r, nil
}
