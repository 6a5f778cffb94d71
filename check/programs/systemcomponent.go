package programs

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// leavesByDivision is why nothing is known of a run that divides by zero.
const leavesByDivision = "a run divides by zero"

// systemComponent makes the component of a system whose actions are the names of some commands, or
// of all: a command without such a name is silent. A location that no command leaves is an end;
// elsewhere the system waits where no command is possible. A run that divides by zero leaves what is
// modelled. Error regions are left out: they have no effect on runs. The error is of the solver.
func systemComponent(ctx context.Context, sys *program.System, performs func(name string) bool, solver smt.Checker) (*program.Component, error) {
	inner := *sys
	inner.Error = nil
	lost := map[int]string{}
	if inner.MayDivideByZero() {
		inner = *inner.WithDivisions()
		inner.Error = nil
		total(&inner)
		for l := len(sys.Locations); l < len(inner.Locations); l++ {
			lost[l] = leavesByDivision
		}
	}
	c := &program.Component{Name: sys.Name, System: &inner, Lost: lost}
	out := make([][]*program.Command, len(inner.Locations))
	for _, e := range inner.Edges {
		action := ""
		if performs(e.Name) {
			action = e.Name
		}
		c.Actions = append(c.Actions, action)
		if action != "" && !slices.Contains(c.Alphabet, action) {
			c.Alphabet = append(c.Alphabet, action)
		}
		out[e.From] = append(out[e.From], e.Command)
	}
	slices.Sort(c.Alphabet)
	for l, commands := range out {
		if lost[l] != "" {
			continue
		}
		if len(commands) == 0 {
			c.Ends = append(c.Ends, l)
			continue
		}
		goesOn, err := alwaysPossible(ctx, commands, solver)
		if err != nil {
			return nil, err
		}
		if !goesOn {
			c.Waits = append(c.Waits, l)
		}
	}
	return c, nil
}

// total makes conditions and assignments of a system ones that have a value everywhere: where they had
// none, something else says that they do not count.
func total(sys *program.System) {
	sys.Init, sys.Edges = slices.Clone(sys.Init), slices.Clone(sys.Edges)
	for i := range sys.Init {
		sys.Init[i].Where = program.Total(sys.Init[i].Where)[0]
	}
	for i := range sys.Edges {
		old := sys.Edges[i].Command
		c := &program.Command{Inputs: old.Inputs, Guard: program.Total(old.Guard)[0], Update: map[*logic.Term]*logic.Term{}}
		for v, e := range old.Update {
			c.Update[v] = program.Total(e)[0]
		}
		sys.Edges[i].Command = c
	}
}

// possibleWork bounds a question whether a location is always left, in the solver's units.
const possibleWork = 1_000_000

// alwaysPossible reports that one of some commands is possible in every state, as far as that is
// easily seen: where it is, there is nothing to be known of states in which a run ends.
func alwaysPossible(ctx context.Context, commands []*program.Command, solver smt.Checker) (bool, error) {
	var some []*logic.Term
	for _, c := range commands {
		if where, exact := c.Able(); exact {
			some = append(some, where)
		}
	}
	able := logic.Or(some...)
	if able.IsTrue() || able.IsFalse() {
		return able.IsTrue(), nil
	}
	solver.Limit(possibleWork)
	status, err := smt.CheckAll(ctx, solver, logic.Not(able))
	return status == smt.Unsat, err
}

// refuseSystem says why formulas cannot be asked about a system, nil if they can.
func refuseSystem(sys *program.System) error {
	for _, v := range sys.Vars {
		if program.Rigid(v) {
			return &check.InputError{Code: "unknown-function", File: sys.Name, Text: fmt.Sprintf("%s: formulas cannot be decided of a system with an unknown function (%s)", sys.Name, v.Name())}
		}
	}
	return nil
}
