package cfront

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// realloc becomes what it does (C11 7.22.3.5): new memory, whose address may be that of the old one as that of
// any memory may be which is allocated behind a free; a copy, element by element, of what both have room for;
// and the end of the old memory. Of no bytes it frees, and gives null, as the GNU C library does.

// reallocs lowers the calls of realloc in a routine.
func (l *linker) reallocs(f *ir.Func) {
	before := len(f.Blocks)
	defer func() {
		if len(f.Blocks) > before {
			tidy(f)
		}
	}()
	for n := 0; n < len(f.Blocks); n++ {
		b := f.Blocks[n]
		for k, i := range b.Instrs {
			c, ok := i.(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsOwn) || ir.PlainName(c.Callee.Name) != "realloc" || len(c.Args) != 2 || slices.Contains(l.opts.Abstract, c.Callee.Name) {
				continue
			}
			behind := split(f, b, k+1)
			b.Instrs = b.Instrs[:k]
			l.realloc(f, b, c, behind)
			break
		}
	}
}

// reallocating makes the blocks of one call.
type reallocating struct {
	l        *linker
	f        *ir.Func
	at       ir.Span
	from, to ir.Expr // old and new memory
	size     ir.Expr // of the new one
	char     *ir.Type
	word     *ir.Type
}

func (m *reallocating) temp(name string, t *ir.Type) *ir.Var {
	v := &ir.Var{Name: fmt.Sprintf("realloc.%s@%d", name, len(m.f.Locals)), Type: t, Kind: ir.Temp, Depth: passing, Span: m.at, Holds: name}
	m.f.Locals = append(m.f.Locals, v)
	return v
}

func (m *reallocating) block(end ir.Terminator, instrs ...ir.Instr) *ir.Block {
	b := &ir.Block{Instrs: instrs, End: end}
	m.f.AddBlocks(b)
	return b
}

// is is a comparison.
func (m *reallocating) is(op ir.Op, x, y ir.Expr) ir.Expr {
	return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: m.l.types.int()})
}

func (m *reallocating) branch(cond ir.Expr, yes, no *ir.Block) ir.Terminator {
	return &ir.Branch{Cond: cond, Then: yes, Else: no, Span: m.at}
}

// own is a routine of the library's, or of seltl's, that the program need not have declared.
func (l *linker) own(name string, result *ir.Type) *ir.Func {
	f := l.funcs[name]
	if f == nil || !f.Means(ir.AsOwn) {
		f = l.prog.Asking(name, result)
	}
	return f
}

func (l *linker) realloc(f *ir.Func, b *ir.Block, c *ir.Call, behind *ir.Block) {
	t := l.types
	m := &reallocating{l: l, f: f, at: c.Span, char: t.integer(1, true, false), word: t.size()}
	elem := ir.ElementOf(c.Args[0])
	pointer := t.pointer(&ir.Type{Kind: ir.Void, Size: -1, Name: "void"})
	if elem != nil {
		pointer = t.pointer(elem)
	}
	from, to := m.temp("memory", pointer), m.temp("result", pointer)
	b.Instrs = append(b.Instrs, &ir.Assign{To: ir.Whole(from), Value: ir.Fold(&ir.Convert{X: c.Args[0], T: pointer}), Span: c.Span})
	m.from, m.size, m.to = &ir.Load{From: ir.Whole(from)}, ir.Fold(&ir.Convert{X: c.Args[1], T: m.word}), &ir.Load{From: ir.Whole(to)}
	if _, constant := m.size.(*ir.Const); !constant {
		size := m.temp("size", m.word)
		b.Instrs = append(b.Instrs, &ir.Assign{To: ir.Whole(size), Value: m.size, Span: c.Span})
		m.size = &ir.Load{From: ir.Whole(size)}
	}

	null, place := &ir.Const{T: pointer, Bits: 0}, ir.Whole(to)
	done := m.block(&ir.Jump{To: behind})
	if c.To != nil {
		done.Instrs = []ir.Instr{&ir.Assign{To: *c.To, Value: ir.Fold(&ir.Convert{X: m.to, T: c.To.Type}), Span: c.Span}}
	}
	free := func() ir.Instr {
		return &ir.Call{Callee: l.own("free", &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}), Args: []ir.Expr{m.from}, Span: c.Span, Told: true}
	}
	gone := m.block(&ir.Jump{To: done}, free(), &ir.Assign{To: place, Value: null, Span: c.Span})
	copied := m.block(&ir.Jump{To: done}, free())
	old := m.temp("room", m.word)
	measured := ir.Whole(old)
	copies := m.copies(&ir.Load{From: measured}, elem, copied)
	moves := m.block(m.branch(m.is(ir.Eq, m.from, null), done, copies))
	news := m.block(m.branch(m.is(ir.Eq, m.to, null), done, moves), &ir.Call{To: &place, Callee: l.own("malloc", pointer), Args: []ir.Expr{m.size}, Span: c.Span, Moves: true})
	measures := m.block(&ir.Jump{To: news}, &ir.Call{To: &measured, Callee: l.own(ir.SizeRoutine, m.word), Args: []ir.Expr{m.from}, Span: c.Span, Told: true})
	known := m.block(m.branch(m.is(ir.Eq, m.size, &ir.Const{T: m.word, Bits: 0}), gone, measures))
	if n, constant := m.size.(*ir.Const); constant {
		known = map[bool]*ir.Block{true: gone, false: measures}[n.Bits == 0]
	}
	b.End = m.branch(m.is(ir.Eq, m.from, null), news, known)
}

