package cfront

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// What surrounds a program may do more than its text says: it changes volatile variables, has no
// memory left, and routines of the C library set errno. What it does is a choice of the run: a call
// of a routine without a body (linker.input).

// read is the value of an expression that names an object at a place.
func (r *routine) read(n cc.ExpressionNode, p ir.Place) ir.Expr {
	if r.reads && p.Ptr != nil && r.volatiles { // $1 has lost what it points to
		r.spokenOf(n)
	}
	switch {
	case !r.changesBehind(n) || p.Type.Kind == ir.Array || p.Type.Kind == ir.Function:
		return r.load(p)
	case r.opts.PlainVolatile:
		r.prog.Volatile = true
		return r.load(p)
	}
	if p.Type.HasPointers() && (r.opts.lives() || slices.Contains(r.opts.Checks, ir.CheckBounds)) { // an end, or outside, of what was stored there
		refuse(r.span(n), "c-volatile", "--volatile=plain, if the program alone changes it", "what a volatile pointer is read as, with --check=bounds or memory, is not followed")
	}
	r.prog.Volatile = true
	r.use(&ir.Load{From: p}, r.span(n))
	if p.Type.Kind == ir.Float {
		return r.anyFloat(p.Type)
	}
	t := r.temp(p.Type)
	t.Holds = ir.ShownText(&ir.Load{From: p})
	to := ir.Whole(t)
	var known []ir.Expr // an address in it is known to who changes it
	if p.Bits == 0 && p.Type.Size >= r.opts.Model.PointerSize() {
		known = []ir.Expr{&ir.Load{From: p}}
	}
	r.emit(&ir.Call{To: &to, Callee: r.input("volatile "+strings.TrimSpace(cc.NodeSource(n)), p.Type), Args: known, Span: r.span(n)})
	if e := (&ir.Load{From: to}); p.Bits > 0 && p.Bits < p.Type.Width() {
		low, high := int64(0), int64(1)<<p.Bits-1
		if p.Type.Signed {
			low, high = -(int64(1) << (p.Bits - 1)), int64(1)<<(p.Bits-1)-1
		}
		for _, i := range r.within(e, low, high, r.span(n)) {
			r.emit(i)
		}
	}
	return &ir.Load{From: to}
}

// changesBehind reports an expression that names a volatile object, or a part of one. What a
// specification says of it is what the program has written.
func (r *routine) changesBehind(n cc.ExpressionNode) bool {
	if !r.types.volatileObject(n) {
		return false
	}
	if r.reads {
		r.spokenOf(n)
	}
	return !r.reads
}

// spokenOf notes what a condition says of something that is volatile, or may be.
func (r *routine) spokenOf(n cc.Node) {
	r.prog.SpeaksOf(strings.TrimSpace(cc.NodeSource(n)))
}

// environment makes choices of what the surroundings do at calls of the library, now that it is known
// which of its routines have bodies.
func (l *linker) environment() {
	l.prog.PlainVolatile, l.prog.MallocFails = l.opts.PlainVolatile, l.opts.MallocFails
	errno := l.prog.Errno()
	l.prog.CalledByName = map[string]bool{}
	for _, f := range l.prog.Funcs {
		f.Specified = slices.Contains(l.opts.Abstract, f.Name)
		for i := 0; i < len(f.Blocks); i++ {
			for k := 0; k < len(f.Blocks[i].Instrs); k++ {
				c, ok := f.Blocks[i].Instrs[k].(*ir.Call)
				if !ok || c.Callee == nil || slices.Contains(l.opts.Abstract, c.Callee.Name) {
					continue
				}
				if c.Callee.Name == errnoRoutine {
					l.setErrno(f, f.Blocks[i], k, c, errno)
					k--
					continue
				}
				if c.Callee.Extern() && c.Callee.Known != nil {
					l.prog.CalledByName[ir.PlainName(c.Callee.Name)] = true
				}
				// C11 7.5, 3: also where there is no error.
				if errno != nil && !c.Told && !strings.HasPrefix(c.Callee.Name, ir.OwnPrefix) && (c.Callee.Extern() && c.Callee.Known != nil || c.Callee.Library && (!f.Library || f.StandsIn) && ir.PlainName(c.Callee.Name) != "__errno_location" && !c.Callee.Known.Errno) {
					c.Told = true
					l.mayTell(f, f.Blocks[i], k, c, errno)
				}
				if c.Callee.Extern() && c.Callee.OnHeap() {
					if l.prog.Allocates = true; l.opts.MallocFails && c.To != nil && !c.Sure {
						c.Sure = true
						l.mayFail(f, f.Blocks[i], k, c)
					}
				}
			}
		}
		for i, b := range f.Blocks { // some are new
			b.Index = i
		}
	}
}

