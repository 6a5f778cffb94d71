package encode

import (
	"maps"
	"slices"
	"strconv"

	"github.com/seltl/seltl/c/cfront"
)

// changedConstants are the variables that are declared const, and the string literals, which some
// routine that is called may change through a pointer, sorted.
func (p *pointsTo) changedConstants(entry *cfront.Func, funcs, conditions []*cfront.Func) []string {
	calls := p.calls(funcs)
	closure(calls)
	changed := map[string]bool{}
	for k, f := range slices.Concat(funcs, conditions) {
		if k < len(funcs) && f != entry && !calls[entry][f] {
			continue
		}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				to := destination(i)
				if to == nil || to.Var != nil {
					if to != nil && k >= len(funcs) && to.Var.Const { // what a specification assigns
						changed[to.Var.Name] = true
					}
					continue
				}
				for _, t := range p.places(*to) {
					switch v := t.obj.v; {
					case v == nil:
					case v.Literal != "":
						changed[strconv.Quote(v.Literal[:len(v.Literal)-1])] = true
					case v.Const:
						changed[v.Name] = true
					default:
						for _, name := range constantMembers(v.Type, v.Name, 0, t.off, t.off+max(to.Type.Size, 1)) {
							changed[name] = true
						}
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// constantMembers are the members of a type that are const, in what lies between two offsets; the type begins at at.
func constantMembers(t *cfront.Type, name string, at, from, until int64) (all []string) {
	switch {
	case at >= until || t.Size < 0 || at+t.Size <= from:
	case t.Kind == cfront.Array && t.Elem.Size > 0:
		for i := max(0, (from-at)/t.Elem.Size); i < t.Len && at+i*t.Elem.Size < until; i++ {
			all = append(all, constantMembers(t.Elem, name+"["+strconv.FormatInt(i, 10)+"]", at+i*t.Elem.Size, from, until)...)
		}
	case t.Kind == cfront.Struct:
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

// destination is where an instruction stores; nil where it does not.
func destination(i cfront.Instr) *cfront.Place {
	switch i := i.(type) {
	case *cfront.Assign:
		return &i.To
	case *cfront.Havoc:
		return &i.To
	case *cfront.Clear:
		return &i.To
	case *cfront.Call:
		return i.To
	}
	return nil
}
