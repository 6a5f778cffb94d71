package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/program/cfront"
)

// outlived are the variables whose address is kept where it can be used after the block
// that declares them has ended, sorted: in globals, in allocated memory, in results of their
// routine, and in variables of its callers or of blocks outside. The model keeps their values.
func (p *pointsTo) outlived(entry *cfront.Func, funcs []*cfront.Func) []string {
	calls := p.calls(funcs)
	closure(calls) // with what is called in turn
	outlives := func(o, local *object) bool {
		f, depth := local.owner, local.v.Depth
		switch {
		case o.value:
			return o == p.results[f]
		case o.owner == nil:
			return f != entry || depth > 0
		case o.v.Kind == cfront.Temp:
			return false
		case o.owner == f:
			return o.v.Depth < depth
		}
		return calls[o.owner][f]
	}
	kept := map[string]bool{}
	for o, cells := range p.held {
		for _, held := range cells {
			for t := range held {
				if at := t.obj; at.owner != nil && at.v.Kind != cfront.Temp && outlives(o, at) {
					kept[at.owner.Name+"."+at.v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(kept))
}
