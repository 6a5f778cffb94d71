package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// place lowers an expression that names an object.
func (r *routine) place(n cc.ExpressionNode) ir.Place {
	switch n := n.(type) {
	case *cc.ExpressionList:
		for n.ExpressionList != nil {
			r.effect(n.AssignmentExpression)
			n = n.ExpressionList
		}
		return r.place(n.AssignmentExpression)
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			if v := r.lookup(n.Token.SrcStr()); v != nil {
				return ir.Whole(v)
			}
		case cc.PrimaryExpressionExpr:
			return r.place(n.ExpressionList)
		case cc.PrimaryExpressionString:
			if a, ok := r.primary(n).(*ir.Addr); ok {
				return ir.Whole(a.Of.Var)
			}
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			a, i := r.operands(n.PostfixExpression, n.ExpressionList)
			if a.Type().Kind == ir.Integer {
				a, i = i, a
			}
			return r.deref(n, r.operate(n, ir.Add, a, i))
		case cc.PostfixExpressionSelect:
			return r.temporary(n, r.member(n, r.object(n.PostfixExpression)))
		case cc.PostfixExpressionPSelect:
			return r.member(n, r.deref(n, r.need(n.PostfixExpression)))
		case cc.PostfixExpressionComplit:
			return r.compound1(n)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return r.deref(n, r.need(n.CastExpression))
		}
	}
	refuse(r.span(n), "c-lvalue", "", "this is no object that can be named")
	return ir.Place{}
}

// object is the place of a struct, which may be the result of a call.
func (r *routine) object(n cc.ExpressionNode) ir.Place {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionExpr {
			return r.object(e.ExpressionList)
		}
	case *cc.PostfixExpression:
		if e.Case != cc.PostfixExpressionCall {
			return r.place(n)
		}
	case *cc.UnaryExpression:
		return r.place(n)
	}
	if p, ok := n.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		return r.place(n)
	}
	l, ok := r.need(n).(*ir.Load)
	if !ok {
		refuse(r.span(n), "c-type", "", "this is no struct")
	}
	return l.From
}

// temporary is a member of a struct that may be a value and no object. If it is an array, the struct
// is an object until the end of the whole expression (C11 6.2.4p8): ended, to all that the block has.
func (r *routine) temporary(n *cc.PostfixExpression, p ir.Place) ir.Place {
	if p.Type.Kind != ir.Array {
		return p
	}
	switch inside(n.PostfixExpression).(type) {
	case *cc.AssignmentExpression, *cc.ExpressionList: // of which compilers make no object of its own
		refuse(r.span(n), "c-expression", "name the struct", "an array of a struct that is the value of an assignment, or of a comma, is not supported")
	}
	if v := p.Var; v != nil && v.Kind == ir.Temp {
		v.Name, v.Kind, v.Depth = r.names.unique("temporary"), ir.Local, max(len(r.scopes)-1, 1)
		v.Temporary = true
		r.belongs(v)
	}
	return p
}

// deref is what a pointer points to.
func (r *routine) deref(n cc.Node, p ir.Expr) ir.Place {
	t := p.Type()
	if t.Kind != ir.Pointer {
		refuse(r.span(n), "c-type", "", "%s is no pointer", t)
	}
	if t.Elem.Kind == ir.Void {
		refuse(r.span(n), "c-type", "cast it to a type that is not void*", "what void* points to has no type")
	}
	switch a := p.(type) {
	case *ir.Addr:
		of := a.Of
		of.Type = t.Elem
		return of
	case *ir.Move:
		return ir.Place{Ptr: a.P, Index: []ir.Index{{By: a.By, Stride: a.Stride, Len: -1}}, Type: t.Elem}
	}
	return ir.Place{Ptr: p, Type: t.Elem}
}

