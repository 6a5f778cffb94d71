package encode

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// LoopAt is a loop of the sources, once for each activation of its routine.
type LoopAt struct {
	Func *ir.Func
	Loop *ir.Loop
	// Location is where its condition is about to be evaluated.
	Location int
}

// looped notes the loops of an activation.
func (b *builder) looped(f *ir.Func, begin map[*ir.Block]int) {
	for i := range f.Loops {
		at := f.Loops[i].Test
		for range f.Blocks { // empty blocks are left out of a routine
			jump, is := at.End.(*ir.Jump)
			if _, known := begin[at]; known || !is || len(at.Instrs) > 0 {
				break
			}
			at = jump.To
		}
		if l, known := begin[at]; known && !f.Library {
			b.loops = append(b.loops, LoopAt{f, &f.Loops[i], l})
		}
	}
}

// Spoken is how C speaks, before a loop, of what a variable of Words stands for: an integer or a pointer.
// False: it cannot be spoken of there, or has another name in another routine, or is a part of something that is
// seen in several ways.
func (e *Encoding) Spoken(l LoopAt, variable string) (text string, t *ir.Type, ok bool) {
	c := e.cells[variable]
	if c == nil || c.run != nil || c.obj.v == nil || c.key.off < 0 || c.key.bits > 0 {
		return "", nil, false
	}
	name, v := "", c.obj.v
	if v.Volatile || e.Program.Volatile && !e.Program.PlainVolatile && !v.Type.Scalar() { // each read gives another value
		return "", nil, false
	}
	for n, seen := range l.Loop.Names {
		if seen == v {
			name = n
		}
	}
	if name == "" { // a global that was declared before, and is not hidden
		_, hidden := l.Loop.Names[v.Name]
		if v.Kind != ir.Global || hidden || strings.ContainsAny(v.Name, ".@<") || v.Literal != "" || v.Unnamed || v.Span.File != l.Loop.Span.File || v.Span.Start >= l.Loop.Span.Start {
			return "", nil, false
		}
		name = v.Name
	}
	path, ok := pathTo(v.Type, c.key.off, c.t)
	return name + path, c.t, ok
}

// pathTo is how a scalar at an offset of a type is found: ".x[2]".
func pathTo(t *ir.Type, off int64, scalar *ir.Type) (string, bool) {
	switch {
	case t.Scalar():
		return "", off == 0 && t.Kind == scalar.Kind && t.Size == scalar.Size && t.Signed == scalar.Signed && t.Bool == scalar.Bool
	case t.Kind == ir.Array && t.Elem.Size > 0 && off < t.Size:
		rest, ok := pathTo(t.Elem, off%t.Elem.Size, scalar)
		return fmt.Sprintf("[%d]%s", off/t.Elem.Size, rest), ok
	case t.Kind == ir.Struct && !t.Union:
		for _, f := range t.Fields {
			if f.Bits == 0 && f.Off <= off && off < f.Off+f.Type.Size && f.Name != "" {
				rest, ok := pathTo(f.Type, off-f.Off, scalar)
				return "." + f.Name + rest, ok
			}
		}
	}
	return "", false
}
