package fsp

import (
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Progress is one progress property: some action of Actions must occur again and
// again, in every run under fair choice; with a Condition, in those runs in which
// an action of Condition occurs again and again. The actions are whole names, no
// prefixes.
type Progress struct {
	Name      string   // P, or P.1 for an indexed one
	Condition []string // nil if there is none
	Actions   []string
	Span      source.Span
	Expect    Expectations // what a comment behind the definition says
}

// Progress returns the file's progress properties, indexed ones expanded.
// Without any, LTSA checks that each action occurs again and again; that is left
// to the caller.
func (m *Model) Progress() ([]Progress, error) {
	var ps []Progress
	c := m.c
	for _, d := range c.File.Defs {
		d, ok := d.(*syntax.ProgressDef)
		if !ok {
			continue
		}
		c.guard(func() {
			s := c.scope(nil)
			s.instances(d.Name.Text, d.Ranges, func(name string) {
				p := Progress{Name: name, Span: c.File.Place(d.Name.Span), Expect: c.expect[d]}
				if d.Condition != nil {
					p.Condition = s.Labels([]*syntax.Label{d.Condition})
				}
				p.Actions = s.Labels([]*syntax.Label{d.Set})
				ps = append(ps, p)
			})
		})
	}
	return ps, c.result()
}

// Menu is a menu definition: the actions that an animation lets its user choose.
type Menu struct {
	Name    string
	Actions []string
}

// Menus returns the file's menus.
func (m *Model) Menus() ([]Menu, error) {
	var menus []Menu
	for _, d := range m.c.File.Defs {
		if d, ok := d.(*syntax.MenuDef); ok {
			m.c.guard(func() {
				menus = append(menus, Menu{d.Name.Text, m.c.scope(nil).Labels([]*syntax.Label{d.Set})})
			})
		}
	}
	return menus, m.c.result()
}