// split makes two blocks of one, in front of an instruction.
func split(f *ir.Func, b *ir.Block, k int) (rest *ir.Block) {
	rest = &ir.Block{Instrs: slices.Clone(b.Instrs[k:]), End: b.End}
	b.Instrs = b.Instrs[:k:k]
	f.AddBlocks(rest)
	return rest
}

// drawn makes a temporary of a routine, and the call that draws its value.
func (l *linker) drawn(f *ir.Func, what string, t *ir.Type, span ir.Span) (*ir.Load, ir.Instr) {
	v := &ir.Var{Name: fmt.Sprintf("drawn@%d", len(f.Locals)), Type: t, Kind: ir.Temp, Depth: passing, Span: span, Holds: what}
	f.Locals = append(f.Locals, v)
	to := ir.Whole(v)
	return &ir.Load{From: to}, &ir.Call{To: &to, Callee: l.input(what, t), Span: span}
}

// mayFail lets the call of a routine that allocates, which stands in a block, give null.
func (l *linker) mayFail(f *ir.Func, b *ir.Block, k int, c *ir.Call) {
	behind := split(f, b, k+1)
	does := split(f, b, k)
	does.End = &ir.Jump{To: behind}
	fails := &ir.Block{Instrs: []ir.Instr{&ir.Assign{To: *c.To, Value: &ir.Const{T: c.To.Type, Bits: 0}, Span: c.Span}}, End: &ir.Jump{To: behind}}
	f.AddBlocks(fails)
	memory, draw := l.drawn(f, ir.MemoryFor+ir.PlainName(c.Callee.Name)+"()", l.types.integer(1, false, true), c.Span)
	b.Instrs = append(b.Instrs, draw)
	b.End = &ir.Branch{Cond: memory, Then: does, Else: fails, Span: c.Span}
}

// atStart says what C says of the beginning of a program (C11 5.1.2.2.1, 7.5): errno is zero, the
// number of arguments is not negative, and the arguments are there. Of a routine that is called
// as main() is, or a component, nothing is known.
func (l *linker) atStart() {
	if errno := l.prog.Errno(); errno != nil {
		errno.Extern = l.opts.Entry != "" || l.opts.NoEntry
	}
	main := l.funcs["main"]
	if l.opts.Entry != "" || l.opts.NoEntry || main == nil || main.Extern() {
		return
	}
	if l.calledAgain(main) {
		return
	}
	l.prog.Hosted = true
	var known []ir.Instr
	if p := main.Params; len(p) > 0 && p[0].Type.Kind == ir.Integer && p[0].Type.Signed {
		known = append(known, &ir.Assume{Cond: ir.Fold(&ir.Binary{Op: ir.Le, X: &ir.Const{T: p[0].Type, Bits: 0}, Y: &ir.Load{From: ir.Whole(p[0])}, T: l.types.int()}), Span: main.Span})
	}
	for _, first := range []struct {
		name   string
		kind   ir.Kind
		number uint64
	}{{"optind", ir.Integer, 1}, {"opterr", ir.Integer, 1}, {"optarg", ir.Pointer, 0}} {
		if v := l.vars[first.name]; v != nil && v.Extern && v.Type.Kind == first.kind {
			known = append(known, &ir.Assign{To: ir.Whole(v), Value: &ir.Const{T: v.Type, Bits: first.number}, Span: main.Span})
		}
	}
	if p := main.Params; len(p) > 1 && p[1].Type.Kind == ir.Pointer {
		known = append(known, &ir.Assume{Cond: ir.Fold(&ir.Binary{Op: ir.Ne, X: &ir.Load{From: ir.Whole(p[1])}, Y: &ir.Const{T: p[1].Type, Bits: 0}, T: l.types.int()}), Span: main.Span})
	}
	main.Blocks[0].Instrs = slices.Concat(known, l.streams(main.Span), main.Blocks[0].Instrs)
}

