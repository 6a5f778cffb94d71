package cfront

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// What surrounds a program may do more than its text says: it changes volatile variables, has no
// memory left, and routines of the C library set errno. What it does is a choice of the run: a call
// of a routine without a body (linker.input).

// read is the value of an expression that names an object at a place.
func (r *routine) read(n cc.ExpressionNode, p Place) Expr {
	if r.reads && p.Ptr != nil && r.volatiles { // $1 has lost what it points to
		r.spokenOf(n)
	}
	switch {
	case !r.changesBehind(n) || p.Type.Kind == Array || p.Type.Kind == Function:
		return r.load(p)
	case r.opts.PlainVolatile:
		r.prog.Volatile = true
		return r.load(p)
	}
	if p.Type.points() && (r.opts.lives() || slices.Contains(r.opts.Checks, CheckBounds)) { // an end, or outside, of what was stored there
		refuse(r.span(n), "c-volatile", "--volatile=plain, if the program alone changes it", "what a volatile pointer is read as, with --check=bounds or memory, is not followed")
	}
	r.prog.Volatile = true
	r.use(&Load{p}, r.span(n))
	if p.Type.Kind == Float {
		return r.anyFloat(p.Type)
	}
	t := r.temp(p.Type)
	t.Holds = ShownText(&Load{p})
	to := whole(t)
	var known []Expr // an address in it is known to who changes it
	if p.Bits == 0 && p.Type.Size >= r.opts.Model.PointerSize() {
		known = []Expr{&Load{p}}
	}
	r.emit(&Call{To: &to, Callee: r.input("volatile "+strings.TrimSpace(cc.NodeSource(n)), p.Type), Args: known, Span: r.span(n)})
	if e := (&Load{to}); p.Bits > 0 && p.Bits < p.Type.Width() {
		low, high := int64(0), int64(1)<<p.Bits-1
		if p.Type.Signed {
			low, high = -(int64(1) << (p.Bits - 1)), int64(1)<<(p.Bits-1)-1
		}
		for _, i := range r.within(e, low, high, r.span(n)) {
			r.emit(i)
		}
	}
	return &Load{to}
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
	r.prog.speaksOf(strings.TrimSpace(cc.NodeSource(n)))
}

// speaksOf notes that a condition speaks of something volatile.
func (p *Program) speaksOf(name string) {
	if !slices.Contains(p.VolatileConditions, name) {
		p.VolatileConditions = append(p.VolatileConditions, name)
	}
}

