package horn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Datatypes with parameters are read as one without for each sequence of sorts that the text applies them to:
// (List Int) becomes a datatype of the name List<Int>. This is done to the text, before anything else is. Where the sorts
// of a constructor without fields are not written, they are those that its place wants.

// generics rewrites commands.
type generics struct {
	file    *source.File
	types   map[string]*generic
	aliases map[string]alias    // of define-sort
	con     map[string]*generic // by constructor
	field   map[string]genericField
	sigs    map[string][]sexp.Node // of other functions: sorts of arguments, and of the result
	fixed   map[string]*fixedType  // datatypes without parameters, by constructor, for match
	names   map[string]bool        // of the text, and those that were made
	several map[string]bool        // datatypes with more than one instance: names of their constructors need the sorts
	made    []*instance            // in their order
	byName  map[string]*instance   // by the name that was made
	pending []*instance            // not declared until now
	sorts   map[*sexp.Node]sexp.Node
	opaque  []string // of declare-sort
	depth   int      // of sorts
	closed  bool     // there are no further instances
}

// generic is a datatype with parameters.
type generic struct {
	name         string
	params       []string
	constructors []sexp.Node
	bare         bool // declared as in SMT-LIB 2.5: within its fields it needs no arguments
	instances    map[string]*instance
}

type genericField struct {
	of     *generic
	con, k int
}

type fixedType struct {
	name         string
	constructors []sexp.Node
}

type alias struct {
	params []string
	sort   sexp.Node
}

// instance is a datatype for some sorts.
type instance struct {
	of      *generic
	args    []sexp.Node
	name    string
	cons    []string
	fields  [][]string
	sorts   [][]sexp.Node // of fields
	written sexp.Node     // the sort as texts have it
}

// mostInstances bounds the datatypes that become of those with parameters.
const mostInstances = 500

// builtinList is what z3 declares itself.
const builtinList = "(declare-datatypes ((List 1)) ((par (T) ((nil) (insert (head T) (tail (List T)))))))"

// monomorphic rewrites commands to ones without parameters of sorts, definitions of sorts, and match; it returns those that it is given, and nil,
// where there are none.
func monomorphic(file *source.File, nodes []sexp.Node) ([]sexp.Node, *generics, source.List) {
	if !slices.ContainsFunc(nodes, needsGenerics) {
		return nodes, nil, nil
	}
	several := map[string]bool{}
	for {
		m := &generics{file: file, types: map[string]*generic{}, aliases: map[string]alias{}, con: map[string]*generic{}, field: map[string]genericField{},
			sigs: map[string][]sexp.Node{}, fixed: map[string]*fixedType{}, names: map[string]bool{}, several: several, byName: map[string]*instance{},
			sorts: map[*sexp.Node]sexp.Node{}}
		for _, n := range nodes {
			collectNames(n, m.names)
		}
		var out []sexp.Node
		var errs source.List
		for _, n := range nodes {
			more, err := m.command(n)
			if err != nil {
				errs.Errorf(file.Span(err.at.Start, err.at.End), err.code, "%s", err.text).Help = err.help
				break
			}
			out = append(out, more...)
		}
		known := len(several)
		for _, g := range m.types {
			if len(g.instances) > 1 {
				several[g.name] = true
			}
		}
		switch {
		case errs.HasErrors():
			return nil, m, errs
		case len(several) == known:
			return out, m, nil
		}
	}
}

// needsGenerics looks for what monomorphic is for.
func needsGenerics(n sexp.Node) bool {
	switch n.Head() {
	case "declare-datatypes", "declare-datatype":
		return oldStyle(n) || slices.ContainsFunc(n.List, func(m sexp.Node) bool { return slices.ContainsFunc(m.List, withParameters) || withParameters(m) })
	case "define-sort", "declare-sort", "define-const", "match":
		return true
	case "List":
		return len(n.List) == 2
	}
	return slices.ContainsFunc(n.List, needsGenerics)
}