// calledAgain reports that the program itself may call the routine that it begins with.
func (l *linker) calledAgain(entry *ir.Func) (again bool) {
	l.eachCall(func(_ *ir.Func, c *ir.Call) { again = again || c.Callee == entry })
	for _, f := range append([]*ir.Func{l.prog.Init}, l.prog.Funcs...) {
		f.Expressions(func(e ir.Expr) {
			a, ok := e.(*ir.FuncAddr)
			again = again || ok && a.Func == entry
		})
	}
	return again
}

// streams says that the standard streams that are used point to different objects (C11 7.21.1, 3).
func (l *linker) streams(span ir.Span) (known []ir.Instr) {
	used := map[*ir.Var]bool{}
	for _, f := range l.prog.Funcs {
		f.Expressions(func(e ir.Expr) {
			if load, ok := e.(*ir.Load); ok && load.From.Var != nil {
				used[load.From.Var] = true
			}
		})
	}
	var all []ir.Expr
	for _, v := range l.prog.Globals {
		if v.Stream() && used[v] {
			e := &ir.Load{From: ir.Whole(v)}
			for _, other := range append(all, &ir.Const{T: v.Type, Bits: 0}) {
				known = append(known, &ir.Assume{Cond: ir.Fold(&ir.Binary{Op: ir.Ne, X: e, Y: other, T: l.types.int()}), Span: span})
			}
			all = append(all, e)
		}
	}
	return known
}

// errnoRoutine stands in the library's text for setting errno to a number, or, for 0, for leaving any number in it.
const errnoRoutine = ir.OwnPrefix + "errno"

// setErrno does what such a call says; what is behind it is in another block then.
func (l *linker) setErrno(f *ir.Func, b *ir.Block, k int, c *ir.Call, errno *ir.Var) {
	n, constant := c.Args[0].(*ir.Const)
	switch {
	case errno == nil:
	case constant && n.Bits == 0:
		l.mayTell(f, b, k, c, errno)
	default:
		b.Instrs = slices.Insert(b.Instrs, k, ir.Instr(&ir.Assign{To: ir.Whole(errno), Value: c.Args[0], Span: c.Span}))
		k++
	}
	b.Instrs = slices.Delete(b.Instrs, k, k+1)
}

// mayTell lets the call of a routine of the library set errno behind it, to any number but 0: one that
// is computed does so on machines that nobody knows.
func (l *linker) mayTell(f *ir.Func, b *ir.Block, k int, c *ir.Call, errno *ir.Var) {
	behind := split(f, b, k+1)
	what := ir.ErrnoAfter + ir.PlainName(c.Callee.Name) + "()"
	set := &ir.Block{End: &ir.Jump{To: behind}}
	f.AddBlocks(set)
	var sets ir.Expr
	if c.Callee.Name == errnoRoutine {
		what = ir.ErrnoAfter + ir.PlainName(f.Name) + "()"
	}
	if c.Callee.Library || c.Callee.Name == errnoRoutine {
		flag, draw := l.drawn(f, what, l.types.integer(1, false, true), c.Span)
		b.Instrs = append(b.Instrs, draw)
		some := &ir.Var{Name: fmt.Sprintf("errno@%d", len(f.Locals)), Type: l.types.integer(2, false, false), Kind: ir.Temp, Depth: passing, Span: c.Span}
		f.Locals = append(f.Locals, some)
		number := ir.Fold(&ir.Binary{Op: ir.Add, X: ir.Fold(&ir.Convert{X: &ir.Load{From: ir.Whole(some)}, T: l.types.int()}), Y: &ir.Const{T: l.types.int(), Bits: 1}, T: l.types.int()})
		set.Instrs = []ir.Instr{&ir.Havoc{To: ir.Whole(some), Why: ir.Leftover, Span: c.Span}, &ir.Assign{To: ir.Whole(errno), Value: number, Span: c.Span}}
		sets = flag
	} else {
		short, draw := l.drawn(f, what, l.types.integer(2, true, false), c.Span)
		number := ir.Fold(&ir.Convert{X: short, T: l.types.int()})
		b.Instrs = append(b.Instrs, draw)
		set.Instrs = []ir.Instr{&ir.Assign{To: ir.Whole(errno), Value: number, Span: c.Span}}
		sets = ir.Fold(&ir.Binary{Op: ir.Lt, X: &ir.Const{T: l.types.int(), Bits: 0}, Y: number, T: l.types.int()})
	}
	b.End = &ir.Branch{Cond: sets, Then: set, Else: behind, Span: c.Span}
}
