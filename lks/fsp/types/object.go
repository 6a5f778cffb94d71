package types

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Object is what a name stands for.
type Object struct {
	Name string
	Kind syntax.Kind
	// Def is the definition that it is, or that it is a part of.
	Def syntax.Definition
	// Decl is what defines it: Def, a *syntax.LocalDef or *syntax.Param of it or, of a
	// variable, the *syntax.Index.
	Decl syntax.Node
	// Scope is where the name can be used; of definitions of the file, everywhere.
	Scope syntax.Span
	// Defs are the places where the name is defined, in the order of the text: several
	// for local processes that are defined piece by piece, and for mistakes.
	Defs []syntax.Span
	// Uses are all other places of the name, in the order of the text.
	Uses []syntax.Span
}

// Info is what Check finds out about a file. It is immutable and safe for concurrent
// use.
type Info struct {
	File *syntax.File
	// Objects are all that the file defines, in the order of the text.
	Objects []*Object
	// Diagnostics are those of the parser and of Check, in the order of the text.
	Diagnostics syntax.Diagnostics

	env  *eval.Env
	refs []reference // in the order of the text
}

// reference is a place of a name.
type reference struct {
	syntax.Span
	object *Object
}

// At returns what the name at an offset of the text, or that ends there, stands for:
// nil if there is no name, or none that is defined. It takes logarithmic time.
func (i *Info) At(offset int) *Object {
	at := int32(offset)
	n, _ := slices.BinarySearchFunc(i.refs, at, func(r reference, at int32) int { return cmp.Compare(r.End, at) })
	for ; n < len(i.refs) && i.refs[n].Start <= at; n++ {
		if at < i.refs[n].End || n+1 == len(i.refs) || i.refs[n+1].Start > at {
			return i.refs[n].object
		}
	}
	return nil
}

// Visible returns what can be used at an offset, in the order of the text.
func (i *Info) Visible(offset int) []*Object {
	return lists.Filter(i.Objects, func(o *Object) bool { return int(o.Scope.Start) <= offset && offset <= int(o.Scope.End) })
}

// Lookup returns a definition of the file by name, nil if there is none of that kind.
func (i *Info) Lookup(kind syntax.Kind, name string) *Object {
	for _, o := range i.Objects {
		if o.Kind == kind && o.Name == name && o.Decl == syntax.Node(o.Def) {
			return o
		}
	}
	return nil
}

// maxShown bounds the elements of a set that Value shows.
const maxShown = 20

// Value returns the value of a constant, range or set, as text: 3, 0..3 or {a, b}. It
// is "" for other objects and where the value is wrong.
func (i *Info) Value(o *Object) string {
	switch o.Kind {
	case syntax.Constant:
		if v, ok := i.constant(o.Name); ok {
			return v.String()
		}
	case syntax.Range:
		if lo, hi, ok := i.bounds(o.Name); ok {
			return fmt.Sprintf("%d..%d", lo, hi)
		}
	case syntax.Set:
		if elements, ok := i.elements(o.Name); ok {
			more := ""
			if n := len(elements) - maxShown; n > 0 {
				elements, more = elements[:maxShown], fmt.Sprintf(", and %d more", n)
			}
			return "{" + strings.Join(elements, ", ") + more + "}"
		}
	}
	return ""
}

// quiet runs f in an environment whose errors nobody sees. All constants, ranges and
// sets have been evaluated, so f changes nothing.
func (i *Info) quiet(f func(env *eval.Env)) bool {
	env := *i.env
	env.Errs = nil
	return env.Guard(func() { f(&env) })
}

func (i *Info) constant(name string) (v eval.Value, ok bool) {
	i.quiet(func(env *eval.Env) { v, ok = env.Constant(name) })
	return v, ok
}

// bounds returns the bounds of a range of the file.
func (i *Info) bounds(name string) (lo, hi int, ok bool) {
	i.quiet(func(env *eval.Env) {
		var l, h int32
		l, h, ok = env.Range(name)
		lo, hi = int(l), int(h)
	})
	return lo, hi, ok
}

// elements returns the elements of a set of the file, in order, which must not be changed.
func (i *Info) elements(name string) (list []string, ok bool) {
	i.quiet(func(env *eval.Env) { list, ok = env.Set(name) })
	return list, ok
}

// Eval returns the value of an expression; false if it is no constant number, since it
// has parameters or index variables in it, or stands for a label, or is wrong.
func (i *Info) Eval(e *syntax.Expr) (value int, ok bool) {
	ok = i.quiet(func(env *eval.Env) { value = int(env.Scope(nil).Number(e)) })
	return value, ok
}

// Env is the environment in which the file was checked, for package fsp, which
// evaluates the rest.
func (i *Info) Env() *eval.Env { return i.env }
