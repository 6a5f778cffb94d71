package facts

import (
	"math"
	"slices"

	"github.com/seltl/seltl/internal/rational"
)

// Octagons ([Mine06]): bounds of ±x±y as a matrix of differences, strongly closed, with
// the closure for integers of [BagnaraHillZaffanella09].

// octagon is a matrix of 2n×2n bounds: m[i*size+j] bounds V_j - V_i from above, where
// V_2k is the k-th number and V_2k+1 its negation, so that the bound of V_2k - V_2k+1 is
// that of 2*x_k. Each inequality is there twice: of i and j, and of the negations of j
// and i. Bounds are integers, also those of reals, which are rounded up.
type octagon struct {
	size   int // 2n
	m      []int64
	ints   []bool
	closed bool
}

const (
	// unbounded is no bound.
	unbounded = math.MaxInt64
	// furthest is as far as bounds go; what is further is unbounded, or weaker.
	furthest = 1 << 50
	// maxOctagon is the number of dimensions that a step may have.
	maxOctagon = 40
	// maxOctagonBytes bounds the matrices of all locations.
	maxOctagonBytes = 256 << 20
)

func newOctagon(ints []bool) *octagon {
	return (&octagon{size: 2 * len(ints), ints: ints, closed: true}).unconstrained(0)
}

// unconstrained makes a matrix whose first n rows and columns are still to be written; the
// memory of the last one is used again if it is large enough.
func (o *octagon) unconstrained(n int) *octagon {
	o.m = slices.Grow(o.m[:0], o.size*o.size)[:o.size*o.size]
	for i := range o.size {
		from := 0
		if i < n {
			from = n
		}
		row := o.m[i*o.size : (i+1)*o.size]
		for j := from; j < len(row); j++ {
			row[j] = unbounded
		}
		row[i] = 0
	}
	return o
}

// plus adds bounds.
func plus(a, b int64) int64 {
	switch {
	case a == unbounded || b == unbounded || a+b > furthest:
		return unbounded
	}
	return max(a+b, -furthest)
}

// half is that of the sum of two bounds of doubled numbers.
func (o *octagon) half(a, b int64, i, j int) int64 {
	sum := plus(a, b)
	if sum == unbounded {
		return unbounded
	}
	if sum&1 != 0 && !(o.ints[i/2] && o.ints[j/2]) {
		sum++ // rounded up
	}
	return sum >> 1
}

func (o *octagon) at(i, j int) int64 { return o.m[i*o.size+j] }

// lower stores a bound in both places, if it is one.
func (o *octagon) lower(i, j int, bound int64) {
	if bound < o.m[i*o.size+j] {
		o.m[i*o.size+j] = bound
		o.m[(j^1)*o.size+(i^1)] = bound
	}
}

// close makes every bound as strong as the others make it; false if nothing is left.
func (o *octagon) close() bool {
	if o.closed {
		return true
	}
	n := o.size
	for k := range n {
		for i := range n {
			shorten(o.m[i*n:i*n+n], o.m[i*n+k], o.m[k*n:k*n+n])
		}
	}
	o.closed = true
	return o.strengthen(nil)
}

// shorten takes the ways that begin with the given one where they are shorter.
func shorten(row []int64, first int64, rest []int64) {
	if first == unbounded {
		return
	}
	rest = rest[:len(row)]
	for j, old := range row {
		if second := rest[j]; second != unbounded && first+second < old {
			row[j] = plus(first, second)
		}
	}
}

// strengthen rounds the bounds of integers and combines bounds of single numbers: those
// that are not what they were before, if these are given.
func (o *octagon) strengthen(before []int64) bool {
	n := o.size
	for i := range n {
		if o.m[i*n+i] < 0 {
			return false
		}
		if b := o.single(i); *b != unbounded && o.ints[i/2] {
			*b = *b >> 1 << 1
		}
	}
	var space [4 * maxOctagon]int
	changed := space[:0]
	for i := range n {
		a, b := *o.single(i), *o.single(i ^ 1)
		if a != unbounded && b != unbounded && a+b < 0 {
			return false
		}
		if a != unbounded && (before == nil || a != before[i]) {
			changed = append(changed, i)
		}
	}
	for _, i := range changed {
		for k := range n {
			// V_(k^1) - V_i is at most half of what V_(i^1) - V_i and V_(k^1) - V_k are.
			if h := o.half(*o.single(i), *o.single(k), i, k); i != k^1 {
				o.lower(i, k^1, h)
			}
		}
	}
	return true
}

