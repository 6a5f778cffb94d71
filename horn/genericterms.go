package horn

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
)

// sortScope has the sorts of variables; an empty one is not known.
type sortScope map[string]sexp.Node

// unknown says that a sort is not known.
func unknown(sort sexp.Node) bool { return sort.Kind == sexp.List && len(sort.List) == 0 }

var anySort sexp.Node

// binders rewrites ((NAME SORT) ...).
func (m *generics) binders(n sexp.Node, scope sortScope) (sexp.Node, sortScope, *recordError) {
	inner := sortScope{}
	maps.Copy(inner, scope)
	out := make([]sexp.Node, len(n.List))
	for i, v := range n.List {
		if len(v.List) != 2 || !isName(v.List[0]) {
			return n, nil, wrongf(v, "syntax", "expected (NAME SORT)")
		}
		sort, err := m.sort(v.List[1], nil)
		if err != nil {
			return n, nil, err
		}
		inner[v.List[0].Atom], out[i] = sort, list(v, v.List[0], sort)
	}
	return list(n, out...), inner, nil
}

// terms rewrites terms where sorts are wanted; none are known behind the last one.
func (m *generics) terms(n sexp.Node, from int, scope sortScope, wants ...sexp.Node) (sexp.Node, *recordError) {
	out := slices.Clone(n.List)
	for i := from; i < len(out); i++ {
		want := anySort
		if i-from < len(wants) {
			want = wants[i-from]
		}
		var err *recordError
		if out[i], err = m.term(n.List[i], scope, want); err != nil {
			return n, err
		}
	}
	return list(n, out...), nil
}

// term rewrites a term of the sort that is wanted, which may not be known.
func (m *generics) term(n sexp.Node, scope sortScope, want sexp.Node) (sexp.Node, *recordError) {
	if n.Kind != sexp.List {
		if _, bound := scope[n.Atom]; !bound && isName(n) && m.con[n.Atom] != nil {
			return m.apply(n, n, n.Atom, want)
		}
		return n, nil
	}
	if len(n.List) == 0 {
		return n, nil
	}
	if n.List[0].Kind == sexp.List {
		return m.indexed(n, scope, want)
	}
	switch head := n.List[0].Atom; {
	case (head == "forall" || head == "exists") && len(n.List) == 3:
		binders, inner, err := m.binders(n.List[1], scope)
		if err != nil {
			return n, err
		}
		body, err := m.term(n.List[2], inner, word(n, "Bool"))
		return list(n, n.List[0], binders, body), err
	case head == "let" && len(n.List) == 3:
		return m.let(n, scope, want)
	case head == "match" && len(n.List) == 3:
		t, err := m.match(n)
		if err != nil {
			return n, err
		}
		return m.term(t, scope, want)
	case head == "!" && len(n.List) > 1:
		inner, err := m.term(n.List[1], scope, want)
		return list(n, append([]sexp.Node{n.List[0], inner}, n.List[2:]...)...), err
	case head == "as" && len(n.List) == 3:
		sort, err := m.sort(n.List[2], nil)
		if err == nil && m.con[n.List[1].Atom] != nil {
			return m.apply(n, n.List[1], n.List[1].Atom, sort)
		}
		return list(n, n.List[0], n.List[1], sort), err
	case head == "_":
		return n, nil
	}
	return m.application(n, scope, want)
}

// application rewrites (f t ...).
func (m *generics) application(n sexp.Node, scope sortScope, want sexp.Node) (sexp.Node, *recordError) {
	head := n.List[0].Atom
	tested, tests := strings.CutPrefix(head, "is-")
	switch f, field := m.field[head]; {
	case m.con[head] != nil:
		if unknown(want) {
			want = m.of(n, scope)
		}
		made, err := m.apply(n, n.List[0], head, want)
		if err != nil {
			return n, err
		}
		i := m.byName[m.instanceOf(want, m.con[head])]
		out, err := m.terms(n, 1, scope, i.sorts[slices.Index(i.cons, made.Atom)]...)
		out.List[0] = made
		return out, err
	case field && len(n.List) == 2:
		sort := m.of(n.List[1], scope)
		i := m.byName[m.instanceOf(sort, f.of)]
		if i == nil {
			return n, m.ambiguous(n.List[0], f.of)
		}
		out, err := m.terms(n, 1, scope, named(n, i.name))
		out.List[0] = named(n.List[0], i.fields[f.con][f.k])
		return out, err
	case tests && m.con[tested] != nil && len(n.List) == 2:
		return m.tester(n, tested, scope)
	case (head == "=" || head == "distinct") && len(n.List) > 1:
		sort := anySort
		for _, a := range n.List[1:] {
			if unknown(sort) {
				sort = m.of(a, scope)
			}
		}
		return m.terms(n, 1, scope, slices.Repeat([]sexp.Node{sort}, len(n.List)-1)...)
	case head == "ite" && len(n.List) == 4:
		if unknown(want) {
			want = m.of(n, scope)
		}
		return m.terms(n, 1, scope, word(n, "Bool"), want, want)
	case (head == "select" || head == "store") && len(n.List) > 2:
		sort := m.of(n.List[1], scope)
		if head == "store" && unknown(sort) {
			sort = want
		}
		if isArray(sort) {
			return m.terms(n, 1, scope, sort, sort.List[1], sort.List[2])
		}
	}
	if sig := m.sigs[head]; len(sig) > 0 {
		return m.terms(n, 1, scope, sig[:len(sig)-1]...)
	}
	return m.terms(n, 1, scope)
}

