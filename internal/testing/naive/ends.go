package naive

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Ends reports whether every run of a component comes to one of its ends: by enumeration of
// its states, of which those are taken away, again and again, whose steps all lead to an end or
// to states that are gone. A state without a step that is no end stays. Variables and inputs
// are words or Booleans, and have all their values.
func Ends(c *program.Component) bool {
	type state struct {
		location int
		values   logic.Model
	}
	ended := map[int]bool{}
	for _, l := range c.Ends {
		ended[l] = true
	}
	var states []state
	numbers := map[string]int{}
	number := func(s state) int {
		key := fmt.Sprint(s.location, " ", s.values)
		n, known := numbers[key]
		if !known {
			n = len(states)
			numbers[key] = n
			states = append(states, s)
		}
		return n
	}
	for _, m := range Valuations(c.System.Vars, 0) {
		for _, region := range c.System.Init {
			if ok, err := logic.Holds(region.Where, m); ok && err == nil {
				number(state{region.Location, m})
			}
		}
	}
	var next [][]int
	for i := 0; i < len(states); i++ {
		next = append(next, nil)
		for _, e := range c.System.Edges {
			if e.From != states[i].location {
				continue
			}
			for _, inputs := range Valuations(e.Command.Inputs, 0) {
				if t, err := e.Command.Step(states[i].values, inputs); err == nil {
					next[i] = append(next[i], number(state{e.To, t}))
				}
			}
		}
	}
	gone, left := make([]bool, len(states)), len(states)
	for changed := true; changed; {
		changed = false
		for i, s := range states {
			all := len(next[i]) > 0 || ended[s.location]
			for _, n := range next[i] {
				all = all && gone[n]
			}
			if all && !gone[i] {
				gone[i], changed = true, true
				left--
			}
		}
	}
	return left == 0
}
