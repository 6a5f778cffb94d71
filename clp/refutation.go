package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// mostInstances bounds the instances of clauses that a step of a refutation may consist of.
const mostInstances = 4000

// derivationOf makes a derivation of a refutation, by instances of clauses for each fact; nil if some fact does not
// follow from others, for all that the solver finds.
//
// A step of Spacer's is one clause of what it has made of the clauses: predicates without recursion are replaced by their
// clauses first. So a fact follows from others by a tree of instances, the inner ones of which are of such predicates. The
// trees that there can be are one formula, with a Boolean variable for each instance, and its model is the step. Where clauses
// have one call, a tree is a path, which comes to each such predicate once: its calls share their instances. So they do of other
// clauses where the trees are too many, and then a step may be missed.
func derivationOf(ctx context.Context, p *horn.Problem, r horn.Refutation, s smt.Checker) (*Derivation, error) {
	if len(r) == 0 {
		return nil, nil
	}
	d := &Derivation{Functions: logic.Model{}}
	at := make([]int, len(r))      // the node of a fact
	needed := make([]bool, len(r)) // facts that others call
	needed[0] = true
	for i := range r {
		if !needed[i] {
			continue
		}
		st := &proofStep{problem: p, refutation: r, fact: i}
		root, err := st.solve(ctx, s)
		if err != nil || root == nil {
			return nil, err
		}
		at[i] = len(d.Nodes)
		if !st.take(root, d, needed) {
			return nil, nil
		}
	}
	for _, n := range d.Nodes { // facts have numbers below 0 until now
		for k, j := range n.Calls {
			if j < 0 {
				n.Calls[k] = at[-j]
			}
		}
	}
	return d, nil
}

// proofStep is how a fact of a refutation follows from others.
type proofStep struct {
	problem    *horn.Problem
	refutation horn.Refutation
	fact       int
	premises   map[int][]int // facts that may be called, by predicate
	grounded   []bool        // predicates that may follow from these
	above      []bool        // predicates on the way to an instance
	instances  int
	shared     *sharedCalls // nil: each call has instances of its own
	model      logic.Model
}

// stepInstance is a clause with terms for its variables, and with what each of its calls may be.
type stepInstance struct {
	clause int
	taken  *logic.Term // a variable (which no label is like), or true; true in the model: the derivation has it
	terms  map[*logic.Term]*logic.Term
	calls  []stepCall
	fact   int // a premise, if it is not 0: then it is no clause.
}

// stepCall is what a call may be.
type stepCall struct {
	options []*stepInstance
	shared  *sharedCall // whose options these are, if it is not nil
}

// solve finds the instance at the root of the step, nil if there is none.
func (st *proofStep) solve(ctx context.Context, s smt.Checker) (*stepInstance, error) {
	f := st.refutation[st.fact]
	st.premises = map[int][]int{}
	for _, j := range f.From {
		pred := st.refutation[j].Pred
		st.premises[pred] = append(st.premises[pred], j)
	}
	st.ground()
	args := lists.Append(nil, f.Args, func(v logic.Value) *logic.Term { return v.Term() })
	var roots []*stepInstance
	var formula *logic.Term
	for _, shared := range []bool{false, true} {
		if !shared && OfProblem(st.problem).linear() {
			continue
		}
		st.above, st.instances = make([]bool, len(st.problem.Preds)), 0
		if shared {
			st.shared = &sharedCalls{of: map[string]*sharedCall{}}
		}
		if roots, formula = st.expand(f.Pred, args, nil); st.instances <= mostInstances {
			break
		}
	}
	if st.instances > mostInstances || formula.IsFalse() {
		return nil, nil
	}
	status, m, err := smt.ModelOf(ctx, s, logic.And(append(st.shared.formulas(), formula)...))
	if err != nil || status != smt.Sat {
		return nil, err
	}
	st.model = m
	return st.chosen(roots), nil
}

// ground finds the predicates that may follow from premises: others need not be looked at.
func (st *proofStep) ground() {
	st.grounded = make([]bool, len(st.problem.Preds))
	for pred := range st.premises {
		if pred >= 0 {
			st.grounded[pred] = true
		}
	}
	for more := true; more; {
		more = false
		for i := range st.problem.Clauses {
			c := &st.problem.Clauses[i]
			if c.Head != nil && !st.grounded[c.Head.Pred] && st.follows(c) {
				st.grounded[c.Head.Pred], more = true, true
			}
		}
	}
}

func (st *proofStep) follows(c *horn.Clause) bool {
	return !slices.ContainsFunc(c.Body, func(a horn.App) bool { return !st.grounded[a.Pred] })
}

