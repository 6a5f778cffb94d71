package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks/fsp/syntax"
)

// A property process constrains nothing that it is not composed with, and says nothing of it. Models
// are written with the property left out of the composition, or with names in it that nobody has:
// both hold without a word.

// UncheckedProperty is the code of the warning about a property that no composite contains.
const UncheckedProperty = "unchecked-property"

// warnUnchecked warns of properties that a composite which was asked for does not contain: those that
// no composite does, and, if it is the default process, those that only others do. Whoever asks for a
// property knows of it.
func (c *compiler) warnUnchecked(m *Model, n *network) {
	if c.warnedUnchecked || n.def == nil || n.def.Marks.Property {
		return
	}
	c.warnedUnchecked = true
	process := n.def.Name.Text
	inside := m.Parts(process)
	for _, d := range c.File.Defs {
		name := d.Head().Name.Text
		if !marksOf(d).Property || slices.Contains(inside, name) {
			continue
		}
		holders := m.Holders(name)
		switch {
		case len(holders) == 0:
			c.Warnf(d.Head().Name.Span, UncheckedProperty, c.composedWith(n, name), "no composite contains the property %s, so it is not checked", name)
		case process == m.DefaultProcess():
			c.Warnf(d.Head().Name.Span, "other-composite", fmt.Sprintf("choose it with -p %s", holders[len(holders)-1]),
				"%s is checked, which does not contain the property %s; %s does", process, name, strings.Join(holders, ", "))
		}
	}
}

// Holders returns the composites that contain a process, in the order of the file, itself apart.
func (m *Model) Holders(process string) (holders []string) {
	for _, other := range m.c.Names.All[syntax.Composite] {
		if other != process && slices.Contains(m.Parts(other), process) {
			holders = append(holders, other)
		}
	}
	return holders
}

// composedWith says how a property is to be checked with a composite. The property is compiled for
// that alone: what is wrong with it is told to those who ask for it.
func (c *compiler) composedWith(n *network, property string) string {
	process := n.def.Name.Text
	together := fmt.Sprintf("compose it with what it is about: ||%s_%s = (%s || %s).", process, property, process, property)
	alone, err := Compile(c.File, c.opts)
	if err != nil {
		return together
	}
	net, err := alone.Composition(property)
	if err != nil {
		return together
	}
	own, known := net.Alphabet()[1:], c.raw(n).Alphabet()[1:]
	missing := slices.DeleteFunc(slices.Clone(own), func(a string) bool {
		_, has := slices.BinarySearch(known, a)
		return has && (n.hidden == nil || !n.hidden(a))
	})
	switch {
	case len(missing) == len(own):
		return fmt.Sprintf("compose it with the processes that it is about; %s has no action %s", process, someOf(missing))
	case len(missing) > 0:
		return fmt.Sprintf("%s (%s has no action %s)", together, process, someOf(missing))
	}
	return together
}