// environment makes choices of what the surroundings do at calls of the library, now that it is known
// which of its routines have bodies.
func (l *linker) environment() {
	l.prog.PlainVolatile, l.prog.MallocFails = l.opts.PlainVolatile, l.opts.MallocFails
	errno := l.prog.errno()
	l.prog.again = map[string]bool{}
	for _, f := range l.prog.Funcs {
		f.acts = slices.Contains(l.opts.Abstract, f.Name)
		for i := 0; i < len(f.Blocks); i++ {
			for k := 0; k < len(f.Blocks[i].Instrs); k++ {
				c, ok := f.Blocks[i].Instrs[k].(*Call)
				if !ok || c.Callee == nil || slices.Contains(l.opts.Abstract, c.Callee.Name) {
					continue
				}
				if c.Callee.Name == errnoRoutine {
					l.setErrno(f, f.Blocks[i], k, c, errno)
					k--
					continue
				}
				if c.Callee.Extern() && c.Callee.Known != nil {
					l.prog.again[plainName(c.Callee.Name)] = true
				}
				// C11 7.5, 3: also where there is no error.
				if errno != nil && !c.told && !strings.HasPrefix(c.Callee.Name, ownPrefix) && (c.Callee.Extern() && c.Callee.Known != nil || c.Callee.Library && (!f.Library || f.standsIn) && plainName(c.Callee.Name) != "__errno_location" && !c.Callee.Known.errno) {
					c.told = true
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
func split(f *Func, b *Block, k int) (rest *Block) {
	rest = &Block{Instrs: slices.Clone(b.Instrs[k:]), End: b.End}
	b.Instrs = b.Instrs[:k:k]
	f.add(rest)
	return rest
}

// drawn makes a temporary of a routine, and the call that draws its value.
func (l *linker) drawn(f *Func, what string, t *Type, span Span) (*Load, Instr) {
	v := &Var{Name: fmt.Sprintf("drawn@%d", len(f.Locals)), Type: t, Kind: Temp, Depth: passing, Span: span, Holds: what}
	f.Locals = append(f.Locals, v)
	to := whole(v)
	return &Load{to}, &Call{To: &to, Callee: l.input(what, t), Span: span}
}

// memoryFor begins the name of whether there is memory for a call.
const memoryFor = "memory for "

// mayFail lets the call of a routine that allocates, which stands in a block, give null.
func (l *linker) mayFail(f *Func, b *Block, k int, c *Call) {
	behind := split(f, b, k+1)
	does := split(f, b, k)
	does.End = &Jump{To: behind}
	fails := &Block{Instrs: []Instr{&Assign{To: *c.To, Value: &Const{c.To.Type, 0}, Span: c.Span}}, End: &Jump{To: behind}}
	f.add(fails)
	memory, draw := l.drawn(f, memoryFor+plainName(c.Callee.Name)+"()", l.types.integer(1, false, true), c.Span)
	b.Instrs = append(b.Instrs, draw)
	b.End = &Branch{Cond: memory, Then: does, Else: fails, Span: c.Span}
}

// atStart says what C says of the beginning of a program (C11 5.1.2.2.1, 7.5): errno is zero, the
// number of arguments is not negative, and the arguments are there. Of a routine that is called
// as main() is, or a component, nothing is known.
func (l *linker) atStart() {
	if errno := l.prog.errno(); errno != nil {
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
	var known []Instr
	if p := main.Params; len(p) > 0 && p[0].Type.Kind == Integer && p[0].Type.Signed {
		known = append(known, &Assume{fold(&Binary{Le, &Const{p[0].Type, 0}, &Load{whole(p[0])}, l.types.int()}), main.Span})
	}
	for _, first := range []struct {
		name   string
		kind   Kind
		number uint64
	}{{"optind", Integer, 1}, {"opterr", Integer, 1}, {"optarg", Pointer, 0}} {
		if v := l.vars[first.name]; v != nil && v.Extern && v.Type.Kind == first.kind {
			known = append(known, &Assign{To: whole(v), Value: &Const{v.Type, first.number}, Span: main.Span})
		}
	}
	if p := main.Params; len(p) > 1 && p[1].Type.Kind == Pointer {
		known = append(known, &Assume{fold(&Binary{Ne, &Load{whole(p[1])}, &Const{p[1].Type, 0}, l.types.int()}), main.Span})
	}
	main.Blocks[0].Instrs = slices.Concat(known, l.streams(main.Span), main.Blocks[0].Instrs)
}

// calledAgain reports that the program itself may call the routine that it begins with.
func (l *linker) calledAgain(entry *Func) (again bool) {
	l.eachCall(func(_ *Func, c *Call) { again = again || c.Callee == entry })
	for _, f := range append([]*Func{l.prog.Init}, l.prog.Funcs...) {
		f.Expressions(func(e Expr) {
			a, ok := e.(*FuncAddr)
			again = again || ok && a.Func == entry
		})
	}
	return again
}

// Arguments says how what a run of a Hosted program has read of argv is no list of arguments; "" if it is
// one: argc pointers that are not null, to strings that do not overlap and lie outside of the list, and then null
// (C11 5.1.2.2.1).
func (m *Machine) Arguments(args []uint64) string {
	if !m.Program.Hosted || len(args) < 2 {
		return ""
	}
	size := m.Program.Model.PointerSize()
	begins := map[uint64]int64{}
	for _, base := range sortedKeys(m.region) {
		o := m.region[base]
		k, is := m.argument(o)
		if !is {
			continue
		}
		at := uint64(0)
		for off := range size {
			b, chosen := m.lazy[origin{0, o, off}]
			if !chosen {
				return ""
			}
			at |= uint64(b) << (8 * off)
		}
		other, again := begins[at]
		switch {
		case (at == 0) != (k == m.argc):
			return fmt.Sprintf("argv[%d] at the beginning", k)
		case again:
			return fmt.Sprintf("argv[%d] and argv[%d] being one string", other, k)
		case at != 0:
			begins[at] = k
		}
	}
	return m.overlapping(begins, m.argv+uint64(size*(m.argc+1)))
}

// overlapping says which of the strings of arguments, given where they begin, runs into another one or into the list
// of arguments, which ends at an address, or begins in it; "" if none does.
func (m *Machine) overlapping(begins map[uint64]int64, end uint64) string {
	for _, at := range slices.Sorted(maps.Keys(begins)) {
		bad := m.argv <= at && at < end
		for next, known, b := at, true, byte(1); known && b != 0 && !bad; next++ {
			_, other := begins[next]
			bad = next == m.argv || other && next != at
			b, known = m.atFirst(next)
		}
		if bad {
			return fmt.Sprintf("what argv[%d] points to", begins[at])
		}
	}
	return ""
}

// atFirst is a byte that the environment gave the run at the beginning.
func (m *Machine) atFirst(at uint64) (b byte, known bool) {
	for base, o := range m.region {
		if base <= at && at-base < uint64(len(o.data)) {
			b, known = m.lazy[origin{0, o, int64(at - base)}]
		}
	}
	return b, known
}

// Stream reports stdin, stdout or stderr.
func (v *Var) Stream() bool {
	return v.Extern && v.Type.Kind == Pointer && (v.Name == "stdin" || v.Name == "stdout" || v.Name == "stderr")
}

// streams says that the standard streams that are used point to different objects (C11 7.21.1, 3).
func (l *linker) streams(span Span) (known []Instr) {
	used := map[*Var]bool{}
	for _, f := range l.prog.Funcs {
		f.Expressions(func(e Expr) {
			if load, ok := e.(*Load); ok && load.From.Var != nil {
				used[load.From.Var] = true
			}
		})
	}
	var all []Expr
	for _, v := range l.prog.Globals {
		if v.Stream() && used[v] {
			e := &Load{whole(v)}
			for _, other := range append(all, &Const{v.Type, 0}) {
				known = append(known, &Assume{fold(&Binary{Ne, e, other, l.types.int()}), span})
			}
			all = append(all, e)
		}
	}
	return known
}

// errno is the variable that a program calls so, nil if it has none.
func (p *Program) errno() *Var {
	for _, v := range p.Globals {
		if v.Name == "errno" || strings.HasSuffix(v.Name, errnoVariable) {
			return v
		}
	}
	return nil
}

// errnoVariable is where the library's __errno_location points to: its static variable.
const errnoVariable = "__errno_location.value"

// errnoRoutine stands in the library's text for setting errno to a number, or, for 0, for leaving any number in it.
const errnoRoutine = ownPrefix + "errno"

// setErrno does what such a call says; what is behind it is in another block then.
func (l *linker) setErrno(f *Func, b *Block, k int, c *Call, errno *Var) {
	n, constant := c.Args[0].(*Const)
	switch {
	case errno == nil:
	case constant && n.Bits == 0:
		l.mayTell(f, b, k, c, errno)
	default:
		b.Instrs = slices.Insert(b.Instrs, k, Instr(&Assign{To: whole(errno), Value: c.Args[0], Span: c.Span}))
		k++
	}
	b.Instrs = slices.Delete(b.Instrs, k, k+1)
}

// errnoAfter begins the name of the number that a routine leaves in errno, which is as it was where that is not positive.
const errnoAfter = "errno after "

// mayTell lets the call of a routine of the library set errno behind it, to any number but 0: one that
// is computed does so on machines that nobody knows.
func (l *linker) mayTell(f *Func, b *Block, k int, c *Call, errno *Var) {
	behind := split(f, b, k+1)
	what := errnoAfter + plainName(c.Callee.Name) + "()"
	set := &Block{End: &Jump{To: behind}}
	f.add(set)
	var sets Expr
	if c.Callee.Name == errnoRoutine {
		what = errnoAfter + plainName(f.Name) + "()"
	}
	if c.Callee.Library || c.Callee.Name == errnoRoutine {
		flag, draw := l.drawn(f, what, l.types.integer(1, false, true), c.Span)
		b.Instrs = append(b.Instrs, draw)
		some := &Var{Name: fmt.Sprintf("errno@%d", len(f.Locals)), Type: l.types.integer(2, false, false), Kind: Temp, Depth: passing, Span: c.Span}
		f.Locals = append(f.Locals, some)
		number := fold(&Binary{Add, fold(&Convert{&Load{whole(some)}, l.types.int()}), &Const{l.types.int(), 1}, l.types.int()})
		set.Instrs = []Instr{&Havoc{To: whole(some), Why: Leftover, Span: c.Span}, &Assign{To: whole(errno), Value: number, Span: c.Span}}
		sets = flag
	} else {
		short, draw := l.drawn(f, what, l.types.integer(2, true, false), c.Span)
		number := fold(&Convert{short, l.types.int()})
		b.Instrs = append(b.Instrs, draw)
		set.Instrs = []Instr{&Assign{To: whole(errno), Value: number, Span: c.Span}}
		sets = fold(&Binary{Lt, &Const{l.types.int(), 0}, number, l.types.int()})
	}
	b.End = &Branch{Cond: sets, Then: set, Else: behind, Span: c.Span}
}
