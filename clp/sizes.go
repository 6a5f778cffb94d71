package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Sizes abstracts datatypes that contain themselves to numbers ([HojjatRummer17]): of a list, how many elements it has; of
// a tree, its inner nodes; of an enumeration, which of its values it is. Clauses over these numbers say less than those
// of the input do, so that a solution of theirs is one of the input where each argument is replaced by its size.
// This is checked as all solutions are. A derivation by sizes says nothing.

// sizes makes clauses over sizes.
type sizes struct {
	problem *horn.Problem
	folds   map[*logic.Sort]*horn.Fold
	all     []*horn.Fold

	// of the clause that is abstracted
	taken map[string]bool             // names of its variables
	of    map[*logic.Term]*logic.Term // what stands for terms
	here  map[*logic.Term]bool        // its parts
	extra []*logic.Term               // what holds of what was made
}

// sized reports that arguments of some predicate are datatypes that contain themselves.
func sized(p *horn.Problem) bool {
	return slices.ContainsFunc(p.Preds, func(d horn.Pred) bool {
		return slices.ContainsFunc(d.Params, func(v *logic.Term) bool {
			return v.Sort().Kind() == logic.DatatypeKind && reaches(v.Sort(), v.Sort(), map[*logic.Sort]bool{})
		})
	})
}

// reaches reports that a value of one datatype can have a field of another one, or fields of it can.
func reaches(from, to *logic.Sort, seen map[*logic.Sort]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, c := range from.Constructors() {
		for _, f := range c.Fields {
			if f.Sort == to || reaches(f.Sort, to, seen) {
				return true
			}
		}
	}
	return false
}

func newSizes(p *horn.Problem) *sizes {
	z := &sizes{problem: p, folds: map[*logic.Sort]*horn.Fold{}}
	taken := map[string]bool{}
	var terms []*logic.Term
	for i, d := range p.Preds {
		taken[p.PredName(i)] = true
		terms = append(terms, d.Params...)
	}
	for i := range p.Clauses {
		terms = append(terms, p.Clauses[i].Terms()...)
	}
	for _, v := range logic.Vars(terms...) {
		taken[v.Name()] = true
	}
	for _, g := range logic.DatatypesOf(terms...) {
		for _, name := range g.Names() {
			taken[name] = true
		}
		for _, s := range g.Sorts() {
			name := logic.UnusedName(taken, "size!"+s.String())
			f := &horn.Fold{Function: logic.Var(name, logic.FunctionOf([]*logic.Sort{s}, logic.Int))}
			z.folds[s], z.all = f, append(z.all, f)
		}
	}
	for s, f := range z.folds {
		z.define(s, f)
	}
	return z
}

// define gives constructors without parts of the datatype the numbers 0, 1, ..., and others one more than what
// these parts have.
func (z *sizes) define(s *logic.Sort, f *horn.Fold) {
	plain := int64(0)
	for _, c := range s.Constructors() {
		var made horn.FoldCase
		value := []*logic.Term{logic.IntConst(1)}
		for i, field := range c.Fields {
			v, of := logic.Var(fmt.Sprintf("size!%d", i), field.Sort), (*logic.Term)(nil)
			if g := z.folds[field.Sort]; g != nil && (field.Sort == s || reaches(field.Sort, s, map[*logic.Sort]bool{})) {
				v, of = logic.Var(fmt.Sprintf("size!%d", i), logic.Int), g.Function
				value = append(value, v)
			}
			made.Fields, made.Of = append(made.Fields, v), append(made.Of, of)
		}
		if made.Value = logic.Add(value...); len(value) == 1 {
			made.Value = logic.IntConst(plain)
			plain++
		}
		f.Cases = append(f.Cases, made)
	}
}

// holdsDatatype reports a sort that is a datatype, or an array with some.
func holdsDatatype(s *logic.Sort) bool {
	return s.Kind() == logic.DatatypeKind || s.Kind() == logic.ArrayKind && (holdsDatatype(s.Index()) || holdsDatatype(s.Element()))
}

func touches(t *logic.Term) bool { return len(logic.DatatypesOf(t)) > 0 }

// abstract is the problem over sizes. Arrays of datatypes are not among its arguments.
func (z *sizes) abstract() *horn.Problem {
	out := &horn.Problem{}
	for i, d := range z.problem.Preds {
		p := horn.Pred{Name: z.problem.PredName(i), Span: d.Span}
		for _, v := range d.Params {
			switch s := v.Sort(); {
			case s.Kind() == logic.DatatypeKind:
				p.Params = append(p.Params, logic.Var(v.Name(), logic.Int))
			case !holdsDatatype(s):
				p.Params = append(p.Params, v)
			}
		}
		out.Preds = append(out.Preds, p)
	}
	for i := range z.problem.Clauses {
		out.Clauses = append(out.Clauses, z.clause(&z.problem.Clauses[i]))
	}
	return out
}

