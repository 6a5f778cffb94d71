package cfront

import "github.com/seltl/seltl/c/ir"

// known says of all routines without a body whether they are the library's: those that are declared
// with another type are the program's own. What differs in the width of a number is the library's, whose calls are
// followed if compilers pass the same numbers; but a plain input could as well be the program's, and is taken for that.
func (l *linker) known() {
	labels := map[string]string{}
	for _, s := range l.symbols {
		labels[s.name] = s.label
	}
	calls := map[*ir.Func][]int{}
	l.eachCall(func(_ *ir.Func, c *ir.Call) {
		if c.Callee != nil && c.Callee.Extern() {
			calls[c.Callee] = append(calls[c.Callee], len(c.Args))
		}
	})
	for _, f := range l.prog.Funcs {
		if !f.Extern() || f.Known != nil {
			continue
		}
		k := ir.KnownAs(f.Name)
		if k == nil && ir.KnownAs(labels[f.Name]) != nil { // by another name
			k = ir.Unknowable()
		}
		if k == nil {
			continue
		}
		switch as := k.Compare(f.Type, calls[f], l.opts.Model); {
		case as == ir.Different, as == ir.Wider && k.Meaning == ir.AsInput && !f.Type.Unproto:
			continue
		case as == ir.Wider && k.Misdeclared(f.Type, l.opts.Model):
			k.Misdeclare()
		case as == ir.Wider && (k.Meaning == ir.AsInput || k.Meaning == ir.AsOnce || k.Meaning == ir.AsSign):
			k.Meaning = ir.AsUnknown
		}
		f.Known = k
	}
}

// eachCall visits the calls of all routines, with who calls.
func (l *linker) eachCall(visit func(*ir.Func, *ir.Call)) {
	for _, f := range append([]*ir.Func{l.prog.Init}, l.prog.Funcs...) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok {
					visit(f, c)
				}
			}
		}
	}
}

// keptTexts notes the calls of routines of AsText whose results the program does more with than give them
// to a routine that is known.
func (l *linker) keptTexts() {
	l.eachCall(func(f *ir.Func, c *ir.Call) {
		if c.To != nil && c.Callee != nil && c.Callee.Means(ir.AsText) {
			c.Kept = c.To.Var == nil || c.To.Var.Kind != ir.Temp || !onlyGiven(f, c.To.Var)
		}
	})
}

// onlyGiven reports that the value of a temporary is only an argument of calls of routines that read
// what they are given.
func onlyGiven(f *ir.Func, v *ir.Var) bool {
	count := func(e ir.Expr) (n int) {
		ir.EachExpr(e, func(e ir.Expr) {
			if l, ok := e.(*ir.Load); ok && l.From.Var == v {
				n++
			}
		})
		return n
	}
	all, arguments := 0, 0
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			ir.EachOperand(i, func(e ir.Expr) { all += count(e) })
			c, ok := i.(*ir.Call)
			if !ok {
				continue
			}
			if c.To != nil && c.To.Var == v { // which is no reading
				arguments++
			}
			if c.Callee != nil && (c.Callee.Means(ir.AsUnknown) || c.Callee.Means(ir.AsSign)) {
				for _, a := range c.Args {
					arguments += count(a)
				}
			}
		}
		switch t := b.End.(type) {
		case *ir.Branch:
			all += count(t.Cond)
		case *ir.Return:
			if t.Value != nil {
				all += count(t.Value)
			}
		}
	}
	return all == arguments
}
