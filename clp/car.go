package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// complete is CAR with complete explication: the explicated constraint of every rule is all
// that is true of its predicates. It is never written down. Instead a fact, a predicate
// with the truth values of all its interface predicates, is derived where the solver finds
// values for a clause whose calls are facts, and whose head is none yet; one model gives one
// fact, and the end of models that all are known. So there are about as many questions as
// facts and clauses, and each fact knows how it was derived.
type complete struct {
	ctx     context.Context
	solver  smt.Solver
	problem *horn.Problem
	source  Source
	meter   *budget.Meter
	alpha   *Abstraction  // interfaces, by predicate of the problem
	known   []*logic.Term // what holds of each predicate in the least model: proved first

	facts  [][]*cube // by predicate
	count  int
	rounds int

	hunted hunted
	looked map[marchKey]int // see marches
	narrow bool             // sums that march are left to refinement

	derivation   *Derivation
	explanations []spurious
}

// spurious is a tree with the reason why it is none.
type spurious struct {
	tree *Trace
	why  *Explanation
}

// cube is an abstract fact.
type cube struct {
	pred    int
	values  string      // of the interface's predicates, '0' or '1'
	formula *logic.Term // the same, over the parameters
	number  int         // of facts that were derived before it
	clause  int
	from    []*cube // the facts that the clause calls
}

// maxFacts bounds the abstract facts of a round.
const maxFacts = 20_000

// tracesPerRound is how many spurious derivations are explained before facts are derived
// anew.
const tracesPerRound = 2

// Check derives facts until there is a derivation of false, or nothing new.
func (c *complete) Check(round int, account *Round) ([]*Trace, bool, error) {
	c.rounds = round + 1
	c.facts, c.count = make([][]*cube, len(c.problem.Preds)), 0
	traces, err := c.saturate()
	if err != nil {
		return nil, false, err
	}
	*account = Round{Number: round + 1, Predicates: c.alpha.predicates(), Facts: c.count}
	if len(traces) == 0 {
		return nil, false, nil
	}
	account.Nodes = len(traces[0].Nodes)
	return traces, true, nil
}

// saturate applies clauses until one concludes false. Clauses of the goal come first, then
// those that have waited longest, so that derivations are low.
func (c *complete) saturate() ([]*Trace, error) {
	due := make([]bool, len(c.problem.Clauses))
	var queue []int
	wake := func(i int) {
		if !due[i] {
			due[i] = true
			queue = append(queue, i)
		}
	}
	for i := range c.problem.Clauses {
		if len(c.problem.Clauses[i].Body) == 0 {
			wake(i)
		}
	}
	for len(queue) > 0 {
		at := max(0, slices.IndexFunc(queue, func(i int) bool { return c.problem.Clauses[i].Head == nil }))
		i := queue[at]
		queue = slices.Delete(queue, at, at+1)
		due[i] = false
		traces, added, err := c.apply(i)
		if err != nil || len(traces) > 0 {
			return traces, err
		}
		if !added {
			continue
		}
		head := c.problem.Clauses[i].Head.Pred
		for j := range c.problem.Clauses {
			if slices.ContainsFunc(c.problem.Clauses[j].Body, func(a horn.App) bool { return a.Pred == head }) {
				wake(j)
			}
		}
	}
	return nil, nil
}

// apply derives all facts of a clause from those that are known. Of a clause of the goal
// it returns derivations.
func (c *complete) apply(i int) (traces []*Trace, added bool, err error) {
	clause := &c.problem.Clauses[i]
	c.solver.Push()
	defer c.solver.Pop()
	for _, a := range clause.Body {
		if len(c.facts[a.Pred]) == 0 {
			return nil, false, nil
		}
		c.solver.Assert(logic.And(applied(c.problem, a, c.union(a.Pred)), applied(c.problem, a, c.known[a.Pred])))
	}
	c.solver.Assert(clause.Constraint)
	if clause.Head != nil {
		c.solver.Assert(logic.Not(applied(c.problem, *clause.Head, c.union(clause.Head.Pred))))
	}
	for {
		if err := c.meter.Tick(budget.Progress{Phase: "deriving", States: int64(c.count), Rounds: int64(c.rounds), Predicates: int64(c.alpha.predicates())}); err != nil {
			return nil, false, err
		}
		m, err := c.model()
		if m == nil || err != nil {
			return traces, added, err
		}
		from, err := c.calls(clause, m)
		if err != nil {
			return nil, false, err
		}
		if clause.Head == nil {
			traces = append(traces, traceOf(i, from))
			if len(traces) == tracesPerRound || len(from) == 0 {
				return traces, false, nil
			}
			var same []*logic.Term
			for k, f := range from {
				same = append(same, applied(c.problem, clause.Body[k], f.formula))
			}
			c.solver.Assert(logic.Not(logic.And(same...)))
			continue
		}
		f, err := c.factOf(clause.Head.Pred, clause.Head.Args, m)
		if err != nil {
			return nil, false, err
		}
		if slices.ContainsFunc(c.facts[f.pred], func(g *cube) bool { return g.values == f.values }) {
			return nil, false, notKnown("what follows from a clause", "the solver gives a fact again")
		}
		f.clause, f.from, f.number = i, from, c.count
		if c.count++; c.count > maxFacts {
			return nil, false, &budget.Exhausted{What: "facts", Limit: fmt.Sprint(maxFacts), Advice: "another method"}
		}
		c.facts[f.pred] = append(c.facts[f.pred], f)
		added = true
		c.solver.Assert(logic.Not(applied(c.problem, *clause.Head, f.formula)))
	}
}

