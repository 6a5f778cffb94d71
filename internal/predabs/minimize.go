package predabs

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Minimize returns a small set of predicates that suffices for every path
// ([Chaki05], ch. 7). Predicates are numbered 0..n-1; paths[i] lists alternatives,
// each a set of predicates that together exclude path i, at least one. The
// result is increasing; best says that no smaller set suffices. If the solver
// has no answer the alternatives are chosen greedily: the one that needs the
// fewest further predicates, path by path.
func Minimize(ctx context.Context, s smt.Optimizer, n int, paths [][][]int) (chosen []int, best bool, err error) {
	use := make([]*logic.Term, n)
	soft := make([]*logic.Term, n)
	weights := make([]int, n)
	for i := range use {
		use[i] = logic.Var(fmt.Sprintf("use%d", i), logic.Bool)
		soft[i], weights[i] = logic.Not(use[i]), 1
	}
	var hard []*logic.Term
	for _, alternatives := range paths {
		var or []*logic.Term
		for _, set := range alternatives {
			all := lists.Map(set, func(i int) *logic.Term { return use[i] })
			or = append(or, logic.And(all...))
		}
		hard = append(hard, logic.Or(or...))
	}
	status, m, best, err := s.Maximize(ctx, hard, soft, weights)
	if err != nil {
		return nil, false, err
	}
	if status != smt.Sat {
		return greedyMinimize(n, paths), false, nil
	}
	chosen = []int{}
	for i, v := range use {
		if m[v.Name()].Bool() {
			chosen = append(chosen, i)
		}
	}
	return chosen, best, nil
}

func greedyMinimize(n int, paths [][][]int) []int {
	used := make([]bool, n)
	for _, alternatives := range paths {
		least, cheapest := n+1, []int(nil)
		for _, set := range alternatives {
			cost := 0
			for _, i := range set {
				if !used[i] {
					cost++
				}
			}
			if cost < least {
				least, cheapest = cost, set
			}
		}
		for _, i := range cheapest {
			used[i] = true
		}
	}
	chosen := []int{}
	for i, u := range used {
		if u {
			chosen = append(chosen, i)
		}
	}
	return chosen
}
