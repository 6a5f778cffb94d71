package cfront

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// ends lets feof() be 0 until a read has come to the end.
func (l *linker) ends() {
	asked := false
	l.eachCall(func(_ *ir.Func, c *ir.Call) { asked = asked || ir.Indicator(c.Callee) == ir.AsksEnd && c.To != nil })
	if main := l.opts.Entry == "" || l.opts.Entry == "main"; !asked || !main || l.opts.NoEntry { // who calls another routine may have read
		return
	}
	int_ := l.types.int()
	ended := ir.Whole(l.newGlobal("end of input", int_, ir.Span{}))
	for _, f := range l.prog.Funcs {
		if f.Library && (ir.PlainName(f.Name) == "read" || ir.PlainName(f.Name) == "recv") {
			continue // of no stream
		}
		for _, b := range f.Blocks {
			for k := 0; k < len(b.Instrs); k++ {
				c, ok := b.Instrs[k].(*ir.Call)
				if !ok {
					continue
				}
				var behind ir.Instr
				switch {
				case ir.Indicator(c.Callee) == ir.AsksEnd && c.To != nil:
					none := ir.Fold(&ir.Binary{Op: ir.Eq, X: &ir.Load{From: *c.To}, Y: &ir.Const{T: c.To.Type, Bits: 0}, T: int_})
					behind = &ir.Assume{Cond: l.either(none, &ir.Load{From: ended}), Span: c.Span}
				case c.Callee != nil && ir.ReadsCharacter(c.Callee) && c.To != nil && c.To.Type == int_:
					none := ir.Fold(&ir.Binary{Op: ir.Lt, X: &ir.Load{From: *c.To}, Y: &ir.Const{T: int_, Bits: 0}, T: int_})
					behind = &ir.Assign{To: ended, Value: l.either(none, &ir.Load{From: ended}), Span: c.Span}
				case l.mayEnd(c), c.Callee != nil && ir.ClosesStream(ir.PlainName(c.Callee.Name)): // behind which nothing is said of it
					behind = &ir.Assign{To: ended, Value: &ir.Const{T: int_, Bits: 1}, Span: c.Span}
				default:
					continue
				}
				k++
				b.Instrs = slices.Insert(b.Instrs, k, behind)
			}
		}
	}
}

// either is one of two numbers that is not 0, or 0.
func (l *linker) either(x, y ir.Expr) ir.Expr {
	return ir.Fold(&ir.Binary{Op: ir.BitOr, X: x, Y: y, T: l.types.int()})
}

// mayEnd reports a call that may read to the end: of routines that read, and of all that nothing is known of.
func (l *linker) mayEnd(c *ir.Call) bool {
	f := c.Callee
	switch {
	case f == nil:
		return true // what it calls by a pointer
	case !f.Extern():
		return false
	case l.prog.Scans[f] != nil || ir.ReadsCharacter(f):
		return true
	case l.isInput(f):
		return false
	case f.Known == nil:
		return !strings.HasPrefix(f.Name, "__VERIFIER_")
	}
	return slices.ContainsFunc([]string{"getc", "getw", "getdelim", "getline", "gets", "scanf", "read", "flow"}, func(reads string) bool { return strings.Contains(f.Name, reads) })
}

// isInput reports a routine that stands for a choice.
func (l *linker) isInput(f *ir.Func) bool {
	for _, g := range l.inputs {
		if f == g {
			return true
		}
	}
	return false
}
