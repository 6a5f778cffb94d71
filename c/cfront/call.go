package cfront

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// call lowers a call; its value is nil if the routine is void.
func (r *routine) call(n *cc.PostfixExpression, wanted bool) ir.Expr {
	from := len(r.orders.log)
	fn := r.need(n.PostfixExpression)
	r.orders.value(fn)
	var ft *ir.Type
	c := &ir.Call{Span: r.span(n)}
	if f, ok := fn.(*ir.FuncAddr); ok {
		c.Callee, ft = f.Func, f.Func.Type
		if e, done := r.builtin(n, f.Func); done {
			return e
		}
	} else {
		if fn.Type().Kind != ir.Pointer || fn.Type().Elem.Kind != ir.Function {
			refuse(r.span(n), "c-type", "", "%s is no routine", fn.Type())
		}
		c.Ptr, ft = fn, fn.Type().Elem
	}
	if c.Callee != nil && ir.PlainName(c.Callee.Name) == "alloca" && r.inVariableLength() {
		refuse(c.Span, "c-alloca", "call it outside of the block", "alloca() in the block of an array of variable length, with which its memory may end")
	}
	args := argumentsOf(n)
	if c.Ptr != nil && slices.ContainsFunc(args, hasEffects) {
		c.Ptr = r.save(c.Ptr, c.Span)
	}
	if len(args) < len(ft.Params) || len(args) > len(ft.Params) && !ft.Variadic && !ft.Unproto {
		refuse(c.Span, "c-arguments", "", "%d arguments for %s", len(args), ft)
	}
	prototype := c.Callee == nil || r.module.prototyped(n)
	c.Args = r.arguments(from, args, func(i int, a cc.ExpressionNode, v ir.Expr) ir.Expr {
		switch {
		case i < len(ft.Params) && prototype:
			v = r.convert(a, v, ft.Params[i])
		case v.Type().Kind == ir.Integer:
			v = r.promote(a, v)
		case v.Type().Kind == ir.IEEE:
			v = r.convert(a, v, r.types.ieee(8))
		}
		return v
	})
	if ft.Result == nil {
		refuse(c.Span, "c-type", "", "what this routine returns is not supported")
	}
	if ft.Result.Kind == ir.Void {
		r.emit(c)
		return nil
	}
	if !wanted {
		r.emit(c)
		return &ir.Const{T: r.types.int(), Bits: 0}
	}
	result := r.temp(ft.Result)
	result.Holds = c.Shown()
	t := ir.Whole(result)
	c.To = &t
	r.emit(c)
	return &ir.Load{From: t}
}

func argumentsOf(n *cc.PostfixExpression) (args []cc.ExpressionNode) {
	for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		args = append(args, a.AssignmentExpression)
	}
	return args
}

// arguments evaluates arguments, in the order of the text, which C leaves open: from is where the evaluation of the
// call began.
func (r *routine) arguments(from int, args []cc.ExpressionNode, convert func(i int, a cc.ExpressionNode, v ir.Expr) ir.Expr) (values []ir.Expr) {
	for i, a := range args {
		between := len(r.orders.log)
		v := r.need(a)
		r.orders.value(v)
		r.openOrder(from, between, a, nil)
		if v = convert(i, a, v); v.Type().Kind == ir.Float {
			r.use(v, r.span(a))
		}
		if slices.ContainsFunc(args[i+1:], hasEffects) {
			v = r.savedArgument(v, r.span(a))
		}
		values = append(values, v)
	}
	return values
}

// given are the arguments of a builtin.
func (r *routine) given(n *cc.PostfixExpression) []ir.Expr {
	return r.arguments(len(r.orders.log), argumentsOf(n), func(_ int, _ cc.ExpressionNode, v ir.Expr) ir.Expr { return v })
}

// savedArgument keeps the value of an argument until the call.
func (r *routine) savedArgument(v ir.Expr, span ir.Span) ir.Expr {
	if v.Type().Kind != ir.Struct {
		return r.save(v, span)
	}
	if l, ok := v.(*ir.Load); ok && l.From.Var != nil && l.From.Var.Kind == ir.Temp {
		return v
	}
	t := r.temp(v.Type())
	r.emit(&ir.Assign{To: ir.Whole(t), Value: v, Span: span})
	return &ir.Load{From: ir.Whole(t)}
}

// longestShown bounds what is shown of an expression in messages.
const longestShown = 80

// written is an expression as the user wrote it, macros expanded, in parentheses; "" if it is
// long.
func written(n cc.Node) string {
	if left := longestShown; !isShort(reflect.ValueOf(n), &left) {
		return ""
	}
	text := strings.Join(strings.Fields(cc.NodeSource(n)), " ")
	if len(text) > longestShown {
		return ""
	}
	return "(" + text + ")"
}

