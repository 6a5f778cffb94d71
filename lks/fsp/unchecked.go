package fsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks/fsp/syntax"
)

// A property process constrains nothing that it is not composed with, and says nothing of it. Models
// are written with the property left out of the composition, or with names in it that nobody has:
// both hold without a word.

// UncheckedProperty is the code of the warning about a property that no composite contains.
const UncheckedProperty = "unchecked-property"

// warnUnchecked warns of properties that a process which was asked for does not contain: those that
// no composite does, and, if the process is the default one, those that only others do.
func (c *compiler) warnUnchecked(m *Model, process string) {
	if _, composite := c.Names.Defs[syntax.Composite][process]; c.warnedUnchecked || !composite {
		return
	}
	c.warnedUnchecked = true
	inside := m.Parts(process)
	for _, d := range c.File.Defs {
		name := d.Head().Name.Text
		if !marksOf(d).Property || slices.Contains(inside, name) {
			continue
		}
		var holders []string
		for _, other := range c.Names.All[syntax.Composite] {
			if other != name && slices.Contains(m.Parts(other), name) {
				holders = append(holders, other)
			}
		}
		switch {
		case len(holders) == 0:
			c.Warnf(d.Head().Name.Span, UncheckedProperty, c.composedWith(m, process, name), "no composite contains the property %s, so it is not checked", name)
		case process == m.DefaultProcess():
			c.Warnf(d.Head().Name.Span, "other-composite", fmt.Sprintf("choose it with -p %s", holders[len(holders)-1]),
				"%s is checked, which does not contain the property %s; %s does", process, name, strings.Join(holders, ", "))
		}
	}
}

// composedWith says how a property is to be checked with a process.
func (c *compiler) composedWith(m *Model, process, property string) string {
	has := c.visibleActions(m, process)
	var missing []string
	own := c.visibleActions(m, property)
	for _, a := range own {
		if _, ok := slices.BinarySearch(has, a); !ok {
			missing = append(missing, a)
		}
	}
	together := fmt.Sprintf("compose it with what it is about: ||%s_%s = (%s || %s).", process, property, process, property)
	switch {
	case len(missing) == len(own):
		return fmt.Sprintf("compose it with the processes that it is about; %s has no action %s", process, someOf(missing))
	case len(missing) > 0:
		return fmt.Sprintf("%s (%s has no action %s)", together, process, someOf(missing))
	}
	return together
}

// visibleActions are the actions of a process of the file, sorted; nil if it cannot be compiled here.
// Nothing that is found out about it on the way is kept.
func (c *compiler) visibleActions(m *Model, process string) (all []string) {
	errs, vain := c.Errs, maps.Clone(c.vain)
	c.guard(func() {
		n := m.lookup(process)
		for _, a := range c.raw(n).Alphabet()[1:] {
			if n.hidden == nil || !n.hidden(a) {
				all = append(all, a)
			}
		}
	})
	c.Errs, c.vain = errs, vain
	return all
}
