package cfront

import (
	"fmt"
	"slices"
)

// realloc becomes what it does (C11 7.22.3.5): new memory, whose address may be that of the old one as that of
// any memory may be which is allocated behind a free; a copy, element by element, of what both have room for;
// and the end of the old memory. Of no bytes it frees, and gives null, as the GNU C library does.

// reallocs lowers the calls of realloc in a routine.
func (l *linker) reallocs(f *Func) {
	before := len(f.Blocks)
	defer func() {
		if len(f.Blocks) > before {
			tidy(f)
		}
	}()
	for n := 0; n < len(f.Blocks); n++ {
		b := f.Blocks[n]
		for k, i := range b.Instrs {
			c, ok := i.(*Call)
			if !ok || c.Callee == nil || !c.Callee.means(AsOwn) || plainName(c.Callee.Name) != "realloc" || len(c.Args) != 2 || slices.Contains(l.opts.Abstract, c.Callee.Name) {
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
	f        *Func
	at       Span
	from, to Expr // old and new memory
	size     Expr // of the new one
	char     *Type
	word     *Type
}

func (m *reallocating) temp(name string, t *Type) *Var {
	v := &Var{Name: fmt.Sprintf("realloc.%s@%d", name, len(m.f.Locals)), Type: t, Kind: Temp, Depth: passing, Span: m.at, Holds: name}
	m.f.Locals = append(m.f.Locals, v)
	return v
}

func (m *reallocating) block(end Terminator, instrs ...Instr) *Block {
	b := &Block{Instrs: instrs, End: end}
	m.f.add(b)
	return b
}

// is is a comparison.
func (m *reallocating) is(op Op, x, y Expr) Expr { return fold(&Binary{op, x, y, m.l.types.int()}) }

func (m *reallocating) branch(cond Expr, yes, no *Block) Terminator {
	return &Branch{Cond: cond, Then: yes, Else: no, Span: m.at}
}

// own is a routine of the library's, or of seltl's, that the program need not have declared.
func (l *linker) own(name string, result *Type) *Func {
	f := l.funcs[name]
	if f == nil || !f.means(AsOwn) {
		f = l.prog.asking(name, result)
	}
	return f
}

func (l *linker) realloc(f *Func, b *Block, c *Call, behind *Block) {
	t := l.types
	m := &reallocating{l: l, f: f, at: c.Span, char: t.integer(1, true, false), word: t.size()}
	elem := elementOf(c.Args[0])
	pointer := t.pointer(&Type{Kind: Void, Size: -1, Name: "void"})
	if elem != nil {
		pointer = t.pointer(elem)
	}
	from, to := m.temp("memory", pointer), m.temp("result", pointer)
	b.Instrs = append(b.Instrs, &Assign{To: whole(from), Value: fold(&Convert{c.Args[0], pointer}), Span: c.Span})
	m.from, m.size, m.to = &Load{whole(from)}, fold(&Convert{c.Args[1], m.word}), &Load{whole(to)}
	if _, constant := m.size.(*Const); !constant {
		size := m.temp("size", m.word)
		b.Instrs = append(b.Instrs, &Assign{To: whole(size), Value: m.size, Span: c.Span})
		m.size = &Load{whole(size)}
	}

	null, place := &Const{pointer, 0}, whole(to)
	done := m.block(&Jump{To: behind})
	if c.To != nil {
		done.Instrs = []Instr{&Assign{To: *c.To, Value: fold(&Convert{m.to, c.To.Type}), Span: c.Span}}
	}
	free := func() Instr {
		return &Call{Callee: l.own("free", &Type{Kind: Void, Size: -1, Name: "void"}), Args: []Expr{m.from}, Span: c.Span, told: true}
	}
	gone := m.block(&Jump{To: done}, free(), &Assign{To: place, Value: null, Span: c.Span})
	copied := m.block(&Jump{To: done}, free())
	old := m.temp("room", m.word)
	measured := whole(old)
	copies := m.copies(&Load{measured}, elem, copied)
	moves := m.block(m.branch(m.is(Eq, m.from, null), done, copies))
	news := m.block(m.branch(m.is(Eq, m.to, null), done, moves), &Call{To: &place, Callee: l.own("malloc", pointer), Args: []Expr{m.size}, Span: c.Span, Moves: true})
	measures := m.block(&Jump{To: news}, &Call{To: &measured, Callee: l.own(sizeRoutine, m.word), Args: []Expr{m.from}, Span: c.Span, told: true})
	known := m.block(m.branch(m.is(Eq, m.size, &Const{m.word, 0}), gone, measures))
	if n, constant := m.size.(*Const); constant {
		known = map[bool]*Block{true: gone, false: measures}[n.Bits == 0]
	}
	b.End = m.branch(m.is(Eq, m.from, null), news, known)
}

// elementOf is what an argument points to before it becomes a void *, nil if that has no size.
func elementOf(e Expr) (t *Type) {
	for {
		if p := e.Type(); p.Kind == Pointer && p.Elem != nil && p.Elem.Size > 0 && p.Elem.Kind != Void && p.Elem.Kind != Function {
			t = p.Elem
		}
		c, converted := e.(*Convert)
		if !converted || c.X.Type().Kind != Pointer {
			return t
		}
		e = c.X
	}
}

// copies is the loop that copies elements while both memories have room for them.
func (m *reallocating) copies(old Expr, elem *Type, after *Block) *Block {
	if elem == nil {
		elem = m.char
	}
	signed := m.l.types.integer(m.word.Size, true, false)
	stride := elem.Size
	bytes := &Type{Kind: Array, Size: stride, Elem: m.char, Len: stride, Name: "char[]"}
	room, at := m.temp("bytes", m.word), m.temp("element", signed)
	k := &Load{whole(at)}
	count := fold(&Convert{fold(&Binary{Div, &Load{whole(room)}, &Const{m.word, uint64(stride)}, m.word}), signed})
	step := &Assign{To: whole(at), Value: fold(&Binary{Add, k, &Const{signed, 1}, signed}), Span: m.at}
	element := func(of Expr) Place { return Place{Ptr: of, Index: []Index{{k, stride, -1}}, Type: bytes} }
	body := m.block(nil, &Assign{To: element(m.to), Value: &Load{element(m.from)}, Span: m.at}, step)
	head := m.block(nil)
	head.End, body.End = m.branch(m.is(Lt, k, count), body, after), &Jump{To: head}
	begin := m.block(&Jump{To: head}, &Assign{To: whole(at), Value: &Const{signed, 0}, Span: m.at})
	if stride > 1 { // a part of an element would be bytes, and no elements
		part := m.block(&Stop{What: "a part of an element", Span: m.at}, &Call{Callee: m.l.own("__seltl_part", &Type{Kind: Void, Size: -1, Name: "void"}), Span: m.at})
		rest := fold(&Binary{Rem, &Load{whole(room)}, &Const{m.word, uint64(stride)}, m.word})
		begin = m.block(m.branch(m.is(Eq, rest, &Const{m.word, 0}), begin, part))
	}
	less := m.block(&Jump{To: begin}, &Assign{To: whole(room), Value: old, Span: m.at})
	more := m.block(&Jump{To: begin}, &Assign{To: whole(room), Value: m.size, Span: m.at})
	return m.block(m.branch(m.is(Lt, old, m.size), less, more))
}

// overlaps asks, before each call of memcpy and its kind in a routine, whether the parts of memory that it is
// given are apart.
func (l *linker) overlaps(f *Func) {
	for _, b := range f.Blocks {
		for k := 0; k < len(b.Instrs); k++ {
			c, ok := b.Instrs[k].(*Call)
			if !ok || c.Callee == nil || !c.Callee.means(AsBody) || slices.Contains(l.opts.Abstract, c.Callee.Name) || len(c.Args) < 3 {
				continue
			}
			if name, _ := pieceFor(c.Callee.Name); name != "memcpy" && name != "mempcpy" {
				continue
			}
			void := &Type{Kind: Void, Size: -1, Name: "void"}
			b.Instrs = slices.Insert(b.Instrs, k, Instr(&Call{Callee: l.own(apartRoutine, void), Args: slices.Clone(c.Args[:3]), Span: c.Span, told: true}))
			k++
		}
	}
}
