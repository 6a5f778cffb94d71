package cfront

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// standIns have pointers to routines that have a meaning here, and no source that defines them, point to
// others that call these, if their parameters are fixed or they end the run; so have those to routines of
// events. So calls through pointers are what
// calls by name are: they fail, end or assume, their results and what they do to errno is as open, and what they rest on is said.
func (l *linker) standIns() {
	made := map[*ir.Func]*ir.Func{}
	for _, f := range append([]*ir.Func{l.prog.Init}, l.prog.Funcs...) {
		f.Expressions(func(e ir.Expr) {
			a, ok := e.(*ir.FuncAddr)
			if !ok || !l.needsStandIn(a.Func) {
				return
			}
			switch {
			case l.isEvent(a.Func) && !a.Func.Type.FixedParams():
				l.eventPointer(a.Func)
				return
			case !a.Func.Type.FixedParams() && !a.Func.NeverReturns():
				if l.prog.Errno() != nil {
					l.guarded(func() {
						refuse(a.Func.Span, "c-variadic", "let the pointer point to a routine of your own with fixed parameters, which calls it", "a pointer to %s(), whose parameters are not fixed, is not supported in a program with errno", a.Func.Name)
					})
				}
				return
			case made[a.Func] == nil:
				made[a.Func] = l.standIn(a.Func)
			}
			a.Func = made[a.Func]
		})
	}
}

func (l *linker) needsStandIn(f *ir.Func) bool {
	name := ir.PlainName(f.Name)
	_, weak := l.weak[f.Name]
	if l.isEvent(f) && !(weak && f.Extern()) { // whose address is refused
		return true
	}
	if weak || f.StandsIn || slices.Contains(l.opts.Abstract, f.Name) {
		return false
	}
	return l.opts.failsBy(name) || f.Extern() && (f.Known != nil || f.NoReturn || ir.AssertRoutines[name] || ir.CheckRoutines[name] || ir.AssumeRoutines[name])
}

func (l *linker) standIn(f *ir.Func) *ir.Func {
	g := &ir.Func{Name: f.Name, Type: f.Type, Span: f.Span, Library: true, StandsIn: true}
	c := &ir.Call{Callee: f, Span: f.Span}
	for i, t := range f.Type.Params {
		p := &ir.Var{Name: fmt.Sprintf("p%d", i), Type: t, Kind: ir.Param, Span: f.Span}
		g.Params = append(g.Params, p)
		c.Args = append(c.Args, &ir.Load{From: ir.Whole(p)})
	}
	back := &ir.Return{Span: f.Span}
	if f.Type.Result.Kind != ir.Void {
		v := &ir.Var{Name: "result", Type: f.Type.Result, Kind: ir.Temp, Span: f.Span, Holds: c.Shown()}
		g.Locals = append(g.Locals, v)
		to := ir.Whole(v)
		c.To, back.Value = &to, &ir.Load{From: to}
	}
	g.Blocks = []*ir.Block{{Instrs: []ir.Instr{c}, End: back}}
	l.prog.Funcs = append(l.prog.Funcs, g)
	return g
}
