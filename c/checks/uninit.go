package checks

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/seltl/seltl/c/ir"
)

// mostParts bounds the scalars of a variable that CheckUninit follows.
const mostParts = 256

// part is a scalar in a variable.
type part struct {
	off          int64
	t            *ir.Type
	bitOff, bits int
}

// partsOf lists the scalars of a type but floating point; ok is false for unions and what
// has too many.
func partsOf(t *ir.Type, off int64, all []part) (_ []part, ok bool) {
	switch {
	case t.Kind == ir.Float:
		return all, true
	case t.Scalar():
		return append(all, part{off: off, t: t}), len(all) < mostParts
	case t.Kind == ir.Array && t.Len >= 0 && t.Len <= mostParts:
		for i := range t.Len {
			if all, ok = partsOf(t.Elem, off+i*t.Elem.Size, all); !ok {
				return nil, false
			}
		}
		return all, true
	case t.Kind == ir.Struct && !t.Union:
		for _, f := range t.Fields {
			if f.Bits > 0 {
				all = append(all, part{off + f.Off, f.Type, f.BitOff, f.Bits})
			} else if all, ok = partsOf(f.Type, off+f.Off, all); !ok {
				return nil, false
			}
		}
		return all, len(all) <= mostParts
	}
	return nil, false
}

// watch chooses the variables that CheckUninit follows: locals whose address is not taken
// and whose parts are known. Each gets a companion of the same layout that is not 0 in a
// part without a value.
func (c *checker) watch() {
	taken := map[*ir.Var]bool{}
	visit := func(e ir.Expr) {
		ir.EachExpr(e, func(e ir.Expr) {
			if a, ok := e.(*ir.Addr); ok && a.Of.Var != nil {
				taken[a.Of.Var] = true
			}
		})
	}
	for _, b := range c.f.Blocks {
		for _, i := range b.Instrs {
			ir.EachOperand(i, visit)
			if made, ok := i.(*ir.Call); ok && made.Callee != nil && made.Callee.Name == ir.ArrayRoutine && made.To != nil && made.To.Var != nil {
				c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+made.To.Var.Name)
			}
			if a, ok := i.(*ir.Assign); ok && a.To.Type.Aggregate() { // with an index, which part is copied is not followed
				from := a.Value.(*ir.Load).From
				for _, p := range []ir.Place{a.To, from} {
					if p.Var != nil && (len(p.Index) > 0 || !known(p.Type)) {
						taken[p.Var] = true
					}
				}
			}
		}
		switch t := b.End.(type) {
		case *ir.Branch:
			visit(t.Cond)
		case *ir.Return:
			if t.Value != nil {
				visit(t.Value)
			}
		}
	}
	for _, v := range slices.Clone(c.f.Locals) {
		switch {
		case v.Kind != ir.Local:
		case v.Volatile || taken[v] || !known(v.Type) || v.Type.Kind == ir.Float:
			c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+v.Name)
		default:
			if floating(v.Type) {
				c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+v.Name)
			}
			c.open[v] = &ir.Var{Name: v.Name + " has no value", Type: v.Type, Kind: ir.Temp, Span: v.Span}
			c.f.Locals = append(c.f.Locals, c.open[v])
		}
	}
	c.lost()
}

// lost lists the variables whose parts may go without a value, as a whole, to where they are
// not followed: to globals, parameters and results.
func (c *checker) lost() {
	begun := map[*ir.Var]bool{} // parts may have no value
	copied := map[*ir.Var][]*ir.Var{}
	leaves := map[*ir.Var]bool{}
	leave := func(e ir.Expr) {
		if l, ok := e.(*ir.Load); ok && l.From.Var != nil && l.Type().Aggregate() {
			leaves[l.From.Var] = true
		}
	}
	for _, b := range c.f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ir.Havoc:
				begun[i.To.Var] = begun[i.To.Var] || i.Why == ir.Uninitialised
			case *ir.Assign:
				if c.open[i.To.Var] == nil {
					leave(i.Value)
				} else if l, ok := i.Value.(*ir.Load); ok && l.From.Var != nil && l.Type().Aggregate() {
					copied[l.From.Var] = append(copied[l.From.Var], i.To.Var)
				}
			case *ir.Call:
				for _, a := range i.Args {
					leave(a)
				}
			}
		}
		if t, ok := b.End.(*ir.Return); ok && t.Value != nil {
			leave(t.Value)
		}
	}
	for work := slices.Collect(maps.Keys(begun)); len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range copied[v] {
			if begun[v] && !begun[to] {
				begun[to], work = true, append(work, to)
			}
		}
	}
	for v := range leaves {
		if c.open[v] != nil && begun[v] {
			c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+v.Name)
		}
	}
}