// single is the bound of V_(i^1) - V_i.
func (o *octagon) single(i int) *int64 { return &o.m[i*o.size+(i^1)] }

// bound adds V_j - V_i <= c to a closed octagon and closes it again; false if nothing
// is left.
func (o *octagon) bound(i, j int, c int64) bool {
	n := o.size
	if c >= o.m[i*n+j] {
		return true
	}
	var space [4 * maxOctagon]int64
	before := space[:0]
	for k := range n {
		before = append(before, *o.single(k))
	}
	o.lower(i, j, c)
	// Every shorter way takes the new inequality, or its twin, or both.
	bi, bj := i^1, j^1
	for p := range n {
		a := plus(o.m[p*n+i], c)  // p to j
		b := plus(o.m[p*n+bj], c) // p to the negation of i
		a, b = min(a, plus(plus(b, o.m[bi*n+i]), c)), min(b, plus(plus(a, o.m[j*n+bj]), c))
		row := o.m[p*n : p*n+n]
		shorten(row, a, o.m[j*n:j*n+n])
		shorten(row, b, o.m[bi*n:bi*n+n])
	}
	return o.strengthen(before)
}

// grow makes o that of x with further dimensions.
func (o *octagon) grow(x *octagon, ints []bool) *octagon {
	o.size, o.ints, o.closed = 2*len(ints), ints, x.closed
	o.unconstrained(x.size)
	for i := range x.size {
		copy(o.m[i*o.size:], x.m[i*x.size:(i+1)*x.size])
	}
	return o
}

// kept takes the given dimensions, in their order: each its own, or another in its place.
func (o *octagon) kept(dims []int, ints []bool) *octagon {
	out := &octagon{size: 2 * len(ints), ints: ints, closed: o.closed}
	out.m = make([]int64, 0, out.size*out.size)
	for i := range out.size {
		row := o.m[(2*dims[i/2]+i%2)*o.size:]
		out.m = append(out.m, row[:out.size]...)
		for d, from := range dims {
			if d != from {
				copy(out.m[i*out.size+2*d:], row[2*from:2*from+2])
			}
		}
	}
	return out
}

// octagons is the domain.
type octagons struct {
	*flow
	*effort
	equations [][]*equation // by location, that hold there
	bounds    []*box        // by location, likewise; nil if none are known
	// The memory of the two octagons that a step needs on its way.
	entered, assigned octagon
	bits              []interval // of columns, at the source of the step
}

// Octagons leave columns out: a dimension behind them has their number less.

// index returns the number of a dimension in an octagon; false of a column.
func (o *octagons) index(d int) (int, bool) {
	switch {
	case d < o.columns:
		return d, true
	case d < len(o.numbers):
		return 0, false
	}
	return d - (len(o.numbers) - o.columns), true
}

// local returns a form over an octagon's numbers: the least value, as far as columns are
// concerned, and whether it is the only one.
func (o *octagons) local(l linear) (least linear, exact bool) {
	if len(o.numbers) == o.columns {
		return l, true
	}
	least, exact = linear{c: l.c, terms: make([]monomial, 0, len(l.terms))}, true
	for _, t := range l.terms {
		if i, ok := o.index(t.dim); ok {
			least.terms = append(least.terms, monomial{i, t.k})
			continue
		}
		bit := o.bits[t.dim-o.columns]
		least.c = least.c.Add(bit.scaled(t.k).lo.Rat)
		exact = exact && bit.single()
	}
	return least, exact
}

// ints says which numbers of a step's octagons are integers.
func (o *octagons) ints(s *step) []bool {
	if len(o.numbers) == o.columns {
		return s.ints
	}
	return slices.Concat(s.ints[:o.columns], s.ints[len(o.numbers):])
}

// enterColumns notes what is known of columns where a step begins.
func (o *octagons) enterColumns(s *step) {
	o.bits = o.bits[:0]
	for d := o.columns; d < len(o.numbers); d++ {
		bit := o.most(d)
		if s.from >= 0 && o.bounds[s.from] != nil {
			bit = o.bounds[s.from].numbers[d]
		}
		o.bits = append(o.bits, bit)
	}
}

