package cfront

import (
	"slices"
	"strings"
)

// A handler of signals runs whenever the surroundings have it run. One that does no more than C allows (C11 5.1.2.3,
// 5; 7.14.1.1, 5), to give values to volatile variables and to end the program, needs no calls: what each read of such a
// variable gives is any value. Others are not followed.

// handling are the routines that install a handler, and which argument that is; -1: a struct has it.
var handling = map[string]int{"signal": 1, "sigaction": -1}

// handlers refuses a call that installs what is more than such a handler.
func (l *linker) handlers(c *Call) {
	if l.opts.PlainVolatile {
		refuse(c.Span, "c-signals", "leave out --volatile=plain", "handlers of signals change volatile variables")
	}
	at := handling[c.Callee.Name]
	switch {
	case at < 0 && len(c.Args) > 1 && isNull(c.Args[1]):
		return
	case at >= 0 && at < len(c.Args):
		switch h := bare0(c.Args[at]).(type) {
		case *Const:
			return
		case *FuncAddr:
			l.handler(c, h.Func)
			return
		}
	}
	for _, f := range l.prog.Funcs { // in order
		if n := len(f.Type.Params); l.prog.pointed()[f] && f.Type.Result.Kind == Void && (n == 1 || n == 3) && f.Type.Params[0].Kind == Integer {
			l.handler(c, f)
		}
	}
}

// handler refuses a handler that does more.
func (l *linker) handler(c *Call, f *Func) {
	no := func(what string) {
		refuse(c.Span, "c-signals", "let it set a variable that is volatile sig_atomic_t, and do the work in the program", "the handler %s %s: when it runs is not known", f.Name, what)
	}
	if f.Extern() {
		no("has no body")
	}
	if (f.loops() || l.stops(f)) && !slices.Contains(l.prog.Ending, f.Name) {
		l.prog.Ending = append(l.prog.Ending, f.Name)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			for _, v := range stores(i) {
				if v.Kind == Global && !v.Volatile {
					no("changes " + v.Name + ", which is not volatile")
				}
			}
			call, calls := i.(*Call)
			if calls && (call.Callee == nil || !l.handles(call.Callee)) {
				no("calls a routine")
			}
			eachOperand(i, func(e Expr) { l.harmless(e, no) })
		}
		switch end := b.End.(type) {
		case *Stop:
			if slices.Contains(l.opts.Checks, CheckLeaks) {
				no("ends the program")
			}
		case *Branch:
			l.harmless(end.Cond, no)
		case *Fail:
			no("has an assertion")
		}
	}
}

// stops reports a handler that may end the program.
func (l *linker) stops(f *Func) (stops bool) {
	for _, b := range f.Blocks {
		_, ends := b.End.(*Stop)
		stops = stops || ends || slices.ContainsFunc(b.Instrs, func(i Instr) bool {
			c, calls := i.(*Call)
			return calls && c.Callee != nil && stopping[plainName(c.Callee.Name)]
		})
	}
	return stops
}

// handles reports a routine that a handler may call: one that ends the program, and the reading of what is volatile.
func (l *linker) handles(f *Func) bool {
	name := plainName(f.Name)
	return f.Extern() && (strings.HasPrefix(name, "volatile ") || stopping[name] && !slices.Contains(l.opts.Checks, CheckLeaks))
}

// harmless refuses an expression that may have no value.
func (l *linker) harmless(e Expr, no func(string)) {
	eachExpr(e, func(e Expr) {
		switch e := e.(type) {
		case *Load:
			switch v := e.From.Var; {
			case v == nil || len(e.From.Index) > 0:
				no("uses a pointer or an index")
			case v.Kind == Local && slices.Contains(l.opts.Checks, CheckUninit):
				no("reads a variable of its own")
			}
		case *Binary:
			if e.T.Kind == Pointer || e.X.Type().Kind == Pointer && e.Op != Eq && e.Op != Ne {
				no("computes with pointers")
			}
			if e.Op == Div || e.Op == Rem || e.Op == Shl || e.Op == Shr || slices.Contains(l.opts.Checks, CheckOverflow) && (e.Op == Add || e.Op == Sub || e.Op == Mul) {
				no("computes what may have no value")
			}
		}
	})
}
