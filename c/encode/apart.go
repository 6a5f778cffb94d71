package encode

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// apart rewrites a program so that some of its routines have no arguments and no results:
// these are passed in globals. A local of theirs whose address is taken becomes memory that
// each activation allocates, if several activations can live at a time.
type apart struct {
	kept    map[*ir.Func]*keptRoutine // by the routine of the program before
	funcs   map[*ir.Func]*ir.Func     // what routines have become
	wrapped map[*ir.Func]*ir.Func     // what pointers to kept routines point to now
	lifted  map[*ir.Var]*ir.Var       // locals that are allocated, with the pointers to them
	stacked map[*ir.Call]*ir.Var      // the calls that allocate, with the locals
	silent  map[ir.Instr]bool         // results of routines that end without one
	used    map[*ir.Call]bool         // calls whose result is used
	// outlived are those of stacked whose locals a pointer may be kept to that lives longer: see outlives.
	outlived map[*ir.Call]bool
	alloca   *ir.Func
	pointer  int64
	prog     *ir.Program
}

// keptRoutine is one that is not inlined.
type keptRoutine struct {
	now    *ir.Func
	args   []*ir.Var
	result *ir.Var // nil: there is none
}

func wholeOf(v *ir.Var) ir.Place { return ir.Place{Var: v, Type: v.Type} }

func loadOf(v *ir.Var) ir.Expr { return &ir.Load{From: wholeOf(v)} }

// separate rewrites a program. The routines of repeated can have several activations at a
// time.
func separate(p *ir.Program, kept, repeated map[*ir.Func]bool) *apart {
	a := &apart{kept: map[*ir.Func]*keptRoutine{}, funcs: map[*ir.Func]*ir.Func{}, wrapped: map[*ir.Func]*ir.Func{},
		lifted: map[*ir.Var]*ir.Var{}, stacked: map[*ir.Call]*ir.Var{}, silent: map[ir.Instr]bool{}, used: map[*ir.Call]bool{}, pointer: p.Model.PointerSize()}
	prog := *p
	a.prog, prog.Funcs, prog.Globals = &prog, nil, slices.Clone(p.Globals)
	for _, f := range p.Funcs {
		g := *f
		a.funcs[f] = &g
		prog.Funcs = append(prog.Funcs, &g)
		if kept[f] {
			a.keep(f, &g)
		}
	}
	for _, f := range p.Funcs {
		if repeated[f] {
			a.lift(f)
		}
	}
	for _, f := range p.Funcs {
		a.rewrite(f, a.funcs[f])
	}
	first := *p.Init
	a.rewrite(p.Init, &first)
	prog.Init = &first
	return a
}

// keep makes the globals of a routine.
func (a *apart) keep(f, g *ir.Func) {
	k := &keptRoutine{now: g}
	global := func(name string, t *ir.Type) *ir.Var {
		v := &ir.Var{Name: f.Name + ":" + name, Type: t, Kind: ir.Global, Span: f.Span}
		a.prog.Globals = append(a.prog.Globals, v)
		return v
	}
	for _, p := range f.Params {
		k.args = append(k.args, global(p.Name, p.Type))
	}
	if r := f.Type.Result; r != nil && r.Kind != ir.Void {
		k.result = global("result", r)
	}
	g.Params, g.Locals = nil, append(slices.Clone(f.Params), f.Locals...)
	a.kept[f] = k
}

// lift finds the locals of a routine whose address is taken.
func (a *apart) lift(f *ir.Func) {
	taken := addressed(f)
	for _, v := range slices.Concat(f.Params, f.Locals) {
		if taken[v] {
			t := &ir.Type{Kind: ir.Pointer, Size: a.pointer, Elem: v.Type, Name: v.Type.Name + " *"}
			a.lifted[v] = &ir.Var{Name: "&" + v.Name, Type: t, Kind: ir.Temp, Span: v.Span}
		}
	}
}