// withParameters reports (par ...), and (NAME ARITY) with an arity.
func withParameters(n sexp.Node) bool {
	return n.Head() == "par" || len(n.List) == 2 && n.List[1].Kind == sexp.Symbol && strings.Trim(n.List[1].Atom, "0123456789") == "" && !n.List[1].Is("0")
}

// oldStyle reports a declaration as SMT-LIB 2.5 has it: (declare-datatypes (T) ((List nil (insert (head T) (tail List))))).
func oldStyle(n sexp.Node) bool {
	named := func(b sexp.Node) bool { return len(b.List) > 1 && isName(b.List[0]) }
	return n.Head() == "declare-datatypes" && len(n.List) == 3 && n.List[1].Kind == sexp.List && n.List[2].Kind == sexp.List &&
		len(n.List[2].List) > 0 && all(n.List[1].List, isName) && all(n.List[2].List, named)
}

func all(nodes []sexp.Node, is func(sexp.Node) bool) bool {
	return !slices.ContainsFunc(nodes, func(n sexp.Node) bool { return !is(n) })
}

func (m *generics) command(n sexp.Node) ([]sexp.Node, *recordError) {
	out := slices.Clone(n.List)
	var err *recordError
	switch head := n.Head(); {
	case head == "declare-datatypes" || head == "declare-datatype":
		return m.declare(n)
	case head == "define-sort":
		return nil, m.defineSort(n)
	case head == "declare-sort" && len(n.List) == 3 && isName(n.List[1]) && n.List[2].Is("0") && !m.known(n.List[1].Atom):
		return m.declareOpaque(n), nil
	case head == "define-const" && len(n.List) == 4:
		return m.command(list(n, word(n, "define-fun"), n.List[1], list(n), n.List[2], n.List[3]))
	case (head == "declare-fun" || head == "declare-rel" || head == "declare-const" || head == "declare-var") && len(n.List) >= 3 && isName(n.List[1]):
		for i := 2; i < len(out); i++ {
			if i == 2 && (head == "declare-fun" || head == "declare-rel") && out[i].Kind == sexp.List {
				out[i], err = m.eachSort(out[i])
			} else {
				out[i], err = m.sort(out[i], nil)
			}
			if err != nil {
				return nil, err
			}
		}
		if sig := []sexp.Node{word(n, "Bool")}; len(out) == 4 || head != "declare-fun" {
			if head != "declare-rel" {
				sig = out[len(out)-1:]
			}
			if head == "declare-fun" || head == "declare-rel" {
				sig = append(slices.Clone(out[2].List), sig...)
			}
			m.sigs[n.List[1].Atom] = sig
		}
	case head == "define-fun" && len(n.List) == 5 && isName(n.List[1]):
		binders, scope, err := m.binders(n.List[2], nil)
		if err != nil {
			return nil, err
		}
		result, err := m.sort(n.List[3], nil)
		if err != nil {
			return nil, err
		}
		body, err := m.term(n.List[4], scope, result)
		if err != nil {
			return nil, err
		}
		sig := append(lists.Map(binders.List, func(b sexp.Node) sexp.Node { return b.List[1] }), result)
		m.sigs[n.List[1].Atom] = sig
		out = []sexp.Node{n.List[0], n.List[1], binders, result, body}
	case (head == "assert" || head == "rule" || head == "query") && len(n.List) >= 2:
		if out[1], err = m.term(n.List[1], nil, word(n, "Bool")); err != nil {
			return nil, err
		}
	default:
		return []sexp.Node{n}, nil
	}
	return append(m.flush(n), list(n, out...)), nil
}

// defineSort reads (define-sort NAME (PARAMETER ...) SORT).
func (m *generics) defineSort(n sexp.Node) *recordError {
	if len(n.List) != 4 || !isName(n.List[1]) || n.List[2].Kind != sexp.List || !all(n.List[2].List, isName) {
		return wrongf(n, "syntax", "expected (define-sort NAME (PARAMETER ...) SORT)")
	}
	if name := n.List[1].Atom; m.known(name) {
		return wrongf(n.List[1], "duplicate", "the sort %q is declared twice", name)
	}
	m.aliases[n.List[1].Atom] = alias{lists.Map(n.List[2].List, func(p sexp.Node) string { return p.Atom }), n.List[3]}
	return nil
}

