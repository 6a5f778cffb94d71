package encode

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// apart rewrites a program so that some of its routines have no arguments and no results:
// these are passed in globals. A local of theirs whose address is taken becomes memory that
// each activation allocates, if several activations can live at a time.
type apart struct {
	kept    map[*cfront.Func]*keptRoutine // by the routine of the program before
	funcs   map[*cfront.Func]*cfront.Func // what routines have become
	wrapped map[*cfront.Func]*cfront.Func // what pointers to kept routines point to now
	lifted  map[*cfront.Var]*cfront.Var   // locals that are allocated, with the pointers to them
	stacked map[*cfront.Call]*cfront.Var  // the calls that allocate, with the locals
	silent  map[cfront.Instr]bool         // results of routines that end without one
	used    map[*cfront.Call]bool         // calls whose result is used
	// outlived are those of stacked whose locals a pointer may be kept to that lives longer: see outlives.
	outlived map[*cfront.Call]bool
	alloca   *cfront.Func
	pointer  int64
	prog     *cfront.Program
}

// keptRoutine is one that is not inlined.
type keptRoutine struct {
	now    *cfront.Func
	args   []*cfront.Var
	result *cfront.Var // nil: there is none
}

func wholeOf(v *cfront.Var) cfront.Place { return cfront.Place{Var: v, Type: v.Type} }

func loadOf(v *cfront.Var) cfront.Expr { return &cfront.Load{From: wholeOf(v)} }

