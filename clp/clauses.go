package clp

import (
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Clauses are a rule set as constrained Horn clauses: one for each alternative of each
// rule, in the order of the rules. Those of the goal conclude false.
type Clauses struct {
	Problem *horn.Problem
	Rules   *RuleSet
	// Pred is the predicate of each relation, -1 of the goal, which is "false" unless a
	// rule calls it.
	Pred []int
	// First is the first clause of each relation's rule; its alternatives follow.
	First []int
	// Modes say what callers know, if they are known. Within is, of each predicate, a
	// conjunction that facts about those with modes are to say of its parameters, though the
	// query does not need it: that numbers are in a range.
	Modes  *Modes
	Within []*logic.Term
}

// Clauses returns the clauses of a rule set, which is to be valid. The error is a
// *budget.Exhausted if a rule has too many alternatives.
func (p *RuleSet) Clauses() (*Clauses, error) {
	c := &Clauses{Problem: &horn.Problem{}, Rules: p}
	called := p.goalCalled()
	for i, r := range p.Relations {
		if i == p.Goal && !called {
			c.Pred = append(c.Pred, -1)
			continue
		}
		c.Pred = append(c.Pred, len(c.Problem.Preds))
		c.Problem.Preds = append(c.Problem.Preds, horn.Pred{Name: r.Name, Params: r.Params, Span: r.Span})
	}
	for i := range p.Relations {
		if err := c.rule(i); err != nil {
			return nil, err
		}
	}
	if called {
		c.Problem.Clauses = append(c.Problem.Clauses, horn.Clause{Body: []horn.App{{Pred: c.Pred[p.Goal]}}, Constraint: logic.True(), Span: p.Relations[p.Goal].Span})
	}
	return c, nil
}

// goalCalled reports that a rule calls the goal.
func (p *RuleSet) goalCalled() (called bool) {
	for i := range p.Relations {
		p.Relations[i].body().Walk(func(f *Formula) { called = called || f.Op == OpCall && f.Relation == p.Goal })
	}
	return called
}

// rule adds the clauses of relation number i.
func (c *Clauses) rule(i int) error {
	r := &c.Rules.Relations[i]
	c.First = append(c.First, len(c.Problem.Clauses))
	all, ok := r.body().Alternatives()
	if !ok {
		return &budget.Exhausted{What: "clauses", Limit: fmt.Sprintf("%d of one rule", maxAlternatives),
			Advice: "relations of their own for parts of the rule of " + r.Name}
	}
	for k, a := range all {
		clause := horn.Clause{Constraint: a.Constraint, Span: r.body().spanOf(k, r.Span)}
		for _, call := range a.Calls {
			clause.Body = append(clause.Body, horn.App{Pred: c.Pred[call.Relation], Args: call.Args})
		}
		if c.Pred[i] >= 0 {
			clause.Head = &horn.App{Pred: c.Pred[i], Args: r.Params}
		}
		c.Problem.Clauses = append(c.Problem.Clauses, clause)
	}
	return nil
}

// spanOf is the place of alternative number k: that of its part of an outermost disjunction,
// or else that of all.
func (f *Formula) spanOf(k int, all source.Span) source.Span {
	if f.Op != OpOr {
		return all
	}
	for _, p := range f.Parts {
		if n := p.count(); k >= n {
			k -= n
		} else if p.Span.Valid() {
			return p.Span
		} else {
			break
		}
	}
	return all
}

// goalName is what the goal of clauses is called where that name is free.
const goalName = "query"

// FromProblem returns clauses, which are to be valid, as a rule set: each predicate is a
// relation whose rule is the disjunction of its clauses, with equations for arguments of
// the head that are no variables of their own, and variables named apart; the goal is
// defined by the clauses that conclude false.
func FromProblem(p *horn.Problem) *RuleSet {
	rules := &RuleSet{Goal: len(p.Preds)}
	taken := map[string]bool{}
	for i := range p.Preds {
		rules.Relations = append(rules.Relations, Relation{Name: p.PredName(i), Params: p.Preds[i].Params, Body: Or(), Span: p.Preds[i].Span})
		taken[p.PredName(i)] = true
	}
	rules.Relations = append(rules.Relations, Relation{Name: logic.UnusedName(taken, goalName), Body: Or()})
	names := make([]map[string]bool, len(rules.Relations))
	for i, r := range rules.Relations {
		names[i] = map[string]bool{}
		for _, v := range r.Params {
			names[i][v.Name()] = true
		}
	}
	for i := range p.Clauses {
		at := rules.Goal
		if h := p.Clauses[i].Head; h != nil {
			at = h.Pred
		}
		r := &rules.Relations[at]
		r.Body.Parts = append(r.Body.Parts, disjunct(r, &p.Clauses[i], names[at]))
	}
	return rules
}

// disjunct returns a clause as a part of a rule's body.
func disjunct(r *Relation, c *horn.Clause, names map[string]bool) *Formula {
	by := map[*logic.Term]*logic.Term{}
	var head []*logic.Term
	if c.Head != nil {
		head = c.Head.Args
	}
	for k, t := range head {
		if t.Op() == logic.OpVar && by[t] == nil {
			by[t] = r.Params[k]
		}
	}
	for _, v := range clauseVars(c) {
		if by[v] == nil && v.Sort().Kind() != logic.FunctionKind {
			by[v] = logic.Var(logic.UnusedName(names, v.Name()), v.Sort())
		}
	}
	constraint := []*logic.Term{logic.Substitute(c.Constraint, by)}
	for k, t := range logic.SubstituteAll(head, by) {
		constraint = append(constraint, logic.Eq(r.Params[k], t))
	}
	out := And(Constraint(logic.And(constraint...)))
	for _, a := range c.Body {
		out.Parts = append(out.Parts, Call(a.Pred, logic.SubstituteAll(a.Args, by)...))
	}
	out.Span = c.Span
	return out
}

// clauseVars returns the variables of a clause, sorted.
func clauseVars(c *horn.Clause) []*logic.Term { return logic.Vars(c.Terms()...) }
