package cfront

import (
	"cmp"
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// What stands in a body and is not supported is refused where a run comes to it: the smallest
// statement, condition or declaration that it stands in is replaced by the call of a routine that leaves what
// is modelled. Headers are full of what no run comes to.

// marked is where a routine was when a part of it was begun.
type marked struct {
	routine        routine
	blocks, locals int
	instrs         int
	end            ir.Terminator
}

func (r *routine) mark() marked {
	m := marked{routine: *r, blocks: len(r.f.Blocks), locals: len(r.f.Locals)}
	if r.now != nil {
		m.instrs, m.end = len(r.now.Instrs), r.now.End
	}
	return m
}

// back forgets what was made since. Labels and variables that were named stay.
func (r *routine) back(m marked) {
	jumps, left := r.jumps, r.left
	*r = m.routine
	r.jumps, r.left = r.jumps || jumps, r.left || left
	r.f.Blocks, r.f.Locals = r.f.Blocks[:m.blocks], r.f.Locals[:m.locals]
	if r.now != nil {
		r.now.Instrs, r.now.End = r.now.Instrs[:m.instrs], m.end
	}
}

// attempt lowers a part of a routine. If that is refused, a run leaves what is modelled where it comes
// there; what was refused is returned. Parts that others jump into are refused as a whole.
func (r *routine) attempt(n cc.Node, lower func()) (bad *ir.Refusal) {
	before, first := r.mark(), r.inits.mark()
	defer func() {
		if bad = r.recovered(recover(), n); bad != nil {
			r.back(before)
			if r.inits != r {
				r.inits.back(first)
			}
			r.leave(bad)
		}
	}()
	if b := r.module.bad[n]; b != nil {
		panic(b)
	}
	lower()
	return nil
}

// recovered is what was refused in a part of a routine, if it may be; otherwise the panic goes on.
func (l *linker) recovered(x any, n cc.Node) *ir.Refusal {
	if x == nil {
		return nil
	}
	bad, ok := x.(*ir.Refusal)
	if !ok || l.reads || bad.Mistaken() || n == nil || n.Position().Filename == conditionFile || hasLabels(n) {
		panic(x)
	}
	return bad
}

// refused is what was refused while something was done, nil if nothing was.
func (l *linker) refused(do func()) (bad *ir.Refusal) {
	defer func() {
		if x := recover(); x != nil {
			var is bool
			if bad, is = x.(*ir.Refusal); !is || l.reads || bad.Mistaken() {
				panic(x)
			}
		}
	}()
	do()
	return nil
}

// leave ends the run as one that is not followed.
func (r *routine) leave(bad *ir.Refusal) {
	r.emit(&ir.Call{Callee: r.unread(), Unread: bad.Message, Span: bad.Span})
	r.end(&ir.Stop{What: "what is not read", Span: bad.Span})
	r.note(bad)
}

// note keeps what was refused where runs come to it.
func (l *linker) note(bad *ir.Refusal) {
	same := func(d source.Diagnostic) bool { return d.Message == bad.Message && d.Span == bad.Span }
	if !slices.ContainsFunc(l.prog.Unread, same) {
		l.prog.Unread = append(l.prog.Unread, bad.Diagnostic)
	}
}

// unread is unreadRoutine.
func (l *linker) unread() *ir.Func {
	if l.funcs[ir.UnreadRoutine] == nil {
		void := &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}
		f := &ir.Func{Name: ir.UnreadRoutine, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: void, Name: "void()"}, Known: ir.Unknowable()}
		l.funcs[ir.UnreadRoutine] = f
		l.prog.Funcs = append(l.prog.Funcs, f)
	}
	return l.funcs[ir.UnreadRoutine]
}

// hasLabels reports a part of a routine with labels in it.
func hasLabels(n cc.Node) (found bool) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		_, label := n.(*cc.LabeledStatement)
		found = found || label
	})
	return found
}

// notRead makes a name one whose every use is refused.
func notRead(name string, span ir.Span, bad *ir.Refusal) *ir.Var {
	return &ir.Var{Name: name, Type: &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}, Span: span, Unread: bad}
}

// later refuses what a source declares, or defines, where it is used.
func (l *linker) later(m *module, d *cc.Declarator, n cc.Node, lower func()) {
	first := l.inits.mark()
	defer func() {
		bad := l.recovered(recover(), n)
		if bad == nil {
			return
		}
		l.inits.back(first)
		l.note(bad)
		if f := cmp.Or(m.funcs[d.Name()], l.funcs[d.Name()]); f != nil {
			f.Known, f.Blocks, f.Params, f.Locals = ir.Unknowable(), nil, nil, nil
		}
		vars := l.vars
		if d.Linkage() == cc.Internal || d.IsStatic() || m.vars[d.Name()] != nil {
			vars = m.vars
		}
		if v := vars[d.Name()]; v != nil {
			v.Unread = bad
		} else {
			vars[d.Name()] = notRead(d.Name(), m.span(d), bad)
		}
	}()
	if b := m.bad[n]; b != nil {
		panic(b)
	}
	lower()
}

