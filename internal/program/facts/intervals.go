package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
)

// Intervals ([CousotCousot77]), with the constants of the program as thresholds of
// widening.

// bound is a number, or none.
type bound struct {
	rational.Rat
	is bool
}

func at(r rational.Rat) bound { return bound{r, true} }

// interval is the numbers from lo to hi.
type interval struct{ lo, hi bound }

func between(lo, hi rational.Rat) interval { return interval{at(lo), at(hi)} }

// box has the numbers of a step, its columns among them, and its machine words (unsigned).
type box struct{ numbers, words []interval }

// maxBound bounds the bits of bounds: one that is longer is none.
const maxBound = 256

// maxWidenings is how often a location is widened to thresholds.
const maxWidenings = 60

type intervals struct {
	*flow
	*effort
	equations   [][]*equation    // by location, that hold there
	congruences [][]*congruence  // by location and dimension; nil if none is known
	thresholds  [][]rational.Rat // by dimension, increasing
}

func (v *intervals) narrows() bool { return true }
func (v *intervals) rounds() int   { return 3 }

// whole is what words of a sort are.
func whole(s *logic.Sort) interval {
	last := new(big.Int).Lsh(big.NewInt(1), uint(s.Width()))
	return between(zero, rational.Of(new(big.Rat).SetInt(last.Sub(last, big.NewInt(1)))))
}

// most is what a dimension of the frame can be.
func (f *frame) most(d int) interval {
	if f.isColumn(d) {
		return between(zero, one)
	}
	return interval{}
}

func (v *intervals) start(s *step) *box {
	x := &box{numbers: make([]interval, len(s.ints))}
	for d := v.columns; d < len(v.numbers); d++ {
		x.numbers[d] = v.most(d)
	}
	for _, sort := range s.words {
		x.words = append(x.words, whole(sort))
	}
	v.spend(len(x.numbers) + len(x.words))
	return x
}

func (v *intervals) enter(s *step, x *box) (*box, bool) {
	y := &box{numbers: make([]interval, len(s.ints)), words: make([]interval, len(s.words))}
	copy(y.numbers, x.numbers)
	for i := copy(y.words, x.words); i < len(y.words); i++ {
		y.words[i] = whole(s.words[i])
	}
	v.spend(len(y.numbers) + len(y.words))
	for d, c := range v.congruences[s.from] {
		if i := y.numbers[d]; c != nil && !i.single() && (i.hi.is && !v.atMost(s, y, d, i.hi.Rat) || i.lo.is && !v.atLeast(s, y, d, i.lo.Rat)) {
			return y, false
		}
	}
	for _, e := range v.equations[s.from] {
		known := !slices.ContainsFunc(e.l.terms, func(t monomial) bool { return !y.numbers[t.dim].single() })
		if !known && !v.constrain(s, y, &e.constraint) {
			return y, false
		}
	}
	return y, true
}

func (v *intervals) clone(x *box) *box {
	v.spend(len(x.numbers) + len(x.words))
	return &box{slices.Clone(x.numbers), slices.Clone(x.words)}
}

func (i interval) single() bool { return i.lo.is && i.hi.is && i.lo.Cmp(i.hi.Rat) == 0 }

// atMost says that b is a bound from above that is at most r, or equal to it.
func (b bound) atMost(r rational.Rat) bool { return b.is && b.Cmp(r) <= 0 }

// atLeast says that b is a bound from below that is at least r, or equal to it.
func (b bound) atLeast(r rational.Rat) bool { return b.is && b.Cmp(r) >= 0 }

// short is no bound if there are too many bits.
func (b bound) short() bound {
	if b.BitLen() > maxBound {
		return bound{}
	}
	return b
}

// atMost bounds a number from above; false if nothing is left.
func (v *intervals) atMost(s *step, x *box, d int, most rational.Rat) bool {
	if s.ints[d] {
		most = most.Floor()
		if c := v.congruent(s, d); c != nil && c.m.Sign() > 0 {
			// most - (most-r) mod m
			rest := new(big.Int).Sub(integer(most), c.r)
			most = most.Sub(rational.Of(new(big.Rat).SetInt(rest.Mod(rest, c.m))))
		}
	}
	i := &x.numbers[d]
	if !i.hi.atMost(most) {
		if b := at(most).short(); b.is {
			i.hi = b
		}
	}
	return !i.lo.is || i.lo.Cmp(most) <= 0
}

// atLeast bounds a number from below.
func (v *intervals) atLeast(s *step, x *box, d int, least rational.Rat) bool {
	if s.ints[d] {
		least = least.Ceil()
		if c := v.congruent(s, d); c != nil && c.m.Sign() > 0 {
			rest := new(big.Int).Sub(c.r, integer(least))
			least = least.Add(rational.Of(new(big.Rat).SetInt(rest.Mod(rest, c.m))))
		}
	}
	i := &x.numbers[d]
	if !i.lo.atLeast(least) {
		if b := at(least).short(); b.is {
			i.lo = b
		}
	}
	return !i.hi.is || least.Cmp(i.hi.Rat) <= 0
}

