package fsp

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// An action that no process has makes a progress property, a menu or a fluent say less
// than its author thinks. LTSA takes it without a word; here it is a warning, given when
// the processes are known and the definition is used.

// mention is a label of a definition, with the actions that it stands for.
type mention struct {
	at      syntax.Span
	actions []string
}

// mentions evaluates the elements of a set, or the label that is no set.
func (s *scope) mentions(l *syntax.Label) []mention {
	if l == nil {
		return nil
	}
	labels := []*syntax.Label{l}
	if p := &l.Parts[0]; len(l.Parts) == 1 && p.Kind == syntax.PartSet && p.Minus == nil && p.Set.Name == "" {
		labels = p.Set.Labels
	}
	return lists.Append(nil, labels, func(l *syntax.Label) mention { return mention{l.Span, s.Labels([]*syntax.Label{l})} })
}

// warnUnknown warns of labels none of whose actions a network has.
func (c *compiler) warnUnknown(all []mention, net *lks.Network, where string) {
	for _, m := range all {
		if len(m.actions) == 0 || slices.ContainsFunc(m.actions, func(a string) bool { return net.Action(a) >= 0 }) {
			continue
		}
		c.Warnf(m.at, "no-such-action", source.DidYouMean(m.actions[0], net.Alphabet()[1:]), "no process of %s has the action %s, which %s names", net.Name(), m.actions[0], where)
	}
}

// NoteUnknownActions adds a warning for every label of the file's progress properties
// and menus that stands for no action of a network: that of Composition. The warnings
// are among Warnings then.
func (m *Model) NoteUnknownActions(net *lks.Network) error {
	c := m.c
	for _, d := range c.File.Defs {
		c.guard(func() {
			s := c.scope(nil)
			switch d := d.(type) {
			case *syntax.ProgressDef:
				s.instances(d.Name.Text, d.Ranges, func(name string) {
					c.warnUnknown(slices.Concat(s.mentions(d.Condition), s.mentions(d.Set)), net, "progress "+d.Name.Text)
				})
			case *syntax.MenuDef:
				c.warnUnknown(s.mentions(d.Set), net, "menu "+d.Name.Text)
			}
		})
	}
	return c.result()
}