// member is a field of a struct.
func (r *routine) member(n *cc.PostfixExpression, of ir.Place) ir.Place {
	name := n.Token2.SrcStr()
	f, ok := findField(of.Type, name)
	if !ok {
		refuse(r.span(n), "c-field", "", "%s has no member %s", of.Type, name)
	}
	if f.Bits > 0 && (f.BitOff+f.Bits > f.Type.Width() || f.Off+f.Type.Size > of.Type.Size && !of.Type.Union) {
		refuse(r.span(n), "c-bitfield", "do not pack it", "a bit-field that lies across units of its type is not supported")
	}
	of.Off += f.Off
	of.Type, of.BitOff, of.Bits = f.Type, f.BitOff, f.Bits
	return of
}

// findField finds a member, in members without a name, too.
func findField(t *ir.Type, name string) (ir.Field, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
		if f.Name == "" && f.Type.Kind == ir.Struct {
			if in, ok := findField(f.Type, name); ok {
				in.Off += f.Off
				return in, true
			}
		}
	}
	return ir.Field{}, false
}

func (r *routine) postfix(n *cc.PostfixExpression) ir.Expr {
	switch n.Case {
	case cc.PostfixExpressionCall:
		return r.call(n, true)
	case cc.PostfixExpressionInc:
		return r.stepped(n, ir.Add)
	case cc.PostfixExpressionDec:
		return r.stepped(n, ir.Sub)
	}
	return r.read(n, r.place(n))
}

func (r *routine) unary(n *cc.UnaryExpression) ir.Expr {
	switch n.Case {
	case cc.UnaryExpressionInc:
		return r.load(r.step(n, n.UnaryExpression, ir.Add))
	case cc.UnaryExpressionDec:
		return r.load(r.step(n, n.UnaryExpression, ir.Sub))
	case cc.UnaryExpressionAddrof:
		return r.address(n)
	case cc.UnaryExpressionDeref:
		p := r.need(n.CastExpression)
		if p.Type().Kind == ir.Pointer && p.Type().Elem.Kind == ir.Function {
			return p
		}
		return r.read(n, r.deref(n, p))
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
		x := r.need(n.CastExpression)
		if x.Type().Kind == ir.Float {
			r.use(x, r.span(n))
			return r.anyFloat(x.Type())
		}
		if x.Type().Kind != ir.Integer && (x.Type().Kind != ir.IEEE || n.Case == cc.UnaryExpressionCpl) {
			refuse(r.span(n), "c-type", "", "this operation is not for %s", x.Type())
		}
		x = r.promote(n, x)
		switch n.Case {
		case cc.UnaryExpressionMinus:
			return ir.Fold(&ir.Unary{Op: ir.Neg, X: x})
		case cc.UnaryExpressionCpl:
			return ir.Fold(&ir.Unary{Op: ir.BitNot, X: x})
		}
		return x
	case cc.UnaryExpressionNot:
		return r.isZero(n, r.need(n.CastExpression))
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if n.Case == cc.UnaryExpressionSizeofExpr {
			if v := r.lengthOf(n.UnaryExpression); v != nil {
				return r.sizeOf(n, v)
			}
		}
		return &ir.Const{T: r.types.size(), Bits: r.measured(n)}
	}
	refuse(r.span(n), "c-expression", "write it in other words", "this operator is not supported")
	return nil
}

// measured is the value of sizeof or _Alignof.
func (r *routine) measured(n *cc.UnaryExpression) uint64 {
	if t := sized(n); t != nil && !r.types.sizeKnown(t) {
		size, ok := r.types.measure(t)
		if !ok {
			refuse(r.span(n), "c-type", "write the number", "the size of %s, with bit-fields, packing or a mode, is not known", t)
		}
		return uint64(size)
	}
	if isAlignment(n) {
		bytes, ok := r.types.aligned(n)
		if !ok {
			refuse(r.span(n), "c-type", "name the type, as in _Alignof(int)", "this alignment is not known")
		}
		return uint64(bytes)
	}
	e := r.number(n, n)
	return e.(*ir.Const).Bits
}

// isZero is !x.
func (r *routine) isZero(n cc.Node, x ir.Expr) ir.Expr {
	switch {
	case x.Type().Kind == ir.Float:
		return r.operate(n, ir.Eq, x, x)
	case !x.Type().Scalar():
		refuse(r.span(n), "c-type", "", "%s is neither true nor false", x.Type())
	}
	return ir.Fold(&ir.Binary{Op: ir.Eq, X: x, Y: &ir.Const{T: x.Type(), Bits: 0}, T: r.types.int()})
}

