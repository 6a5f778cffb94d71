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