// isShort takes the lengths of a node's tokens, none twice, from what is left, and stops when nothing
// is. NodeSource would walk all of a chain of ?: for each of its links.
func isShort(n reflect.Value, left *int) bool {
	for n.Kind() == reflect.Interface || n.Kind() == reflect.Pointer {
		n = n.Elem()
	}
	if n.Kind() != reflect.Struct {
		return true
	}
	for pass := range 2 { // tokens first: there is one on every level
		for i := range n.NumField() {
			field := n.Field(i)
			if !n.Type().Field(i).IsExported() {
				continue
			}
			token, ok := field.Interface().(cc.Token)
			switch _, node := field.Interface().(cc.Node); {
			case ok && pass == 0 && !field.IsZero():
				*left -= len(token.SrcStr())
			case ok || pass == 0 || !node || field.IsZero():
			case !isShort(field, left):
				return false
			}
			if *left < 0 {
				return false
			}
		}
	}
	return true
}

// builtin lowers what is no routine, but looks like one.
func (r *routine) builtin(n *cc.PostfixExpression, f *ir.Func) (ir.Expr, bool) {
	switch f.Name {
	case "__builtin_expect", "__builtin_expect_with_probability":
		if n.ArgumentExpressionList != nil {
			t := r.types.integer(r.types.model.PointerSize(), true, false)
			return r.convert(n, r.given(n)[0], t), true
		}
	case "__builtin_assume": // what it is told is not evaluated
		refuse(r.span(n), "c-assume", "use __VERIFIER_assume()", "__builtin_assume() is not supported")
	case "__builtin_assume_aligned":
		if n.ArgumentExpressionList != nil {
			return r.given(n)[0], true
		}
	case "__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size":
		// Their operands are not evaluated.
		v := r.temp(f.Type.Result)
		to := ir.Whole(v)
		c := &ir.Call{To: &to, Callee: f, Span: r.span(n)}
		for _, t := range f.Type.Params {
			c.Args = append(c.Args, &ir.Const{T: t, Bits: 0})
		}
		v.Holds = f.Name + "()"
		r.emit(c)
		return &ir.Load{From: to}, true
	}
	if e, done := r.floatBuiltin(n, f); done {
		return e, true
	}
	if overflowBuiltin().MatchString(f.Name) {
		return r.overflowing(n, f)
	}
	switch f.Name {
	case "__builtin_va_start", "__builtin_va_copy": // only routines of the library look into it
		r.f.ListsArguments = true
		if args := n.ArgumentExpressionList; args != nil {
			list := args.AssignmentExpression
			if _, cast := unwrapped(list).(*cc.CastExpression); !cast { // an address, as CIL writes it: nobody looks into it
				r.emit(&ir.Havoc{To: r.place(list), Why: ir.Told, Span: r.span(n)})
			}
		}
		return &ir.Const{T: r.types.int(), Bits: 0}, true
	case "__builtin_va_end":
		return &ir.Const{T: r.types.int(), Bits: 0}, true
	}
	if strings.HasPrefix(f.Name, "__builtin_va_") {
		refuse(r.span(n), "c-variadic", "give the routine a fixed number of parameters", "%s is not supported", strings.TrimSuffix(f.Name, "_impl"))
	}
	return nil, false
}

// specials makes failures, ends and assumptions of calls, now that it is known which
// routines have bodies.
func (l *linker) specials() {
	for _, f := range l.prog.Funcs {
		if f.Extern() {
			continue
		}
		for i := 0; i < len(f.Blocks); i++ {
			l.special(f, f.Blocks[i])
		}
		for _, b := range f.Blocks {
			if t, returns := b.End.(*ir.Return); returns && f.NoReturn { // undefined (C11 6.7.4, 8)
				l.endAt(b, len(b.Instrs), &ir.Refusal{Diagnostic: source.Diagnostic{Span: t.Span, Code: "c-noreturn", Message: f.Name + "() returns, which is declared not to"}})
			}
		}
		tidy(f)
	}
}

