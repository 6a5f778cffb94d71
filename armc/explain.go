package armc

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Explain tells a round in a few lines for people, ending in a newline.
func (r Round) Explain(sys *program.System) string {
	var b strings.Builder
	total := 0
	for _, n := range r.Predicates {
		total += n
	}
	if r.Method == Values || r.Method == Enumerate {
		fmt.Fprintf(&b, "round %d (%s): %d variables and %d predicates tracked, %d abstract states\n", r.Number, r.Method, r.Variables, total, r.States)
	} else {
		fmt.Fprintf(&b, "round %d (%s, %s): %d predicates tracked, %d abstract states, %d steps\n", r.Number, r.Method, r.Abstraction, total, r.States, r.Iterations)
	}
	if r.Path == nil {
		b.WriteString("  no abstract path to an error\n")
		return b.String()
	}
	names := lists.Map(r.Path, func(e program.Block) string { return e.Text(sys) })
	fmt.Fprintf(&b, "  abstract path to an error: %s\n", strings.Join(names, " "))
	switch r.Feasible {
	case smt.Sat:
		how := "  it is a run of the system\n"
		if r.Accelerated {
			how = "  with its loops taken more often it is a run of the system\n"
		}
		b.WriteString(how)
	case smt.Unknown:
		b.WriteString("  the solver cannot tell whether it is a run of the system\n")
	case smt.Unsat:
		if len(r.Tracked) > 0 {
			fmt.Fprintf(&b, "  it is spurious; variables tracked from now on: %s\n", logic.Formats(r.Tracked, logic.C, ", "))
			break
		}
		how := r.Refinement.String()
		if r.Accelerated {
			how += ", with its loops taken any number of times"
		}
		fmt.Fprintf(&b, "  it is spurious; new predicates (%s):\n", how)
		for _, p := range r.New {
			fmt.Fprintf(&b, "    at %s: %s\n", sys.Locations[p.Location].Name, p.Predicate)
		}
	}
	return b.String()
}
