package horn

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Datatypes with several constructors, those that contain themselves, and those that are fields of such ones are
// sorts of package logic, with constructors and fields as terms.

// declaredType is a datatype of a text.
type declaredType struct {
	at           sexp.Node
	name         sexp.Node
	constructors []sexp.Node
}

// declaredTypes reads (declare-datatypes ...) or (declare-datatype ...).
func declaredTypes(n sexp.Node) (all []declaredType, err *recordError) {
	var names, bodies []sexp.Node
	switch plural := n.Head() == "declare-datatypes"; {
	case plural && len(n.List) == 3 && len(n.List[1].List) == len(n.List[2].List):
		names, bodies = n.List[1].List, n.List[2].List
	case plural:
		return nil, wrongf(n, "syntax", "expected (declare-datatypes ((NAME 0) ...) (((CONSTRUCTOR (FIELD SORT) ...) ...) ...))")
	case len(n.List) != 3:
		return nil, wrongf(n, "syntax", "expected (declare-datatype NAME ((CONSTRUCTOR (FIELD SORT) ...) ...))")
	default:
		names, bodies = n.List[1:2], n.List[2:3]
	}
	for i, name := range names {
		at := name
		if name.Kind == sexp.List && len(name.List) == 2 && name.List[1].Is("0") {
			name = name.List[0]
		}
		if !isName(name) || bodies[i].Kind != sexp.List || bodies[i].Head() == "par" {
			return nil, wrongf(at, "syntax", "expected (NAME 0), for constructors without parameters")
		}
		d := declaredType{at: at, name: name, constructors: bodies[i].List}
		for _, c := range d.constructors {
			if err := validConstructor(c); err != nil {
				return nil, err
			}
		}
		if len(d.constructors) == 0 {
			return nil, wrongf(at, "syntax", "a datatype has a constructor")
		}
		all = append(all, d)
	}
	return all, nil
}

func validConstructor(c sexp.Node) *recordError {
	switch {
	case c.Kind == sexp.List && len(c.List) == 0, c.Kind == sexp.List && !isName(c.List[0]), c.Kind != sexp.List && !isName(c):
		return wrongf(c, "syntax", "expected a constructor")
	case c.Kind != sexp.List:
		return nil
	}
	for _, f := range c.List[1:] {
		if len(f.List) != 2 || !isName(f.List[0]) {
			return wrongf(f, "syntax", "expected (FIELD SORT)")
		}
	}
	return nil
}

// fieldsOf are the (FIELD SORT) of a constructor.
func fieldsOf(c sexp.Node) []sexp.Node {
	if c.Kind != sexp.List {
		return nil
	}
	return c.List[1:]
}

// unflattened are the datatypes that are no records: by name.
func unflattened(all []declaredType) map[string]bool {
	fields := map[string][]string{} // the datatypes that those of a datatype speak of
	known := map[string]bool{}
	for _, d := range all {
		known[d.name.Atom] = true
	}
	var within func(name string, sort sexp.Node)
	within = func(name string, sort sexp.Node) {
		if isName(sort) && known[sort.Atom] {
			fields[name] = append(fields[name], sort.Atom)
		}
		for _, s := range sort.List {
			within(name, s)
		}
	}
	for _, d := range all {
		for _, c := range d.constructors {
			for _, f := range fieldsOf(c) {
				within(d.name.Atom, f.List[1])
			}
		}
	}
	reached := func(from string) map[string]bool {
		seen, todo := map[string]bool{}, fields[from]
		for len(todo) > 0 {
			name := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !seen[name] {
				seen[name] = true
				todo = append(slices.Clone(todo), fields[name]...)
			}
		}
		return seen
	}
	kept := map[string]bool{}
	for _, d := range all {
		if below := reached(d.name.Atom); len(d.constructors) > 1 || below[d.name.Atom] {
			kept[d.name.Atom] = true
			maps.Copy(kept, below)
		}
	}
	return kept
}

// datatypes declares those of a command, which are no records.
func (r *reader) datatypes(n sexp.Node) bool {
	all, wrong := declaredTypes(n)
	if wrong != nil {
		return r.fail(wrong.at, wrong.code, "%s", wrong.text)
	}
	var names []string
	for _, d := range all {
		if !r.usable(d.name) || slices.Contains(names, d.name.Atom) {
			return r.fail(d.name, "name", "expected the name of a sort that has no meaning yet")
		}
		if _, err := r.vars.ParseSort(d.name.String()); err == nil {
			return r.fail(d.name, "duplicate", "the sort %q is declared twice", d.name.Atom)
		}
		names = append(names, d.name.Atom)
	}
	failed := errors.New("reported")
	taken := map[string]bool{}
	free := func(n sexp.Node) bool {
		if !r.free(n) {
			return false
		}
		if r.vars[n.Atom] != nil {
			return r.fail(n, "duplicate", "%q is declared twice", n.Atom)
		}
		if taken[n.Atom] {
			return r.fail(n, "duplicate", "%q is the name of two constructors or fields", n.Atom)
		}
		taken[n.Atom] = true
		return true
	}
	sorts, err := logic.DeclareDatatypes(names, func(sorts []*logic.Sort) (out [][]logic.Constructor, err error) {
		scope := maps.Clone(r.vars)
		scope.Name(sorts...)
		for _, d := range all {
			var cs []logic.Constructor
			for _, c := range d.constructors {
				name := c
				if c.Kind == sexp.List {
					name = c.List[0]
				}
				if !free(name) {
					return nil, failed
				}
				made := logic.Constructor{Name: name.Atom}
				for _, f := range fieldsOf(c) {
					sort, ok := r.sortIn(scope, f.List[1])
					if !ok || !free(f.List[0]) {
						return nil, failed
					}
					made.Fields = append(made.Fields, logic.Field{Name: f.List[0].Atom, Sort: sort})
				}
				cs = append(cs, made)
			}
			out = append(out, cs)
		}
		return out, nil
	})
	switch {
	case err == failed:
		return false
	case err != nil:
		return r.fail(n, "unsupported", "%v", err)
	}
	maps.Copy(r.vars, logic.Symbols(sorts...))
	return true
}

// sortIn reads a sort.
func (r *reader) sortIn(scope logic.Scope, n sexp.Node) (*logic.Sort, bool) {
	sort, err := scope.ParseSort(n.String())
	if err != nil {
		if text, _, _ := strings.Cut(err.Error(), ":"); text != "unknown sort" {
			return nil, r.fail(n, "unsupported", "%s is not supported", text)
		}
		return nil, r.fail(n, "sort", "unknown sort")
	}
	return sort, true
}

// symbols are the names that terms over the problem's predicates may have.
func (p *Problem) symbols() logic.Scope {
	var sorts []*logic.Sort
	for _, d := range p.Preds {
		for _, v := range d.Params {
			sorts = append(sorts, v.Sort())
		}
	}
	scope := logic.Symbols(sorts...)
	if scope == nil {
		scope = logic.Scope{}
	}
	for _, f := range p.folds {
		scope[f.Function.Name()] = f.Function
	}
	return scope
}

// declarations are the commands for the datatypes of a problem.
func (p *Problem) declarations() string {
	var terms []*logic.Term
	for _, d := range p.Preds {
		terms = append(terms, d.Params...)
	}
	for i := range p.Clauses {
		terms = append(terms, p.Clauses[i].Terms()...)
	}
	var b strings.Builder
	for _, d := range logic.DatatypesOf(terms...) {
		b.WriteString(d.Text() + "\n")
	}
	return b.String()
}
