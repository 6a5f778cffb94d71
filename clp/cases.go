package clp

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// What facts of one conjunction per predicate do not say: sums of several parameters that
// recursion leaves as they are, and cases. Both are where refinement finds an endless chain
// of constants (x = 0, x = 1, ...), each right for one more trace.

const (
	maxForms        = 60  // sums that are bounded, of a predicate
	maxSplits       = 2   // atoms of the text by which a predicate is split
	maxSplitClauses = 300 // of a problem that is split
	splitQueries    = 500
	maxParities     = 5
)

// conserved adds to the sums of each predicate those of its numeric parameters that no
// clause from the predicate to itself changes, and their sums and differences: the equations
// of the affine hull of the changes and of no change at all. They are the templates for
// a*x + b*y + ... <= c, which hold at the end of a loop if they do at the beginning.
func (f *factFinder) conserved(p *horn.Problem, known []*logic.Term, forms [][]*logic.Term) error {
	for pred := range p.Preds {
		e := newElement(p.Preds[pred].Params, nil, nil, false, false)
		if len(e.number) < 2 {
			continue
		}
		e.bounds, e.params = nil, e.number
		zero := logic.Model{}
		for _, v := range e.number {
			zero[v.Name()] = logic.Zero(v.Sort())
		}
		e.join(zero)
		for i := range p.Clauses {
			c := &p.Clauses[i]
			if c.Head == nil || c.Head.Pred != pred {
				continue
			}
			for _, a := range c.Body {
				if a.Pred != pred {
					continue
				}
				if err := f.changes(p, c, a, known, e); err != nil {
					return err
				}
			}
		}
		var kept []*logic.Term
		for _, row := range e.affine {
			if sum := e.sum(row); sum != nil {
				kept = append(kept, sum)
			}
		}
		for i, k := range kept {
			both := []*logic.Term{k}
			for _, l := range kept[:i] {
				if k.Sort() == l.Sort() {
					both = append(both, logic.Add(k, l), logic.Sub(k, l))
				}
			}
			for _, g := range both {
				if len(forms[pred]) < maxForms && len(logic.Vars(g)) > 1 {
					insert(&forms[pred], g)
					insert(&forms[pred], logic.Neg(g))
				}
			}
		}
	}
	return nil
}

