package fsp

import "github.com/seltl/seltl/internal/source"

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
	for _, d := range c.file.defs {
		d, ok := d.(*progressDef)
		if !ok {
			continue
		}
		c.guard(func() {
			s := &scope{c: c}
			s.instances(d.name.text, d.ranges, func(name string) {
				p := Progress{Name: name, Span: c.file.span(d.name.pos), Expect: c.expect[d]}
				if d.condition != nil {
					p.Condition = s.labels([]*label{d.condition})
				}
				p.Actions = s.labels([]*label{d.set})
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
	for _, d := range m.c.file.defs {
		if d, ok := d.(*menuDef); ok {
			m.c.guard(func() {
				menus = append(menus, Menu{d.name.text, (&scope{c: m.c}).labels([]*label{d.set})})
			})
		}
	}
	return menus, m.c.result()
}
