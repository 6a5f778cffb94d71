package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// maxTree bounds the nodes of traces as trees.
const maxTree = 2000

// lazy is CAR as in [Flanagan04], fig. 4: a refinement loop whose abstraction is a rule set
// over Booleans.
type lazy struct {
	ctx     context.Context
	solver  smt.Solver
	clauses *Clauses
	source  Source
	meter   *budget.Meter
	alpha   *Abstraction
	model   *LeastModel
	// answers
	derivation  *Derivation
	explanation *Explanation
	tree        *Trace
	rounds      int
}

// Check abstracts the rules and looks for a derivation of the goal.
func (l *lazy) Check(round int, account *Round) (*Trace, bool, error) {
	l.rounds = round + 1
	model, err := Least(l.alpha.Abstract(l.clauses.Rules), l.meter)
	if err != nil {
		return nil, false, err
	}
	l.model = model
	*account = Round{Number: round + 1, Predicates: l.alpha.predicates(), Explicated: l.alpha.explicated(), Facts: model.Rounds()}
	t := model.Trace()
	if t == nil {
		return nil, false, nil
	}
	account.Nodes = len(t.Nodes)
	return t, true, nil
}

// Validate asks the trace checker.
func (l *lazy) Validate(t *Trace, account *Round) (bool, error) {
	var err error
	l.derivation, l.explanation, l.tree, err = explainTrace(l.ctx, l.solver, l.clauses.Problem, t, l.source, nil)
	account.Derivation = l.derivation != nil
	return l.derivation != nil, err
}

// Refine joins what the explanation says to the abstraction.
func (l *lazy) Refine(_ *Trace, account *Round) (bool, error) {
	gamma, err := l.explanation.Abstraction(l.ctx, l.solver, l.clauses, l.tree)
	if err != nil {
		return false, err
	}
	next := l.alpha.Join(gamma)
	if next.Below(l.alpha) {
		return false, nil
	}
	account.New = next.since(l.alpha, l.clauses.Rules)
	l.alpha = next
	return true, nil
}

// predicates and explicated count.
func (a *Abstraction) predicates() (n int) {
	for _, list := range a.Interface {
		n += len(list)
	}
	return n
}

func (a *Abstraction) explicated() (n int) {
	for _, list := range a.Explicated {
		n += len(list)
	}
	return n
}

// since lists predicates that an abstraction below does not have.
func (a *Abstraction) since(below *Abstraction, p *RuleSet) (out []string) {
	for r := range a.Interface {
		for _, h := range a.Interface[r] {
			if !slices.Contains(below.Interface[r], h) {
				out = append(out, fmt.Sprintf("%s: %s", p.Relations[r].Name, h))
			}
		}
	}
	return out
}

// solution returns what the least model of the abstract rules says of the predicates of
// the clauses: of a model without the goal, a solution.
func (l *lazy) solution() horn.Solution {
	out := make(horn.Solution, len(l.clauses.Problem.Preds))
	for r, pred := range l.clauses.Pred {
		if pred >= 0 {
			out[pred] = formulaOf(l.model.manager, l.model.known[len(l.model.known)-1][r], l.alpha.Interface[r])
		}
	}
	return out
}

// formulaOf writes a diagram over predicates as a disjunction of conjunctions.
func formulaOf(m *bdd.Manager, f bdd.Node, predicates []*logic.Term) *logic.Term {
	var cubes []*logic.Term
	for _, cube := range m.ISOP(f, f) {
		var literals []*logic.Term
		for _, l := range cube {
			h := predicates[l.Var()]
			if l.Negated() {
				h = logic.Not(h)
			}
			literals = append(literals, h)
		}
		cubes = append(cubes, logic.And(literals...))
	}
	return logic.Or(cubes...)
}

// result runs the loop and makes a result of what comes of it.
func (l *lazy) result(o Options) (*Result, error) {
	_, found, err := refine.Run[*Trace, Round](l, refine.Options[Round]{Refinements: o.Rounds, Explain: o.Explain, Proceed: func() error {
		return l.meter.Tick(budget.Progress{Phase: "refining", Rounds: int64(l.rounds), Predicates: int64(l.alpha.predicates())})
	}})
	r := &Result{Method: CAR, Stats: Stats{Rounds: l.rounds, Predicates: l.alpha.predicates()}}
	switch {
	case err != nil:
		return undecided(l.ctx, r, err)
	case found:
		r.Verdict, r.Derivation = Derivable, l.derivation
		return r, nil
	}
	r.Solution = l.solution()
	return confirm(l.ctx, r, l.clauses.Problem, l.solver)
}

// lazily is CAR with lazy explication, on the rules; clauses without rules are made some.
func lazily(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	own, order := q, []int(nil)
	if q.Rules == nil {
		var err error
		if own, err = FromProblem(q.Problem).Clauses(); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		order = grouped(q.Problem)
	}
	l := &lazy{ctx: ctx, solver: s, clauses: own, source: o.Source, meter: meter, alpha: Bottom(len(own.Rules.Relations))}
	r, err := l.result(o)
	if err != nil || order == nil {
		return r, err
	}
	if r.Derivation != nil {
		t := &Trace{}
		for _, n := range r.Derivation.Nodes {
			t.Nodes = append(t.Nodes, Node{Clause: order[n.Clause], Calls: n.Calls})
		}
		return withValues(ctx, r, q.Problem, t, s)
	}
	return r, nil
}

// grouped returns the clauses in the order in which FromProblem has them: by the predicate
// of the head.
func grouped(p *horn.Problem) (order []int) {
	for pred := range len(p.Preds) + 1 {
		for i := range p.Clauses {
			if h := p.Clauses[i].Head; h != nil && h.Pred == pred || h == nil && pred == len(p.Preds) {
				order = append(order, i)
			}
		}
	}
	return order
}
