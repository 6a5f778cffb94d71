package clp

import (
	"context"
	"maps"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// unfolded is the step that replaces a predicate by the bodies of its clauses wherever it
// is called (unfolding, [TamakiSato84]): as large blocks do with the locations of programs.
// What is left are predicates that call themselves, and those that would make more clauses.
type unfolded struct {
	before, after *horn.Problem
	pred          int
	defs, uses    []int    // clauses before: that conclude it, that call it
	from          []origin // of each clause after
}

// origin is what a clause was made of.
type origin struct {
	clause int                         // before
	by     map[*logic.Term]*logic.Term // its variables in those of the new clause; nil: they are the same
	defs   []origin                    // what each call of the predicate was replaced by
}

const (
	maxUnfolded     = 4      // clauses that an unfolding may make of others, and how many more than before
	maxUnfoldedSize = 20_000 // of all constraints and arguments together
	unfoldWork      = 200_000
)

// unfold replaces a predicate that does not call itself, nil if there is none for which
// that pays: the one that leaves the fewest clauses, the first of those. New clauses whose
// constraints contradict each other are left out.
func unfold(ctx context.Context, s smt.Checker, p *horn.Problem) (*unfolded, error) {
	best, least := -1, 0
	for pred := range p.Preds {
		defs, after, ok := unfoldedSize(p, pred)
		if ok && (best < 0 || after-defs < least) {
			best, least = pred, after-defs
		}
	}
	if best < 0 {
		return nil, nil
	}
	u := &unfolded{before: p, pred: best, after: &horn.Problem{Preds: p.Preds}}
	for i := range p.Clauses {
		if h := p.Clauses[i].Head; h != nil && h.Pred == best {
			u.defs = append(u.defs, i)
		} else if atoms(&p.Clauses[i], best) > 0 {
			u.uses = append(u.uses, i)
		}
	}
	s.Limit(unfoldWork)
	defer s.Limit(0)
	size := 0
	for i := range p.Clauses {
		switch {
		case slices.Contains(u.defs, i):
		case slices.Contains(u.uses, i):
			if err := u.replace(ctx, s, i); err != nil {
				return nil, err
			}
		default:
			u.after.Clauses = append(u.after.Clauses, p.Clauses[i])
			u.from = append(u.from, origin{clause: i})
		}
	}
	for i := range u.after.Clauses {
		for _, t := range u.after.Clauses[i].Terms() {
			size += t.Size()
		}
	}
	if size > maxUnfoldedSize {
		return nil, nil
	}
	return u, nil
}

// unfoldedSize returns how many clauses a predicate's unfolding takes away and how many it
// makes; false if it calls itself, stands in no clause, or would make too many.
func unfoldedSize(p *horn.Problem, pred int) (away, after int, ok bool) {
	defs, uses := 0, 0
	for i := range p.Clauses {
		if h := p.Clauses[i].Head; h != nil && h.Pred == pred {
			if atoms(&p.Clauses[i], pred) > 0 {
				return 0, 0, false
			}
			defs++
		}
	}
	for i := range p.Clauses {
		if n := atoms(&p.Clauses[i], pred); n > 0 {
			made := 1
			for range n {
				if made *= defs; made > 1000 {
					return 0, 0, false
				}
			}
			uses++
			after += made
		}
	}
	away = defs + uses
	return away, after, away > 0 && (after <= maxUnfolded || after <= away+1)
}

// replace adds the clauses that a clause becomes: one for each choice of bodies for its
// calls of the predicate.
func (u *unfolded) replace(ctx context.Context, s smt.Checker, use int) error {
	choice := make([]int, atoms(&u.before.Clauses[use], u.pred))
	for len(u.defs) > 0 {
		c, from := u.resolved(use, choice)
		impossible := c.Constraint.IsFalse()
		if !impossible && !obvious(c.Constraint) {
			status, err := smt.CheckAll(ctx, s, c.Constraint)
			if err != nil {
				return err
			}
			impossible = status == smt.Unsat
		}
		if !impossible {
			u.after.Clauses = append(u.after.Clauses, c)
			u.from = append(u.from, from)
		}
		k := len(choice) - 1
		for k >= 0 && choice[k] == len(u.defs)-1 {
			choice[k] = 0
			k--
		}
		if k < 0 {
			return nil
		}
		choice[k]++
	}
	return nil
}

// obvious reports that a constraint holds where its variables have the constants that it says they are, and
// otherwise 0: a question to the solver takes a thousand times as long.
func obvious(constraint *logic.Term) bool {
	m := logic.Model{}
	for _, v := range logic.Vars(constraint) {
		m[v.Name()] = logic.Zero(v.Sort())
	}
	for _, f := range logic.Conjuncts(constraint) {
		switch vs := logic.Vars(f); {
		case len(vs) != 1:
		case f == vs[0]:
			m[f.Name()] = logic.BoolValue(true)
		default:
			if value := definition(f, vs[0]); value != nil && len(logic.Vars(value)) == 0 {
				if x, err := logic.Eval(value, nil); err == nil {
					m[vs[0].Name()] = x
				}
			}
		}
	}
	holds, err := logic.Holds(constraint, m)
	return err == nil && holds
}

// resolved returns a clause with its calls replaced, choice[k] numbering the body for the
// k-th of them. Variables that an equation gives are gone.
func (u *unfolded) resolved(use int, choice []int) (horn.Clause, origin) {
	old := &u.before.Clauses[use]
	taken := map[string]bool{}
	for _, v := range clauseVars(old) {
		taken[v.Name()] = true
	}
	out := horn.Clause{Name: old.Name, Span: old.Span, Head: old.Head}
	all := []*logic.Term{old.Constraint}
	from := origin{clause: use, by: map[*logic.Term]*logic.Term{}}
	for _, v := range clauseVars(old) {
		from.by[v] = v
	}
	for _, a := range old.Body {
		if a.Pred != u.pred {
			out.Body = append(out.Body, a)
			continue
		}
		def := u.defs[choice[len(from.defs)]]
		by := unify(&u.before.Clauses[def], a.Args, taken)
		called := substituted(u.before.Clauses[def], by)
		all = append(all, called.Constraint)
		for k, t := range called.Head.Args {
			all = append(all, logic.Eq(t, a.Args[k]))
		}
		out.Body = append(out.Body, called.Body...)
		from.defs = append(from.defs, origin{clause: def, by: by})
	}
	out.Constraint = logic.And(all...)
	return withoutEquations(out, from)
}

// unify names the variables of a clause apart from those that are taken; those that are
// arguments of its head are what a call has there.
func unify(c *horn.Clause, args []*logic.Term, taken map[string]bool) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for k, t := range c.Head.Args {
		if t.Op() == logic.OpVar && by[t] == nil {
			by[t] = args[k]
		}
	}
	for _, v := range clauseVars(c) {
		if by[v] == nil && v.Sort().Kind() != logic.FunctionKind {
			by[v] = logic.Var(logic.UnusedName(taken, v.Name()), v.Sort())
		}
	}
	return by
}

