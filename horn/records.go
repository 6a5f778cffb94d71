package horn

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
)

// Datatypes with one constructor that do not contain themselves, and are no fields of datatypes that are no records, are records: a variable of such a sort is as
// many variables as its fields have parts, and so are arguments. An array of records is an array for each part,
// and one that is indexed by records has indices for each of their parts, one behind the other. Such
// datatypes have the values of their parts, and equality is that of the parts, so nothing is lost. The texts of clauses are
// rewritten so before they are read.

// records rewrites commands.
type records struct {
	file  *source.File
	errs  source.List
	types map[string]*record
	kept  map[string]bool    // datatypes that are no records
	made  map[string]*record // by constructor
	field map[string]selector
	preds map[string][]sexp.Node // sorts of what declare-fun and define-fun name: of arguments, and of the result
	vars  map[string]bound       // of declare-var
	names map[string]bool        // of the text, and those that were made for all commands
	local map[string]bool        // those that were made for the one that is rewritten; nil outside of clauses
	// pending are bindings of let, group by group, that are to stand around the formula that is rewritten: around
	// each part of a record they would be as many times as it has parts.
	pending [][]sexp.Node
}

type record struct {
	sort   sexp.Node
	fields []recordField
}

type recordField struct {
	name string
	sort sexp.Node
}

type selector struct {
	of    *record
	field int
}

// bound is a term: its sort, and its parts.
type bound struct {
	sort  sexp.Node
	parts []sexp.Node
}

// mostParts bounds the parts of a sort.
const mostParts = 500

// flatten rewrites commands without records; it returns those that it is given, and nil, where there are none.
func flatten(file *source.File, nodes []sexp.Node) ([]sexp.Node, *records, source.List) {
	if !slices.ContainsFunc(nodes, func(n sexp.Node) bool { return strings.HasPrefix(n.Head(), "declare-datatype") }) {
		return nodes, nil, nil
	}
	r := &records{file: file, types: map[string]*record{}, made: map[string]*record{}, field: map[string]selector{}, preds: map[string][]sexp.Node{},
		vars: map[string]bound{}, names: map[string]bool{}}
	var declared []declaredType
	for _, n := range nodes {
		r.collect(n)
		if strings.HasPrefix(n.Head(), "declare-datatype") {
			more, _ := declaredTypes(n) // mistakes are reported by command
			declared = append(declared, more...)
		}
	}
	r.kept = unflattened(declared)
	var out []sexp.Node
	for _, n := range nodes {
		more, err := r.command(n)
		if err != nil {
			r.errs.Errorf(file.Span(err.at.Start, err.at.End), err.code, "%s", err.text).Help = err.help
			break
		}
		out = append(out, more...)
	}
	return out, r, r.errs
}

// recordError is why a command cannot be rewritten.
type recordError struct {
	at               sexp.Node
	code, text, help string
}

func wrongf(at sexp.Node, code, format string, args ...any) *recordError {
	return &recordError{at: at, code: code, text: fmt.Sprintf(format, args...)}
}

func (r *records) collect(n sexp.Node) {
	if n.Kind == sexp.Symbol || n.Kind == sexp.Quoted {
		r.names[n.Atom] = true
	}
	for _, m := range n.List {
		r.collect(m)
	}
}

// fresh is a name like one that the text does not have.
func (r *records) fresh(like string) string {
	name := like
	for i := 1; r.names[name] || r.local[name]; i++ {
		name = like + "'" + strconv.Itoa(i)
	}
	if r.local != nil {
		r.local[name] = true
	} else {
		r.names[name] = true
	}
	return name
}

func isName(n sexp.Node) bool { return n.Kind == sexp.Symbol || n.Kind == sexp.Quoted }

func isArray(sort sexp.Node) bool { return sort.Head() == "Array" && len(sort.List) == 3 }

// made up nodes stand where what they are made of stands.

func list(at sexp.Node, nodes ...sexp.Node) sexp.Node {
	return sexp.Node{Kind: sexp.List, List: nodes, Start: at.Start, End: at.End}
}

func word(at sexp.Node, text string) sexp.Node {
	return sexp.Node{Kind: sexp.Symbol, Atom: text, Start: at.Start, End: at.End}
}

