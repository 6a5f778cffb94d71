package facts

import (
	"math/big"
	"slices"
)

// Affine equations ([Karr76]), in the representation by a point and directions
// ([MuellerOlmSeidl04]): assignments are those of the generators, and the affine hull of
// two spaces is had by the difference of their points as one more direction. Chains are
// no longer than there are dimensions, so that nothing is widened.

// vector has one number for each dimension; nil is 0. Numbers are shared.
type vector []*big.Rat

func (v vector) at(d int) *big.Rat {
	if v[d] == nil {
		return zero
	}
	return v[d]
}

// space is point + the span of rows. The rows are in reduced echelon form: each begins
// with a 1, its pivot, at which all other rows and the point are 0; pivots increase.
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
	equations [][]linear // by location, that hold there; nil if none are known
}

func (k *karr) narrows() bool { return false }
func (k *karr) rounds() int   { return 1 }

func (k *karr) start(s *step) *space {
	x := &space{point: make(vector, len(s.ints))}
	k.free(x, 0)
	return x
}

// free adds directions for the dimensions from the given one on, which are new.
func (k *karr) free(x *space, from int) {
	for d := from; d < len(x.point); d++ {
		row := make(vector, len(x.point))
		row[d] = one
		x.rows, x.pivot = append(x.rows, row), append(x.pivot, d)
	}
	k.spend(len(x.rows) * len(x.point) / 8)
}

func (k *karr) enter(s *step, x *space) (*space, bool) {
	n, all := len(x.point), len(s.ints)
	y := &space{point: extended(x.point, all), pivot: slices.Clone(x.pivot)}
	for _, row := range x.rows {
		y.rows = append(y.rows, extended(row, all))
	}
	k.free(y, n)
	if k.equations == nil {
		return y, true
	}
	return k.satisfy(y, k.equations[s.from])
}

// satisfy keeps what satisfies equations.
func (k *karr) satisfy(x *space, equations []linear) (*space, bool) {
	ok := true
	for i := 0; ok && i < len(equations); i++ {
		x, ok = k.literal(nil, x, &condition{kind: compare, constraint: constraint{equal, equations[i]}})
	}
	return x, ok
}

func extended(v vector, n int) vector {
	w := make(vector, n)
	copy(w, v)
	return w
}

func (k *karr) clone(x *space) *space {
	y := &space{point: slices.Clone(x.point), pivot: slices.Clone(x.pivot)}
	for _, row := range x.rows {
		y.rows = append(y.rows, slices.Clone(row))
	}
	k.spend(len(x.rows) * len(x.point) / 8)
	return y
}

// along returns what a linear form changes by along a direction; nil for 0.
func (l linear) along(v vector) *big.Rat {
	var sum *big.Rat
	for _, t := range l.terms {
		switch {
		case v[t.dim] == nil:
		case sum == nil:
			sum = times(t.k, v[t.dim])
		default:
			sum = new(big.Rat).Add(sum, times(t.k, v[t.dim]))
		}
	}
	if sum != nil && sum.Sign() == 0 {
		return nil
	}
	return sum
}

// value returns that of a linear form at a point.
func (l linear) value(v vector) *big.Rat {
	if sum := l.along(v); sum != nil {
		return add(l.c, sum)
	}
	return l.c
}

// addTo adds k*w to v.
func (v vector) addTo(k *big.Rat, w vector) {
	for d, r := range w {
		if r == nil {
			continue
		}
		sum := times(k, r)
		if v[d] != nil {
			sum = new(big.Rat).Add(v[d], sum)
		}
		if v[d] = sum; sum.Sign() == 0 {
			v[d] = nil
		}
	}
}

func (k *karr) literal(_ *step, x *space, c *condition) (*space, bool) {
	if c.kind != compare {
		return x, true
	}
	l := c.constraint.l
	k.spend((len(x.rows) + 1) * (len(l.terms) + 1))
	last := -1 // the last row that changes the form: without it the others stay reduced
	changes := make([]*big.Rat, len(x.rows))
	for i, row := range x.rows {
		if changes[i] = l.along(row); changes[i] != nil {
			last = i
		}
	}
	value := l.value(x.point)
	if last < 0 {
		return x, c.constraint.holds(value)
	}
	if c.constraint.relation != equal {
		return x, true
	}
	row := x.rows[last]
	k.spend((last + 1) * len(row) / 2)
	x.point.addTo(new(big.Rat).Neg(new(big.Rat).Quo(value, changes[last])), row)
	for i := range last {
		if changes[i] != nil {
			x.rows[i].addTo(new(big.Rat).Neg(new(big.Rat).Quo(changes[i], changes[last])), row)
		}
	}
	x.rows, x.pivot = slices.Delete(x.rows, last, last+1), slices.Delete(x.pivot, last, last+1)
	return x, true
}

