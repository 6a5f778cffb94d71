package clp

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// unrolling looks for derivations of the goal from the goal downwards (stratified inlining,
// [LalQadeerLahiri12]). A call is an instance with a literal that says whether it is made;
// one that is open may return whatever facts allow, one that was expanded what a clause
// derives from instances below. The solver is asked for values; where the derivation that
// these choose has open calls, these are expanded, down to a depth that grows once nothing
// is found above. Of linear clauses all calls of a predicate at a depth are one instance
// ([Biere99]): a derivation makes only one of them.
type unrolling struct {
	ctx     context.Context
	solver  smt.Checker
	end     func()
	problem *horn.Problem
	known   []*logic.Term
	meter   *budget.Meter
	linear  bool
	goal    *instance
	all     []*instance
	open    []*instance // of all
	shared  map[[2]int]*instance
	made    int
	depth   int // calls below are not made
	over    bool
	effort  uint64 // of making and reading questions, in units of the solver's work
}

// instance is a call.
type instance struct {
	pred    int
	depth   int
	at      []*logic.Term // the values of its arguments
	active  *logic.Term
	choices []choice // nil: it is open
	opened  bool
}

// choice is a clause for an instance.
type choice struct {
	clause int
	chosen *logic.Term
	vars   map[*logic.Term]*logic.Term // the clause's variables here
	calls  []*instance
}

// maxInstances bounds the literals of an unrolling, unrollQuery the work of one question.
const (
	maxInstances = 10_000
	unrollQuery  = 1_000_000
	lookEffort   = 1000 // for each question
	madeEffort   = 20   // for each literal
)

// newUnrolling begins one. known are facts, and true where there are none.
func newUnrolling(ctx context.Context, s smt.Solver, p *horn.Problem, known []*logic.Term, meter *budget.Meter) *unrolling {
	u := &unrolling{ctx: ctx, problem: p, known: known, meter: meter, linear: OfProblem(p).linear(), shared: map[[2]int]*instance{}}
	u.solver, u.end = s.Beside()
	u.solver.Limit(unrollQuery)
	u.goal = u.instance(-1, 0)
	u.solver.Assert(u.goal.active)
	return u
}

// run looks on for so much work. It returns a derivation, nil if none is found; over is set
// where looking on makes no sense.
func (u *unrolling) run(s smt.Solver, work uint64) (*Derivation, error) {
	began := s.Stats().Work + u.effort
	for !u.over && s.Stats().Work+u.effort-began < work {
		if err := u.meter.Tick(budget.Progress{Phase: "unrolling", Depth: int64(u.depth), States: int64(u.made)}); err != nil {
			return nil, err
		}
		d, err := u.look()
		if d != nil || err != nil {
			return d, err
		}
	}
	return nil, nil
}

// look asks one question.
func (u *unrolling) look() (*Derivation, error) {
	u.effort += lookEffort + madeEffort*uint64(u.made)
	var closed []*logic.Term
	left := u.open[:0]
	for _, i := range u.open {
		if i.opened {
			continue
		}
		if left = append(left, i); i.depth > u.depth {
			closed = append(closed, logic.Not(i.active))
		}
	}
	u.open = left
	status, err := u.solver.Check(u.ctx, closed...)
	switch {
	case err != nil:
		return nil, err
	case status == smt.Unsat:
		u.over = len(closed) == 0 // there is no derivation
		u.depth++
		return nil, nil
	case status == smt.Unknown:
		u.over = true
		return nil, nil
	}
	m, err := u.solver.Model(u.ctx)
	if m == nil || err != nil {
		u.over = true
		return nil, err
	}
	d := &Derivation{Functions: logic.Model{}}
	var open []*instance
	u.derive(u.goal, m, d, &open)
	if len(open) == 0 {
		if u.over = d.Replay(u.problem) != nil; u.over {
			return nil, nil
		}
		return d, nil
	}
	for _, i := range open {
		u.expand(i)
	}
	u.over = u.over || u.made > maxInstances
	return nil, nil
}

