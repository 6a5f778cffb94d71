package program

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/logic"
)

// Trace is a run of a system: it starts at a location, and edge i leads from
// States[i] to States[i+1].
type Trace struct {
	Start int // location
	Edges []int
	Execution
}

// Location returns where the trace is in state i.
func (t *Trace) Location(sys *System, i int) int {
	if i == 0 {
		return t.Start
	}
	return sys.Edges[t.Edges[i-1]].To
}

// Replay checks by evaluation that the trace is a run of the system from an
// initial to an error state; nil if it is.
func (t *Trace) Replay(sys *System) error {
	if len(t.States) != len(t.Edges)+1 || len(t.Inputs) != len(t.Edges) {
		return fmt.Errorf("the trace has %d edges, %d states and inputs for %d steps", len(t.Edges), len(t.States), len(t.Inputs))
	}
	for i, e := range t.Edges {
		if sys.Edges[e].From != t.Location(sys, i) {
			return fmt.Errorf("step %d: the edge is of other locations", i+1)
		}
	}
	if !holdsAt(sys.Init, t.Start, t.States[0]) {
		return errors.New("the first state is not initial")
	}
	for i, e := range t.Edges {
		if err := sys.Edges[e].Command.leads(t.States[i], t.Inputs[i], t.States[i+1]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if last := len(t.Edges); !holdsAt(sys.Error, t.Location(sys, last), t.States[last]) {
		return errors.New("the last state is no error state")
	}
	return nil
}

func sameState(a, b logic.Model) bool {
	return maps.EqualFunc(a, b, sameValue)
}

func sameValue(v, w logic.Value) bool { return v.Sort() == w.Sort() && v.Compare(w) == 0 }

// holdsAt reports that a state is in some region.
func holdsAt(regions []Region, location int, state logic.Model) bool {
	return slices.ContainsFunc(regions, func(r Region) bool {
		ok, err := logic.Holds(r.Where, state)
		return r.Location == location && ok && err == nil
	})
}

// Explain prints the run with the values at every step, ending in a newline.
func (t *Trace) Explain(sys *System) string {
	var b strings.Builder
	for i, state := range t.States {
		fmt.Fprintf(&b, "%-12s %s\n", sys.Locations[t.Location(sys, i)].Name, state)
		if i == len(t.Edges) {
			break
		}
		fmt.Fprintf(&b, "  %s", sys.Edges[t.Edges[i]].Name)
		if len(t.Inputs[i]) > 0 {
			fmt.Fprintf(&b, " with %s", t.Inputs[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
