package assumptions

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// TrustedArguments are the library's routines, in order, in what runs from a routine come to, whose
// arguments are not looked at though C says what they have to be: characters of <ctype.h>, pointers that
// may be null beside a length that may be 0, and, where null pointers or bounds are checked, pointers that are
// given to what has no body here.
func TrustedArguments(p *ir.Program, entry *ir.Func) (all []string) {
	found, pointed := map[string]bool{}, p.Pointed()
	pointers := p.Checks(ir.CheckNull) || p.Checks(ir.CheckBounds) || p.Checks(ir.CheckMemory)
	trust := func(g *ir.Func, args []ir.Expr) {
		if name := plainNameOf(g); slices.Contains(ir.OfCharacters, name) && len(args) == 1 && !character(args[0]) || counted[ir.UncheckedName(g.Name)] && ofNone(args) || pointers && trusts(g, args) {
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

// counted are routines that access as many bytes as their third argument says, or the last, for which compilers take null pointers to be
// none even where these are none.
var counted = map[string]bool{"memcpy": true, "mempcpy": true, "memmove": true, "memset": true, "memcmp": true, "memchr": true, "strncpy": true, "stpncpy": true, "strncat": true, "strncmp": true, "strnlen": true}

// ofNone reports arguments of such a routine of which a pointer may be null, and the length 0.
func ofNone(args []ir.Expr) bool {
	length, constant := args[min(2, len(args)-1)].(*ir.Const) // a checked one has the size of the object behind it
	return !(constant && length.Bits != 0) && slices.ContainsFunc(args, func(a ir.Expr) bool { return a.Type().Kind == ir.Pointer && addressed(a) == nil })
}

// addressed is the variable of which a pointer is the address, or of a part of it; nil where that is not plain to see.
func addressed(e ir.Expr) *ir.Var {
	for {
		switch x := e.(type) {
		case *ir.Convert:
			e = x.X
		case *ir.Addr:
			return x.Of.Var
		default:
			return nil
		}
	}
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
		v := addressed(a)
		return v == nil || v.Literal == ""
	})
}
