package armc

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// errHint ends a method that is told of a run without seeing it.
var errHint error = &unknown{"Spacer says that an error is reachable, which is no run"}

// wholeSystem has the reduced system solved as one Horn problem. A solution is a candidate
// for a certificate, as every proof; that there is none is no counterexample.
func (r *run) wholeSystem() error {
	reduced, locations := r.reduced()
	problem := clauses.Problem(reduced)
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
		result, err := r.solver.Horn(r.ctx, problem, most)
		switch {
		case err != nil:
			return err
		case result.Status == smt.Sat:
			invariant := make([]*logic.Term, len(r.sys.Locations))
			for l := range invariant {
				invariant[l] = logic.False() // of those that nothing enters
			}
			for i, l := range locations {
				invariant[l] = result.Solution[i]
			}
			r.safe(invariant)
			return nil
		case result.Status == smt.Unsat:
			return errHint
		case most == 0 || limit >= wholeMost || round == r.options.MaxRounds:
			return &unknown{"Spacer has no solution: " + result.Reason}
		}
	}
}

// reduced is the system of the blocks, with facts in its guards: locations that the blocks
// do not speak of are left out. locations are the numbers of those that are left.
func (r *run) reduced() (sys *program.System, locations []int) {
	sys = &program.System{Vars: r.sys.Vars}
	number := map[int]int{}
	place := func(l int) int {
		n, ok := number[l]
		if !ok {
			n = len(locations)
			number[l] = n
			locations = append(locations, l)
			sys.Locations = append(sys.Locations, r.sys.Locations[l])
		}
		return n
	}
	for l := range r.sys.Locations {
		if where := r.blocks.Init[l]; !where.IsFalse() {
			sys.Init = append(sys.Init, program.Region{Location: place(l), Where: where})
		}
		if where := r.blocks.Error[l]; !where.IsFalse() {
			sys.Error = append(sys.Error, program.Region{Location: place(l), Where: logic.And(r.known.linear[l], where)})
		}
	}
	for _, b := range r.blocks.All {
		c := *b.Command
		c.Guard = logic.And(r.known.linear[b.From], c.Guard)
		sys.Edges = append(sys.Edges, program.Edge{From: place(b.From), To: place(b.To), Command: &c})
	}
	return sys, locations
}
