package bind

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
)

// A formula may name what no specification describes: that the program calls a routine, or that a call comes
// back. Such an atom is an action of the component that calls: the front end puts a call of a routine
// in front of, or behind, each call of the one that is meant (cfront.Event), and that routine is abstracted here, by
// a machine that performs it.

// EventSpelling are the parts of an atom COMPONENT::ROUTINE {CONDITION} or COMPONENT::ROUTINE.return {CONDITION}.
// Component is "" where the atom names none, Condition where it has none; that begins at From.
type EventSpelling struct {
	Component, Routine, Condition string
	From                          int
	Return                        bool
}

var calling = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([A-Za-z_]\w*)(?:\s*\.\s*(return))?\s*(?:\{(.*)\}\s*)?$`)
})

// ParseEvent takes an atom of a formula apart that reads like a call of a routine, or like the return of one.
func ParseEvent(atom string) (s EventSpelling, ok bool) {
	rest := atom
	if found := component().FindStringSubmatch(atom); found != nil {
		s.Component, s.From, rest = found[1], len(found[0]), atom[len(found[0]):]
	}
	found := calling().FindStringSubmatchIndex(rest)
	if found == nil {
		return EventSpelling{}, false
	}
	s.Routine, s.Return = rest[found[2]:found[3]], found[4] >= 0
	if s.Routine == "return" || s.Routine == Failure && found[6] < 0 {
		return EventSpelling{}, false
	}
	if found[6] >= 0 && strings.TrimSpace(rest[found[6]:found[7]]) != "" {
		s.Condition, s.From = rest[found[6]:found[7]], s.From+found[6]
	}
	return s, true
}

// conditional reports an atom that says of a routine with which values, in braces: nothing else is
// written so.
func conditional(atom string) bool {
	_, ok := ParseEvent(atom)
	return ok && strings.HasSuffix(strings.TrimSpace(atom), "}")
}

// told is an event of a routine, for a part: how it is told apart by conditions on values.
type told struct {
	event      ir.Event
	at         source.Span // of the first atom that asks
	conditions []*valued
	asked      []*asked // condition is an index of conditions, or -1
}

// valued is a condition on the values of an event, and its negation, as conditions of the sources.
type valued struct {
	text    string
	yes, no int
}

// maxEventConditions bounds the conditions on the values of one event: it has two to the power of these actions.
const maxEventConditions = 6

// events finds out which atoms are calls of routines, or their returns. A name that an action of the
// specification has is that action.
func (b *binder) events() {
	actions := map[string]bool{Failure: true}
	for _, p := range b.parts {
		names := p.alphabet
		for _, routine := range sorted(p.stubs) {
			for _, a := range p.stubs[routine] {
				if a.machine != nil {
					names = append(names[:len(names):len(names)], a.machine.Alphabet...)
				}
			}
		}
		for _, action := range names {
			for _, n := range p.called(action) {
				actions[n] = true
			}
		}
	}
	for _, name := range b.claimed() {
		s, ok := ParseEvent(name)
		if f := b.plain.Func(s.Routine); ok && !actions[name] && f != nil && s.Routine != b.parts[0].procedure {
			b.tell(name, s, b.parts)
		}
	}
	for i, name := range b.task.Propositions {
		s, ok := ParseEvent(name)
		if !ok || actions[name] || slices.Contains(b.task.Propositions[:i], name) {
			continue
		}
		if about := b.callers(name, s); len(about) > 0 {
			b.tell(name, s, about)
		}
	}
}

// claimed are the actions of a claim about one component, which may be events of it: several would
// perform them together.
func (b *binder) claimed() []string {
	if b.spec == nil || len(b.parts) > 1 {
		return nil
	}
	return b.spec.Alphabet
}

// callers are the parts that an atom is about, if it is an event; it is none of the names of variables.
func (b *binder) callers(name string, s EventSpelling) (about []*part) {
	about = b.parts
	if p := b.partOf(s.Component); s.Component != "" && p != nil {
		about = []*part{p}
	} else if s.Component != "" {
		return nil // told with the propositions
	}
	hidden := func(p *part) bool { return slices.Contains(b.variables(p), s.Routine) }
	switch global := slices.ContainsFunc(b.plain.Globals, func(v *ir.Var) bool { return v.Name == s.Routine }); {
	case conditional(name) || s.Return:
	case global || slices.ContainsFunc(about, hidden):
		return nil
	}
	known := b.plain.Func(s.Routine) != nil || ir.KnownAs(s.Routine) != nil
	switch at := b.atomAt(name); {
	case known && slices.ContainsFunc(about, func(p *part) bool { return p.procedure == s.Routine }):
		b.errs.Errorf(at, "event", "%s is what the question is about, not a routine that it calls", s.Routine).Help = "its end is the event return"
		return nil
	case known:
		return about
	case conditional(name) || s.Return:
		b.errs.Errorf(at, "unknown-routine", "the sources neither define nor declare a routine %s", s.Routine).Help = source.DidYouMean(s.Routine, RoutinesOf(b.plain))
	}
	return nil
}

// RoutinesOf are the names of the routines that a program defines, declares or calls.
func RoutinesOf(p *ir.Program) (all []string) {
	for _, f := range p.Funcs {
		if !f.Library && !strings.Contains(f.Name, " ") { // none that tells an event
			all = append(all, f.Name)
		}
	}
	return all
}

// tell notes that parts are asked about an event.
func (b *binder) tell(name string, s EventSpelling, about []*part) {
	at := b.atomAt(name)
	var expr *specification.CExpr
	if s.Condition != "" {
		var err error
		from := at.File.Span(at.Start+s.From, at.Start+s.From+len(s.Condition))
		if expr, err = specification.ParseExpr(from, s.Return); err != nil {
			b.add(err)
			return
		}
		if s.Return && slices.ContainsFunc(expr.Dollars(), func(n int) bool { return n > 0 }) {
			b.errs.Errorf(at, "argument", "$0 is the value that is returned, and all that is known then").Help = "save what it was called with in a variable, and name that"
			return
		}
		if len(slices.DeleteFunc(slices.Clone(b.plain.Funcs), func(f *ir.Func) bool { return f.Name != s.Routine || f.Library })) > 1 {
			b.errs.Errorf(at, "event", "there are several routines %s: conditions on what they are given or return are not supported", s.Routine).Help = "rename one"
			return
		}
	}
	for _, p := range about {
		p.asked = slices.DeleteFunc(p.asked, func(a *asked) bool { return a.name == name })
		k := slices.IndexFunc(p.told, func(t *told) bool { return t.event.Routine == s.Routine && t.event.Return == s.Return })
		if k < 0 {
			k = len(p.told)
			p.told = append(p.told, &told{event: ir.Event{Routine: s.Routine, Return: s.Return}, at: at})
		}
		t, a := p.told[k], &asked{name: name, at: at, expr: expr, condition: -1}
		t.asked = append(t.asked, a)
		if expr == nil {
			continue
		}
		t.event.Values = true
		if a.condition = slices.IndexFunc(t.conditions, func(v *valued) bool { return v.text == textOf(expr) }); a.condition < 0 {
			a.condition = len(t.conditions)
			t.conditions = append(t.conditions, &valued{text: textOf(expr)})
		}
		if len(t.conditions) == maxEventConditions+1 {
			b.errs.Errorf(at, "too-large", "there are more than %d conditions on the values of %s", maxEventConditions, s.Routine).Help = "write fewer that differ in their text"
		}
	}
}

// asksEvents are the events that the front end has to tell.
func (b *binder) asksEvents() (all []ir.Event) {
	for _, p := range b.parts {
		for _, t := range p.told {
			k := slices.IndexFunc(all, func(e ir.Event) bool { return e.Routine == t.event.Routine && e.Return == t.event.Return })
			if k < 0 {
				all = append(all, t.event)
			} else {
				all[k].Values = all[k].Values || t.event.Values
			}
		}
	}
	return all
}

// eventConditions adds the conditions on the values of events.
func (b *binder) eventConditions(p *part) {
	for _, t := range p.told {
		for _, a := range t.asked {
			if a.condition < 0 || t.conditions[a.condition].no > 0 {
				continue
			}
			c := cfront.Condition{Routine: t.event.Routine, Returned: t.event.Return, Expr: a.at.File.Span(int(a.expr.Start), int(a.expr.End))}
			changed := false
			text := a.expr.Replace(func(w specification.CWord) (string, bool) {
				n, constant := b.values[w.Text]
				switch {
				case w.Text == "" && t.event.Return:
					changed = true
					return "$1", true
				case w.Text != "" && constant:
					changed = true
					return number(n), true
				}
				return "", false
			})
			if changed {
				c.Text = text
			}
			v := t.conditions[a.condition]
			v.yes, v.no = len(b.list), len(b.list)+1
			b.list = append(b.list, c)
			c.Text = "!(" + text + ")"
			b.list = append(b.list, c)
		}
	}
}

// action is what an event performs, of whose conditions those hold.
func (b *binder) action(p *part, t *told, signs []bool) string {
	name := t.event.Routine
	if t.event.Return {
		name += ".return"
	}
	var holds []string
	for i, yes := range signs {
		if yes {
			holds = append(holds, t.conditions[i].text)
		}
	}
	if len(holds) > 0 {
		name += " {" + strings.Join(holds, " && ") + "}"
	}
	if len(b.parts) > 1 {
		return p.name + "::" + name
	}
	return name
}

// tells are the abstractions of the routines that tell events: one after the other, conditions are
// decided, and then the action is performed that this makes. Events that others are asked about are silent.
func (b *binder) tells(p *part, ctx *encode.Context) {
	for _, e := range b.asksEvents() {
		m := &encode.Machine{States: 1, Initial: []int{0}, Transitions: []encode.Transition{{From: 0, To: encode.Stop}}}
		if k := slices.IndexFunc(p.told, func(t *told) bool { return t.event.Routine == e.Routine && t.event.Return == e.Return }); k >= 0 {
			m = b.telling(p, p.told[k])
		}
		ctx.Routines[e.EventRoutine()] = []encode.Abstraction{{Name: e.EventRoutine(), Machine: m}}
	}
}

// telling is the machine of an event: a tree of which conditions hold.
func (b *binder) telling(p *part, t *told) *encode.Machine {
	m := &encode.Machine{Initial: []int{0}}
	var grow func(signs []bool) int
	grow = func(signs []bool) int {
		at := m.States
		m.States++
		if len(signs) == len(t.conditions) {
			m.Transitions = append(m.Transitions, encode.Transition{From: at, To: encode.Stop, Action: b.action(p, t, signs), Span: t.at})
			return at
		}
		v := t.conditions[len(signs)]
		for _, yes := range []bool{true, false} {
			guard := v.no
			if yes {
				guard = v.yes
			}
			m.Transitions = append(m.Transitions, encode.Transition{From: at, To: grow(append(slices.Clip(signs), yes)), Guard: b.q.Program.Conditions[guard], Span: t.at})
		}
		return at
	}
	grow(nil)
	return m
}

// performedEvents notes which actions the atoms about events stand for, in a component that was
// encoded.
func (b *binder) performedEvents(p *part, e *encode.Encoding) {
	happens := e.Abstracted()
	for _, t := range p.told {
		called := slices.Contains(happens, t.event.EventRoutine())
		for _, a := range t.asked {
			var actions []string
			for n := range 1 << len(t.conditions) {
				signs := make([]bool, len(t.conditions))
				for i := range signs {
					signs[i] = n>>i&1 == 0
				}
				if called && (a.condition < 0 || signs[a.condition]) {
					actions = append(actions, b.action(p, t, signs))
				}
			}
			b.q.Returns[a.name] = append(b.q.Returns[a.name], actions...)
		}
	}
}

// uncalled warns of events that no component has.
func (b *binder) uncalled() {
	for _, p := range b.parts {
		for _, t := range p.told {
			for _, a := range t.asked {
				if len(b.q.Returns[a.name]) == 0 && !b.checked["uncalled "+t.event.Routine] {
					b.checked["uncalled "+t.event.Routine] = true
					b.errs.Warnf(a.at, "uncalled", "no run of the program that is followed calls %s", t.event.Routine)
				}
			}
		}
	}
}