// indexed rewrites applications whose head is a list.
func (m *generics) indexed(n sexp.Node, scope sortScope, want sexp.Node) (sexp.Node, *recordError) {
	head := n.List[0].List
	switch {
	case len(head) == 3 && head[0].Is("_") && head[1].Is("is") && m.con[head[2].Atom] != nil && len(n.List) == 2:
		return m.tester(n, head[2].Atom, scope)
	case len(head) == 3 && head[0].Is("as"):
		sort, err := m.sort(head[2], nil)
		if err != nil {
			return n, err
		}
		if m.con[head[1].Atom] != nil {
			return m.application(list(n, append([]sexp.Node{head[1]}, n.List[1:]...)...), scope, sort)
		}
		wants := []sexp.Node{}
		if isArray(sort) {
			wants = sort.List[2:]
		}
		out, err := m.terms(n, 1, scope, wants...)
		out.List[0] = list(n.List[0], head[0], head[1], sort)
		return out, err
	}
	return m.terms(n, 1, scope)
}

// tester rewrites what asks for a constructor.
func (m *generics) tester(n sexp.Node, constructor string, scope sortScope) (sexp.Node, *recordError) {
	g := m.con[constructor]
	i := m.byName[m.instanceOf(m.of(n.List[1], scope), g)]
	if i == nil {
		return n, m.ambiguous(n, g)
	}
	out, err := m.terms(n, 1, scope, named(n, i.name))
	name := i.cons[g.index(constructor)]
	out.List[0] = list(n, word(n, "_"), word(n, "is"), named(n, name))
	return out, err
}

func (g *generic) index(constructor string) int {
	return slices.IndexFunc(g.constructors, func(c sexp.Node) bool { return constructorName(c) == constructor })
}

// apply is the name of a constructor for the sort that is wanted.
func (m *generics) apply(at, name sexp.Node, constructor string, want sexp.Node) (sexp.Node, *recordError) {
	g := m.con[constructor]
	i := m.byName[m.instanceOf(want, g)]
	if i == nil {
		return at, m.ambiguous(at, g)
	}
	return named(name, i.cons[g.index(constructor)]), nil
}

// instanceOf is the name of the sort, if it is an instance of a datatype; where the sort is not known, that of the only one.
func (m *generics) instanceOf(sort sexp.Node, g *generic) string {
	if i := m.byName[sort.Atom]; i != nil && i.of == g {
		return i.name
	}
	if unknown(sort) && len(g.instances) == 1 && !m.several[g.name] {
		for _, i := range g.instances {
			return i.name
		}
	}
	return ""
}

func (m *generics) ambiguous(at sexp.Node, g *generic) *recordError {
	err := wrongf(at, "sort", "which %s this is does not show, or another sort is wanted", g.name)
	err.help = "write the sort: (as CONSTRUCTOR SORT)"
	return err
}

func (m *generics) let(n sexp.Node, scope sortScope, want sexp.Node) (sexp.Node, *recordError) {
	inner := sortScope{}
	maps.Copy(inner, scope)
	bindings := make([]sexp.Node, len(n.List[1].List))
	for i, b := range n.List[1].List {
		if len(b.List) != 2 || !isName(b.List[0]) {
			return n, wrongf(b, "syntax", "expected (NAME TERM)")
		}
		sort := m.of(b.List[1], scope)
		t, err := m.term(b.List[1], scope, sort)
		if err != nil {
			return n, err
		}
		inner[b.List[0].Atom], bindings[i] = sort, list(b, b.List[0], t)
	}
	body, err := m.term(n.List[2], inner, want)
	return list(n, n.List[0], list(n.List[1], bindings...), body), err
}

// of is the sort of a term, unknown where it does not show.
func (m *generics) of(n sexp.Node, scope sortScope) sexp.Node {
	if n.Kind != sexp.List {
		sort, bound := scope[n.Atom]
		switch sig := m.sigs[n.Atom]; {
		case bound && isName(n):
			return sort
		case isName(n) && len(sig) == 1:
			return sig[0]
		case n.Kind == sexp.Symbol && strings.Trim(n.Atom, "0123456789") == "":
			return word(n, "Int")
		case n.Kind == sexp.Symbol && strings.Trim(n.Atom, "0123456789.") == "":
			return word(n, "Real")
		case n.Is("true") || n.Is("false"):
			return word(n, "Bool")
		}
		return anySort
	}
	if len(n.List) == 0 {
		return anySort
	}
	if sort, ok := m.sorts[&n.List[0]]; ok {
		return sort
	}
	sort := m.ofList(n, scope)
	m.sorts[&n.List[0]] = sort
	return sort
}

