package check

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
)

// programTrace turns a run of a program into a Counterexample: the propositions of a
// state are the values of the variables; functions, which have one value, are in the first.
func programTrace(sys *program.System, t *program.Trace) *report.Counterexample {
	c := &report.Counterexample{Kind: "trace", Components: []string{sys.Name}, Stem: []report.Step{}, End: "error"}
	at := func(i int) report.State {
		shown := sys.Vars
		if i > 0 {
			shown = slices.DeleteFunc(slices.Clone(shown), program.Rigid)
		}
		return report.State{Locals: []string{sys.Locations[t.Location(sys, i)].Name}, Props: assignments(shown, t.States[i])}
	}
	c.Initial = at(0)
	for i, e := range t.Edges {
		c.Stem = append(c.Stem, report.Step{Event: sys.Edges[e].Name, Inputs: inputs(sys.Edges[e].Command, t.Inputs[i]), State: at(i + 1)})
	}
	return c
}

// inputs returns the values that a command is given, but for those that a variable only
// gets ("x := *"): they are in the next state.
func inputs(c *program.Command, m logic.Model) (out []string) {
	for _, in := range c.Inputs {
		plain := false
		for v, e := range c.Update {
			plain = plain || e == in && in.Name() == "any."+v.Name()
		}
		if !plain {
			out = append(out, assignments([]*logic.Term{in}, m)...)
		}
	}
	return out
}

func assignments(vars []*logic.Term, m logic.Model) []string {
	props := []string{}
	for _, v := range vars {
		if value, ok := m[v.Name()]; ok {
			props = append(props, fmt.Sprintf("%s = %s", v, value))
		}
	}
	return props
}
