package report

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Values turns a run of a program into a Counterexample: the propositions of a
// state are the values of the variables.
func Values(sys *program.System, t *program.Trace) *Counterexample {
	c := &Counterexample{Kind: "trace", Components: []string{sys.Name}, Stem: []Step{}, End: "error"}
	at := func(i int) State {
		return State{Locals: []string{sys.Locations[t.Location(sys, i)].Name}, Props: assignments(sys.Vars, t.States[i])}
	}
	c.Initial = at(0)
	for i, e := range t.Edges {
		c.Stem = append(c.Stem, Step{Event: sys.Edges[e].Name, State: at(i + 1)})
	}
	return c
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
