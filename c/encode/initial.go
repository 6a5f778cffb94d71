package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// image is what initialisers say of the bytes of globals, by object; others are 0. Bytes
// whose value is not known are in open.
type image struct {
	bytes map[*object]map[int64]byte
	open  map[*object]map[int64]ir.Span
}

// initialImage runs the initialisers of globals.
func (b *builder) initialImage() *image {
	im := &image{bytes: map[*object]map[int64]byte{}, open: map[*object]map[int64]ir.Span{}}
	unsupported := func(from int, at ir.Span) {
		for _, block := range b.prog.Init.Blocks[from:] { // what a condition has no place for comes behind it
			for _, i := range block.Instrs {
				if !at.Valid() {
					at = i.At()
				}
			}
		}
		refuse(at, "c-initialiser", "assign it at the start of the program", "this initialiser is not supported")
	}
	for n, block := range b.prog.Init.Blocks {
		for _, i := range block.Instrs {
			a, ok := i.(*ir.Assign)
			if !ok || a.To.Var == nil || len(a.To.Index) > 0 || a.To.Type.Aggregate() {
				unsupported(n, i.At())
			}
			im.store(b, a)
		}
		if _, ok := block.End.(*ir.Return); !ok {
			unsupported(n, block.End.At())
		}
	}
	return im
}

func (im *image) store(b *builder, a *ir.Assign) {
	bits, known := b.constant(a.Value)
	if t := a.To.Type; float(t) && !known && noNumber(a.Value) { // its bits are not known
		bits = ieee.NaN(t.Width())
	}
	im.put(b.mem.ofVar(a.To.Var), a, bits, known)
}

func (im *image) put(o *object, a *ir.Assign, bits uint64, known bool) {
	t := a.To.Type
	if im.bytes[o] == nil {
		im.bytes[o], im.open[o] = map[int64]byte{}, map[int64]ir.Span{}
	}
	if a.To.Bits > 0 {
		mask := (uint64(1)<<a.To.Bits - 1) << a.To.BitOff
		bits = im.raw(o, a.To.Off, t.Size)&^mask | bits<<a.To.BitOff&mask
	}
	for k := range t.Size {
		im.bytes[o][a.To.Off+k] = byte(bits >> (8 * k))
		if delete(im.open[o], a.To.Off+k); !known {
			im.open[o][a.To.Off+k] = a.Span
		}
	}
}

// undeclared is what is known of a local variable before its declaration: a constant that
// initialises it, or else nothing.
func (im *image) undeclared(c *cell, x *logic.Term, a arithmetic) *logic.Term {
	switch {
	case len(c.obj.v.First) > 0 && c.t.Kind != ir.Float && c.key.off >= 0:
		for _, i := range c.obj.v.First { // what is not assigned is 0, behind a Clear at the beginning
			if assign, ok := i.(*ir.Assign); ok {
				im.put(c.obj, assign, assign.Value.(*ir.Const).Bits, true)
			}
		}
		return logic.Eq(x, im.of(c, a, x.Sort()))
	case c.run != nil:
		return logic.True()
	}
	return a.domain(c.t, x, c.key.bits)
}

// raw is what some bytes are together.
func (im *image) raw(o *object, off, size int64) (bits uint64) {
	for k := size - 1; k >= 0; k-- {
		bits = bits<<8 | uint64(im.bytes[o][off+k])
	}
	return bits
}

// scalar is the first value of a scalar, as canonical bits.
func (im *image) scalar(c *cell, off int64) uint64 {
	for k := off; k < off+c.key.size; k++ {
		if at, open := im.open[c.obj][k]; open && !(float(c.t) && !c.punned() && ieee.IsNaN(c.t.Width(), im.raw(c.obj, off, c.key.size))) {
			refuse(at, "c-initialiser", "assign it at the start of the program", "the value of this initialiser is not known")
		}
	}
	bits, width := im.raw(c.obj, off, c.key.size), c.t.Width()
	if c.key.bits > 0 {
		bits, width = bits>>c.key.bitOff, c.key.bits
	}
	if width < 64 {
		bits &= 1<<width - 1
		if signed(c.t) && bits>>(width-1) == 1 {
			bits |= ^uint64(0) << width
		}
	}
	return bits
}

// of is the first value of a cell.
func (im *image) of(c *cell, a arithmetic, sort *logic.Sort) *logic.Term {
	if c.t.Kind == ir.Float {
		return a.number(c.t, 0).t
	}
	if c.run == nil {
		return a.number(c.t, im.scalar(c, c.key.off)).t
	}
	all := logic.ConstArray(sort, a.number(c.t, 0).t)
	elements := map[int64]bool{}
	for _, bytes := range []map[int64]bool{keysOf(im.bytes[c.obj]), keysOf(im.open[c.obj])} {
		for off := range bytes {
			if off >= c.run.lo && off < c.run.hi {
				elements[(off-c.run.lo)/c.run.unit] = true
			}
		}
	}
	word := &ir.Type{Kind: ir.Pointer, Size: int64(8)}
	for _, n := range slices.Sorted(maps.Keys(elements)) {
		if bits := im.scalar(c, c.key.off+n*c.run.unit); bits != 0 {
			all = logic.Store(all, indexOf(a, sort, word, n), a.number(c.t, bits).t)
		}
	}
	return all
}

func keysOf[V any](m map[int64]V) map[int64]bool {
	out := map[int64]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// indexOf is the number of an element as an index.
func indexOf(a arithmetic, sort *logic.Sort, t *ir.Type, n int64) *logic.Term {
	if sort.Index().Kind() == logic.BitVecKind {
		t = &ir.Type{Kind: ir.Pointer, Size: int64(sort.Index().Width() / 8)}
	}
	return a.number(t, uint64(n)).t
}
