package armc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// universal returns the variables that are none of the system: a certificate is about all their values.
func universal(sys *program.System, invariant []*logic.Term) []*logic.Term {
	return slices.DeleteFunc(logic.Vars(invariant...), func(v *logic.Term) bool {
		return slices.Contains(sys.Vars, v) || v.Sort().Kind() == logic.FunctionKind
	})
}

// checkInstances checks a certificate with universal variables as a solution of the system's clauses.
func (c *Certificate) checkInstances(ctx context.Context, sys *program.System, s smt.Checker) error {
	p := clauses.Problem(sys)
	if solver, ok := s.(smt.Solver); ok { // for words
		var end func()
		s, end = solver.Beside()
		defer end()
	}
	var last *Refused
	err := p.Check(c.Invariant, func(fs []*logic.Term) (int, error) {
		for i, f := range fs {
			if err := impossible(ctx, s, "", "", elements(f)); err != nil {
				errors.As(err, &last)
				return i, err
			}
		}
		return 0, nil
	})
	var wrong *horn.Unproved
	if !errors.As(err, &wrong) {
		return err
	}
	out := &Refused{Status: smt.Unknown}
	if last != nil {
		out.Status, out.Example = last.Status, last.Example
	} else if !errors.As(wrong.Why, new(*Refused)) && ctx.Err() != nil {
		return err
	}
	location := 0
	switch i, edges := wrong.Clause, len(sys.Init)+len(sys.Edges); {
	case i < len(sys.Init):
		location = sys.Init[i].Location
		out.Kind, out.Where = "initial", sys.Locations[location].Name
	case i < edges:
		e := sys.Edges[i-len(sys.Init)]
		location, out.Kind, out.Where = e.To, "inductive", "rule "+e.Name
	default:
		location = sys.Error[i-edges].Location
		out.Kind, out.Where = "safe", sys.Locations[location].Name
	}
	return c.placed(out, sys, location)
}

// elements puts variables in the place of elements of arrays, which are equal where their indices are: what no values
// make true then, none make true as it is. Words without arrays are much easier for the solver. Where arrays are left, f is as it was.
func elements(f *logic.Term) *logic.Term {
	taken := map[string]bool{}
	for _, v := range logic.Vars(f) {
		taken[v.Name()] = true
	}
	by, of := map[*logic.Term]*logic.Term{}, map[*logic.Term][]*logic.Term{}
	for t := range logic.Subterms(f) {
		if t.Op() == logic.OpSelect && t.Args()[0].Op() == logic.OpVar {
			by[t] = logic.Var(logic.UnusedName(taken, fmt.Sprintf("element!%d", len(by))), t.Sort())
			of[t.Args()[0]] = append(of[t.Args()[0]], t)
		}
	}
	all := []*logic.Term{logic.Substitute(f, by)}
	for t := range logic.Subterms(all...) {
		if t.Sort().Kind() == logic.ArrayKind {
			return f
		}
	}
	for _, reads := range of {
		for i, t := range reads {
			for _, u := range reads[:i] {
				same := logic.Eq(logic.Substitute(t.Args()[1], by), logic.Substitute(u.Args()[1], by))
				all = append(all, logic.Or(logic.Not(same), logic.Eq(by[t], by[u])))
			}
		}
	}
	slices.SortFunc(all[1:], (*logic.Term).Compare)
	return logic.And(all...)
}