func (m *generics) known(sort string) bool {
	_, defined := m.aliases[sort]
	return defined || m.types[sort] != nil || slices.Contains([]string{"Int", "Bool", "Real", "Array"}, sort)
}

// declare reads datatypes. Those without parameters are declared together with the instances that their fields need.
func (m *generics) declare(n sexp.Node) ([]sexp.Node, *recordError) {
	names, bodies, err := m.register(n)
	if err != nil {
		return nil, err
	}
	return m.flushWith(n, names, bodies), nil
}

// register takes down datatypes; it returns those without parameters.
func (m *generics) register(n sexp.Node) (names, bodies []sexp.Node, err *recordError) {
	all, err := declaredGenerics(n)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range all {
		if m.known(d.name) {
			return nil, nil, wrongf(n, "duplicate", "the sort %q is declared twice", d.name)
		}
		if d.bare = oldStyle(n); len(d.params) > 0 {
			m.types[d.name], d.instances = d.generic, map[string]*instance{}
		}
	}
	for _, d := range all {
		for i, c := range d.constructors {
			if err := validConstructor(c); err != nil {
				return nil, nil, err
			}
			if len(d.params) > 0 {
				m.con[constructorName(c)] = d.generic
				for k, f := range fieldsOf(c) {
					m.field[f.List[0].Atom] = genericField{d.generic, i, k}
				}
			}
		}
		if len(d.params) == 0 {
			body, err := m.fixedBody(d)
			if err != nil {
				return nil, nil, err
			}
			names, bodies = append(names, list(n, d.at, word(n, "0"))), append(bodies, body)
		}
	}
	return names, bodies, nil
}

// fixedBody rewrites the constructors of a datatype without parameters.
func (m *generics) fixedBody(d declaredGeneric) (sexp.Node, *recordError) {
	var cons []sexp.Node
	for _, c := range d.constructors {
		sig := []sexp.Node{}
		made := c
		if c.Kind == sexp.List {
			made = list(c, c.List[0])
			for _, f := range fieldsOf(c) {
				sort, err := m.sort(f.List[1], nil)
				if err != nil {
					return c, err
				}
				made.List, sig = append(made.List, list(f, f.List[0], sort)), append(sig, sort)
				m.sigs[f.List[0].Atom] = []sexp.Node{d.at, sort}
			}
		}
		m.sigs[constructorName(c)] = append(sig, d.at)
		m.fixed[constructorName(c)] = &fixedType{d.name, d.constructors}
		cons = append(cons, made)
	}
	return list(d.at, cons...), nil
}

func constructorName(c sexp.Node) string {
	if c.Kind == sexp.List {
		return c.List[0].Atom
	}
	return c.Atom
}

type declaredGeneric struct {
	*generic
	at sexp.Node // its name
}