var resultSorts = func() map[string]string {
	all := map[string]string{}
	for sort, names := range map[string]string{
		"Bool": "and or not => xor = distinct < <= > >= forall exists bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge is_int",
		"Int":  "div mod to_int bv2nat bv2int ubv_to_int sbv_to_int", "Real": "/ to_real"} {
		for _, name := range strings.Fields(names) {
			all[name] = sort
		}
	}
	return all
}()

func (m *generics) ofList(n sexp.Node, scope sortScope) sexp.Node {
	head := n.List[0]
	args := n.List[1:]
	if head.Kind == sexp.List {
		switch h := head.List; {
		case len(h) == 3 && h[0].Is("as"):
			if sort, err := m.sort(h[2], nil); err == nil {
				return sort
			}
		case len(h) == 3 && h[1].Is("is"):
			return word(n, "Bool")
		}
		return anySort
	}
	name := head.Atom
	switch f, field := m.field[name]; {
	case name == "as" && len(args) == 2:
		sort, err := m.sort(args[1], nil)
		if err != nil {
			return anySort
		}
		return sort
	case name == "!" && len(args) > 0:
		return m.of(args[0], scope)
	case name == "let" && len(args) == 2:
		inner := sortScope{}
		maps.Copy(inner, scope)
		for _, b := range args[0].List {
			if len(b.List) == 2 {
				inner[b.List[0].Atom] = m.of(b.List[1], scope)
			}
		}
		return m.of(args[1], inner)
	case name == "match" && len(args) == 2:
		if t, err := m.match(n); err == nil {
			return m.of(t, scope)
		}
	case name == "ite" && len(args) == 3:
		if sort := m.of(args[1], scope); !unknown(sort) {
			return sort
		}
		return m.of(args[2], scope)
	case name == "store" && len(args) == 3:
		return m.of(args[0], scope)
	case name == "select" && len(args) == 2:
		if array := m.of(args[0], scope); isArray(array) {
			return array.List[2]
		}
	case m.con[name] != nil:
		return m.constructed(n, name, scope)
	case field && len(args) == 1:
		if i := m.byName[m.instanceOf(m.of(args[0], scope), f.of)]; i != nil {
			return i.sorts[f.con][f.k]
		}
	case len(m.sigs[name]) > 0:
		return m.sigs[name][len(m.sigs[name])-1]
	case strings.HasPrefix(name, "is-") && m.constructorsWith(name[3:]) != nil:
		return word(n, "Bool")
	case resultSorts[name] != "":
		return word(n, resultSorts[name])
	case (len(args) > 0 && slices.Contains([]string{"+", "-", "*", "abs"}, name) || strings.HasPrefix(name, "bv")) && len(args) > 0:
		return m.of(args[0], scope)
	}
	return anySort
}

// constructed is the sort of what a constructor builds: parameters are found by the sorts of fields.
func (m *generics) constructed(n sexp.Node, constructor string, scope sortScope) sexp.Node {
	g := m.con[constructor]
	by := map[string]sexp.Node{}
	for k, f := range fieldsOf(g.constructors[g.index(constructor)]) {
		if k+1 < len(n.List) {
			m.unify(g, f.List[1], m.of(n.List[k+1], scope), by)
		}
	}
	if len(by) < len(g.params) {
		return anySort
	}
	i, err := m.instance(n, g, lists.Map(g.params, func(p string) sexp.Node { return by[p] }))
	if err != nil {
		return anySort
	}
	return named(n, i.name)
}

// unify finds parameters by a sort.
func (m *generics) unify(g *generic, pattern, sort sexp.Node, by map[string]sexp.Node) {
	if unknown(sort) {
		return
	}
	i := m.byName[sort.Atom]
	switch {
	case pattern.Kind != sexp.List && slices.Contains(g.params, pattern.Atom):
		if _, ok := by[pattern.Atom]; !ok {
			by[pattern.Atom] = sort
		}
	case pattern.Kind != sexp.List && i != nil && i.of.name == pattern.Atom && len(i.args) == len(g.params): // as in SMT-LIB 2.5
		for k, p := range g.params {
			m.unify(g, named(pattern, p), i.args[k], by)
		}
	case i != nil && len(pattern.List) == len(i.args)+1 && pattern.List[0].Atom == i.of.name:
		for k, a := range i.args {
			m.unify(g, pattern.List[k+1], a, by)
		}
	case i == nil && len(pattern.List) == len(sort.List):
		for k := range sort.List {
			m.unify(g, pattern.List[k], sort.List[k], by)
		}
	}
}
