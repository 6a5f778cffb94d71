package clp

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Facts are formulas over the parameters of predicates that hold in the least model. They
// are found by symbolic abstraction ([RepsSagivYorsh04]): an element of a domain is kept for
// each predicate, the solver is asked for values that a clause derives outside of the
// element, and the element is enlarged by them, until no clause derives any: then all are
// inductive. Linear and nonlinear clauses are the same to it.
//
// The domains are affine equations (the hull of what was seen), bounds of sums of up to two
// parameters and of what clauses compare, widened to numbers of the text, and constant
// Booleans, between congruences: some need bounds, and bounds some of them.

// element is what is known of a predicate.
type element struct {
	empty  bool
	top    bool
	params []*logic.Term
	number []*logic.Term // of params, those that are numbers, or terms of these
	affine [][]*big.Rat  // coefficients of number, and the constant: sum = constant
	bounds []upper
	mods   []congruence
	bools  []*logic.Term // literals that held so far

	thresholds []*big.Rat
	raises     int // times that a bound is raised before it is given up
}

// upper is "form <= at".
type upper struct {
	form   *logic.Term
	at     *big.Rat // nil: there is none any more
	raised int
}

// congruence is "form = rest (modulo)"; modulo 0 stands for one value so far, 1 for none.
type congruence struct {
	form         *logic.Term
	modulo, rest *big.Int
}

// maxFactQueries bounds the questions about facts of one problem, factWork each of them.
const (
	maxFactQueries = 1500
	factWork       = 500_000
	maxRaised      = 5
	maxPairs       = 6 // parameters up to which pairs are looked at
)

// findFacts returns facts of each predicate, true where none are known. What is unknown to
// the solver costs facts, never their truth. Where those of the domains do not answer the
// query, sums that loops keep are bounded, too (conserved), predicates looked at case by
// case (splits), and products of parameters taken as numbers of their own (polynomials).
func findFacts(ctx context.Context, s smt.Checker, p *horn.Problem, meter *budget.Meter) ([]*logic.Term, error) {
	known := unknown(p)
	f := &factFinder{ctx: ctx, solver: s, meter: meter}
	s.Limit(factWork)
	defer s.Limit(0)
	forms := comparedForms(p)
	known, err := f.passes(p, known, forms, maxFactQueries, true, false, true)
	if err != nil {
		return nil, err
	}
	if done, err := f.answers(p, known); done || err != nil {
		return known, err
	}
	if err := f.conserved(p, known, forms); err != nil {
		return nil, err
	}
	if known, err = f.passes(p, known, forms, maxFactQueries, false); err != nil {
		return nil, err
	}
	plain := known
	for _, atoms := range splits(p) {
		if done, err := f.answers(p, known); done || err != nil {
			return known, err
		}
		if known, err = f.byCases(p, known, forms, atoms); err != nil {
			return nil, err
		}
	}
	if done, err := f.answers(p, known); done || err != nil {
		return known, err
	}
	if more, err := f.polynomials(p, plain); more != nil || err != nil {
		return more, err
	}
	return known, nil
}

