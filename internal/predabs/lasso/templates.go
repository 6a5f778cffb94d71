package lasso

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// templates are functions that may rank a loop, the likely ones first: differences that
// its guard tests, variables that it changes, sums and differences of two of them.
func templates(relation *program.Command, relevant []*logic.Term) (all []Function) {
	seen := map[string]bool{}
	fine := denominator(relation)
	add := func(f Function) {
		f.Constant = new(big.Int)
		f, ok := f.whole(fine)
		if !ok {
			return
		}
		key := fmt.Sprint(f.Summands)
		if len(f.Summands) > 0 && !seen[key] && one(f) && !slices.ContainsFunc(f.Summands, func(s Summand) bool { return !over(s.Term, relevant) }) {
			seen[key] = true
			all = append(all, f)
		}
	}
	both := func(f Function) {
		add(f)
		add(constant(new(big.Int)).plus(-1, f))
	}
	for _, a := range logic.Atoms(relation.Guard) {
		for _, literal := range []*logic.Term{a, logic.Not(a)} {
			for _, t := range testsOf(literal) {
				if t.different {
					both(t.sum)
				} else {
					add(t.sum)
				}
			}
		}
		if x := a.Args(); len(x) == 2 && counts(x[0].Sort()) {
			if x[0].Sort().Width() > 1 {
				for _, f := range around(a) {
					add(f)
				}
			}
			for _, r := range []Reading{Signed, Unsigned, Magnitude} {
				both(reading(x[0], r))
				both(reading(x[1], r))
				both(reading(x[0], r).plus(-1, reading(x[1], r)))
			}
		}
	}
	subjects := slices.DeleteFunc(slices.Clone(relevant), func(v *logic.Term) bool { return !counts(v.Sort()) })
	subjects = subjects[:min(len(subjects), maxSubjects)]
	readings := []Reading{Signed, Unsigned, Magnitude}
	for _, v := range subjects {
		for _, r := range readings {
			both(reading(v, r))
		}
	}
	for i, v := range subjects {
		for _, w := range subjects[:i] {
			for _, r := range readings {
				both(reading(v, r).plus(1, reading(w, r)))
				both(reading(v, r).plus(-1, reading(w, r)))
			}
		}
	}
	return all
}

// around are the ways up and down, round the end of the words, from the operands of a
// comparison to where it becomes false.
func around(comparison *logic.Term) (all []Function) {
	x := comparison.Args()
	way := func(a, b *logic.Term) {
		if b.Num() == nil || b.Num().Sign() != 0 {
			a = logic.BVSub(a, b)
		}
		all = append(all, reading(a, Unsigned))
	}
	signed := comparison.Op() == logic.OpBVSLe || comparison.Op() == logic.OpBVSLt
	least, most := extremes(x[0].Sort().Width(), signed)
	way(x[0], x[1])
	way(x[1], x[0])
	if comparison.Op() != logic.OpEq {
		for _, t := range x {
			way(t, most)
			way(least, t)
		}
	}
	return all
}

// one reports that a function is of words only, or of Ints only.
func one(f Function) bool {
	ints := 0
	for _, s := range f.Summands {
		if s.Term.Sort() == logic.Int {
			ints++
		}
	}
	return ints == 0 || ints == len(f.Summands)
}
