package clp

import (
	"context"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// mostMatches bounds the ways in which the premises of a fact are taken for the calls of a clause.
const mostMatches = 64

// derivationOf makes a derivation of a refutation, by a clause and values of its variables for each fact; nil if
// some fact follows by no clause, for all that the solver finds.
func derivationOf(ctx context.Context, p *horn.Problem, r horn.Refutation, s smt.Solver) (*Derivation, error) {
	if len(r) == 0 {
		return nil, nil
	}
	d := &Derivation{Functions: logic.Model{}}
	for i := range r {
		node, values, err := instanceOf(ctx, p, r, i, s)
		if err != nil || values == nil {
			return nil, err
		}
		d.Nodes, d.Values = append(d.Nodes, node), append(d.Values, values)
	}
	return d, nil
}

// instanceOf finds a clause by which a fact follows from its premises, and values; nil if there is none.
func instanceOf(ctx context.Context, p *horn.Problem, r horn.Refutation, i int, s smt.Solver) (Node, logic.Model, error) {
	f := r[i]
	for c := range p.Clauses {
		clause := &p.Clauses[c]
		if head := clause.Head; head == nil && f.Pred >= 0 || head != nil && head.Pred != f.Pred {
			continue
		}
		var same []*logic.Term
		if clause.Head != nil {
			same = equations(clause.Head.Args, f.Args)
		}
		for _, calls := range matches(clause, r, f.From) {
			fs := append(slices.Clone(same), clause.Constraint)
			for k, j := range calls {
				fs = append(fs, equations(clause.Body[k].Args, r[j].Args)...)
			}
			status, m, err := smt.ModelOf(ctx, s, logic.And(fs...))
			if err != nil {
				return Node{}, nil, err
			}
			if status != smt.Sat {
				continue
			}
			values := logic.Model{}
			for _, v := range clauseVars(clause) {
				value, ok := m[v.Name()]
				if !ok {
					value = logic.Zero(v.Sort())
				}
				values[v.Name()] = value
			}
			return Node{Clause: c, Calls: calls}, values, nil
		}
	}
	return Node{}, nil, nil
}

func equations(args []*logic.Term, values []logic.Value) (fs []*logic.Term) {
	for k, a := range args {
		fs = append(fs, logic.Eq(a, values[k].Term()))
	}
	return fs
}

// matches are the ways to call facts among the premises, all of which are called.
func matches(c *horn.Clause, r horn.Refutation, premises []int) (all [][]int) {
	var choose func(calls []int)
	choose = func(calls []int) {
		if len(all) == mostMatches {
			return
		}
		if len(calls) == len(c.Body) {
			if !slices.ContainsFunc(premises, func(j int) bool { return !slices.Contains(calls, j) }) {
				all = append(all, slices.Clone(calls))
			}
			return
		}
		for _, j := range premises {
			if r[j].Pred == c.Body[len(calls)].Pred {
				choose(append(calls, j))
			}
		}
	}
	choose(nil)
	return all
}
