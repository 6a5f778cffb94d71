package programs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/report"
)

// counterexample is one way through the counterexample: the first of each branching, and how
// the others are told by the game.
func (c *ConformedC) counterexample() *report.Counterexample {
	x := c.Result.Counterexample
	var way []int32
	for now := int32(0); len(x.Moves.Steps[now]) > 0; {
		now = x.Moves.Steps[now][0].Target
		way = append(way, now)
	}
	out, _ := c.told(x.Parts, way, len(way), nil)
	out.Note = c.why()
	return out
}

// why says why the specification cannot follow a run.
func (c *ConformedC) why() string {
	r, name := c.Result.Abstract, c.Question.Abstraction.LKS.Text
	if x := r.Trace; len(r.Trees) == 0 && x != nil && len(x.Run.Stem) > 0 {
		var states, offers []string
		for _, s := range x.SpecStates {
			states, offers = append(states, r.SpecName(s)), append(offers, check.Offered(r, s)...)
		}
		slices.Sort(offers)
		return cannot(name, x.Run.Stem[len(x.Run.Stem)-1].Event, strings.Join(states, " or "), slices.Compact(offers))
	}
	t := r.Trees[c.Result.Counterexample.Tree]
	n := int32(0)
	for len(t.Nodes[n].Children) == 1 {
		n = t.Nodes[n].Children[0]
	}
	if len(t.Nodes[n].Children) > 1 || t.Nodes[n].Spec < 0 {
		return name + " has several ways to follow, and none of them can go on with all that the program can do; the program's side of one of them is shown"
	}
	return cannot(name, r.Alphabet[t.Nodes[n].Action], r.SpecName(t.Nodes[n].Spec), check.Offered(r, t.Nodes[n].Spec))
}

// cannot says that a specification cannot do an action, and what it can do instead.
func cannot(name, action, states string, offers []string) string {
	text := "it can do nothing more"
	if len(offers) > 0 {
		text = "it can do " + strings.Join(offers, ", ") + " only"
	}
	return fmt.Sprintf("%s cannot do %s there: in its state %s %s", name, action, states, text)
}
