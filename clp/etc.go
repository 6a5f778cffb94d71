package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Explanation says why a tree is no derivation: a formula for each node, over the
// parameters of its predicate, that every derivation by the node's subtree satisfies; that
// of the first node is false. The constraint of a node's clause and the formulas of its
// calls entail the formula of the node: these are the hygienic clauses of [Flanagan04].
type Explanation struct {
	Summaries []*logic.Term
}

// premises are what a node of a trace knows: its constraint, and the formulas of its calls.
func premises(p *horn.Problem, n Node, summaries []*logic.Term) []*logic.Term {
	c := &p.Clauses[n.Clause]
	all := slices.Clone(logic.Conjuncts(c.Constraint))
	for k, j := range n.Calls {
		all = append(all, logic.Conjuncts(applied(p, c.Body[k], summaries[j]))...)
	}
	return all
}

// applied returns what a formula over a predicate's parameters says of an application.
func applied(p *horn.Problem, a horn.App, f *logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for k, v := range p.Preds[a.Pred].Params {
		by[v] = a.Args[k]
	}
	return logic.Substitute(f, by)
}

// conclusion is what a node's formula says of its head, false of the first node.
func conclusion(p *horn.Problem, n Node, summary *logic.Term) *logic.Term {
	if head := p.Clauses[n.Clause].Head; head != nil {
		return applied(p, *head, summary)
	}
	return logic.False()
}

// Check asks for each node whether its formula follows. The error says which does not, or
// that the solver does not know.
func (e *Explanation) Check(ctx context.Context, s smt.Checker, p *horn.Problem, t *Trace) error {
	if len(e.Summaries) != len(t.Nodes) || !e.Summaries[0].IsFalse() {
		return fmt.Errorf("no explanation of %d nodes", len(t.Nodes))
	}
	for i, n := range t.Nodes {
		all := append(premises(p, n, e.Summaries), logic.Not(conclusion(p, n, e.Summaries[i])))
		status, err := smt.CheckAll(ctx, s, all...)
		if err != nil {
			return err
		}
		if status != smt.Unsat {
			return fmt.Errorf("node %d does not follow (%s)", i, status)
		}
	}
	return nil
}

// Explain is ETC, the explicating trace checker of [Flanagan04], sec. 6, for a valid trace
// that is a tree: a derivation, if there are values that make it one; else an explanation,
// checked. known are predicates, of each predicate of the problem, that explanations may
// prefer. The solver's assertions are left as they are. Errors: the solver's, a limit
// included that it has (*Undecided).
func Explain(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, source Source, known [][]*logic.Term) (*Derivation, *Explanation, error) {
	d, status, err := derived(ctx, s, p, t)
	switch {
	case err != nil || d != nil:
		return d, nil, err
	case status == smt.Unknown:
		return nil, nil, notKnown("whether a trace is a derivation", s.Reason())
	}
	e, err := explained(ctx, s, p, t, source, known)
	return nil, e, err
}

// derived looks for values that make a valid trace a derivation, and replays it.
func derived(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace) (*Derivation, smt.Status, error) {
	flat := Flatten(p, t)
	status, m, err := smt.ModelOf(ctx, s, flat.Formula())
	if err != nil || status != smt.Sat {
		return nil, status, err
	}
	d := flat.Derivation(t, m)
	if err := d.Replay(p); err != nil {
		return nil, status, notKnown("whether a trace is a derivation", err.Error())
	}
	return d, status, nil
}

// explainTrace explains a valid trace as a tree, or as the graph that it is where the tree
// has more than maxTree nodes; it returns which.
func explainTrace(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, source Source, known [][]*logic.Term) (*Derivation, *Explanation, *Trace, error) {
	if tree := t.Unfold(maxTree); tree != nil {
		d, e, err := Explain(ctx, s, p, tree, source, known)
		return d, e, tree, err
	}
	d, e, err := explainShared(ctx, s, p, t)
	return d, e, t, err
}

