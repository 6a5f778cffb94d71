package logic

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A datatype is a sort whose values are built by constructors: a value is one of them, with values for its
// fields, which may be of the datatype again. A field of a value of another constructor has no value
// here, as a number divided by 0 has none: Eval reports an error, and nothing is folded.

// Constructor is one of a datatype. Its names, and those of its fields, are unique among all datatypes that a text has.
type Constructor struct {
	Name   string
	Fields []Field
}

// Field is one of a constructor.
type Field struct {
	Name string
	Sort *Sort
}

// datatype is what a sort of DatatypeKind has.
type datatype struct {
	name         string
	constructors []Constructor
	together     *Datatypes
	zero         int    // the constructor of the least value
	hash         uint64 // of the name, so that constructors without fields of many datatypes do not collide
}

// Datatypes are sorts that were declared together: their fields can have the sorts of each other.
type Datatypes struct {
	sorts []*Sort
	needs []*Datatypes // of fields, those they need first
	text  string       // the command
}

// ErrUnfounded is the error of DeclareDatatypes of a datatype that has no finite values.
var ErrUnfounded = fmt.Errorf("a datatype has no values: each of its constructors has a field of it")

var datatypes = struct {
	sync.Mutex
	known map[string]*Datatypes
	any   atomic.Bool
}{known: map[string]*Datatypes{}}

// DeclareDatatypes returns sorts with these names. constructors is given the sorts, for fields. Sorts with the same names,
// constructors and fields are the same. The error is what constructors says, or ErrUnfounded.
func DeclareDatatypes(names []string, constructors func([]*Sort) ([][]Constructor, error)) ([]*Sort, error) {
	d := &Datatypes{}
	for _, n := range names {
		d.sorts = append(d.sorts, &Sort{kind: DatatypeKind, data: &datatype{name: n, together: d, zero: -1, hash: maphash.String(seed, n)}})
	}
	all, err := constructors(d.sorts)
	if err != nil {
		return nil, err
	}
	for i, s := range d.sorts {
		s.data.constructors = all[i]
		for _, c := range all[i] {
			for _, f := range c.Fields {
				d.needs = groupsOf(d.needs, f.Sort, d)
			}
		}
	}
	d.text = d.command()
	if !d.founded() {
		return nil, ErrUnfounded
	}
	key := d.text
	for _, n := range d.needs {
		key += "\n" + n.text
	}
	datatypes.Lock()
	defer datatypes.Unlock()
	if known := datatypes.known[key]; known != nil {
		return slices.Clone(known.sorts), nil
	}
	datatypes.known[key] = d
	datatypes.any.Store(true)
	return slices.Clone(d.sorts), nil
}

