package cfront

import (
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
)

// variables is a set of variables.
type variables map[*ir.Var]bool

// dropUnread removes choices of first values that nothing reads: of scalars whose address
// is not taken and that are assigned before they are read on every way (live
// variables, backwards). Variables with one of the names are read by conditions.
func dropUnread(f *ir.Func, spoken map[string]bool) {
	candidates := variables{}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if v := unassigned(i); v != nil && !spoken[v.Name] {
				candidates[v] = true
			}
		}
	}
	if len(candidates) == 0 {
		return
	}
	taken := &reads{of: variables{}, addresses: true}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			taken.instr(i)
		}
		taken.end(b.End)
	}
	for v := range taken.of {
		delete(candidates, v)
	}
	live := map[*ir.Block]variables{}
	for changed := true; changed; {
		changed = false
		for k := len(f.Blocks) - 1; k >= 0; k-- {
			b := f.Blocks[k]
			if before := liveBefore(b, live, candidates, nil); len(before) > len(live[b]) {
				live[b], changed = before, true
			}
		}
	}
	for _, b := range f.Blocks {
		unread := map[ir.Instr]bool{}
		liveBefore(b, live, candidates, unread)
		keep := lists.Filter(b.Instrs, func(i ir.Instr) bool { return !unread[i] })
		b.Instrs = keep
	}
}

// unassigned is the variable that an instruction gives any first value, or nil.
func unassigned(i ir.Instr) *ir.Var {
	h, ok := i.(*ir.Havoc)
	if !ok || h.Why != ir.Uninitialised || h.To.Var == nil || h.To.Var.Kind == ir.Global || !h.To.Type.Scalar() || !h.To.Var.Type.Scalar() {
		return nil
	}
	return h.To.Var
}

// liveBefore are the candidates that are read from the beginning of a block on before
// they are assigned; the choices that nothing reads go into unread.
func liveBefore(b *ir.Block, live map[*ir.Block]variables, candidates variables, unread map[ir.Instr]bool) variables {
	now := variables{}
	for _, next := range ir.Following(b) {
		for v := range live[next] {
			now[v] = true
		}
	}
	r := &reads{of: now, among: candidates}
	r.end(b.End)
	for k := len(b.Instrs) - 1; k >= 0; k-- {
		i := b.Instrs[k]
		if v := unassigned(i); unread != nil && v != nil && candidates[v] && !now[v] {
			unread[i] = true
		}
		if to := ir.Destination(i); to != nil && to.Var != nil && to.Type.Size == to.Var.Type.Size {
			delete(now, to.Var)
		}
		r.instr(i)
	}
	return now
}

// reads collects the variables that are read, among some; or whose address is taken.
type reads struct {
	of        variables
	among     variables
	addresses bool
}

func (r *reads) instr(i ir.Instr) {
	if to := ir.Destination(i); to != nil {
		r.inside(*to)
	}
	switch i := i.(type) {
	case *ir.Assign:
		r.expr(i.Value)
	case *ir.Assume:
		r.expr(i.Cond)
	case *ir.Use:
		r.expr(i.Value)
	case *ir.Call:
		r.expr(i.Ptr)
		for _, a := range i.Args {
			r.expr(a)
		}
	}
}

func (r *reads) end(t ir.Terminator) {
	switch t := t.(type) {
	case *ir.Branch:
		r.expr(t.Cond)
	case *ir.Return:
		r.expr(t.Value)
	}
}

// inside are the reads that finding a place needs.
func (r *reads) inside(p ir.Place) { p.Operands(r.expr) }

func (r *reads) expr(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Load:
		if v := e.From.Var; v != nil && !r.addresses && r.among[v] {
			r.of[v] = true
		}
	case *ir.Addr:
		if e.Of.Var != nil && r.addresses {
			r.of[e.Of.Var] = true
		}
	}
	ir.Operands(e, r.expr)
}