func named(at sexp.Node, text string) sexp.Node {
	return sexp.Node{Kind: sexp.Quoted, Atom: text, Start: at.Start, End: at.End}
}

func (r *records) command(n sexp.Node) ([]sexp.Node, *recordError) {
	switch n.Head() {
	case "declare-datatypes", "declare-datatype":
		all, err := declaredTypes(n)
		if err != nil {
			return nil, err
		}
		return r.datatypes(n, all)
	case "declare-fun", "declare-rel":
		return r.declared(n)
	case "declare-var":
		if len(n.List) == 3 && isName(n.List[1]) {
			return r.declaredVar(n)
		}
	case "define-fun":
		return r.defined(n)
	case "assert", "rule", "query":
		if len(n.List) >= 2 {
			r.local = map[string]bool{}
			t, err := r.formula(n.List[1], r.vars)
			r.local = nil
			if err != nil {
				return nil, err
			}
			out := slices.Clone(n.List)
			out[1] = t
			return []sexp.Node{list(n, out...)}, nil
		}
	}
	return []sexp.Node{n}, nil
}

// datatypes takes down records that are declared together. It returns the declaration of the others, if there are some.
func (r *records) datatypes(n sexp.Node, all []declaredType) ([]sexp.Node, *recordError) {
	var names, bodies []sexp.Node
	for _, d := range all {
		if r.kept[d.name.Atom] {
			names, bodies = append(names, list(d.at, d.name, word(d.at, "0"))), append(bodies, list(d.at, d.constructors...))
			continue
		}
		rec, constructor := &record{sort: d.name}, d.constructors[0]
		for _, f := range fieldsOf(constructor) {
			r.field[f.List[0].Atom] = selector{rec, len(rec.fields)}
			rec.fields = append(rec.fields, recordField{f.List[0].Atom, f.List[1]})
		}
		if constructor.Kind == sexp.List {
			constructor = constructor.List[0]
		}
		r.types[d.name.Atom], r.made[constructor.Atom] = rec, rec
	}
	for _, d := range all {
		if _, err := r.parts(d.name); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return []sexp.Node{list(n, word(n, "declare-datatypes"), list(n, names...), list(n, bodies...))}, nil
}

// sortPart is one of the parts of a sort: what it is called behind the name of the whole, and its sort.
type sortPart struct {
	suffix string
	sort   sexp.Node
}

// parts are those of a sort: one of a sort without records.
func (r *records) parts(sort sexp.Node) (all []sortPart, err *recordError) {
	defer func() {
		if len(all) > mostParts && err == nil {
			err = wrongf(sort, "unsupported", "a datatype with more than %d parts is not supported", mostParts)
		}
	}()
	rec := r.types[sort.Atom]
	switch {
	case isName(sort) && rec != nil:
		for _, f := range rec.fields {
			parts, err := r.parts(f.sort)
			if err != nil {
				return nil, err
			}
			for _, p := range parts {
				all = append(all, sortPart{"." + f.name + p.suffix, p.sort})
			}
			if len(all) > mostParts {
				return all, nil
			}
		}
		return all, nil
	case isArray(sort):
		index, err := r.parts(sort.List[1])
		if err != nil {
			return nil, err
		}
		elements, err := r.parts(sort.List[2])
		if err != nil {
			return nil, err
		}
		for _, e := range elements {
			s := e.sort
			for i := len(index) - 1; i >= 0; i-- {
				s = list(sort, word(sort, "Array"), index[i].sort, s)
			}
			all = append(all, sortPart{e.suffix, s})
		}
		return all, nil
	}
	return []sortPart{{"", sort}}, nil
}

// declared rewrites the declaration of a predicate.
func (r *records) declared(n sexp.Node) ([]sexp.Node, *recordError) {
	if len(n.List) < 3 || !isName(n.List[1]) || n.List[2].Kind != sexp.List {
		return []sexp.Node{n}, nil
	}
	result := word(n, "Bool")
	if len(n.List) == 4 {
		result = n.List[3]
	}
	var sorts []sexp.Node
	for _, s := range n.List[2].List {
		parts, err := r.parts(s)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			sorts = append(sorts, p.sort)
		}
	}
	r.preds[n.List[1].Atom] = append(slices.Clone(n.List[2].List), result)
	out := slices.Clone(n.List)
	out[2] = list(n.List[2], sorts...)
	return []sexp.Node{list(n, out...)}, nil
}

