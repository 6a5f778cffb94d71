package horn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Fold is a function from a datatype to Int by recursion over its values, such as the length of lists: solutions
// may speak of it. What a constructor builds has the value of a term over the fields, where a field that is of a datatype
// has the value of a fold: such functions are total, and there is one that has these values.
type Fold struct {
	Function *logic.Term // a variable of a function sort
	Cases    []FoldCase  // by constructor
}

// FoldCase is a fold of what one constructor builds.
type FoldCase struct {
	Fields []*logic.Term // variables: of the sort of the field, or Int where a fold is applied to it
	Of     []*logic.Term // the function that is applied to a field, nil where none is
	Value  *logic.Term
}

// With is the problem with functions that its solutions may speak of.
func (p *Problem) With(folds []*Fold) *Problem {
	out := *p
	out.folds = folds
	return &out
}

// sort is the datatype that a fold is of.
func (f *Fold) sort() *logic.Sort {
	arguments, _ := f.Function.Sort().Signature()
	return arguments[0]
}

// at is the value of a case for terms in the places of fields.
func (c *FoldCase) at(fields []*logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for i, v := range c.Fields {
		if by[v] = fields[i]; c.Of[i] != nil {
			by[v] = logic.Apply(c.Of[i], fields[i])
		}
	}
	return logic.Substitute(c.Value, by)
}

// fieldsOfTerm are the fields of a term that a constructor has built.
func fieldsOfTerm(t *logic.Term, constructor int) (all []*logic.Term) {
	for k := range t.Sort().Constructors()[constructor].Fields {
		all = append(all, logic.FieldOf(t, constructor, k))
	}
	return all
}

// notNegative reports that no fold has a negative value, by induction over the values of datatypes.
func notNegative(folds []*Fold, impossible Impossible) bool {
	var all []*logic.Term
	for _, f := range folds {
		for _, c := range f.Cases {
			fs := []*logic.Term{logic.Lt(c.Value, logic.IntConst(0))}
			for i, v := range c.Fields {
				if c.Of[i] != nil {
					fs = append(fs, logic.Ge(v, logic.IntConst(0)))
				}
			}
			all = append(all, logic.And(fs...))
		}
	}
	if len(folds) == 0 {
		return false
	}
	_, err := impossible(all)
	return err == nil
}

// unfolded adds to formulas what the definitions of folds say of their terms.
func unfolded(folds []*Fold, positive bool, fs []*logic.Term) []*logic.Term {
	if len(folds) == 0 {
		return fs
	}
	out := slices.Clone(fs)
	bound := func(f *Fold, t *logic.Term) {
		if positive {
			out = append(out, logic.Ge(logic.Apply(f.Function, t), logic.IntConst(0)))
		}
	}
	for t := range logic.Subterms(fs...) {
		for _, f := range folds {
			if f.sort() != t.Sort() || t.Op() == logic.OpSymbol {
				continue
			}
			bound(f, t)
			value := logic.Apply(f.Function, t)
			for k := range f.Cases {
				built := logic.BuiltBy(t, k)
				if built.IsFalse() {
					continue
				}
				fields := fieldsOfTerm(t, k)
				out = append(out, logic.Implies(built, logic.Eq(value, f.Cases[k].at(fields))))
				for i, field := range fields {
					for _, g := range folds {
						if g.Function == f.Cases[k].Of[i] {
							bound(g, field)
						}
					}
				}
			}
		}
	}
	return out
}

// writeFolds prints those that a solution speaks of, and all that these need: all, if there is one.
func (p *Problem) writeFolds(b *strings.Builder, s Solution) {
	used := slices.ContainsFunc(p.folds, func(f *Fold) bool { return slices.Contains(logic.Vars(s...), f.Function) })
	if !used {
		return
	}
	var heads, bodies []string
	for _, f := range p.folds {
		x := logic.Var("x", f.sort())
		var body *logic.Term
		for k := len(f.Cases) - 1; k >= 0; k-- {
			value := f.Cases[k].at(fieldsOfTerm(x, k))
			if body == nil {
				body = value
			} else {
				body = logic.Ite(logic.BuiltBy(x, k), value, body)
			}
		}
		heads = append(heads, fmt.Sprintf("(%s ((x %s)) Int)", logic.Symbol(f.Function.Name()), f.sort()))
		bodies = append(bodies, body.Format(logic.SMTLIB))
	}
	fmt.Fprintf(b, "(define-funs-rec (%s) (%s))\n", strings.Join(heads, " "), strings.Join(bodies, " "))
}

