package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Intervals ([CousotCousot77]), with the constants of the program as thresholds of
// widening.

// interval is the numbers from lo to hi; nil is no bound. The bounds are shared.
type interval struct{ lo, hi *big.Rat }

// box has the numbers of a step, and its Booleans (0 or 1) and machine words (unsigned).
type box struct{ numbers, others []interval }

// maxBound bounds the bits of bounds: one that is longer is none.
const maxBound = 256

// maxWidenings is how often a location is widened to thresholds.
const maxWidenings = 60

type intervals struct {
	*flow
	*effort
	equations   [][]linear      // by location, that hold there
	congruences [][]*congruence // by location and dimension; nil if none is known
	thresholds  [][]*big.Rat    // by dimension, increasing
}

func (v *intervals) narrows() bool { return true }
func (v *intervals) rounds() int   { return 3 }

// whole is what a sort has.
func whole(s *logic.Sort) interval {
	switch s.Kind() {
	case logic.BoolKind:
		return interval{zero, one}
	case logic.BitVecKind:
		last := new(big.Int).Lsh(big.NewInt(1), uint(s.Width()))
		return interval{zero, new(big.Rat).SetInt(last.Sub(last, big.NewInt(1)))}
	}
	return interval{}
}

func (v *intervals) start(s *step) *box {
	x := &box{numbers: make([]interval, len(s.ints))}
	for _, sort := range s.others {
		x.others = append(x.others, whole(sort))
	}
	v.spend(len(x.numbers) + len(x.others))
	return x
}

func (v *intervals) enter(s *step, x *box) (*box, bool) {
	y := &box{numbers: make([]interval, len(s.ints)), others: make([]interval, len(s.others))}
	copy(y.numbers, x.numbers)
	for i := copy(y.others, x.others); i < len(y.others); i++ {
		y.others[i] = whole(s.others[i])
	}
	v.spend(len(y.numbers) + len(y.others))
	for d, c := range v.congruences[s.from] {
		if i := y.numbers[d]; c != nil && !i.single() && (i.hi != nil && !v.atMost(s, y, d, i.hi) || i.lo != nil && !v.atLeast(s, y, d, i.lo)) {
			return y, false
		}
	}
	for _, l := range v.equations[s.from] {
		known := !slices.ContainsFunc(l.terms, func(t monomial) bool { return !y.numbers[t.dim].single() })
		if !known && !v.constrain(s, y, constraint{equal, l}) {
			return y, false
		}
	}
	return y, true
}

func (v *intervals) clone(x *box) *box {
	v.spend(len(x.numbers) + len(x.others))
	return &box{slices.Clone(x.numbers), slices.Clone(x.others)}
}

func (i interval) single() bool {
	return i.lo != nil && i.hi != nil && (i.lo == i.hi || i.lo.Cmp(i.hi) == 0)
}

func short(r *big.Rat) *big.Rat {
	if r.Num().BitLen()+r.Denom().BitLen() > maxBound {
		return nil
	}
	return r
}

func floor(r *big.Rat) *big.Rat {
	if r.IsInt() {
		return r
	}
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom())) // denominators are positive
}

// atMost bounds a number from above; false if nothing is left.
func (v *intervals) atMost(s *step, x *box, d int, bound *big.Rat) bool {
	if s.ints[d] {
		bound = floor(bound)
		if c := v.congruent(s, d); c != nil && c.m.Sign() > 0 {
			// bound - (bound-r) mod m
			rest := new(big.Int).Sub(bound.Num(), c.r)
			bound = new(big.Rat).Sub(bound, new(big.Rat).SetInt(rest.Mod(rest, c.m)))
		}
	}
	i := &x.numbers[d]
	if short(bound) != nil && (i.hi == nil || bound.Cmp(i.hi) < 0) {
		i.hi = bound
	}
	return i.lo == nil || i.lo.Cmp(bound) <= 0
}

