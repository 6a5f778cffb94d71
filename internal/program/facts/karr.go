package facts

import (
	"iter"
	"slices"

	"github.com/seltl/seltl/internal/rational"
)

// Affine equations over the rational numbers.

// maxBits bounds the numbers of a space: those that get longer are forgotten.
const maxBits = 2048

type karr struct {
	affine[vector, rational.Rat]
	equations [][]*equation // by location, that hold there; nil if none are known
}

func newKarr(f *flow, e *effort, equations [][]*equation) *karr {
	k := &karr{affine[vector, rational.Rat]{flow: f, effort: e, one: one, wide: 1}, equations}
	k.updates, k.trim = updatesOf, k.shorten
	return k
}

func (v vector) size() int { return len(v) }

func (v vector) support() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, t := range v {
			if !yield(t.dim) {
				return
			}
		}
	}
}

func (l *linear) slope(v vector) rational.Rat { return l.terms.times(v) }

// updatesOf are the numeric assignments of a step.
func updatesOf(s *step) (out []update[vector, rational.Rat]) {
	for _, a := range s.assign {
		switch {
		case !a.numeric():
		case a.value == nil:
			out = append(out, update[vector, rational.Rat]{dim: a.dim})
		default:
			adds := len(a.value.terms) == 1 && a.value.terms[0].dim == a.dim && a.value.terms[0].k.Cmp(one) == 0
			out = append(out, update[vector, rational.Rat]{a.dim, a.value, adds})
		}
	}
	return out
}

func (k *karr) rounds() int { return 1 }

func (k *karr) enter(s *step, x *space[vector]) (*space[vector], bool) {
	if x = k.entered(s, x); k.equations == nil {
		return x, true
	}
	return k.satisfy(x, k.equations[s.from])
}

// satisfy keeps what satisfies equations.
func (k *karr) satisfy(x *space[vector], equations []*equation) (*space[vector], bool) {
	ok := true
	for i := 0; ok && i < len(equations); i++ {
		x, ok = k.keep(x, &equations[i].l)
	}
	return x, ok
}

// literal keeps what satisfies an equation; of other constraints it only sees whether they
// are decided.
func (k *karr) literal(_ *step, x *space[vector], c *condition) (*space[vector], bool) {
	switch {
	case c.kind != compare:
		return x, true
	case c.constraint.relation == equal:
		return k.keep(x, &c.constraint.l)
	}
	value, known := k.known(x, &c.constraint.l)
	return x, !known || c.constraint.holds(value)
}

// shorten frees the dimensions at which numbers are too long.
func (k *karr) shorten(x *space[vector]) {
	var long []int
	look := func(v vector) {
		for _, t := range v {
			if t.k.BitLen() > maxBits {
				long = append(long, t.dim)
			}
		}
	}
	look(x.point)
	for _, row := range x.rows {
		look(row)
	}
	for _, d := range long {
		k.insert(x, unit(d))
	}
}

// equationsOf returns what defines a space over n dimensions: each that is no pivot, by
// pivots, which come before it. They are integral.
func equationsOf(x *space[vector], n int, p *pool) (out []*equation) {
	// x_d is that of the point plus, for each row, the value at its pivot times its x_d.
	terms := make([]vector, n)
	for i, row := range x.rows {
		for _, t := range row[1:] {
			terms[t.dim] = append(terms[t.dim], monomial{x.pivot[i], t.k.Neg()})
		}
	}
	for d := range n {
		if _, free := slices.BinarySearch(x.pivot, d); !free {
			l := linear{x.point.at(d).Neg(), append(terms[d], monomial{d, one})}
			out = append(out, p.equation(l.scaled()))
		}
	}
	return out
}
