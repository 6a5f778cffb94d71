package ir

import "slices"

// NamedVar is a variable by its name in the source.
type NamedVar struct {
	Name   string
	Type   *Type
	Static bool
	// Volatile is Var.Volatile: what the routine of a condition declares is not.
	Volatile bool
}

// Named is what a name means in a condition about a routine of the program: a parameter, or else
// the first local or static variable that the routine declares under it. False: none of them.
func (p *Program) Named(f *Func, name string) (NamedVar, bool) {
	var found *Var
	static := false
	for _, v := range f.Params {
		if v.Name == name {
			return NamedVar{Name: name, Type: v.Type, Volatile: v.Volatile}, true
		}
	}
	for _, v := range f.Locals {
		if v.Name == name && v.Kind != Temp {
			found = v
			break
		}
	}
	for _, v := range p.Globals {
		if v.Name == StaticName(f, name) && (found == nil || v.Span.Start < found.Span.Start) {
			found, static = v, true
		}
	}
	if found == nil {
		return NamedVar{}, false
	}
	return NamedVar{name, found.Type, static, found.Volatile}, true
}

// StaticName is the name of a routine's first static variable of a name.
func StaticName(f *Func, name string) string { return f.Name + "." + name }

// Namesakes are the variables of a routine by those of a condition that stand for them.
func Namesakes(condition, f *Func) map[*Var]*Var {
	all := map[*Var]*Var{}
	for _, v := range slices.Concat(condition.Params, condition.Locals) {
		for _, own := range slices.Concat(f.Params, f.Locals) {
			if own.Name == v.Name && own.Kind != Temp && own.Type.Size == v.Type.Size {
				all[v] = own
			}
		}
	}
	return all
}