// model returns values for what is asserted, nil if there are none.
func (c *complete) model() (logic.Model, error) {
	status, err := c.solver.Check(c.ctx)
	switch {
	case err != nil:
		return nil, err
	case status == smt.Unsat:
		return nil, nil
	case status == smt.Unknown:
		return nil, notKnown("what follows from a clause", c.solver.Reason())
	}
	m, err := c.solver.Model(c.ctx)
	if err == nil && m == nil {
		err = notKnown("what follows from a clause", c.solver.Reason())
	}
	return m, err
}

// union is what is known of a predicate.
func (c *complete) union(pred int) *logic.Term {
	all := lists.Map(c.facts[pred], func(f *cube) *logic.Term { return f.formula })
	return logic.Or(all...)
}

// arguments evaluates terms; variables that the model lacks are zero.
func arguments(args, params []*logic.Term, m logic.Model) (logic.Model, error) {
	for _, v := range logic.Vars(args...) {
		if _, ok := m[v.Name()]; !ok {
			m[v.Name()] = logic.Zero(v.Sort())
		}
	}
	out := logic.Model{}
	for k, t := range args {
		value, err := logic.Eval(t, m)
		if err != nil {
			return nil, notKnown("what follows from a clause", err.Error())
		}
		out[params[k].Name()] = value
	}
	for name, v := range m {
		if v.Sort().Kind() == logic.FunctionKind {
			out[name] = v
		}
	}
	return out, nil
}

// factOf returns the fact of which values are an instance.
func (c *complete) factOf(pred int, args []*logic.Term, m logic.Model) (*cube, error) {
	values, err := arguments(args, c.problem.Preds[pred].Params, m)
	if err != nil {
		return nil, err
	}
	text := make([]byte, len(c.alpha.Interface[pred]))
	literals := make([]*logic.Term, len(text))
	for k, h := range c.alpha.Interface[pred] {
		holds, err := logic.Holds(h, values)
		if err != nil {
			return nil, notKnown("what follows from a clause", err.Error())
		}
		if text[k], literals[k] = '0', logic.Not(h); holds {
			text[k], literals[k] = '1', h
		}
	}
	return &cube{pred: pred, values: string(text), formula: logic.And(literals...)}, nil
}

// calls returns the facts of which a model's calls are instances: there is one for each,
// since the model makes what is known true, and facts exclude each other.
func (c *complete) calls(clause *horn.Clause, m logic.Model) (from []*cube, err error) {
	for _, a := range clause.Body {
		f, err := c.factOf(a.Pred, a.Args, m)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(c.facts[a.Pred], func(g *cube) bool { return g.values == f.values })
		if at < 0 {
			return nil, notKnown("what follows from a clause", "a model's call is no fact")
		}
		from = append(from, c.facts[a.Pred][at])
	}
	return from, nil
}

// traceOf returns the derivation of false by a clause from facts, as a graph: later facts
// first, so that calls have larger numbers.
func traceOf(clause int, from []*cube) *Trace {
	seen := map[*cube]bool{}
	var all []*cube
	var visit func(fs []*cube)
	visit = func(fs []*cube) {
		for _, f := range fs {
			if !seen[f] {
				seen[f] = true
				all = append(all, f)
				visit(f.from)
			}
		}
	}
	visit(from)
	slices.SortFunc(all, func(a, b *cube) int { return b.number - a.number })
	at := map[*cube]int{}
	for i, f := range all {
		at[f] = i + 1
	}
	node := func(clause int, from []*cube) Node {
		n := Node{Clause: clause, Calls: make([]int, len(from))}
		for k, f := range from {
			n.Calls[k] = at[f]
		}
		return n
	}
	t := &Trace{Nodes: []Node{node(clause, from)}}
	for _, f := range all {
		t.Nodes = append(t.Nodes, node(f.clause, f.from))
	}
	return t
}

