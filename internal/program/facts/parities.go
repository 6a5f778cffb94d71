package facts

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Parities: linear equations modulo 2 between integers and Booleans, Karr's domain over
// the field of two elements (as [MuellerOlmSeidl07] has it for powers of two), in the
// representation of karr.go. Vectors are bit sets, so that a step takes little beside the
// others. Reals are free.

// parityVector has a bit for each dimension of a step. It is never changed.
type parityVector []uint64

func (v parityVector) at(d int) bool { return v[d/64]>>(d%64)&1 == 1 }

// first is the lowest dimension whose bit is set; -1 if there is none.
func (v parityVector) first() int {
	for i, w := range v {
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (v parityVector) plus(w parityVector) parityVector {
	out := slices.Clone(v)
	for i, b := range w {
		out[i] ^= b
	}
	return out
}

// times is the scalar product.
func (v parityVector) times(w parityVector) bool {
	var all uint64
	for i, b := range w {
		all ^= v[i] & b
	}
	return bits.OnesCount64(all)&1 == 1
}

// with returns v with another bit at d.
func (v parityVector) with(d int, bit bool) parityVector {
	if v.at(d) == bit {
		return v
	}
	out := slices.Clone(v)
	out[d/64] ^= 1 << (d % 64)
	return out
}

// below returns v without the dimensions from n on.
func (v parityVector) below(n int) parityVector {
	out := make(parityVector, len(v))
	copy(out, v[:n/64])
	if n%64 > 0 {
		out[n/64] = v[n/64] & (1<<(n%64) - 1)
	}
	return out
}

// paritySpace is point + the span of rows, which are reduced as those of space are.
type paritySpace struct {
	point parityVector
	rows  []parityVector
	pivot []int
}

// parity is a form modulo 2: odd, or not, plus the sum of dimensions.
type parity struct {
	odd  bool
	dims parityVector
}

func (p parity) value(v parityVector) bool { return p.odd != p.dims.times(v) }

// key is that of equal forms only, of one length.
func (p parity) key(to []byte) []byte {
	if p.odd {
		to = append(to, 1)
	} else {
		to = append(to, 0)
	}
	for _, w := range p.dims {
		to = binary.LittleEndian.AppendUint64(to, w)
	}
	return to
}

type parities struct {
	*flow
	*effort
	length    int    // of vectors
	all       []bool // which dimensions of the frame are integers
	equations [][]*equation
	modulo    [][]*congruence
}

func newParities(f *finder) *parities {
	p := &parities{flow: f.flow, effort: f.effort(), all: f.ints(), equations: f.equations, modulo: f.modulo}
	dims := len(f.numbers)
	for _, s := range f.steps {
		dims = max(dims, len(s.ints))
	}
	p.length = (dims + 63) / 64
	return p
}

func (p *parities) narrows() bool { return false }
func (p *parities) rounds() int   { return 2 }

func (p *parities) start(s *step) *paritySpace {
	return p.free(&paritySpace{point: make(parityVector, p.length)}, 0, len(s.ints))
}

// free adds directions for the dimensions from and up to the given ones, which are new.
func (p *parities) free(x *paritySpace, from, to int) *paritySpace {
	p.spend(p.length * (1 + to - from))
	y := &paritySpace{x.point, slices.Clone(x.rows), slices.Clone(x.pivot)}
	for d := from; d < to; d++ {
		y.rows, y.pivot = append(y.rows, make(parityVector, p.length).with(d, true)), append(y.pivot, d)
	}
	return y
}

func (p *parities) enter(s *step, x *paritySpace) (*paritySpace, bool) {
	if n := len(p.numbers); len(s.ints) > n {
		x = p.free(x, n, len(s.ints))
	}
	return p.given(s.from, x)
}

// given keeps what equations and congruences say of a location.
func (p *parities) given(l int, x *paritySpace) (*paritySpace, bool) {
	ok := true
	for i := 0; ok && i < len(p.equations[l]); i++ {
		if form, is := p.form(p.all, p.equations[l][i].l); is {
			x, ok = p.keep(x, form)
		}
	}
	for d := 0; ok && d < len(p.modulo[l]); d++ {
		if c := p.modulo[l][d]; c != nil && c.m.Bit(0) == 0 {
			x, ok = p.keep(x, parity{c.r.Bit(0) == 1, make(parityVector, p.length).with(d, true)})
		}
	}
	return x, ok
}

func (p *parities) clone(x *paritySpace) *paritySpace { return x }

// form reads a linear form; false if it is none of integers.
func (p *parities) form(ints []bool, l linear) (parity, bool) {
	p.spend(2 * (1 + len(l.terms)))
	if !l.integral() {
		return parity{}, false
	}
	out := parity{integer(l.c).Bit(0) == 1, make(parityVector, p.length)}
	for _, t := range l.terms {
		if !ints[t.dim] {
			return parity{}, false
		}
		if integer(t.k).Bit(0) == 1 {
			out.dims[t.dim/64] |= 1 << (t.dim % 64)
		}
	}
	return out, true
}

func (p *parities) literal(s *step, x *paritySpace, c *condition) (*paritySpace, bool) {
	if c.kind == compare && c.constraint.relation == equal {
		if form, ok := p.form(s.ints, c.constraint.l.scaled()); ok {
			return p.keep(x, form)
		}
	}
	return x, true
}

// known reports that a form has one value in a space, and which.
func (p *parities) known(x *paritySpace, form parity) (value, known bool) {
	p.spend(p.length * (1 + len(x.rows)))
	return form.value(x.point), !slices.ContainsFunc(x.rows, form.dims.times)
}

// keep leaves that for which a form is even.
func (p *parities) keep(x *paritySpace, form parity) (*paritySpace, bool) {
	p.spend(p.length * (1 + len(x.rows)))
	last := -1
	for i, row := range slices.Backward(x.rows) {
		if form.dims.times(row) {
			last = i
			break
		}
	}
	odd := form.value(x.point)
	if last < 0 {
		return x, !odd
	}
	row := x.rows[last]
	y := &paritySpace{x.point, slices.Delete(slices.Clone(x.rows), last, last+1), slices.Delete(slices.Clone(x.pivot), last, last+1)}
	if odd {
		y.point = y.point.plus(row)
	}
	for i := range last {
		if form.dims.times(y.rows[i]) {
			y.rows[i] = y.rows[i].plus(row)
		}
	}
	return y, true
}

// insert adds a direction to a space that is being made.
func (p *parities) insert(x *paritySpace, v parityVector) {
	v = p.reduce(x, v)
	pivot := v.first()
	if pivot < 0 {
		return
	}
	if x.point.at(pivot) {
		x.point = x.point.plus(v)
	}
	for i, row := range x.rows {
		if row.at(pivot) {
			x.rows[i] = row.plus(v)
		}
	}
	p.spend(p.length * len(x.rows))
	i, _ := slices.BinarySearch(x.pivot, pivot)
	x.rows, x.pivot = slices.Insert(x.rows, i, v), slices.Insert(x.pivot, i, pivot)
}

// reduce makes a vector 0 at all pivots.
func (p *parities) reduce(x *paritySpace, v parityVector) parityVector {
	p.spend(p.length * (1 + len(x.rows)))
	for i, d := range x.pivot {
		if v.at(d) {
			v = v.plus(x.rows[i])
		}
	}
	return v
}

func (p *parities) assign(s *step, x *paritySpace) *paritySpace {
	n := len(p.numbers)
	numeric := slices.ContainsFunc(s.assign, assignment.numeric)
	if !numeric && len(s.ints) == n {
		return x
	}
	if numeric {
		x = p.transform(s, x)
	}
	// Those of the step come last, so that what is left is reduced.
	kept, _ := slices.BinarySearch(x.pivot, n)
	y := &paritySpace{x.point.below(n), slices.Clone(x.rows[:kept]), slices.Clone(x.pivot[:kept])}
	for i, row := range y.rows {
		y.rows[i] = row.below(n)
	}
	p.spend(p.length * (kept + 1))
	return y
}

// transform assigns to the generators, and makes the form reduced again.
func (p *parities) transform(s *step, x *paritySpace) *paritySpace {
	type update struct {
		dim   int
		value parity
		any   bool
	}
	var updates []update
	for _, a := range s.assign {
		if !a.numeric() {
			continue
		}
		u := update{dim: a.dim, any: true, value: parity{dims: make(parityVector, p.length)}}
		if a.value != nil && s.ints[a.dim] {
			if form, ok := p.form(s.ints, *a.value); ok {
				u.value, u.any = form, false
			}
		}
		updates = append(updates, u)
	}
	y := &paritySpace{point: x.point}
	for _, u := range updates {
		y.point = y.point.with(u.dim, u.value.value(x.point))
	}
	var changed []parityVector
	for i, row := range x.rows {
		after := row
		for _, u := range updates {
			after = after.with(u.dim, u.value.dims.times(row))
		}
		if slices.Equal(row, after) {
			y.rows, y.pivot = append(y.rows, row), append(y.pivot, x.pivot[i])
		} else {
			changed = append(changed, after)
		}
	}
	p.spend(p.length * len(x.rows) * len(updates))
	for _, u := range updates {
		if u.any {
			changed = append(changed, make(parityVector, p.length).with(u.dim, true))
		}
	}
	y.point = p.reduce(y, y.point)
	for _, row := range changed {
		p.insert(y, row)
	}
	return y
}

func (p *parities) join(x, y *paritySpace) *paritySpace {
	if x == y {
		return x
	}
	out := p.free(x, 0, 0) // a copy
	p.insert(out, y.point.plus(x.point))
	for _, row := range y.rows {
		p.insert(out, row)
	}
	return out
}

func (p *parities) includes(x, y *paritySpace) bool {
	outside := func(v parityVector) bool { return p.reduce(x, v).first() >= 0 }
	return x == y || len(y.rows) <= len(x.rows) && !outside(y.point.plus(x.point)) && !slices.ContainsFunc(y.rows, outside)
}

func (p *parities) widen(_ int, x, y *paritySpace, _ int) *paritySpace { return p.join(x, y) }

func (p *parities) meet(x, _ *paritySpace) (*paritySpace, bool) { return x, true }

// forms returns what defines a space: each dimension that is no pivot, by pivots.
func (p *parities) forms(x *paritySpace) (out []parity) {
	for d := range p.numbers {
		if _, free := slices.BinarySearch(x.pivot, d); free {
			continue
		}
		form := parity{x.point.at(d), make(parityVector, p.length).with(d, true)}
		for i, row := range x.rows {
			if row.at(d) {
				form.dims = form.dims.with(x.pivot[i], true)
			}
		}
		out = append(out, form)
	}
	return out
}

// facts returns the forms of a location that equations and congruences do not give.
func (p *parities) facts(l int, x *paritySpace) (out []parity) {
	all := p.free(&paritySpace{point: make(parityVector, p.length)}, 0, len(p.numbers))
	known, ok := p.given(l, all)
	for _, form := range p.forms(x) {
		if value, is := p.known(known, form); ok && (!is || value) {
			out = append(out, form)
			known, ok = p.keep(known, form)
		}
	}
	return out
}
