package clauses

import (
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Problem writes a system as linear Horn clauses: a predicate over all variables for each
// location, by its number. They have a solution if and only if no error state is
// reachable, and it is an inductive invariant. System reads them as the same system, but
// for names and spans.
func Problem(sys *program.System) *horn.Problem {
	p := &horn.Problem{}
	taken := map[string]bool{}
	for _, v := range sys.Vars {
		taken[v.Name()] = true
	}
	for _, e := range sys.Edges {
		for _, in := range e.Command.Inputs {
			taken[in.Name()] = true
		}
	}
	for _, l := range sys.Locations {
		p.Preds = append(p.Preds, horn.Pred{Name: logic.UnusedName(taken, logic.PlainName(l.Name)), Params: sys.Vars, Span: l.Span})
	}
	for _, r := range sys.Init {
		p.Clauses = append(p.Clauses, horn.Clause{Constraint: r.Where, Head: &horn.App{Pred: r.Location, Args: sys.Vars}, Span: r.Span})
	}
	for _, e := range sys.Edges {
		after := make([]*logic.Term, len(sys.Vars))
		for k, v := range sys.Vars {
			if after[k] = e.Command.Update[v]; after[k] == nil {
				after[k] = v
			}
		}
		p.Clauses = append(p.Clauses, horn.Clause{Body: []horn.App{{Pred: e.From, Args: sys.Vars}},
			Constraint: e.Command.Guard, Head: &horn.App{Pred: e.To, Args: after}, Span: e.Span})
	}
	for _, r := range sys.Error {
		p.Clauses = append(p.Clauses, horn.Clause{Body: []horn.App{{Pred: r.Location, Args: sys.Vars}}, Constraint: r.Where, Span: r.Span})
	}
	return p
}

// Arguments returns, for a system that System made of the problem, the variable of each
// argument of each predicate.
func Arguments(p *horn.Problem, sys *program.System) [][]*logic.Term {
	// System makes a variable where the n-th argument of a sort occurs first.
	type slot struct {
		sort *logic.Sort
		nth  int
	}
	vars := map[slot]*logic.Term{}
	out := make([][]*logic.Term, len(p.Preds))
	for i, pred := range p.Preds {
		count := map[*logic.Sort]int{}
		for _, param := range pred.Params {
			s := slot{param.Sort(), count[param.Sort()]}
			count[param.Sort()]++
			if vars[s] == nil {
				vars[s] = sys.Vars[len(vars)]
			}
			out[i] = append(out[i], vars[s])
		}
	}
	return out
}
