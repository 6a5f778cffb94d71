package lasso

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// The predicates that invariants and recurrence sets are made of: signs, parities, bounds
// by numbers of the program, orders of two variables, and what the program tests itself.
// They are guesses, of which those count that samples satisfy.

const (
	maxSubjects   = 8   // variables that predicates are made of
	maxNumbers    = 6   // numbers of one sort that bound them
	maxPredicates = 160 // in all
	maxLowBits    = 3   // of a word, that have one value in each round
)

// predicates returns the predicates over vars that all samples satisfy. tests are formulas
// of the program, over whose variables nothing is said that is not in vars.
func predicates(vars, tests []*logic.Term, samples []logic.Model) (all []*logic.Term) {
	seen := map[*logic.Term]bool{}
	add := func(p *logic.Term) {
		if p.IsTrue() || seen[p] || len(all) >= maxPredicates || !over(p, vars) {
			return
		}
		if seen[p] = true; !slices.ContainsFunc(samples, func(m logic.Model) bool { return !holdsIn(p, m) }) {
			all = append(all, p)
		}
	}
	for _, t := range logic.Atoms(tests...) {
		add(t)
		add(logic.Not(t))
	}
	numbers := numbersOf(tests)
	for _, t := range logic.Atoms(tests...) {
		if t.Op() == logic.OpEq {
			for _, p := range residues(t.Args()[0], t.Args()[1]) {
				add(p)
				add(logic.Not(p))
			}
		}
	}
	subjects := slices.DeleteFunc(slices.Clone(vars), func(v *logic.Term) bool { return !counts(v.Sort()) && v.Sort() != logic.Bool })
	subjects = subjects[:min(len(subjects), maxSubjects)]
	for _, v := range subjects {
		for _, p := range alone(v, numbers, samples) {
			add(p)
		}
	}
	for i, v := range subjects {
		for _, w := range subjects[:i] {
			if v.Sort() == w.Sort() && counts(v.Sort()) {
				for _, p := range together(v, w, samples) {
					add(p)
				}
			}
		}
	}
	return all
}

// counts reports sorts of numbers, in which Function counts.
func counts(s *logic.Sort) bool { return s.Arithmetic() || s.Width() > 0 }

func over(t *logic.Term, vars []*logic.Term) bool {
	return !slices.ContainsFunc(logic.Vars(t), func(v *logic.Term) bool { return !slices.Contains(vars, v) })
}

// numbersOf are the numbers in some terms.
func numbersOf(ts []*logic.Term) (numbers []*logic.Term) {
	for t := range logic.Subterms(ts...) {
		if t.Op() == logic.OpNumber {
			numbers = append(numbers, t)
		}
	}
	return numbers
}

// alone are predicates about one variable.
func alone(v *logic.Term, numbers []*logic.Term, samples []logic.Model) (all []*logic.Term) {
	first := samples[0][v.Name()].Term()
	if v.Sort() == logic.Bool {
		return []*logic.Term{logic.Eq(v, first)}
	}
	zero := number(0, v.Sort())
	all = []*logic.Term{logic.Eq(v, first), atMost(zero, v, Signed), below(zero, v, Signed), atMost(v, zero, Signed), below(v, zero, Signed), logic.Ne(v, zero)}
	if w := v.Sort().Width(); w > 0 {
		for n := 1; n <= min(w-1, maxLowBits); n++ {
			low := logic.Extract(v, n-1, 0)
			all = append(all, logic.Eq(low, logic.Substitute(low, map[*logic.Term]*logic.Term{v: first})))
		}
	} else if v.Sort() == logic.Int {
		two := logic.IntConst(2)
		all = append(all, logic.Eq(logic.IntMod(v, two), logic.IntMod(first, two)))
	}
	for n := 0; n < len(numbers) && n < 10*maxNumbers; n++ {
		if c := fitting(numbers[n], v.Sort()); c != nil {
			all = append(all, atMost(v, c, Signed), atMost(c, v, Signed), atMost(v, c, Unsigned), atMost(c, v, Unsigned))
		}
	}
	return all
}

// residues are predicates about two sides of an equality: that they agree in their last bits.
// Sides that differ there stay apart, those that agree may meet.
func residues(a, b *logic.Term) (all []*logic.Term) {
	for n := 1; n <= min(a.Sort().Width()-1, maxLowBits); n++ {
		all = append(all, logic.Eq(logic.Extract(a, n-1, 0), logic.Extract(b, n-1, 0)))
	}
	return all
}

// fitting returns a number as one of another sort, whose tests may be of a wider one; nil if
// it does not fit.
func fitting(n *logic.Term, s *logic.Sort) *logic.Term {
	from, to := n.Sort().Width(), s.Width()
	if n.Sort() == s {
		return n
	}
	if from <= to || to == 0 {
		return nil
	}
	c := logic.Extract(n, to-1, 0)
	if logic.SignExtend(c, from-to) != n && logic.ZeroExtend(c, from-to) != n {
		return nil
	}
	return c
}

