package cfront

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// events puts calls of the routines that tell the events of Options around the calls of the program's sources.
// What a model of the C library calls in turn is none of them. Pointers to such routines point to stand-ins
// then, in whose bodies they are called by name: see needsStandIn.
func (l *linker) events() {
	tells := map[ir.Event]map[*ir.Func]*ir.Func{}
	for _, e := range l.opts.Events {
		tells[e] = map[*ir.Func]*ir.Func{}
		l.opts.Abstract = append(l.opts.Abstract[:len(l.opts.Abstract):len(l.opts.Abstract)], e.EventRoutine())
	}
	for _, f := range slices.Clone(l.prog.Funcs) {
		for _, b := range f.Blocks {
			var out []ir.Instr
			for _, i := range b.Instrs {
				c, ok := i.(*ir.Call)
				if !ok || c.Callee == nil {
					out = append(out, i)
					continue
				}
				var before, behind []ir.Instr
				for _, e := range l.opts.Events {
					if !e.Of(c.Callee) {
						continue
					}
					c.Callee.HasEvents = true
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

// isEvent reports a routine of an event, or of a rule.
func (l *linker) isEvent(f *ir.Func) bool {
	return l.ruled(f) != nil || slices.ContainsFunc(l.opts.Events, func(e ir.Event) bool { return e.Of(f) })
}

// teller is the routine that tells an event of what a call calls.
func (l *linker) teller(made map[*ir.Func]*ir.Func, e ir.Event, c *ir.Call) *ir.Func {
	if made[c.Callee] == nil {
		t := &ir.Type{Kind: ir.Function, Size: -1, Result: l.prog.Init.Type.Result, Name: "void()"}
		switch {
		case !e.Values:
		case e.Return:
			t.Params = []*ir.Type{c.Callee.Type.Result}
		default:
			t.Params = c.Callee.Type.Params
		}
		made[c.Callee] = &ir.Func{Name: e.EventRoutine(), Type: t, Span: c.Callee.Span, Telling: &e}
		l.prog.Funcs = append(l.prog.Funcs, made[c.Callee])
	}
	return made[c.Callee]
}

// tellsCall is the call that tells a call.
func (l *linker) tellsCall(e ir.Event, c *ir.Call, teller *ir.Func) ir.Instr {
	told := &ir.Call{Callee: teller, Span: c.Span}
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
		if a.Type() != t && a.Type().Scalar() && t.Scalar() && (a.Type().Kind == ir.IEEE) == (t.Kind == ir.IEEE) { // another source may declare it in another way
			a = ir.Fold(&ir.Convert{X: a, T: t})
		}
		told.Args = append(told.Args, a)
	}
	return told
}

// tellsReturn is the call, in a routine, that tells the return of a call.
func (l *linker) tellsReturn(f *ir.Func, e ir.Event, c *ir.Call, teller *ir.Func) ir.Instr {
	told := &ir.Call{Callee: teller, Span: c.Span}
	if !e.Values {
		return told
	}
	if c.To == nil {
		v := &ir.Var{Name: fmt.Sprintf("returned@%d", len(f.Locals)), Type: c.Callee.Type.Result, Kind: ir.Temp, Span: c.Span, Holds: c.Shown()}
		f.Locals = append(f.Locals, v)
		to := ir.Whole(v)
		c.To = &to
	}
	told.Args = []ir.Expr{&ir.Load{From: *c.To}}
	return told
}

// eventPointer refuses a pointer to a routine of an event of which a stand-in cannot be made.
func (l *linker) eventPointer(f *ir.Func) {
	l.guarded(func() {
		panic(&ir.Refusal{Diagnostic: source.Diagnostic{Span: f.Span, Code: "c-event",
			Message: fmt.Sprintf("calls of %s are asked about, and its address is taken: calls by a pointer are not followed, since its parameters are not fixed", f.Name),
			Help:    "let the pointer point to a routine of your own with fixed parameters, which calls it"}})
	})
}