// addressed are the variables whose address a routine takes.
func addressed(f *ir.Func) map[*ir.Var]bool {
	taken := map[*ir.Var]bool{}
	var expr func(e ir.Expr)
	place := func(p ir.Place) {
		if p.Ptr != nil {
			expr(p.Ptr)
		}
		for _, i := range p.Index {
			expr(i.By)
		}
	}
	expr = func(e ir.Expr) {
		switch e := e.(type) {
		case *ir.Load:
			place(e.From)
		case *ir.Addr:
			if e.Of.Var != nil {
				taken[e.Of.Var] = true
			}
			place(e.Of)
		case *ir.Unary:
			expr(e.X)
		case *ir.Binary:
			expr(e.X)
			expr(e.Y)
		case *ir.Convert:
			expr(e.X)
		case *ir.Move:
			expr(e.P)
			expr(e.By)
		case *ir.Distance:
			expr(e.P)
			expr(e.Q)
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			visitInstr(i, place, expr)
		}
		switch t := b.End.(type) {
		case *ir.Branch:
			expr(t.Cond)
		case *ir.Return:
			if t.Value != nil {
				expr(t.Value)
			}
		}
	}
	return taken
}

// visitInstr goes through the places and expressions of an instruction.
func visitInstr(i ir.Instr, place func(ir.Place), expr func(ir.Expr)) {
	switch i := i.(type) {
	case *ir.Assign:
		place(i.To)
		expr(i.Value)
	case *ir.Havoc:
		place(i.To)
	case *ir.Clear:
		place(i.To)
	case *ir.Assume:
		expr(i.Cond)
	case *ir.Use:
		expr(i.Value)
	case *ir.Call:
		if i.To != nil {
			place(*i.To)
		}
		if i.Ptr != nil {
			expr(i.Ptr)
		}
		for _, e := range i.Args {
			expr(e)
		}
	}
}

// rewrite makes the new body of a routine.
func (a *apart) rewrite(f, g *ir.Func) {
	g.Locals = slices.Clone(g.Locals)
	blocks := map[*ir.Block]*ir.Block{}
	g.Blocks = nil
	first := a.prologue(f)
	if first != nil {
		g.Blocks = append(g.Blocks, first)
	}
	for _, b := range f.Blocks {
		c := &ir.Block{Index: len(g.Blocks), Label: b.Label, Also: b.Also}
		blocks[b] = c
		g.Blocks = append(g.Blocks, c)
	}
	if first != nil {
		first.End = &ir.Jump{To: blocks[f.Blocks[0]], Span: f.Span}
	}
	for _, v := range slices.Concat(f.Params, f.Locals) {
		if p := a.lifted[v]; p != nil {
			g.Locals = append(g.Locals, p)
		}
	}
	k := a.kept[f]
	for _, b := range f.Blocks {
		c := blocks[b]
		for _, i := range b.Instrs {
			c.Instrs = append(c.Instrs, a.instr(i)...)
		}
		switch t := b.End.(type) {
		case *ir.Jump:
			c.End = &ir.Jump{To: blocks[t.To], Span: t.Span}
		case *ir.Branch:
			c.End = &ir.Branch{Cond: a.expr(t.Cond), Then: blocks[t.Then], Else: blocks[t.Else], Span: t.Span}
		case *ir.Return:
			end := *t
			if end.Value != nil {
				end.Value = a.expr(end.Value)
			}
			if k != nil && k.result != nil {
				c.Instrs = append(c.Instrs, a.returned(k, end))
				end.Value = nil
			}
			c.End = &end
		default:
			c.End = b.End
		}
	}
}

// returned is the assignment of a result.
func (a *apart) returned(k *keptRoutine, r ir.Return) ir.Instr {
	if r.Value != nil {
		return &ir.Assign{To: wholeOf(k.result), Value: r.Value, Span: r.Span}
	}
	i := &ir.Havoc{To: wholeOf(k.result), Span: r.Span}
	a.silent[i] = true
	return i
}