func (z *sizes) clause(c *horn.Clause) horn.Clause {
	z.taken, z.of, z.here, z.extra = map[string]bool{}, map[*logic.Term]*logic.Term{}, map[*logic.Term]bool{}, nil
	for i := range z.problem.Preds {
		z.taken[z.problem.PredName(i)] = true
	}
	for t := range logic.Subterms(c.Terms()...) {
		z.here[t] = true
		if t.Op() == logic.OpVar {
			z.taken[t.Name()] = true
		}
	}
	out := horn.Clause{Name: c.Name, Span: c.Span}
	call := func(a horn.App) horn.App {
		made := horn.App{Pred: a.Pred}
		for _, t := range a.Args {
			switch {
			case t.Sort().Kind() == logic.DatatypeKind:
				made.Args = append(made.Args, z.size(t))
			case !holdsDatatype(t.Sort()):
				made.Args = append(made.Args, z.plain(t))
			}
		}
		return made
	}
	all := []*logic.Term{z.formula(c.Constraint, true)}
	for _, a := range c.Body {
		out.Body = append(out.Body, call(a))
	}
	if c.Head != nil {
		head := call(*c.Head)
		out.Head = &head
	}
	out.Constraint = logic.And(append(all, z.extra...)...)
	return out
}

// fresh is a variable that stands for a term.
func (z *sizes) fresh(t *logic.Term, sort *logic.Sort) *logic.Term {
	v := logic.Var(logic.UnusedName(z.taken, "size!of"), sort)
	z.of[t] = v
	return v
}

// size is the number of a term of a datatype.
func (z *sizes) size(t *logic.Term) *logic.Term {
	if v := z.of[t]; v != nil {
		return v
	}
	if t.Op() == logic.OpConstruct {
		n, _ := constructorOf(t)
		return z.built(t.Sort(), n, t.Args())
	}
	v := z.fresh(t, logic.Int)
	z.extra = append(z.extra, logic.Ge(v, logic.IntConst(0)))
	if enumeration(t.Sort()) {
		z.extra = append(z.extra, logic.Lt(v, logic.IntConst(int64(len(t.Sort().Constructors())))))
	}
	if t.Op() == logic.OpIte {
		z.choice(v, t.Args()[0], z.size(t.Args()[1]), z.size(t.Args()[2]))
	}
	return v
}

// choice says that a variable has one of two values.
func (z *sizes) choice(v, condition, a, b *logic.Term) {
	z.extra = append(z.extra, logic.Or(logic.And(z.formula(condition, true), logic.Eq(v, a)), logic.And(z.formula(condition, false), logic.Eq(v, b))))
}

// constructorOf is the number of the constructor of a value, and of the one that a test asks for.
func constructorOf(t *logic.Term) (n int, ok bool) {
	_, n = t.Params()
	return n, t.Op() == logic.OpConstruct || t.Op() == logic.OpBuiltBy
}

func enumeration(s *logic.Sort) bool {
	return !slices.ContainsFunc(s.Constructors(), func(c logic.Constructor) bool { return len(c.Fields) > 0 })
}

// built is the size of what a constructor makes of fields.
func (z *sizes) built(s *logic.Sort, constructor int, fields []*logic.Term) *logic.Term {
	c := &z.folds[s].Cases[constructor]
	by := map[*logic.Term]*logic.Term{}
	for i, v := range c.Fields {
		if c.Of[i] != nil {
			by[v] = z.size(fields[i])
		}
	}
	return logic.Substitute(c.Value, by)
}

// shape is what it means for sizes that a value was built by a constructor.
func (z *sizes) shape(t *logic.Term, constructor int) *logic.Term {
	if n, ok := constructorOf(t); ok {
		return logic.BoolConst(n == constructor)
	}
	var fields []*logic.Term
	for k := range t.Sort().Constructors()[constructor].Fields {
		fields = append(fields, logic.FieldOf(t, constructor, k))
	}
	return logic.Eq(z.size(t), z.built(t.Sort(), constructor, fields))
}

// otherShape is that it was built by another one.
func (z *sizes) otherShape(t *logic.Term, constructor int) *logic.Term {
	var all []*logic.Term
	for k := range t.Sort().Constructors() {
		if k != constructor {
			all = append(all, z.shape(t, k))
		}
	}
	return logic.Or(all...)
}

// formula is what a formula, or its negation, says about sizes.
func (z *sizes) formula(f *logic.Term, holds bool) *logic.Term {
	switch f.Op() {
	case logic.OpNot:
		return z.formula(f.Args()[0], !holds)
	case logic.OpAnd, logic.OpOr:
		if !touches(f) {
			break
		}
		all := lists.Map(f.Args(), func(a *logic.Term) *logic.Term { return z.formula(a, holds) })
		if (f.Op() == logic.OpAnd) == holds {
			return logic.And(all...)
		}
		return logic.Or(all...)
	case logic.OpBuiltBy:
		if n, _ := constructorOf(f); holds {
			return z.shape(f.Args()[0], n)
		} else {
			return z.otherShape(f.Args()[0], n)
		}
	case logic.OpEq:
		a, b := f.Args()[0], f.Args()[1]
		switch s := a.Sort(); {
		case s.Kind() == logic.DatatypeKind && holds:
			return logic.And(logic.Eq(z.size(a), z.size(b)), z.fields(a, b), z.fields(b, a))
		case s.Kind() == logic.DatatypeKind:
			return z.different(a, b)
		case holdsDatatype(s):
			return logic.True()
		case s == logic.Bool && touches(f):
			return logic.Or(logic.And(z.formula(a, true), z.formula(b, holds)), logic.And(z.formula(a, false), z.formula(b, !holds)))
		}
	}
	if f = z.plain(f); holds {
		return f
	}
	return logic.Not(f)
}

