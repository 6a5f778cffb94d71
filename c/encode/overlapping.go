package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// copying are the library's routines that write to where their first argument points what others point to, which
// C leaves undefined where these overlap.
var copying = map[string]bool{"memcpy": true, "mempcpy": true, "memccpy": true, "strcpy": true, "stpcpy": true, "strncpy": true, "stpncpy": true, "strcat": true, "strncat": true, "strlcpy": true, "strlcat": true,
	"sprintf": true, "snprintf": true, "vsprintf": true, "vsnprintf": true, "strxfrm": true, "sscanf": true, "vsscanf": true}

// overlapping are those that runs from a routine may call with parts of one object, sorted; not memcpy where it is
// checked that they are apart.
func (p *pointsTo) overlapping(entry *ir.Func, funcs []*ir.Func, checked bool) []string {
	calls := p.calls(funcs)
	closure(calls)
	found := map[string]bool{}
	for _, f := range funcs {
		if f != entry && !calls[entry][f] || f.Library && !f.StandsIn {
			continue
		}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				name, to, from, size := copies(i)
				if !copying[name] || checked && (name == "memcpy" || name == "mempcpy") {
					continue
				}
				if slices.ContainsFunc(from, func(x ir.Expr) bool { return p.mayOverlap(p.value(to), p.value(x), size) }) {
					found[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// copies is what an instruction copies: by which routine, from where and how many bytes, 0 if that is not known.
func copies(i ir.Instr) (name string, to ir.Expr, from []ir.Expr, size int64) {
	switch i := i.(type) {
	case *ir.Call:
		if i.Callee == nil || len(i.Args) == 0 {
			return "", nil, nil, 0
		}
		from = slices.DeleteFunc(slices.Clone(i.Args[1:]), func(a ir.Expr) bool { return a.Type().Kind != ir.Pointer })
		return ir.UncheckedName(i.Callee.Name), i.Args[0], from, 0
	case *ir.Assign:
		value, is := i.Value.(*ir.Load)
		if is && i.Apart && value.From.Ptr != nil {
			return "memcpy", i.To.Ptr, []ir.Expr{value.From.Ptr}, i.To.Type.Size
		}
	}
	return "", nil, nil, 0
}

// mayOverlap reports that so many bytes at one of some places may overlap with those at one of others; 0 if it is not
// known how many they are.
func (p *pointsTo) mayOverlap(to, from []target, size int64) bool {
	outside := func(t target) bool { return t.obj == p.unknown || t.obj == p.garbage }
	return slices.ContainsFunc(to, func(t target) bool {
		return slices.ContainsFunc(from, func(f target) bool {
			switch {
			case outside(t) || outside(f):
				return (outside(t) || p.escaped[t.obj]) && (outside(f) || p.escaped[f.obj])
			case t.obj != f.obj || t.obj.value || t.obj.fn != nil:
				return false
			}
			known := size > 0 && t.off != anyOffset && f.off != anyOffset
			return !known || t.off < f.off+size && f.off < t.off+size
		})
	})
}
