package armc

import (
	"context"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// errHint ends a method that is told of a run without seeing it.
var errHint error = &outcome.Stuck{What: "Spacer says that an error is reachable, which is no run"}

// mostArguments bounds what is written of a system as one Horn problem, some tens of megabytes.
const mostArguments = 1_000_000

// arguments are those of all predicates where clauses use them.
func arguments(p *horn.Problem) (n int) {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		for _, a := range c.Body {
			n += len(a.Args)
		}
		if c.Head != nil {
			n += len(c.Head.Args)
		}
	}
	return n
}

// wholeSystem has the reduced system solved as one Horn problem. A solution is a candidate
// for a certificate, as every proof; that there is none is no counterexample.
func (r *run) wholeSystem(solve func(context.Context, *horn.Problem, uint64) (smt.HornResult, error)) error {
	reduced, locations := r.blocks.Reduced(r.known.linear)
	problem := clauses.Problem(reduced)
	if arguments(problem) > mostArguments {
		return &outcome.Stuck{What: "the whole system is too large for one Horn problem"}
	}
	round := 0
	for limit := uint64(firstLimit); ; limit *= 2 {
		r.asked++
		round++
		if err := r.tick("spacer", 0); err != nil {
			return err
		}
		most := limit
		if r.lane == nil {
			most = 0 // the solver's own limit
		}
		result, err := solve(r.ctx, problem, most)
		switch {
		case err != nil:
			return err
		case result.Status == smt.Sat:
			return r.solved(locations, result.Solution)
		case result.Status == smt.Unsat:
			return errHint
		case most == 0 || limit >= wholeMost || round == r.options.Rounds:
			return &outcome.Stuck{What: "Spacer has no solution: " + result.Reason}
		}
	}
}

// solved takes a solution of the problem of a reduced system, whose locations these are, as a certificate to be checked.
func (r *run) solved(locations []int, s horn.Solution) error {
	invariant := make([]*logic.Term, len(r.sys.Locations))
	for l := range invariant {
		invariant[l] = logic.False() // of those that nothing enters
	}
	for i, l := range locations {
		invariant[l] = s[i]
	}
	return r.safe(invariant)
}

// forAll asks for a solution about all elements of arrays: by Spacer's own quantifiers, then over single elements. That
// these do not suffice is no reason for a run.
func (r *run) forAll(ctx context.Context, p *horn.Problem, work uint64) (smt.HornResult, error) {
	if !cells.Arrayed(p) {
		return smt.HornResult{}, &outcome.Outside{What: "no variable is an array"}
	}
	result, err := r.solver.ForAll(ctx, p, work)
	for _, shape := range cells.Shapes {
		if err != nil || result.Status == smt.Sat {
			return result, err
		}
		z := cells.New(p, shape)
		result, err = r.solver.Horn(ctx, z.Abstract(), work)
		if result.Status == smt.Sat {
			result.Solution = z.Solution(result.Solution)
		}
	}
	if result.Status == smt.Unsat {
		result = smt.HornResult{Reason: "single elements of arrays are not enough"}
	}
	return result, err
}