// congruent is what is known of a number before a step.
func (v *intervals) congruent(s *step, d int) *congruence {
	if s.from < 0 || d >= len(v.numbers) || v.congruences[s.from] == nil {
		return nil
	}
	return v.congruences[s.from][d]
}

// scaled returns k*i; k is not 0.
func (i interval) scaled(k rational.Rat) interval {
	out := interval{i.lo.times(k), i.hi.times(k)}
	if k.Sign() < 0 {
		out.lo, out.hi = out.hi, out.lo
	}
	return out
}

func (b bound) times(k rational.Rat) bound {
	if b.is {
		b.Rat = b.Mul(k)
	}
	return b
}

func (b bound) plus(c bound) bound {
	if !b.is || !c.is {
		return bound{}
	}
	return at(b.Add(c.Rat))
}

// of returns the interval of a linear form.
func (v *intervals) of(numbers []interval, l linear) interval {
	v.spend(2 * (1 + len(l.terms)))
	out := between(l.c, l.c)
	for _, t := range l.terms {
		i := numbers[t.dim].scaled(t.k)
		out = interval{out.lo.plus(i.lo), out.hi.plus(i.hi)}
	}
	return out.short()
}

// decides reports that all numbers of a form are known, and that it is 0.
func (x *box) decides(l linear) bool {
	sum := l.c
	for _, t := range l.terms {
		if !x.numbers[t.dim].single() {
			return false
		}
		sum = sum.Add(t.k.Mul(x.numbers[t.dim].lo.Rat))
	}
	return sum.Sign() == 0
}

func (i interval) short() interval { return interval{i.lo.short(), i.hi.short()} }

func (v *intervals) constrain(s *step, x *box, c *constraint) bool {
	switch c.relation {
	case equal:
		return v.nonPositive(s, x, c.l, false) && v.nonPositive(s, x, c.minus, false)
	case unequal:
		return v.apart(s, x, c.l)
	}
	return v.nonPositive(s, x, c.l, c.relation == below)
}

