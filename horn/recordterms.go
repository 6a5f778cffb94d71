package horn

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
)

// term rewrites a term to its parts.
func (r *records) term(n sexp.Node, scope map[string]bound) (bound, *recordError) {
	if n.Kind != sexp.List {
		return r.atom(n, scope), nil
	}
	if len(n.List) == 0 {
		return bound{parts: []sexp.Node{n}}, nil
	}
	head := n.List[0]
	if head.Kind == sexp.List {
		return r.indexed(n, scope)
	}
	args := n.List[1:]
	switch name := head.Atom; {
	case (name == "forall" || name == "exists") && len(args) == 2:
		return r.quantified(n, scope)
	case name == "let" && len(args) == 2:
		return r.let(n, scope)
	case name == "!" && len(args) > 0:
		return r.term(args[0], scope)
	case name == "_", name == "as" && len(args) == 2:
		if name == "as" && r.made[args[0].Atom] != nil {
			return r.term(args[0], scope)
		}
		return bound{parts: []sexp.Node{n}}, nil
	case r.made[name] != nil:
		return r.construct(n, r.made[name], args, scope)
	}
	all := make([]bound, len(args))
	for i, a := range args {
		var err *recordError
		if all[i], err = r.term(a, scope); err != nil {
			return bound{}, err
		}
	}
	if f, ok := r.field[head.Atom]; ok && len(all) == 1 {
		return r.selected(n, f, all[0])
	}
	if c, ok := strings.CutPrefix(head.Atom, "is-"); ok && r.made[c] != nil && len(all) == 1 {
		return bound{word(n, "Bool"), []sexp.Node{word(n, "true")}}, nil
	}
	return r.applied(n, head, all)
}

func (r *records) atom(n sexp.Node, scope map[string]bound) bound {
	b, ok := scope[n.Atom]
	switch {
	case ok && isName(n):
		return b
	case isName(n) && r.made[n.Atom] != nil && len(r.made[n.Atom].fields) == 0:
		return bound{sort: r.made[n.Atom].sort}
	}
	b = bound{parts: []sexp.Node{n}}
	if sorts := r.preds[n.Atom]; len(sorts) > 0 && isName(n) {
		b.sort = sorts[len(sorts)-1]
	}
	return b
}

// indexed rewrites applications whose head is a list: ((_ is C) t), ((as const SORT) t), and others.
func (r *records) indexed(n sexp.Node, scope map[string]bound) (bound, *recordError) {
	head := n.List[0].List
	var args []bound
	for _, a := range n.List[1:] {
		b, err := r.term(a, scope)
		if err != nil {
			return b, err
		}
		args = append(args, b)
	}
	switch {
	case len(head) == 3 && head[0].Is("_") && head[1].Is("is") && r.made[head[2].Atom] != nil && len(args) == 1:
		return bound{word(n, "Bool"), []sexp.Node{word(n, "true")}}, nil
	case len(head) == 3 && head[0].Is("_") && head[1].Is("map") && r.field[head[2].Atom].of != nil && len(args) == 1 && isArray(args[0].sort):
		return r.mapped(n, r.field[head[2].Atom], args[0])
	case len(head) == 3 && head[0].Is("as") && head[1].Is("const") && len(args) == 1:
		return r.constant(n, head[2], args[0])
	case len(head) == 3 && head[0].Is("as") && r.made[head[1].Atom] != nil:
		return r.construct(n, r.made[head[1].Atom], n.List[1:], scope)
	}
	return r.applied(n, n.List[0], args)
}

// mapped is the array of a field of the elements of an array, ((_ map FIELD) ARRAY).
func (r *records) mapped(n sexp.Node, f selector, array bound) (bound, *recordError) {
	index, element := array.sort.List[1], array.sort.List[2]
	b, err := r.selected(list(n, named(n, f.of.fields[f.field].name)), f, bound{element, array.parts})
	b.sort = list(n, word(n, "Array"), index, b.sort)
	return b, err
}

