package cfront

import "strconv"

// Constants are the names of what is constant of a variable between two offsets: all of one that is declared const and
// of a string literal, members that are.
func (v *Var) Constants(from, until int64) []string {
	switch {
	case v.Literal != "":
		return []string{strconv.Quote(v.Literal[:len(v.Literal)-1])}
	case v.Const:
		return []string{v.Name}
	}
	return constantMembers(v.Type, v.Name, 0, from, until)
}

// constantMembers are the members of a type that are const, in what lies between two offsets; the type begins at at.
func constantMembers(t *Type, name string, at, from, until int64) (all []string) {
	switch {
	case at >= until || t.Size < 0 || at+t.Size <= from:
	case t.Kind == Array && t.Elem.Size > 0:
		for i := max(0, (from-at)/t.Elem.Size); i < t.Len && at+i*t.Elem.Size < until; i++ {
			all = append(all, constantMembers(t.Elem, name+"["+strconv.FormatInt(i, 10)+"]", at+i*t.Elem.Size, from, until)...)
		}
	case t.Kind == Struct:
		for _, f := range t.Fields {
			if off := at + f.Off; f.Const && off < until && off+f.Type.Size > from {
				all = append(all, name+"."+f.Name)
			} else if !f.Const {
				all = append(all, constantMembers(f.Type, name+"."+f.Name, off, from, until)...)
			}
		}
	}
	return all
}

// changes takes down that something is stored at a place that a pointer leads to. To change what is constant is
// undefined (C11 6.7.3, 6), and most machines end the run there.
func (m *Machine) changes(to Place, at access) {
	if to.Var != nil || at.o.v == nil || m.guess != "" {
		return
	}
	v, t := at.o.v, at.o.v.Type
	for t.Kind == Array {
		t = t.Elem
	}
	if v.Literal == "" && !v.Const && t.Kind != Struct {
		return
	}
	off, size := at.span()
	if names := v.Constants(off, off+size); len(names) > 0 {
		m.decided(m.guesses.label(guess{why: "what becomes of the constant " + names[0] + ", which is changed"}))
	}
}