// atLeast bounds a number from below.
func (v *intervals) atLeast(s *step, x *box, d int, bound *big.Rat) bool {
	if s.ints[d] {
		bound = new(big.Rat).Neg(floor(new(big.Rat).Neg(bound)))
		if c := v.congruent(s, d); c != nil && c.m.Sign() > 0 {
			rest := new(big.Int).Sub(c.r, bound.Num())
			bound = new(big.Rat).Add(bound, new(big.Rat).SetInt(rest.Mod(rest, c.m)))
		}
	}
	i := &x.numbers[d]
	if short(bound) != nil && (i.lo == nil || bound.Cmp(i.lo) > 0) {
		i.lo = bound
	}
	return i.hi == nil || bound.Cmp(i.hi) <= 0
}

// congruent is what is known of a number before a step.
func (v *intervals) congruent(s *step, d int) *congruence {
	if s.from < 0 || d >= len(v.numbers) || v.congruences[s.from] == nil {
		return nil
	}
	return v.congruences[s.from][d]
}

// scaled returns k*i; k is not 0.
func (i interval) scaled(k *big.Rat) interval {
	var out interval
	if i.lo != nil {
		out.lo = times(k, i.lo)
	}
	if i.hi != nil {
		out.hi = times(k, i.hi)
	}
	if k.Sign() < 0 {
		out.lo, out.hi = out.hi, out.lo
	}
	return out
}

// of returns the interval of a linear form.
func (v *intervals) of(numbers []interval, l linear) interval {
	v.spend(2 * (1 + len(l.terms)))
	out := interval{l.c, l.c}
	for _, t := range l.terms {
		i := numbers[t.dim].scaled(t.k)
		out = interval{sum(out.lo, i.lo), sum(out.hi, i.hi)}
	}
	return out.short()
}

func (i interval) short() interval {
	if i.lo != nil {
		i.lo = short(i.lo)
	}
	if i.hi != nil {
		i.hi = short(i.hi)
	}
	return i
}

func sum(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		return nil
	}
	return add(a, b)
}

func (v *intervals) constrain(s *step, x *box, c constraint) bool {
	switch c.relation {
	case equal:
		return v.nonPositive(s, x, c.l, false) && v.nonPositive(s, x, number(zero).plus(minusOne, c.l), false)
	case unequal:
		return v.apart(s, x, c.l)
	}
	return v.nonPositive(s, x, c.l, c.relation == below)
}

// nonPositive bounds each number by what l <= 0 (or < 0) leaves of it.
func (v *intervals) nonPositive(s *step, x *box, l linear, strict bool) bool {
	least := make([]*big.Rat, len(l.terms)) // of each term
	total, unbounded := l.c, 0
	for i, t := range l.terms {
		if least[i] = x.numbers[t.dim].scaled(t.k).lo; least[i] == nil {
			unbounded++
			continue
		}
		total = add(total, least[i])
	}
	v.spend(3 * (1 + len(l.terms)))
	if unbounded == 0 && (total.Sign() > 0 || strict && total.Sign() == 0) {
		return false
	}
	for i, t := range l.terms {
		if unbounded > 1 || unbounded == 1 && least[i] != nil {
			continue
		}
		rest := total
		if least[i] != nil {
			rest = new(big.Rat).Sub(total, least[i])
		}
		bound := new(big.Rat).Neg(rest)
		bound.Quo(bound, t.k)
		if t.k.Sign() > 0 && !v.atMost(s, x, t.dim, bound) || t.k.Sign() < 0 && !v.atLeast(s, x, t.dim, bound) {
			return false
		}
	}
	return true
}

// apart takes away an integer bound that l != 0 excludes.
func (v *intervals) apart(s *step, x *box, l linear) bool {
	open := -1
	rest := l.c
	v.spend(1 + len(l.terms))
	for i, t := range l.terms {
		if d := x.numbers[t.dim]; d.single() {
			rest = add(rest, times(t.k, d.lo))
		} else if open >= 0 {
			return true
		} else {
			open = i
		}
	}
	if open < 0 {
		return rest.Sign() != 0
	}
	t := l.terms[open]
	excluded := new(big.Rat).Neg(rest)
	excluded.Quo(excluded, t.k)
	i := x.numbers[t.dim]
	switch {
	case !s.ints[t.dim]:
	case i.hi != nil && i.hi.Cmp(excluded) == 0:
		return v.atMost(s, x, t.dim, new(big.Rat).Sub(excluded, one))
	case i.lo != nil && i.lo.Cmp(excluded) == 0:
		return v.atLeast(s, x, t.dim, new(big.Rat).Add(excluded, one))
	}
	return true
}