// address is &x.
func (r *routine) address(n *cc.UnaryExpression) ir.Expr {
	if f, ok := r.routineNamed(n.CastExpression); ok {
		return f
	}
	if v := r.lengthOf(n.CastExpression); v != nil { // the address of the array is that of its first element
		return &ir.Load{From: ir.Whole(v)}
	}
	p := r.place(n.CastExpression)
	if p.Bits > 0 {
		refuse(r.span(n), "c-bitfield", "", "a bit-field has no address")
	}
	if p.Type.Kind == ir.Function {
		return p.Ptr
	}
	if p.Var == nil && p.Off == 0 && len(p.Index) == 0 {
		return r.convert(n, p.Ptr, r.types.pointer(p.Type))
	}
	return &ir.Addr{Of: p, Len: -1, T: r.types.pointer(p.Type)}
}

// routineNamed finds the routine that an expression names.
func (r *routine) routineNamed(n cc.ExpressionNode) (*ir.FuncAddr, bool) {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionExpr:
			return r.routineNamed(e.ExpressionList)
		case cc.PrimaryExpressionIdent:
			if r.lookup(e.Token.SrcStr()) == nil && e.Token.SrcStr() != "__func__" {
				f, ok := r.identifier(e).(*ir.FuncAddr)
				return f, ok
			}
		}
	}
	return nil, false
}

// step is ++x or --x; the place keeps its address.
func (r *routine) step(n cc.Node, of cc.ExpressionNode, op ir.Op) ir.Place {
	p := r.freeze(r.place(of), r.span(of))
	r.advance(n, p, r.read(of, p), op)
	return p
}

// advance stores a value and one more, or less.
func (r *routine) advance(n cc.Node, p ir.Place, value ir.Expr, op ir.Op) {
	r.store(p, r.convert(n, r.operate(n, op, widened(op, value), &ir.Const{T: r.types.int(), Bits: 1}), p.Type), r.span(n))
}

// stepped is x++ or x--.
func (r *routine) stepped(n *cc.PostfixExpression, op ir.Op) ir.Expr {
	p := r.freeze(r.place(n.PostfixExpression), r.span(n))
	if p.Type.Kind == ir.Float {
		r.advance(n, p, &ir.Load{From: p}, op)
		return r.anyFloat(p.Type)
	}
	t := r.temp(p.Type)
	value := r.read(n.PostfixExpression, p)
	old := value
	if p.Bits > 0 {
		old = r.promote(n, old)
		t.Type = old.Type()
	}
	t.Holds = ir.ShownText(old) + map[ir.Op]string{ir.Add: "++", ir.Sub: "--"}[op]
	r.emit(&ir.Assign{To: ir.Whole(t), Value: old, Span: r.span(n)})
	r.advance(n, p, value, op)
	return &ir.Load{From: ir.Whole(t)}
}

// assignment lowers x = y and x op= y.
func (r *routine) assignment(n *cc.AssignmentExpression, wanted bool) ir.Expr {
	from := len(r.orders.log)
	p := r.place(n.UnaryExpression)
	if p.Type.Kind == ir.Array || p.Type.Kind == ir.Function || p.Type.Kind == ir.Void {
		refuse(r.span(n), "c-type", "", "%s cannot be assigned", p.Type)
	}
	simple := n.Case == cc.AssignmentExpressionAssign
	if hasEffects(n.AssignmentExpression) || !simple || wanted {
		p = r.freeze(p, r.span(n))
	}
	r.orders.target(p, !simple)
	between := len(r.orders.log)
	v := r.need(n.AssignmentExpression)
	r.orders.value(v)
	r.openOrder(from, between, n, nil)
	if !simple {
		v = r.operate(n, assigning[n.Case], widened(assigning[n.Case], r.read(n.UnaryExpression, p)), v)
	}
	v = r.convert(n, v, p.Type)
	if wanted && p.Bits == 0 && p.Type.Kind != ir.Struct {
		v = r.save(v, r.span(n))
	}
	r.store(p, v, r.span(n))
	if p.Bits > 0 || p.Type.Kind == ir.Struct {
		return r.load(p)
	}
	return v
}

