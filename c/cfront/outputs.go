package cfront

import (
	"slices"
	"strconv"
	"strings"
)

// What a routine of the library writes through its arguments, and nobody knows (a time, what is known of a file, an
// address that a connection comes from), is a whole object each, of the type that is pointed to.

// output is such an argument.
type output struct {
	arg   int
	count int64 // how many elements there are, from that one on
	room  int   // the argument that points to how long the object is, or -1
}

// outputsOf reads them: fills=1,2:2 are one object behind argument 1, and two behind argument 2; with room=1:2 the
// length of the first one is what argument 2 points to.
func outputsOf(fills, room string) (all []output) {
	for text := range strings.SplitSeq(fills, ",") {
		at, count, several := strings.Cut(text, ":")
		out := output{count: 1, room: -1}
		out.arg, _ = strconv.Atoi(at)
		if several {
			out.count, _ = strconv.ParseInt(count, 10, 64)
		}
		if of, by, _ := strings.Cut(room, ":"); of == at {
			out.room, _ = strconv.Atoi(by)
		}
		all = append(all, out)
	}
	return all
}

// unknownObject says why an argument that is written to is not followed: what it points to is no whole object.
func (k *Known) unknownObject(c *Call) bool {
	return slices.ContainsFunc(k.outputs, func(out output) bool {
		if out.arg >= len(c.Args) || isNull(c.Args[out.arg]) {
			return false
		}
		t := elementOf(c.Args[out.arg])
		return t == nil || out.room >= 0 && t.Kind == Integer // as a buffer of bytes, whose size is not told
	})
}

// outputs lets the calls of a routine fill what the library writes, before them: what is called reads none of it.
func (l *linker) outputs(f *Func) {
	for n := 0; n < len(f.Blocks); n++ {
		b := f.Blocks[n]
		for i := 0; i < len(b.Instrs); i++ {
			c, ok := b.Instrs[i].(*Call)
			if !ok || c.filled || c.Callee == nil || !c.Callee.Extern() || c.Callee.Known == nil || len(c.Callee.Known.outputs) == 0 || slices.Contains(l.opts.Abstract, c.Callee.Name) || c.Callee.Known.unknownObject(c) {
				continue
			}
			c.filled = true
			for _, out := range c.Callee.Known.outputs {
				if out.arg < len(c.Args) && !isNull(c.Args[out.arg]) {
					b = l.output(f, b, slices.Index(b.Instrs, Instr(c)), c, out)
				}
			}
			i = slices.Index(b.Instrs, Instr(c))
		}
	}
}

// output fills one object before a call, and returns the block that the call is in then.
func (l *linker) output(f *Func, b *Block, at int, c *Call, out output) *Block {
	to := c.Args[out.arg]
	t := elementOf(to)
	var fill []Instr
	for k := range out.count {
		fill = append(fill, &Havoc{To: Place{Ptr: fold(&Convert{to, l.types.pointer(t)}), Off: k * t.Size, Type: t}, Why: Told, Span: c.Span})
	}
	address, simple := bare0(to).(*Addr)
	if simple && address.Of.Var != nil && out.room < 0 {
		b.Instrs = slices.Insert(b.Instrs, at, fill...)
		return b
	}
	call := split(f, b, at)
	fills := &Block{Instrs: fill, End: &Jump{To: call}}
	f.Blocks = append(f.Blocks, fills)
	if out.room >= 0 && out.room < len(c.Args) {
		length := elementOf(c.Args[out.room])
		if length == nil {
			length = l.types.integer(4, false, false)
		}
		void := &Type{Kind: Void, Size: -1, Name: "void"}
		less := &Block{Instrs: []Instr{&Call{Callee: l.own("__seltl_room", void), Span: c.Span}}, End: &Stop{What: "an object that is too small", Span: c.Span}}
		said := &Load{Place{Ptr: fold(&Convert{c.Args[out.room], l.types.pointer(length)}), Type: length}}
		asks := &Block{End: &Branch{Cond: fold(&Binary{Le, said, &Const{length, uint64(t.Size)}, l.types.int()}), Then: fills, Else: less, Span: c.Span}}
		f.Blocks = append(f.Blocks, asks, less)
		fills = asks
	}
	b.End = &Branch{Cond: fold(&Binary{Ne, to, &Const{to.Type(), 0}, l.types.int()}), Then: fills, Else: call, Span: c.Span}
	return call
}