// sum returns the left side of an equation, nil if it mixes sorts.
func (e *element) sum(row []*big.Rat) *logic.Term {
	e.integral(row)
	var parts []*logic.Term
	for k, a := range row[:len(e.number)] {
		if a.Sign() != 0 {
			parts = append(parts, logic.Scale(a, e.number[k]))
		}
	}
	for _, part := range parts {
		if part.Sort() != parts[0].Sort() {
			return nil
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return logic.Add(parts...)
}

// changes joins to an element what a clause adds to the numbers of a call.
func (f *factFinder) changes(p *horn.Problem, c *horn.Clause, a horn.App, known []*logic.Term, e *element) error {
	var change []*logic.Term
	for k, v := range p.Preds[a.Pred].Params {
		if v.Sort().Arithmetic() {
			change = append(change, logic.Sub(c.Head.Args[k], a.Args[k]))
		}
	}
	by := map[*logic.Term]*logic.Term{}
	for k, v := range e.number {
		by[v] = change[k]
	}
	base := []*logic.Term{c.Constraint}
	for _, b := range c.Body {
		base = append(base, applied(p, b, known[b.Pred]))
	}
	for len(e.affine) > 0 {
		status, m, err := smt.ModelOf(f.ctx, f.solver, append(slices.Clone(base), logic.Not(logic.Substitute(e.formula(), by)))...)
		if err != nil || status == smt.Unsat {
			return err
		}
		var values logic.Model
		if m != nil {
			values, err = arguments(change, e.number, m)
		}
		if m == nil || err != nil || !excludes(e, values) {
			e.affine = nil
			return nil
		}
		e.join(values)
	}
	return nil
}

// splits returns choices of atoms, by predicate, to look at cases of: conditions of the text
// that stand below "or" or in a conditional come before others; then each parity besides.
func splits(p *horn.Problem) (choices [][][]*logic.Term) {
	nested := make([][]*logic.Term, len(p.Preds))
	outer := make([][]*logic.Term, len(p.Preds))
	for i := range p.Clauses {
		c := &p.Clauses[i]
		all := slices.Clone(c.Body)
		if c.Head != nil {
			all = append(all, *c.Head)
		}
		top := logic.Conjuncts(c.Constraint)
		for _, h := range conditions(c.Constraint) {
			list := nested
			if slices.Contains(top, h) {
				list = outer
			}
			for _, a := range all {
				if g := overParams(p, a, h); g != nil && !slices.Contains(list[a.Pred], g) {
					list[a.Pred] = append(list[a.Pred], g)
				}
			}
		}
	}
	first := make([][]*logic.Term, len(p.Preds))
	second := make([][]*logic.Term, len(p.Preds))
	parities := 0
	for i := range p.Preds {
		first[i] = nested[i][:min(len(nested[i]), maxSplits)]
		second[i] = outer[i][:min(len(outer[i]), maxSplits)]
		parities = max(parities, len(p.Preds[i].Params))
	}
	choices = append(choices, first, second)
	for k := range min(parities, maxParities) {
		choice := make([][]*logic.Term, len(p.Preds))
		for i := range p.Preds {
			choice[i] = slices.Clone(first[i])
			if ps := p.Preds[i].Params; k < len(ps) && ps[k].Sort() == logic.Int {
				choice[i] = append(choice[i], logic.Eq(logic.IntMod(ps[k], logic.IntConst(2)), logic.IntConst(0)))
			}
		}
		choices = append(choices, choice)
	}
	return choices
}

// conditions are the linear atoms of a formula, those of conditional terms within atoms
// included, each in its positive form.
func conditions(f *logic.Term) (out []*logic.Term) {
	for t := range logic.Subterms(f) {
		if logic.IsLinearAtom(t) {
			if h, _ := positiveForm(t); !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	return out
}

// overParams says a condition of a call's arguments as one of parameters, nil if it speaks
// of others.
func overParams(p *horn.Problem, a horn.App, h *logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for k, t := range a.Args {
		if t.Op() == logic.OpVar && by[t] == nil {
			by[t] = p.Preds[a.Pred].Params[k]
		}
	}
	if slices.ContainsFunc(logic.Vars(h), func(v *logic.Term) bool { return by[v] == nil }) {
		return nil
	}
	return logic.Substitute(h, by)
}

// byCases looks for facts of each predicate in each case, as if these were predicates of
// their own; a predicate's fact is that one of its cases applies, with the facts of it.
func (f *factFinder) byCases(p *horn.Problem, known []*logic.Term, forms [][]*logic.Term, atoms [][]*logic.Term) ([]*logic.Term, error) {
	split := &horn.Problem{}
	var within []*logic.Term // the case
	var before []*logic.Term
	var sums [][]*logic.Term
	cases := make([][]int, len(p.Preds))
	for i := range p.Preds {
		for bits := range 1 << len(atoms[i]) {
			literals := make([]*logic.Term, len(atoms[i]))
			for k, h := range atoms[i] {
				literals[k] = literal(h, bits>>k&1 == 0)
			}
			cases[i] = append(cases[i], len(split.Preds))
			split.Preds = append(split.Preds, p.Preds[i])
			within = append(within, logic.And(literals...))
			before = append(before, logic.And(known[i], within[len(within)-1]))
			sums = append(sums, forms[i])
		}
	}
	if len(split.Preds) == len(p.Preds) {
		return known, nil
	}
	for i := range p.Clauses {
		if p.Clauses[i].Head == nil {
			continue
		}
		for _, c := range inCases(p, &p.Clauses[i], cases, within) {
			if split.Clauses = append(split.Clauses, c); len(split.Clauses) > maxSplitClauses {
				return known, nil
			}
		}
	}
	found, err := f.passes(split, before, sums, splitQueries, false, true)
	if err != nil {
		return nil, err
	}
	next := make([]*logic.Term, len(p.Preds))
	for i := range p.Preds {
		learnt := false
		var all []*logic.Term
		for _, k := range cases[i] {
			all = append(all, found[k])
			learnt = learnt || found[k] != before[k]
		}
		if next[i] = known[i]; learnt {
			next[i] = logic.Or(all...)
		}
	}
	return next, nil
}

// inCases returns a clause for each choice of cases of its calls and its head; more than
// maxSplitClauses are not listed in full.
func inCases(p *horn.Problem, c *horn.Clause, cases [][]int, within []*logic.Term) []horn.Clause {
	out := []horn.Clause{{Constraint: c.Constraint}}
	for _, a := range c.Body {
		var next []horn.Clause
		for _, o := range out {
			for _, k := range cases[a.Pred] {
				next = append(next, horn.Clause{Constraint: o.Constraint, Body: append(slices.Clone(o.Body), horn.App{Pred: k, Args: a.Args})})
			}
		}
		if out = next; len(out) > maxSplitClauses {
			return out
		}
	}
	var all []horn.Clause
	for _, o := range out {
		for _, k := range cases[c.Head.Pred] {
			o.Head = &horn.App{Pred: k, Args: c.Head.Args}
			o.Constraint = logic.And(c.Constraint, applied(p, *c.Head, within[k]))
			all = append(all, o)
		}
	}
	return all
}