// floating reports parts of floating types, which are not followed.
func floating(t *ir.Type) bool {
	switch t.Kind {
	case ir.Array:
		return floating(t.Elem)
	case ir.Struct:
		return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return floating(f.Type) })
	}
	return t.Kind == ir.Float
}

func known(t *ir.Type) bool { _, ok := partsOf(t, 0, nil); return ok }

// flagTypes are those of companions, by size.
var flagTypes = sync.OnceValue(func() map[int64]*ir.Type {
	all := map[int64]*ir.Type{}
	for _, size := range []int64{1, 2, 4, 8} {
		all[size] = &ir.Type{Kind: ir.Integer, Size: size, Name: ir.IntegerName(size, false, false)}
	}
	return all
})

// flag is the companion of a scalar place, nil if it is not followed.
func (c *checker) flag(p ir.Place) *ir.Place {
	if p.Var == nil || c.open[p.Var] == nil || !p.Type.Scalar() {
		return nil
	}
	p.Var = c.open[p.Var]
	if p.Bits == 0 {
		p.Type = flagTypes()[p.Type.Size]
	}
	return &p
}

// value checks that a place which is read has a value.
func (c *checker) value(p ir.Place) {
	if f := c.flag(p); f != nil {
		c.fail(fmt.Sprintf("%s has no value", p), c.relate(ir.Ne, &ir.Load{From: *f}, &ir.Const{T: f.Type, Bits: 0}))
	}
}

// set notes for the parts of a place whether they have a value.
func (c *checker) set(p ir.Place, open uint64) {
	if p.Var == nil || c.open[p.Var] == nil {
		return
	}
	parts, _ := partsOf(p.Type, p.Off, nil)
	if p.Bits > 0 {
		parts = []part{{p.Off, p.Type, p.BitOff, p.Bits}}
	}
	for _, l := range parts {
		f := c.flag(ir.Place{Var: p.Var, Off: l.off, Index: p.Index, Type: l.t, BitOff: l.bitOff, Bits: l.bits})
		c.now.Instrs = append(c.now.Instrs, &ir.Assign{To: *f, Value: &ir.Const{T: f.Type, Bits: open}, Span: c.span})
	}
}

// openAll is done where the routine begins.
func (c *checker) openAll() {
	for _, v := range c.f.Locals {
		if c.open[v] != nil {
			c.span = v.Span
			c.set(ir.Whole(v), 1)
		}
	}
}

// after notes what an instruction gives values to.
func (c *checker) after(i ir.Instr) {
	switch i := i.(type) {
	case *ir.Havoc:
		open := uint64(1)
		if i.Why != ir.Uninitialised {
			open = 0
		}
		c.set(i.To, open)
	case *ir.Clear:
		c.set(i.To, 0)
	case *ir.Call:
		if i.To != nil {
			c.set(*i.To, 0)
		}
	case *ir.Assign:
		from, ok := i.Value.(*ir.Load)
		if !i.To.Type.Aggregate() || !ok || from.From.Var == nil || c.open[from.From.Var] == nil {
			c.set(i.To, 0)
			return
		}
		c.copied(i.To, from.From)
	}
}

// copied gives the parts of a place the companions' values of another one, if it is followed.
func (c *checker) copied(to, from ir.Place) {
	parts, _ := partsOf(from.Type, 0, nil)
	for _, l := range parts {
		src := ir.Place{Var: from.Var, Off: from.Off + l.off, Type: l.t, BitOff: l.bitOff, Bits: l.bits}
		dst := src
		dst.Var, dst.Off = to.Var, to.Off+l.off
		if f := c.flag(dst); f != nil {
			c.now.Instrs = append(c.now.Instrs, &ir.Assign{To: *f, Value: &ir.Load{From: *c.flag(src)}, Span: c.span})
		}
	}
}
