package ir

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
