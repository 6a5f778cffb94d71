package armc

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/smt"
)

// Explain tells a round in a few lines for people, ending in a newline.
func (r Round) Explain(sys *System) string {
	var b strings.Builder
	total := 0
	for _, n := range r.Predicates {
		total += n
	}
	fmt.Fprintf(&b, "round %d, %s with %s: %d predicates, %d abstract states, %d steps\n", r.Number, r.Method, r.Abstraction, total, r.States, r.Iterations)
	if r.Path == nil {
		b.WriteString("  no abstract path leads to an error\n")
		return b.String()
	}
	names := make([]string, len(r.Path))
	for i, rule := range r.Path {
		names[i] = sys.Rules[rule].Name
	}
	verdict := map[smt.Status]string{smt.Sat: "can be run", smt.Unsat: "cannot be run", smt.Unknown: "may or may not be possible: the solver cannot tell"}[r.Feasible]
	fmt.Fprintf(&b, "  abstract path to an error: %s; it %s\n", strings.Join(names, " "), verdict)
	if r.Feasible == smt.Unsat {
		fmt.Fprintf(&b, "  new predicates (%s):", r.Refinement)
		for i, p := range r.New {
			if i == 8 {
				fmt.Fprintf(&b, " and %d more", len(r.New)-i)
				break
			}
			fmt.Fprintf(&b, " [%s] %s;", sys.Locations[p.Location], p.Predicate)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Explain prints the run with the values at every step, ending in a newline.
func (t *Trace) Explain(sys *System) string {
	var b strings.Builder
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "%-12s %s\n", sys.Locations[s.Location], s.Values)
		if s.Rule >= 0 {
			fmt.Fprintf(&b, "  %s", sys.Rules[s.Rule].Name)
			if len(s.Inputs) > 0 {
				fmt.Fprintf(&b, " with %s", s.Inputs)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
