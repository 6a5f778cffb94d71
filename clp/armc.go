package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// byARMC is the method ARMC: clauses become a program, whose certificate is a solution, and
// whose trace is a derivation. The error is a source.List of clauses that are not linear.
// What it says is checked as answers of others are.
func byARMC(ctx context.Context, q *Clauses, pool *smt.Pool, o Options, work int64) (*Result, error) {
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
	answer, err := armc.Check(ctx, sys, pool, armc.Options{Without: []armc.Method{armc.Spacer, armc.Cells}, Rounds: o.Rounds, MaxWork: work, Limits: o.Limits})
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