// unreadUses ends runs that come to variables that were refused behind their use. A variable whose first value
// rests on one is such, too.
func (l *linker) unreadUses() {
	for more := true; more; {
		more = false
		for _, b := range l.prog.Init.Blocks {
			if bad := usedUnread(b.End); bad != nil {
				panic(bad)
			}
			for k := 0; k < len(b.Instrs); k++ {
				bad := usedUnread(b.Instrs[k])
				if bad == nil {
					continue
				}
				for _, v := range stores(b.Instrs[k]) {
					more = more || v.Unread == nil
					v.Unread = bad
				}
				b.Instrs = slices.Delete(b.Instrs, k, k+1)
				k--
			}
		}
	}
	for _, f := range l.prog.Funcs {
		if f.Extern() {
			continue
		}
		for _, b := range f.Blocks {
			if k := slices.IndexFunc(b.Instrs, func(i ir.Instr) bool { return usedUnread(i) != nil }); k >= 0 {
				l.endAt(b, k, usedUnread(b.Instrs[k]))
			} else if bad := usedUnread(b.End); bad != nil {
				l.endAt(b, len(b.Instrs), bad)
			}
		}
		tidy(f)
	}
	for _, f := range l.prog.Conditions {
		if f == nil {
			continue
		}
		f.Expressions(func(e ir.Expr) {
			if bad := unreadIn(e); bad != nil {
				panic(bad)
			}
		})
	}
}

// endAt ends a block in front of an instruction.
func (l *linker) endAt(b *ir.Block, k int, bad *ir.Refusal) {
	span := b.End.At()
	if k < len(b.Instrs) {
		span = b.Instrs[k].At()
	}
	b.Instrs = append(b.Instrs[:k:k], &ir.Call{Callee: l.unread(), Unread: bad.Message, Span: span})
	b.End = &ir.Stop{What: "what is not read", Span: span}
	l.note(bad)
}

// stores are the variables that an instruction stores to.
func stores(i ir.Instr) []*ir.Var {
	var to []ir.Place
	switch i := i.(type) {
	case *ir.Assign:
		to = append(to, i.To)
	case *ir.Havoc:
		to = append(to, i.To)
	case *ir.Clear:
		to = append(to, i.To)
	case *ir.Call:
		if i.To != nil {
			to = append(to, *i.To)
		}
	}
	to = slices.DeleteFunc(to, func(p ir.Place) bool { return p.Var == nil })
	return lists.Map(to, func(p ir.Place) *ir.Var { return p.Var })
}

// usedUnread is why something that an instruction, or the end of a block, names was refused; nil if
// nothing was.
func usedUnread(x any) (bad *ir.Refusal) {
	visit := func(e ir.Expr) {
		ir.EachExpr(e, func(e ir.Expr) {
			if b := unreadIn(e); b != nil {
				bad = b
			}
		})
	}
	switch x := x.(type) {
	case *ir.Branch:
		visit(x.Cond)
	case *ir.Return:
		if x.Value != nil {
			visit(x.Value)
		}
	case ir.Instr:
		ir.EachOperand(x, visit)
	}
	return bad
}

// unreadIn is why what an expression itself names was refused.
func unreadIn(e ir.Expr) *ir.Refusal {
	switch e := e.(type) {
	case *ir.Load:
		if e.From.Var != nil {
			return e.From.Var.Unread
		}
	case *ir.Addr:
		if e.Of.Var != nil {
			return e.Of.Var.Unread
		}
	case *ir.FuncAddr:
		return e.Func.Unread
	}
	return nil
}

// walkPath is walk that keeps the path to where it is.
func (l *linker) walkPath(v reflect.Value, seen map[any]bool, visit func(cc.Node)) {
	walkWith(v, seen, func(n cc.Node) {
		l.path = append(l.path, n)
		visit(n)
	}, func() { l.path = l.path[:len(l.path)-1] })
}

// judged runs a judgement about what l.path leads to. What is refused in an expression of a body, or in an
// initialiser, is refused where that is used; the rest, of which types are made, wherever it stands.
func (l *linker) judged(m *module, do func()) {
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		bad, ok := x.(*ir.Refusal)
		if !ok {
			panic(x)
		}
		part := partOf(l.path)
		if part == nil || bad.Mistaken() {
			l.guarded(func() { panic(bad) })
			return
		}
		if m.bad == nil {
			m.bad = map[cc.Node]*ir.Refusal{}
		}
		if m.bad[part] == nil {
			m.bad[part] = bad
		}
	}()
	do()
}

// partOf is what attempt, or later, is given of what a path leads through, nil if it is no such part: a
// type or the length of an array, which the parser has made other things of.
func partOf(path []cc.Node) (part cc.Node) {
	var init *cc.InitDeclarator
	open := false // an expression that begins here is a part
	for _, n := range path {
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier, *cc.EnumSpecifier:
			return nil
		case *cc.Statement, *cc.LabeledStatement:
			part, open = nil, true
		case *cc.Declaration:
			part, open, init = nil, false, nil
		case *cc.InitDeclarator:
			init = n
		case *cc.Initializer:
			if part == nil && init != nil {
				part = init
			}
		case cc.ExpressionNode:
			if part == nil && open {
				part = n
			}
		}
	}
	return part
}
