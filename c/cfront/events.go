package cfront

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/source"
)

// Event is what a question asks about a routine that no specification describes: that the program calls it,
// or that a call of it comes back. It is told by a call of a routine of its own, EventRoutine, which
// stands in front of each call of the routine in the program's sources, or behind it, and does nothing: who
// runs or encodes the program says what it is.
type Event struct {
	Routine string
	Return  bool
	// Values: it is told with the arguments, or the result.
	Values bool
}

// EventRoutine is the name of the routine without a body that tells an event. It has the parameters of the
// routine, or one, the result; none without Values.
func (e Event) EventRoutine() string {
	if e.Return {
		return "return of " + e.Routine
	}
	return "call of " + e.Routine
}

// Tells is the event that a routine tells, false if it tells none.
func (f *Func) Tells() (e Event, ok bool) {
	if f.tells == nil {
		return Event{}, false
	}
	return *f.tells, true
}

// events puts calls of the routines that tell the events of Options around the calls of the program's sources.
// What a model of the C library calls in turn is none of them. Pointers to such routines point to stand-ins
// then, in whose bodies they are called by name: see needsStandIn.
func (l *linker) events() {
	tells := map[Event]map[*Func]*Func{}
	for _, e := range l.opts.Events {
		tells[e] = map[*Func]*Func{}
		l.opts.Abstract = append(l.opts.Abstract[:len(l.opts.Abstract):len(l.opts.Abstract)], e.EventRoutine())
	}
	for _, f := range slices.Clone(l.prog.Funcs) {
		for _, b := range f.Blocks {
			var out []Instr
			for _, i := range b.Instrs {
				c, ok := i.(*Call)
				if !ok || c.Callee == nil {
					out = append(out, i)
					continue
				}
				var before, behind []Instr
				for _, e := range l.opts.Events {
					if !e.of(c.Callee) {
						continue
					}
					c.Callee.event = true
					if t := l.teller(tells[e], e, c); e.Return {
						behind = append(behind, l.tellsReturn(f, e, c, t))
					} else {
						before = append(before, l.tellsCall(e, c, t))
					}
				}
				out = append(append(append(out, before...), i), behind...)
			}
			b.Instrs = out
		}
	}
}

// of reports an event of a routine.
func (e Event) of(f *Func) bool {
	return !f.standsIn && (f.Name == e.Routine || f.Extern() && plainName(f.Name) == e.Routine)
}

// isEvent reports a routine of an event, or of a rule.
func (l *linker) isEvent(f *Func) bool {
	return l.ruled(f) != nil || slices.ContainsFunc(l.opts.Events, func(e Event) bool { return e.of(f) })
}

// teller is the routine that tells an event of what a call calls.
func (l *linker) teller(made map[*Func]*Func, e Event, c *Call) *Func {
	if made[c.Callee] == nil {
		t := &Type{Kind: Function, Size: -1, Result: l.prog.Init.Type.Result, Name: "void()"}
		switch {
		case !e.Values:
		case e.Return:
			t.Params = []*Type{c.Callee.Type.Result}
		default:
			t.Params = c.Callee.Type.Params
		}
		made[c.Callee] = &Func{Name: e.EventRoutine(), Type: t, Span: c.Callee.Span, tells: &e}
		l.prog.Funcs = append(l.prog.Funcs, made[c.Callee])
	}
	return made[c.Callee]
}

// tellsCall is the call that tells a call.
func (l *linker) tellsCall(e Event, c *Call, teller *Func) Instr {
	told := &Call{Callee: teller, Span: c.Span}
	if !e.Values {
		return told
	}
	for i, t := range teller.Type.Params {
		if i >= len(c.Args) {
			l.guarded(func() {
				refuse(c.Span, "c-arguments", "declare the routine before it is called", "%d arguments for %s", len(c.Args), c.Callee.Type)
			})
			break
		}
		a := c.Args[i]
		if a.Type() != t && a.Type().Scalar() && t.Scalar() && (a.Type().Kind == IEEE) == (t.Kind == IEEE) { // another source may declare it in another way
			a = fold(&Convert{a, t})
		}
		told.Args = append(told.Args, a)
	}
	return told
}

// tellsReturn is the call, in a routine, that tells the return of a call.
func (l *linker) tellsReturn(f *Func, e Event, c *Call, teller *Func) Instr {
	told := &Call{Callee: teller, Span: c.Span}
	if !e.Values {
		return told
	}
	if c.To == nil {
		v := &Var{Name: fmt.Sprintf("returned@%d", len(f.Locals)), Type: c.Callee.Type.Result, Kind: Temp, Span: c.Span, Holds: c.shown()}
		f.Locals = append(f.Locals, v)
		to := whole(v)
		c.To = &to
	}
	told.Args = []Expr{&Load{*c.To}}
	return told
}

// eventPointer refuses a pointer to a routine of an event of which a stand-in cannot be made.
func (l *linker) eventPointer(f *Func) {
	l.guarded(func() {
		panic(&refusal{source.Diagnostic{Span: f.Span, Code: "c-event",
			Message: fmt.Sprintf("calls of %s are asked about, and its address is taken: calls by a pointer are not followed, since its parameters are not fixed", f.Name),
			Help:    "let the pointer point to a routine of your own with fixed parameters, which calls it"}})
	})
}
