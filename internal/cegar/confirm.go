package cegar

import (
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	runs "github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
)

// confirm evaluates a property on the states that the components have in a lasso: what holds,
// and what is possible, is asked of these, not of abstract states. A lasso that does not
// violate it, or in which something else is possible than in the abstract models, is a bug.
func (s *satisfaction) confirm(x *Lasso, f *foundLasso) error {
	c := &confirmation{satisfaction: s, lasso: x, now: make([]int, len(x.Parts))}
	var letters []ltl.Letter
	for i, step := range x.Run.Steps() {
		l, err := c.letter(i, &step)
		if err != nil {
			return err
		}
		letters = append(letters, l)
	}
	formula := s.property.Formula
	if f.asks == ends {
		formula = ltl.MakeAlways(ltl.MakeNot(ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})))
	}
	stem := len(x.Run.Stem)
	x.Word = ltl.Word{Stem: letters[:stem:stem], Loop: letters[stem:]}
	if ltl.Eval(formula, x.Word) {
		return bug.Errorf("cegar", "a lasso that all components can follow satisfies the formula")
	}
	return nil
}

// confirmation goes along a lasso.
type confirmation struct {
	*satisfaction
	lasso *Lasso
	now   []int // the step of its part that each component has come to
}

// letter returns what is true before a step of the lasso.
func (c *confirmation) letter(number int, step *runs.Step) (ltl.Letter, error) {
	holds := map[ltl.Atom]bool{}
	if step.Event != "" {
		holds[ltl.Atom{Kind: ltl.Event, Name: step.Event}] = true
	}
	offers := make([]map[string]bool, len(c.components))
	moves := false // a component can move by itself
	for i, k := range c.components {
		steps := c.lasso.Parts[i].Steps
		for c.now[i]+1 < len(steps) && int(steps[c.now[i]+1].Moves) <= number {
			c.now[i]++
		}
		at := &steps[c.now[i]]
		if i < len(c.property.Propositions) {
			for _, p := range c.property.Propositions[i] {
				value, err := p.in(at)
				if err != nil {
					return nil, bug.Errorf("cegar", "%s has no value: %v", p.Name, err)
				}
				holds[ltl.Atom{Kind: ltl.Prop, Name: p.Name}] = value
			}
		}
		var alone bool
		var err error
		if offers[i], alone, err = c.offers(k.source, at); err != nil {
			return nil, err
		}
		moves = moves || alone
	}
	var possible []string
	for _, a := range c.lasso.Net.Alphabet() {
		if together, shared := c.together(a, offers); together && shared {
			possible = append(possible, a)
			holds[ltl.Atom{Kind: ltl.Enabled, Name: a}] = true
		}
	}
	holds[ltl.Atom{Kind: ltl.Deadlock}] = len(possible) == 0 && !moves
	if why := c.differs(possible, moves, &step.State); why != "" {
		return nil, bug.Errorf("cegar", "before step %d of a lasso, %s", number+1, why)
	}
	return func(a ltl.Atom) bool { return holds[a] }, nil
}

// in returns the value of a proposition in a state of its component.
func (p *Proposition) in(at *Step) (bool, error) {
	return logic.Holds(p.Where(at.Location), at.State)
}

// together reports whether all components that share an action offer it, and whether some do.
func (c *confirmation) together(action string, offers []map[string]bool) (all, some bool) {
	for i, k := range c.components {
		if _, shares := slices.BinarySearch(k.abstracter.Component.Alphabet, action); shares {
			some = true
			if !offers[i][action] {
				return false, true
			}
		}
	}
	return true, some
}

// offers returns the actions that a component can do in a state, and whether it can move by
// itself: silently, as it always can where it does not wait and has not ended, be
// that to a state where an assumption fails.
func (c *confirmation) offers(k *program.Component, at *Step) (actions map[string]bool, alone bool, err error) {
	actions = map[string]bool{}
	for i, e := range k.System.Edges {
		if e.From != at.Location {
			continue
		}
		a := k.Actions[i]
		if a != "" && actions[a] || a == "" && alone {
			continue
		}
		yes, err := c.possible(e.Command.Guard, at.State)
		if err != nil {
			return nil, false, err
		}
		if yes && a == "" {
			alone = true
		} else if yes {
			actions[a] = true
		}
	}
	_, ended := slices.BinarySearch(k.Ends, at.Location)
	return actions, alone || !k.Waiting()[at.Location] && !ended, nil
}

// differs says what is possible in the abstract models that is not, or the other way round.
func (c *confirmation) differs(possible []string, alone bool, abstract *runs.State) string {
	var named []string
	silent := false
	for _, a := range abstract.Enabled {
		if c.isAction(a) {
			named = append(named, a)
		} else {
			silent = true
		}
	}
	slices.Sort(possible)
	switch {
	case !slices.Equal(named, possible):
		return "other actions are possible than in the abstract models"
	case silent != alone:
		return "components can move by themselves, or not, other than in the abstract models"
	}
	return ""
}

// isAction reports whether an action of the abstract models is one of the program.
func (c *confirmation) isAction(a string) bool {
	return a != lks.TauName && slices.ContainsFunc(c.components, func(k *component) bool {
		_, has := slices.BinarySearch(k.abstracter.Component.Alphabet, a)
		return has
	})
}
