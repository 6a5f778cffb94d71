package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// changedConstants are the variables that are declared const, and the string literals, which some
// routine that is called may change through a pointer, sorted.
func (p *pointsTo) changedConstants(entry *ir.Func, funcs, conditions []*ir.Func) []string {
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
					if t.obj.v == nil {
						continue
					}
					for _, name := range t.obj.v.Constants(t.off, t.off+max(to.Type.Size, 1)) {
						changed[name] = true
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// destination is where an instruction stores; nil where it does not.
func destination(i ir.Instr) *ir.Place {
	switch i := i.(type) {
	case *ir.Assign:
		return &i.To
	case *ir.Havoc:
		return &i.To
	case *ir.Clear:
		return &i.To
	case *ir.Call:
		return i.To
	}
	return nil
}