// variables makes those of the parts of one.
func (r *records) variables(name, sort sexp.Node) (b bound, declared []sexp.Node, err *recordError) {
	parts, err := r.parts(sort)
	if err != nil {
		return b, nil, err
	}
	b.sort = sort
	for _, p := range parts {
		v := name
		if p.suffix != "" || len(parts) != 1 {
			v = named(name, r.fresh(name.Atom+p.suffix))
		}
		b.parts, declared = append(b.parts, v), append(declared, list(name, v, p.sort))
	}
	return b, declared, nil
}

func (r *records) declaredVar(n sexp.Node) ([]sexp.Node, *recordError) {
	b, declared, err := r.variables(n.List[1], n.List[2])
	if err != nil {
		return nil, err
	}
	r.vars[n.List[1].Atom] = b
	out := lists.Append(nil, declared, func(d sexp.Node) sexp.Node { return list(n, n.List[0], d.List[0], d.List[1]) })
	return out, nil
}

// binders rewrites ((NAME SORT) ...), and returns what the names stand for beside those of a scope.
func (r *records) binders(n sexp.Node, scope map[string]bound) (out sexp.Node, inner map[string]bound, err *recordError) {
	inner = map[string]bound{}
	maps.Copy(inner, scope)
	var all []sexp.Node
	for _, v := range n.List {
		if len(v.List) != 2 || !isName(v.List[0]) {
			return n, nil, wrongf(v, "syntax", "expected (NAME SORT)")
		}
		b, declared, err := r.variables(v.List[0], v.List[1])
		if err != nil {
			return n, nil, err
		}
		inner[v.List[0].Atom] = b
		all = append(all, declared...)
	}
	return list(n, all...), inner, nil
}

func (r *records) defined(n sexp.Node) ([]sexp.Node, *recordError) {
	if len(n.List) != 5 || !isName(n.List[1]) || n.List[2].Kind != sexp.List {
		return []sexp.Node{n}, nil
	}
	params, scope, err := r.binders(n.List[2], map[string]bound{})
	if err != nil {
		return nil, err
	}
	if _, err := r.single(n.List[3]); err != nil {
		return nil, err
	}
	body, err := r.formula(n.List[4], scope)
	if err != nil {
		return nil, err
	}
	sorts := lists.Append(nil, n.List[2].List, func(v sexp.Node) sexp.Node { return v.List[1] })
	r.preds[n.List[1].Atom] = append(sorts, n.List[3])
	return []sexp.Node{list(n, n.List[0], n.List[1], params, n.List[3], body)}, nil
}

// single is the part of a sort that has one, and no records.
func (r *records) single(sort sexp.Node) (sexp.Node, *recordError) {
	parts, err := r.parts(sort)
	if err == nil && (len(parts) != 1 || parts[0].suffix != "") {
		err = wrongf(sort, "unsupported", "functions with values of a datatype are not supported")
	}
	if err != nil {
		return sort, err
	}
	return parts[0].sort, nil
}

// formula rewrites a term that is no record.
func (r *records) formula(n sexp.Node, scope map[string]bound) (sexp.Node, *recordError) {
	outer := r.pending
	r.pending = nil
	b, err := r.term(n, scope)
	pending := r.pending
	r.pending = outer
	switch {
	case err != nil:
		return n, err
	case len(b.parts) != 1 || r.isRecord(b.sort):
		return n, wrongf(n, "sort", "a value of a datatype stands where a formula or a number is expected")
	}
	out := b.parts[0]
	for i := len(pending) - 1; i >= 0; i-- {
		out = list(n, word(n, "let"), list(n, pending[i]...), out)
	}
	return out, nil
}

// shared names a term that stands several times in what becomes of the text.
func (r *records) shared(n sexp.Node) sexp.Node {
	if n.Kind != sexp.List {
		return n
	}
	name := named(n, r.fresh("part"))
	r.pending = append(r.pending, []sexp.Node{list(n, name, n)})
	return name
}