// ParseCertificate is ParseSolutionText of a text that may define folds by define-funs-rec. The solution is one of the
// problem that is returned, which is p with these functions.
func (p *Problem) ParseCertificate(name, text string) (*Problem, Solution, error) {
	if len(text) > source.MaxText {
		return nil, nil, source.TooLarge(name, source.MaxText)
	}
	src := source.NewFile(name, text)
	r := &reader{file: src}
	all, nodes := r.nodes(), []sexp.Node(nil)
	if p.generics != nil && !r.errs.HasErrors() {
		all = p.generics.definitions(src, all, &r.errs)
	}
	for _, n := range all {
		if n.Head() != "define-funs-rec" {
			nodes = append(nodes, n)
			continue
		}
		if len(p.folds) > 0 {
			r.fail(n, "unsupported", "a second (define-funs-rec ...) is not supported")
			break
		}
		folds, err := p.foldsOf(n)
		if err != nil {
			r.fail(n, "solution", "%v", err)
			break
		}
		p = p.With(folds)
	}
	if p.records != nil && !r.errs.HasErrors() {
		nodes = p.records.definitions(src, nodes, &r.errs)
	}
	if r.errs.HasErrors() {
		return nil, nil, r.errs.Err()
	}
	s, err := p.QuantifiedOf(nodes)
	if err != nil {
		r.errs.Errorf(src.Span(0, 0), "solution", "%v", err)
		return nil, nil, r.errs.Err()
	}
	return p, s, nil
}

// foldsOf reads (define-funs-rec ((NAME ((x SORT)) Int) ...) (TERM ...)).
func (p *Problem) foldsOf(n sexp.Node) ([]*Fold, error) {
	malformed := fmt.Errorf("expected (define-funs-rec ((NAME ((x DATATYPE)) Int) ...) (TERM ...))")
	if len(n.List) != 3 || len(n.List[1].List) != len(n.List[2].List) {
		return nil, malformed
	}
	scope := logic.Scope{}
	for name, t := range p.symbols() {
		scope[name] = t
	}
	taken := map[string]bool{}
	for i := range p.Preds {
		taken[p.PredName(i)] = true
	}
	for i := range p.Clauses {
		for _, v := range logic.Vars(p.Clauses[i].Terms()...) {
			taken[v.Name()] = true
		}
	}
	var folds []*Fold
	for _, h := range n.List[1].List {
		if len(h.List) != 3 || !isName(h.List[0]) || len(h.List[1].List) != 1 || len(h.List[1].List[0].List) != 2 || !h.List[2].Is("Int") {
			return nil, malformed
		}
		sort, err := scope.ParseSort(h.List[1].List[0].List[1].String())
		name := h.List[0].Atom
		if err != nil || sort.Kind() != logic.DatatypeKind {
			return nil, malformed
		}
		if taken[name] || scope[name] != nil || badName(name) {
			return nil, fmt.Errorf("the name %q is taken", name)
		}
		scope[name] = logic.Var(name, logic.FunctionOf([]*logic.Sort{sort}, logic.Int))
		folds = append(folds, &Fold{Function: scope[name]})
	}
	for i, f := range folds {
		name := n.List[1].List[i].List[1].List[0].List[0].Atom
		x := logic.Var("fold!"+name, f.sort())
		hidden := scope[name]
		scope[name] = x
		body, err := logic.FromSexp(n.List[2].List[i], scope)
		if scope[name] = hidden; hidden == nil {
			delete(scope, name)
		}
		if err != nil {
			return nil, err
		}
		if err := f.define(folds, x, body); err != nil {
			return nil, err
		}
	}
	return folds, nil
}

// define makes cases of the body of a definition.
func (f *Fold) define(folds []*Fold, x, body *logic.Term) error {
	if body.Sort() != logic.Int {
		return fmt.Errorf("a function by recursion is not of sort Int")
	}
	for k, c := range f.sort().Constructors() {
		var made FoldCase
		var own []*logic.Term
		for i, field := range c.Fields {
			v := logic.Var(fmt.Sprintf("fold!field%d", i), field.Sort)
			own = append(own, v)
			made.Fields, made.Of = append(made.Fields, v), append(made.Of, nil)
			if field.Sort.Kind() != logic.DatatypeKind {
				continue
			}
			made.Fields[i] = logic.Var(fmt.Sprintf("fold!value%d", i), logic.Int)
		}
		value := logic.Substitute(body, map[*logic.Term]*logic.Term{x: logic.Construct(f.sort(), k, own...)})
		for i, v := range own {
			for _, g := range folds {
				if g.sort() != v.Sort() {
					continue
				}
				applied := logic.Apply(g.Function, v)
				if u := logic.Substitute(value, map[*logic.Term]*logic.Term{applied: made.Fields[i]}); u != value {
					if made.Of[i] != nil {
						return fmt.Errorf("two functions by recursion are applied to the field %s", c.Fields[i].Name)
					}
					made.Of[i], value = g.Function, u
				}
			}
		}
		for _, v := range logic.Vars(value) {
			if !slices.Contains(made.Fields, v) {
				return fmt.Errorf("a function by recursion depends on more than fields and what it is of these")
			}
		}
		made.Value = value
		f.Cases = append(f.Cases, made)
	}
	return nil
}
