package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// Fair says why the loop of a counterexample meets one requirement of fairness.
type Fair struct {
	// Of is what the requirement is about: "set" (of actions, declared), "process",
	// "action", or "transitions" (all that leave states of the loop).
	Of     string   `json:"of"`
	Strong bool     `json:"strong"`
	Names  []string `json:"names,omitempty"`
	// Why is "taken", "impossible" (in the State, which is enough for weak fairness)
	// or "never possible" (on the loop).
	Why string `json:"why"`
	// State is where: the number of steps before it. Event is what is taken there.
	State *int   `json:"state,omitempty"`
	Event string `json:"event,omitempty"`
	// Transitions is how many leave states of the loop; it takes them all.
	Transitions int `json:"transitions,omitempty"`
}

// fairLines says in a line for each declared set, and one for all processes or
// actions, why the loop is fair.
func (c *Counterexample) fairLines() []string {
	var lines []string
	groups := map[string][]*Fair{}
	for i := range c.Fairness {
		switch f := &c.Fairness[i]; f.Of {
		case "set":
			lines = append(lines, f.setLine())
		case "transitions":
			lines = append(lines, fmt.Sprintf("fairness of transitions: all %d that leave its states are taken", f.Transitions))
		default:
			groups[f.Of] = append(groups[f.Of], f)
		}
	}
	for _, of := range []string{"process", "action"} {
		if len(groups[of]) > 0 {
			lines = append(lines, groupLine(of, groups[of]))
		}
	}
	return lines
}

var strengths = map[bool]string{false: "weak", true: "strong"}

// maxListed bounds the names that a line lists before it counts the rest.
const maxListed = 8

func (f *Fair) setLine() string {
	line := fmt.Sprintf("fair %s {%s}: ", strengths[f.Strong], strings.Join(Listed(f.Names), ", "))
	switch f.Why {
	case "taken":
		return line + fmt.Sprintf("%s occurs in state %d", f.Event, *f.State)
	case "impossible":
		return line + fmt.Sprintf("impossible in state %d", *f.State)
	}
	return line + "never possible"
}

// Listed returns names as a line lists them: the first few, and how many more there are.
func Listed(names []string) []string {
	if len(names) <= maxListed {
		return names
	}
	return append(slices.Clone(names[:maxListed]), fmt.Sprintf("%d more", len(names)-maxListed))
}

// fairVerbs say of processes and of actions how requirements are met.
var fairVerbs = map[string]struct{ plural, taken, impossible, never string }{
	"process": {"processes", "moves", "cannot move", "never can move"},
	"action":  {"actions", "occurs", "is impossible", "never possible"},
}

// groupLine puts requirements of one sort together by how they are met: "P moves
// in state 0, Q in state 2; R cannot move in state 4; S, T never can move".
func groupLine(of string, group []*Fair) string {
	verbs := fairVerbs[of]
	by := map[string][]string{}
	for _, f := range group {
		by[f.Why] = append(by[f.Why], f.Names[0])
		if f.State != nil {
			verb := ""
			if len(by[f.Why]) == 1 {
				verb = " " + map[string]string{"taken": verbs.taken, "impossible": verbs.impossible}[f.Why]
			}
			by[f.Why][len(by[f.Why])-1] += fmt.Sprintf("%s in state %d", verb, *f.State)
		}
	}
	var parts []string
	for _, why := range []string{"taken", "impossible", "never possible"} {
		if names := by[why]; len(names) > 0 {
			parts = append(parts, strings.Join(Listed(names), ", "))
			if why == "never possible" {
				parts[len(parts)-1] += " " + verbs.never
			}
		}
	}
	return fmt.Sprintf("%s fairness of %s: %s", strengths[group[0].Strong], verbs.plural, strings.Join(parts, "; "))
}

// svgCaption writes lines below a picture, from y downwards.
func svgCaption(b *bufio.Writer, lines []string, y float64) {
	for i, line := range lines {
		fmt.Fprintf(b, `<text x="16" y="%.1f" font-size="11" fill="#3366aa">%s</text>`+"\n", y+float64(seqCaption*i), escaped(line))
	}
}
