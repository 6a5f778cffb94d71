package cfront

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// What a routine of the library writes through its arguments, and nobody knows (a time, what is known of a file, an
// address that a connection comes from), is a whole object each, of the type that is pointed to.

// outputs lets the calls of a routine fill what the library writes, before them: what is called reads none of it.
func (l *linker) outputs(f *ir.Func) {
	for n := 0; n < len(f.Blocks); n++ {
		b := f.Blocks[n]
		for i := 0; i < len(b.Instrs); i++ {
			c, ok := b.Instrs[i].(*ir.Call)
			if !ok || c.Filled || c.Callee == nil || !c.Callee.Extern() || c.Callee.Known == nil || len(c.Callee.Known.Outputs) == 0 || slices.Contains(l.opts.Abstract, c.Callee.Name) || c.Callee.Known.UnknownObject(c) {
				continue
			}
			c.Filled = true
			for _, out := range c.Callee.Known.Outputs {
				if out.Arg < len(c.Args) && !ir.IsNull(c.Args[out.Arg]) {
					b = l.output(f, b, slices.Index(b.Instrs, ir.Instr(c)), c, out)
				}
			}
			i = slices.Index(b.Instrs, ir.Instr(c))
		}
	}
}

// output fills one object before a call, and returns the block that the call is in then.
func (l *linker) output(f *ir.Func, b *ir.Block, at int, c *ir.Call, out ir.Output) *ir.Block {
	to := c.Args[out.Arg]
	t := ir.ElementOf(to)
	var fill []ir.Instr
	for k := range out.Count {
		fill = append(fill, &ir.Havoc{To: ir.Place{Ptr: ir.Fold(&ir.Convert{X: to, T: l.types.pointer(t)}), Off: k * t.Size, Type: t}, Why: ir.Told, Span: c.Span})
	}
	address, simple := ir.Unconverted(to).(*ir.Addr)
	if simple && address.Of.Var != nil && out.Room < 0 {
		b.Instrs = slices.Insert(b.Instrs, at, fill...)
		return b
	}
	call := split(f, b, at)
	fills := &ir.Block{Instrs: fill, End: &ir.Jump{To: call}}
	f.Blocks = append(f.Blocks, fills)
	if out.Room >= 0 && out.Room < len(c.Args) {
		length := ir.ElementOf(c.Args[out.Room])
		if length == nil {
			length = l.types.integer(4, false, false)
		}
		void := &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}
		less := &ir.Block{Instrs: []ir.Instr{&ir.Call{Callee: l.own("__seltl_room", void), Span: c.Span}}, End: &ir.Stop{What: "an object that is too small", Span: c.Span}}
		said := &ir.Load{From: ir.Place{Ptr: ir.Fold(&ir.Convert{X: c.Args[out.Room], T: l.types.pointer(length)}), Type: length}}
		asks := &ir.Block{End: &ir.Branch{Cond: ir.Fold(&ir.Binary{Op: ir.Le, X: said, Y: &ir.Const{T: length, Bits: uint64(t.Size)}, T: l.types.int()}), Then: fills, Else: less, Span: c.Span}}
		f.Blocks = append(f.Blocks, asks, less)
		fills = asks
	}
	b.End = &ir.Branch{Cond: ir.Fold(&ir.Binary{Op: ir.Ne, X: to, Y: &ir.Const{T: to.Type(), Bits: 0}, T: l.types.int()}), Then: fills, Else: call, Span: c.Span}
	return call
}
