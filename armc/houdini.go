package armc

import (
	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/internal/houdini"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program/clauses"
)

// Units of work that a shape may do beside other lanes at first, which doubles, and without which it does not begin.
const (
	firstGuess = 1_000_000
	leastGuess = 100_000
)

// mentioned looks for an invariant of all elements of arrays that is made of what the system mentions. That there is none is
// no reason for a run.
func (r *run) mentioned() error {
	reduced, locations := r.blocks.Reduced(r.known.linear)
	problem := clauses.Problem(reduced)
	if arguments(problem) > mostArguments {
		return &outcome.Stuck{What: "the whole system is too large for one Horn problem"}
	}
	if !cells.Arrayed(problem) {
		return &outcome.Outside{What: "no variable is an array"}
	}
	ended := make([]bool, len(cells.Shapes))
	var reason error
	for limit := uint64(firstGuess); ; limit *= 2 {
		more := false
		for i, shape := range cells.Shapes {
			if ended[i] {
				continue
			}
			r.asked++
			if err := r.tick("houdini", 0); err != nil {
				return err
			}
			most := limit
			if r.lane == nil {
				most = 0 // all that there is
			}
			if r.solver.most > 0 { // the last question has some, too: with next to nothing, Z3 may not answer at all
				if most = r.solver.left(most) / 10 * 9; most < leastGuess {
					return r.spentWork()
				}
			}
			z := cells.New(problem, shape)
			indices, elements := z.Cells()
			guess, err := houdini.Solve(r.ctx, z.Abstract(), indices, elements, r.solver, most)
			switch {
			case err != nil:
				return err
			case guess.Solution != nil:
				return r.solved(locations, z.Solution(guess.Solution))
			}
			ended[i], reason = guess.Final, guess.Reason
			more = more || !guess.Final
		}
		switch {
		case more && r.options.MaxWork > 0: // in a larger slice
			return r.worked()
		case !more || r.lane == nil || limit >= wholeMost:
			return reason
		}
	}
}
