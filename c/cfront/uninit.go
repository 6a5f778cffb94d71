package cfront

import (
	"fmt"
	"maps"
	"slices"
)

// mostParts bounds the scalars of a variable that CheckUninit follows.
const mostParts = 256

// part is a scalar in a variable.
type part struct {
	off          int64
	t            *Type
	bitOff, bits int
}

// partsOf lists the scalars of a type but floating point; ok is false for unions and what
// has too many.
func partsOf(t *Type, off int64, all []part) (_ []part, ok bool) {
	switch {
	case t.Kind == Float:
		return all, true
	case t.Scalar():
		return append(all, part{off: off, t: t}), len(all) < mostParts
	case t.Kind == Array && t.Len >= 0 && t.Len <= mostParts:
		for i := range t.Len {
			if all, ok = partsOf(t.Elem, off+i*t.Elem.Size, all); !ok {
				return nil, false
			}
		}
		return all, true
	case t.Kind == Struct && !t.Union:
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
	taken := map[*Var]bool{}
	visit := func(e Expr) {
		eachExpr(e, func(e Expr) {
			if a, ok := e.(*Addr); ok && a.Of.Var != nil {
				taken[a.Of.Var] = true
			}
		})
	}
	for _, b := range c.f.Blocks {
		for _, i := range b.Instrs {
			eachOperand(i, visit)
			if made, ok := i.(*Call); ok && made.Callee != nil && made.Callee.Name == ArrayRoutine && made.To != nil && made.To.Var != nil {
				c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+made.To.Var.Name)
			}
			if a, ok := i.(*Assign); ok && a.To.Type.Aggregate() { // with an index, which part is copied is not followed
				from := a.Value.(*Load).From
				for _, p := range []Place{a.To, from} {
					if p.Var != nil && (len(p.Index) > 0 || !known(p.Type)) {
						taken[p.Var] = true
					}
				}
			}
		}
		switch t := b.End.(type) {
		case *Branch:
			visit(t.Cond)
		case *Return:
			if t.Value != nil {
				visit(t.Value)
			}
		}
	}
	for _, v := range slices.Clone(c.f.Locals) {
		switch {
		case v.Kind != Local:
		case v.Volatile || taken[v] || !known(v.Type) || v.Type.Kind == Float:
			c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+v.Name)
		default:
			if floating(v.Type) {
				c.prog.NotChecked = append(c.prog.NotChecked, c.f.Name+"."+v.Name)
			}
			c.open[v] = &Var{Name: v.Name + " has no value", Type: v.Type, Kind: Temp, Span: v.Span}
			c.f.Locals = append(c.f.Locals, c.open[v])
		}
	}
	c.lost()
}