// declaredGenerics reads a declaration of datatypes, with or without parameters.
func declaredGenerics(n sexp.Node) (all []declaredGeneric, err *recordError) {
	add := func(name sexp.Node, params, constructors []sexp.Node) {
		g := &generic{name: name.Atom, params: lists.Map(params, func(p sexp.Node) string { return p.Atom }), constructors: constructors}
		all = append(all, declaredGeneric{g, name})
	}
	if oldStyle(n) {
		for _, b := range n.List[2].List {
			add(b.List[0], n.List[1].List, b.List[1:])
		}
		return all, nil
	}
	malformed := wrongf(n, "syntax", "expected (declare-datatypes ((NAME ARITY) ...) ((par (PARAMETER ...) ((CONSTRUCTOR (FIELD SORT) ...) ...)) ...))")
	var names, bodies []sexp.Node
	switch {
	case len(n.List) != 3:
		return nil, malformed
	case n.Head() == "declare-datatype":
		names, bodies = n.List[1:2], n.List[2:3]
	default:
		names, bodies = n.List[1].List, n.List[2].List
	}
	if len(names) != len(bodies) {
		return nil, malformed
	}
	for i, name := range names {
		arity := ""
		if name.Kind == sexp.List && len(name.List) == 2 {
			name, arity = name.List[0], name.List[1].Atom
		}
		body, params := bodies[i], []sexp.Node(nil)
		if body.Head() == "par" {
			if len(body.List) != 3 || body.List[1].Kind != sexp.List || slices.ContainsFunc(body.List[1].List, func(p sexp.Node) bool { return !isName(p) }) {
				return nil, malformed
			}
			params, body = body.List[1].List, body.List[2]
		}
		if !isName(name) || body.Kind != sexp.List || len(body.List) == 0 || arity != "" && arity != strconv.Itoa(len(params)) {
			return nil, malformed
		}
		add(name, params, body.List)
	}
	return all, nil
}

// flush declares instances that were made.
func (m *generics) flush(at sexp.Node) []sexp.Node { return m.flushWith(at, nil, nil) }

func (m *generics) flushWith(at sexp.Node, names, bodies []sexp.Node) []sexp.Node {
	for _, i := range m.pending {
		var cons []sexp.Node
		for k, name := range i.cons {
			c := []sexp.Node{named(at, name)}
			for f, field := range i.fields[k] {
				c = append(c, list(at, named(at, field), i.sorts[k][f]))
			}
			cons = append(cons, list(at, c...))
		}
		names, bodies = append(names, list(at, named(at, i.name), word(at, "0"))), append(bodies, list(at, cons...))
	}
	m.pending = nil
	if len(names) == 0 {
		return nil
	}
	return []sexp.Node{list(at, word(at, "declare-datatypes"), list(at, names...), list(at, bodies...))}
}

// eachSort rewrites a list of sorts.
func (m *generics) eachSort(n sexp.Node) (sexp.Node, *recordError) {
	out := make([]sexp.Node, len(n.List))
	for i, s := range n.List {
		var err *recordError
		if out[i], err = m.sort(s, nil); err != nil {
			return n, err
		}
	}
	return list(n, out...), nil
}

// mostSorts bounds what definitions of sorts by others can become: nested sorts, and parts of one.
const mostSorts = 500

func sortSize(n sexp.Node) int {
	size := 1
	for _, m := range n.List {
		size += sortSize(m)
	}
	return size
}

// sort rewrites a sort; by are the parameters of the datatype that it stands in, if it does.
func (m *generics) sort(n sexp.Node, by map[string]sexp.Node) (out sexp.Node, err *recordError) {
	if m.depth++; m.depth > mostSorts {
		err = wrongf(n, "nesting", "more than %d nested sorts", mostSorts)
	} else {
		out, err = m.sortOf(n, by)
	}
	if m.depth--; err == nil && (sortSize(out) > mostSorts || len(out.Atom) > 10*mostSorts) {
		err = wrongf(n, "unsupported", "a sort with more than %d parts is not supported", mostSorts)
	}
	return out, err
}

