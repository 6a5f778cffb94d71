package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
)

// What the domains found, as formulas without what others say already. A bound is left
// out only if it follows from equations, congruences and bounds that are not.

// conclude writes down the facts.
func (f *finder) conclude() {
	var out []Fact
	note := func(by Domain, t *logic.Term) {
		if !t.IsTrue() && !slices.ContainsFunc(out, func(known Fact) bool { return known.Formula == t }) {
			out = append(out, Fact{t, by})
		}
	}
	for l := range f.facts.At {
		if f.dead[l] {
			continue
		}
		out = out[:0]
		for _, e := range f.equations[l] {
			note(Karr, f.pool.formula(&e.constraint))
		}
		solved := f.solved(l)
		for d, c := range f.modulo[l] {
			if !f.evident(l, d, c, solved[d]) {
				note(Congruences, f.pool.congruent(d, c))
			}
		}
		if f.odd != nil {
			for _, t := range f.odd[l] {
				note(Parities, t)
			}
		}
		if b := f.bounds[l]; b != nil {
			f.intervalFacts(l, b, solved, note)
		}
		if f.octagon != nil && f.octagon[l] != nil {
			f.octagonFacts(l, solved, note)
		}
		if i := slices.IndexFunc(out, func(known Fact) bool { return known.Formula.IsFalse() }); i >= 0 {
			out = out[i : i+1]
		}
		slices.SortFunc(out, func(a, b Fact) int { return a.Formula.Compare(b.Formula) })
		f.facts.At[l] = slices.Clone(out)
	}
}

// solved returns, for each number that an equation determines by others, the value.
func (f *finder) solved(l int) []*linear {
	out := make([]*linear, len(f.numbers))
	for _, e := range f.equations[l] {
		out[e.last] = &e.value
	}
	return out
}

// evident reports that a congruence follows from others and the value that an equation
// gives, or from some equation of integers, whatever values the others have.
func (f *finder) evident(l, d int, c *congruence, value *linear) bool {
	if c == nil {
		return true
	}
	if value != nil && value.integral() {
		sum := exactly(integer(value.c))
		for _, t := range value.terms {
			if f.numbers[t.dim].Sort() != logic.Int {
				sum = nil
			} else if sum != nil {
				sum = sum.plus(exactly(integer(t.k)).times(f.modulo[l][t.dim]))
			}
		}
		if sum != nil && c.has(sum) {
			return true
		}
	}
	for _, e := range f.equations[l] {
		if e.implied == nil {
			e.implied = f.implied(e)
		}
		for i, t := range e.l.terms {
			if t.dim == d && (e.implied[i] == none || e.implied[i] != nil && c.has(e.implied[i])) {
				return true
			}
		}
	}
	return false
}

var none = &congruence{}

// implied returns what an equation says of each of its dimensions, whatever integers the
// others are; nil for nothing, none if it has no solution.
func (f *finder) implied(e *equation) []*congruence {
	out := make([]*congruence, len(e.l.terms))
	for i, t := range e.l.terms {
		sum := exactly(integer(e.l.c))
		for j, u := range e.l.terms {
			switch {
			case i == j:
			case f.numbers[u.dim].Sort() != logic.Int:
				sum = nil
			case sum != nil:
				sum = sum.plus(exactly(integer(u.k)).times(nil))
			}
		}
		if sum != nil {
			var ok bool
			if out[i], ok = exactly(big.NewInt(-1)).times(sum).dividedBy(integer(t.k)); !ok {
				out[i] = none
			}
		}
	}
	return out
}

func (f *finder) intervalFacts(l int, b *box, solved []*linear, note func(Domain, *logic.Term)) {
	compare := func(relation relation, d int, k, c rational.Rat) {
		note(Intervals, f.pool.formula(&constraint{relation: relation, l: linear{c, vector{{d, k}}}}))
	}
	v := &intervals{effort: f.effort()}
	bits := f.bits(l, v)
	for d, i := range b.numbers {
		implied := bits[d]
		if c := f.congruence(l, d); c != nil && c.m.Sign() == 0 {
			r := rational.Of(new(big.Rat).SetInt(c.r))
			implied = between(r, r)
		} else if solved[d] != nil && (f.isColumn(d) || !implied.lo.is) {
			implied = v.of(b.numbers, *solved[d])
		}
		if i.single() && !(implied.lo.is && i.includes(implied)) {
			compare(equal, d, one, i.lo.Neg())
			continue
		}
		if f.isColumn(d) {
			continue
		}
		if i.lo.is && !implied.lo.atLeast(i.lo.Rat) {
			compare(atMost, d, minusOne, i.lo.Rat)
		}
		if i.hi.is && !implied.hi.atMost(i.hi.Rat) {
			compare(atMost, d, one, i.hi.Neg())
		}
	}
	for d, i := range b.words {
		v := f.words[d]
		full, single := whole(v.Sort()), i.single()
		switch {
		case single:
			note(Intervals, logic.Eq(v, logic.Number(i.lo.Big(), v.Sort())))
		default:
			if i.lo.Cmp(full.lo.Rat) > 0 {
				note(Intervals, logic.BVULe(logic.Number(i.lo.Big(), v.Sort()), v))
			}
			if i.hi.Cmp(full.hi.Rat) < 0 {
				note(Intervals, logic.BVULe(v, logic.Number(i.hi.Big(), v.Sort())))
			}
		}
	}
}

