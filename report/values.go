package report

import (
	"fmt"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/logic"
)

// Values turns a run of a guarded-command system into a Counterexample: the
// propositions of a state are the values of the variables.
func Values(sys *armc.System, t *armc.Trace) *Counterexample {
	c := &Counterexample{Kind: "trace", Components: []string{sys.Name}, Stem: []Step{}, End: "error"}
	at := func(s *armc.TraceStep) State {
		return State{Locals: []string{sys.Locations[s.Location]}, Props: assignments(sys.Vars, s.Values)}
	}
	c.Initial = at(&t.Steps[0])
	for i := 1; i < len(t.Steps); i++ {
		rule := t.Steps[i-1].Rule
		c.Stem = append(c.Stem, Step{Event: sys.Rules[rule].Name, State: at(&t.Steps[i])})
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