// passes adds facts to those that are known, by domains with congruences or with the others,
// with so many questions each.
func (f *factFinder) passes(p *horn.Problem, known []*logic.Term, forms [][]*logic.Term, left int, congruences ...bool) ([]*logic.Term, error) {
	thresholds := f.thresholds
	if thresholds == nil {
		thresholds = numbersOf(p)
	}
	for _, c := range congruences {
		f.problem, f.known, f.elements, f.left = p, known, nil, left
		for i := range p.Preds {
			f.elements = append(f.elements, newElement(p.Preds[i].Params, thresholds, slices.Clone(forms[i]), c, f.only))
		}
		var err error
		if known, err = f.learnt(); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// learnt enlarges the elements and adds what they say to what is known, if that comes to
// an end.
func (f *factFinder) learnt() ([]*logic.Term, error) {
	ok, err := f.run()
	if err != nil || !ok {
		return f.known, err
	}
	out := make([]*logic.Term, len(f.known))
	for i, e := range f.elements {
		out[i] = logic.And(f.known[i], e.formula())
	}
	return out, nil
}

// answers reports that no clause concludes false from what is known.
func (f *factFinder) answers(p *horn.Problem, known []*logic.Term) (bool, error) {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		if c.Head != nil {
			continue
		}
		fs := []*logic.Term{c.Constraint}
		for _, a := range c.Body {
			fs = append(fs, applied(p, a, known[a.Pred]))
		}
		status, err := smt.CheckAll(f.ctx, f.solver, fs...)
		if err != nil || status != smt.Unsat {
			return false, err
		}
	}
	return true, nil
}

// numbersOf are the numbers of a problem and their neighbours, sorted.
func numbersOf(p *horn.Problem) []*big.Rat {
	found := map[string]*big.Rat{}
	note := func(n *big.Rat) { found[n.RatString()] = n }
	one := big.NewRat(1, 1)
	for _, n := range []int64{-1, 0, 1} {
		note(big.NewRat(n, 1))
	}
	var terms []*logic.Term
	for i := range p.Clauses {
		terms = append(terms, p.Clauses[i].Terms()...)
	}
	for t := range logic.Subterms(terms...) {
		if n := t.Num(); n != nil && t.Sort().Arithmetic() {
			for _, m := range []*big.Rat{n, new(big.Rat).Neg(n)} {
				note(m)
				note(new(big.Rat).Add(m, one))
				note(new(big.Rat).Sub(m, one))
			}
		}
	}
	return sortedNumbers(slices.Collect(maps.Values(found)))
}

// sortedNumbers sorts numbers and leaves out what is there twice.
func sortedNumbers(all []*big.Rat) []*big.Rat {
	slices.SortFunc(all, (*big.Rat).Cmp)
	return slices.CompactFunc(all, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

// comparedForms returns for each predicate the sums that clauses compare with numbers, of
// the arguments of one call.
func comparedForms(p *horn.Problem) [][]*logic.Term {
	out := make([][]*logic.Term, len(p.Preds))
	for i := range p.Clauses {
		c := &p.Clauses[i]
		atoms := logic.Atoms(c.Constraint)
		for _, a := range c.Body {
			by := map[*logic.Term]*logic.Term{}
			for k, t := range a.Args {
				if t.Op() == logic.OpVar {
					by[t] = p.Preds[a.Pred].Params[k]
				}
			}
			for _, h := range atoms {
				if !logic.IsLinearAtom(h) || slices.ContainsFunc(logic.Vars(h), func(v *logic.Term) bool { return by[v] == nil }) {
					continue
				}
				sum := logic.Substitute(h.Args()[0], by)
				if sum.Sort().Arithmetic() && len(logic.Vars(sum)) > 1 && len(out[a.Pred]) < 40 {
					insert(&out[a.Pred], sum)
					insert(&out[a.Pred], logic.Neg(sum))
				}
			}
		}
	}
	return out
}

// newElement returns the empty element of one of the domains. forms are sums that are looked
// at besides the parameters, or in their place where only is set.
func newElement(params []*logic.Term, thresholds []*big.Rat, forms []*logic.Term, congruences, only bool) *element {
	e := &element{empty: true, params: params, thresholds: thresholds, raises: maxRaised}
	for _, v := range params {
		if v.Sort().Arithmetic() {
			e.number = append(e.number, v)
		}
	}
	var sums []*logic.Term
	for i, v := range e.number {
		if only {
			break
		}
		sums = append(sums, v)
		for _, u := range e.number[:i] {
			if len(e.number) <= maxPairs && u.Sort() == v.Sort() {
				sums = append(sums, logic.Add(u, v), logic.Sub(u, v))
			}
		}
	}
	if only {
		sums, forms = forms, nil
	}
	for _, f := range sums {
		if congruences {
			if f.Sort() == logic.Int {
				e.mods = append(e.mods, congruence{form: f})
			}
			continue
		}
		insert(&forms, f)
		insert(&forms, logic.Neg(f))
	}
	if !congruences {
		for _, f := range forms {
			e.bounds = append(e.bounds, upper{form: f})
		}
	}
	return e
}

// formula is what the element says.
func (e *element) formula() *logic.Term {
	if e.empty {
		return logic.False()
	}
	if e.top {
		return logic.True()
	}
	all := slices.Clone(e.bools)
	for _, row := range e.affine {
		var parts []*logic.Term
		ints := e.integral(row)
		for k, a := range row[:len(e.number)] {
			if a.Sign() != 0 {
				v := e.number[k]
				if v.Sort() == logic.Int && !ints {
					v = logic.ToReal(v)
				}
				parts = append(parts, logic.Scale(a, v))
			}
		}
		if len(parts) > 0 {
			sum := logic.Add(parts...)
			all = append(all, logic.Eq(sum, logic.Number(row[len(e.number)], sum.Sort())))
		}
	}
	fixed := e.fixed()
	for _, b := range e.bounds {
		if b.at != nil && slices.ContainsFunc(logic.Vars(b.form), func(v *logic.Term) bool { return fixed[slices.Index(e.number, v)] == nil }) {
			all = append(all, logic.Le(b.form, logic.Number(b.at, b.form.Sort())))
		}
	}
	for _, c := range e.mods {
		switch {
		case c.modulo.Sign() == 0:
			all = append(all, logic.Eq(c.form, logic.Number(new(big.Rat).SetInt(c.rest), logic.Int)))
		case c.modulo.Cmp(big.NewInt(1)) > 0:
			all = append(all, logic.Eq(logic.IntMod(c.form, logic.Number(new(big.Rat).SetInt(c.modulo), logic.Int)),
				logic.Number(new(big.Rat).SetInt(new(big.Int).Mod(c.rest, c.modulo)), logic.Int)))
		}
	}
	return logic.And(all...)
}

// fixed are the numbers that an equation gives a value, by position.
func (e *element) fixed() map[int]*big.Rat {
	out := map[int]*big.Rat{}
	for _, row := range e.affine {
		at := -1
		for k := range e.number {
			switch {
			case row[k].Sign() == 0:
			case at < 0:
				at = k
			default:
				at = len(e.number)
			}
		}
		if at >= 0 && at < len(e.number) {
			out[at] = new(big.Rat).Quo(row[len(e.number)], row[at])
		}
	}
	return out
}

// integral reports whether all variables of a row are of Int, and scales it to integers then.
func (e *element) integral(row []*big.Rat) bool {
	for k, a := range row[:len(e.number)] {
		if a.Sign() != 0 && e.number[k].Sort() != logic.Int {
			return false
		}
	}
	lcm := big.NewInt(1)
	for _, a := range row {
		d := a.Denom()
		lcm.Mul(lcm, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, lcm, d)))
	}
	factor := new(big.Rat).SetInt(lcm)
	for k := range row {
		row[k] = new(big.Rat).Mul(row[k], factor)
	}
	return true
}

// join enlarges the element by values.
func (e *element) join(m logic.Model) {
	if e.top {
		return
	}
	first := e.empty
	e.empty = false
	values := make([]*big.Rat, len(e.number))
	for k, t := range e.number {
		v, err := logic.Eval(t, m)
		if err != nil {
			e.top = true
			return
		}
		values[k] = v.Num()
	}
	if first {
		for k := range e.number {
			row := make([]*big.Rat, len(e.number)+1)
			for j := range row {
				row[j] = new(big.Rat)
			}
			row[k], row[len(e.number)] = big.NewRat(1, 1), values[k]
			if e.mods == nil {
				e.affine = append(e.affine, row)
			}
		}
		for _, v := range e.params {
			if v.Sort() == logic.Bool && e.mods == nil {
				e.bools = append(e.bools, literal(v, m[v.Name()].Bool()))
			}
		}
	} else {
		e.hull(values)
		e.bools = slices.DeleteFunc(e.bools, func(f *logic.Term) bool {
			holds, err := logic.Holds(f, m)
			return err != nil || !holds
		})
	}
	for i := range e.bounds {
		e.raise(&e.bounds[i], m, first)
	}
	for i := range e.mods {
		e.mods[i].join(m, first)
	}
}

func literal(f *logic.Term, holds bool) *logic.Term {
	if holds {
		return f
	}
	return logic.Not(f)
}

// hull makes the equations those of the affine hull of what they allow and a point: one that
// the point breaks is taken away, and makes those of the others right that it breaks.
func (e *element) hull(values []*big.Rat) {
	off := func(row []*big.Rat) *big.Rat {
		sum := new(big.Rat).Neg(row[len(values)])
		for k, v := range values {
			sum.Add(sum, new(big.Rat).Mul(row[k], v))
		}
		return sum
	}
	var pivot []*big.Rat
	var by *big.Rat
	var rest [][]*big.Rat
	for _, row := range e.affine {
		d := off(row)
		switch {
		case d.Sign() == 0:
			rest = append(rest, row)
		case pivot == nil:
			pivot, by = row, d
		default:
			factor := new(big.Rat).Quo(d, by)
			next := make([]*big.Rat, len(row))
			for k := range row {
				next[k] = new(big.Rat).Sub(row[k], new(big.Rat).Mul(factor, pivot[k]))
			}
			rest = append(rest, next)
		}
	}
	e.affine = rest
}

// raise makes a bound one of a further value: the value itself at first, then the next
// threshold above it.
func (e *element) raise(b *upper, m logic.Model, first bool) {
	v, err := logic.Eval(b.form, m)
	switch {
	case err != nil:
		b.at = nil
	case first:
		b.at = v.Num()
	case b.at == nil || v.Num().Cmp(b.at) <= 0:
	default:
		if b.raised++; b.raised > e.raises {
			b.at = nil
			return
		}
		at, _ := slices.BinarySearchFunc(e.thresholds, v.Num(), (*big.Rat).Cmp)
		if b.at = nil; at < len(e.thresholds) {
			b.at = e.thresholds[at]
		}
	}
}

func (c *congruence) join(m logic.Model, first bool) {
	v, err := logic.Eval(c.form, m)
	switch {
	case err != nil:
		c.modulo, c.rest = big.NewInt(1), new(big.Int)
	case first:
		c.modulo, c.rest = new(big.Int), v.Num().Num()
	default:
		d := new(big.Int).Sub(v.Num().Num(), c.rest)
		c.modulo = new(big.Int).GCD(nil, nil, c.modulo, d.Abs(d))
	}
}

type factFinder struct {
	ctx      context.Context
	solver   smt.Checker
	problem  *horn.Problem
	meter    *budget.Meter
	known    []*logic.Term
	elements []abstract
	// thresholds of bounds; nil: the numbers of the text
	thresholds []*big.Rat
	left       int  // questions
	only       bool // the domains look at the given forms, and no others
}

// abstract is what is known of a predicate, as the search for facts sees it.
type abstract interface {
	formula() *logic.Term
	join(m logic.Model)
	nothing() bool // no values were seen
	giveUp()       // nothing is known from now on
	gaveUp() bool
}

func (e *element) nothing() bool { return e.empty }
func (e *element) giveUp()       { e.empty, e.top = false, true }
func (e *element) gaveUp() bool  { return e.top }

// run enlarges the elements until they are inductive; false if that takes too long.
func (f *factFinder) run() (bool, error) {
	for changed := true; changed; {
		changed = false
		for i := range f.problem.Clauses {
			c := &f.problem.Clauses[i]
			if c.Head == nil || slices.ContainsFunc(c.Body, func(a horn.App) bool { return f.elements[a.Pred].nothing() }) {
				continue
			}
			for {
				grown, err := f.step(c)
				if err != nil {
					return false, err
				}
				if !grown {
					break
				}
				changed = true
				if f.left <= 0 {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// step enlarges the element of a clause's head by values that the clause derives; false if
// there are none outside of it.
func (f *factFinder) step(c *horn.Clause) (bool, error) {
	e := f.elements[c.Head.Pred]
	if e.gaveUp() {
		return false, nil
	}
	if err := f.meter.Tick(budget.Progress{Phase: "facts"}); err != nil {
		return false, err
	}
	f.left--
	fs := []*logic.Term{c.Constraint, logic.Not(applied(f.problem, *c.Head, e.formula()))}
	for _, a := range c.Body {
		fs = append(fs, applied(f.problem, a, f.known[a.Pred]), applied(f.problem, a, f.elements[a.Pred].formula()))
	}
	status, m, err := smt.ModelOf(f.ctx, f.solver, fs...)
	if err != nil || status == smt.Unsat {
		return false, err
	}
	var values logic.Model
	if m != nil {
		values, err = arguments(c.Head.Args, f.problem.Preds[c.Head.Pred].Params, m)
	}
	if m == nil || err != nil || !excludes(e, values) {
		e.giveUp()
		return true, nil
	}
	e.join(values)
	return true, nil
}

// excludes reports that values are outside of what is known.
func excludes(e abstract, m logic.Model) bool {
	holds, err := logic.Holds(e.formula(), m)
	return err == nil && !holds
}
