package horn

import (
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// macro is (define-fun f ((x Int) ...) S body).
type macro struct {
	params []*logic.Term
	body   *logic.Term
}

// definitions are found by the variable that stands for the function until it is unfolded:
// so applications are read, and their sorts checked, as those of unknown functions are.
type definitions map[*logic.Term]*macro

// define reads a definition, whose body sees its parameters and earlier definitions only.
func (r *reader) define(n sexp.Node) {
	if len(n.List) != 5 || n.List[1].Kind == sexp.List || n.List[2].Kind != sexp.List {
		r.fail(n, "syntax", "expected (define-fun NAME ((NAME SORT) ...) SORT TERM)")
		return
	}
	if !r.free(n.List[1]) {
		return
	}
	name := n.List[1].Atom
	if r.vars[name] != nil {
		r.fail(n.List[1], "duplicate", "%q is declared twice", name)
		return
	}
	result, ok := r.sortIn(r.vars, n.List[3])
	if !ok {
		return
	}
	r.begin(n)
	for name, t := range r.vars {
		if t.Op() == logic.OpVar && r.defined[t] == nil {
			delete(r.scope, name) // another variable in each clause
		}
	}
	var d macro
	var sorts []*logic.Sort
	params := sexp.Node{List: []sexp.Node{{Kind: sexp.Symbol, Atom: "define-fun"}, n.List[2], n.List[4]}, Start: n.Start, End: n.End}
	ok = r.bind(params, func(body sexp.Node) bool {
		for _, p := range n.List[2].List {
			v := r.scope[p.List[0].Atom]
			d.params, sorts = append(d.params, v), append(sorts, v.Sort())
		}
		var ok bool
		d.body, ok = r.term(body)
		return ok
	})
	if !ok {
		return
	}
	if d.body.Sort() == logic.Int && result == logic.Real {
		d.body = logic.ToReal(d.body)
	}
	switch {
	case d.body.Sort() != result:
		r.fail(n.List[4], "sort", "expected a term of sort %s, found one of sort %s", result, d.body.Sort())
	case len(d.params) == 0:
		r.vars[name] = d.body
	default:
		f := logic.Var(name, logic.FunctionOf(sorts, result))
		r.vars[name], r.defined[f] = f, &d
	}
}

// unfold replaces applications of defined functions.
func (ds definitions) unfold(t *logic.Term) *logic.Term {
	if len(ds) == 0 {
		return t
	}
	done := map[*logic.Term]*logic.Term{}
	var apply func(t *logic.Term) *logic.Term
	apply = func(t *logic.Term) *logic.Term {
		if u, ok := done[t]; ok || len(t.Args()) == 0 {
			if !ok {
				return t
			}
			return u
		}
		args := lists.Map(t.Args(), func(a *logic.Term) *logic.Term { return apply(a) })
		u := t
		if d := ds[t.Args()[0]]; t.Op() == logic.OpApply && d != nil {
			by := map[*logic.Term]*logic.Term{}
			for i, p := range d.params {
				by[p] = args[i+1]
			}
			u = logic.Substitute(d.body, by)
		} else {
			u = logic.Rebuild(t, args)
		}
		done[t] = u
		return u
	}
	return apply(t)
}