func (o *octagons) narrows() bool { return true }
func (o *octagons) rounds() int   { return 1 }

func (o *octagons) start(s *step) *octagon {
	o.enterColumns(s)
	return newOctagon(o.ints(s))
}

func (o *octagons) enter(s *step, x *octagon) (*octagon, bool) {
	o.enterColumns(s)
	y := o.entered.grow(x, o.ints(s))
	o.spend(len(y.m) / 32)
	if !o.close(y) {
		return y, false
	}
	if b := o.bounds[s.from]; b != nil {
		for d, i := range b.numbers[:o.columns] {
			if !o.single(y, d, i) {
				return y, false
			}
		}
	}
	for _, e := range o.equations[s.from] {
		if !o.constrain(y, &e.constraint) {
			return y, false
		}
	}
	return y, true
}

func (o *octagons) close(x *octagon) bool {
	if !x.closed {
		o.spend(x.size * x.size * x.size / 128)
	}
	return x.close()
}

// add is bound, counted.
func (o *octagons) add(x *octagon, i, j int, c int64) bool {
	if c >= x.at(i, j) {
		return true
	}
	o.spend(x.size * x.size / 64)
	return x.bound(i, j, c)
}

// single bounds a number by an interval.
func (o *octagons) single(x *octagon, d int, i interval) bool {
	if i.hi.is && !o.add(x, 2*d+1, 2*d, roundedUp(two.Mul(i.hi.Rat))) {
		return false
	}
	return !i.lo.is || o.add(x, 2*d, 2*d+1, roundedUp(two.Mul(i.lo.Rat).Neg()))
}

// roundedUp returns a bound for the matrix.
func roundedUp(r rational.Rat) int64 {
	up := r.Ceil()
	switch {
	case up.Cmp(most) > 0:
		return unbounded
	case up.Cmp(most.Neg()) < 0:
		return -furthest
	}
	n, _ := up.Int64()
	return n
}

var most = rational.Int(furthest)

func (o *octagons) clone(x *octagon) *octagon {
	o.spend(len(x.m) / 64)
	y := *x
	y.m = slices.Clone(x.m)
	return &y
}

// intervalOf returns what a closed octagon says of a single number.
func (x *octagon) intervalOf(d int) interval {
	var i interval
	if up := x.at(2*d+1, 2*d); up != unbounded {
		i.hi = at(half(up))
	}
	if down := x.at(2*d, 2*d+1); down != unbounded {
		i.lo = at(half(-down))
	}
	return i
}

// half returns n/2.
func half(n int64) rational.Rat {
	if n%2 == 0 {
		return rational.Int(n / 2)
	}
	return rational.Int(n).Quo(two)
}

func (o *octagons) literal(_ *step, x *octagon, c *condition) (*octagon, bool) {
	if c.kind != compare {
		return x, true
	}
	return x, o.constrain(x, &c.constraint)
}

func (o *octagons) constrain(x *octagon, c *constraint) bool {
	switch c.relation {
	case equal:
		return o.nonPositive(x, c.l, false) && o.nonPositive(x, c.minus, false)
	case unequal:
		return o.apart(x, c.l)
	}
	return o.nonPositive(x, c.l, c.relation == below)
}

// end is the number of V_i that is k's sign times a dimension.
func end(t monomial) int {
	if t.k.Sign() > 0 {
		return 2 * t.dim
	}
	return 2*t.dim + 1
}