func (l *linker) special(f *ir.Func, b *ir.Block) {
	for i := 0; i < len(b.Instrs); i++ { // some get others behind them
		c, ok := b.Instrs[i].(*ir.Call)
		if !ok || c.Callee == nil {
			continue
		}
		name, extern := c.Callee.Name, c.Callee.Extern()
		if bad := l.refused(func() { l.misfitted(c) }); bad != nil {
			l.endAt(b, i, bad)
			return
		}
		switch {
		case slices.Contains(l.opts.Abstract, name):
			if !extern {
				l.fit(c)
			}
		case l.opts.failsBy(name) || extern && ir.AssertRoutines[name] && l.opts.assertions():
			b.Instrs, b.End = b.Instrs[:i:i], &ir.Fail{What: failureOf(c), Span: c.Span, By: name}
			return
		case extern && ir.AssertRoutines[name]:
			b.Instrs, b.End = b.Instrs[:i:i], &ir.Stop{What: name + "()", Span: c.Span}
			return
		case extern && (ir.StopRoutines[ir.PlainName(name)] && c.Callee.Means(ir.AsOwn) || c.Callee.NoReturn && !c.Callee.Means(ir.AsRefused)):
			b.Instrs, b.End = b.Instrs[:i:i], &ir.Stop{What: name + "()", Span: c.Span, Declared: c.Callee.Known == nil}
			for _, a := range c.Args {
				b.Instrs = append(b.Instrs, &ir.Use{Value: a, Span: c.Span})
			}
			return
		case extern && ir.CheckRoutines[name] && len(c.Args) == 1 && c.Args[0].Type().Scalar():
			rest := &ir.Block{Instrs: slices.Clone(b.Instrs[i+1:]), End: b.End}
			bad := &ir.Block{End: &ir.Fail{What: assertionFails(ir.ShownAlone(c.Args[0])), Span: c.Span, By: "__assert_fail"}}
			if !l.opts.assertions() {
				bad.End = &ir.Stop{What: name + "()", Span: c.Span}
			}
			b.Instrs, b.End = b.Instrs[:i:i], &ir.Branch{Cond: truthOf(c.Args[0]), Then: rest, Else: bad, Span: c.Span}
			f.AddBlocks(rest, bad)
			return
		case extern && ir.AssumeRoutines[name] && len(c.Args) == 1 && c.Args[0].Type().Scalar():
			b.Instrs[i] = &ir.Assume{Cond: truthOf(c.Args[0]), Span: c.Span}
		case extern && ir.ReadsByFormat(name) && c.Callee.Means(ir.AsOwn):
			if bad := l.refused(func() { l.conversionsOf(c) }); bad != nil {
				l.endAt(b, i, bad)
				return
			}
			rest := &ir.Block{Instrs: slices.Clone(b.Instrs[i+1:]), End: b.End}
			b.Instrs, b.End = b.Instrs[:i:i], nil
			f.AddBlocks(rest)
			l.scan(f, b, c, rest)
			return
		case extern && handling[name] != 0 && c.Callee.Known != nil:
			if bad := l.refused(func() { l.handlers(c) }); bad != nil {
				l.endAt(b, i, bad)
				return
			}
		case !extern:
			bad := l.refused(func() { l.listed(c) })
			if bad == nil {
				bad = l.refused(func() { l.promoted(c) })
			}
			if bad != nil {
				l.endAt(b, i, bad)
				return
			}
			if n := len(c.Callee.Params); c.Callee.Type.Variadic && len(c.Args) > n {
				uses := lists.Map(c.Args[n:], func(a ir.Expr) ir.Instr { return &ir.Use{Value: a, Span: c.Span} })
				b.Instrs = slices.Insert(b.Instrs, i, uses...)
				i += len(uses)
			}
			l.fit(c)
		}
	}
}

// listed refuses a call of a routine that hands its further arguments to the library, where that may write through one.
func (l *linker) listed(c *ir.Call) {
	n := len(c.Callee.Params)
	if !c.Callee.ListsArguments || len(c.Args) <= n {
		return
	}
	k := &ir.Known{Params: make([]ir.TypeShape, n), Format: n - 1}
	if k.MayWrite(c) {
		refuse(c.Span, "c-variadic", "write the format as a string without %n", "%s() may write through what it is given beside its parameters", c.Callee.Name)
	}
}

// failureOf says what a call fails by: glibc's and musl's macro assert gives its condition.
func failureOf(c *ir.Call) string {
	if text, ok := ir.LiteralOf(c, 0); ok && ir.AssertRoutines[c.Callee.Name] {
		return assertionFails(text)
	}
	return c.Callee.Name + "() is called"
}

// assertionFails says which condition does not hold.
func assertionFails(condition string) string {
	return fmt.Sprintf("assertion %s fails", condition)
}

// fit makes the arguments of a call those of the definition, which the caller may not
// have seen.
func (l *linker) fit(c *ir.Call) {
	if n := len(c.Callee.Params); c.Callee.Type.Variadic && len(c.Args) > n { // its body does not read these
		c.Args = c.Args[:n]
	}
	if len(c.Args) != len(c.Callee.Params) {
		refuse(c.Span, "c-arguments", "declare the routine before it is called", "%d arguments for %s", len(c.Args), c.Callee.Type)
	}
	for i, p := range c.Callee.Params {
		switch from := c.Args[i].Type(); {
		case from == p.Type || from.Kind == p.Type.Kind && from.Kind != ir.Integer && from.Kind != ir.IEEE:
		case from.Scalar() && p.Type.Scalar() && (from.Kind == ir.IEEE) == (p.Type.Kind == ir.IEEE):
			c.Args[i] = ir.Fold(&ir.Convert{X: c.Args[i], T: p.Type})
		default:
			refuse(c.Span, "c-arguments", "declare the routine before it is called", "%s is no %s", from, p.Type)
		}
	}
}
