package cfront

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// routine lowers one routine. Code that nothing reaches goes into blocks that finish
// throws away.
type routine struct {
	*linker
	*module
	f      *ir.Func
	names  names // of variables
	scopes []map[string]*ir.Var
	now    *ir.Block // where instructions go

	lengths   map[*ir.Var]*ir.Var // of arrays of variable length
	labels    map[string]*ir.Block
	breaks    []exit
	continues []exit
	cases     []map[*cc.LabeledStatement]*ir.Block
	jumps     bool // labels or a switch were seen: declarations may be jumped over
	left      bool // a goto was seen
	orders    orders
	lives     lives
	certain   map[*ir.Var]bool // what is declared before any goto, in no inner block: no jump passes it
	constants bool             // what is computed has to be constant
}

// block makes a block, which is not part of the routine until begin.
func (r *routine) block(label string) *ir.Block { return &ir.Block{Label: label} }

// begin goes on in a block; from the one before, if that has not ended.
func (r *routine) begin(b *ir.Block) {
	if r.now != nil && r.now.End == nil {
		r.now.End = &ir.Jump{To: b}
	}
	r.f.AddBlocks(b)
	r.now = b
}

func (r *routine) emit(i ir.Instr) {
	if r.now.End != nil {
		r.begin(r.block("")) // not reached
	}
	r.now.Instrs = append(r.now.Instrs, i)
	r.orders.emits(i)
}

func (r *routine) end(t ir.Terminator) {
	if r.now.End == nil {
		r.now.End = t
		r.orders.emits(t)
	}
}

// finish throws unreachable blocks away, and leads through empty ones. Where control can
// jump over its declaration, a local has any value from the beginning.
func (r *routine) finish() {
	r.orders.keep(r.f)
	r.endings()
	if names := r.undefinedLabels(); len(names) > 0 {
		refuse(r.f.Span, "c-label", "", "%s has no label %s", r.f.Name, names[0])
	}
	r.f.Labels = slices.Sorted(maps.Keys(r.labels))
	if first := r.f.Blocks[0]; r.jumps {
		var any []ir.Instr
		for _, v := range r.f.Locals {
			if r.certain[v] {
				continue
			}
			if v.First = nil; v.Kind == ir.Local && v.Type.Kind != ir.Float {
				any = append(any, &ir.Havoc{To: ir.Whole(v), Why: ir.Uninitialised, Span: v.Span, Early: true})
			}
		}
		first.Instrs = append(any, first.Instrs...)
	}
	tidy(r.f)
}

// tidy keeps the blocks that can be reached from the first, numbered in order. Jumps that the
// source has are kept, too: runs that are shown come by them, and they are steps.
func tidy(f *ir.Func) {
	skip := func(b *ir.Block) *ir.Block {
		for n := 0; n < len(f.Blocks); n++ {
			j, ok := b.End.(*ir.Jump)
			if !ok || len(b.Instrs) > 0 || j.Span.Valid() || b.Label != "" && (j.To.Label == "" || j.To == b || j.Loops) {
				break
			}
			if b.Label != "" { // two labels of one statement
				for _, l := range append([]string{b.Label}, b.Also...) {
					if !slices.Contains(j.To.Also, l) {
						j.To.Also = append(j.To.Also, l)
					}
				}
			}
			b = j.To
		}
		return b
	}
	reached := map[*ir.Block]bool{}
	work := []*ir.Block{f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if reached[b] {
			continue
		}
		reached[b] = true
		switch t := b.End.(type) {
		case *ir.Jump:
			t.To = skip(t.To)
			work = append(work, t.To)
		case *ir.Branch:
			t.Then, t.Else = skip(t.Then), skip(t.Else)
			work = append(work, t.Then, t.Else)
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *ir.Block) bool { return !reached[b] })
	for i, b := range f.Blocks {
		b.Index = i
	}
}

// declare makes a variable of the innermost scope.
func (r *routine) declare(name string, t *ir.Type, kind ir.VarKind, span ir.Span) *ir.Var {
	v := r.variable(name, t, kind, span)
	if name != "" {
		r.scopes[len(r.scopes)-1][name] = v
	}
	return v
}

