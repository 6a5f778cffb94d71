package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// What the domains found, as formulas without what others say already. A bound is left
// out only if it follows from equations, congruences and bounds that are not.

// conclude writes down the facts.
func (f *finder) conclude() {
	for l := range f.facts.At {
		if f.dead[l] {
			continue
		}
		var out []Fact
		note := func(by Domain, t *logic.Term) {
			if !t.IsTrue() && !slices.ContainsFunc(out, func(known Fact) bool { return known.Formula == t }) {
				out = append(out, Fact{t, by})
			}
		}
		for _, e := range f.equations[l] {
			note(Karr, constraint{equal, e}.formula(f.numbers))
		}
		solved := f.solved(l)
		for d, c := range f.modulo[l] {
			if !f.evident(l, d, c, solved[d]) {
				note(Congruences, c.formula(f.numbers[d]))
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
		f.facts.At[l] = out
	}
}

// solved returns, for each number that an equation determines by others, the value.
func (f *finder) solved(l int) []*linear {
	out := make([]*linear, len(f.numbers))
	for _, e := range f.equations[l] {
		last := e.terms[len(e.terms)-1]
		value := linear{c: e.c, terms: e.terms[:len(e.terms)-1]}
		value = number(zero).plus(new(big.Rat).Neg(new(big.Rat).Inv(last.k)), value)
		out[last.dim] = &value
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
		sum := exactly(value.c.Num())
		for _, t := range value.terms {
			if f.numbers[t.dim].Sort() != logic.Int {
				sum = nil
			} else if sum != nil {
				sum = sum.plus(exactly(t.k.Num()).times(f.modulo[l][t.dim]))
			}
		}
		if sum != nil && c.has(sum) {
			return true
		}
	}
	for _, e := range f.equations[l] {
		e = e.scaled()
		sum := exactly(e.c.Num())
		var k *big.Rat
		for _, t := range e.terms {
			switch {
			case t.dim == d:
				k = t.k
			case f.numbers[t.dim].Sort() != logic.Int:
				sum = nil
			case sum != nil:
				sum = sum.plus(exactly(t.k.Num()).times(nil))
			}
		}
		if k == nil || sum == nil {
			continue
		}
		if values, ok := exactly(big.NewInt(-1)).times(sum).dividedBy(k.Num()); !ok || c.has(values) {
			return true
		}
	}
	return false
}

// formula writes a congruence; true for nil.
func (c *congruence) formula(v *logic.Term) *logic.Term {
	if c == nil {
		return logic.True()
	}
	r := logic.Number(new(big.Rat).SetInt(c.r), logic.Int)
	if c.m.Sign() == 0 {
		return logic.Eq(v, r)
	}
	return logic.Eq(logic.IntMod(v, logic.Number(new(big.Rat).SetInt(c.m), logic.Int)), r)
}

func (f *finder) intervalFacts(l int, b *box, solved []*linear, note func(Domain, *logic.Term)) {
	for d, i := range b.numbers {
		v := f.numbers[d]
		var implied interval
		if c := f.congruence(l, d); c != nil && c.m.Sign() == 0 {
			r := new(big.Rat).SetInt(c.r)
			implied = interval{r, r}
		} else if solved[d] != nil {
			implied = (&intervals{effort: f.effort()}).of(b.numbers, *solved[d])
		}
		sort := v.Sort()
		if i.single() && !(implied.lo != nil && i.includes(implied)) {
			note(Intervals, logic.Eq(v, logic.Number(i.lo, sort)))
			continue
		}
		if i.lo != nil && (implied.lo == nil || implied.lo.Cmp(i.lo) < 0) {
			note(Intervals, logic.Ge(v, logic.Number(i.lo, sort)))
		}
		if i.hi != nil && (implied.hi == nil || implied.hi.Cmp(i.hi) > 0) {
			note(Intervals, logic.Le(v, logic.Number(i.hi, sort)))
		}
	}
	for d, i := range b.others {
		v := f.others[d]
		full, single := whole(v.Sort()), i.single()
		switch {
		case v.Sort() == logic.Bool && single:
			if i.lo.Sign() == 0 {
				v = logic.Not(v)
			}
			note(Intervals, v)
		case v.Sort() == logic.Bool:
		case single:
			note(Intervals, logic.Eq(v, logic.Number(i.lo, v.Sort())))
		default:
			if i.lo.Cmp(full.lo) > 0 {
				note(Intervals, logic.BVULe(logic.Number(i.lo, v.Sort()), v))
			}
			if i.hi.Cmp(full.hi) < 0 {
				note(Intervals, logic.BVULe(v, logic.Number(i.hi, v.Sort())))
			}
		}
	}
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
	given := f.given(l, x, solved)
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
			if given(i, j) {
				continue
			}
			c := boundOf(x, i, j)
			if x.at(j, i) != unbounded && plus(x.at(i, j), x.at(j, i)) == 0 && !gone[j*n+i] {
				c.relation = equal
				told[j*n+i], told[(i^1)*n+(j^1)] = true, true
			}
			note(Octagons, c.formula(f.numbers))
		}
	}
}

// singles reports that the bounds of both single numbers are there.
func (f *finder) singles(gone []bool, n, i, j int) bool {
	return !gone[i*n+(i^1)] && !gone[(j^1)*n+j]
}

// between reports that two other bounds that are there give one.
func (f *finder) between(x *octagon, gone []bool, i, j int) bool {
	n := x.size
	for k := range n {
		if k != i && k != j && !gone[i*n+k] && !gone[k*n+j] && x.at(i, k) != unbounded && plus(x.at(i, k), x.at(k, j)) <= x.at(i, j) &&
			!twin(i, k, i, j) && !twin(k, j, i, j) {
			return true
		}
	}
	return false
}

// twin reports that two entries of a matrix are one inequality.
func twin(a, b, i, j int) bool { return a == j^1 && b == i^1 }

// boundOf is the inequality of an entry.
func boundOf(x *octagon, i, j int) constraint {
	// V_j - V_i <= c
	return constraint{atMost, vOf(j).plus(minusOne, vOf(i)).plus(minusOne, number(new(big.Rat).SetInt64(x.at(i, j))))}
}

func vOf(i int) linear {
	if i%2 == 0 {
		return dimension(i / 2)
	}
	return number(zero).plus(minusOne, dimension(i/2))
}

// given returns a function that reports whether equations and intervals give an entry.
func (f *finder) given(l int, x *octagon, solved []*linear) func(i, j int) bool {
	b := f.bounds[l]
	if b == nil {
		b = &box{numbers: make([]interval, len(f.numbers))}
	}
	v := &intervals{effort: f.effort()}
	return func(i, j int) bool {
		form := boundOf(x, i, j).l
		if hi := v.of(b.numbers, form).hi; hi != nil && hi.Sign() <= 0 {
			return true
		}
		reduced := number(form.c)
		for _, t := range form.terms {
			value := dimension(t.dim)
			if solved[t.dim] != nil {
				value = *solved[t.dim]
			}
			reduced = reduced.plus(t.k, value)
		}
		hi := v.of(b.numbers, reduced).hi
		return hi != nil && hi.Sign() <= 0
	}
}
