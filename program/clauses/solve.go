package clauses

import (
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// state is the variables of a clause seen from one of its predicates: some are those of
// the system, the others are inputs.
type state struct {
	names     map[*logic.Term]*logic.Term // variables of the clause by what they are called
	inputs    map[*logic.Term]bool        // of those, the inputs
	conjuncts []*logic.Term
}

// state names the variables that stand alone in a: the others are inputs. Without a
// predicate (no arguments), all are.
func (r *reader) state(c *horn.Clause, a horn.App) *state {
	s := &state{names: map[*logic.Term]*logic.Term{}, inputs: map[*logic.Term]bool{}}
	for k, t := range a.Args {
		if t.Op() == logic.OpVar && s.names[t] == nil {
			s.names[t] = r.slots[a.Pred][k]
		}
	}
	taken := map[string]bool{}
	for _, v := range logic.Vars(c.Terms()...) {
		if s.names[v] == nil {
			// With a dot, no variable of the system has the name.
			in := logic.Var(logic.UnusedName(taken, "in."+logic.PlainName(v.Name())), v.Sort())
			s.names[v] = in
			s.inputs[in] = true
		}
	}
	s.conjuncts = logic.Conjuncts(logic.Substitute(c.Constraint, s.names))
	for k, t := range logic.SubstituteAll(a.Args, s.names) {
		s.conjuncts = append(s.conjuncts, logic.Conjuncts(logic.Eq(r.slots[a.Pred][k], t))...)
	}
	return s
}

// left returns the inputs that occur in terms.
func (s *state) left(in []*logic.Term) (inputs []*logic.Term) {
	return lists.Filter(logic.Vars(in...), func(v *logic.Term) bool { return s.inputs[v] })
}

// solve eliminates the inputs that an equality determines: what is left of the
// conjuncts, and what the inputs stand for. Each round takes equalities that
// do not need one another's inputs on both sides; there are few rounds, since chains in
// the order of the text are one.
func (s *state) solve() (conjuncts []*logic.Term, by map[*logic.Term]*logic.Term) {
	conjuncts, by = s.conjuncts, map[*logic.Term]*logic.Term{}
	for {
		now := map[*logic.Term]*logic.Term{} // values without its keys
		needed := map[*logic.Term]bool{}     // inputs in these values
		var rest []*logic.Term
		for _, c := range conjuncts {
			v, e := s.definition(c, now, needed)
			if v == nil {
				rest = append(rest, c)
				continue
			}
			now[v] = e
			for _, in := range s.left([]*logic.Term{e}) {
				needed[in] = true
			}
		}
		if len(now) == 0 {
			return conjuncts, by
		}
		for v, e := range by {
			by[v] = logic.Substitute(e, now)
		}
		maps.Copy(by, now)
		conjuncts = conjuncts[:0:0]
		for _, c := range logic.SubstituteAll(rest, now) {
			conjuncts = append(conjuncts, logic.Conjuncts(c)...)
		}
	}
}

// definition reads a conjunct as v = e for an input v that is in no e of this round,
// with what is known in this round put into e.
func (s *state) definition(c *logic.Term, now map[*logic.Term]*logic.Term, needed map[*logic.Term]bool) (v, e *logic.Term) {
	for _, d := range equations(c) {
		if !s.inputs[d.v] || now[d.v] != nil || needed[d.v] {
			continue
		}
		if e := logic.Substitute(d.e, now); !slices.Contains(logic.Vars(e), d.v) {
			return d.v, e
		}
	}
	return nil, nil
}

type equation struct{ v, e *logic.Term }

// equations returns the ways to read a conjunct as variable = term.
func equations(c *logic.Term) (all []equation) {
	switch c.Op() {
	case logic.OpVar:
		return []equation{{c, logic.True()}}
	case logic.OpNot:
		if v := c.Args()[0]; v.Op() == logic.OpVar {
			return []equation{{v, logic.False()}}
		}
		if d := c.Args()[0]; d.Op() == logic.OpEq && d.Args()[0].Sort() == logic.Bool {
			return either(d.Args()[0], logic.Not(d.Args()[1]))
		}
	case logic.OpEq:
		if _, sum, bound, _, ok := logic.LinearAtom(c); ok {
			return linearEquations(sum, bound, c.Args()[0].Sort())
		}
		return either(c.Args()[0], c.Args()[1])
	}
	return nil
}

// either reads a = b both ways.
func either(a, b *logic.Term) (all []equation) {
	for range 2 {
		switch {
		case a.Op() == logic.OpVar:
			all = append(all, equation{a, b})
		case a.Op() == logic.OpNot && a.Args()[0].Op() == logic.OpVar:
			all = append(all, equation{a.Args()[0], logic.Not(b)})
		}
		a, b = b, a
	}
	return all
}

// linearEquations solves sum = bound for each variable: of Int, where its coefficient is
// 1 or -1.
func linearEquations(sum logic.Linear, bound *big.Rat, sort *logic.Sort) (all []equation) {
	for i, m := range sum.Terms {
		if m.Term.Op() != logic.OpVar || sort == logic.Int && (!m.Coef.IsInt() || new(big.Int).Abs(m.Coef.Num()).Cmp(big.NewInt(1)) != 0) {
			continue
		}
		rest := logic.Linear{Const: new(big.Rat).Neg(bound)}
		rest.Terms = append(append(rest.Terms, sum.Terms[:i]...), sum.Terms[i+1:]...)
		factor := new(big.Rat).Inv(m.Coef)
		all = append(all, equation{m.Term, logic.Scale(factor.Neg(factor), rest.Of(sort))})
	}
	return all
}
