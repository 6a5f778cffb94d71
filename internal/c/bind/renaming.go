package bind

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// names finds the renamings of a component, and what is hidden in it.
func (b *binder) names(p *part) {
	p.rename, p.hide = map[string][]string{}, map[string]bool{}
	for _, s := range b.prog.Statements {
		switch s := s.(type) {
		case *specification.Rename:
			if b.about(s.Component, p) {
				pairs, err := b.task.Spec.Renaming(s, b.values, p.bound)
				b.add(err)
				for _, r := range pairs {
					p.rename[r.Old] = append(p.rename[r.Old], r.New)
				}
			}
		case *specification.Hide:
			if b.about(s.Component, p) {
				names, err := b.task.Spec.Actions(s.Set, b.values, p.bound)
				b.add(err)
				for _, n := range names {
					p.hide[n] = true
				}
			}
		}
	}
}

// about reports that a statement is about a component; it may name a procedure.
func (b *binder) about(procedure specification.Name, p *part) bool {
	if procedure.Text == "" || procedure.Text == p.procedure {
		return true
	}
	known := lists.Append(nil, b.parts, func(q *part) string { return q.procedure })
	if !slices.Contains(known, procedure.Text) && p == b.parts[0] {
		b.errorf(procedure, "unknown-component", source.DidYouMean(procedure.Text, known), "the program %s has no component %s", b.prog.Name.Text, procedure.Text)
	}
	return false
}

// called are the names that an action of a component has: none if it is hidden.
func (p *part) called(action string) []string {
	return slices.DeleteFunc(p.performs(action), func(n string) bool { return n == "" })
}

// performs are what a component does where an action stands: the names of that, and "", a silent
// step, if it is hidden under one.
func (p *part) performs(action string) []string {
	names := p.rename[action]
	if len(names) == 0 {
		names = []string{action}
	}
	var all []string
	for _, n := range names {
		if p.hide[n] {
			n = ""
		}
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// renamings tells renamings and hidings of what no component performs: with a mistake in a
// name, components would not share what they are meant to share.
func (b *binder) renamings() {
	for _, s := range b.prog.Statements {
		switch s := s.(type) {
		case *specification.Rename:
			performed := b.performed(s.Component, func(_ *part, action string) []string { return []string{action} })
			for _, p := range b.parts {
				pairs, _ := b.task.Spec.Renaming(s, b.values, p.bound)
				for _, r := range pairs {
					if b.about(s.Component, p) && !slices.Contains(performed, r.Old) {
						b.errs.Errorf(b.task.Spec.Place(r.Span), "unknown-action", "no component performs %s, which is renamed", r.Old).Help = source.DidYouMean(r.Old, performed)
						performed = append(performed, r.Old) // once
					}
				}
			}
		case *specification.Hide:
			performed := b.performed(s.Component, func(p *part, action string) []string {
				if names := p.rename[action]; len(names) > 0 {
					return names
				}
				return []string{action}
			})
			for _, p := range b.parts {
				names, _ := b.task.Spec.Actions(s.Set, b.values, p.bound)
				for _, n := range names {
					if b.about(s.Component, p) && !slices.Contains(performed, n) {
						b.warnf(s, "unknown-action", source.DidYouMean(n, performed), "no component performs %s, which is hidden", n)
						performed = append(performed, n)
					}
				}
			}
		}
	}
}

// performed are the actions of the components of a procedure, "" for all, by the names that
// they have then; the abstractions of the routines that are called decide.
func (b *binder) performed(procedure specification.Name, names func(*part, string) []string) []string {
	all := map[string]bool{}
	for _, p := range b.parts {
		if procedure.Text != "" && procedure.Text != p.procedure {
			continue
		}
		actions := append([]string{Failure}, p.alphabet...)
		for _, routine := range p.component.Encoding.Abstracted() {
			for _, a := range p.stubs[routine] {
				actions = append(actions, a.machine.Alphabet...)
			}
		}
		for _, a := range actions {
			for _, n := range names(p, a) {
				all[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}
