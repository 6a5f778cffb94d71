package sim

import (
	"slices"

	"github.com/seltl/seltl/program/cfront"
)

// drawnMark stands behind values of variables that the program has given none.
const drawnMark = " (drawn)"

// drawnVariables are the locals that get a value on a line though the program says none: a
// declaration without an initial value that nothing else on its line assigns to. By line, as in
// placeText, and routine; names are those of Held.
func (s *Program) drawnVariables() map[string]map[*cfront.Func][]string {
	all := map[string]map[*cfront.Func][]string{}
	for _, p := range s.c.Parts {
		for _, f := range p.Procedure.Program.Funcs {
			drawn, assigned := writtenBy(f)
			for place, names := range drawn {
				names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(assigned[place], name) })
				if all[place] == nil {
					all[place] = map[*cfront.Func][]string{}
				}
				all[place][f] = names
			}
		}
	}
	return all
}

// writtenBy are the variables that a routine leaves to chance, and those that it assigns to, by line.
func writtenBy(f *cfront.Func) (drawn, assigned map[string][]string) {
	drawn, assigned = map[string][]string{}, map[string][]string{}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if !i.At().Valid() {
				continue
			}
			place := placeText(i.At())
			switch i := i.(type) {
			case *cfront.Havoc:
				switch {
				case i.To.Var == nil:
				case i.Why == cfront.Uninitialised:
					drawn[place] = append(drawn[place], i.To.Var.Name)
				default:
					assigned[place] = append(assigned[place], i.To.Var.Name)
				}
			case *cfront.Assign:
				if i.To.Var != nil {
					assigned[place] = append(assigned[place], i.To.Var.Name)
				}
			case *cfront.Call:
				if i.To != nil && i.To.Var != nil {
					assigned[place] = append(assigned[place], i.To.Var.Name)
				}
			}
		}
	}
	return drawn, assigned
}

// returnedText says what the routine that a component begins with has returned: its value only
// where every return says one.
func returnedText(f *cfront.Func, out *cfront.Outcome) string {
	text := "has returned"
	if !f.Type.Result.Scalar() {
		return text
	}
	for _, b := range f.Blocks {
		if r, ok := b.End.(*cfront.Return); ok && r.Value == nil {
			return text
		}
	}
	return text + " " + cfront.Number(f.Type.Result, out.Value)
}