// truthValue is && or || as a number.
func (r *routine) truthValue(n cc.ExpressionNode) ir.Expr {
	if r.ofConstants(n) {
		if yes, known := r.truth(n); known {
			return &ir.Const{T: r.types.int(), Bits: map[bool]uint64{true: 1}[yes]}
		}
	}
	t := r.temp(r.types.int())
	t.Holds = written(n)
	yes, no, done := r.block(""), r.block(""), r.block("")
	r.condition(n, yes, no)
	r.begin(yes)
	r.emit(&ir.Assign{To: ir.Whole(t), Value: &ir.Const{T: t.Type, Bits: 1}, Span: r.span(n)})
	r.end(&ir.Jump{To: done, Span: r.span(n)})
	r.begin(no)
	r.emit(&ir.Assign{To: ir.Whole(t), Value: &ir.Const{T: t.Type, Bits: 0}, Span: r.span(n)})
	r.begin(done)
	return &ir.Load{From: ir.Whole(t)}
}

// elvis is c ?: b, which is c ? c : b with c computed once.
func (r *routine) elvis(n *cc.ConditionalExpression) ir.Expr {
	x := r.promote(n, r.need(n.LogicalOrExpression))
	if !x.Type().Scalar() {
		refuse(r.span(n), "c-expression", "write c ? c : b", "?: without its middle is not supported for %s", x.Type())
	}
	x = r.save(x, r.span(n))
	yes, no, done := r.block(""), r.block(""), r.block("")
	r.end(&ir.Branch{Cond: truthOf(x), Then: yes, Else: no, Span: r.span(n)})
	r.now = nil
	r.begin(no)
	y := r.promote(n, r.need(n.ConditionalExpression))
	t := x.Type()
	switch {
	case t.Kind == ir.Integer && y.Type().Kind == ir.Integer:
		t = r.common(t, y.Type())
	case t == y.Type() && t.Kind == ir.IEEE:
	case t.Kind != ir.Pointer || y.Type().Kind != ir.Pointer && !ir.IsNull(y):
		refuse(r.span(n), "c-expression", "write c ? c : b", "?: without its middle is not supported for %s and %s", t, y.Type())
	}
	result := r.temp(t)
	result.Holds = written(n)
	r.store(ir.Whole(result), r.convert(n, y, t), r.span(n))
	r.end(&ir.Jump{To: done, Span: r.span(n)})
	r.now = nil
	r.begin(yes)
	r.store(ir.Whole(result), r.convert(n, x, t), r.span(n))
	r.begin(done)
	return &ir.Load{From: ir.Whole(result)}
}

// chosen is c ? a : b of constants; nil if it cannot be told. Where C wants a constant, the arm that is not taken may
// be a variable, as in the macros of Linux that check a size.
func (r *routine) chosen(n *cc.ConditionalExpression) ir.Expr {
	x, y := r.armOf(n.ExpressionList), r.armOf(n.ConditionalExpression)
	if x == nil || y == nil {
		return nil
	}
	yes, known := r.truth(n.LogicalOrExpression)
	if !yes {
		x, y = y, x
	}
	if _, ok := x.(*ir.Const); !ok || !known {
		return nil
	}
	return r.convert(n, x, r.common(x.Type(), y.Type()))
}

// armOf is an arm that is an integer constant, or nothing but the name of an integer variable; nil for others.
func (r *routine) armOf(n cc.ExpressionNode) ir.Expr {
	var x ir.Expr
	if name, ok := inside(n).(*cc.PrimaryExpression); r.ofConstants(n) {
		x = r.need(n)
	} else if ok && (r.constants || r == r.linker.inits) && name.Case == cc.PrimaryExpressionIdent {
		if v := r.lookup(name.Token.SrcStr()); v != nil {
			x = &ir.Load{From: ir.Whole(v)}
		}
	}
	if x == nil || x.Type().Kind != ir.Integer {
		return nil
	}
	return r.promote(n, x)
}

