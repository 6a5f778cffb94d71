package clp

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Widening within refinement. Interpolants of ever longer traces may compare a sum of
// parameters with ever new numbers (x = 0, x = 1, ...; x <= 99, x <= 98, ...): the sum
// marches. Then candidates that speak of all these traces at once are tried: bounds and
// congruences of the sum; bounds of its combinations with others, with the coefficients
// that their steps have (a*x + b*y <= c: what Farkas' lemma combines of what each step
// adds); and disjunctions of bounds with conditions. What is inductive with the facts that
// are known is a fact, too, by the domains of findFacts or by elimination of candidates that
// are not ([FlanaganLeino01]).

const (
	marching      = 3 // numbers that a sum is compared with when it is said to march
	maxMarching   = 6 // sums of a predicate
	maxCandidates = 240
	widenQueries  = 400
)

// march is a sum of a predicate's parameters that is compared with several numbers.
type march struct {
	sum     *logic.Term
	numbers []*big.Rat // sorted
}

// sumOf returns the sum that an atom compares with a number; of a sum and its negation,
// the same one.
func sumOf(h *logic.Term) (sum *logic.Term, number *big.Rat, ok bool) {
	if !logic.IsLinearAtom(h) {
		return nil, nil, false
	}
	if h.Op() == logic.OpNot {
		h = h.Args()[0]
	}
	sum, number = h.Args()[0], h.Args()[1].Num()
	if n := logic.Neg(sum); n.Compare(sum) < 0 {
		return n, new(big.Rat).Neg(number), true
	}
	return sum, number, true
}

// marches returns the sums of each predicate that march, and whether one has twice as many
// numbers as when it was last looked at.
func (c *complete) marches() (all [][]march, due bool) {
	all = make([][]march, len(c.alpha.Interface))
	for pred, atoms := range c.alpha.Interface {
		found := map[*logic.Term]*march{}
		var order []*march
		for _, h := range atoms {
			sum, number, ok := sumOf(h)
			if !ok {
				continue
			}
			m := found[sum]
			if m == nil {
				m = &march{sum: sum}
				found[sum], order = m, append(order, m)
			}
			if at, in := slices.BinarySearchFunc(m.numbers, number, (*big.Rat).Cmp); !in {
				m.numbers = slices.Insert(m.numbers, at, number)
			}
		}
		for _, m := range order {
			if len(m.numbers) < marching || len(all[pred]) == maxMarching {
				continue
			}
			all[pred] = append(all[pred], *m)
			key := marchKey{pred, m.sum}
			if len(m.numbers) >= c.looked[key] {
				c.looked[key], due = 2*len(m.numbers), true
			}
		}
	}
	return all, due
}

type marchKey struct {
	pred int
	sum  *logic.Term
}

// step is the greatest common divisor of the distances between a march's numbers.
func (m *march) step() *big.Rat {
	out := new(big.Rat)
	for k, n := range m.numbers[1:] {
		d := new(big.Rat).Sub(n, m.numbers[k])
		if out.Sign() == 0 {
			out = d
			continue
		}
		if !d.IsInt() || !out.IsInt() {
			return big.NewRat(1, 1)
		}
		out = new(big.Rat).SetInt(new(big.Int).GCD(nil, nil, out.Num(), d.Num()))
	}
	return out
}

// templates are sums to bound: those that march, and their combinations.
func templates(all []march, params []*logic.Term) (forms []*logic.Term) {
	add := func(f *logic.Term) {
		if len(forms) < maxForms && len(logic.Vars(f)) > 0 {
			insert(&forms, f)
			insert(&forms, logic.Neg(f))
		}
	}
	for _, m := range all {
		add(m.sum)
	}
	combine := func(f, g *logic.Term, a, b *big.Rat) {
		if f.Sort() != g.Sort() {
			return
		}
		add(logic.Sub(logic.Scale(b, f), logic.Scale(a, g)))
		add(logic.Add(logic.Scale(b, f), logic.Scale(a, g)))
	}
	one := big.NewRat(1, 1)
	for i, m := range all {
		for _, o := range all[:i] {
			combine(m.sum, o.sum, m.step(), o.step())
			combine(m.sum, o.sum, one, one)
		}
	}
	for _, m := range all {
		for _, v := range params {
			if v.Sort().Arithmetic() && v != m.sum {
				combine(m.sum, v, one, one)
				combine(m.sum, v, big.NewRat(2, 1), one)
				combine(m.sum, v, one, big.NewRat(2, 1))
			}
		}
	}
	return forms
}

