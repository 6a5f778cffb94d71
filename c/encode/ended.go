package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// outlived are the variables whose address is kept where it can be used after the block
// that declares them has ended, sorted: in globals, in allocated memory, in results of their
// routine, and in variables of its callers or of blocks outside. The model keeps their values.
// Arrays of variable length are such variables, and so is what alloca() gives, which ends with
// its routine. Strict is for proofs that no such address is used: then temporaries, which may keep the value of
// a block that is an expression, count, and memory that others know.
func (p *pointsTo) outlived(entry *ir.Func, funcs []*ir.Func, strict bool) []string {
	calls := p.calls(funcs)
	closure(calls) // with what is called in turn
	outlives := func(o *object, f *ir.Func, depth int) bool {
		switch {
		case o.value:
			return o == p.results[f] || strict && (o == p.unknown || o == p.garbage)
		case o.owner == nil:
			return f != entry || depth > 0
		case o.v.Kind == ir.Temp && (!strict || o.owner != f):
			return false
		case o.owner == f:
			return o.v.Depth < depth
		}
		return calls[o.owner][f]
	}
	kept := map[string]bool{}
	in := stackSites(funcs)
	for o, cells := range p.held {
		for _, held := range cells {
			for t := range held {
				at := t.obj
				if at.owner != nil && at.v.Kind != ir.Temp && outlives(o, at.owner, at.v.Depth) {
					kept[at.owner.Name+"."+at.v.Name] = true
				}
				switch f := in[at.site]; {
				case at.site == nil || f == nil:
				case at.scoped && at.site.To != nil && at.site.To.Var != nil && o.v != at.site.To.Var && outlives(o, f, arrayDepth(f, at.site.To.Var)):
					kept[f.Name+"."+at.site.To.Var.Name] = true
				case !at.scoped && outlives(o, f, 0):
					kept[f.Name+".alloca()"] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(kept))
}

// arrayDepth is how deep an array of variable length is declared: a jump back to a label in front of its declaration
// ends it, too, and what is declared beside it goes on (C11 6.2.4, 7).
func arrayDepth(f *ir.Func, v *ir.Var) int {
	if len(f.Labels) > 0 {
		return v.Depth + 1
	}
	return v.Depth
}

// stackSites are the calls that make what ends with a block or a routine of the program, and
// where they stand.
func stackSites(funcs []*ir.Func) map[*ir.Call]*ir.Func {
	in := map[*ir.Call]*ir.Func{}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*ir.Call)
				if !ok || c.Callee == nil {
					continue
				}
				if allocates, _ := c.Callee.Allocates(); allocates && !c.Callee.OnHeap() {
					in[c] = f
				}
			}
		}
	}
	return in
}
