package cfront

import (
	"fmt"
	"slices"
)

// standIns have pointers to routines that have a meaning here, and no source that defines them, point to
// others that call these, if their parameters are fixed or they end the run; so have those to routines of
// events. So calls through pointers are what
// calls by name are: they fail, end or assume, their results and what they do to errno is as open, and what they rest on is said.
func (l *linker) standIns() {
	made := map[*Func]*Func{}
	for _, f := range append([]*Func{l.prog.Init}, l.prog.Funcs...) {
		f.Expressions(func(e Expr) {
			a, ok := e.(*FuncAddr)
			if !ok || !l.needsStandIn(a.Func) {
				return
			}
			switch {
			case l.isEvent(a.Func) && !a.Func.Type.fixed():
				l.eventPointer(a.Func)
				return
			case !a.Func.Type.fixed() && !a.Func.ends():
				if l.prog.errno() != nil {
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

func (l *linker) needsStandIn(f *Func) bool {
	name := plainName(f.Name)
	_, weak := l.weak[f.Name]
	if l.isEvent(f) && !(weak && f.Extern()) { // whose address is refused
		return true
	}
	if weak || f.standsIn || slices.Contains(l.opts.Abstract, f.Name) {
		return false
	}
	return l.opts.failsBy(name) || f.Extern() && (f.Known != nil || f.noReturn || asserted[name] || checking[name] || assuming[name])
}

// StandsIn reports a routine that pointers to another one of its name point to, and that calls this.
func (f *Func) StandsIn() bool { return f.standsIn }

// ends reports a routine that does not return, whatever it is given.
func (f *Func) ends() bool {
	name := plainName(f.Name)
	return !f.Type.Unproto && (failing[name] || asserted[name] || stopping[name] && f.means(AsOwn) || f.noReturn && !f.means(AsRefused))
}

// fixed reports the type of a routine that can be called with a value for each parameter.
func (t *Type) fixed() bool {
	whole := func(t *Type) bool { return t != nil && (t.Kind == Void || t.Size > 0) }
	return !t.Variadic && !t.Unproto && whole(t.Result) && !slices.ContainsFunc(t.Params, func(p *Type) bool { return !whole(p) })
}

func (l *linker) standIn(f *Func) *Func {
	g := &Func{Name: f.Name, Type: f.Type, Span: f.Span, Library: true, standsIn: true}
	c := &Call{Callee: f, Span: f.Span}
	for i, t := range f.Type.Params {
		p := &Var{Name: fmt.Sprintf("p%d", i), Type: t, Kind: Param, Span: f.Span}
		g.Params = append(g.Params, p)
		c.Args = append(c.Args, &Load{whole(p)})
	}
	back := &Return{Span: f.Span}
	if f.Type.Result.Kind != Void {
		v := &Var{Name: "result", Type: f.Type.Result, Kind: Temp, Span: f.Span, Holds: c.shown()}
		g.Locals = append(g.Locals, v)
		to := whole(v)
		c.To, back.Value = &to, &Load{to}
	}
	g.Blocks = []*Block{{Instrs: []Instr{c}, End: back}}
	l.prog.Funcs = append(l.prog.Funcs, g)
	return g
}
