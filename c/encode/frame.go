package encode

import "github.com/seltl/seltl/c/ir"

// Frame is an activation of a routine: calls are inlined, so that each place of the
// encoding belongs to one.
type Frame struct {
	Func   *ir.Func
	Caller *Frame  // nil: the routine that the program begins with
	Call   ir.Span // where Caller calls it
	Depth  int     // how many calls it is inside of
}

// FrameOf is the activation that an edge belongs to: of a call, that of the caller. Edges
// that belong to none, at the beginning, have nil.
func (e *Encoding) FrameOf(edge int) *Frame { return e.edges[edge].frame }

// Quiet reports an edge of which the source has nothing at its place.
func (e *Encoding) Quiet(edge int) bool { return e.edges[edge].quiet }

// Source is the activation of a routine of the sources that one belongs to: of a routine
// that seltl has a body of its own for, that of its caller.
func (f *Frame) Source() *Frame {
	for f != nil && f.Func.Library && f.Caller != nil {
		f = f.Caller
	}
	return f
}

// root is the routine that is not inlined.
func (f *Frame) root() *ir.Func {
	if f == nil {
		return nil
	}
	for f.Caller != nil {
		f = f.Caller
	}
	return f.Func
}

// enter is the activation of a routine that a call makes.
func (f *Frame) enter(g *ir.Func, at ir.Span) *Frame {
	if f == nil {
		return &Frame{Func: g}
	}
	return &Frame{Func: g, Caller: f, Call: f.place(at), Depth: f.Depth + 1}
}

// active reports that a routine has an activation that has not ended.
func (f *Frame) active(g *ir.Func) bool {
	for ; f != nil; f = f.Caller {
		if f.Func == g {
			return true
		}
	}
	return false
}

// place is where something in an activation stands, for people: of seltl's own bodies of
// library routines, where they are called.
func (f *Frame) place(span ir.Span) ir.Span {
	if f != nil && f.Func.Library && f.Caller != nil {
		return f.Call
	}
	return span
}
