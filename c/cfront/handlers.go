package cfront

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// A handler of signals runs whenever the surroundings have it run. One that does no more than C allows (C11 5.1.2.3,
// 5; 7.14.1.1, 5), to give values to volatile variables and to end the program, needs no calls: what each read of such a
// variable gives is any value. Others are not followed.

// handling are the routines that install a handler, and which argument that is; -1: a struct has it.
var handling = map[string]int{"signal": 1, "sigaction": -1}

// handlers refuses a call that installs what is more than such a handler.
func (l *linker) handlers(c *ir.Call) {
	if l.opts.PlainVolatile {
		refuse(c.Span, "c-signals", "leave out --volatile=plain", "handlers of signals change volatile variables")
	}
	at := handling[c.Callee.Name]
	switch {
	case at < 0 && len(c.Args) > 1 && ir.IsNull(c.Args[1]):
		return
	case at >= 0 && at < len(c.Args):
		switch h := ir.Unconverted(c.Args[at]).(type) {
		case *ir.Const:
			return
		case *ir.FuncAddr:
			l.handler(c, h.Func)
			return
		}
	}
	for _, f := range l.prog.Funcs { // in order
		if n := len(f.Type.Params); l.prog.Pointed()[f] && f.Type.Result.Kind == ir.Void && (n == 1 || n == 3) && f.Type.Params[0].Kind == ir.Integer {
			l.handler(c, f)
		}
	}
}

// handler refuses a handler that does more.
func (l *linker) handler(c *ir.Call, f *ir.Func) {
	no := func(what string) {
		refuse(c.Span, "c-signals", "let it set a variable that is volatile sig_atomic_t, and do the work in the program", "the handler %s %s: when it runs is not known", f.Name, what)
	}
	if f.Extern() {
		no("has no body")
	}
	if (f.HasLoop() || l.stops(f)) && !slices.Contains(l.prog.Ending, f.Name) {
		l.prog.Ending = append(l.prog.Ending, f.Name)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			for _, v := range stores(i) {
				if v.Kind == ir.Global && !v.Volatile {
					no("changes " + v.Name + ", which is not volatile")
				}
			}
			call, calls := i.(*ir.Call)
			if calls && (call.Callee == nil || !l.handles(call.Callee)) {
				no("calls a routine")
			}
			ir.EachOperand(i, func(e ir.Expr) { l.harmless(e, no) })
		}
		switch end := b.End.(type) {
		case *ir.Stop:
			if slices.Contains(l.opts.Checks, ir.CheckLeaks) {
				no("ends the program")
			}
		case *ir.Branch:
			l.harmless(end.Cond, no)
		case *ir.Fail:
			no("has an assertion")
		}
	}
}

// stops reports a handler that may end the program.
func (l *linker) stops(f *ir.Func) (stops bool) {
	for _, b := range f.Blocks {
		_, ends := b.End.(*ir.Stop)
		stops = stops || ends || slices.ContainsFunc(b.Instrs, func(i ir.Instr) bool {
			c, calls := i.(*ir.Call)
			return calls && c.Callee != nil && ir.StopRoutines[ir.PlainName(c.Callee.Name)]
		})
	}
	return stops
}

// handles reports a routine that a handler may call: one that ends the program, and the reading of what is volatile.
func (l *linker) handles(f *ir.Func) bool {
	name := ir.PlainName(f.Name)
	return f.Extern() && (strings.HasPrefix(name, "volatile ") || ir.StopRoutines[name] && !slices.Contains(l.opts.Checks, ir.CheckLeaks))
}

// harmless refuses an expression that may have no value.
func (l *linker) harmless(e ir.Expr, no func(string)) {
	ir.EachExpr(e, func(e ir.Expr) {
		switch e := e.(type) {
		case *ir.Load:
			switch v := e.From.Var; {
			case v == nil || len(e.From.Index) > 0:
				no("uses a pointer or an index")
			case v.Kind == ir.Local && slices.Contains(l.opts.Checks, ir.CheckUninit):
				no("reads a variable of its own")
			}
		case *ir.Binary:
			if e.T.Kind == ir.Pointer || e.X.Type().Kind == ir.Pointer && e.Op != ir.Eq && e.Op != ir.Ne {
				no("computes with pointers")
			}
			if e.Op == ir.Div || e.Op == ir.Rem || e.Op == ir.Shl || e.Op == ir.Shr || slices.Contains(l.opts.Checks, ir.CheckOverflow) && (e.Op == ir.Add || e.Op == ir.Sub || e.Op == ir.Mul) {
				no("computes what may have no value")
			}
		}
	})
}