// constant is an array that has one value everywhere.
func (r *records) constant(n, sort sexp.Node, value bound) (bound, *recordError) {
	if !isArray(sort) {
		return bound{}, wrongf(n, "sort", "a constant array has a sort (Array INDEX ELEMENT)")
	}
	index, err := r.parts(sort.List[1])
	if err != nil {
		return bound{}, err
	}
	elements, err := r.parts(sort.List[2])
	if err != nil {
		return bound{}, err
	}
	if len(elements) != len(value.parts) {
		return bound{}, wrongf(n, "sort", "the value of a constant array does not fit its elements")
	}
	b := bound{sort: sort}
	for k, v := range value.parts {
		s := elements[k].sort
		for i := len(index) - 1; i >= 0; i-- {
			s = list(sort, word(sort, "Array"), index[i].sort, s)
			v = list(n, list(n, word(n, "as"), word(n, "const"), s), v)
		}
		b.parts = append(b.parts, v)
	}
	return b, nil
}

func (r *records) quantified(n sexp.Node, scope map[string]bound) (bound, *recordError) {
	vars, inner, err := r.binders(n.List[1], scope)
	if err != nil {
		return bound{}, err
	}
	body, err := r.formula(n.List[2], inner)
	if err != nil {
		return bound{}, err
	}
	if len(vars.List) > 0 {
		body = list(n, n.List[0], vars, body)
	}
	return bound{word(n, "Bool"), []sexp.Node{body}}, nil
}

// let leaves its bindings to the formula around it, under names that nothing else has.
func (r *records) let(n sexp.Node, scope map[string]bound) (bound, *recordError) {
	inner := maps.Clone(scope)
	if inner == nil {
		inner = map[string]bound{}
	}
	var bindings []sexp.Node
	for _, p := range n.List[1].List {
		if len(p.List) != 2 || !isName(p.List[0]) {
			return bound{}, wrongf(p, "syntax", "expected (NAME TERM)")
		}
		b, err := r.term(p.List[1], scope)
		if err != nil {
			return b, err
		}
		name := bound{sort: b.sort}
		for _, part := range b.parts {
			v := named(p, r.fresh(p.List[0].Atom))
			name.parts, bindings = append(name.parts, v), append(bindings, list(p, v, part))
		}
		inner[p.List[0].Atom] = name
	}
	if len(bindings) > 0 {
		r.pending = append(r.pending, bindings)
	}
	return r.term(n.List[2], inner)
}

func (r *records) construct(n sexp.Node, rec *record, args []sexp.Node, scope map[string]bound) (bound, *recordError) {
	if len(args) != len(rec.fields) {
		return bound{}, wrongf(n, "sort", "the constructor of %s has %d arguments, not %d", rec.sort.Atom, len(rec.fields), len(args))
	}
	out := bound{sort: rec.sort}
	for i, a := range args {
		b, err := r.term(a, scope)
		if err != nil {
			return b, err
		}
		parts, err := r.parts(rec.fields[i].sort)
		if err != nil {
			return b, err
		}
		if len(b.parts) != len(parts) {
			return b, wrongf(a, "sort", "this does not fit the field %s", rec.fields[i].name)
		}
		out.parts = append(out.parts, b.parts...)
	}
	return out, nil
}

func (r *records) selected(n sexp.Node, f selector, of bound) (bound, *recordError) {
	if !isName(of.sort) || r.types[of.sort.Atom] != f.of {
		return bound{}, wrongf(n, "sort", "%s is a field of %s, and this is none", n.List[0].Atom, f.of.sort.Atom)
	}
	from := 0
	for i, field := range f.of.fields {
		parts, err := r.parts(field.sort)
		if err != nil {
			return bound{}, err
		}
		if i == f.field {
			return bound{field.sort, of.parts[from : from+len(parts)]}, nil
		}
		from += len(parts)
	}
	return bound{}, nil
}

