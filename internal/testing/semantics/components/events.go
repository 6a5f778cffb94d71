package components

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/c/specification"
)

// event is one that a formula asks about: "f happens when a call of f begins, f.return when the call has
// come back", with the conditions that are asked of arguments or the result.
type event struct {
	routine    string
	back       bool
	conditions []condition
}

var eventText = regexp.MustCompile(`^([A-Za-z_]\w*)(\.return)?(?:\s*\{(.*)\})?$`)

// eventOf takes an atom apart that reads like an event.
func eventOf(rest string) (routine, cond string, back, ok bool) {
	m := eventText.FindStringSubmatch(rest)
	if m == nil || m[1] == "return" {
		return "", "", false, false
	}
	return m[1], strings.TrimSpace(m[3]), m[2] != "", true
}

// performs reports that some abstraction, or alphabet, has an action of that name: "A name that is an action of the
// specification is that action."
func (spec *specFile) performs(name string) bool {
	if name == "error" {
		return true
	}
	for _, m := range spec.members {
		has := func(action string) bool {
			if new, is := m.rename[action]; is {
				action = new
			}
			return action == name && !m.hide[action]
		}
		for routine, statements := range spec.procs {
			for _, st := range statements {
				if a, is := st.(*specification.Abstract); is {
					for action := range spec.structure(a.LKS.Text).alphabet {
						if has(action) {
							return true
						}
					}
				}
			}
			if slices.ContainsFunc(spec.extended(routine), has) {
				return true
			}
		}
	}
	return false
}

// asksEvent notes an event that a formula asks a member about; it reports whether the atom is one.
func (spec *specFile) asksEvent(p *program, q *question, member int, rest string) bool {
	routine, cond, back, ok := eventOf(rest)
	if !ok || spec.performs(rest) || p.funcs[routine] == nil {
		return false
	}
	at := slices.IndexFunc(q.events[member], func(e event) bool { return e.routine == routine && e.back == back })
	if at < 0 {
		at = len(q.events[member])
		q.events[member] = append(q.events[member], event{routine: routine, back: back})
	}
	e := &q.events[member][at]
	if cond != "" && !slices.ContainsFunc(e.conditions, func(c condition) bool { return c.text == cond }) {
		e.conditions = append(e.conditions, condition{cond, spec.numbers})
	}
	return true
}

// eventNames are the actions that an atom stands for, of some members: those of the classes in which its condition holds.
func (spec *specFile) eventNames(q *question, members []int, rest string) (names []string, ok bool) {
	routine, cond, back, ok := eventOf(rest)
	if !ok {
		return nil, false
	}
	ok = false
	for _, i := range members {
		for _, e := range q.events[i] {
			if e.routine != routine || e.back != back {
				continue
			}
			ok = true
			at := slices.IndexFunc(e.conditions, func(c condition) bool { return c.text == cond })
			for class := range 1 << len(e.conditions) {
				if at < 0 || class>>at&1 == 1 {
					names = append(names, e.name(spec.members[i].name, class))
				}
			}
		}
	}
	return names, ok
}

func (e *event) name(member string, class int) string {
	what := "call!"
	if e.back {
		what = "back!"
	}
	return what + e.routine + returnName(member, len(e.conditions), class)
}

// events are those of a routine that are asked about: its calls, and their returns.
func (b *builder) events(f *cfunc) (before, behind *event) {
	for i := range b.told {
		switch e := &b.told[i]; {
		case e.routine != f.name:
		case e.back:
			behind = e
		default:
			before = e
		}
	}
	return before, behind
}

// eventful is a call with events around it: "Each is a step of its own."
func (b *builder) eventful(e *expr, before, behind *event, to *expr, casts []*ctype, c *context) {
	f := e.f
	var args []*expr
	for _, a := range e.args {
		args = append(args, b.argument(a, true, c))
	}
	if before != nil {
		a := &activation{up: b.globals, vars: map[*variable]int{}, name: f.name}
		var dollars []*variable
		if len(before.conditions) > 0 {
			for _, p := range f.t.params {
				dollars = append(dollars, b.variable(a, p.t))
			}
		}
		b.silent(func(m *memory) { // "to go into a routine that is called there is to go on": then it happens
			for i, v := range dollars {
				if v.t.scalar() {
					m.store(a.address(v), v.t, evaluate(args[i], c.a, m))
				}
			}
		})
		b.happens(before, a, func(n int) *variable {
			if n >= 1 && n <= len(dollars) {
				return dollars[n-1]
			}
			return nil
		})
	}
	if behind == nil {
		b.does(&expr{op: "call", t: e.t, f: f, args: args}, to, casts, c)
		return
	}
	a := &activation{up: b.globals, vars: map[*variable]int{}, name: f.name}
	var result *variable
	var kept *expr
	if to != nil || len(behind.conditions) > 0 {
		if !f.t.result.scalar() {
			unsupported("a return of what is no number")
		}
		result = b.variable(c.a, f.t.result)
		kept = &expr{op: "var", t: f.t.result, v: result}
	}
	b.does(&expr{op: "call", t: e.t, f: f, args: args}, kept, nil, c)
	if result != nil {
		a.vars[result] = c.a.vars[result]
	}
	b.happens(behind, a, func(n int) *variable {
		if n == 0 {
			return result
		}
		return nil
	})
	if to == nil {
		return
	}
	b.silent(func(m *memory) {
		at := c.a.address(result)
		m.store(place(to, c.a, m), to.t, through(casts, m.load(at, result.t)))
		m.forget(at, result.t) // nobody looks again
	})
}

// happens is the step in which an event happens, as the conditions say that are asked of it.
func (b *builder) happens(e *event, a *activation, dollar func(int) *variable) {
	var known []*expr
	for _, on := range e.conditions {
		known = append(known, b.outside(on.text, a, on.numbers, nil, dollar))
	}
	next := b.node()
	for class := range 1 << len(known) {
		b.add(b.cur, step{to: next, action: e.name(b.m.name, class), when: func(m *memory) bool {
			for i, x := range known {
				if (evaluate(x, a, m) != 0) != (class>>i&1 == 1) {
					return false
				}
			}
			return true
		}})
	}
	b.cur = next
}