// insert adds a direction; false if it was in the space.
func (k *karr) insert(x *space, v vector) bool {
	k.reduce(x, v)
	p := slices.IndexFunc(v, func(r *big.Rat) bool { return r != nil })
	if p < 0 {
		return false
	}
	inverse := new(big.Rat).Inv(v[p])
	for d, r := range v {
		if r != nil {
			v[d] = times(inverse, r)
		}
	}
	v[p] = one
	eliminate := func(w vector) {
		if w[p] != nil {
			w.addTo(new(big.Rat).Neg(w[p]), v)
			k.spend(len(w))
		}
	}
	eliminate(x.point)
	for _, row := range x.rows {
		eliminate(row)
	}
	i, _ := slices.BinarySearch(x.pivot, p)
	x.rows, x.pivot = slices.Insert(x.rows, i, v), slices.Insert(x.pivot, i, p)
	return true
}

// reduce makes a vector 0 at all pivots.
func (k *karr) reduce(x *space, v vector) {
	k.spend(len(x.rows) + len(v))
	for i, p := range x.pivot {
		if v[p] != nil {
			v.addTo(new(big.Rat).Neg(v[p]), x.rows[i])
			k.spend(len(v))
		}
	}
}

func (k *karr) assign(s *step, x *space) *space {
	n := len(k.numbers)
	if !translation(s) {
		x = k.transform(s, x)
	} else {
		point := slices.Clone(x.point)
		for _, a := range s.assign {
			if a.numeric() {
				point[a.dim] = nonzero(a.value.value(x.point))
			}
		}
		x.point = point
		for i, p := range x.pivot {
			// A pivot of the point must stay 0.
			if x.point[p] != nil {
				x.point.addTo(new(big.Rat).Neg(x.point[p]), x.rows[i])
				k.spend(n)
			}
		}
	}
	// Those of the step come last, so that what is left is reduced.
	x.point = x.point[:n:n]
	kept, _ := slices.BinarySearch(x.pivot, n)
	x.rows, x.pivot = x.rows[:kept], x.pivot[:kept]
	for i, row := range x.rows {
		x.rows[i] = row[:n:n]
	}
	k.shorten(x)
	return x
}

func nonzero(r *big.Rat) *big.Rat {
	if r.Sign() == 0 {
		return nil
	}
	return r
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

// transform assigns to the generators, and makes the form reduced again.
func (k *karr) transform(s *step, x *space) *space {
	y := &space{point: slices.Clone(x.point)}
	rows := make([]vector, len(x.rows))
	for i, row := range x.rows {
		rows[i] = slices.Clone(row)
	}
	for _, a := range s.assign {
		if !a.numeric() {
			continue
		}
		if a.value == nil {
			y.point[a.dim] = nil
			for _, row := range rows {
				row[a.dim] = nil
			}
			any := make(vector, len(x.point))
			any[a.dim] = one
			rows = append(rows, any)
			continue
		}
		k.spend(len(rows) * (1 + len(a.value.terms)))
		y.point[a.dim] = nonzero(a.value.value(x.point))
		for i, row := range x.rows {
			rows[i][a.dim] = a.value.along(row)
		}
	}
	for _, row := range rows {
		k.insert(y, row)
	}
	return y
}

// shorten frees the dimensions at which numbers are too long.
func (k *karr) shorten(x *space) {
	long := func(v vector, d int) bool {
		return v[d] != nil && v[d].Num().BitLen()+v[d].Denom().BitLen() > maxBits
	}
	for d := range x.point {
		if long(x.point, d) || slices.ContainsFunc(x.rows, func(row vector) bool { return long(row, d) }) {
			any := make(vector, len(x.point))
			any[d] = one
			k.insert(x, any)
		}
	}
}

func (k *karr) join(x, y *space) *space {
	out := k.clone(x)
	difference := slices.Clone(y.point)
	difference.addTo(minusOne, x.point)
	k.insert(out, difference)
	for _, row := range y.rows {
		k.insert(out, slices.Clone(row))
	}
	return out
}

func (k *karr) includes(x, y *space) bool {
	within := func(v vector) bool {
		k.reduce(x, v)
		return !slices.ContainsFunc(v, func(r *big.Rat) bool { return r != nil })
	}
	difference := slices.Clone(y.point)
	difference.addTo(minusOne, x.point)
	if len(y.rows) > len(x.rows) || !within(difference) {
		return false
	}
	return !slices.ContainsFunc(y.rows, func(row vector) bool { return !within(slices.Clone(row)) })
}

func (k *karr) widen(_ int, x, y *space, _ int) *space { return k.join(x, y) }

func (k *karr) meet(x, _ *space) (*space, bool) { return x, true }

// equations returns what defines a space: each dimension that is no pivot, by pivots,
// which come before it. They are integral.
func (x *space) equations() (out []linear) {
	for d, c := range x.point {
		if _, free := slices.BinarySearch(x.pivot, d); free {
			continue
		}
		// x_d is that of the point plus, for each row, the value at its pivot times its x_d.
		l := linear{c: zero}
		if c != nil {
			l.c = new(big.Rat).Neg(c)
		}
		for i, p := range x.pivot {
			if r := x.rows[i][d]; r != nil {
				l.terms = append(l.terms, monomial{p, new(big.Rat).Neg(r)})
			}
		}
		l.terms = append(l.terms, monomial{d, one})
		slices.SortFunc(l.terms, func(a, b monomial) int { return a.dim - b.dim })
		out = append(out, l.scaled())
	}
	return out
}