// withoutEquations eliminates variables of a clause that an equation of its constraint
// gives: all its variables stand for any values, so that the clause says the same.
func withoutEquations(c horn.Clause, from origin) (horn.Clause, origin) {
	for {
		conjuncts := logic.Conjuncts(c.Constraint)
		v, value := given(conjuncts)
		if v == nil {
			return c, from
		}
		by := map[*logic.Term]*logic.Term{v: value}
		c = substituted(c, by)
		from = from.substituted(by)
	}
}

// given returns a variable that a conjunct gives, and its value.
func given(conjuncts []*logic.Term) (v, value *logic.Term) {
	for _, f := range conjuncts {
		switch f.Op() {
		case logic.OpEq, logic.OpVar, logic.OpNot:
			for _, v := range logic.Vars(f) {
				if v.Sort().Kind() == logic.FunctionKind {
					continue
				}
				if value := definition(f, v); value != nil && !slices.Contains(logic.Vars(value), v) {
					return v, value
				}
			}
		}
	}
	return nil, nil
}

func (o origin) substituted(by map[*logic.Term]*logic.Term) origin {
	out := origin{clause: o.clause, by: map[*logic.Term]*logic.Term{}}
	for v, t := range o.by {
		out.by[v] = logic.Substitute(t, by)
	}
	for _, d := range o.defs {
		out.defs = append(out.defs, d.substituted(by))
	}
	return out
}

func (u *unfolded) problem() *horn.Problem { return u.after }

// derivation puts nodes of the predicate's clauses back between others.
func (u *unfolded) derivation(after *Derivation) (*Derivation, error) {
	at := make([]int, len(after.Nodes)) // the new number of each node
	n := 0
	for i, node := range after.Nodes {
		at[i] = n
		n += 1 + len(u.from[node.Clause].defs)
	}
	out := &Derivation{Functions: after.Functions}
	for i, node := range after.Nodes {
		from := &u.from[node.Clause]
		env := after.environment(i)
		if from.by == nil {
			out.add(from.clause, renumbered(node.Calls, at), after.Values[i])
			continue
		}
		use := &u.before.Clauses[from.clause]
		calls := renumbered(node.Calls, at) // those that are left, in order
		var own []int
		var below [][]int
		for _, a := range use.Body {
			if a.Pred != u.pred {
				own, calls = append(own, calls[0]), calls[1:]
				continue
			}
			own = append(own, at[i]+1+len(below))
			n := len(u.before.Clauses[from.defs[len(below)].clause].Body)
			below, calls = append(below, calls[:n]), calls[n:]
		}
		values, err := from.values(env)
		if err != nil {
			return nil, err
		}
		out.add(from.clause, own, values)
		for k := range below {
			if values, err = from.defs[k].values(env); err != nil {
				return nil, err
			}
			out.add(from.defs[k].clause, below[k], values)
		}
	}
	return out, nil
}

func (d *Derivation) add(clause int, calls []int, values logic.Model) {
	d.Nodes = append(d.Nodes, Node{Clause: clause, Calls: calls})
	d.Values = append(d.Values, values)
}

func renumbered(calls, at []int) []int {
	return lists.Map(calls, func(j int) int { return at[j] })
}

// values returns those of the variables of a clause that another was made of; one that
// nothing depends on is zero.
func (o *origin) values(env logic.Model) (logic.Model, error) {
	out := logic.Model{}
	for v, t := range o.by {
		if v.Sort().Kind() == logic.FunctionKind {
			continue
		}
		known := env
		for _, w := range logic.Vars(t) {
			if _, ok := known[w.Name()]; !ok {
				known = withZero(known, w)
			}
		}
		value, err := logic.Eval(t, known)
		if err != nil {
			return nil, err
		}
		out[v.Name()] = value
	}
	return out, nil
}

func withZero(m logic.Model, v *logic.Term) logic.Model {
	out := logic.Model{v.Name(): logic.Zero(v.Sort())}
	maps.Copy(out, m)
	return out
}
