package clp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
)

// sharedCalls are calls of predicates that are replaced, in a step of a refutation, by their predicates and constant arguments:
// z3 also replaces predicates with recursion, where their constants (a program counter) tell one clause's conclusion from
// another's premise.
type sharedCalls struct {
	of    map[string]*sharedCall
	all   []*sharedCall
	edges []sharedEdge
}

// sharedCall is all calls of a predicate whose constant arguments are the same. The other arguments of all of them are the same,
// too.
type sharedCall struct {
	index    int
	fixed    []*logic.Term // nil for others
	args     []*logic.Term
	options  []*stepInstance
	reached  *logic.Term // some call is made
	rank     *logic.Term // on cycles, above those of its calls
	says     *logic.Term // what holds if it is reached
	hopeless bool
}

// sharedEdge is a call of a call's instance.
type sharedEdge struct {
	taken    *logic.Term
	from, to *sharedCall
}

// formulas say what shared calls are, and that none depends on itself; nil says nothing.
func (cs *sharedCalls) formulas() (fs []*logic.Term) {
	if cs == nil {
		return nil
	}
	calls := make([][]int32, len(cs.all))
	for _, e := range cs.edges {
		calls[e.from.index] = append(calls[e.from.index], int32(e.to.index))
	}
	for _, n := range cs.all {
		fs = append(fs, logic.Implies(n.reached, n.says))
	}
	found, _ := scc.All(scc.EdgesOf(calls), nil) // no error without tick
	for _, e := range cs.edges {
		if found.Of[e.from.index] == found.Of[e.to.index] {
			fs = append(fs, logic.Implies(logic.And(e.from.reached, e.taken), logic.Lt(e.to.rank, e.from.rank)))
		}
	}
	return fs
}

// fixedArguments are the arguments of a call or a conclusion that are constants by its clause; nil stands for others.
func fixedArguments(c *horn.Clause, a horn.App) []*logic.Term {
	known := map[*logic.Term]*logic.Term{}
	for _, f := range logic.Conjuncts(c.Constraint) {
		switch {
		case f.Op() == logic.OpVar:
			known[f] = logic.True()
		case f.Op() == logic.OpNot && f.Args()[0].Op() == logic.OpVar:
			known[f.Args()[0]] = logic.False()
		case f.Op() == logic.OpEq:
			for k, v := range f.Args() {
				if other := f.Args()[1-k]; v.Op() == logic.OpVar && constant(other) {
					known[v] = other
				}
			}
		}
	}
	fixed := make([]*logic.Term, len(a.Args))
	for k, t := range a.Args {
		if constant(t) {
			fixed[k] = t
		} else if t.Op() == logic.OpVar {
			fixed[k] = known[t]
		}
	}
	return fixed
}

func constant(t *logic.Term) bool { return t.Num() != nil || t.IsTrue() || t.IsFalse() }

// concluded reports that a clause may conclude a call, as far as constants tell; of nil, it may.
func (n *sharedCall) concluded(c *horn.Clause) bool {
	return n == nil || agree(n.fixed, fixedArguments(c, *c.Head))
}

// agree reports that no constant is another one than at its place of others.
func agree(fixed, others []*logic.Term) bool {
	for k, t := range fixed {
		if u := others[k]; t != nil && u != nil && t != u {
			return false
		}
	}
	return true
}

// compatible are the facts that a call may be, as far as constants tell.
func (st *proofStep) compatible(facts []int, fixed []*logic.Term) []int {
	return slices.DeleteFunc(slices.Clone(facts), func(j int) bool {
		values := make([]*logic.Term, len(fixed))
		for k, v := range st.refutation[j].Args {
			values[k] = v.Term()
		}
		return !agree(fixed, values)
	})
}

// callShared is a call of a predicate with what its constant arguments are.
func (st *proofStep) callShared(x *stepInstance, of *sharedCall, pred int, args, fixed []*logic.Term) (stepCall, *logic.Term) {
	var key strings.Builder
	fmt.Fprint(&key, pred)
	for k, t := range fixed {
		if t != nil {
			fmt.Fprintf(&key, " %d=%s", k, t)
		}
	}
	n := st.shared.of[key.String()]
	if n == nil {
		i := len(st.shared.all)
		n = &sharedCall{index: i, fixed: fixed, reached: logic.Var(fmt.Sprintf("reached@0%d", i), logic.Bool), rank: logic.Var(fmt.Sprintf("rank@0%d", i), logic.Int)}
		st.shared.of[key.String()], st.shared.all = n, append(st.shared.all, n)
		for k, v := range st.problem.Preds[pred].Params {
			if n.args = append(n.args, fixed[k]); fixed[k] == nil {
				n.args[k] = logic.Var(fmt.Sprintf("argument@0%d.%d", i, k), v.Sort())
			}
		}
		n.options, n.says = st.expand(pred, n.args, n)
		n.hopeless = n.says.IsFalse()
	}
	if n.hopeless {
		return stepCall{}, logic.False()
	}
	if of != nil {
		st.shared.edges = append(st.shared.edges, sharedEdge{x.taken, of, n})
	}
	fs := []*logic.Term{n.reached}
	for k, t := range args {
		fs = append(fs, logic.Eq(t, n.args[k]))
	}
	return stepCall{shared: n}, logic.And(fs...)
}
