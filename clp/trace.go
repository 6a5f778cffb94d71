package clp

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Trace is a derivation without values: node 0 is an instance of a clause that concludes
// false, and every call of a node is an instance of a clause for its predicate. Calls have
// larger numbers than their caller; several may share a node, which stands for equal ones.
type Trace struct {
	Nodes []Node
}

// Node is an instance of a clause.
type Node struct {
	Clause int
	Calls  []int // the node of each atom of the clause's body
}

// Valid reports that the nodes are instances of clauses that fit each other.
func (t *Trace) Valid(p *horn.Problem) error {
	if len(t.Nodes) == 0 {
		return fmt.Errorf("a trace without nodes")
	}
	for i, n := range t.Nodes {
		if n.Clause < 0 || n.Clause >= len(p.Clauses) {
			return fmt.Errorf("node %d: there is no clause %d", i, n.Clause)
		}
		c := &p.Clauses[n.Clause]
		if (i == 0) != (c.Head == nil) {
			return fmt.Errorf("node %d: the first clause, and no other, is to conclude false", i)
		}
		if len(n.Calls) != len(c.Body) {
			return fmt.Errorf("node %d has %d calls, not %d", i, len(n.Calls), len(c.Body))
		}
		for k, j := range n.Calls {
			if j <= i || j >= len(t.Nodes) {
				return fmt.Errorf("node %d calls node %d", i, j)
			}
			if called := t.Nodes[j].Clause; called < 0 || called >= len(p.Clauses) || p.Clauses[called].Head == nil || p.Clauses[called].Head.Pred != c.Body[k].Pred {
				return fmt.Errorf("node %d: call %d is no instance of %s", i, k+1, p.PredName(c.Body[k].Pred))
			}
		}
	}
	return nil
}

// Unfold returns the trace as a tree, in which every call has a node of its own, in depth
// first order; nil if it would have more than limit nodes.
func (t *Trace) Unfold(limit int) *Trace {
	out := &Trace{}
	var copied func(i int) int
	copied = func(i int) int {
		at := len(out.Nodes)
		if at >= limit {
			return -1
		}
		out.Nodes = append(out.Nodes, Node{Clause: t.Nodes[i].Clause})
		calls := make([]int, len(t.Nodes[i].Calls))
		for k, j := range t.Nodes[i].Calls {
			if calls[k] = copied(j); calls[k] < 0 {
				return -1
			}
		}
		out.Nodes[at].Calls = calls
		return at
	}
	if copied(0) < 0 {
		return nil
	}
	return out
}

// Flat is a tree as constraints ([Flanagan04], sec. 6): the variable x of node r is
// written x@r, so that no two nodes share one.
type Flat struct {
	Parts    []*logic.Term   // of each node: the constraint of its clause
	Bindings [][]*logic.Term // of each node: an equation for each parameter, with the caller's argument; true where both are the same
	labels   []map[*logic.Term]*logic.Term
}

// Flatten makes constraints of a valid trace that is a tree. Together they are satisfiable
// if and only if the trace is a derivation for some values (lemma 7).
func Flatten(p *horn.Problem, t *Trace) *Flat {
	f := &Flat{labels: make([]map[*logic.Term]*logic.Term, len(t.Nodes))}
	for i, n := range t.Nodes {
		f.labels[i] = label(clauseVars(&p.Clauses[n.Clause]), i)
		f.Parts = append(f.Parts, logic.Substitute(p.Clauses[n.Clause].Constraint, f.labels[i]))
	}
	f.Bindings = make([][]*logic.Term, len(t.Nodes))
	for i, n := range t.Nodes {
		for k, j := range n.Calls {
			actual := logic.SubstituteAll(p.Clauses[n.Clause].Body[k].Args, f.labels[i])
			formal := logic.SubstituteAll(p.Clauses[t.Nodes[j].Clause].Head.Args, f.labels[j])
			for a := range actual {
				f.Bindings[j] = append(f.Bindings[j], logic.Eq(formal[a], actual[a]))
			}
		}
	}
	return f
}

// label names variables of a node. Functions are the same everywhere.
func label(vars []*logic.Term, node int) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, v := range vars {
		if v.Sort().Kind() != logic.FunctionKind {
			by[v] = logic.Var(fmt.Sprintf("%s@%d", v.Name(), node), v.Sort())
		}
	}
	return by
}

// Formula is the conjunction of all constraints.
func (f *Flat) Formula() *logic.Term {
	all := slices.Clone(f.Parts)
	for _, b := range f.Bindings {
		all = append(all, b...)
	}
	return logic.And(all...)
}

// Derivation takes the values of a model of Formula apart: by node, the values of the
// clause's variables. A variable that the model lacks, since nothing depends on it, is zero.
func (f *Flat) Derivation(t *Trace, m logic.Model) *Derivation {
	d := &Derivation{Trace: *t, Functions: logic.Model{}}
	for name, v := range m {
		if v.Sort().Kind() == logic.FunctionKind {
			d.Functions[name] = v
		}
	}
	for i := range t.Nodes {
		values := logic.Model{}
		for v, labelled := range f.labels[i] {
			value, ok := m[labelled.Name()]
			if !ok {
				value = logic.Zero(v.Sort())
			}
			values[v.Name()] = value
		}
		d.Values = append(d.Values, values)
	}
	return d
}

// withValues makes a derivation of a trace that is said to be one.
func withValues(ctx context.Context, r *Result, p *horn.Problem, t *Trace, s smt.Solver) (*Result, error) {
	r.Derivation = nil
	tree := t.Unfold(maxTree)
	if tree == nil {
		tree = t
	}
	if tree.Valid(p) != nil {
		r.Reason = &outcome.Stuck{What: "a trace was found, but is none of the clauses"}
		return r, nil
	}
	flat := Flatten(p, tree)
	status, m, err := smt.ModelOf(ctx, s, flat.Formula())
	if err != nil {
		return undecided(ctx, r, err)
	}
	if status != smt.Sat {
		r.Verdict, r.Reason = Unknown, &outcome.Stuck{What: "values for a derivation that was found are not confirmed: " + status.String()}
		return r, nil
	}
	r.Derivation = flat.Derivation(tree, m)
	r.Verdict = Derivable
	return r, nil
}