// Validate asks the trace checker about each trace, once unrolling has had its turn.
func (c *complete) Validate(traces []*Trace, account *Round) (bool, error) {
	if d, err := c.hunt(); d != nil || err != nil {
		c.derivation, account.Derivation = d, d != nil
		return d != nil, err
	}
	c.explanations = nil
	for _, t := range traces {
		d, why, tree, err := explainTrace(c.ctx, c.solver, c.problem, t, c.source, c.alpha.Interface)
		if d != nil {
			c.derivation, account.Derivation = d, true
			return true, nil
		}
		if err != nil {
			if len(c.explanations) > 0 && c.ctx.Err() == nil {
				break // there is something to learn from
			}
			return false, err
		}
		c.explanations = append(c.explanations, spurious{tree, why})
	}
	return false, nil
}

// Refine takes the predicates of the explanations.
func (c *complete) Refine(_ []*Trace, account *Round) (bool, error) {
	progress := false
	for _, e := range c.explanations {
		for i, n := range e.tree.Nodes {
			if i == 0 {
				continue
			}
			pred := c.problem.Clauses[n.Clause].Head.Pred
			for _, h := range logic.Atoms(e.why.Summaries[i]) {
				if c.alpha.AddPredicate(pred, h) {
					progress = true
					account.New = append(account.New, fmt.Sprintf("%s: %s", c.problem.PredName(pred), h))
				}
			}
		}
	}
	if c.narrow || !progress {
		return progress, nil
	}
	return true, c.widen()
}

// solution is what is known of each predicate: facts, and a conjunction of few disjunctions
// or a disjunction of few conjunctions.
func (c *complete) solution() horn.Solution {
	out := make(horn.Solution, len(c.problem.Preds))
	for pred := range out {
		m := bdd.New()
		union := bdd.False
		for _, f := range c.facts[pred] {
			fact := bdd.True
			for k := len(f.values) - 1; k >= 0; k-- {
				if f.values[k] == '1' {
					fact = m.Node(k, bdd.False, fact)
				} else {
					fact = m.Node(k, fact, bdd.False)
				}
			}
			union = m.Or(union, fact)
		}
		out[pred] = logic.And(conjunctive(m, union, c.alpha.Interface[pred]), c.known[pred])
	}
	return out
}

// maxConjuncts bounds those of what was derived about a predicate.
const maxConjuncts = 100

// conjunctive writes a diagram over predicates as a conjunction of disjunctions, so that
// parts of it can be left out; as formulaOf does if they were too many.
func conjunctive(m *bdd.Manager, f bdd.Node, predicates []*logic.Term) *logic.Term {
	outside := m.Not(f)
	if cubes := m.ISOP(outside, outside); len(cubes) > maxConjuncts {
		return formulaOf(m, f, predicates)
	}
	return logic.Not(formulaOf(m, outside, predicates))
}

// result runs the loop and makes a result of what comes of it.
func (c *complete) result(o Options) (*Result, error) {
	_, found, err := refine.Run[[]*Trace, Round](c, refine.Options[Round]{Refinements: o.Rounds, Explain: o.Explain})
	r := &Result{Method: CAR, Stats: Stats{Rounds: c.rounds, Predicates: c.alpha.predicates(), Facts: c.count}}
	switch {
	case err != nil:
		return undecided(c.ctx, r, err)
	case found:
		r.Verdict, r.Derivation = Derivable, c.derivation
		return r, nil
	}
	r.Solution = c.solution()
	return confirmNeeded(c.ctx, r, c.problem, c.solver)
}

// byCAR is the method CAR.
func byCAR(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	if o.Explication == Lazy {
		return lazily(ctx, q, s, meter, o)
	}
	small := &smaller{source: q.Problem}
	if !o.NoPasses {
		var err error
		if small, err = shrink(ctx, s, q.Problem); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
	}
	r, err := completely(ctx, small.problem(), s, meter, o)
	if err != nil || len(small.steps) == 0 || r.Verdict == Unknown {
		return r, err
	}
	if r, err = small.back(ctx, s, r); err != nil || r.Verdict != Unknown || budget.Stopped(r.Reason) {
		return r, err
	}
	return completely(ctx, q.Problem, s, meter, o)
}

// completely is CAR with complete explication.
func completely(ctx context.Context, p *horn.Problem, s smt.Solver, meter *budget.Meter, o Options) (*Result, error) {
	c := &complete{ctx: ctx, solver: s, problem: p, source: o.Source, meter: meter, alpha: Bottom(len(p.Preds)), known: unknown(p),
		looked: map[marchKey]int{}, narrow: o.NoWidening}
	if !o.NoUnrolling {
		d, err := c.beginHunt()
		defer c.hunted.unrolling.end()
		if err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		if d != nil {
			return &Result{Method: CAR, Verdict: Derivable, Derivation: d}, nil
		}
	}
	if !o.NoFacts {
		var err error
		if c.known, err = findFacts(ctx, s, p, meter); err != nil {
			return undecided(ctx, &Result{Method: CAR}, err)
		}
		c.hunted.learn(c.known)
	}
	return c.result(o)
}

// unknown says of each predicate that nothing is known.
func unknown(p *horn.Problem) (known []*logic.Term) {
	for range p.Preds {
		known = append(known, logic.True())
	}
	return known
}
