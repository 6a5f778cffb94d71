package clp

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Facts for each value of an argument: where a routine is only called with a few values of
// an argument, what it returns for one of them is mostly simple, and nothing simple holds of
// all: 1, 3, 7, 15, ... An element is kept for each value that was seen, as polyvariant
// analyses of calls do.

const (
	maxValues    = 64   // of an argument
	valueQueries = 3000 // about facts for each value
	valueRaises  = 20   // of a bound
)

// keyed says by whose values facts about a predicate are kept: of a parameter, and for some
// of its values, as texts, of a second one.
type keyed struct {
	by   *logic.Term
	then map[string]*logic.Term
}

// split is an abstract that keeps an element for each value of a parameter.
type split struct {
	by    *logic.Term
	parts []part // sorted
	fresh func(value *big.Rat) abstract
	top   bool
}

type part struct {
	value *big.Rat
	of    abstract
}

func (s *split) nothing() bool { return !s.top && len(s.parts) == 0 }
func (s *split) giveUp()       { s.top = true }
func (s *split) gaveUp() bool  { return s.top }

func (s *split) formula() *logic.Term {
	if s.top {
		return logic.True()
	}
	all := make([]*logic.Term, len(s.parts))
	same := len(all) > 0 && len(all) == 1+int(new(big.Rat).Sub(s.parts[len(all)-1].value, s.parts[0].value).Num().Int64())
	for i, p := range s.parts {
		is := logic.Eq(s.by, logic.Number(p.value, s.by.Sort()))
		all[i] = logic.And(is, p.of.formula())
		same = same && all[i] == is
	}
	if same { // an interval
		return logic.And(logic.Le(logic.Number(s.parts[0].value, s.by.Sort()), s.by), logic.Le(s.by, logic.Number(s.parts[len(all)-1].value, s.by.Sort())))
	}
	return logic.Or(all...)
}

func (s *split) join(m logic.Model) {
	if s.top {
		return
	}
	v := m[s.by.Name()].Num()
	at, found := slices.BinarySearchFunc(s.parts, v, func(p part, v *big.Rat) int { return p.value.Cmp(v) })
	if !found {
		if len(s.parts) == maxValues {
			s.top = true
			return
		}
		s.parts = slices.Insert(s.parts, at, part{v, s.fresh(v)})
	}
	s.parts[at].of.join(m)
}

// few returns the position of the parameter that what is known leaves the fewest values, but
// more than one; -1 if it leaves none of them at most maxValues.
func few(params []*logic.Term, known *logic.Term) int {
	best, fewest := -1, (*big.Rat)(nil)
	for k, v := range params {
		if v.Sort() != logic.Int {
			continue
		}
		lo, hi := limitsOf(known, v)
		if lo == nil || hi == nil {
			continue
		}
		if n := new(big.Rat).Sub(hi, lo); n.Cmp(big.NewRat(maxValues, 1)) < 0 && n.Sign() > 0 && (fewest == nil || n.Cmp(fewest) < 0) {
			best, fewest = k, n
		}
	}
	return best
}

// limitsOf are the bounds that the conjuncts of a formula give a variable, nil where there are
// none.
func limitsOf(f, v *logic.Term) (lo, hi *big.Rat) {
	for _, c := range logic.Conjuncts(f) {
		l, h := limits(c, v)
		if l != nil && (lo == nil || l.Cmp(lo) > 0) {
			lo = l
		}
		if h != nil && (hi == nil || h.Cmp(hi) < 0) {
			hi = h
		}
	}
	return lo, hi
}

// limits are the bounds that a conjunct gives a variable, nil where it gives none.
func limits(f, v *logic.Term) (lo, hi *big.Rat) {
	op, sum, at, negated, ok := logic.LinearAtom(f)
	if !ok || negated || len(sum.Terms) != 1 || sum.Terms[0].Term != v {
		return nil, nil
	}
	a := sum.Terms[0].Coef
	at = new(big.Rat).Quo(at, a)
	switch {
	case op == logic.OpEq:
		return at, at
	case a.Sign() > 0:
		return nil, at
	}
	return at, nil
}

// byValues adds facts for each value of the argument of each predicate that is said, nil
// where there is none: equations, and if there are thresholds, bounds that are widened to
// these, by predicate and value. They take the place of those that it found before, and go
// with base: known is both.
func (f *factFinder) byValues(p *horn.Problem, base, known []*logic.Term, keys []*keyed, thresholds []map[string][]*big.Rat) ([]*logic.Term, error) {
	text := numbersOf(p)
	f.problem, f.known, f.elements, f.left = p, known, nil, valueQueries
	for i := range p.Preds {
		element := func(more []*big.Rat) abstract {
			e := newElement(p.Preds[i].Params, sortedNumbers(slices.Concat(text, more)), nil, false, false)
			e.raises, e.bounds = valueRaises, nil
			for _, v := range e.number {
				if thresholds != nil {
					e.bounds = append(e.bounds, upper{form: v}, upper{form: logic.Neg(v)})
				}
			}
			return e
		}
		k := keys[i]
		if k == nil {
			f.elements = append(f.elements, element(nil))
			continue
		}
		f.elements = append(f.elements, &split{by: k.by, fresh: func(v *big.Rat) abstract {
			var more []*big.Rat
			if thresholds != nil {
				more = thresholds[i][v.RatString()]
			}
			if second := k.then[v.RatString()]; second != nil {
				return &split{by: second, fresh: func(*big.Rat) abstract { return element(more) }}
			}
			return element(more)
		}})
	}
	ok, err := f.run()
	if err != nil || !ok {
		return known, err
	}
	out := slices.Clone(base)
	for i, e := range f.elements {
		if out[i] = logic.And(base[i], e.formula()); e.gaveUp() {
			out[i] = logic.And(known[i], out[i])
		}
	}
	return out, nil
}

// backwards returns what the limits of one number make of another one, where an equation has
// these two and others that are fixed: with c' == c + 7 and c' <= 100 that c <= 93.
func (e *element) backwards(limit func(v *logic.Term) (lo, hi *big.Rat)) (out []*big.Rat) {
	fixed := e.fixed()
	nonzero := func(row []*big.Rat) (at []int) {
		for k := range e.number {
			if row[k].Sign() != 0 && fixed[k] == nil {
				at = append(at, k)
			}
		}
		return at
	}
	for _, row := range e.affine {
		at := nonzero(row)
		if len(at) != 2 {
			continue
		}
		rest := new(big.Rat).Set(row[len(e.number)])
		for k, v := range fixed {
			rest.Sub(rest, new(big.Rat).Mul(row[k], v))
		}
		for i, k := range at {
			other := at[1-i]
			lo, hi := limit(e.number[other])
			for _, l := range []*big.Rat{lo, hi} {
				if l != nil {
					x := new(big.Rat).Sub(rest, new(big.Rat).Mul(row[other], l))
					x.Quo(x, row[k])
					floor := new(big.Int).Div(x.Num(), x.Denom())
					out = append(out, new(big.Rat).SetInt(floor), new(big.Rat).SetInt(floor.Add(floor, big.NewInt(1))))
				}
			}
		}
	}
	return out
}