// copies is the loop that copies elements while both memories have room for them.
func (m *reallocating) copies(old ir.Expr, elem *ir.Type, after *ir.Block) *ir.Block {
	if elem == nil {
		elem = m.char
	}
	signed := m.l.types.integer(m.word.Size, true, false)
	stride := elem.Size
	bytes := &ir.Type{Kind: ir.Array, Size: stride, Elem: m.char, Len: stride, Name: "char[]"}
	room, at := m.temp("bytes", m.word), m.temp("element", signed)
	k := &ir.Load{From: ir.Whole(at)}
	count := ir.Fold(&ir.Convert{X: ir.Fold(&ir.Binary{Op: ir.Div, X: &ir.Load{From: ir.Whole(room)}, Y: &ir.Const{T: m.word, Bits: uint64(stride)}, T: m.word}), T: signed})
	step := &ir.Assign{To: ir.Whole(at), Value: ir.Fold(&ir.Binary{Op: ir.Add, X: k, Y: &ir.Const{T: signed, Bits: 1}, T: signed}), Span: m.at}
	element := func(of ir.Expr) ir.Place {
		return ir.Place{Ptr: of, Index: []ir.Index{{By: k, Stride: stride, Len: -1}}, Type: bytes}
	}
	body := m.block(nil, &ir.Assign{To: element(m.to), Value: &ir.Load{From: element(m.from)}, Span: m.at}, step)
	head := m.block(nil)
	head.End, body.End = m.branch(m.is(ir.Lt, k, count), body, after), &ir.Jump{To: head}
	begin := m.block(&ir.Jump{To: head}, &ir.Assign{To: ir.Whole(at), Value: &ir.Const{T: signed, Bits: 0}, Span: m.at})
	if stride > 1 { // a part of an element would be bytes, and no elements
		part := m.block(&ir.Stop{What: "a part of an element", Span: m.at}, &ir.Call{Callee: m.l.own("__seltl_part", &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}), Span: m.at})
		rest := ir.Fold(&ir.Binary{Op: ir.Rem, X: &ir.Load{From: ir.Whole(room)}, Y: &ir.Const{T: m.word, Bits: uint64(stride)}, T: m.word})
		begin = m.block(m.branch(m.is(ir.Eq, rest, &ir.Const{T: m.word, Bits: 0}), begin, part))
	}
	less := m.block(&ir.Jump{To: begin}, &ir.Assign{To: ir.Whole(room), Value: old, Span: m.at})
	more := m.block(&ir.Jump{To: begin}, &ir.Assign{To: ir.Whole(room), Value: m.size, Span: m.at})
	return m.block(m.branch(m.is(ir.Lt, old, m.size), less, more))
}

// overlaps asks, before each call of memcpy and its kind in a routine, whether the parts of memory that it is
// given are apart.
func (l *linker) overlaps(f *ir.Func) {
	for _, b := range f.Blocks {
		for k := 0; k < len(b.Instrs); k++ {
			c, ok := b.Instrs[k].(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsBody) || slices.Contains(l.opts.Abstract, c.Callee.Name) || len(c.Args) < 3 {
				continue
			}
			if name, _ := pieceFor(c.Callee.Name); name != "memcpy" && name != "mempcpy" {
				continue
			}
			void := &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}
			b.Instrs = slices.Insert(b.Instrs, k, ir.Instr(&ir.Call{Callee: l.own(ir.ApartRoutine, void), Args: slices.Clone(c.Args[:3]), Span: c.Span, Told: true}))
			k++
		}
	}
}
