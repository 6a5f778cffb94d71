package cegar

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// mostGuesses bounds the models of one search for a relation, each of which refutes a guess.
const mostGuesses = 300

// guessed looks for the relation of a question where Spacer has none, which it seldom has over words: of
// all clauses of two comparisons between a variable and a copy, at each location, those that the
// steps keep (Houdini, [FlanaganLeino01]). It returns formulas by location, nil if they do not suffice.
func (d *disjoining) guessed(sys *program.System, copies []*logic.Term) ([]*logic.Term, error) {
	d.solver.Limit(d.limit)
	defer d.solver.Limit(lasso.EnoughWork)
	unsigned := slices.ContainsFunc(d.functions, func(f *lasso.Function) bool {
		return slices.ContainsFunc(f.Summands, func(s lasso.Summand) bool { return s.Reading == lasso.Unsigned })
	})
	guesses := comparisons(sys.Vars, copies, unsigned)
	kept := make([][]*logic.Term, len(sys.Locations))
	for l := range kept {
		kept[l] = slices.Clone(guesses)
	}
	kept[0] = []*logic.Term{sys.Init[0].Where}
	for asked, stable := 0, false; !stable; {
		stable = true
		for _, e := range sys.Edges {
			for {
				if asked++; asked > mostGuesses || len(guesses) == 0 {
					return nil, nil
				}
				after := logic.SubstituteAll(kept[e.To], e.Command.Update)
				status, m, err := smt.ModelOf(d.ctx, d.solver, logic.And(kept[e.From]...), e.Command.Guard, logic.Not(logic.And(after...)))
				if err != nil || status == smt.Unknown {
					return nil, err
				}
				if status == smt.Unsat {
					break
				}
				var left []*logic.Term
				for i, f := range after {
					if ok, err := logic.Holds(f, m); ok || err != nil {
						left = append(left, kept[e.To][i])
					}
				}
				if len(left) == len(after) {
					return nil, nil
				}
				kept[e.To], stable = left, false
			}
		}
	}
	relation := make([]*logic.Term, len(kept))
	for l := range kept {
		relation[l] = logic.And(kept[l]...)
	}
	bad := sys.Error[0]
	status, err := smt.CheckAll(d.ctx, d.solver, relation[bad.Location], bad.Where)
	if status != smt.Unsat || err != nil {
		return nil, err
	}
	return relation, nil
}

// mostComparisons bounds the comparisons of which clauses are guessed.
const mostComparisons = 24

// comparisons are clauses of one or two comparisons between a variable and a copy, as numbers with
// or without a sign, and signs of copies.
func comparisons(vars, copies []*logic.Term, unsigned bool) (all []*logic.Term) {
	var some []*logic.Term
	for _, v := range vars {
		for _, c := range copies {
			if v.Sort() != c.Sort() || v.Sort().Width() == 0 || slices.Contains(copies, v) || len(some) >= mostComparisons {
				continue
			}
			if unsigned {
				some = append(some, logic.BVULt(v, c), logic.BVULe(v, c))
			} else {
				some = append(some, logic.BVSLt(v, c), logic.BVSLe(v, c))
			}
		}
	}
	for _, c := range copies {
		if w := c.Sort().Width(); w > 0 {
			zero := logic.BVConst(new(big.Int), w)
			all = append(all, logic.BVSLe(zero, c), logic.BVSLt(zero, c))
		}
	}
	for i, f := range some {
		all = append(all, f)
		for _, g := range some[:i] {
			all = append(all, logic.Or(f, g))
		}
	}
	return all
}