// nonPositive adds l <= 0: what it says of each number, and of each pair of numbers with
// the same coefficient, with the bounds of the others.
func (o *octagons) nonPositive(x *octagon, l linear, strict bool) bool {
	l, _ = o.local(l)
	var space [8]bound
	least := append(space[:0], make([]bound, len(l.terms))...) // of each term
	total, open := l.c, 0
	for i, t := range l.terms {
		if least[i] = x.intervalOf(t.dim).scaled(t.k).lo; least[i].is {
			total = total.Add(least[i].Rat)
		} else {
			open++
		}
	}
	o.spend(4 * (1 + len(l.terms)))
	if open == 0 && (total.Sign() > 0 || strict && total.Sign() == 0) {
		return false
	}
	if open > 2 {
		return true
	}
	// The rest without one or two terms has a least value if these are those that have none,
	// and they are 0 in the sum.
	missing := func(i int) int {
		if least[i].is {
			return 0
		}
		return 1
	}
	for i, t := range l.terms {
		if open == missing(i) {
			bound := total.Sub(least[i].Rat).Neg().Quo(t.k.Abs())
			if !o.add(x, end(t)^1, end(t), o.upper(x, t.dim, t.dim, two.Mul(bound))) {
				return false
			}
		}
		for j, u := range l.terms[:i] {
			if open != missing(i)+missing(j) || t.k.Abs().Cmp(u.k.Abs()) != 0 {
				continue
			}
			bound := total.Sub(least[i].Rat).Sub(least[j].Rat).Neg().Quo(t.k.Abs())
			if !o.add(x, end(u)^1, end(t), o.upper(x, t.dim, u.dim, bound)) {
				return false
			}
		}
	}
	return true
}

// upper rounds a bound of two numbers: down if they are integers.
func (o *octagons) upper(x *octagon, d, e int, bound rational.Rat) int64 {
	if x.ints[d] && x.ints[e] {
		bound = bound.Floor()
	}
	return roundedUp(bound)
}

// apart takes an integer bound away that l != 0 excludes.
func (o *octagons) apart(x *octagon, l linear) bool {
	l, exact := o.local(l)
	if !exact {
		return true
	}
	if len(l.terms) == 0 {
		return l.c.Sign() != 0
	}
	for _, t := range l.terms {
		if !x.ints[t.dim] || len(l.terms) > 2 || t.k.Abs().Cmp(one) != 0 {
			return true
		}
	}
	c, ok := l.c.Int64() // ±x±y != -c
	if !ok || l.c.BitLen() > 41 {
		return true
	}
	first, second := end(l.terms[0]), end(l.terms[len(l.terms)-1])
	factor := int64(1)
	if len(l.terms) == 1 {
		factor = 2
	}
	if x.at(second^1, first) == -c*factor && !o.add(x, second^1, first, (-c-1)*factor) {
		return false
	}
	if x.at(second, first^1) == c*factor && !o.add(x, second, first^1, (c-1)*factor) {
		return false
	}
	return true
}

// assign gives each assigned number a new dimension, and forgets the old one.
func (o *octagons) assign(s *step, x *octagon) *octagon {
	dims := make([]int, o.columns)
	for d := range dims {
		dims[d] = d
	}
	ints := slices.Clone(x.ints)
	for _, a := range s.assign {
		if a.numeric() && a.dim < o.columns {
			dims[a.dim] = len(ints)
			ints = append(ints, s.ints[a.dim])
		}
	}
	if len(ints) > len(x.ints) {
		x = o.assigned.grow(x, ints)
		o.spend(len(x.m) / 32)
	}
	behind := len(o.numbers) - o.columns
	for _, a := range s.assign {
		if a.numeric() && a.dim < o.columns && a.value != nil {
			// No contradiction: the new number is free.
			c := constrained(equal, dimension(dims[a.dim]+behind).minus(*a.value))
			o.constrain(x, &c)
		}
	}
	o.spend(len(dims) * len(dims) / 8)
	return x.kept(dims, s.ints[:len(dims):len(dims)])
}

// join takes the weaker bounds, which are closed if both are.
func (o *octagons) join(x, y *octagon) *octagon {
	out := o.clone(x)
	for i, b := range y.m {
		out.m[i] = max(out.m[i], b)
	}
	out.closed = x.closed && y.closed
	return out
}

func (o *octagons) includes(x, y *octagon) bool {
	o.spend(len(x.m) / 64)
	for i, b := range x.m {
		if y.m[i] > b {
			return false
		}
	}
	return true
}

// widen forgets bounds that grow. The result is not closed where it is kept, or closing
// would bring them back.
func (o *octagons) widen(_ int, x, y *octagon, _ int) *octagon {
	out := o.clone(x)
	for i, b := range y.m {
		if b > out.m[i] {
			out.m[i] = unbounded
		}
	}
	out.closed = false
	return out
}

func (o *octagons) meet(x, y *octagon) (*octagon, bool) {
	out := o.clone(x)
	for i, b := range y.m {
		out.m[i] = min(out.m[i], b)
	}
	out.closed = false
	return out, o.close(out)
}