// nonPositive bounds each number by what l <= 0 (or < 0) leaves of it.
func (v *intervals) nonPositive(s *step, x *box, l linear, strict bool) bool {
	v.spend(3 * (1 + len(l.terms)))
	var space [8]bound
	least := append(space[:0], make([]bound, len(l.terms))...) // of each term
	total, open := l.c, 0
	for i, t := range l.terms {
		if least[i] = x.numbers[t.dim].scaled(t.k).lo; least[i].is {
			total = total.Add(least[i].Rat)
		} else {
			open++
		}
	}
	if open == 0 && (total.Sign() > 0 || strict && total.Sign() == 0) {
		return false
	}
	for i, t := range l.terms {
		if open > 1 || open == 1 && least[i].is {
			continue
		}
		bound := total.Sub(least[i].Rat).Neg().Quo(t.k) // what is open is 0 in the sum
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
			rest = rest.Add(t.k.Mul(d.lo.Rat))
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
	excluded := rest.Neg().Quo(t.k)
	i := x.numbers[t.dim]
	switch {
	case !s.ints[t.dim]:
	case i.hi.is && i.hi.Cmp(excluded) == 0:
		return v.atMost(s, x, t.dim, excluded.Sub(one))
	case i.lo.is && i.lo.Cmp(excluded) == 0:
		return v.atLeast(s, x, t.dim, excluded.Add(one))
	}
	return true
}

func (v *intervals) literal(s *step, x *box, c *condition) (*box, bool) {
	switch c.kind {
	case compare:
		return x, v.constrain(s, x, &c.constraint)
	case product:
		i := v.of(x.numbers, c.x).times(v.of(x.numbers, c.y)).short()
		if slices.EqualFunc(c.x.terms, c.y.terms, func(a, b monomial) bool { return a.dim == b.dim && a.k.Cmp(b.k) == 0 }) && c.x.c.Cmp(c.y.c) == 0 {
			if !i.lo.is || i.lo.Sign() < 0 { // a square
				i.lo = at(zero)
			}
		}
		ok := (!i.lo.is || v.atLeast(s, x, c.dim, i.lo.Rat)) && (!i.hi.is || v.atMost(s, x, c.dim, i.hi.Rat))
		return x, ok
	case words:
		return x, v.compareWords(s, x, c.formula)
	}
	return x, true
}

// times is the product: bounds are products of bounds.
func (i interval) times(j interval) interval {
	if !i.lo.is || !i.hi.is || !j.lo.is || !j.hi.is {
		if i.lo.atLeast(zero) && j.lo.atLeast(zero) {
			return interval{lo: i.lo.times(j.lo.Rat)}
		}
		return interval{}
	}
	out := interval{}
	for _, a := range []bound{i.lo, i.hi} {
		for _, b := range []bound{j.lo, j.hi} {
			p := a.times(b.Rat)
			if !out.lo.atMost(p.Rat) {
				out.lo = p
			}
			if !out.hi.atLeast(p.Rat) {
				out.hi = p
			}
		}
	}
	return out
}

func (v *intervals) assign(s *step, x *box) *box {
	n, m := len(v.numbers), len(v.frame.words)
	y := &box{slices.Clone(x.numbers[:n]), slices.Clone(x.words[:m])}
	v.spend(n + m)
	for _, a := range s.assign {
		switch {
		case a.word != nil:
			y.words[a.dim] = v.word(s, x, a.word)
		case a.value == nil:
			y.numbers[a.dim] = v.most(a.dim)
		default:
			y.numbers[a.dim] = v.of(x.numbers, *a.value)
			if i := &y.numbers[a.dim]; s.ints[a.dim] {
				i.hi.Rat, i.lo.Rat = i.hi.Floor(), i.lo.Ceil()
			}
		}
	}
	return y
}

// each applies f to all pairs of intervals.
func (v *intervals) each(x, y *box, f func(d int, a, b interval) interval) *box {
	out := &box{make([]interval, len(x.numbers)), make([]interval, len(x.words))}
	v.spend(len(x.numbers) + len(x.words))
	for d := range x.numbers {
		if out.numbers[d] = x.numbers[d]; x.numbers[d] != y.numbers[d] {
			out.numbers[d] = f(d, x.numbers[d], y.numbers[d])
		}
	}
	for d := range x.words {
		if out.words[d] = x.words[d]; x.words[d] != y.words[d] {
			out.words[d] = f(-1-d, x.words[d], y.words[d])
		}
	}
	return out
}

func (v *intervals) join(x, y *box) *box {
	return v.each(x, y, func(_ int, a, b interval) interval {
		if !b.lo.is || a.lo.is && b.lo.Cmp(a.lo.Rat) < 0 {
			a.lo = b.lo
		}
		if !b.hi.is || a.hi.is && b.hi.Cmp(a.hi.Rat) > 0 {
			a.hi = b.hi
		}
		return a
	})
}

func (i interval) includes(j interval) bool {
	return (!i.lo.is || j.lo.atLeast(i.lo.Rat)) && (!i.hi.is || j.hi.atMost(i.hi.Rat))
}

func (v *intervals) includes(x, y *box) bool {
	v.spend(len(x.numbers) + len(x.words))
	for d := range x.numbers {
		if x.numbers[d] != y.numbers[d] && !x.numbers[d].includes(y.numbers[d]) {
			return false
		}
	}
	for d := range x.words {
		if !x.words[d].includes(y.words[d]) {
			return false
		}
	}
	return true
}

func (v *intervals) widen(_ int, x, y *box, times int) *box {
	return v.each(x, y, func(d int, a, b interval) interval {
		thresholds, most := []rational.Rat(nil), interval{}
		if d >= 0 && times <= maxWidenings {
			thresholds = v.thresholds[d]
		}
		if d < 0 {
			most = whole(v.frame.words[-1-d].Sort())
		} else {
			most = v.most(d)
		}
		if a.lo.is && !b.lo.atLeast(a.lo.Rat) {
			a.lo = most.lo
			for _, t := range slices.Backward(thresholds) {
				if b.lo.atLeast(t) {
					a.lo = at(t)
					break
				}
			}
		}
		if a.hi.is && !b.hi.atMost(a.hi.Rat) {
			a.hi = most.hi
			for _, t := range thresholds {
				if b.hi.atMost(t) {
					a.hi = at(t)
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
		if b.lo.is && !a.lo.atLeast(b.lo.Rat) {
			a.lo = b.lo
		}
		if b.hi.is && !a.hi.atMost(b.hi.Rat) {
			a.hi = b.hi
		}
		ok = ok && (!a.lo.is || !a.hi.is || a.lo.Cmp(a.hi.Rat) <= 0)
		return a
	})
	return out, ok
}

// maxThresholds bounds those of one dimension.
const maxThresholds = 40

// collectThresholds returns for each number the constants that it is compared with or
// assigned, and their neighbours.
func collectThresholds(f *flow) [][]rational.Rat {
	out := make([][]rational.Rat, len(f.numbers))
	note := func(d int, c rational.Rat) {
		if d < len(out) && len(out[d]) < 3*maxThresholds && at(c).short().is {
			out[d] = append(out[d], c, c.Sub(one), c.Add(one))
		}
	}
	each := func(l linear) {
		for _, t := range l.terms {
			note(t.dim, l.c.Quo(t.k).Neg())
		}
	}
	var conditions func(c *condition)
	conditions = func(c *condition) {
		if c.kind == compare {
			each(c.constraint.l)
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
		slices.SortFunc(out[d], rational.Rat.Cmp)
		out[d] = slices.CompactFunc(out[d], func(a, b rational.Rat) bool { return a.Cmp(b) == 0 })
	}
	return out
}
