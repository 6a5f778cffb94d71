package cfront

import "github.com/seltl/seltl/c/ir"

// getopt is given the arguments of the program, of which nothing is known: which options are there is a choice of the
// run. What it does is known only for these arguments.

// oursRoutine stands in the library's text for whether getopt is given them, thereRoutine for one that is not null.
const oursRoutine, thereRoutine = ir.OwnPrefix + "ours", ir.OwnPrefix + "there"

// ours says so in the body of a routine.
func (l *linker) ours(f *ir.Func) {
	for _, b := range f.Blocks {
		for k, i := range b.Instrs {
			c, ok := i.(*ir.Call)
			if ok && c.Callee != nil && c.Callee.Name == thereRoutine {
				b.Instrs[k] = &ir.Assume{Cond: c.Args[0], Span: c.Span}
				continue
			}
			if !ok || c.Callee == nil || c.Callee.Name != oursRoutine || c.To == nil {
				continue
			}
			all := !l.prog.Pointed()[f]
			l.eachCall(func(in *ir.Func, c *ir.Call) {
				if c.Callee == f {
					all = all && len(c.Args) > 1 && l.argument(c.Args[1], in, 1)
				}
			})
			n := &ir.Const{T: c.To.Type}
			if all {
				n.Bits = 1
			}
			b.Instrs[k] = &ir.Assign{To: *c.To, Value: n, Span: c.Span}
		}
	}
}

// maxHanding bounds how often the arguments are handed on.
const maxHanding = 10

// argument reports that an expression in a routine is argv of the routine that the program begins with.
func (l *linker) argument(e ir.Expr, in *ir.Func, depth int) bool {
	load, is := ir.Unconverted(e).(*ir.Load)
	main := l.funcs["main"]
	if !is || load.From.Var == nil || load.From.Var.Kind != ir.Param || depth > maxHanding || l.opts.Entry != "" || main == nil {
		return false
	}
	at := -1
	for k, p := range in.Params {
		if p == load.From.Var {
			at = k
		}
	}
	changed := at < 0
	for _, b := range in.Blocks {
		for _, i := range b.Instrs {
			for _, v := range stores(i) {
				changed = changed || v == load.From.Var
			}
		}
	}
	in.Expressions(func(e ir.Expr) {
		a, is := e.(*ir.Addr)
		changed = changed || is && a.Of.Var == load.From.Var
	})
	switch {
	case changed || l.prog.Pointed()[in]:
		return false
	case in == main:
		return at == 1 && !l.calledAgain(main)
	}
	all := true
	l.eachCall(func(from *ir.Func, c *ir.Call) {
		if c.Callee == in {
			all = all && at < len(c.Args) && l.argument(c.Args[at], from, depth+1)
		}
	})
	return all
}
