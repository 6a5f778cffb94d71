package facts

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
)

// Parities: affine equations modulo 2 between integers and Booleans, over the field of two
// elements (as [MuellerOlmSeidl07] has it for powers of two). Vectors are bit sets, so that a
// step takes little beside the others. Reals are free.

// bit is a number modulo 2.
type bit bool

func (b bit) Neg() bit      { return b }
func (b bit) Inv() bit      { return b }
func (b bit) Mul(c bit) bit { return b && c }

func (b bit) Sign() int {
	if b {
		return 1
	}
	return 0
}

func (b bit) Cmp(c bit) int { return b.Sign() - c.Sign() }

// parityVector has a bit for each dimension of a step. It is never changed.
type parityVector []uint64

func (v parityVector) size() int { return len(v) }

func (v parityVector) at(d int) bit { return v[d/64]>>(d%64)&1 == 1 }

func (v parityVector) support() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range v {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// plus returns v + k*w.
func (v parityVector) plus(k bit, w parityVector) parityVector {
	if !k {
		return v
	}
	out := slices.Clone(v)
	for i, b := range w {
		out[i] ^= b
	}
	return out
}

// times is the scalar product.
func (v parityVector) times(w parityVector) bit {
	var all uint64
	for i, b := range w {
		all ^= v[i] & b
	}
	return bits.OnesCount64(all)&1 == 1
}

// with returns v with another bit at d.
func (v parityVector) with(d int, b bit) parityVector {
	if v.at(d) == b {
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

// parity is a form modulo 2: odd, or not, plus the sum of dimensions.
type parity struct {
	odd  bool
	dims parityVector
}

func (p parity) value(v parityVector) bit { return bit(p.odd) != p.dims.times(v) }
func (p parity) slope(v parityVector) bit { return p.dims.times(v) }

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
	affine[parityVector, bit]
	all       []bool // which dimensions of the frame are integers
	equations [][]*equation
	modulo    [][]*congruence
}

func newParities(f *finder) *parities {
	dims := len(f.numbers)
	for _, s := range f.steps {
		dims = max(dims, len(s.ints))
	}
	length := (dims + 63) / 64
	p := &parities{affine[parityVector, bit]{flow: f.flow, effort: f.effort(), origin: make(parityVector, length), one: true, wide: length}, f.ints(), f.equations, f.modulo}
	p.updates = p.updatesOf
	return p
}

func (p *parities) rounds() int { return 2 }

func (p *parities) enter(s *step, x *space[parityVector]) (*space[parityVector], bool) {
	return p.given(s.from, p.entered(s, x))
}

// given keeps what equations and congruences say of a location.
func (p *parities) given(l int, x *space[parityVector]) (*space[parityVector], bool) {
	ok := true
	for i := 0; ok && i < len(p.equations[l]); i++ {
		if form, is := p.form(p.all, p.equations[l][i].l); is {
			x, ok = p.keep(x, form)
		}
	}
	for d := 0; ok && d < len(p.modulo[l]); d++ {
		if c := p.modulo[l][d]; c != nil && c.m.Bit(0) == 0 {
			x, ok = p.keep(x, parity{c.r.Bit(0) == 1, p.unit(d)})
		}
	}
	return x, ok
}

// form reads a linear form; false if it is none of integers.
func (p *parities) form(ints []bool, l linear) (parity, bool) {
	p.spend(2 * (1 + len(l.terms)))
	if !l.integral() {
		return parity{}, false
	}
	out := parity{integer(l.c).Bit(0) == 1, make(parityVector, p.wide)}
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

func (p *parities) literal(s *step, x *space[parityVector], c *condition) (*space[parityVector], bool) {
	if c.kind == compare && c.constraint.relation == equal {
		if form, ok := p.form(s.ints, c.constraint.l.scaled()); ok {
			return p.keep(x, form)
		}
	}
	return x, true
}

// updatesOf are the numeric assignments of a step, of which those are any that are no forms of integers.
func (p *parities) updatesOf(s *step) (out []update[parityVector, bit]) {
	for _, a := range s.assign {
		if !a.numeric() {
			continue
		}
		u := update[parityVector, bit]{dim: a.dim}
		if a.value != nil && s.ints[a.dim] {
			if form, ok := p.form(s.ints, *a.value); ok {
				u.to, u.adds = form, slices.Equal(form.dims, p.unit(a.dim))
			}
		}
		out = append(out, u)
	}
	return out
}

// forms returns what defines a space: each dimension that is no pivot, by pivots.
func (p *parities) forms(x *space[parityVector]) (out []parity) {
	for d := range p.numbers {
		if _, free := slices.BinarySearch(x.pivot, d); free {
			continue
		}
		form := parity{bool(x.point.at(d)), p.unit(d)}
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
func (p *parities) facts(l int, x *space[parityVector]) (out []parity) {
	all := p.free(&space[parityVector]{point: p.origin}, 0, len(p.numbers))
	known, ok := p.given(l, all)
	for _, form := range p.forms(x) {
		if value, is := p.known(known, form); ok && (!is || bool(value)) {
			out = append(out, form)
			known, ok = p.keep(known, form)
		}
	}
	return out
}
