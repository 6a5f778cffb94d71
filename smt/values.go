package smt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// values reads from the last model of a child the values of the variables of formulas. Of a
// function these are its values where the formulas apply it; elsewhere it is zero.
func (b *backend) values(ctx context.Context, p *process, formulas []*logic.Term) (logic.Model, error) {
	m := logic.Model{}
	var ask []*logic.Term
	var sorts []*logic.Sort
	for _, v := range logic.Vars(formulas...) {
		if v.Sort().Kind() == logic.FunctionKind {
			m[v.Name()] = logic.Zero(v.Sort())
			continue
		}
		ask, sorts = append(ask, v), append(sorts, v.Sort())
	}
	var applied []*logic.Term
	if len(m) > 0 {
		applied = logic.Applications(formulas...)
	}
	vars := len(ask)
	for _, a := range applied {
		ask = append(append(ask, a.Args()[1:]...), a)
	}
	for _, t := range ask[vars:] {
		sorts = append(sorts, t.Sort())
	}
	if len(ask) == 0 {
		return m, nil
	}
	answers, err := b.valuesOf(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	values := make([]logic.Value, len(ask))
	for i, pair := range answers {
		if values[i], err = valueOf(pair, sorts[i]); err != nil {
			return nil, err
		}
	}
	for i, v := range ask[:vars] {
		m[v.Name()] = values[i]
	}
	points := map[*logic.Term][]logic.Point{}
	at := vars
	for _, a := range applied {
		f, n := a.Args()[0], len(a.Args())-1
		points[f] = append(points[f], logic.Point{Arguments: values[at : at+n], Value: values[at+n]})
		at += n + 1
	}
	for f, ps := range points {
		_, result := f.Sort().Signature()
		m[f.Name()] = logic.FunctionValue(f.Sort(), ps, logic.Zero(result))
	}
	return m, nil
}

// valuesOf asks a child for the values of terms.
func (b *backend) valuesOf(ctx context.Context, p *process, terms []*logic.Term) ([]sexp.Node, error) {
	texts := lists.Map(terms, func(t *logic.Term) string { return t.Format(logic.SMTLIB) })
	began := time.Now()
	answers, err := p.exchange(ctx, "(get-value ("+strings.Join(texts, " ")+"))\n", b.hardLimit())
	b.stats.Time += time.Since(began)
	if err != nil {
		return nil, err
	}
	if len(answers) != 1 || len(answers[0].List) != len(terms) {
		return nil, errors.New(nonsense(answers))
	}
	out := make([]sexp.Node, len(terms))
	for i, pair := range answers[0].List {
		if len(pair.List) != 2 {
			return nil, errors.New(nonsense(answers))
		}
		out[i] = pair.List[1]
	}
	return out, nil
}

// valueOf reads a value that z3 prints; irrational numbers and functions are
// errors.
func valueOf(n sexp.Node, sort *logic.Sort) (logic.Value, error) {
	if n.Head() == "lambda" {
		t, err := setOf(n, sort)
		if err != nil {
			return logic.Value{}, err
		}
		return logic.Eval(t, nil)
	}
	t, err := logic.FromSexp(n, logic.Symbols(sort))
	if err != nil {
		return logic.Value{}, fmt.Errorf("value not understood: %w", err)
	}
	if t.Sort() == logic.Int && sort == logic.Real {
		t = logic.ToReal(t)
	}
	v, err := logic.Eval(t, nil)
	if err == nil && v.Sort() != sort {
		err = fmt.Errorf("value of sort %s, not %s", v.Sort(), sort)
	}
	return v, err
}
