package horn

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
)

// written is the text of definitions in terms of the sorts and constructors that the text of the problem has.
func (m *generics) written(text string) string {
	if m == nil || len(m.made) == 0 {
		return text
	}
	nodes, err := sexp.Parse(text)
	if err != nil {
		return text
	}
	names := map[string]func(at sexp.Node) sexp.Node{}
	for _, i := range m.made {
		names[i.name] = func(sexp.Node) sexp.Node { return m.restored(i.written, names) }
		for k, c := range i.of.constructors {
			constructor := symbol(c, constructorName(c))
			shows := all(lists.Map(i.of.params, func(p string) sexp.Node { return word(c, p) }), func(p sexp.Node) bool {
				return slices.ContainsFunc(fieldsOf(c), func(f sexp.Node) bool { return mentionsSort(f.List[1], p.Atom) })
			})
			names[i.cons[k]] = func(at sexp.Node) sexp.Node {
				if shows {
					return constructor
				}
				return list(at, word(at, "as"), constructor, m.restored(i.written, names))
			}
			names["is-"+i.cons[k]] = func(at sexp.Node) sexp.Node { return list(at, word(at, "_"), word(at, "is"), constructor) }
			for f, field := range fieldsOf(c) {
				names[i.fields[k][f]] = func(at sexp.Node) sexp.Node { return symbol(at, field.List[0].Atom) }
			}
		}
	}
	var out string
	for _, n := range nodes {
		out += m.restored(n, names).String() + "\n"
	}
	return out
}

func mentionsSort(sort sexp.Node, name string) bool {
	return sort.Kind != sexp.List && sort.Atom == name || slices.ContainsFunc(sort.List, func(s sexp.Node) bool { return mentionsSort(s, name) })
}

// restored replaces names.
func (m *generics) restored(n sexp.Node, names map[string]func(sexp.Node) sexp.Node) sexp.Node {
	if isName(n) {
		if to := names[n.Atom]; to != nil {
			return to(n)
		}
		return n
	}
	out := lists.Map(n.List, func(k sexp.Node) sexp.Node { return m.restored(k, names) })
	if n.Head() == "_" && len(out) == 3 && out[2].Head() == "as" { // ((_ is C) ...)
		out[2] = out[2].List[1]
	}
	n.List = out
	return n
}

// definitions rewrites those of a solution as commands are.
func (m *generics) definitions(src *source.File, nodes []sexp.Node, errs *source.List) []sexp.Node {
	own := *m
	own.file, own.closed, own.sigs, own.sorts = src, true, maps.Clone(m.sigs), map[*sexp.Node]sexp.Node{}
	own.names = maps.Clone(m.names)
	return own.eachDefinition(nodes, errs)
}

func (m *generics) eachDefinition(nodes []sexp.Node, errs *source.List) (out []sexp.Node) {
	for _, n := range nodes {
		var err *recordError
		switch head := n.Head(); {
		case head == "define-funs-rec" && len(n.List) == 3 && len(n.List[1].List) == len(n.List[2].List):
			n, err = m.recursive(n)
		case head == "define-fun" && len(n.List) == 5 && isName(n.List[1]):
			var more []sexp.Node
			if more, err = m.command(n); err == nil {
				n = more[len(more)-1]
			}
		case n.Kind == sexp.List:
			n = list(n, m.eachDefinition(n.List, errs)...)
		}
		if err != nil {
			errs.Errorf(m.file.Span(err.at.Start, err.at.End), err.code, "%s", err.text).Help = err.help
			return nil
		}
		out = append(out, n)
	}
	return out
}

// recursive rewrites (define-funs-rec ((NAME ((x SORT)) SORT) ...) (TERM ...)).
func (m *generics) recursive(n sexp.Node) (sexp.Node, *recordError) {
	heads, bodies := slices.Clone(n.List[1].List), slices.Clone(n.List[2].List)
	scopes := make([]sortScope, len(heads))
	for i, h := range heads {
		if len(h.List) != 3 || !isName(h.List[0]) {
			return n, wrongf(h, "syntax", "expected (NAME ((NAME SORT) ...) SORT)")
		}
		binders, scope, err := m.binders(h.List[1], nil)
		if err != nil {
			return n, err
		}
		heads[i], scopes[i] = list(h, h.List[0], binders, h.List[2]), scope
		m.sigs[h.List[0].Atom] = append(lists.Map(binders.List, func(b sexp.Node) sexp.Node { return b.List[1] }), h.List[2])
	}
	for i, b := range bodies {
		var err *recordError
		if bodies[i], err = m.term(b, scopes[i], heads[i].List[2]); err != nil {
			return n, err
		}
	}
	return list(n, n.List[0], list(n, heads...), list(n, bodies...)), nil
}