// explainShared is Explain for a trace that is too large as a tree: the graph itself is a
// derivation if values make it one, with the same instance for all that call a node; it is
// none as a tree either if a formula for each node explains it, which Spacer looks for on
// the graph as clauses, a predicate for each node.
func explainShared(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace) (*Derivation, *Explanation, error) {
	d, _, err := derived(ctx, s, p, t)
	if err != nil || d != nil {
		return d, nil, err
	}
	e, err := bySpacer(ctx, s, p, t, nil)
	if err == nil && e != nil && e.Check(ctx, s, p, t) == nil {
		return nil, e, nil
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return nil, nil, notKnown("whether a trace is a derivation", fmt.Sprintf("as a tree it has more than %d nodes", maxTree))
}

// notKnown is the error of a search that meets a question without an answer.
func notKnown(what, why string) error {
	return &outcome.Stuck{What: fmt.Sprintf("it is not known %s: %s", what, why)}
}

// explained tries one source after the other.
func explained(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, source Source, known [][]*logic.Term) (*Explanation, error) {
	sources := []func(context.Context, smt.Solver, *horn.Problem, *Trace, [][]*logic.Term) (*Explanation, error){
		byFarkas, bySpacer, byCores}
	if source == Cores {
		sources = [](func(context.Context, smt.Solver, *horn.Problem, *Trace, [][]*logic.Term) (*Explanation, error)){byCores, byFarkas, bySpacer}
	}
	for _, by := range sources {
		e, err := by(ctx, s, p, t, known)
		if err == nil && e != nil {
			err = e.Check(ctx, s, p, t)
			if err == nil {
				return e, nil
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, notKnown("why a trace is no derivation", fmt.Sprintf("no source explains its %d nodes", len(t.Nodes)))
}

// Abstraction returns the abstraction of an explanation of a tree of clauses, by relation:
// literals of the formulas become interface predicates, and every formula that does not
// follow by propositional reasoning an explicated clause of few premises ([Flanagan04],
// sec. 6). It excludes the trace (lemma 8).
func (e *Explanation) Abstraction(ctx context.Context, s smt.Checker, c *Clauses, t *Trace) (*Abstraction, error) {
	out := Bottom(len(c.Rules.Relations))
	for i, n := range t.Nodes {
		r := c.Relation(n.Clause)
		out.AddPredicate(r, e.Summaries[i])
		all := premises(c.Problem, n, e.Summaries)
		goals := logic.Conjuncts(conclusion(c.Problem, n, e.Summaries[i]))
		if e.Summaries[i].IsFalse() {
			goals = []*logic.Term{logic.False()}
		}
		for _, g := range goals {
			if slices.Contains(all, g) {
				continue
			}
			needed, err := entailing(ctx, s, all, g)
			if err != nil {
				return nil, err
			}
			clause := []*logic.Term{g}
			for _, f := range needed {
				clause = append(clause, logic.Not(f))
			}
			out.Explicate(r, logic.Or(clause...))
		}
	}
	return out, nil
}

// Relation returns the relation whose rule a clause is an alternative of.
func (c *Clauses) Relation(clause int) int {
	for r := len(c.First) - 1; r >= 0; r-- {
		if c.First[r] <= clause && c.First[r] < c.end(r) {
			return r
		}
	}
	return c.Rules.Goal
}

func (c *Clauses) end(r int) int {
	if r+1 < len(c.First) {
		return c.First[r+1]
	}
	return len(c.Problem.Clauses)
}

// entailing returns some of the premises that entail the goal, none of which can be left
// out, in their order.
func entailing(ctx context.Context, s smt.Checker, all []*logic.Term, goal *logic.Term) ([]*logic.Term, error) {
	s.Push()
	defer s.Pop()
	s.Assert(logic.Not(goal))
	core, err := minimalCore(ctx, s, all)
	if err == nil && core == nil {
		err = notKnown("which premises entail "+goal.String(), s.Reason())
	}
	return core, err
}

// minimalCore returns some of the formulas that contradict what is asserted, such that
// without one the solver finds no contradiction; nil if there is none.
func minimalCore(ctx context.Context, s smt.Checker, all []*logic.Term) ([]*logic.Term, error) {
	core := func(fs []*logic.Term) ([]*logic.Term, error) {
		status, err := s.Check(ctx, fs...)
		if err != nil || status != smt.Unsat {
			return nil, err
		}
		numbers, err := s.Core(ctx)
		if numbers == nil || err != nil {
			return fs, err
		}
		out := lists.Map(numbers, func(k int) *logic.Term { return fs[k] })
		return out, nil
	}
	now, err := core(all)
	if now == nil || err != nil {
		return nil, err
	}
	for i := 0; i < len(now); {
		less := slices.Delete(slices.Clone(now), i, i+1)
		smaller, err := core(less)
		if err != nil {
			return nil, err
		}
		if smaller == nil {
			i++
			continue
		}
		now = smaller
	}
	return now, nil
}
