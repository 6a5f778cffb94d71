package passes

import (
	"maps"
	"math/big"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// remainders reads mod(t, m) as t where the guard of the edge keeps t in [0, m), by the bounds that it has for
// variables and inputs: conversions between types of C that change no value.
func remainders(in subject) *image {
	m := newImage(in)
	changed := false
	for i, e := range in.Edges {
		c, is := withoutRemainders(e.Command)
		changed = changed || is
		m.keep(i, c)
	}
	if !changed {
		return nil
	}
	return m
}

func withoutRemainders(c *program.Command) (_ *program.Command, changed bool) {
	values := func() (all []*logic.Term) {
		all = append(all, c.Guard)
		for _, v := range assigned(c) {
			all = append(all, c.Update[v])
		}
		return all
	}
	var known map[*logic.Term]bounds
	for {
		by := map[*logic.Term]*logic.Term{}
		for t := range logic.Subterms(values()...) {
			if t.Op() != logic.OpIntMod || t.Args()[1].Num() == nil {
				continue
			}
			if known == nil {
				known = boundsIn(c.Guard)
			}
			if b := boundsOf(t.Args()[0], known); b.within(t.Args()[1].Num()) {
				by[t] = t.Args()[0]
			}
		}
		if len(by) == 0 {
			return c, changed
		}
		changed = true
		next := *c
		next.Guard, next.Update = logic.Substitute(c.Guard, by), maps.Clone(c.Update)
		for v, t := range next.Update {
			next.Update[v] = logic.Substitute(t, by)
		}
		c = &next
	}
}

// bounds are the least and the greatest number that a term can be; nil: none is known.
type bounds struct{ least, most *big.Rat }

// within reports numbers from 0 to below a modulus.
func (b bounds) within(modulus *big.Rat) bool {
	return b.least != nil && b.most != nil && b.least.Sign() >= 0 && b.most.Cmp(modulus) < 0
}

// boundsIn are those that comparisons with numbers give to what has no remainder in it: variables and inputs.
func boundsIn(guard *logic.Term) map[*logic.Term]bounds {
	known := map[*logic.Term]bounds{}
	for _, f := range logic.Conjuncts(guard) {
		if f.Op() != logic.OpLe && f.Op() != logic.OpLt && f.Op() != logic.OpEq || f.Args()[0].Sort() != logic.Int {
			continue
		}
		l := logic.LinearOf(logic.Sub(f.Args()[1], f.Args()[0])) // at least 0
		if len(l.Terms) != 1 || l.Terms[0].Term.Op() != logic.OpVar {
			continue
		}
		x := l.Terms[0].Term
		b, least := known[x], new(big.Rat).Quo(new(big.Rat).Neg(l.Const), l.Terms[0].Coef)
		above := l.Terms[0].Coef.Sign() > 0
		if (above || f.Op() == logic.OpEq) && (b.least == nil || b.least.Cmp(least) < 0) {
			b.least = least
		}
		if (!above || f.Op() == logic.OpEq) && (b.most == nil || b.most.Cmp(least) > 0) {
			b.most = least
		}
		known[x] = b
	}
	return known
}

// boundsOf are those of a term that is linear over what they are known of.
func boundsOf(t *logic.Term, known map[*logic.Term]bounds) bounds {
	l := logic.LinearOf(t)
	b := bounds{new(big.Rat).Set(l.Const), new(big.Rat).Set(l.Const)}
	for _, m := range l.Terms {
		of := known[m.Term]
		if of.least == nil || of.most == nil {
			return bounds{}
		}
		least, most := new(big.Rat).Mul(m.Coef, of.least), new(big.Rat).Mul(m.Coef, of.most)
		if m.Coef.Sign() < 0 {
			least, most = most, least
		}
		b.least.Add(b.least, least)
		b.most.Add(b.most, most)
	}
	return b
}