// widen looks for facts of sums that march.
func (c *complete) widen() error {
	all, due := c.marches()
	if !due {
		return nil
	}
	c.solver.Limit(factWork)
	defer c.solver.Limit(0)
	f := &factFinder{ctx: c.ctx, solver: c.solver, meter: c.meter, only: true, thresholds: numbersOf(c.problem)}
	forms := make([][]*logic.Term, len(all))
	for pred := range all {
		forms[pred] = templates(all[pred], c.problem.Preds[pred].Params)
		for _, m := range all[pred] {
			for _, n := range []*big.Rat{m.numbers[0], m.numbers[len(m.numbers)-1]} {
				if at, in := slices.BinarySearchFunc(f.thresholds, n, (*big.Rat).Cmp); !in {
					f.thresholds = slices.Insert(f.thresholds, at, n)
				}
			}
		}
	}
	known, err := f.passes(c.problem, c.known, forms, widenQueries, false, true)
	if err == nil {
		known, err = f.eliminate(c.problem, known, c.candidates(all))
	}
	if err != nil {
		return err
	}
	if !slices.Equal(known, c.known) {
		c.known = known
		c.hunted.learn(known)
	}
	return nil
}

// candidates are bounds of sums that march, each alone and for one case of a condition.
func (c *complete) candidates(all [][]march) [][]*logic.Term {
	out := make([][]*logic.Term, len(all))
	text := splits(c.problem)
	for pred, marches := range all {
		conditions := slices.Concat(text[0][pred], text[1][pred])
		moving := map[*logic.Term]bool{}
		var bounds []*logic.Term
		for _, m := range marches {
			moving[m.sum] = true
			for _, n := range []*big.Rat{m.numbers[0], m.numbers[len(m.numbers)-1]} {
				at := logic.Number(n, m.sum.Sort())
				bounds = append(bounds, logic.Le(m.sum, at), logic.Ge(m.sum, at), logic.Ne(m.sum, at))
			}
		}
		for _, h := range c.alpha.Interface[pred] {
			sum, _, ok := sumOf(h)
			if ok && moving[sum] {
				continue
			}
			if bounds = append(bounds, h, logic.Not(h)); !slices.Contains(conditions, h) {
				conditions = append(conditions, h)
			}
		}
		out[pred] = bounds
		for _, h := range conditions {
			for _, b := range bounds {
				for _, l := range []*logic.Term{h, logic.Not(h)} {
					if f := logic.Or(l, b); !f.IsTrue() && len(out[pred]) < maxCandidates {
						out[pred] = append(out[pred], f)
					}
				}
			}
		}
	}
	return out
}

// eliminate adds those of the candidates to facts that are inductive with each other:
// values that a clause derives show which are not ([FlanaganLeino01]).
func (f *factFinder) eliminate(p *horn.Problem, known []*logic.Term, candidates [][]*logic.Term) ([]*logic.Term, error) {
	f.left = widenQueries
	for changed := true; changed; {
		changed = false
		for i := range p.Clauses {
			c := &p.Clauses[i]
			for c.Head != nil && len(candidates[c.Head.Pred]) > 0 {
				if f.left--; f.left < 0 {
					return known, nil
				}
				fs := []*logic.Term{c.Constraint, logic.Not(applied(p, *c.Head, logic.And(candidates[c.Head.Pred]...)))}
				for _, a := range c.Body {
					fs = append(fs, applied(p, a, known[a.Pred]), applied(p, a, logic.And(candidates[a.Pred]...)))
				}
				status, m, err := smt.ModelOf(f.ctx, f.solver, fs...)
				if err != nil {
					return nil, err
				}
				if status == smt.Unsat {
					break
				}
				changed = true
				candidates[c.Head.Pred] = surviving(p, c, candidates[c.Head.Pred], m)
			}
		}
	}
	next := make([]*logic.Term, len(known))
	for pred := range known {
		some, err := f.irredundant(known[pred], candidates[pred])
		if err != nil {
			return nil, err
		}
		next[pred] = logic.And(append(some, known[pred])...)
	}
	return next, nil
}

// surviving are the candidates for a clause's head that are true of the values that a model
// derives; none if there is no model, or none of them is refuted.
func surviving(p *horn.Problem, c *horn.Clause, candidates []*logic.Term, m logic.Model) []*logic.Term {
	if m == nil {
		return nil
	}
	values, err := arguments(c.Head.Args, p.Preds[c.Head.Pred].Params, m)
	if err != nil {
		return nil
	}
	var out []*logic.Term
	for _, h := range candidates {
		if holds, err := logic.Holds(h, values); err == nil && holds {
			out = append(out, h)
		}
	}
	if len(out) == len(candidates) {
		return nil
	}
	return out
}

// irredundant leaves out candidates that follow from a fact and those before them.
func (f *factFinder) irredundant(known *logic.Term, candidates []*logic.Term) (some []*logic.Term, err error) {
	f.solver.Push()
	defer f.solver.Pop()
	f.solver.Assert(known)
	for _, h := range candidates {
		status, err := f.solver.Check(f.ctx, logic.Not(h))
		if err != nil {
			return nil, err
		}
		if status != smt.Unsat {
			some = append(some, h)
			f.solver.Assert(h)
		}
	}
	return some, nil
}