// bits returns what columns are, and the numbers that equations make of columns alone.
func (f *finder) bits(l int, v *intervals) []interval {
	out := make([]interval, len(f.numbers))
	if f.columns == len(f.numbers) {
		return out
	}
	for d := range out {
		out[d] = f.most(d)
	}
	for _, e := range f.equations[l] {
		if first := e.l.terms[0]; !f.isColumn(first.dim) && (len(e.l.terms) == 1 || f.isColumn(e.l.terms[1].dim)) {
			rest := linear{e.l.c, e.l.terms[1:]}
			out[first.dim] = v.of(out, linear{}.plus(first.k.Inv().Neg(), rest))
		}
	}
	return out
}

func (f *finder) congruence(l, d int) *congruence {
	if f.modulo[l] == nil {
		return nil
	}
	return f.modulo[l][d]
}

// octagonFacts writes the bounds of a closed octagon that neither equations and
// intervals nor other bounds give by a step in between.
func (f *finder) octagonFacts(l int, solved []*linear, note func(Domain, *logic.Term)) {
	x := f.octagon[l]
	n := x.size
	given := f.given(l, solved)
	gone, told := make([]bool, n*n), make([]bool, n*n)
	for i := range n {
		for j := range n {
			if i == j || (j^1)*n+(i^1) < i*n+j || x.at(i, j) == unbounded || told[i*n+j] {
				continue // every inequality is there twice
			}
			if c := x.at(i, j); i != j^1 && x.half(x.at(i, i^1), x.at(j^1, j), i, j) <= c && f.singles(gone, n, i, j) || f.between(x, gone, i, j) {
				gone[i*n+j], gone[(j^1)*n+(i^1)] = true, true
				continue
			}
			c := f.boundOf(x, i, j)
			if given(c.l) {
				continue
			}
			if x.at(j, i) != unbounded && plus(x.at(i, j), x.at(j, i)) == 0 && !gone[j*n+i] {
				c.relation = equal
				told[j*n+i], told[(i^1)*n+(j^1)] = true, true
			}
			note(Octagons, f.pool.formula(&c))
		}
	}
}

// singles reports that the bounds of both single numbers are there.
func (f *finder) singles(gone []bool, n, i, j int) bool {
	return !gone[i*n+(i^1)] && !gone[(j^1)*n+j]
}

// between reports that two other bounds that are there give one.
func (f *finder) between(x *octagon, gone []bool, i, j int) bool {
	n, bound := x.size, x.at(i, j)
	// Those of k and j are those of the negations of j and k, side by side.
	first, gone1 := x.m[i*n:(i+1)*n], gone[i*n:(i+1)*n]
	second, gone2 := x.m[(j^1)*n:(j^1+1)*n], gone[(j^1)*n:(j^1+1)*n]
	for k, a := range first {
		if a != unbounded && second[k^1] <= bound-a && k != i && k != j && !gone1[k] && !gone2[k^1] && !twin(i, k, i, j) && !twin(k, j, i, j) {
			return true
		}
	}
	return false
}

// twin reports that two entries of a matrix are one inequality.
func twin(a, b, i, j int) bool { return a == j^1 && b == i^1 }

// boundOf is the inequality of an entry, V_j - V_i <= c.
func (f *finder) boundOf(x *octagon, i, j int) constraint {
	if f.differences == nil {
		f.differences = make([]vector, x.size*x.size)
	}
	v := &f.differences[i*x.size+j]
	if *v == nil {
		*v = signed(j).plus(minusOne, signed(i))
	}
	return constraint{relation: atMost, l: linear{rational.Int(-x.at(i, j)), *v}}
}

// signed is V_i.
func signed(i int) vector {
	if i%2 == 1 {
		return vector{{i / 2, minusOne}}
	}
	return unit(i / 2)
}

// given returns a function that reports whether equations and intervals give that a form is not positive.
func (f *finder) given(l int, solved []*linear) func(linear) bool {
	b := f.bounds[l]
	if b == nil {
		b = (&intervals{flow: f.flow, effort: f.effort()}).start(&step{ints: make([]bool, len(f.numbers))})
	}
	v := &intervals{effort: f.effort()}
	holds := func(l linear) bool { return v.of(b.numbers, l).hi.atMost(zero) }
	return func(form linear) bool {
		if holds(form) {
			return true
		}
		reduced := form
		for _, t := range form.terms {
			if value := solved[t.dim]; value != nil {
				reduced = reduced.plus(t.k, *value).plus(t.k.Neg(), dimension(t.dim))
			}
		}
		return holds(reduced)
	}
}
