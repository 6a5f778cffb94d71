package semantics

import (
	"encoding/json"
	"slices"
)

// Shrink makes a model smaller as long as it stays bad.
func Shrink(m *Model, bad func(*Model) bool) *Model {
	for {
		smaller := false
		for i := 0; ; i++ {
			c := m.clone()
			cut := &cutter{at: i}
			cut.model(c)
			if cut.at >= 0 { // there are not so many cuts
				break
			}
			if len(c.Processes) > 0 && c.Text() != m.Text() && bad(c) {
				m, smaller = c, true
				i--
			}
		}
		if !smaller {
			return m
		}
	}
}

func (m *Model) clone() *Model {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	c := &Model{}
	if err := json.Unmarshal(text, c); err != nil {
		panic(err)
	}
	return c
}

// cutter makes the cut number at, counting down.
type cutter struct{ at int }

func (c *cutter) now() bool {
	c.at--
	return c.at == -1
}

// remove takes one element away.
func remove[T any](c *cutter, list *[]T) {
	for i := range *list {
		if c.now() {
			*list = slices.Delete(*list, i, i+1)
			return
		}
	}
}

func (c *cutter) model(m *Model) {
	remove(c, &m.Composites)
	remove(c, &m.LTLs)
	remove(c, &m.Asserts)
	remove(c, &m.Progress)
	remove(c, &m.Fluents)
	remove(c, &m.Processes)
	for _, p := range m.Processes {
		c.process(p)
	}
	for _, d := range m.Composites {
		c.part(d.Part)
		remove(c, &d.Low)
		remove(c, &d.High)
		c.hiding(&d.Hide)
	}
	for _, f := range m.Fluents {
		if len(f.On) > 1 {
			remove(c, &f.On)
		}
		if len(f.Off) > 1 {
			remove(c, &f.Off)
		}
		if f.Initially && c.now() {
			f.Initially = false
		}
	}
	for _, p := range slices.Concat(m.LTLs, m.Asserts) {
		c.formula(&p.Formula)
	}
	for _, p := range m.Progress {
		if len(p.Actions) > 1 {
			remove(c, &p.Actions)
		}
		if len(p.If) > 1 {
			remove(c, &p.If)
		} else if p.If != nil && c.now() {
			p.If = nil
		}
	}
}

func (c *cutter) hiding(h **Hiding) {
	if *h == nil {
		return
	}
	if c.now() {
		*h = nil
		return
	}
	if len((*h).Actions) > 1 {
		remove(c, &(*h).Actions)
	}
}

func (c *cutter) process(p *Process) {
	if p.Property && c.now() {
		p.Property = false
	}
	remove(c, &p.Extend)
	remove(c, &p.Relabel)
	c.hiding(&p.Hide)
	for i := 1; i < len(p.Locals); i++ {
		if c.now() {
			p.Locals = slices.Delete(p.Locals, i, i+1)
			return
		}
	}
	for _, l := range p.Locals {
		remove(c, &l.Props)
		c.body(l.Body)
	}
}

func (c *cutter) body(b *Body) {
	if b.Ref != "" {
		for _, simpler := range []string{"STOP", "END"} {
			if b.Ref == simpler {
				break
			}
			if c.now() {
				b.Ref = simpler
			}
		}
		return
	}
	if c.now() {
		*b = Body{Ref: "STOP"}
		return
	}
	if len(b.Choice) > 1 {
		remove(c, &b.Choice)
	}
	for i := range b.Choice {
		alt := &b.Choice[i]
		if len(alt.Actions) > 1 {
			remove(c, &alt.Actions)
		}
		c.body(alt.Then)
	}
}

func (c *cutter) part(p *Part) {
	remove(c, &p.Share)
	remove(c, &p.Prefixes)
	remove(c, &p.Relabel)
	if len(p.Group) > 1 {
		remove(c, &p.Group)
	}
	for _, q := range p.Group {
		c.part(q)
	}
}

func (c *cutter) formula(f **Formula) {
	for _, g := range (*f).Args {
		if c.now() {
			*f = g
			return
		}
	}
	if len((*f).Args) > 0 && c.now() {
		*f = op("true")
		return
	}
	if len((*f).Names) > 1 {
		remove(c, &(*f).Names)
	}
	for i := range (*f).Args {
		c.formula(&(*f).Args[i])
	}
}
