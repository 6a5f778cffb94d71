package buchi

import "github.com/seltl/seltl/ltl"

// joinEventually rewrites F f | F g to F(f | g), and F f | q to F(f | q) for
// formulas q that hold everywhere if anywhere (G F h and the like), everywhere.
// Simplification takes such formulas apart to see what their parts imply; for the
// translation one obligation is better than two, since the choice can wait.
func joinEventually(f *ltl.Formula) *ltl.Formula {
	image := map[*ltl.Formula]*ltl.Formula{}
	for _, g := range ltl.Subformulas(f) {
		args := make([]*ltl.Formula, len(g.Args()))
		for i, a := range g.Args() {
			args[i] = image[a]
		}
		switch {
		case len(args) == 0:
			image[g] = g
		case g.Op() == ltl.Or:
			image[g] = joinOperands(args)
		default:
			image[g] = g.With(args...)
		}
	}
	return image[f]
}

func joinOperands(args []*ltl.Formula) *ltl.Formula {
	var inside, outside []*ltl.Formula
	found := false
	for _, a := range args {
		switch {
		case a.Op() == ltl.Eventually:
			inside = append(inside, a.Left())
			found = true
		case a.Is(ltl.Eventual | ltl.Universal):
			inside = append(inside, a)
		default:
			outside = append(outside, a)
		}
	}
	if found && len(inside) > 1 {
		outside = append(outside, ltl.MakeEventually(ltl.MakeOr(inside...)))
		return ltl.MakeOr(outside...)
	}
	return ltl.MakeOr(args...)
}
