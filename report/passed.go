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