// variable makes a variable that has no name in the source's scopes.
func (r *routine) variable(name string, t *ir.Type, kind ir.VarKind, span ir.Span) *ir.Var {
	if name == "" {
		name = "tmp"
	}
	v := &ir.Var{Name: r.names.unique(name), Type: t, Kind: kind, Span: span, Depth: max(len(r.scopes)-2, 0)}
	if kind != ir.Param {
		r.f.Locals = append(r.f.Locals, v)
	}
	if kind == ir.Local {
		r.belongs(v)
	}
	return v
}

// temp makes a temporary.
func (r *routine) temp(t *ir.Type) *ir.Var { return r.variable("tmp", t, ir.Temp, ir.Span{}) }

// lookup finds a variable by name, from the innermost scope on: the parser's own
// resolution binds names of parameters in casts to function pointers wrongly.
func (r *routine) lookup(name string) *ir.Var {
	v := r.innermost(name)
	if v == aRoutine {
		return nil
	}
	if v == nil {
		if v = r.module.vars[name]; v == nil {
			v = r.linker.vars[name]
		}
	}
	if v != nil && v.Unread != nil {
		panic(v.Unread)
	}
	return v
}

// innermost is what a name is in the scopes of the routine, nil if it is nothing there.
func (r *routine) innermost(name string) *ir.Var {
	for _, scope := range slices.Backward(r.scopes) {
		if v := scope[name]; v != nil {
			return v
		}
	}
	return nil
}

// lookupFunc finds a routine by name.
func (r *routine) lookupFunc(name string) *ir.Func {
	if f := r.module.funcs[name]; f != nil {
		return f
	}
	return r.linker.funcs[name]
}

// save keeps a value in a temporary, unless it cannot change.
func (r *routine) save(e ir.Expr, span ir.Span) ir.Expr {
	switch x := e.(type) {
	case *ir.Const, *ir.FuncAddr:
		return e
	case *ir.Convert:
		if a, ok := x.X.(*ir.Addr); ok && x.T.Kind == ir.Pointer && a.Constant() {
			return e
		}
	case *ir.Addr:
		if x.Constant() {
			return e
		}
		// Still that of an array, whose length counts.
		return &ir.Addr{Of: r.freeze(x.Of, span), Len: x.Len, T: x.T}
	case *ir.Load:
		if x.From.Var != nil && x.From.Var.Kind == ir.Temp {
			return e
		}
		if x.From.Type.Kind == ir.Float {
			r.use(e, span)
			return r.anyFloat(x.From.Type)
		}
	}
	e = r.promoteField(e, span) // the temporary is none, and would not be promoted
	t := r.temp(e.Type())
	t.Holds = ir.ShownText(e)
	r.emit(&ir.Assign{To: ir.Whole(t), Value: e, Span: span})
	return &ir.Load{From: ir.Whole(t)}
}

// freeze keeps what the address of a place depends on.
func (r *routine) freeze(p ir.Place, span ir.Span) ir.Place {
	if p.Ptr != nil {
		p.Ptr = r.save(p.Ptr, span)
	}
	p.Index = slices.Clone(p.Index)
	for i := range p.Index {
		p.Index[i].By = r.save(p.Index[i].By, span)
	}
	return p
}

// anyFloat is a value of a floating type, none of which are computed.
func (r *routine) anyFloat(t *ir.Type) ir.Expr { return &ir.Load{From: ir.Whole(r.temp(t))} }

// guess is any value of a scalar type, since it depends on floating point.
func (r *routine) guess(t *ir.Type, span ir.Span) ir.Expr {
	v := r.temp(t)
	r.emit(&ir.Havoc{To: ir.Whole(v), Why: ir.Floating, Span: span})
	return &ir.Load{From: ir.Whole(v)}
}

// store assigns a value that has the type of the place.
func (r *routine) store(p ir.Place, e ir.Expr, span ir.Span) {
	if p.Type.Kind == ir.Float {
		r.use(e, span)
		r.emit(&ir.Havoc{To: p, Why: ir.Floating, Span: span})
		return
	}
	if r == r.linker.inits && e.Type().Kind == ir.Integer {
		if n, ok := integerOf(e); ok {
			e = &ir.Const{T: e.Type(), Bits: ir.Extend(e.Type(), uint64(n))}
		}
	}
	r.emit(&ir.Assign{To: p, Value: e, Span: span})
	r.pad(p, span)
}