// expand makes the instances of clauses that conclude a predicate of terms, and a formula that says that one is there. They are
// those of a call that is shared, if that is not nil.
func (st *proofStep) expand(pred int, args []*logic.Term, of *sharedCall) (all []*stepInstance, formula *logic.Term) {
	var one, each []*logic.Term
	for i := range st.problem.Clauses {
		c := &st.problem.Clauses[i]
		if head := c.Head; (head == nil) != (pred < 0) || head != nil && head.Pred != pred || !st.follows(c) || !of.concluded(c) {
			continue
		}
		x, f := st.instance(i, args, of)
		if f.IsFalse() {
			continue
		}
		all, one, each = append(all, x), append(one, x.taken), append(each, logic.Implies(x.taken, f))
	}
	return all, logic.And(append(each, logic.Or(one...))...)
}

// instance makes an instance of a clause that concludes a predicate of terms, and a formula for it.
func (st *proofStep) instance(clause int, args []*logic.Term, of *sharedCall) (*stepInstance, *logic.Term) {
	c := &st.problem.Clauses[clause]
	st.instances++
	if st.instances > mostInstances {
		return nil, logic.False()
	}
	x := &stepInstance{clause: clause, taken: logic.Var(fmt.Sprintf("taken@0%d", st.instances), logic.Bool), terms: label(clauseVars(c), st.instances)}
	var fs []*logic.Term
	if c.Head != nil {
		bound := map[*logic.Term]bool{}
		for k, a := range c.Head.Args {
			if a.Op() == logic.OpVar && a.Sort().Kind() != logic.FunctionKind && !bound[a] {
				bound[a], x.terms[a] = true, args[k]
			}
		}
		for k, a := range c.Head.Args {
			fs = append(fs, logic.Eq(logic.Substitute(a, x.terms), args[k]))
		}
		st.above[c.Head.Pred] = true
		defer func() { st.above[c.Head.Pred] = false }()
	}
	if fs = append(fs, logic.Substitute(c.Constraint, x.terms)); logic.And(fs...).IsFalse() {
		return nil, logic.False()
	}
	for _, a := range c.Body {
		call, f := st.call(x, of, a, logic.SubstituteAll(a.Args, x.terms))
		if f.IsFalse() {
			return nil, f
		}
		x.calls, fs = append(x.calls, call), append(fs, f)
	}
	return x, logic.And(fs...)
}

// call is what a call of an instance may be: one of the premises, if some are of its predicate, else an instance of a clause.
func (st *proofStep) call(x *stepInstance, of *sharedCall, a horn.App, args []*logic.Term) (call stepCall, formula *logic.Term) {
	facts := st.premises[a.Pred]
	if st.shared != nil {
		fixed := fixedArguments(&st.problem.Clauses[x.clause], a)
		if facts = st.compatible(facts, fixed); len(facts) == 0 {
			return st.callShared(x, of, a.Pred, args, fixed)
		}
	}
	if len(facts) == 0 {
		if st.above[a.Pred] {
			return call, logic.False()
		}
		call.options, formula = st.expand(a.Pred, args, nil)
		return call, formula
	}
	var one, each []*logic.Term
	for _, j := range facts {
		st.instances++
		x := &stepInstance{fact: j, taken: logic.Var(fmt.Sprintf("taken@0%d", st.instances), logic.Bool)}
		if len(facts) == 1 {
			x.taken = logic.True()
		}
		call.options, one = append(call.options, x), append(one, x.taken)
		each = append(each, logic.Implies(x.taken, logic.And(equations(args, st.refutation[j].Args)...)))
	}
	return call, logic.And(append(each, logic.Or(one...))...)
}

func equations(args []*logic.Term, values []logic.Value) (fs []*logic.Term) {
	for k, a := range args {
		fs = append(fs, logic.Eq(a, values[k].Term()))
	}
	return fs
}

// chosen is the first of some instances that the model has.
func (st *proofStep) chosen(all []*stepInstance) *stepInstance {
	for _, x := range all {
		if x.taken.IsTrue() || st.model[x.taken.Name()] == logic.BoolValue(true) {
			return x
		}
	}
	return nil
}

// take appends the nodes of an instance to a derivation. Calls of facts are written as numbers below 0. It fails where
// terms have no values.
func (st *proofStep) take(x *stepInstance, d *Derivation, needed []bool) bool {
	at, values := len(d.Nodes), logic.Model{}
	for v, t := range x.terms {
		for _, u := range logic.Vars(t) {
			if _, ok := st.model[u.Name()]; !ok {
				st.model[u.Name()] = logic.Zero(u.Sort())
			}
		}
		value, err := logic.Eval(t, st.model)
		if err != nil {
			return false
		}
		values[v.Name()] = value
	}
	d.Nodes, d.Values = append(d.Nodes, Node{Clause: x.clause}), append(d.Values, values)
	calls := make([]int, len(x.calls))
	for k, call := range x.calls {
		options := call.options
		if call.shared != nil {
			options = call.shared.options
		}
		y := st.chosen(options)
		if y.fact > 0 {
			needed[y.fact], calls[k] = true, -y.fact
			continue
		}
		calls[k] = len(d.Nodes)
		if !st.take(y, d, needed) {
			return false
		}
	}
	d.Nodes[at].Calls = calls
	return true
}
