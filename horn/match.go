package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
)

// match rewrites (match TERM ((PATTERN TERM) ...)) to ite: a pattern is a constructor, one with names for its
// fields, or a name for the term.
func (m *generics) match(n sexp.Node) (sexp.Node, *recordError) {
	if n.List[2].Kind != sexp.List || len(n.List[2].List) == 0 {
		return n, wrongf(n, "syntax", "expected (match TERM ((PATTERN TERM) ...))")
	}
	whole := named(n, m.fresh("match"))
	var tests, values []sexp.Node
	var missing []string // constructors that no pattern has had
	first, all := true, false
	for _, c := range n.List[2].List {
		if len(c.List) != 2 || c.Kind != sexp.List || all {
			return n, wrongf(c, "syntax", "expected (PATTERN TERM) for a constructor that no pattern before has")
		}
		pattern, value := c.List[0], c.List[1]
		name, vars := pattern, []sexp.Node(nil)
		if pattern.Kind == sexp.List && len(pattern.List) > 1 {
			name, vars = pattern.List[0], pattern.List[1:]
		}
		cons := m.constructorsWith(name.Atom)
		switch {
		case !isName(name) || len(vars) > 0 && cons == nil || slices.ContainsFunc(vars, func(v sexp.Node) bool { return !isName(v) }):
			return n, wrongf(pattern, "syntax", "expected a constructor with names for its fields, or a name")
		case cons == nil:
			all = true
			tests, values = append(tests, word(c, "true")), append(values, bindings(c, []sexp.Node{pattern}, []sexp.Node{whole}, value))
			continue
		case first:
			first = false
			for _, d := range cons {
				missing = append(missing, constructorName(d))
			}
		}
		at := slices.Index(missing, name.Atom)
		if at < 0 {
			return n, wrongf(pattern, "syntax", "expected (PATTERN TERM) for a constructor that no pattern before has")
		}
		missing = slices.Delete(missing, at, at+1)
		fields := fieldsOf(cons[slices.IndexFunc(cons, func(d sexp.Node) bool { return constructorName(d) == name.Atom })])
		if len(fields) != len(vars) {
			return n, wrongf(pattern, "arity", "%s has %d fields, not %d", name.Atom, len(fields), len(vars))
		}
		parts := lists.Map(fields, func(f sexp.Node) sexp.Node { return list(pattern, f.List[0], whole) })
		tests = append(tests, list(pattern, list(pattern, word(pattern, "_"), word(pattern, "is"), name), whole))
		values = append(values, bindings(c, vars, parts, value))
	}
	if !all && len(missing) > 0 {
		return n, wrongf(n, "syntax", "no pattern has the constructor %s", missing[0])
	}
	out := values[len(values)-1]
	for i := len(values) - 2; i >= 0; i-- {
		out = list(n, word(n, "ite"), tests[i], values[i], out)
	}
	return list(n, word(n, "let"), list(n, list(n, whole, n.List[1])), out), nil
}

// bindings is a term with names for others, but those that are _.
func bindings(at sexp.Node, names, terms []sexp.Node, value sexp.Node) sexp.Node {
	var all []sexp.Node
	for i, v := range names {
		if !v.Is("_") {
			all = append(all, list(at, v, terms[i]))
		}
	}
	if len(all) == 0 {
		return value
	}
	return list(at, word(at, "let"), list(at, all...), value)
}

// constructorsWith are those of the datatype of one, nil if there is none.
func (m *generics) constructorsWith(name string) []sexp.Node {
	switch g, d := m.con[name], m.fixed[name]; {
	case g != nil:
		return g.constructors
	case d != nil:
		return d.constructors
	}
	return nil
}
