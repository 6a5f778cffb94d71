package clp_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/clp"
)

// rulesMax bounds the integers of ruleSet: all variables of all rules are from 0 to it.
const rulesMax = 2

// ruleSet returns a random valid rule set of two to four relations over at most two
// integers (from 0 to rulesMax) and Booleans, often recursive, and a goal.
func ruleSet(r *rand.Rand) *RuleSet { return randomRules(r, false) }

// booleanRules is ruleSet of CLP(B): over Booleans only.
func booleanRules(r *rand.Rand) *RuleSet { return randomRules(r, true) }

type rules struct {
	*rand.Rand
	set     *RuleSet
	boolean bool
	vars    []*logic.Term // of the rule
}

func randomRules(r *rand.Rand, boolean bool) *RuleSet {
	g := &rules{Rand: r, set: &RuleSet{}, boolean: boolean}
	for i := range 2 + r.IntN(3) {
		relation := Relation{Name: fmt.Sprintf("P%d", i)}
		for k := range r.IntN(3) {
			relation.Params = append(relation.Params, g.variable(k))
		}
		g.set.Relations = append(g.set.Relations, relation)
	}
	g.set.Goal = len(g.set.Relations)
	g.set.Relations = append(g.set.Relations, Relation{Name: "goal"})
	for i := range g.set.Relations {
		g.rule(&g.set.Relations[i])
	}
	return g.set
}

// variable returns number k of a rule.
func (g *rules) variable(k int) *logic.Term {
	if g.boolean || g.IntN(4) == 0 {
		return logic.Var(fmt.Sprintf("b%d", k), logic.Bool)
	}
	return logic.Var(fmt.Sprintf("x%d", k), logic.Int)
}

func (g *rules) rule(r *Relation) {
	g.vars = append([]*logic.Term{}, r.Params...)
	for k := range g.IntN(3) {
		g.vars = append(g.vars, g.variable(len(r.Params)+k))
	}
	var within []*logic.Term
	for _, v := range g.vars {
		if v.Sort() == logic.Int {
			within = append(within, logic.Ge(v, logic.IntConst(0)), logic.Le(v, logic.IntConst(rulesMax)))
		}
	}
	r.Body = And(Constraint(logic.And(within...)), g.formula(2+g.IntN(2)))
}

func (g *rules) formula(depth int) *Formula {
	if depth == 0 || g.IntN(5) == 0 {
		if g.IntN(2) == 0 {
			return g.call()
		}
		return Constraint(g.constraint())
	}
	var parts []*Formula
	for range 1 + g.IntN(3) {
		parts = append(parts, g.formula(depth-1))
	}
	if g.IntN(2) == 0 {
		return Or(parts...)
	}
	return And(parts...)
}

// term returns a term of a sort; an integer may be out of range.
func (g *rules) term(s *logic.Sort) *logic.Term {
	var fitting []*logic.Term
	for _, v := range g.vars {
		if v.Sort() == s {
			fitting = append(fitting, v)
		}
	}
	if s == logic.Bool {
		t := logic.BoolConst(g.IntN(2) == 0)
		if len(fitting) > 0 && g.IntN(4) > 0 {
			t = fitting[g.IntN(len(fitting))]
		}
		if g.IntN(3) == 0 {
			return logic.Not(t)
		}
		return t
	}
	t := logic.IntConst(int64(g.IntN(rulesMax + 1)))
	if len(fitting) > 0 && g.IntN(4) > 0 {
		t = fitting[g.IntN(len(fitting))]
		if g.IntN(3) == 0 {
			t = logic.Add(t, logic.IntConst(int64(g.IntN(3)-1)))
		}
	}
	return t
}

func (g *rules) constraint() *logic.Term {
	if g.boolean || g.IntN(4) == 0 {
		f := g.term(logic.Bool)
		if g.IntN(3) == 0 {
			f = logic.Eq(f, g.term(logic.Bool))
		}
		return f
	}
	a, b := g.term(logic.Int), g.term(logic.Int)
	switch g.IntN(6) {
	case 0:
		return logic.Le(a, b)
	case 1:
		return logic.Ne(a, b)
	case 2:
		return logic.Eq(logic.IntMod(a, logic.IntConst(2)), logic.IntConst(int64(g.IntN(2))))
	case 3:
		return logic.Or(logic.Lt(a, b), logic.Eq(b, g.term(logic.Int)))
	}
	return logic.Eq(a, b)
}

// call calls any relation but the goal, rarely that.
func (g *rules) call() *Formula {
	i := g.IntN(len(g.set.Relations) - 1)
	if g.IntN(20) == 0 {
		i = g.set.Goal
	}
	f := Call(i)
	for _, v := range g.set.Relations[i].Params {
		f.Args = append(f.Args, g.term(v.Sort()))
	}
	return f
}
