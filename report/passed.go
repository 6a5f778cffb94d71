package report

import (
	"fmt"
	"slices"
	"strings"
)

// text says which states of an automaton a run passes.
func (p *Passed) text() string {
	verb := "refuses"
	if p.Accepted {
		verb = "accepts"
	}
	text := statesText(p.Loop) + ", again and again"
	if len(p.Stem) > 0 {
		text = statesText(p.Stem) + ", then " + text
	}
	if !slices.ContainsFunc(p.Loop, func(set []int32) bool { return len(set) > 0 }) {
		text = statesText(p.Stem) + ", where it has no way on"
	}
	return fmt.Sprintf("the automaton %s this run, in states %s", verb, text)
}

// statesText lists states, and sets of them in braces; of many the first.
func statesText(sets [][]int32) string {
	const most = 30
	var parts []string
	for i, set := range sets {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(sets)-most))
			break
		}
		text := strings.Trim(strings.ReplaceAll(fmt.Sprint(set), " ", ", "), "[]")
		if len(set) != 1 {
			text = "{" + text + "}"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// passed returns the states that an automaton is in before a step of the run, "" without one: of
// a step in the loop those of each pass through it until they repeat, of many the first.
func (c *Counterexample) passed(state int) string {
	if c.Automaton == nil {
		return ""
	}
	const most = 3
	all := slices.Concat(c.Automaton.Stem, c.Automaton.Loop)
	var passes []string
	for at := state; at < len(all); at += len(c.Loop) {
		if len(passes) == most {
			passes = append(passes, "…")
			break
		}
		passes = append(passes, statesText(all[at:at+1]))
		if state < len(c.Stem) || len(c.Loop) == 0 {
			break
		}
	}
	return strings.Join(slices.Compact(passes), "/")
}

// PassedStates are the states of an automaton that is the property, as people read them, by state
// of the run; none where no automaton is.
func (c *Counterexample) PassedStates() (all []string) {
	if c.Automaton == nil {
		return nil
	}
	for i := range len(c.Stem) + len(c.Loop) {
		all = append(all, c.passed(i))
	}
	return all
}
