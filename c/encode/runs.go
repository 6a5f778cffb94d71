package encode

import "github.com/seltl/seltl/c/ir"

// run is a part of an object that is kept as arrays of the logic, one for each place of a
// scalar in its elements: what is indexed by values that are not known, and has too many
// elements to tell them apart by branches, or has a size that is not known. What is used
// at several places of elements has elements of one byte. Indices are numbers of
// elements, or addresses, in memory that one call allocates several times.
type run struct {
	lo, hi int64 // bytes
	unit   int64 // of an element
}

// runAt is the run that a byte is in, or nil.
func (o *object) runAt(off int64) *run {
	for _, r := range o.runs {
		if r.lo <= off && off < r.hi {
			return r
		}
	}
	return nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// mark makes a part of an object a run, together with the runs that it meets. All steps
// are encoded again, then.
func (b *builder) mark(o *object, lo, hi, unit int64) {
	b.again = true
	r := &run{max(lo, 0), min(hi, o.size), max(unit, 1)}
	for merged := true; merged; {
		merged = false
		for i, other := range o.runs {
			if other.lo < r.hi && r.lo < other.hi {
				unit := gcd(gcd(r.unit, other.unit), r.lo-other.lo)
				r = &run{min(r.lo, other.lo), max(r.hi, other.hi), unit}
				o.runs = append(append([]*run{}, o.runs[:i]...), o.runs[i+1:]...)
				merged = true
				break
			}
		}
	}
	o.runs = append(o.runs, r)
}

// arrayAt is the array of a variable's type whose elements an index of some stride
// counts, at an offset: where it is, and the size of what it consists of at last.
func arrayAt(t *ir.Type, off, stride int64) (lo, hi, unit int64, ok bool) {
	at := int64(0)
	for {
		switch {
		case t.Kind == ir.Array && t.Elem.Size == stride:
			elem := t.Elem
			for elem.Kind == ir.Array {
				elem = elem.Elem
			}
			return at, at + t.Size, elem.Size, elem.Size > 0
		case t.Kind == ir.Array && t.Elem.Size > 0 && off-at < t.Size:
			at += (off - at) / t.Elem.Size * t.Elem.Size
			t = t.Elem
		case t.Kind == ir.Struct && !t.Union:
			var in *ir.Field
			for i, f := range t.Fields {
				if f.Bits == 0 && f.Off <= off-at && off-at < f.Off+max(f.Type.Size, 1) {
					in = &t.Fields[i]
				}
			}
			if in == nil {
				return 0, 0, 0, false
			}
			at, t = at+in.Off, in.Type
		default:
			return 0, 0, 0, false
		}
	}
}

// resolve looks for bytes that are used in several ways, which become cells, or elements,
// of their own.
func (b *builder) resolve() {
	if b.mem.punned {
		b.mem.punned, b.again = false, true
	}
	for _, o := range b.mem.all {
		var last *cell // that reaches farthest
		for _, c := range o.sorted() {
			if r := c.run; r != nil && r.unit > 1 && (c.key.off-r.lo)+c.key.size > r.unit {
				r.unit, b.again = 1, true
			}
			if last != nil && c.first() < last.end() {
				b.overlap(last, c)
			}
			if last == nil || c.end() > last.end() {
				last = c
			}
		}
	}
}

func (b *builder) overlap(x, y *cell) {
	if x.run != nil && y.run != nil {
		x.run.unit, y.run.unit, b.again = 1, 1, true
		return
	}
	for _, c := range []*cell{x, y} {
		if c.t.Kind == ir.Float || c.key.bits > 0 {
			refuse(y.span, "c-bytes", "use one type for each part of an object",
				"bytes of %s are used as %s here, and as %s elsewhere, which is not supported", x.obj.name, y.t, x.t)
		}
	}
	b.split(x)
	b.split(y)
}

// split makes a cell bytes: for the next time.
func (b *builder) split(c *cell) {
	if c.run != nil {
		b.again = b.again || c.run.unit != 1
		c.run.unit = 1
		return
	}
	for off := c.key.off; off < c.key.off+c.key.size; off++ {
		b.again = b.again || !c.obj.bytes[off]
		c.obj.bytes[off] = true
	}
}