// derive follows what a model chooses: nodes of a derivation, and the open calls in it.
func (u *unrolling) derive(i *instance, m logic.Model, d *Derivation, open *[]*instance) int {
	if !i.opened {
		*open = append(*open, i)
		return 0
	}
	for _, c := range i.choices {
		if v, ok := m[c.chosen.Name()]; !ok || !v.Bool() {
			continue
		}
		at := len(d.Nodes)
		values := logic.Model{}
		for v, here := range c.vars {
			value, ok := m[here.Name()]
			if !ok {
				value = logic.Zero(v.Sort())
			}
			values[v.Name()] = value
		}
		for _, v := range clauseVars(&u.problem.Clauses[c.clause]) {
			if value, ok := m[v.Name()]; ok && v.Sort().Kind() == logic.FunctionKind {
				d.Functions[v.Name()] = value
			}
		}
		d.add(c.clause, make([]int, len(c.calls)), values)
		for k, call := range c.calls {
			d.Nodes[at].Calls[k] = u.derive(call, m, d, open)
		}
		return at
	}
	panic(fmt.Sprintf("clp: a call of predicate %d that chooses no clause", i.pred))
}

// instance makes an open call.
func (u *unrolling) instance(pred, depth int) *instance {
	i := &instance{pred: pred, depth: depth, active: u.literal("call")}
	if pred >= 0 {
		for k, v := range u.problem.Preds[pred].Params {
			i.at = append(i.at, logic.Var(fmt.Sprintf("at%d@%d", k, u.made), v.Sort()))
		}
		u.made++
		u.all = append(u.all, i)
		u.assume(i, u.known)
	}
	u.open = append(u.open, i)
	return i
}

// literal makes a Boolean variable.
func (u *unrolling) literal(what string) *logic.Term {
	u.made++
	return logic.Var(fmt.Sprintf("%s@%d", what, u.made-1), logic.Bool)
}

// assume asserts facts of a call.
func (u *unrolling) assume(i *instance, known []*logic.Term) {
	f := logic.Substitute(known[i.pred], renaming(u.problem.Preds[i.pred].Params, i.at))
	u.solver.Assert(logic.Implies(i.active, f))
}

// learn asserts further facts.
func (u *unrolling) learn(known []*logic.Term) {
	u.known = known
	for _, i := range u.all {
		u.assume(i, known)
	}
}

// expand asserts that a call that is made derives what it returns by one of the clauses.
func (u *unrolling) expand(i *instance) {
	i.opened = true
	below := map[[2]int]*instance{} // those of other clauses: only one clause is chosen
	var chosen []*logic.Term
	for n := range u.problem.Clauses {
		c := &u.problem.Clauses[n]
		if (c.Head == nil) != (i.pred < 0) || c.Head != nil && c.Head.Pred != i.pred {
			continue
		}
		here := choice{clause: n, chosen: u.literal("by"), vars: label(clauseVars(c), u.made)}
		u.made++
		all := []*logic.Term{logic.Substitute(c.Constraint, here.vars)}
		if c.Head != nil {
			for k, t := range logic.SubstituteAll(c.Head.Args, here.vars) {
				all = append(all, logic.Eq(i.at[k], t))
			}
		}
		count := map[int]int{}
		for _, a := range c.Body {
			call := u.call(a.Pred, count[a.Pred], i.depth+1, below)
			count[a.Pred]++
			all = append(all, call.active)
			for k, t := range logic.SubstituteAll(a.Args, here.vars) {
				all = append(all, logic.Eq(call.at[k], t))
			}
			here.calls = append(here.calls, call)
		}
		u.solver.Assert(logic.Implies(here.chosen, logic.And(all...)))
		i.choices = append(i.choices, here)
		chosen = append(chosen, here.chosen)
	}
	u.solver.Assert(logic.Implies(i.active, logic.Or(chosen...)))
}

// call returns the instance for the n-th call of a predicate by a clause.
func (u *unrolling) call(pred, n, depth int, below map[[2]int]*instance) *instance {
	in, key := below, [2]int{pred, n}
	if u.linear {
		in, key = u.shared, [2]int{pred, depth}
	}
	if in[key] == nil {
		in[key] = u.instance(pred, depth)
	}
	return in[key]
}
