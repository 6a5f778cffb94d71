package specification

import (
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
)

// names reports names that are defined twice in one file, and states that are not defined.
func (p *parser) names() {
	defined := map[string]Name{} // definitions of states, and constants
	programs := map[string]Name{}
	for _, d := range p.file.Defs {
		switch d := d.(type) {
		case *ConstDef:
			p.once(defined, d.Name, "constant")
		case *LKSDef:
			p.once(defined, d.Name, "definition")
		case *ProgDef:
			p.once(programs, d.Name, "program")
			claims := map[string]Name{}
			for _, s := range d.Statements {
				switch s := s.(type) {
				case *Abstract:
					p.once(claims, s.Name, "abstraction")
					p.guards(d, s.Guards)
				case *Assume:
					p.guards(d, s.Guards)
				case *Property:
					p.once(claims, s.Name, "property")
				}
			}
		}
	}
	for _, d := range p.file.Defs {
		if d, ok := d.(*LKSDef); ok {
			p.stateNames(d, defined)
		}
	}
}

// guards reports guards of components of a program that are more or fewer than these.
func (p *parser) guards(d *ProgDef, guards []*CExpr) {
	if d.Bad || len(guards) == len(d.Components) {
		return
	}
	at := guards[0].To(guards[len(guards)-1].Span)
	e := p.Errs.Errorf(p.file.Place(at), "guards", "%s for %s", names.Counted(len(guards), "guard"), names.Counted(len(d.Components), "component"))
	e.Help = "there is one guard for each component in the list of the program, and one for all copies phil[i:0..3]; (1) is always true"
	e.Related = []source.Related{{Span: p.file.Place(d.Components[0].To(d.Components[len(d.Components)-1].Span)), Message: "the components are here"}}
}

// once reports a name that is known already.
func (p *parser) once(known map[string]Name, n Name, what string) {
	if n.Text == "" {
		return
	}
	if n.Text == stop || n.Text == end {
		p.Errs.Errorf(p.file.Place(n.Span), "reserved-name", "%s is the state in which nothing is done any more", n.Text).Help = "choose another name"
		return
	}
	if first, twice := known[n.Text]; twice {
		d := p.Errs.Errorf(p.file.Place(n.Span), "defined-twice", "a second %s %q", what, n.Text)
		d.Related = []source.Related{{Span: p.file.Place(first.Span), Message: "the first one is here"}}
		return
	}
	known[n.Text] = n
}

// stateNames reports states of a definition that are defined twice, or not at all.
func (p *parser) stateNames(d *LKSDef, definitions map[string]Name) {
	states := map[string]Name{}
	known := []string{stop}
	for i, s := range d.States {
		known = append(known, s.Name.Text)
		if i > 0 { // the first has the name of the definition
			p.once(states, s.Name, "state")
		} else {
			states[s.Name.Text] = s.Name
		}
	}
	if d.Bad {
		return // the equation may be what could not be read
	}
	d.bodies(func(b *Body) {
		name := b.Name.Text
		if _, ok := states[name]; ok || b.Kind != BodyRef || name == stop || name == end {
			return
		}
		e := p.Errs.Errorf(p.file.Place(b.Name.Span), "unknown-state", "there is no state %q in the definition of %s", name, d.Name.Text)
		e.Help = source.DidYouMean(name, known)
		if other, ok := definitions[name]; ok {
			e.Help = `the states of one definition are separated by ",", and "." stands behind the last`
			e.Related = []source.Related{{Span: p.file.Place(other.Span), Message: "this is another definition"}}
		}
	})
}