func (v *intervals) literal(s *step, x *box, c *condition) (*box, bool) {
	switch c.kind {
	case compare:
		return x, v.constrain(s, x, c.constraint)
	case truth:
		value := one
		if c.negated {
			value = zero
		}
		i := &x.others[c.dim]
		ok := i.lo.Cmp(value) <= 0 && value.Cmp(i.hi) <= 0
		i.lo, i.hi = value, value
		return x, ok
	case product:
		i := v.of(x.numbers, c.x).times(v.of(x.numbers, c.y)).short()
		if slices.EqualFunc(c.x.terms, c.y.terms, func(a, b monomial) bool { return a.dim == b.dim && a.k.Cmp(b.k) == 0 }) && c.x.c.Cmp(c.y.c) == 0 {
			if i.lo == nil || i.lo.Sign() < 0 { // a square
				i.lo = zero
			}
		}
		ok := (i.lo == nil || v.atLeast(s, x, c.dim, i.lo)) && (i.hi == nil || v.atMost(s, x, c.dim, i.hi))
		return x, ok
	case words:
		return x, v.compareWords(s, x, c.formula)
	}
	return x, true
}

// times is the product: bounds are products of bounds.
func (i interval) times(j interval) interval {
	if i.lo == nil || i.hi == nil || j.lo == nil || j.hi == nil {
		positive := func(i interval) bool { return i.lo != nil && i.lo.Sign() >= 0 }
		if positive(i) && positive(j) {
			return interval{lo: times(i.lo, j.lo)}
		}
		return interval{}
	}
	out := interval{}
	for _, a := range []*big.Rat{i.lo, i.hi} {
		for _, b := range []*big.Rat{j.lo, j.hi} {
			p := times(a, b)
			if out.lo == nil || p.Cmp(out.lo) < 0 {
				out.lo = p
			}
			if out.hi == nil || p.Cmp(out.hi) > 0 {
				out.hi = p
			}
		}
	}
	return out
}

func (v *intervals) assign(s *step, x *box) *box {
	n, m := len(v.numbers), len(v.frame.others)
	y := &box{slices.Clone(x.numbers[:n]), slices.Clone(x.others[:m])}
	v.spend(n + m)
	for _, a := range s.assign {
		switch {
		case a.word != nil:
			y.others[a.dim] = v.word(s, x, a.word)
		case a.yes != nil:
			_, yes := assume(v, s, v.clone(x), a.yes)
			_, no := assume(v, s, v.clone(x), a.no)
			y.others[a.dim] = interval{zero, one}
			if !yes {
				y.others[a.dim].hi = zero
			} else if !no {
				y.others[a.dim].lo = one
			}
		case a.value == nil:
			y.numbers[a.dim] = interval{}
		default:
			y.numbers[a.dim] = v.of(x.numbers, *a.value)
			if i := &y.numbers[a.dim]; s.ints[a.dim] {
				i.hi = rounded(i.hi, false)
				i.lo = rounded(i.lo, true)
			}
		}
	}
	return y
}

// rounded returns the integer at or below a bound, or at or above it.
func rounded(r *big.Rat, up bool) *big.Rat {
	switch {
	case r == nil || r.IsInt():
		return r
	case up:
		return new(big.Rat).Neg(floor(new(big.Rat).Neg(r)))
	}
	return floor(r)
}

// each applies f to all pairs of intervals.
func (v *intervals) each(x, y *box, f func(d int, a, b interval) interval) *box {
	out := &box{make([]interval, len(x.numbers)), make([]interval, len(x.others))}
	v.spend(len(x.numbers) + len(x.others))
	for d := range x.numbers {
		if out.numbers[d] = x.numbers[d]; x.numbers[d] != y.numbers[d] {
			out.numbers[d] = f(d, x.numbers[d], y.numbers[d])
		}
	}
	for d := range x.others {
		if out.others[d] = x.others[d]; x.others[d] != y.others[d] {
			out.others[d] = f(-1-d, x.others[d], y.others[d])
		}
	}
	return out
}

