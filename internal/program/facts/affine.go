package facts

import (
	"iter"
	"slices"
)

// Affine equations over a field ([Karr76]), in the representation by a point and directions
// ([MuellerOlmSeidl04]): assignments are those of the generators, and the affine hull of
// two spaces is had by the difference of their points as one more direction. Chains are
// no longer than there are dimensions, so that nothing is widened.

// space is point + the span of rows. The rows are in reduced echelon form: each begins
// with a 1, its pivot, at which all other rows and the point are 0; pivots increase.
// A space that is done is not changed, but shared; so are its vectors.
type space[V any] struct {
	point V
	rows  []V
	pivot []int
}

// scalar is a number of a field.
type scalar[K any] interface {
	Neg() K
	Inv() K
	Mul(K) K
	Cmp(K) int
	Sign() int // 0 of 0 only
}

// directions are vectors over a field, which are never changed.
type directions[V, K any] interface {
	at(d int) K
	with(d int, k K) V      // with another number at d
	below(n int) V          // without the dimensions from n on
	plus(k K, w V) V        // v + k*w
	support() iter.Seq[int] // the dimensions that are not 0, upwards
	size() int              // the work of going through it
}

// form is a number plus a sum of dimensions.
type form[V, K any] interface {
	value(at V) K
	slope(along V) K // without the number
}

// update is a numeric assignment.
type update[V, K any] struct {
	dim  int
	to   form[V, K] // nil: any
	adds bool       // a number to what it was
}

// affine is the domain of affine equations over a field: what the domains over each field share.
type affine[V directions[V, K], K scalar[K]] struct {
	*flow
	*effort
	origin  V // all zeros
	one     K
	wide    int // the work of a form along one row
	updates func(*step) []update[V, K]
	trim    func(x *space[V]) // frees what has become too large in a space that is being made; nil: nothing has
}

func (k *affine[V, K]) narrows() bool { return false }

func (k *affine[V, K]) start(s *step) *space[V] {
	return k.free(&space[V]{point: k.origin}, 0, len(s.ints))
}

// unit is the direction of a dimension.
func (k *affine[V, K]) unit(d int) V { return k.origin.with(d, k.one) }

// free adds directions for the dimensions from and up to the given ones, which are new.
func (k *affine[V, K]) free(x *space[V], from, to int) *space[V] {
	k.spend(len(x.rows) + k.wide*(to-from))
	y := &space[V]{x.point, slices.Clone(x.rows), slices.Clone(x.pivot)}
	for d := from; d < to; d++ {
		y.rows, y.pivot = append(y.rows, k.unit(d)), append(y.pivot, d)
	}
	return y
}

// entered adds the dimensions of a step's own.
func (k *affine[V, K]) entered(s *step, x *space[V]) *space[V] {
	k.spend(1)
	if n := len(k.numbers); len(s.ints) > n {
		return k.free(x, n, len(s.ints))
	}
	return x
}

func (k *affine[V, K]) clone(x *space[V]) *space[V] { return x }

// known reports that a form has one value in a space, and which.
func (k *affine[V, K]) known(x *space[V], f form[V, K]) (value K, known bool) {
	k.spend(k.wide * (1 + len(x.rows)))
	return f.value(x.point), !slices.ContainsFunc(x.rows, func(row V) bool { return f.slope(row).Sign() != 0 })
}

// keep leaves that for which a form is 0; false if that is nothing.
func (k *affine[V, K]) keep(x *space[V], f form[V, K]) (*space[V], bool) {
	k.spend(k.wide * (1 + len(x.rows)))
	last := -1 // the last row that changes the form: without it the others stay reduced
	var by K
	for i, row := range slices.Backward(x.rows) {
		if by = f.slope(row); by.Sign() != 0 {
			last = i
			break
		}
	}
	value := f.value(x.point)
	if last < 0 {
		return x, value.Sign() == 0
	}
	row, factor := x.rows[last], by.Inv().Neg()
	y := &space[V]{k.add(x.point, value.Mul(factor), row), slices.Delete(slices.Clone(x.rows), last, last+1), slices.Delete(slices.Clone(x.pivot), last, last+1)}
	for i := range last {
		if change := f.slope(y.rows[i]); change.Sign() != 0 {
			y.rows[i] = k.add(y.rows[i], change.Mul(factor), row)
		}
	}
	return y, true
}

