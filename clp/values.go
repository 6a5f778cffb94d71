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
)

// split is an abstract that keeps an element for each value of a parameter.
type split struct {
	by    *logic.Term
	parts []part // sorted
	fresh func() abstract
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
		s.parts = slices.Insert(s.parts, at, part{v, s.fresh()})
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
		var lo, hi *big.Rat
		for _, c := range logic.Conjuncts(known) {
			l, h := limits(c, v)
			if l != nil && (lo == nil || l.Cmp(lo) > 0) {
				lo = l
			}
			if h != nil && (hi == nil || h.Cmp(hi) < 0) {
				hi = h
			}
		}
		if lo == nil || hi == nil {
			continue
		}
		if n := new(big.Rat).Sub(hi, lo); n.Cmp(big.NewRat(maxValues, 1)) < 0 && n.Sign() > 0 && (fewest == nil || n.Cmp(fewest) < 0) {
			best, fewest = k, n
		}
	}
	return best
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
// where there is none.
func (f *factFinder) byValues(p *horn.Problem, known []*logic.Term, keys []*logic.Term) ([]*logic.Term, error) {
	if !slices.ContainsFunc(keys, func(k *logic.Term) bool { return k != nil }) {
		return known, nil
	}
	thresholds, forms := numbersOf(p), comparedForms(p)
	for _, bounds := range []bool{false, true} {
		f.problem, f.known, f.elements, f.left = p, known, nil, valueQueries
		for i := range p.Preds {
			fresh := func() abstract {
				e := newElement(p.Preds[i].Params, thresholds, slices.Clone(forms[i]), false, false)
				if !bounds {
					e.bounds = nil
				}
				return e
			}
			if keys[i] == nil {
				f.elements = append(f.elements, fresh())
			} else {
				f.elements = append(f.elements, &split{by: keys[i], fresh: fresh})
			}
		}
		var err error
		if known, err = f.learnt(); err != nil {
			return nil, err
		}
		if done, err := f.answers(p, known); done || err != nil {
			return known, err
		}
	}
	return known, nil
}
