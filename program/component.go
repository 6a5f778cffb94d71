package program

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Component is a system that performs actions: a component ([Chaki05], Def. 7) in a context
// (Def. 9), with the machines of the routines that it calls (Def. 8) in place of calls. Its
// meaning is an LKS, the states of which are those of the system (3.2): an edge performs
// its action, or the component's own silent one, which nobody else takes part in.
type Component struct {
	Name   string
	System *System // its Error is empty; runs begin in Init
	// Actions has for every edge of the system what it performs, "" for the silent action.
	Actions []string
	// Alphabet is what the component takes part in, whether or not an edge performs it:
	// nobody performs such an action without it. Sorted.
	Alphabet []string
	// Ends are the locations where the component has ended, which no edge leaves. Sorted.
	Ends []int
	// Waits are locations at which the component waits where no edge that leaves them is
	// possible, though all of them may be silent: what a called routine does there has guards. It
	// waits, too, wherever an edge performs an action (Waiting). Anywhere else an assumption of
	// the program fails where no edge is possible: that run does not exist. Sorted.
	Waits []int
	// Lost are locations where a run leaves what is modelled, with the reason: a proof has
	// to show that they are not reached, and nothing is known of a run that reaches one.
	// No edge leaves them.
	Lost map[int]string
}

// Validate reports the first inconsistency of a component that was built by hand.
func (c *Component) Validate() error {
	if err := c.System.Validate(); err != nil {
		return err
	}
	switch {
	case len(c.Actions) != len(c.System.Edges):
		return fmt.Errorf("%d actions for %d edges", len(c.Actions), len(c.System.Edges))
	case len(c.System.Error) > 0:
		return fmt.Errorf("the system of a component has error states")
	case !slices.IsSorted(c.Alphabet) || slices.Contains(c.Alphabet, ""):
		return fmt.Errorf("the alphabet %q is not sorted, or has an action without a name", c.Alphabet)
	case !slices.IsSorted(c.Ends):
		return fmt.Errorf("the ends %v are not sorted", c.Ends)
	}
	if !slices.IsSorted(c.Waits) || len(c.Waits) > 0 && (c.Waits[0] < 0 || c.Waits[len(c.Waits)-1] >= len(c.System.Locations)) {
		return fmt.Errorf("the places %v where it waits are not sorted, or no locations", c.Waits)
	}
	for _, l := range c.Ends {
		if _, lost := c.Lost[l]; lost || l < 0 || l >= len(c.System.Locations) {
			return fmt.Errorf("end at location %d of %d", l, len(c.System.Locations))
		}
	}
	for i, e := range c.System.Edges {
		if _, known := slices.BinarySearch(c.Alphabet, c.Actions[i]); !known && c.Actions[i] != "" {
			return fmt.Errorf("edge %s performs %s, which is not in the alphabet", e.Name, c.Actions[i])
		}
		if _, lost := c.Lost[e.From]; lost || slices.Contains(c.Ends, e.From) {
			return fmt.Errorf("edge %s leaves a location where the component has ended", e.Name)
		}
	}
	return nil
}

// Waiting tells by location whether the component waits there where no edge is possible: it is
// one of Waits, or an edge that leaves it performs an action.
func (c *Component) Waiting() []bool {
	waits := make([]bool, len(c.System.Locations))
	for _, l := range c.Waits {
		waits[l] = true
	}
	for i, e := range c.System.Edges {
		waits[e.From] = waits[e.From] || c.Actions[i] != ""
	}
	return waits
}

// Blocks joins silent edges to paths between cut points, as SplicedBlocks does. Edges that
// perform actions are blocks of their own; both ends of them, Ends, Lost and the locations in
// also are cut points. actions is by block.
func (c *Component) Blocks(also ...int) (b *Blocks, actions []string) {
	cut := *c.System
	cut.Error = nil
	keep := func(l int) { cut.Error = append(cut.Error, Region{Location: l, Where: logic.True()}) }
	for i, e := range c.System.Edges {
		if c.Actions[i] != "" {
			keep(e.From)
			keep(e.To)
		}
	}
	for _, l := range slices.Concat(c.Ends, slices.Sorted(maps.Keys(c.Lost)), also) {
		keep(l)
	}
	b = SplicedBlocks(&cut)
	actions = make([]string, len(b.All))
	for i, block := range b.All {
		actions[i] = c.Actions[block.Edges[0]]
	}
	return b, actions
}