// add is plus, counted.
func (k *affine[V, K]) add(v V, factor K, w V) V {
	k.spend(v.size() + w.size())
	return v.plus(factor, w)
}

// insert adds a direction to a space that is being made.
func (k *affine[V, K]) insert(x *space[V], v V) {
	v = k.reduce(x, v)
	p, some := first(v.support())
	if !some {
		return
	}
	v = k.add(k.origin, v.at(p).Inv(), v)
	eliminate := func(w V) V { return k.add(w, w.at(p).Neg(), v) }
	x.point = eliminate(x.point)
	for i, row := range x.rows {
		if row.at(p).Sign() != 0 {
			x.rows[i] = eliminate(row)
		}
	}
	i, _ := slices.BinarySearch(x.pivot, p)
	x.rows, x.pivot = slices.Insert(x.rows, i, v), slices.Insert(x.pivot, i, p)
}

func first(dims iter.Seq[int]) (int, bool) {
	for d := range dims {
		return d, true
	}
	return 0, false
}

// reduce makes a vector 0 at all pivots.
func (k *affine[V, K]) reduce(x *space[V], v V) V {
	k.spend(1 + v.size())
	for d := range v.support() { // each row changes one pivot only
		if i, ok := slices.BinarySearch(x.pivot, d); ok {
			v = k.add(v, v.at(d).Neg(), x.rows[i])
		}
	}
	return v
}

func (k *affine[V, K]) assign(s *step, x *space[V]) *space[V] {
	n := len(k.numbers)
	updates := k.updates(s)
	if len(updates) == 0 && len(s.ints) == n {
		return x
	}
	switch changes := func(u update[V, K]) bool { return !u.adds }; {
	case slices.ContainsFunc(updates, changes):
		x = k.transform(updates, x)
	case len(updates) > 0: // the directions stay
		point := x.point
		for _, u := range updates {
			point = point.with(u.dim, u.to.value(x.point))
		}
		// A pivot of the point must stay 0.
		x = &space[V]{k.reduce(x, point), x.rows, x.pivot}
	}
	// Those of the step come last, so that what is left is reduced.
	kept, _ := slices.BinarySearch(x.pivot, n)
	y := &space[V]{x.point.below(n), slices.Clone(x.rows[:kept]), slices.Clone(x.pivot[:kept])}
	for i, row := range y.rows {
		y.rows[i] = row.below(n)
	}
	k.spend(kept + 1)
	if k.trim != nil {
		k.trim(y)
	}
	return y
}

// transform assigns to the generators, and makes the form reduced again: those that an
// assignment does not change are so.
func (k *affine[V, K]) transform(updates []update[V, K], x *space[V]) *space[V] {
	y := &space[V]{point: x.point}
	for _, u := range updates {
		var value K
		if u.to != nil {
			value = u.to.value(x.point)
		}
		y.point = y.point.with(u.dim, value)
	}
	var changed []V
	for i, row := range x.rows {
		after, same := row, true
		for _, u := range updates {
			var value K
			if u.to != nil {
				value = u.to.slope(row)
			}
			if row.at(u.dim).Cmp(value) != 0 {
				after, same = after.with(u.dim, value), false
			}
			k.spend(k.wide)
		}
		if same {
			y.rows, y.pivot = append(y.rows, row), append(y.pivot, x.pivot[i])
		} else {
			changed = append(changed, after)
		}
	}
	for _, u := range updates {
		if u.to == nil {
			changed = append(changed, k.unit(u.dim))
		}
	}
	y.point = k.reduce(y, y.point)
	for _, row := range changed {
		k.insert(y, row)
	}
	return y
}

func (k *affine[V, K]) join(x, y *space[V]) *space[V] {
	if x == y {
		return x
	}
	out := k.free(x, 0, 0) // a copy
	k.insert(out, k.add(y.point, k.one.Neg(), x.point))
	for _, row := range y.rows {
		k.insert(out, row)
	}
	return out
}

func (k *affine[V, K]) includes(x, y *space[V]) bool {
	outside := func(v V) bool {
		_, some := first(k.reduce(x, v).support())
		return some
	}
	return x == y || len(y.rows) <= len(x.rows) && !outside(k.add(y.point, k.one.Neg(), x.point)) && !slices.ContainsFunc(y.rows, outside)
}

func (k *affine[V, K]) widen(_ int, x, y *space[V], _ int) *space[V] { return k.join(x, y) }

func (k *affine[V, K]) meet(x, _ *space[V]) (*space[V], bool) { return x, true }
