package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// An unrolling that has come to its end, since no run is longer, is a proof. Its certificate says where
// a run is at each location: what the constants are after so many steps, and that no error follows in
// those that are left, by weakest preconditions over which these constants are put in. One step is
// plain to see in it then, and the question that the solver had to answer is asked once more where runs
// begin, or behind what is given.

// mostUnwound is how many steps there may be at one location: the checker takes them one by one.
const mostUnwound = mostCases

// unwound makes the certificate.
func (u *unrolling) unwound() error {
	none := fmt.Sprintf("no run to an error, and none is longer than %d blocks", len(u.at)-2)
	checker, end := u.solver.Beside()
	defer end()
	found := make([][]*logic.Term, len(u.sys.Locations))
	var after map[int]*logic.Term
	for k := len(u.at) - 1; k >= 0; k-- {
		now := map[int]*logic.Term{}
		for l := range u.sys.Locations {
			if u.at[k][l] == nil {
				continue
			}
			if err := u.tick(u.result.Method.String(), k); err != nil {
				return err
			}
			good, err := u.good(checker, k, l, after)
			if err != nil {
				return err
			}
			if good == nil || len(found[l]) == mostUnwound || good.Size() > largestInduction {
				return &outcome.Stuck{What: none + ", but of that no invariant can be written down"}
			}
			now[l] = good
			found[l] = append(found[l], logic.And(u.fixed[k][l].formula(), good))
		}
		after = now
	}
	invariant := make([]*logic.Term, len(found))
	for l := range invariant {
		if invariant[l] = logic.Or(found[l]...); !u.useful[l] {
			invariant[l] = logic.True()
		}
	}
	u.result.Stats.Iterations = len(u.at) - 2
	if err := u.expand(invariant); err != nil {
		return err
	}
	u.result.Verdict, u.result.Certificate = Safe, &Certificate{Invariant: invariant}
	return nil
}

// good says that no error follows at a location after k steps, where after is what is to hold behind one
// step; nil if that cannot be said.
func (u *unrolling) good(checker smt.Checker, k, l int, after map[int]*logic.Term) (*logic.Term, error) {
	all := []*logic.Term{logic.Substitute(logic.Not(u.blocks.Error[l]), u.fixed[k][l])}
	for w := range u.ways {
		if u.from(w) != l || k+1 == len(u.at) || u.take[k+1][w] == nil {
			continue // not possible then
		}
		if len(u.ways[w].blocks) > 1 || u.ways[w].count != nil {
			return nil, nil // a loop in one step
		}
		c := u.blocks.All[u.ways[w].blocks[0]]
		before, err := u.before(checker, c.Command, u.fixed[k][l], after[c.To])
		if before == nil || err != nil {
			return nil, err
		}
		all = append(all, before)
	}
	return logic.And(all...), nil
}

// before is the weakest precondition of f where variables have some values. With inputs it is true, if
// that is so whatever they are.
func (u *unrolling) before(checker smt.Checker, c *program.Command, fixed constants, f *logic.Term) (*logic.Term, error) {
	guard, then := logic.Substitute(c.Guard, fixed), logic.Substitute(c.After(f), fixed)
	if len(c.Inputs) == 0 {
		return logic.Implies(guard, then), nil
	}
	wrong := logic.And(guard, logic.Not(then))
	if !slices.ContainsFunc(logic.Vars(wrong), func(v *logic.Term) bool { return slices.Contains(c.Inputs, v) }) {
		return logic.Not(wrong), nil
	}
	checker.Limit(u.each)
	u.asked++
	status, err := smt.CheckAll(u.ctx, checker, wrong)
	if err != nil || status == smt.Unsat {
		return logic.True(), err
	}
	before, ok := whatever(&program.Command{Inputs: c.Inputs, Guard: guard}, then)
	if !ok {
		return nil, nil
	}
	return before, nil
}