// separate rewrites a program. The routines of repeated can have several activations at a
// time.
func separate(p *cfront.Program, kept, repeated map[*cfront.Func]bool) *apart {
	a := &apart{kept: map[*cfront.Func]*keptRoutine{}, funcs: map[*cfront.Func]*cfront.Func{}, wrapped: map[*cfront.Func]*cfront.Func{},
		lifted: map[*cfront.Var]*cfront.Var{}, stacked: map[*cfront.Call]*cfront.Var{}, silent: map[cfront.Instr]bool{}, used: map[*cfront.Call]bool{}, pointer: p.Model.PointerSize()}
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
func (a *apart) keep(f, g *cfront.Func) {
	k := &keptRoutine{now: g}
	global := func(name string, t *cfront.Type) *cfront.Var {
		v := &cfront.Var{Name: f.Name + ":" + name, Type: t, Kind: cfront.Global, Span: f.Span}
		a.prog.Globals = append(a.prog.Globals, v)
		return v
	}
	for _, p := range f.Params {
		k.args = append(k.args, global(p.Name, p.Type))
	}
	if r := f.Type.Result; r != nil && r.Kind != cfront.Void {
		k.result = global("result", r)
	}
	g.Params, g.Locals = nil, append(slices.Clone(f.Params), f.Locals...)
	a.kept[f] = k
}

// lift finds the locals of a routine whose address is taken.
func (a *apart) lift(f *cfront.Func) {
	taken := addressed(f)
	for _, v := range slices.Concat(f.Params, f.Locals) {
		if taken[v] {
			t := &cfront.Type{Kind: cfront.Pointer, Size: a.pointer, Elem: v.Type, Name: v.Type.Name + " *"}
			a.lifted[v] = &cfront.Var{Name: "&" + v.Name, Type: t, Kind: cfront.Temp, Span: v.Span}
		}
	}
}

// addressed are the variables whose address a routine takes.
func addressed(f *cfront.Func) map[*cfront.Var]bool {
	taken := map[*cfront.Var]bool{}
	var expr func(e cfront.Expr)
	place := func(p cfront.Place) {
		if p.Ptr != nil {
			expr(p.Ptr)
		}
		for _, i := range p.Index {
			expr(i.By)
		}
	}
	expr = func(e cfront.Expr) {
		switch e := e.(type) {
		case *cfront.Load:
			place(e.From)
		case *cfront.Addr:
			if e.Of.Var != nil {
				taken[e.Of.Var] = true
			}
			place(e.Of)
		case *cfront.Unary:
			expr(e.X)
		case *cfront.Binary:
			expr(e.X)
			expr(e.Y)
		case *cfront.Convert:
			expr(e.X)
		case *cfront.Move:
			expr(e.P)
			expr(e.By)
		case *cfront.Distance:
			expr(e.P)
			expr(e.Q)
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			visitInstr(i, place, expr)
		}
		switch t := b.End.(type) {
		case *cfront.Branch:
			expr(t.Cond)
		case *cfront.Return:
			if t.Value != nil {
				expr(t.Value)
			}
		}
	}
	return taken
}

// visitInstr goes through the places and expressions of an instruction.
func visitInstr(i cfront.Instr, place func(cfront.Place), expr func(cfront.Expr)) {
	switch i := i.(type) {
	case *cfront.Assign:
		place(i.To)
		expr(i.Value)
	case *cfront.Havoc:
		place(i.To)
	case *cfront.Clear:
		place(i.To)
	case *cfront.Assume:
		expr(i.Cond)
	case *cfront.Use:
		expr(i.Value)
	case *cfront.Call:
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
func (a *apart) rewrite(f, g *cfront.Func) {
	g.Locals = slices.Clone(g.Locals)
	blocks := map[*cfront.Block]*cfront.Block{}
	g.Blocks = nil
	first := a.prologue(f)
	if first != nil {
		g.Blocks = append(g.Blocks, first)
	}
	for _, b := range f.Blocks {
		c := &cfront.Block{Index: len(g.Blocks), Label: b.Label, Also: b.Also}
		blocks[b] = c
		g.Blocks = append(g.Blocks, c)
	}
	if first != nil {
		first.End = &cfront.Jump{To: blocks[f.Blocks[0]], Span: f.Span}
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
		case *cfront.Jump:
			c.End = &cfront.Jump{To: blocks[t.To], Span: t.Span}
		case *cfront.Branch:
			c.End = &cfront.Branch{Cond: a.expr(t.Cond), Then: blocks[t.Then], Else: blocks[t.Else], Span: t.Span}
		case *cfront.Return:
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
func (a *apart) returned(k *keptRoutine, r cfront.Return) cfront.Instr {
	if r.Value != nil {
		return &cfront.Assign{To: wholeOf(k.result), Value: r.Value, Span: r.Span}
	}
	i := &cfront.Havoc{To: wholeOf(k.result), Span: r.Span}
	a.silent[i] = true
	return i
}

// prologue allocates locals, and takes the arguments out of their globals.
func (a *apart) prologue(f *cfront.Func) *cfront.Block {
	b := &cfront.Block{}
	for _, v := range slices.Concat(f.Params, f.Locals) {
		p := a.lifted[v]
		if p == nil {
			continue
		}
		to := wholeOf(p)
		size := &cfront.Type{Kind: cfront.Integer, Size: a.pointer, Name: "size_t"}
		c := &cfront.Call{To: &to, Callee: a.allocating(), Args: []cfront.Expr{&cfront.Const{T: size, Bits: uint64(max(v.Type.Size, 1))}}, Span: f.Span}
		a.stacked[c] = v
		b.Instrs = append(b.Instrs, c)
	}
	if k := a.kept[f]; k != nil {
		for n, p := range f.Params {
			b.Instrs = append(b.Instrs, &cfront.Assign{To: a.place(wholeOf(p)), Value: loadOf(k.args[n]), Span: f.Span})
		}
	} else if len(b.Instrs) == 0 {
		return nil
	}
	return b
}

// allocating is a routine that allocates.
func (a *apart) allocating() *cfront.Func {
	if a.alloca == nil {
		void := &cfront.Type{Kind: cfront.Pointer, Size: a.pointer, Elem: &cfront.Type{Kind: cfront.Void, Name: "void"}, Name: "void *"}
		a.alloca = &cfront.Func{Name: "__builtin_alloca", Known: cfront.KnownAs("__builtin_alloca"), Type: &cfront.Type{Kind: cfront.Function, Size: -1, Result: void, Name: "void *()"}}
		a.prog.Funcs = append(a.prog.Funcs, a.alloca)
	}
	return a.alloca
}

// wrapper is a routine that is inlined, and calls a kept one: what pointers to that point to.
func (a *apart) wrapper(f *cfront.Func) *cfront.Func {
	if a.wrapped[f] != nil {
		return a.wrapped[f]
	}
	g := &cfront.Func{Name: f.Name, Type: f.Type, Span: f.Span}
	a.wrapped[f] = g
	a.prog.Funcs = append(a.prog.Funcs, g)
	for _, p := range f.Params {
		v := *p
		v.Name = "to " + p.Name
		g.Params = append(g.Params, &v)
	}
	args := lists.Append(nil, g.Params, loadOf)
	k := a.kept[f]
	b := &cfront.Block{Instrs: a.called(k, &cfront.Call{Callee: f, Args: args, Span: f.Span})}
	end := &cfront.Return{Span: f.Span}
	if k.result != nil {
		end.Value = loadOf(k.result)
	}
	b.End = end
	g.Blocks = []*cfront.Block{b}
	return g
}

// called are the instructions of a call of a kept routine, whose arguments are rewritten.
func (a *apart) called(k *keptRoutine, c *cfront.Call) (all []cfront.Instr) {
	for n, v := range k.args {
		if n < len(c.Args) {
			all = append(all, &cfront.Assign{To: wholeOf(v), Value: c.Args[n], Span: c.Span})
		}
	}
	call := &cfront.Call{Callee: k.now, Span: c.Span}
	a.used[call] = c.To != nil
	all = append(all, call)
	if c.To != nil && k.result != nil {
		all = append(all, &cfront.Assign{To: *c.To, Value: loadOf(k.result), Span: c.Span})
	}
	return all
}

func (a *apart) instr(i cfront.Instr) []cfront.Instr {
	switch i := i.(type) {
	case *cfront.Assign:
		return []cfront.Instr{&cfront.Assign{To: a.place(i.To), Value: a.expr(i.Value), Span: i.Span}}
	case *cfront.Havoc:
		c := *i
		c.To = a.place(i.To)
		return []cfront.Instr{&c}
	case *cfront.Clear:
		return []cfront.Instr{&cfront.Clear{To: a.place(i.To), Span: i.Span}}
	case *cfront.Assume:
		return []cfront.Instr{&cfront.Assume{Cond: a.expr(i.Cond), Span: i.Span}}
	case *cfront.Use:
		return []cfront.Instr{&cfront.Use{Value: a.expr(i.Value), Span: i.Span}}
	case *cfront.Call:
		c := &cfront.Call{Span: i.Span}
		if i.To != nil {
			to := a.place(*i.To)
			c.To = &to
		}
		for _, e := range i.Args {
			c.Args = append(c.Args, a.expr(e))
		}
		if i.Ptr != nil {
			c.Ptr = a.expr(i.Ptr)
			return []cfront.Instr{c}
		}
		if k := a.kept[i.Callee]; k != nil {
			return a.called(k, c)
		}
		c.Callee = a.funcs[i.Callee]
		if c.Callee == nil {
			c.Callee = i.Callee
		}
		return []cfront.Instr{c}
	}
	return []cfront.Instr{i}
}

func (a *apart) place(p cfront.Place) cfront.Place {
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

func (a *apart) expr(e cfront.Expr) cfront.Expr {
	switch e := e.(type) {
	case *cfront.Load:
		return &cfront.Load{From: a.place(e.From)}
	case *cfront.Addr:
		return &cfront.Addr{Of: a.place(e.Of), Len: e.Len, T: e.T}
	case *cfront.FuncAddr:
		if a.kept[e.Func] != nil {
			return &cfront.FuncAddr{Func: a.wrapper(e.Func), T: e.T}
		}
		if g := a.funcs[e.Func]; g != nil {
			return &cfront.FuncAddr{Func: g, T: e.T}
		}
	case *cfront.Unary:
		return &cfront.Unary{Op: e.Op, X: a.expr(e.X)}
	case *cfront.Binary:
		return &cfront.Binary{Op: e.Op, X: a.expr(e.X), Y: a.expr(e.Y), T: e.T}
	case *cfront.Convert:
		return &cfront.Convert{X: a.expr(e.X), T: e.T}
	case *cfront.Move:
		return &cfront.Move{P: a.expr(e.P), By: a.expr(e.By), Stride: e.Stride, T: e.T}
	case *cfront.Distance:
		return &cfront.Distance{P: a.expr(e.P), Q: a.expr(e.Q), Stride: e.Stride, T: e.T}
	}
	return e
}

// calls are the routines that each one calls, directly or by pointers.
func (p *pointsTo) calls(funcs []*cfront.Func) map[*cfront.Func]map[*cfront.Func]bool {
	all := map[*cfront.Func]map[*cfront.Func]bool{}
	for _, f := range funcs {
		all[f] = map[*cfront.Func]bool{}
		p.eachCall(f, func(g *cfront.Func) { all[f][g] = true })
	}
	return all
}

// sites are the numbers of places where routines are called.
func (p *pointsTo) sites(funcs []*cfront.Func) map[*cfront.Func]int {
	all := map[*cfront.Func]int{}
	for _, f := range funcs {
		p.eachCall(f, func(g *cfront.Func) { all[g]++ })
	}
	return all
}

// eachCall goes through the calls of a routine, and what each may call.
func (p *pointsTo) eachCall(f *cfront.Func, do func(called *cfront.Func)) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch c, ok := i.(*cfront.Call); {
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
func closure(calls map[*cfront.Func]map[*cfront.Func]bool) {
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
func (a *apart) computed(repeated map[*cfront.Func]bool, funcs []*cfront.Func) error {
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*cfront.Call); ok && repeated[f] && c.Callee != nil && c.Callee.Name == cfront.ArrayRoutine {
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
