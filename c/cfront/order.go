package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// orders are the places of a routine where C leaves the order open, while it is lowered.
type orders struct {
	log   []any // all that was emitted, and values
	last  int   // behind the last of them that changes something
	pairs []emitted
}

// emitted is an openOrder by positions in what was emitted.
type emitted struct {
	from, between, to int
	object            *ir.Var
	span              ir.Span
}

// someEffects reports a list of initialisers with one that has an effect.
func someEffects(list *cc.InitializerList) bool {
	for ; list != nil; list = list.InitializerList {
		if i := list.Initializer; i.AssignmentExpression != nil && hasEffects(i.AssignmentExpression) || someEffects(i.InitializerList) {
			return true
		}
	}
	return false
}

func (o *orders) value(e ir.Expr) {
	if e != nil {
		o.log = append(o.log, e)
	}
}

// target says what an assignment stores to, and reads first, if it is no simple one.
func (o *orders) target(p ir.Place, reads bool) {
	o.log = append(o.log, ir.Stored(p))
	if reads {
		o.value(&ir.Load{From: p})
	} else {
		p.Operands(o.value)
	}
}

// openOrder says that the order of two evaluations is open, what was emitted from a position on, and
// from another one. Where neither changes anything, it makes no difference.
func (r *routine) openOrder(from, between int, n cc.Node, object *ir.Var) {
	if r.orders.last > from {
		r.orders.pairs = append(r.orders.pairs, emitted{from, between, len(r.orders.log), object, r.span(n)})
	}
}

// emits takes down an instruction, or the end of a block.
func (o *orders) emits(x any) {
	o.log = append(o.log, x)
	switch x := x.(type) {
	case *ir.Use, *ir.Jump, *ir.Branch, *ir.Return:
		return
	case *ir.Assign:
		if x.To.Var != nil && x.To.Var.Kind == ir.Temp {
			return
		}
	}
	o.last = len(o.log)
}

// keep gives them to the routine.
func (o *orders) keep(f *ir.Func) {
	for _, p := range o.pairs {
		f.Unordered = append(f.Unordered, ir.Unordered{Left: o.log[p.from:p.between], Right: o.log[p.between:p.to], Object: p.object, Span: p.span})
	}
}