// applied rewrites what is neither constructor nor field.
func (r *records) applied(n, head sexp.Node, args []bound) (bound, *recordError) {
	fits := func(from int) *recordError {
		for i := from + 1; i < len(args); i++ {
			if len(args[i].parts) != len(args[from].parts) {
				return wrongf(n, "sort", "the arguments of %s have different sorts", head.Atom)
			}
		}
		return nil
	}
	switch name := head.Atom; {
	case (name == "=" || name == "distinct") && len(args) >= 2:
		if err := fits(0); err != nil {
			return bound{}, err
		}
		return bound{word(n, "Bool"), []sexp.Node{r.compared(n, head, args)}}, nil
	case name == "ite" && len(args) == 3 && len(args[0].parts) == 1:
		if err := fits(1); err != nil {
			return bound{}, err
		}
		out, condition := bound{sort: args[1].sort}, args[0].parts[0]
		if len(args[1].parts) > 1 {
			condition = r.shared(condition)
		}
		for k := range args[1].parts {
			out.parts = append(out.parts, list(n, head, condition, args[1].parts[k], args[2].parts[k]))
		}
		return out, nil
	case name == "select" && len(args) == 2 && isArray(args[0].sort):
		out := bound{sort: args[0].sort.List[2]}
		index := r.several(args[1].parts, len(args[0].parts) > 1)
		for _, a := range args[0].parts {
			out.parts = append(out.parts, selectAt(n, a, index))
		}
		return out, nil
	case name == "store" && len(args) == 3 && isArray(args[0].sort):
		if len(args[2].parts) != len(args[0].parts) {
			return bound{}, wrongf(n, "sort", "what is stored does not fit the array")
		}
		out := bound{sort: args[0].sort}
		index := r.several(args[1].parts, len(args[0].parts) > 1 || len(args[1].parts) > 1)
		for k, a := range r.several(args[0].parts, len(index) > 1) {
			out.parts = append(out.parts, storeAt(n, a, index, args[2].parts[k]))
		}
		return out, nil
	}
	out := []sexp.Node{head}
	declared := r.preds[head.Atom]
	for i, a := range args {
		if r.isRecord(a.sort) && !(len(declared) == len(args)+1 && declared[i].String() == a.sort.String()) {
			return bound{}, wrongf(n, "sort", "an argument of %s is a value of %s", head, a.sort.Atom)
		}
		out = append(out, a.parts...)
	}
	b := bound{sort: r.resultOf(head, args)}
	if len(out) == 1 && head.Kind != sexp.List { // of a predicate nothing is left
		b.parts = out
		return b, nil
	}
	b.parts = []sexp.Node{list(n, out...)}
	return b, nil
}

func (r *records) isRecord(sort sexp.Node) bool { return isName(sort) && r.types[sort.Atom] != nil }

// resultOf is the sort of an application, where it matters: it may be an array.
func (r *records) resultOf(head sexp.Node, args []bound) sexp.Node {
	if sorts := r.preds[head.Atom]; len(sorts) > 0 && isName(head) {
		return sorts[len(sorts)-1]
	}
	if len(args) > 0 && slices.Contains([]string{"+", "-", "*", "/", "div", "mod", "abs"}, head.Atom) {
		return args[0].sort
	}
	return sexp.Node{}
}

// compared is an equation, or that all are different, part by part.
func (r *records) compared(n, head sexp.Node, args []bound) sexp.Node {
	if len(args[0].parts) == 1 {
		out := []sexp.Node{head}
		for _, a := range args {
			out = append(out, a.parts[0])
		}
		return list(n, out...)
	}
	for i := range args {
		args[i].parts = r.several(args[i].parts, len(args) > 2)
	}
	var all []sexp.Node
	pair := func(a, b bound) sexp.Node {
		same := []sexp.Node{word(n, "and"), word(n, "true")}
		for k := range a.parts {
			same = append(same, list(n, word(n, "="), a.parts[k], b.parts[k]))
		}
		return list(n, same...)
	}
	all = append(all, word(n, "and"), word(n, "true"))
	for i := range args {
		for j := i + 1; j < len(args); j++ {
			switch {
			case head.Is("distinct"):
				all = append(all, list(n, word(n, "not"), pair(args[i], args[j])))
			case j == i+1:
				all = append(all, pair(args[i], args[j]))
			}
		}
	}
	return list(n, all...)
}

// several are terms that stand more than once, if they do.
func (r *records) several(terms []sexp.Node, more bool) []sexp.Node {
	if !more {
		return terms
	}
	return lists.Map(terms, r.shared)
}

func selectAt(n, array sexp.Node, index []sexp.Node) sexp.Node {
	for _, i := range index {
		array = list(n, word(n, "select"), array, i)
	}
	return array
}

func storeAt(n, array sexp.Node, index []sexp.Node, value sexp.Node) sexp.Node {
	if len(index) == 0 {
		return value
	}
	if len(index) > 1 {
		value = storeAt(n, list(n, word(n, "select"), array, index[0]), index[1:], value)
	}
	return list(n, word(n, "store"), array, index[0], value)
}