// fields are the equations of the fields of a value, where the clause speaks of them, and what it was built of.
func (z *sizes) fields(t, built *logic.Term) *logic.Term {
	n, ok := constructorOf(built)
	if built.Op() != logic.OpConstruct || !ok || t.Op() == logic.OpConstruct {
		return logic.True()
	}
	var all []*logic.Term
	for k, a := range built.Args() {
		switch field := logic.FieldOf(t, n, k); {
		case !z.here[field] || holdsDatatype(a.Sort()) && a.Sort().Kind() != logic.DatatypeKind:
		case a.Sort().Kind() == logic.DatatypeKind:
			all = append(all, logic.Eq(z.size(field), z.size(a)))
		default:
			all = append(all, logic.Eq(z.plain(field), z.plain(a)))
		}
	}
	return logic.And(all...)
}

// different is that two values are not the same.
func (z *sizes) different(a, b *logic.Term) *logic.Term {
	if enumeration(a.Sort()) {
		return logic.Ne(z.size(a), z.size(b))
	}
	for _, p := range [][2]*logic.Term{{a, b}, {b, a}} {
		if n, ok := constructorOf(p[1]); ok && p[1].Op() == logic.OpConstruct && len(p[1].Args()) == 0 {
			return z.otherShape(p[0], n)
		}
	}
	return logic.True()
}

// plain is a term of another sort: what depends on values of datatypes is any value.
func (z *sizes) plain(t *logic.Term) *logic.Term {
	if v := z.of[t]; v != nil {
		return v
	}
	if !touches(t) {
		return t
	}
	if t.Op() == logic.OpIte {
		v := z.fresh(t, t.Sort())
		z.choice(v, t.Args()[0], z.plain(t.Args()[1]), z.plain(t.Args()[2]))
		return v
	}
	args := make([]*logic.Term, len(t.Args()))
	for i, a := range t.Args() {
		if holdsDatatype(a.Sort()) || a.Sort() == logic.Bool {
			return z.fresh(t, t.Sort())
		}
		args[i] = z.plain(a)
	}
	return logic.Rebuild(t, args)
}

// solution puts sizes into the solution of the abstract problem.
func (z *sizes) solution(abstract *horn.Problem, of horn.Solution) horn.Solution {
	out := make(horn.Solution, len(of))
	for i, f := range of {
		by := map[*logic.Term]*logic.Term{}
		for _, v := range z.problem.Preds[i].Params {
			if g := z.folds[v.Sort()]; g != nil {
				by[logic.Var(v.Name(), logic.Int)] = logic.Apply(g.Function, v)
			}
		}
		out[i] = logic.Substitute(f, by)
	}
	return out
}

// bySizes looks for a solution over sizes, by Spacer.
func bySizes(ctx context.Context, q *Clauses, s smt.Solver, work uint64) (*Result, error) {
	r := &Result{Method: Sizes}
	if !sized(q.Problem) {
		r.Reason = &outcome.Outside{What: "no argument is a datatype that contains itself", Try: "another --method"}
		return r, nil
	}
	z := newSizes(q.Problem)
	abstract := z.abstract()
	found, err := abstracted(ctx, abstract, s, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	switch found.Verdict {
	case Underivable:
		r.Solution, r.Folds = z.solution(abstract, found.Solution), z.all
		return confirm(ctx, r, q.Problem.With(z.all), s)
	case Derivable:
		r.Reason = &outcome.Stuck{What: "sizes are not enough: there is a derivation by them"}
	default:
		r.Reason = found.Reason
	}
	return r, nil
}

// abstracted asks Spacer about clauses that say less than those of the input. That they have a derivation is not looked into.
func abstracted(ctx context.Context, abstract *horn.Problem, s smt.Solver, work uint64) (*Result, error) {
	small, err := shrink(ctx, s, abstract)
	if err != nil {
		return nil, err
	}
	answer, err := s.Horn(ctx, small.problem(), work)
	switch {
	case err != nil:
		return nil, err
	case answer.Status == smt.Sat:
		return small.back(ctx, s, &Result{Verdict: Underivable, Solution: answer.Solution})
	case answer.Status == smt.Unsat:
		return &Result{Verdict: Derivable}, nil
	}
	return &Result{Reason: &outcome.Stuck{What: answer.Reason}}, nil
}
