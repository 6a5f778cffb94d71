package ir

import (
	"maps"
	"slices"
	"strings"
)

// Following are the blocks that control goes to.
func Following(b *Block) []*Block {
	switch t := b.End.(type) {
	case *Jump:
		return []*Block{t.To}
	case *Branch:
		return []*Block{t.Then, t.Else}
	}
	return nil
}

// Destination is where an instruction stores, nil if nowhere.
func Destination(i Instr) *Place {
	switch i := i.(type) {
	case *Assign:
		return &i.To
	case *Havoc:
		return &i.To
	case *Clear:
		return &i.To
	case *Call:
		return i.To
	}
	return nil
}

// HasLoop reports that control can come to a block of a routine twice.
func (f *Func) HasLoop() bool {
	const open, done = 1, 2
	state := map[*Block]int{}
	type step struct {
		b    *Block
		next []*Block
	}
	if len(f.Blocks) == 0 {
		return false
	}
	stack := []step{{f.Blocks[0], Following(f.Blocks[0])}}
	state[f.Blocks[0]] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.next) == 0 {
			state[top.b] = done
			stack = stack[:len(stack)-1]
			continue
		}
		b := top.next[0]
		top.next = top.next[1:]
		switch state[b] {
		case open:
			return true
		case 0:
			state[b] = open
			stack = append(stack, step{b, Following(b)})
		}
	}
	return false
}

// Variable is one of the parameters and locals.
func (f *Func) Variable(k int) *Var {
	if k < len(f.Params) {
		return f.Params[k]
	}
	return f.Locals[k-len(f.Params)]
}

// Pointed are the routines whose address is taken.
func (p *Program) Pointed() map[*Func]bool {
	all := map[*Func]bool{}
	for _, f := range append([]*Func{p.Init}, p.Funcs...) {
		f.Expressions(func(e Expr) {
			if a, ok := e.(*FuncAddr); ok {
				all[a.Func] = true
			}
		})
	}
	return all
}

// Expressions visits all expressions of a routine, and their parts.
func (f *Func) Expressions(visit func(Expr)) {
	all := func(e Expr) { EachExpr(e, visit) }
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			EachOperand(i, all)
		}
		switch t := b.End.(type) {
		case *Branch:
			all(t.Cond)
		case *Return:
			if t.Value != nil {
				all(t.Value)
			}
		}
	}
}

// Unconverted is an expression without conversions around it.
func Unconverted(e Expr) Expr {
	for {
		c, converted := e.(*Convert)
		if !converted {
			return e
		}
		e = c.X
	}
}

// LiteralOf is the string that an argument is, if it is a literal: it ends at the first zero.
func LiteralOf(c *Call, at int) (text string, ok bool) {
	if at >= len(c.Args) {
		return "", false
	}
	e := c.Args[at]
	if conv, ok := e.(*Convert); ok {
		e = conv.X
	}
	a, ok := e.(*Addr)
	if !ok || a.Of.Var == nil || a.Of.Var.Literal == "" || a.Of.Off != 0 || len(a.Of.Index) > 0 {
		return "", false
	}
	text, _, _ = strings.Cut(a.Of.Var.Literal, "\x00")
	return text, true
}

// EachOperand visits the expressions of an instruction.
func EachOperand(i Instr, visit func(Expr)) {
	place := func(p Place) { visit(&Load{p}) }
	switch i := i.(type) {
	case *Assign:
		visit(i.Value)
		place(i.To)
	case *Havoc:
		place(i.To)
	case *Clear:
		place(i.To)
	case *Assume:
		visit(i.Cond)
	case *Use:
		visit(i.Value)
	case *Call:
		if i.Ptr != nil {
			visit(i.Ptr)
		}
		for _, a := range i.Args {
			visit(a)
		}
		if i.To != nil {
			place(*i.To)
		}
	}
}

// EachExpr visits an expression and its parts.
func EachExpr(e Expr, visit func(Expr)) {
	visit(e)
	Operands(e, func(part Expr) { EachExpr(part, visit) })
}

// AddressTaken are the variables whose address a routine takes.
func (f *Func) AddressTaken() map[*Var]bool {
	taken := map[*Var]bool{}
	f.Expressions(func(e Expr) {
		if a, ok := e.(*Addr); ok && a.Of.Var != nil {
			taken[a.Of.Var] = true
		}
	})
	return taken
}

// TakenLocals are the locals whose address some routine takes.
func (p *Program) TakenLocals() map[*Var]bool {
	all := map[*Var]bool{}
	for _, f := range p.Funcs {
		maps.Copy(all, f.AddressTaken())
	}
	return all
}

// Whole is all of a variable.
func Whole(v *Var) Place { return Place{Var: v, Type: v.Type} }

// Constant reports an address that nothing can change.
func (e *Addr) Constant() bool {
	return e.Of.Var != nil && !slices.ContainsFunc(e.Of.Index, func(i Index) bool { _, known := i.By.(*Const); return !known })
}

// ElementOf is what an argument points to before it becomes a void *, nil if that has no size.
func ElementOf(e Expr) (t *Type) {
	for {
		if p := e.Type(); p.Kind == Pointer && p.Elem != nil && p.Elem.Size > 0 && p.Elem.Kind != Void && p.Elem.Kind != Function {
			t = p.Elem
		}
		c, converted := e.(*Convert)
		if !converted || c.X.Type().Kind != Pointer {
			return t
		}
		e = c.X
	}
}

// NeverReturns reports a routine that does not return, whatever it is given.
func (f *Func) NeverReturns() bool {
	name := PlainName(f.Name)
	return !f.Type.Unproto && (FailRoutines[name] || AssertRoutines[name] || StopRoutines[name] && f.Means(AsOwn) || f.NoReturn && !f.Means(AsRefused))
}

// FixedParams reports the type of a routine that can be called with a value for each parameter.
func (t *Type) FixedParams() bool {
	whole := func(t *Type) bool { return t != nil && (t.Kind == Void || t.Size > 0) }
	return !t.Variadic && !t.Unproto && whole(t.Result) && !slices.ContainsFunc(t.Params, func(p *Type) bool { return !whole(p) })
}

// IsNull reports a constant that is 0.
func IsNull(e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Bits == 0
}

// Returned are the locals whose address a routine returns as it is written: compilers return null for it.
func (p *Program) Returned() map[*Var]bool {
	out := map[*Var]bool{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			t, ok := b.End.(*Return)
			if !ok || t.Value == nil {
				continue
			}
			if a, ok := Unconverted(t.Value).(*Addr); ok && a.Of.Var != nil && a.Of.Var.Kind != Global {
				out[a.Of.Var] = true
			}
		}
	}
	return out
}
