package assumptions

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// TrustedArguments are the library's routines, in order, in what runs from a routine come to, whose
// arguments are not looked at though C says what they have to be: characters of <ctype.h>, and, where
// null pointers or bounds are checked, pointers that are given to what has no body here.
func TrustedArguments(p *ir.Program, entry *ir.Func) (all []string) {
	found, pointed := map[string]bool{}, p.Pointed()
	pointers := p.Checks(ir.CheckNull) || p.Checks(ir.CheckBounds) || p.Checks(ir.CheckMemory)
	trust := func(g *ir.Func, args []ir.Expr) {
		if name := plainNameOf(g); slices.Contains(ir.OfCharacters, name) && len(args) == 1 && !character(args[0]) || pointers && trusts(g, args) {
			found[name] = true
		}
	}
	for _, f := range reachedFrom(entry, pointed) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*ir.Call)
				switch {
				case !ok:
				case c.Callee != nil && c.Callee.Sorting != nil: // that the comparison orders the elements
					name, _, _ := strings.Cut(ir.PlainName(c.Callee.Name), "@")
					found[name] = true
				case c.Callee == nil: // others have stand-ins
					for g := range pointed {
						if g.Extern() && g.Known != nil {
							trust(g, c.Args)
						}
					}
				case (!f.Library || f.StandsIn) && isLibrary(c.Callee):
					trust(c.Callee, c.Args)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// character reports a value that is one of unsigned char, or EOF, whatever the program does.
func character(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Const:
		return int32(e.Bits) >= -1 && int32(e.Bits) <= 255
	case *ir.Convert:
		from := e.X.Type()
		return from.Kind == ir.Integer && !from.Signed && from.Size == 1
	}
	return false
}

// trusts reports that a routine without a body is given pointers that are not only string literals.
func trusts(f *ir.Func, args []ir.Expr) bool {
	if !f.Extern() || f.Known == nil || f.Known.Meaning == ir.AsOwn || f.Known.Meaning == ir.AsFormat || f.Known.Meaning == ir.AsRefused {
		return false
	}
	return slices.ContainsFunc(args, func(a ir.Expr) bool {
		if a.Type().Kind != ir.Pointer {
			return false
		}
		for {
			c, converted := a.(*ir.Convert)
			if !converted {
				break
			}
			a = c.X
		}
		addr, is := a.(*ir.Addr)
		return !is || addr.Of.Var == nil || addr.Of.Var.Literal == ""
	})
}