func (m *generics) sortOf(n sexp.Node, by map[string]sexp.Node) (sexp.Node, *recordError) {
	head, args := n, []sexp.Node(nil)
	switch {
	case n.Kind == sexp.List && len(n.List) > 1:
		head, args = n.List[0], n.List[1:]
	case n.Kind == sexp.List && len(n.List) == 1 && (by != nil || m.types[n.List[0].Atom] != nil): // (List), for List
		head = n.List[0]
	}
	if sort, ok := by[n.Atom]; ok && isName(n) {
		return sort, nil
	}
	if !isName(head) || head.Is("_") {
		return n, nil
	}
	made := make([]sexp.Node, len(args))
	for i, a := range args {
		var err *recordError
		if made[i], err = m.sort(a, by); err != nil {
			return n, err
		}
	}
	if a, ok := m.aliases[head.Atom]; ok {
		if len(made) != len(a.params) {
			return n, wrongf(n, "sort", "the sort %s has %d parameters, not %d", head.Atom, len(a.params), len(made))
		}
		inner := map[string]sexp.Node{}
		for i, p := range a.params {
			inner[p] = made[i]
		}
		return m.sort(a.sort, inner)
	}
	g := m.types[head.Atom]
	if g == nil && head.Atom == "List" && len(args) == 1 {
		nodes, _ := sexp.Parse(builtinList)
		if _, _, err := m.register(nodes[0]); err != nil {
			return n, err
		}
		g = m.types["List"]
	}
	if g == nil {
		if args == nil {
			return n, nil
		}
		return list(n, append([]sexp.Node{head}, made...)...), nil
	}
	if args == nil && g.bare && by != nil {
		for _, p := range g.params {
			made = append(made, by[p])
		}
	}
	if len(made) != len(g.params) || slices.ContainsFunc(made, unknown) {
		return n, wrongf(n, "sort", "the sort %s has %d parameters, not %d", g.name, len(g.params), len(args))
	}
	i, err := m.instance(n, g, made)
	if err != nil {
		return n, err
	}
	return named(n, i.name), nil
}

// instance is the one of a datatype for some sorts.
func (m *generics) instance(at sexp.Node, g *generic, args []sexp.Node) (*instance, *recordError) {
	written := list(at, append([]sexp.Node{symbol(at, g.name)}, args...)...)
	if i := g.instances[written.String()]; i != nil {
		return i, nil
	}
	if m.closed {
		return nil, wrongf(at, "sort", "unknown sort")
	}
	if len(m.made) >= mostInstances {
		return nil, wrongf(at, "unsupported", "more than %d datatypes become of those with parameters", mostInstances)
	}
	suffix := "<" + strings.Join(lists.Map(args, sortName), "-") + ">"
	i := &instance{of: g, args: args, name: m.fresh(g.name + suffix), written: written}
	if !m.several[g.name] {
		suffix = ""
	}
	name := func(n string) string {
		if suffix == "" {
			return n
		}
		return m.fresh(n + suffix)
	}
	g.instances[written.String()], m.byName[i.name] = i, i
	m.made, m.pending = append(m.made, i), append(m.pending, i)
	by := map[string]sexp.Node{}
	for k, p := range g.params {
		by[p] = args[k]
	}
	for _, c := range g.constructors {
		var fields []string
		var sorts []sexp.Node
		for _, f := range fieldsOf(c) {
			sort, err := m.sort(f.List[1], by)
			if err != nil {
				return nil, err
			}
			fields, sorts = append(fields, name(f.List[0].Atom)), append(sorts, sort)
		}
		i.cons, i.fields, i.sorts = append(i.cons, name(constructorName(c))), append(i.fields, fields), append(i.sorts, sorts)
	}
	return i, nil
}

// sortName is a sort as a part of a name.
func sortName(n sexp.Node) string {
	switch {
	case n.Kind != sexp.List || len(n.List) == 0:
		return n.Atom
	case n.Head() == "_":
		return strings.Join(lists.Map(n.List[1:], sortName), "")
	}
	return sortName(n.List[0]) + "<" + strings.Join(lists.Map(n.List[1:], sortName), "-") + ">"
}

// symbol is a name, with quotes where it needs them.
func symbol(at sexp.Node, name string) sexp.Node {
	if logic.Symbol(name) == name {
		return word(at, name)
	}
	return named(at, name)
}

func (m *generics) fresh(like string) string {
	name := like
	for i := 1; m.names[name]; i++ {
		name = like + "'" + strconv.Itoa(i)
	}
	m.names[name] = true
	return name
}

func collectNames(n sexp.Node, names map[string]bool) {
	if isName(n) {
		names[n.Atom] = true
	}
	for _, k := range n.List {
		collectNames(k, names)
	}
}