// lost lists the variables whose parts may go without a value, as a whole, to where they are
// not followed: to globals, parameters and results.
func (c *checker) lost() {
	begun := map[*Var]bool{} // parts may have no value
	copied := map[*Var][]*Var{}
	leaves := map[*Var]bool{}
	leave := func(e Expr) {
		if l, ok := e.(*Load); ok && l.From.Var != nil && l.Type().Aggregate() {
			leaves[l.From.Var] = true
		}
	}
	for _, b := range c.f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *Havoc:
				begun[i.To.Var] = begun[i.To.Var] || i.Why == Uninitialised
			case *Assign:
				if c.open[i.To.Var] == nil {
					leave(i.Value)
				} else if l, ok := i.Value.(*Load); ok && l.From.Var != nil && l.Type().Aggregate() {
					copied[l.From.Var] = append(copied[l.From.Var], i.To.Var)
				}
			case *Call:
				for _, a := range i.Args {
					leave(a)
				}
			}
		}
		if t, ok := b.End.(*Return); ok && t.Value != nil {
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
func floating(t *Type) bool {
	switch t.Kind {
	case Array:
		return floating(t.Elem)
	case Struct:
		return slices.ContainsFunc(t.Fields, func(f Field) bool { return floating(f.Type) })
	}
	return t.Kind == Float
}

func known(t *Type) bool { _, ok := partsOf(t, 0, nil); return ok }

// flagTypes are those of companions, by size.
var flagTypes = map[int64]*Type{}

func init() {
	for _, size := range []int64{1, 2, 4, 8} {
		flagTypes[size] = &Type{Kind: Integer, Size: size, Name: integerName(size, false, false)}
	}
}

// flag is the companion of a scalar place, nil if it is not followed.
func (c *checker) flag(p Place) *Place {
	if p.Var == nil || c.open[p.Var] == nil || !p.Type.Scalar() {
		return nil
	}
	p.Var = c.open[p.Var]
	if p.Bits == 0 {
		p.Type = flagTypes[p.Type.Size]
	}
	return &p
}

// value checks that a place which is read has a value.
func (c *checker) value(p Place) {
	if f := c.flag(p); f != nil {
		c.fail(fmt.Sprintf("%s has no value", p), c.relate(Ne, &Load{*f}, &Const{f.Type, 0}))
	}
}

// set notes for the parts of a place whether they have a value.
func (c *checker) set(p Place, open uint64) {
	if p.Var == nil || c.open[p.Var] == nil {
		return
	}
	parts, _ := partsOf(p.Type, p.Off, nil)
	if p.Bits > 0 {
		parts = []part{{p.Off, p.Type, p.BitOff, p.Bits}}
	}
	for _, l := range parts {
		f := c.flag(Place{Var: p.Var, Off: l.off, Index: p.Index, Type: l.t, BitOff: l.bitOff, Bits: l.bits})
		c.now.Instrs = append(c.now.Instrs, &Assign{To: *f, Value: &Const{f.Type, open}, Span: c.span})
	}
}

// openAll is done where the routine begins.
func (c *checker) openAll() {
	for _, v := range c.f.Locals {
		if c.open[v] != nil {
			c.span = v.Span
			c.set(whole(v), 1)
		}
	}
}

// after notes what an instruction gives values to.
func (c *checker) after(i Instr) {
	switch i := i.(type) {
	case *Havoc:
		open := uint64(1)
		if i.Why != Uninitialised {
			open = 0
		}
		c.set(i.To, open)
	case *Clear:
		c.set(i.To, 0)
	case *Call:
		if i.To != nil {
			c.set(*i.To, 0)
		}
	case *Assign:
		from, ok := i.Value.(*Load)
		if !i.To.Type.Aggregate() || !ok || from.From.Var == nil || c.open[from.From.Var] == nil {
			c.set(i.To, 0)
			return
		}
		c.copied(i.To, from.From)
	}
}

// copied gives the parts of a place the companions' values of another one, if it is followed.
func (c *checker) copied(to, from Place) {
	parts, _ := partsOf(from.Type, 0, nil)
	for _, l := range parts {
		src := Place{Var: from.Var, Off: from.Off + l.off, Type: l.t, BitOff: l.bitOff, Bits: l.bits}
		dst := src
		dst.Var, dst.Off = to.Var, to.Off+l.off
		if f := c.flag(dst); f != nil {
			c.now.Instrs = append(c.now.Instrs, &Assign{To: *f, Value: &Load{*c.flag(src)}, Span: c.span})
		}
	}
}

// eachOperand visits the expressions of an instruction.
func eachOperand(i Instr, visit func(Expr)) {
	place := func(p Place) { visit(&Load{p}) }
	switch i := i.(type) {
	case *Assign:
		visit(i.Value)
		place(i.To)
	case *Havoc:
		place(i.To)
	case *Clear:
		place(i.To)
	case *Assume:
		visit(i.Cond)
	case *Use:
		visit(i.Value)
	case *Call:
		if i.Ptr != nil {
			visit(i.Ptr)
		}
		for _, a := range i.Args {
			visit(a)
		}
		if i.To != nil {
			place(*i.To)
		}
	}
}

// eachExpr visits an expression and its parts.
func eachExpr(e Expr, visit func(Expr)) {
	visit(e)
	operands(e, func(part Expr) { eachExpr(part, visit) })
}
