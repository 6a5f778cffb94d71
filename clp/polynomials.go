package clp

import (
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Polynomial facts: equations of degree two are affine ones over parameters and their
// products ([MuellerOlmSeidl04] has the same of programs), found as others are. Their left
// sides are bounded then, where equations of one predicate may be inequalities of the next.

const (
	maxFactors        = 4 // numeric parameters whose products are looked at
	polynomialQueries = 150
)

// polynomials adds polynomial facts to those that are known, nil if they do not answer the
// query: then they would only make later questions harder.
func (f *factFinder) polynomials(p *horn.Problem, known []*logic.Term) ([]*logic.Term, error) {
	f.problem, f.known, f.elements, f.left = p, known, nil, polynomialQueries
	var own []*element
	some := false
	for i := range p.Preds {
		e := newElement(p.Preds[i].Params, nil, nil, false, true)
		if n := len(e.number); n > 0 && n <= maxFactors && OfProblem(p).linear() {
			e.number, some = append(e.number, products(e.number)...), true
		}
		own, f.elements = append(own, e), append(f.elements, e)
	}
	if !some {
		return nil, nil
	}
	if ok, err := f.run(); !ok || err != nil {
		return nil, err
	}
	next, forms := make([]*logic.Term, len(known)), make([][]*logic.Term, len(known))
	for i, e := range own {
		next[i] = logic.And(known[i], e.formula())
		for _, row := range e.affine {
			if sum := e.sum(row); sum != nil && !e.empty && !e.top {
				addForm(p, i, sum, forms)
			}
		}
	}
	f.only = true
	defer func() { f.only = false }()
	next, err := f.passes(p, next, forms, polynomialQueries, false)
	if err != nil {
		return nil, err
	}
	if done, err := f.answers(p, next); !done || err != nil {
		return nil, err
	}
	return next, nil
}

// products are those of two numbers of one sort.
func products(number []*logic.Term) (out []*logic.Term) {
	for i, v := range number {
		for _, u := range number[:i+1] {
			if u.Sort() == v.Sort() {
				out = append(out, logic.Mul(u, v))
			}
		}
	}
	return out
}

// addForm adds a sum of a predicate to the forms of all that have parameters of the same
// sorts, each with its own.
func addForm(p *horn.Problem, pred int, sum *logic.Term, forms [][]*logic.Term) {
	sorts := func(i int) (all []*logic.Sort) {
		for _, v := range p.Preds[i].Params {
			all = append(all, v.Sort())
		}
		return all
	}
	for i := range p.Preds {
		if slices.Equal(sorts(i), sorts(pred)) && len(forms[i]) < maxForms {
			own := logic.Substitute(sum, renaming(p.Preds[pred].Params, p.Preds[i].Params))
			insert(&forms[i], own)
			insert(&forms[i], logic.Neg(own))
		}
	}
}
