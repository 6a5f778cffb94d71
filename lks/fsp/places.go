package fsp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Places returns where in the file a component does an action, by the component's name in a
// network, the names of its states before and after, and its own name for the action. It goes by
// names and evaluates nothing: an index matches any value, so that several places may be named
// where one is meant. There is none if the names are not those of the text, as those of states are not
// after a process was made minimal or deterministic.
func (m *Model) Places(component, state, action, after string) (places []source.Span) {
	name, _ := m.OfComponent(component)
	def, ok := m.c.processDefinition(name).(*syntax.ProcessDef)
	if !ok {
		return nil
	}
	done := strings.Split(state, "->")
	base, _, indexed := strings.Cut(done[0], "[")
	at := (&firsts{def: def}).of(base, indexed)
	for _, before := range done[1:] {
		at = behind(def, at, before)
	}
	at = slices.DeleteFunc(at, func(p place) bool { return !matches(p.choice.Actions[p.next], action) })
	if sure := slices.DeleteFunc(slices.Clone(at), func(p place) bool { return !p.leadsTo(after) }); len(sure) > 0 {
		at = sure
	}
	return lists.Append(nil, at, func(p place) source.Span { return m.c.File.Place(p.choice.Actions[p.next].Span) })
}

// leadsTo reports whether the action may lead to a state of a name.
func (p place) leadsTo(state string) bool {
	path := strings.Split(state, "->")
	if body := p.choice.Body; p.next+1 == len(p.choice.Actions) && body != nil && body.Kind == syntax.BodyRef && len(body.Sequence) == 0 {
		base, _, _ := strings.Cut(path[0], "[")
		return len(path) == 1 && base == body.Name.Text
	}
	return len(path) > 1 && matches(p.choice.Actions[p.next], path[len(path)-1])
}

// place is an action of a choice: what comes next.
type place struct {
	choice *syntax.Choice
	next   int
}

// firsts finds the first actions of bodies. Each is visited once: names may lead to each other in
// many ways.
type firsts struct {
	def  *syntax.ProcessDef
	seen map[*syntax.Body]bool
}

// of are the first actions of the local processes of a name: B and B[i:0..N] are two, and an indexed one
// may be defined in parts.
func (f *firsts) of(name string, indexed bool) (all []place) {
	for _, l := range f.def.Locals {
		if l.Name.Text == name && (l.Index != nil) == indexed {
			all = append(all, f.body(l.Body)...)
		}
	}
	return all
}

// body are the first actions of a body; none of nil, or of one that was visited.
func (f *firsts) body(b *syntax.Body) (all []place) {
	if b == nil || f.seen[b] {
		return nil
	}
	if f.seen == nil {
		f.seen = map[*syntax.Body]bool{}
	}
	f.seen[b] = true
	switch b.Kind {
	case syntax.BodyIf:
		return append(f.body(b.Yes), f.body(b.No)...)
	case syntax.BodyRef:
		if len(b.Sequence) > 0 {
			return nil // the actions of another process
		}
		return f.of(b.Name.Text, len(b.Index) > 0)
	}
	for _, c := range b.Choices {
		if len(c.Actions) > 0 {
			all = append(all, place{c, 0})
		}
	}
	return all
}

// behind are the places behind an action.
func behind(def *syntax.ProcessDef, at []place, action string) (all []place) {
	for _, p := range at {
		switch {
		case !matches(p.choice.Actions[p.next], action):
		case p.next+1 < len(p.choice.Actions):
			all = append(all, place{p.choice, p.next + 1})
		default:
			all = append(all, (&firsts{def: def}).body(p.choice.Body)...)
		}
	}
	return all
}

// matches reports whether a label may stand for an action.
func matches(label *syntax.Label, action string) bool {
	if name, plain := plainName(label); plain {
		return name == action
	}
	var b strings.Builder
	for i, part := range label.Parts {
		if i > 0 {
			b.WriteString(`\.`)
		}
		switch {
		case part.Kind == syntax.PartName:
			b.WriteString(regexp.QuoteMeta(part.Text))
		case part.Kind == syntax.PartIndex && part.Index.Expr != nil && part.Index.Expr.Op == syntax.OpNumber && part.Index.Variable.Text == "":
			b.WriteString(strconv.Itoa(int(part.Index.Expr.Value)))
		default:
			b.WriteString(`.+`)
		}
	}
	ok, err := regexp.MatchString("^"+b.String()+"$", action)
	return ok && err == nil
}

// plainName is what a label is called that is made of names alone.
func plainName(label *syntax.Label) (name string, plain bool) {
	for i, part := range label.Parts {
		if part.Kind != syntax.PartName {
			return "", false
		}
		if i > 0 {
			name += "."
		}
		name += part.Text
	}
	return name, true
}