// together are predicates about two variables of one sort.
func together(v, w *logic.Term, samples []logic.Model) []*logic.Term {
	all := []*logic.Term{logic.Eq(v, w)}
	for _, r := range []Reading{Signed, Unsigned} {
		all = append(all, atMost(v, w, r), atMost(w, v, r), below(v, w, r), below(w, v, r))
	}
	difference := logic.Sub
	if v.Sort().Width() > 0 {
		difference = logic.BVSub
	}
	d := difference(v, w)
	return append(all, logic.Eq(d, logic.Substitute(d, map[*logic.Term]*logic.Term{v: samples[0][v.Name()].Term(), w: samples[0][w.Name()].Term()})))
}

func number(n int64, s *logic.Sort) *logic.Term {
	return logic.Number(new(big.Rat).SetInt64(n), s)
}

// atMost is a <= b, below a < b; of integers and reals the reading makes no difference.
func atMost(a, b *logic.Term, r Reading) *logic.Term {
	switch {
	case a.Sort().Arithmetic():
		return logic.Le(a, b)
	case r == Unsigned:
		return logic.BVULe(a, b)
	}
	return logic.BVSLe(a, b)
}

func below(a, b *logic.Term, r Reading) *logic.Term {
	switch {
	case a.Sort().Arithmetic():
		return logic.Lt(a, b)
	case r == Unsigned:
		return logic.BVULt(a, b)
	}
	return logic.BVSLt(a, b)
}

// inductive drops predicates until what is left is inductive, the strongest conjunction that
// is: from each state of it, guard leads to one of it, where after says what is there of a
// formula. It returns nil, false if a predicate of must would have to go, or questions end.
func (q *asker) inductive(pool, must []*logic.Term, guard *logic.Term, vars []*logic.Term, after func(*logic.Term) *logic.Term) (kept []*logic.Term, ok bool, err error) {
	kept = slices.Clone(pool)
	for {
		then := lists.Map(kept, func(p *logic.Term) *logic.Term { return after(p) })
		status, m, err := q.model(vars, logic.And(kept...), guard, logic.Not(logic.And(then...)))
		switch {
		case err != nil || status == smt.Unknown:
			return nil, false, err
		case status == smt.Unsat:
			return kept, true, nil
		}
		var next []*logic.Term
		for i, p := range kept {
			switch {
			case holdsIn(then[i], m):
				next = append(next, p)
			case slices.Contains(must, p):
				return nil, false, nil
			}
		}
		if len(next) == len(kept) { // what evaluation cannot decide
			return nil, false, nil
		}
		kept = next
	}
}

// kept are the predicates that hold after a command from states of an invariant. Those of
// which the solver does not say it, all together or each, are left out.
func (q *asker) kept(vars, invariant, pool []*logic.Term, c *program.Command) ([]*logic.Term, error) {
	vars = append(slices.Clone(vars), c.Inputs...)
	given := append(slices.Clone(invariant), c.Guard)
	for len(pool) > 0 {
		then := lists.Map(pool, c.After)
		status, m, err := q.model(vars, append(slices.Clone(given), logic.Not(logic.And(then...)))...)
		if err != nil || status == smt.Unsat {
			return pool, err
		}
		var next []*logic.Term
		for i, p := range pool {
			ok := status == smt.Sat && holdsIn(then[i], m)
			if status == smt.Unknown {
				if ok, err = q.proves(append(slices.Clone(given), logic.Not(then[i]))...); err != nil {
					return nil, err
				}
			}
			if ok {
				next = append(next, p)
			}
		}
		if status == smt.Unknown {
			return next, nil
		}
		if len(next) == len(pool) { // what evaluation cannot decide
			return nil, nil
		}
		pool = next
	}
	return nil, nil
}

// enough returns few of the predicates of an inductive conjunction: they are inductive, and
// imply the goal where the guard holds. some imply it.
func (q *asker) enough(some, all []*logic.Term, guard, goal *logic.Term, after func(*logic.Term) *logic.Term) ([]*logic.Term, error) {
	chosen := slices.Clone(some)
	for i := 0; i < len(chosen); i++ {
		because, ok, err := q.core(all, guard, logic.Not(after(chosen[i])))
		if err != nil || !ok {
			return all, err
		}
		for _, p := range because {
			if !slices.Contains(chosen, p) {
				chosen = append(chosen, p)
			}
		}
	}
	for i := len(chosen) - 1; i >= 0; i-- { // what follows from the others, and is not needed for itself
		rest := slices.Delete(slices.Clone(chosen), i, i+1)
		then := []*logic.Term{goal}
		for _, p := range rest {
			then = append(then, after(p))
		}
		ok, err := q.proves(append(slices.Clone(rest), guard, logic.Not(logic.And(then...)))...)
		if err != nil {
			return nil, err
		}
		if ok {
			chosen = rest
		}
	}
	return chosen, nil
}
