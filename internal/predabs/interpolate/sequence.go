package interpolate

import (
	"encoding/binary"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/internal/simplex"
	"github.com/seltl/seltl/logic"
)

// policy says which of the interpolants that a proof allows are taken.
type policy struct {
	weak      bool // where nothing else decides, the weakest bound, not the strongest
	equations bool // where only equations come before, the equation that they imply
	known     bounds
}

// bounds are the bounds of known predicates by their sums.
type bounds map[*logic.Term][]rational.Rat

// sequence makes an inductive sequence of interpolants of a proof ([McMillan04]): the
// cases of a disjunction are joined by "or" where its step is before, by "and" where it
// is behind. nil if a formula would not be over the variables of the program.
func (t *trace) sequence(p *proof, by policy) []*logic.Term {
	switch {
	case p.complement != nil:
		return t.complementary(p.complement)
	case p.linear != nil:
		return t.sums(p.linear, by)
	}
	cases := make([][]*logic.Term, len(p.cases))
	for i, c := range p.cases {
		if cases[i] = t.sequence(c, by); cases[i] == nil {
			return nil
		}
	}
	out := make([]*logic.Term, len(t.steps)-1)
	for pos := range out {
		parts := lists.Append(nil, cases, func(c []*logic.Term) *logic.Term { return c[pos] })
		out[pos] = junction(parts, p.step <= pos)
	}
	return out
}

// complementary is of a literal that is false, or of two that contradict each other: at
// each position those behind it are not true together.
func (t *trace) complementary(ls []literal) []*logic.Term {
	out := make([]*logic.Term, len(t.steps)-1)
	var behind []*logic.Term // the literals in terms of the variables at the position
	for k := len(out); k > 0; k-- {
		behind = logic.SubstituteAll(behind, t.steps[k].Update)
		for _, l := range ls {
			if l.step == k {
				behind = append(behind, l.formula)
			}
		}
		out[k-1] = logic.Not(logic.And(behind...))
		if !t.speaks(out[k-1]) {
			return nil
		}
	}
	return out
}

// suffixes returns for every position the sum of the literals behind it, in terms of the
// variables there, and the sum of all, which is a number.
func (t *trace) suffixes(ls []weighted) (at []form, total rational.Rat, ok bool) {
	at = make([]form, len(t.steps)-1)
	var f form
	for k := len(t.steps) - 1; k >= 0; k-- {
		f = t.before(k, f)
		for _, l := range ls {
			if l.step == k {
				f = f.add(l.coef, l.form)
			}
		}
		if k > 0 {
			if at[k-1] = f; !t.over(f) {
				return nil, rational.Rat{}, false
			}
		}
	}
	for _, l := range ls {
		total = total.Add(l.coef.Mul(t.root(l.step, l.form).value))
	}
	return at, total, true
}

// limit is a lower bound, strict or not.
type limit struct {
	at     rational.Rat
	strict bool
}

// sums turns Farkas coefficients into partial sums. The literals, "form <= 0", add up to
// "total <= 0" with total > 0, or to "0 < 0". With S for the sum of those behind a
// position, every "S >= limit" is inductive with limits that start at total and do not
// grow, and contradicts what is behind if the last one is above 0: the choice is free
// between.
func (t *trace) sums(ls []weighted, by policy) []*logic.Term {
	at, total, ok := t.suffixes(ls)
	if !ok {
		return nil
	}
	strict := make([]bool, len(t.steps)) // of a step: one of its literals is
	equations := make([]bool, len(t.steps))
	for k := range equations {
		equations[k] = true
	}
	for _, l := range ls {
		strict[l.step] = strict[l.step] || l.op == simplex.Lt
		equations[l.step] = equations[l.step] && l.op == simplex.Eq
	}
	behind := make([]bool, len(at)) // there is a strict literal behind the position
	for pos := len(at) - 1; pos >= 0; pos-- {
		behind[pos] = strict[pos+1] || pos+1 < len(at) && behind[pos+1]
	}
	c := &chooser{trace: t, policy: by, used: bounds{}}
	out := make([]*logic.Term, len(at))
	now, exact := limit{at: total}, by.equations
	for pos := range at {
		now.strict = now.strict || strict[pos]
		if exact = exact && equations[pos]; exact {
			out[pos] = t.equation(at[pos], total)
			continue
		}
		out[pos], now = c.bound(at[pos], now, behind[pos])
	}
	return out
}