// prologue allocates locals, and takes the arguments out of their globals.
func (a *apart) prologue(f *ir.Func) *ir.Block {
	b := &ir.Block{}
	for _, v := range slices.Concat(f.Params, f.Locals) {
		p := a.lifted[v]
		if p == nil {
			continue
		}
		to := wholeOf(p)
		size := &ir.Type{Kind: ir.Integer, Size: a.pointer, Name: "size_t"}
		c := &ir.Call{To: &to, Callee: a.allocating(), Args: []ir.Expr{&ir.Const{T: size, Bits: uint64(max(v.Type.Size, 1))}}, Span: f.Span}
		a.stacked[c] = v
		b.Instrs = append(b.Instrs, c)
	}
	if k := a.kept[f]; k != nil {
		for n, p := range f.Params {
			b.Instrs = append(b.Instrs, &ir.Assign{To: a.place(wholeOf(p)), Value: loadOf(k.args[n]), Span: f.Span})
		}
	} else if len(b.Instrs) == 0 {
		return nil
	}
	return b
}

// allocating is a routine that allocates.
func (a *apart) allocating() *ir.Func {
	if a.alloca == nil {
		void := &ir.Type{Kind: ir.Pointer, Size: a.pointer, Elem: &ir.Type{Kind: ir.Void, Name: "void"}, Name: "void *"}
		a.alloca = &ir.Func{Name: "__builtin_alloca", Known: ir.KnownAs("__builtin_alloca"), Type: &ir.Type{Kind: ir.Function, Size: -1, Result: void, Name: "void *()"}}
		a.prog.Funcs = append(a.prog.Funcs, a.alloca)
	}
	return a.alloca
}

// wrapper is a routine that is inlined, and calls a kept one: what pointers to that point to.
func (a *apart) wrapper(f *ir.Func) *ir.Func {
	if a.wrapped[f] != nil {
		return a.wrapped[f]
	}
	g := &ir.Func{Name: f.Name, Type: f.Type, Span: f.Span}
	a.wrapped[f] = g
	a.prog.Funcs = append(a.prog.Funcs, g)
	for _, p := range f.Params {
		v := *p
		v.Name = "to " + p.Name
		g.Params = append(g.Params, &v)
	}
	args := lists.Append(nil, g.Params, loadOf)
	k := a.kept[f]
	b := &ir.Block{Instrs: a.called(k, &ir.Call{Callee: f, Args: args, Span: f.Span})}
	end := &ir.Return{Span: f.Span}
	if k.result != nil {
		end.Value = loadOf(k.result)
	}
	b.End = end
	g.Blocks = []*ir.Block{b}
	return g
}

// called are the instructions of a call of a kept routine, whose arguments are rewritten.
func (a *apart) called(k *keptRoutine, c *ir.Call) (all []ir.Instr) {
	for n, v := range k.args {
		if n < len(c.Args) {
			all = append(all, &ir.Assign{To: wholeOf(v), Value: c.Args[n], Span: c.Span})
		}
	}
	call := &ir.Call{Callee: k.now, Span: c.Span}
	a.used[call] = c.To != nil
	all = append(all, call)
	if c.To != nil && k.result != nil {
		all = append(all, &ir.Assign{To: *c.To, Value: loadOf(k.result), Span: c.Span})
	}
	return all
}

func (a *apart) instr(i ir.Instr) []ir.Instr {
	switch i := i.(type) {
	case *ir.Assign:
		return []ir.Instr{&ir.Assign{To: a.place(i.To), Value: a.expr(i.Value), Span: i.Span}}
	case *ir.Havoc:
		c := *i
		c.To = a.place(i.To)
		return []ir.Instr{&c}
	case *ir.Clear:
		return []ir.Instr{&ir.Clear{To: a.place(i.To), Span: i.Span}}
	case *ir.Assume:
		return []ir.Instr{&ir.Assume{Cond: a.expr(i.Cond), Span: i.Span}}
	case *ir.Use:
		return []ir.Instr{&ir.Use{Value: a.expr(i.Value), Span: i.Span}}
	case *ir.Call:
		c := &ir.Call{Span: i.Span}
		if i.To != nil {
			to := a.place(*i.To)
			c.To = &to
		}
		for _, e := range i.Args {
			c.Args = append(c.Args, a.expr(e))
		}
		if i.Ptr != nil {
			c.Ptr = a.expr(i.Ptr)
			return []ir.Instr{c}
		}
		if k := a.kept[i.Callee]; k != nil {
			return a.called(k, c)
		}
		c.Callee = a.funcs[i.Callee]
		if c.Callee == nil {
			c.Callee = i.Callee
		}
		return []ir.Instr{c}
	}
	return []ir.Instr{i}
}