// groupsOf appends the datatypes of a sort, those they need first, without one.
func groupsOf(all []*Datatypes, s *Sort, without *Datatypes) []*Datatypes {
	switch {
	case s.kind == ArrayKind || s.kind == FunctionKind:
		return groupsOf(groupsOf(all, s.index, without), s.element, without)
	case s.kind != DatatypeKind || s.data.together == without || slices.Contains(all, s.data.together):
		return all
	}
	for _, n := range s.data.together.needs {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return append(all, s.data.together)
}

func (d *Datatypes) command() string {
	var b strings.Builder
	b.WriteString("(declare-datatypes (")
	for i, s := range d.sorts {
		fmt.Fprintf(&b, "%s(%s 0)", strings.Repeat(" ", min(i, 1)), s)
	}
	b.WriteString(") (")
	for i, s := range d.sorts {
		b.WriteString(strings.Repeat(" ", min(i, 1)) + "(")
		for j, c := range s.data.constructors {
			fmt.Fprintf(&b, "%s(%s", strings.Repeat(" ", min(j, 1)), Symbol(c.Name))
			for _, f := range c.Fields {
				fmt.Fprintf(&b, " (%s %s)", Symbol(f.Name), f.Sort)
			}
			b.WriteByte(')')
		}
		b.WriteByte(')')
	}
	b.WriteString("))")
	return b.String()
}

// founded finds a constructor of each sort whose fields have values.
func (d *Datatypes) founded() bool {
	has := func(s *Sort) bool {
		for s.kind == ArrayKind {
			s = s.element
		}
		return s.kind != DatatypeKind || s.data.zero >= 0
	}
	for range d.sorts {
		for _, s := range d.sorts {
			if s.data.zero < 0 {
				s.data.zero = slices.IndexFunc(s.data.constructors, func(c Constructor) bool {
					return !slices.ContainsFunc(c.Fields, func(f Field) bool { return !has(f.Sort) })
				})
			}
		}
	}
	return !slices.ContainsFunc(d.sorts, func(s *Sort) bool { return s.data.zero < 0 })
}

// Text is the SMT-LIB command that declares them.
func (d *Datatypes) Text() string { return d.text }

// Names are those of the sorts, and of their constructors and fields.
func (d *Datatypes) Names() (all []string) {
	for _, s := range d.sorts {
		all = append(all, s.data.name)
		for _, c := range s.data.constructors {
			all = append(all, c.Name)
			for _, f := range c.Fields {
				all = append(all, f.Name)
			}
		}
	}
	return all
}

// Sorts are the datatypes. The slice must not be changed.
func (d *Datatypes) Sorts() []*Sort { return d.sorts }

// Constructors returns those of a datatype, nil for other sorts. They must not be changed.
func (s *Sort) Constructors() []Constructor {
	if s.kind != DatatypeKind {
		return nil
	}
	return s.data.constructors
}

// DatatypesOf returns the datatypes in the sorts of all parts of some terms, those before that others need.
func DatatypesOf(terms ...*Term) (all []*Datatypes) {
	if !datatypes.any.Load() {
		return nil
	}
	for t := range Subterms(terms...) {
		all = groupsOf(all, t.sort, nil)
	}
	return all
}

// Construct returns the value of a datatype by one of its constructors, which are counted from 0.
func Construct(sort *Sort, constructor int, fields ...*Term) *Term {
	want := sort.data.constructors[constructor].Fields
	if len(want) != len(fields) {
		panic(fmt.Sprintf("logic: %d fields of %s", len(fields), sort.data.constructors[constructor].Name))
	}
	args := make([]*Term, len(fields))
	for i, f := range fields {
		args[i] = fit(f, want[i].Sort)
	}
	return intern(structure{op: OpConstruct, sort: sort, lo: int32(constructor), args: args})
}

// FieldOf returns a field of a value that is built by a constructor; of other values it is unknown.
func FieldOf(t *Term, constructor, field int) *Term {
	if t.op == OpConstruct && int(t.lo) == constructor {
		return t.args[field]
	}
	sort := t.sort.data.constructors[constructor].Fields[field].Sort
	return intern(structure{op: OpField, sort: sort, hi: int32(field), lo: int32(constructor), args: []*Term{t}})
}

// BuiltBy says that a value is built by a constructor.
func BuiltBy(t *Term, constructor int) *Term {
	switch {
	case t.op == OpConstruct:
		return BoolConst(int(t.lo) == constructor)
	case len(t.sort.data.constructors) == 1:
		return trueTerm
	}
	return intern(structure{op: OpBuiltBy, sort: Bool, lo: int32(constructor), args: []*Term{t}})
}

// constructor is the one that OpConstruct, OpField and OpBuiltBy are about.
func (t *Term) constructor() *Constructor {
	s := t.sort
	if t.op != OpConstruct {
		s = t.args[0].sort
	}
	return &s.data.constructors[t.lo]
}

// eqBuilt is the equation of two values by constructors: of their fields, or false.
func eqBuilt(a, b *Term) *Term {
	if a.lo != b.lo {
		return falseTerm
	}
	same := make([]*Term, len(a.args))
	for i := range a.args {
		same[i] = Eq(a.args[i], b.args[i])
	}
	return And(same...)
}

// Symbols of datatypes are functions that texts apply: they become constructors, fields and "built by" (Apply).
const (
	symbolConstruct = -1
	symbolBuiltBy   = -2 // other numbers: of a field
)

// sortKey is where a scope has a sort: no name of a text has a backslash.
func sortKey(name string) string { return "\\" + name }

// testerPrefix is that of the name of "built by", which is ((_ is NAME) ...) as well.
const testerPrefix = "is-"

// Symbols returns what texts call the datatypes in some sorts, their constructors and fields; nil if there are none.
func Symbols(sorts ...*Sort) Scope {
	var groups []*Datatypes
	for _, s := range sorts {
		groups = groupsOf(groups, s, nil)
	}
	var scope Scope
	for _, g := range groups {
		for _, s := range g.sorts {
			if scope == nil {
				scope = Scope{}
			}
			scope.addDatatype(s)
		}
	}
	return scope
}

// Name adds the names of datatypes, without their constructors and fields.
func (scope Scope) Name(sorts ...*Sort) {
	for _, s := range sorts {
		scope[sortKey(s.data.name)] = intern(structure{op: OpSymbol, sort: s, name: sortKey(s.data.name)})
	}
}

func (scope Scope) addDatatype(s *Sort) {
	scope.Name(s)
	symbol := func(name string, role, c int, sort *Sort) {
		scope[name] = intern(structure{op: OpSymbol, sort: sort, name: name, hi: int32(role), lo: int32(c)})
	}
	for i, c := range s.data.constructors {
		symbol(testerPrefix+c.Name, symbolBuiltBy, i, FunctionOf([]*Sort{s}, Bool))
		var sorts []*Sort
		for k, f := range c.Fields {
			sorts = append(sorts, f.Sort)
			symbol(f.Name, k, i, FunctionOf([]*Sort{s}, f.Sort))
		}
		if len(sorts) == 0 {
			scope[c.Name] = Construct(s, i)
		} else {
			symbol(c.Name, symbolConstruct, i, FunctionOf(sorts, s))
		}
	}
}

// symbolApplied is Apply of a symbol of a datatype.
func symbolApplied(symbol *Term, args []*Term) *Term {
	switch symbol.hi {
	case symbolConstruct:
		_, s := symbol.sort.Signature()
		return Construct(s, int(symbol.lo), args...)
	case symbolBuiltBy:
		return BuiltBy(args[0], int(symbol.lo))
	}
	return FieldOf(args[0], int(symbol.lo), int(symbol.hi))
}

// built is the value of a datatype.
type built struct {
	constructor int
	fields      []Value
}

// ErrOtherConstructor is returned by Eval where a value depends on a field of a value that another constructor built.
var ErrOtherConstructor = fmt.Errorf("a field of a value that another constructor has built")

func fieldValue(t *Term, of Value) (Value, error) {
	if of.built.constructor != int(t.lo) {
		return Value{}, ErrOtherConstructor
	}
	return of.built.fields[t.hi], nil
}

// least is the value with the constructor that a datatype is founded on.
func (s *Sort) least() Value {
	b := &built{constructor: s.data.zero}
	for _, f := range s.data.constructors[b.constructor].Fields {
		b.fields = append(b.fields, Zero(f.Sort))
	}
	return Value{sort: s, built: b}
}

func (b *built) compare(c *built) int {
	if b == c {
		return 0
	}
	if b.constructor != c.constructor {
		return b.constructor - c.constructor
	}
	return slices.CompareFunc(b.fields, c.fields, Value.Compare)
}

// appendBuilt prints cons(1, nil).
func (v Value) appendBuilt(b []byte) []byte {
	b = append(b, v.sort.data.constructors[v.built.constructor].Name...)
	for i, f := range v.built.fields {
		if i == 0 {
			b = append(b, '(')
		} else {
			b = append(b, ", "...)
		}
		b = f.appendTo(b)
	}
	if len(v.built.fields) > 0 {
		b = append(b, ')')
	}
	return b
}

// Built returns the number of the constructor of a value of a datatype, and its fields; they must not be changed.
func (v Value) Built() (constructor int, fields []Value) { return v.built.constructor, v.built.fields }