// typedArm is the arm of c ? a : b that has the type of both, where one points to void and the other one to
// something else: that is to void, unless it is a null pointer constant (C17 6.5.15, 6). nil for others.
func typedArm(n *cc.ConditionalExpression) cc.ExpressionNode {
	if n.ExpressionList == nil {
		return nil
	}
	for _, arms := range [][2]cc.ExpressionNode{{n.ExpressionList, n.ConditionalExpression}, {n.ConditionalExpression, n.ExpressionList}} {
		p, other := pointerTo(arms[0]), pointerTo(arms[1])
		if p == nil || other == nil || p.Kind() != cc.Void || other.Kind() == cc.Void {
			continue
		}
		if nullConstant(arms[0]) {
			return arms[1]
		}
		return arms[0]
	}
	return nil
}

// pointerTo is what an expression points to; nil if it is no pointer.
func pointerTo(n cc.ExpressionNode) cc.Type {
	if n == nil || n.Type() == nil {
		return nil
	}
	if p, ok := n.Type().Decay().(*cc.PointerType); ok {
		return p.Elem()
	}
	return nil
}

// nullConstant reports (void *)0.
func nullConstant(n cc.ExpressionNode) bool {
	c, ok := inside(n).(*cc.CastExpression)
	if !ok || c.Case != cc.CastExpressionCast {
		return false
	}
	p, ok := c.TypeName.Type().(*cc.PointerType)
	if !ok || p.Elem().Kind() != cc.Void {
		return false
	}
	bits, ok := constant(c.CastExpression.Value())
	return ok && bits == 0 && !hasEffects(c)
}

// choice is c ? a : b. The parser knows the type of both.
func (r *routine) choice(n *cc.ConditionalExpression, wanted bool) ir.Expr {
	yes, no, done := r.block(""), r.block(""), r.block("")
	var t *ir.Var
	if n.ExpressionList == nil {
		return r.elvis(n)
	}
	ct := r.typeOf(r.module, n, n.Type())
	if ct.Kind == ir.Array || ct.Kind == ir.Function {
		ct = r.typeOf(r.module, n, n.Type().Decay())
	}
	if e := typedArm(n); e != nil {
		ct = r.typeOf(r.module, e, e.Type().Decay())
	}
	wanted = wanted && ct.Kind != ir.Void
	if wanted && r.ofConstants(n.LogicalOrExpression) {
		if e := r.chosen(n); e != nil {
			return e
		}
	}
	// arm returns the value of an arm, and where it is known.
	arm := func(b *ir.Block, e cc.ExpressionNode) (x ir.Expr, end *ir.Block) {
		r.now = nil
		r.begin(b)
		if !wanted {
			r.effect(e)
			return nil, r.now
		}
		x = r.promote(e, r.need(e))
		return x, r.now
	}
	r.condition(n.LogicalOrExpression, yes, no)
	x, afterYes := arm(yes, n.ExpressionList)
	y, afterNo := arm(no, n.ConditionalExpression)
	if wanted {
		if x.Type().Kind == ir.Integer && y.Type().Kind == ir.Integer {
			ct = r.common(x.Type(), y.Type()) // the parser does not promote bit-fields
		}
		t = r.temp(ct)
		t.Holds = written(n)
		r.now = afterYes
		r.store(ir.Whole(t), r.convert(n.ExpressionList, x, ct), r.span(n.ExpressionList))
		afterYes = r.now
		r.now = afterNo
		r.store(ir.Whole(t), r.convert(n.ConditionalExpression, y, ct), r.span(n.ConditionalExpression))
		afterNo = r.now
	}
	r.now = afterYes
	r.end(&ir.Jump{To: done, Span: r.span(n)})
	r.now = afterNo
	r.begin(done)
	if t == nil {
		return nil
	}
	return &ir.Load{From: ir.Whole(t)}
}