func (a *apart) place(p ir.Place) ir.Place {
	if at := a.lifted[p.Var]; at != nil {
		p.Var, p.Ptr = nil, loadOf(at)
	} else if p.Ptr != nil {
		p.Ptr = a.expr(p.Ptr)
	}
	p.Index = slices.Clone(p.Index)
	for k := range p.Index {
		p.Index[k].By = a.expr(p.Index[k].By)
	}
	return p
}

func (a *apart) expr(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Load:
		return &ir.Load{From: a.place(e.From)}
	case *ir.Addr:
		return &ir.Addr{Of: a.place(e.Of), Len: e.Len, T: e.T}
	case *ir.FuncAddr:
		if a.kept[e.Func] != nil {
			return &ir.FuncAddr{Func: a.wrapper(e.Func), T: e.T}
		}
		if g := a.funcs[e.Func]; g != nil {
			return &ir.FuncAddr{Func: g, T: e.T}
		}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: a.expr(e.X)}
	case *ir.Binary:
		return &ir.Binary{Op: e.Op, X: a.expr(e.X), Y: a.expr(e.Y), T: e.T}
	case *ir.Convert:
		return &ir.Convert{X: a.expr(e.X), T: e.T}
	case *ir.Move:
		return &ir.Move{P: a.expr(e.P), By: a.expr(e.By), Stride: e.Stride, T: e.T}
	case *ir.Distance:
		return &ir.Distance{P: a.expr(e.P), Q: a.expr(e.Q), Stride: e.Stride, T: e.T}
	}
	return e
}

// calls are the routines that each one calls, directly or by pointers.
func (p *pointsTo) calls(funcs []*ir.Func) map[*ir.Func]map[*ir.Func]bool {
	all := map[*ir.Func]map[*ir.Func]bool{}
	for _, f := range funcs {
		all[f] = map[*ir.Func]bool{}
		p.eachCall(f, func(g *ir.Func) { all[f][g] = true })
	}
	return all
}

// sites are the numbers of places where routines are called.
func (p *pointsTo) sites(funcs []*ir.Func) map[*ir.Func]int {
	all := map[*ir.Func]int{}
	for _, f := range funcs {
		p.eachCall(f, func(g *ir.Func) { all[g]++ })
	}
	return all
}

// eachCall goes through the calls of a routine, and what each may call.
func (p *pointsTo) eachCall(f *ir.Func, do func(called *ir.Func)) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch c, ok := i.(*ir.Call); {
			case !ok:
			case c.Callee != nil:
				do(c.Callee)
			default:
				for _, g := range p.routines(c.Ptr) {
					do(g)
				}
			}
		}
	}
}

// closure adds what is called in turn.
func closure(calls map[*ir.Func]map[*ir.Func]bool) {
	for changed := true; changed; {
		changed = false
		for _, all := range calls {
			before := len(all)
			for _, g := range slices.Collect(maps.Keys(all)) {
				maps.Copy(all, calls[g])
			}
			changed = changed || len(all) > before
		}
	}
}

// computed refuses arrays of computed sizes in routines that can have several activations.
func (a *apart) computed(repeated map[*ir.Func]bool, funcs []*ir.Func) error {
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok && repeated[f] && c.Callee != nil && c.Callee.Name == ir.ArrayRoutine {
					var errs source.List
					errs.Errorf(c.Span, "c-recursion", "an array of a computed size in %s, which can be active several times at once, is not followed", f.Name).Help = "give it a constant size, or allocate it"
					return errs.Err()
				}
			}
		}
	}
	return nil
}

// liftedNames are the locals that are allocated, for people.
func (a *apart) liftedNames() (all []string) {
	for f := range a.funcs {
		for _, v := range slices.Concat(f.Params, f.Locals) {
			if a.lifted[v] != nil {
				all = append(all, fmt.Sprintf("%s.%s", f.Name, v.Name))
			}
		}
	}
	slices.Sort(all)
	return all
}
