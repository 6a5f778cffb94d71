package clp

import (
	"context"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// byCores explains a tree by localised cores: of an unsatisfiable core of the flattened
// trace, each node keeps its own literals and what its calls say, in terms of the
// parameters, by way of the variable binding equalities. nil if what cannot be said so is
// needed.
func byCores(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace, _ [][]*logic.Term) (*Explanation, error) {
	needed, err := coreByNode(ctx, s, p, t)
	if needed == nil || err != nil {
		return nil, err
	}
	e := &Explanation{Summaries: make([]*logic.Term, len(t.Nodes))}
	for i := len(t.Nodes) - 1; i > 0; i-- {
		c := &p.Clauses[t.Nodes[i].Clause]
		cube := slices.Clone(needed[i])
		for k, j := range t.Nodes[i].Calls {
			cube = append(cube, logic.Conjuncts(applied(p, c.Body[k], e.Summaries[j]))...)
		}
		if len(cube) == 0 {
			e.Summaries[i] = logic.True()
			continue
		}
		e.Summaries[i] = localised(p, *c.Head, cube)
	}
	e.Summaries[0] = logic.False()
	return e, nil
}

// coreByNode returns, by node, the literals of its clause that a core of the flattened
// trace has.
func coreByNode(ctx context.Context, s smt.Solver, p *horn.Problem, t *Trace) ([][]*logic.Term, error) {
	flat := Flatten(p, t)
	type place struct {
		node int
		own  *logic.Term
	}
	places := map[*logic.Term]place{}
	var all []*logic.Term
	for i, n := range t.Nodes {
		for _, f := range logic.Conjuncts(p.Clauses[n.Clause].Constraint) {
			labelled := logic.Substitute(f, flat.labels[i])
			places[labelled] = place{i, f}
			all = append(all, labelled)
		}
	}
	for _, b := range flat.Bindings {
		for _, equation := range b {
			all = append(all, logic.Conjuncts(equation)...)
		}
	}
	core, err := minimalCore(ctx, s, all)
	if core == nil || err != nil {
		return nil, err
	}
	out := make([][]*logic.Term, len(t.Nodes))
	for _, f := range core {
		if at, ok := places[f]; ok {
			out[at.node] = append(out[at.node], at.own)
		}
	}
	return out, nil
}

// localised returns what literals of a clause say of the parameters of its head: the
// others are eliminated, by equations where there are some, by combining inequalities
// elsewhere; what cannot be said without them is lost.
func localised(p *horn.Problem, head horn.App, cube []*logic.Term) *logic.Term {
	params := p.Preds[head.Pred].Params
	// Parameters may have names of the clause's variables: those get others first.
	apart := map[*logic.Term]*logic.Term{}
	taken := map[string]bool{}
	for _, v := range params {
		taken[v.Name()] = true
	}
	var locals []*logic.Term
	for _, v := range logic.Vars(append(slices.Clone(cube), head.Args...)...) {
		if v.Sort().Kind() == logic.FunctionKind {
			continue
		}
		apart[v] = logic.Var(logic.UnusedName(taken, "local."+v.Name()), v.Sort())
		locals = append(locals, apart[v])
	}
	equations := make([]*logic.Term, 0, len(params))
	own := map[*logic.Term]*logic.Term{}
	for k, a := range logic.SubstituteAll(head.Args, apart) {
		if a.Op() == logic.OpVar && own[a] == nil {
			own[a] = params[k]
			continue
		}
		equations = append(equations, logic.Eq(params[k], a))
	}
	cube = logic.SubstituteAll(logic.SubstituteAll(append(cube[:len(cube):len(cube)], []*logic.Term{}...), apart), own)
	cube = append(cube, logic.SubstituteAll(equations, own)...)
	left := slices.DeleteFunc(locals, func(v *logic.Term) bool { return own[v] != nil })
	cube, left = byEquations(cube, left)
	cube, _ = logic.Project(cube, left)
	var out []*logic.Term
	for _, f := range cube {
		for _, g := range logic.Conjuncts(f) {
			if !slices.ContainsFunc(logic.Vars(g), func(v *logic.Term) bool { return slices.Contains(left, v) }) {
				out = append(out, g)
			}
		}
	}
	return logic.And(out...)
}

// byEquations eliminates variables that an equation of any sort gives: v = t. It returns
// the other literals and variables.
func byEquations(cube, eliminate []*logic.Term) (rest, left []*logic.Term) {
	for _, f := range cube {
		rest = append(rest, logic.Conjuncts(f)...)
	}
	for _, v := range eliminate {
		found := false
		for i, f := range rest {
			value := definition(f, v)
			if value == nil {
				continue
			}
			others := slices.Delete(slices.Clone(rest), i, i+1)
			rest = rest[:0:0]
			for _, g := range logic.SubstituteAll(others, map[*logic.Term]*logic.Term{v: value}) {
				rest = append(rest, logic.Conjuncts(g)...)
			}
			found = true
			break
		}
		if !found {
			left = append(left, v)
		}
	}
	return rest, left
}

// definition returns t of "v = t", nil if the literal does not give v.
func definition(f, v *logic.Term) *logic.Term {
	switch f.Op() {
	case logic.OpVar:
		if f == v {
			return logic.True()
		}
	case logic.OpNot:
		if f.Args()[0] == v {
			return logic.False()
		}
	case logic.OpEq:
		if v.Sort().Arithmetic() {
			value, _ := logic.SolveFor([]*logic.Term{f}, v)
			return value
		}
		for k, a := range f.Args() {
			if b := f.Args()[1-k]; a == v && !slices.Contains(logic.Vars(b), v) {
				return b
			}
		}
	}
	return nil
}