// equation returns "f = value".
func (t *trace) equation(f form, value rational.Rat) *logic.Term {
	p := t.primitive(f)
	sum := p.sum
	if sum == nil {
		return logic.BoolConst(f.value.Cmp(value) == 0)
	}
	b := value.Sub(f.value).Quo(p.factor)
	if sum.Sort() == logic.Int && !b.IsInt() {
		return logic.False()
	}
	return logic.Eq(sum, logic.Number(b.Big(), sum.Sort()))
}

// primitive is the sum of a form without its constant, as factor*sum.
type primitive struct {
	sum, minus *logic.Term // with coprime integer coefficients, and its negation; nil without terms
	factor     rational.Rat
	integers   bool // all terms are
}

// primitive returns that of a form. Proofs of long paths have few different sums.
func (t *trace) primitive(f form) primitive {
	var key []byte
	for _, m := range f.sum {
		key = m.Coef.AppendKey(binary.AppendUvarint(key, uint64(m.Var)))
	}
	p, ok := t.primitives[string(key)]
	if ok {
		return p
	}
	p.integers = true
	for _, m := range f.sum {
		p.factor = rational.GCD(p.factor, m.Coef)
		p.integers = p.integers && t.terms[m.Var].Sort() == logic.Int
	}
	var parts []*logic.Term
	for _, m := range f.sum {
		u := t.terms[m.Var]
		if !p.integers {
			u = logic.ToReal(u)
		}
		parts = append(parts, logic.Scale(m.Coef.Quo(p.factor).Big(), u))
	}
	if len(parts) > 0 {
		p.sum = logic.Add(parts...)
		p.minus = logic.Neg(p.sum)
	}
	t.primitives[string(key)] = p
	return p
}

// chooser chooses bounds along one sequence.
type chooser struct {
	*trace
	policy
	used bounds // of the sequence so far
}

// bound returns "f >= limit" for a limit that is not above now and above 0 (or 0, if
// what is behind is strict), and the limit that was taken.
func (c *chooser) bound(f form, now limit, behind bool) (*logic.Term, limit) {
	p := c.primitive(f)
	sum, minus, factor := p.sum, p.minus, p.factor // a bound is "minus <= -limit"
	if sum == nil {
		s := f.value.Cmp(now.at)
		return logic.BoolConst(s > 0 || s == 0 && !now.strict), now
	}
	// factor*sum + value >= limit, so sum >= (limit - value)/factor.
	high := limit{now.at.Sub(f.value).Quo(factor), now.strict}
	low := limit{f.value.Neg().Quo(factor), !behind}
	if p.integers {
		high, low = high.integer(), low.integer()
	}
	taken := high
	if c.weak {
		taken = low
	}
	for _, some := range []bounds{c.known, c.used} {
		if b, ok := between(some[minus], low, high); ok {
			taken = limit{at: b}
			break
		}
	}
	c.used[minus] = append(c.used[minus], taken.at)
	return c.formula(p, taken), limit{taken.at.Mul(factor).Add(f.value), taken.strict}
}

// formula returns "sum >= limit", which is made once.
func (t *trace) formula(p primitive, l limit) *logic.Term {
	key := boundKey{p.sum, string(l.at.AppendKey(nil)), l.strict}
	f := t.made[key]
	if f == nil {
		number := logic.Number(l.at.Big(), p.sum.Sort())
		if f = logic.Ge(p.sum, number); l.strict {
			f = logic.Gt(p.sum, number)
		}
		t.made[key] = f
	}
	return f
}

type boundKey struct {
	sum    *logic.Term
	at     string
	strict bool
}

// integer is the same bound of an integer.
func (l limit) integer() limit {
	if l.strict {
		return limit{at: l.at.Floor().Add(rational.Int(1))}
	}
	return limit{at: l.at.Ceil()}
}

// between returns the first bound that is not strict and between two.
func between(some []rational.Rat, low, high limit) (rational.Rat, bool) {
	for _, b := range some {
		l, h := b.Cmp(low.at), b.Cmp(high.at)
		if (l > 0 || l == 0 && !low.strict) && h <= 0 {
			return b, true
		}
	}
	return rational.Rat{}, false
}
