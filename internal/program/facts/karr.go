package facts

import (
	"slices"

	"github.com/seltl/seltl/internal/rational"
)

// Affine equations ([Karr76]), in the representation by a point and directions
// ([MuellerOlmSeidl04]): assignments are those of the generators, and the affine hull of
// two spaces is had by the difference of their points as one more direction. Chains are
// no longer than there are dimensions, so that nothing is widened.

// space is point + the span of rows. The rows are in reduced echelon form: each begins
// with a 1, its pivot, at which all other rows and the point are 0; pivots increase.
// A space that is done is not changed, but shared; so are its vectors.
type space struct {
	point vector
	rows  []vector
	pivot []int
}

// maxBits bounds the numbers of a space: those that get longer are forgotten.
const maxBits = 2048

type karr struct {
	*flow
	*effort
	equations [][]*equation // by location, that hold there; nil if none are known
}

func (k *karr) narrows() bool { return false }
func (k *karr) rounds() int   { return 1 }

func (k *karr) start(s *step) *space { return k.free(&space{}, 0, len(s.ints)) }

// free adds directions for the dimensions from and up to the given ones, which are new.
func (k *karr) free(x *space, from, to int) *space {
	k.spend(len(x.rows) + to - from)
	y := &space{x.point, slices.Clone(x.rows), slices.Clone(x.pivot)}
	for d := from; d < to; d++ {
		y.rows, y.pivot = append(y.rows, unit(d)), append(y.pivot, d)
	}
	return y
}

func (k *karr) enter(s *step, x *space) (*space, bool) {
	if n := len(k.numbers); len(s.ints) > n {
		x = k.free(x, n, len(s.ints))
	}
	k.spend(1)
	if k.equations == nil {
		return x, true
	}
	return k.satisfy(x, k.equations[s.from])
}

// satisfy keeps what satisfies equations.
func (k *karr) satisfy(x *space, equations []*equation) (*space, bool) {
	ok := true
	for i := 0; ok && i < len(equations); i++ {
		x, ok = k.keep(x, &equations[i].constraint)
	}
	return x, ok
}

func (k *karr) clone(x *space) *space { return x }

func (k *karr) literal(_ *step, x *space, c *condition) (*space, bool) {
	if c.kind != compare {
		return x, true
	}
	return k.keep(x, &c.constraint)
}

// keep leaves what satisfies an equation; of other constraints it only sees whether they
// are decided.
func (k *karr) keep(x *space, c *constraint) (*space, bool) {
	k.spend(len(x.rows) + len(c.l.terms))
	last := -1 // the last row that changes the form: without it the others stay reduced
	var by rational.Rat
	for i, row := range slices.Backward(x.rows) {
		if by = c.l.terms.times(row); by.Sign() != 0 {
			last = i
			break
		}
	}
	value := c.l.value(x.point)
	if last < 0 {
		return x, c.holds(value)
	}
	if c.relation != equal {
		return x, true
	}
	row, factor := x.rows[last], by.Inv().Neg()
	y := &space{k.add(x.point, value.Mul(factor), row), slices.Delete(slices.Clone(x.rows), last, last+1), slices.Delete(slices.Clone(x.pivot), last, last+1)}
	for i := range last {
		if change := c.l.terms.times(y.rows[i]); change.Sign() != 0 {
			y.rows[i] = k.add(y.rows[i], change.Mul(factor), row)
		}
	}
	return y, true
}

// add is plus, counted.
func (k *karr) add(v vector, factor rational.Rat, w vector) vector {
	k.spend(len(v) + len(w))
	return v.plus(factor, w)
}

// insert adds a direction to a space that is being made.
func (k *karr) insert(x *space, v vector) {
	if v = k.reduce(x, v); len(v) == 0 {
		return
	}
	p := v[0].dim
	v = k.add(nil, v[0].k.Inv(), v)
	eliminate := func(w vector) vector { return k.add(w, w.at(p).Neg(), v) }
	x.point = eliminate(x.point)
	for i, row := range x.rows {
		if row.at(p).Sign() != 0 {
			x.rows[i] = eliminate(row)
		}
	}
	i, _ := slices.BinarySearch(x.pivot, p)
	x.rows, x.pivot = slices.Insert(x.rows, i, v), slices.Insert(x.pivot, i, p)
}