func (v *intervals) join(x, y *box) *box {
	return v.each(x, y, func(_ int, a, b interval) interval {
		if b.lo == nil || a.lo != nil && b.lo.Cmp(a.lo) < 0 {
			a.lo = b.lo
		}
		if b.hi == nil || a.hi != nil && b.hi.Cmp(a.hi) > 0 {
			a.hi = b.hi
		}
		return a
	})
}

func (i interval) includes(j interval) bool {
	return (i.lo == nil || j.lo != nil && i.lo.Cmp(j.lo) <= 0) && (i.hi == nil || j.hi != nil && j.hi.Cmp(i.hi) <= 0)
}

func (v *intervals) includes(x, y *box) bool {
	v.spend(len(x.numbers) + len(x.others))
	for d := range x.numbers {
		if x.numbers[d] != y.numbers[d] && !x.numbers[d].includes(y.numbers[d]) {
			return false
		}
	}
	for d := range x.others {
		if !x.others[d].includes(y.others[d]) {
			return false
		}
	}
	return true
}

func (v *intervals) widen(at int, x, y *box, times int) *box {
	return v.each(x, y, func(d int, a, b interval) interval {
		thresholds, most := []*big.Rat(nil), interval{}
		if d >= 0 && times <= maxWidenings {
			thresholds = v.thresholds[d]
		}
		if d < 0 {
			most = whole(v.frame.others[-1-d].Sort())
		}
		if a.lo != nil && (b.lo == nil || b.lo.Cmp(a.lo) < 0) {
			a.lo = most.lo
			for _, t := range slices.Backward(thresholds) {
				if b.lo != nil && t.Cmp(b.lo) <= 0 {
					a.lo = t
					break
				}
			}
		}
		if a.hi != nil && (b.hi == nil || b.hi.Cmp(a.hi) > 0) {
			a.hi = most.hi
			for _, t := range thresholds {
				if b.hi != nil && t.Cmp(b.hi) >= 0 {
					a.hi = t
					break
				}
			}
		}
		return a
	})
}

func (v *intervals) meet(x, y *box) (*box, bool) {
	ok := true
	out := v.each(x, y, func(_ int, a, b interval) interval {
		if a.lo == nil || b.lo != nil && b.lo.Cmp(a.lo) > 0 {
			a.lo = b.lo
		}
		if a.hi == nil || b.hi != nil && b.hi.Cmp(a.hi) < 0 {
			a.hi = b.hi
		}
		ok = ok && (a.lo == nil || a.hi == nil || a.lo.Cmp(a.hi) <= 0)
		return a
	})
	return out, ok
}

// maxThresholds bounds those of one dimension.
const maxThresholds = 40

// collectThresholds returns for each number the constants that it is compared with or
// assigned, and their neighbours.
func collectThresholds(f *flow) [][]*big.Rat {
	out := make([][]*big.Rat, len(f.numbers))
	note := func(d int, c *big.Rat) {
		if d < len(out) && len(out[d]) < 3*maxThresholds && short(c) != nil {
			out[d] = append(out[d], c, new(big.Rat).Sub(c, one), new(big.Rat).Add(c, one))
		}
	}
	constrained := func(l linear) {
		for _, t := range l.terms {
			note(t.dim, new(big.Rat).Neg(new(big.Rat).Quo(l.c, t.k)))
		}
	}
	var conditions func(c *condition)
	conditions = func(c *condition) {
		if c.kind == compare {
			constrained(c.constraint.l)
		}
		for _, a := range c.args {
			conditions(a)
		}
	}
	for _, s := range f.steps {
		conditions(s.guard)
		for _, a := range s.assign {
			if a.value != nil && len(a.value.terms) == 0 {
				note(a.dim, a.value.c)
			}
		}
	}
	for d := range out {
		slices.SortFunc(out[d], (*big.Rat).Cmp)
		out[d] = slices.CompactFunc(out[d], func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	}
	return out
}