// reduce makes a vector 0 at all pivots.
func (k *karr) reduce(x *space, v vector) vector {
	k.spend(1 + len(v))
	for _, t := range v { // each row changes one pivot only
		if i, ok := slices.BinarySearch(x.pivot, t.dim); ok {
			v = k.add(v, t.k.Neg(), x.rows[i])
		}
	}
	return v
}

func (k *karr) assign(s *step, x *space) *space {
	n := len(k.numbers)
	numeric := slices.ContainsFunc(s.assign, assignment.numeric)
	if !numeric && len(s.ints) == n {
		return x
	}
	if !translation(s) {
		x = k.transform(s, x)
	} else if numeric {
		point := x.point
		for _, a := range s.assign {
			if a.numeric() {
				point = point.with(a.dim, a.value.value(x.point))
			}
		}
		// A pivot of the point must stay 0.
		x = &space{k.reduce(x, point), x.rows, x.pivot}
	}
	// Those of the step come last, so that what is left is reduced.
	kept, _ := slices.BinarySearch(x.pivot, n)
	y := &space{x.point.below(n), slices.Clone(x.rows[:kept]), slices.Clone(x.pivot[:kept])}
	for i, row := range y.rows {
		y.rows[i] = row.below(n)
	}
	k.spend(kept + 1)
	k.shorten(y)
	return y
}

// translation reports that a step only adds numbers: the directions stay.
func translation(s *step) bool {
	return !slices.ContainsFunc(s.assign, func(a assignment) bool {
		if !a.numeric() {
			return false
		}
		return a.value == nil || len(a.value.terms) != 1 || a.value.terms[0].dim != a.dim || a.value.terms[0].k.Cmp(one) != 0
	})
}

// transform assigns to the generators, and makes the form reduced again: those that an
// assignment does not change are so.
func (k *karr) transform(s *step, x *space) *space {
	y := &space{point: x.point}
	for _, a := range s.assign {
		switch {
		case !a.numeric():
		case a.value == nil:
			y.point = y.point.with(a.dim, zero)
		default:
			y.point = y.point.with(a.dim, a.value.value(x.point))
		}
	}
	var changed []vector
	for i, row := range x.rows {
		after, same := row, true
		for _, a := range s.assign {
			if !a.numeric() {
				continue
			}
			var value rational.Rat
			if a.value != nil {
				value = a.value.terms.times(row)
			}
			if before := row.at(a.dim); before.Cmp(value) != 0 {
				after, same = after.with(a.dim, value), false
			}
			k.spend(1)
		}
		if same {
			y.rows, y.pivot = append(y.rows, row), append(y.pivot, x.pivot[i])
		} else {
			changed = append(changed, after)
		}
	}
	for _, a := range s.assign {
		if a.numeric() && a.value == nil {
			changed = append(changed, unit(a.dim))
		}
	}
	y.point = k.reduce(y, y.point)
	for _, row := range changed {
		k.insert(y, row)
	}
	return y
}

// shorten frees the dimensions at which numbers are too long.
func (k *karr) shorten(x *space) {
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

func (k *karr) join(x, y *space) *space {
	if x == y {
		return x
	}
	out := k.free(x, 0, 0) // a copy
	k.insert(out, k.add(y.point, minusOne, x.point))
	for _, row := range y.rows {
		k.insert(out, row)
	}
	return out
}

func (k *karr) includes(x, y *space) bool {
	outside := func(v vector) bool { return len(k.reduce(x, v)) > 0 }
	return x == y || len(y.rows) <= len(x.rows) && !outside(k.add(y.point, minusOne, x.point)) && !slices.ContainsFunc(y.rows, outside)
}

func (k *karr) widen(_ int, x, y *space, _ int) *space { return k.join(x, y) }

func (k *karr) meet(x, _ *space) (*space, bool) { return x, true }

// equations returns what defines a space over n dimensions: each that is no pivot, by
// pivots, which come before it. They are integral.
func (x *space) equations(n int, p *pool) (out []*equation) {
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
