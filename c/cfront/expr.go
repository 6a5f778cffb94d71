package cfront

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// operators are those of the parser's nodes.
var (
	multiplicative = map[cc.MultiplicativeExpressionCase]ir.Op{cc.MultiplicativeExpressionMul: ir.Mul, cc.MultiplicativeExpressionDiv: ir.Div, cc.MultiplicativeExpressionMod: ir.Rem}
	assigning      = map[cc.AssignmentExpressionCase]ir.Op{
		cc.AssignmentExpressionMul: ir.Mul, cc.AssignmentExpressionDiv: ir.Div, cc.AssignmentExpressionMod: ir.Rem,
		cc.AssignmentExpressionAdd: ir.Add, cc.AssignmentExpressionSub: ir.Sub, cc.AssignmentExpressionLsh: ir.Shl,
		cc.AssignmentExpressionRsh: ir.Shr, cc.AssignmentExpressionAnd: ir.BitAnd, cc.AssignmentExpressionXor: ir.BitXor,
		cc.AssignmentExpressionOr: ir.BitOr,
	}
)

// value lowers an expression to its value; arrays and routines become addresses. The
// value of a call of a void routine is nil.
func (r *routine) value(n cc.ExpressionNode) ir.Expr {
	switch n := n.(type) {
	case *cc.ConstantExpression:
		return r.value(n.ConditionalExpression)
	case *cc.ExpressionList:
		for n.ExpressionList != nil {
			r.effect(n.AssignmentExpression)
			n = n.ExpressionList
		}
		return r.value(n.AssignmentExpression)
	case *cc.PrimaryExpression:
		return r.primary(n)
	case *cc.PostfixExpression:
		return r.postfix(n)
	case *cc.UnaryExpression:
		return r.unary(n)
	case *cc.CastExpression:
		t := r.typeOf(r.module, n.TypeName, n.TypeName.Type())
		if t.Kind == ir.Void {
			r.effect(n.CastExpression)
			return nil
		}
		if from := n.CastExpression.Type(); from != nil && t.Kind == ir.Pointer && n.CastExpression.Value() == cc.Unknown {
			r.retypes(n.TypeName.Type(), from)
		}
		return r.convert(n, r.need(n.CastExpression), t)
	case *cc.MultiplicativeExpression:
		return r.binary(n, multiplicative[n.Case], n.MultiplicativeExpression, n.CastExpression)
	case *cc.AdditiveExpression:
		return r.binary(n, map[bool]ir.Op{true: ir.Add, false: ir.Sub}[n.Case == cc.AdditiveExpressionAdd], n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return r.binary(n, map[bool]ir.Op{true: ir.Shl, false: ir.Shr}[n.Case == cc.ShiftExpressionLsh], n.ShiftExpression, n.AdditiveExpression)
	case *cc.AndExpression:
		return r.binary(n, ir.BitAnd, n.AndExpression, n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return r.binary(n, ir.BitXor, n.ExclusiveOrExpression, n.AndExpression)
	case *cc.InclusiveOrExpression:
		return r.binary(n, ir.BitOr, n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.EqualityExpression:
		return r.binary(n, map[bool]ir.Op{true: ir.Eq, false: ir.Ne}[n.Case == cc.EqualityExpressionEq], n.EqualityExpression, n.RelationalExpression)
	case *cc.RelationalExpression:
		return r.relation(n)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return r.truthValue(n)
	case *cc.ConditionalExpression:
		return r.choice(n, true)
	case *cc.AssignmentExpression:
		return r.assignment(n, true)
	}
	refuse(r.span(n), "c-expression", "write it in other words", "this expression is not supported")
	return nil
}

// need is value of what must have one.
func (r *routine) need(n cc.ExpressionNode) ir.Expr {
	e := r.value(n)
	if e == nil {
		refuse(r.span(n), "c-void", "", "this expression has no value")
	}
	return e
}

// effect lowers an expression whose value is not used; to compute it may be a mistake.
func (r *routine) effect(n cc.ExpressionNode) {
	switch n := n.(type) {
	case nil:
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			r.effect(n.AssignmentExpression)
		}
	case *cc.AssignmentExpression:
		r.assignment(n, false)
	case *cc.ConditionalExpression:
		r.choice(n, false)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc:
			r.step(n, n.UnaryExpression, ir.Add)
		case cc.UnaryExpressionDec:
			r.step(n, n.UnaryExpression, ir.Sub)
		default:
			r.use(r.value(n), r.span(n))
		}
	case *cc.CastExpression:
		r.effect(n.CastExpression)
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc:
			r.step(n, n.PostfixExpression, ir.Add)
		case cc.PostfixExpressionDec:
			r.step(n, n.PostfixExpression, ir.Sub)
		case cc.PostfixExpressionCall:
			r.call(n, false)
		default:
			r.use(r.value(n), r.span(n))
		}
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr:
			r.effect(n.ExpressionList)
		case cc.PrimaryExpressionStmt:
			r.statementExpression(n, false)
		default:
			r.use(r.value(n), r.span(n))
		}
	default:
		r.use(r.value(n), r.span(n))
	}
}

// use evaluates a value that nothing needs, unless that cannot go wrong. A variable by
// itself is not read: (void)x says that it is not used.
func (r *routine) use(e ir.Expr, span ir.Span) {
	switch x := e.(type) {
	case nil, *ir.Const, *ir.FuncAddr:
		return
	case *ir.Load:
		if x.From.Var != nil && len(x.From.Index) == 0 {
			return
		}
	case *ir.Addr:
		if x.Of.Var != nil && len(x.Of.Index) == 0 {
			return
		}
	case *ir.Convert:
		r.use(x.X, span)
		return
	}
	r.emit(&ir.Use{Value: e, Span: span})
}

func (r *routine) primary(n *cc.PrimaryExpression) ir.Expr {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		return r.identifier(n)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return r.number(n, n)
	case cc.PrimaryExpressionFloat:
		return r.floatConstant(n)
	case cc.PrimaryExpressionString:
		s, ok := n.Value().(cc.StringValue)
		if !ok {
			break
		}
		v := r.literal(string(s), r.span(n), n)
		return r.load(ir.Whole(v))
	case cc.PrimaryExpressionExpr:
		return r.value(n.ExpressionList)
	case cc.PrimaryExpressionStmt:
		return r.statementExpression(n, true)
	case cc.PrimaryExpressionGeneric:
		r.chosenBy(n)
		return r.value(n.ExpressionList)
	}
	refuse(r.span(n), "c-expression", "write it in other words", "this expression is not supported")
	return nil
}

// literal is the object of a string; the parser's value ends in its zero byte. Two literals are two
// objects, though they may be one for a compiler; those of one macro stand at one place. node is
// what it is in the parser's tree.
func (l *linker) literal(s string, span ir.Span, node any) *ir.Var {
	key := stringLiteral{s, node}
	if v := l.strings[key]; v != nil {
		return v
	}
	char := l.types.integer(1, true, false)
	v := l.newGlobal("<string>", &ir.Type{Kind: ir.Array, Size: int64(len(s)), Elem: char, Len: int64(len(s)), Name: "char[]"}, span)
	v.Literal = s
	for i := range len(s) {
		if s[i] != 0 {
			l.inits.emit(&ir.Assign{To: ir.Place{Var: v, Off: int64(i), Type: char}, Value: &ir.Const{T: char, Bits: ir.Extend(char, uint64(s[i]))}, Span: span})
		}
	}
	l.strings[key] = v
	return v
}

// number is an expression that the parser has computed: a literal, or sizeof.
func (r *routine) number(n cc.Node, e cc.ExpressionNode) ir.Expr {
	t := r.typeOf(r.module, n, e.Type())
	bits, ok := constant(e.Value())
	if !ok || t.Kind != ir.Integer {
		refuse(r.span(n), "c-constant", "write the number", "the value of this constant expression is not known")
	}
	return &ir.Const{T: t, Bits: ir.Extend(t, bits)}
}

// constant returns the bits of an integer value.
func constant(v cc.Value) (uint64, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return uint64(v), true
	case cc.UInt64Value:
		return uint64(v), true
	}
	return 0, false
}

func (r *routine) identifier(n *cc.PrimaryExpression) ir.Expr {
	name := n.Token.SrcStr()
	if e, ok := n.ResolvedTo().(*cc.Enumerator); ok && r.means(n, e) {
		t := r.typeOf(r.module, n, e.Type())
		if t.Kind != ir.Integer || t.Size < 4 {
			t = r.types.int()
		}
		bits, ok := constant(e.Value())
		if !ok {
			refuse(r.span(n), "c-constant", "write the number", "the value of %s is not known", name)
		}
		if int64(bits) <= 1<<31-1 && int64(bits) >= -1<<31 && (t.Signed || int64(bits) >= 0) {
			t = r.types.int() // constants of an enumeration are of type int where they fit
		}
		return &ir.Const{T: t, Bits: ir.Extend(t, bits)}
	}
	if v := r.lookup(name); v != nil {
		return r.read(n, ir.Whole(v))
	}
	if name == "__func__" {
		v := r.literal(r.f.Name+"\x00", r.f.Span, r.f)
		v.Name, v.Literal, v.Const = "<__func__ of "+r.f.Name+">", "", true // a variable of the routine, which no literal is one object with
		return r.load(ir.Whole(v))
	}
	f := r.lookupFunc(name)
	if f == nil {
		f = r.undeclared(n, name)
	}
	return &ir.FuncAddr{Func: f, T: r.types.pointer(f.Type)}
}

// means reports that a name means a constant of an enumeration that the parser has found, and no variable of the
// routine: what is declared later in the text is in an inner scope.
func (r *routine) means(n *cc.PrimaryExpression, e *cc.Enumerator) bool {
	v := r.lookupLocal(n.Token.SrcStr())
	if v == nil {
		return true
	}
	at := r.span(e)
	if at.File != v.Span.File || at.Start == v.Span.Start {
		refuse(r.span(n), "c-scope", "give one of them another name", "%s is a variable and a constant of an enumeration", n.Token.SrcStr())
	}
	return at.Start > v.Span.Start
}

// lookupLocal finds a variable of the routine.
func (r *routine) lookupLocal(name string) *ir.Var {
	if v := r.innermost(name); v != aRoutine {
		return v
	}
	return nil
}

// undeclared is a routine that is called without a declaration, and so returns an int.
func (r *routine) undeclared(n *cc.PrimaryExpression, name string) *ir.Func {
	r.declared(r.module, n)
	if d, ok := n.ResolvedTo().(*cc.Declarator); ok {
		if ft, ok := d.Type().(*cc.FunctionType); ok {
			f := r.routine(r.module, d, ft)
			if f.Name != name && f.Name == ir.BuiltinPrefix+name { // what the program calls has its own name
				f = &ir.Func{Name: name, Type: f.Type, Span: f.Span}
				r.linker.funcs[name] = f
				r.prog.Funcs = append(r.prog.Funcs, f)
			}
			return f
		}
		if d.Type().Kind() != cc.Function && !d.IsSynthetic() {
			refuse(r.span(n), "c-name", "", "%s is not known here", name)
		}
	}
	f := &ir.Func{Name: name, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: r.types.int(), Unproto: true, Name: "int()"}, Span: r.span(n)}
	r.linker.funcs[name] = f
	r.prog.Funcs = append(r.prog.Funcs, f)
	r.prog.Notes = append(r.prog.Notes, ir.Note{Span: r.span(n), Text: name + "() is not declared: it is taken to return an int"})
	return f
}

// declared refuses a routine of the library that is called without a declaration where it does not
// return an int: compilers know its type, or refuse it, too.
func (l *linker) declared(m *module, n *cc.PrimaryExpression) {
	if d, ok := n.ResolvedTo().(*cc.Declarator); n.Case != cc.PrimaryExpressionIdent || n.ResolvedTo() != nil && !(ok && d.IsSynthetic()) {
		return
	}
	name := n.Token.SrcStr()
	line, listed := ir.KnownLines()[name]
	if result, _, _ := strings.Cut(line.Typ, " ("); !listed || result == "int" || m.span(n) == (ir.Span{}) {
		return
	}
	where := fmt.Sprintf("<%s> is not included, or does not have it here", line.Header)
	if strings.HasPrefix(name, ir.BuiltinPrefix) {
		where = "it is a compiler's, and not known here"
	}
	refuse(m.span(n), "c-undeclared", fmt.Sprintf("declare it: %s;", declaring(line.Typ, name)), "%s is not declared: %s", name, where)
}

// declaring is the declaration of a routine of the list.
func declaring(typ, name string) string {
	result, params, _ := strings.Cut(typ, "(")
	if !strings.HasSuffix(result, "*") {
		result = strings.TrimSpace(result) + " "
	}
	return result + name + "(" + params
}

// trailing reports a flexible array, or one of one element or none, at the end of what a pointer points to: it goes on as far as
// its object does. So structs of any length were written before C99 had flexible arrays, and compilers take them
// for such (gcc's -fstrict-flex-arrays=2).
func trailing(p ir.Place) bool {
	if p.Var != nil || len(p.Index) > 0 || p.Type.Len > 1 {
		return false
	}
	for t, off := p.Ptr.Type().Elem, p.Off; t.Kind == ir.Struct && len(t.Fields) > 0; {
		last := t.Fields[len(t.Fields)-1]
		if t, off = last.Type, off-last.Off; t == p.Type && off == 0 {
			return true
		}
	}
	return false
}

// load is the value at a place; of an array or a routine, its address.
func (r *routine) load(p ir.Place) ir.Expr {
	switch p.Type.Kind {
	case ir.Array:
		a, length := p.Type, p.Type.Len
		if trailing(p) {
			length = ir.Endless
		}
		p.Type = a.Elem
		return &ir.Addr{Of: p, Len: length, T: r.types.pointer(a.Elem)}
	case ir.Function: // *f is f
		if f, ok := p.Ptr.(*ir.FuncAddr); ok && p.Var == nil {
			return f
		}
		return p.Ptr
	}
	return &ir.Load{From: p}
}

func (r *routine) relation(n *cc.RelationalExpression) ir.Expr {
	switch n.Case {
	case cc.RelationalExpressionLt:
		return r.binary(n, ir.Lt, n.RelationalExpression, n.ShiftExpression)
	case cc.RelationalExpressionLeq:
		return r.binary(n, ir.Le, n.RelationalExpression, n.ShiftExpression)
	}
	x, y := r.operands(n.RelationalExpression, n.ShiftExpression)
	if n.Case == cc.RelationalExpressionGt {
		return r.operate(n, ir.Lt, y, x)
	}
	return r.operate(n, ir.Le, y, x)
}

// operands lowers two operands, the left one first.
func (r *routine) operands(a, b cc.ExpressionNode) (x, y ir.Expr) {
	from := len(r.orders.log)
	x = r.need(a)
	r.orders.value(x)
	if hasEffects(b) {
		x = r.save(x, r.span(a))
	}
	between := len(r.orders.log)
	y = r.need(b)
	r.orders.value(y)
	r.openOrder(from, between, a, nil)
	return x, y
}

func (r *routine) binary(n cc.Node, op ir.Op, a, b cc.ExpressionNode) ir.Expr {
	x, y := r.operands(a, b)
	return r.operate(n, op, x, y)
}

// operate makes an operation, with the conversions that C has for its operands.
func (r *routine) operate(n cc.Node, op ir.Op, x, y ir.Expr) ir.Expr {
	xt, yt := x.Type(), y.Type()
	switch {
	case xt.Kind == ir.Float || yt.Kind == ir.Float:
		r.use(x, r.span(n))
		r.use(y, r.span(n))
		if op >= ir.Eq {
			b := r.guess(r.types.int(), r.span(n))
			return &ir.Binary{Op: ir.BitAnd, X: b, Y: &ir.Const{T: r.types.int(), Bits: 1}, T: r.types.int()}
		}
		if yt.Kind == ir.Float {
			xt = yt
		}
		return r.anyFloat(xt)
	case xt.Kind == ir.IEEE || yt.Kind == ir.IEEE:
		return r.operateFloats(n, op, x, y)
	case xt.Kind == ir.Pointer || yt.Kind == ir.Pointer:
		return r.pointers(n, op, x, y)
	case xt.Kind != ir.Integer || yt.Kind != ir.Integer:
		refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", xt, yt)
	}
	x, y = r.wideFields(op, x, y)
	x, y = r.promote(n, x), r.promote(n, y)
	if op == ir.Shl || op == ir.Shr {
		r.prog.Shifts = r.prog.Shifts || op == ir.Shl && x.Type().Signed
		return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: x.Type()})
	}
	t := r.common(x.Type(), y.Type())
	x, y = r.convert(n, x, t), r.convert(n, y, t)
	if op >= ir.Eq {
		return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: r.types.int()})
	}
	return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: t})
}

// pointers makes an operation with a pointer.
func (r *routine) pointers(n cc.Node, op ir.Op, x, y ir.Expr) ir.Expr {
	xp, yp := x.Type().Kind == ir.Pointer, y.Type().Kind == ir.Pointer
	switch {
	case op >= ir.Eq:
		t := x.Type()
		if !xp || ir.IsNull(x) {
			t = y.Type()
		}
		return ir.Fold(&ir.Binary{Op: op, X: r.convert(n, x, t), Y: r.convert(n, y, t), T: r.types.int()})
	case op == ir.Add && xp && !yp:
		return r.move(n, x, y, false)
	case op == ir.Add && yp && !xp:
		return r.move(n, y, x, false)
	case op == ir.Sub && xp && !yp:
		return r.move(n, x, y, true)
	case op == ir.Sub && xp && yp:
		return &ir.Distance{P: x, Q: y, Stride: r.stride(n, x.Type().Elem), T: r.types.word()}
	}
	refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", x.Type(), y.Type())
	return nil
}

// stride is the size of what a pointer steps over; void and routines have 1, as in gcc.
func (r *routine) stride(n cc.Node, t *ir.Type) int64 {
	switch {
	case t.Opaque:
		refuse(r.span(n), "c-type", "use another type", "what this pointer points to has a type that is not supported")
	case t.Kind == ir.Void || t.Kind == ir.Function:
		return 1
	case t.Size < 0:
		refuse(r.span(n), "c-incomplete", "define the type", "the size of %s is not known here", t)
	}
	return t.Size
}

// move adds an integer to a pointer, or subtracts it.
func (r *routine) move(n cc.Node, p, by ir.Expr, back bool) ir.Expr {
	by = r.promote(n, by)
	word := r.types.word()
	if c, ok := by.(*ir.Const); ok && c.T.Size > word.Size && ir.Extend(word, c.Bits) != c.Bits {
		by = &ir.Convert{X: by, T: word} // left for checks to see
	} else if cut, ok := by.(*ir.Convert); ok && by.Type() == word && cut.X.Type().Size > word.Size {
		by = &ir.Convert{X: by, T: word} // a cast of the text's, which nothing is said about
	} else {
		by = r.convert(n, by, word)
	}
	if back {
		by = ir.Fold(&ir.Unary{Op: ir.Neg, X: by})
	}
	if ir.IsNull(by) {
		return p
	}
	stride := r.stride(n, p.Type().Elem)
	if a, ok := p.(*ir.Addr); ok { // of an array: an element
		of := a.Of
		if c, ok := by.(*ir.Const); ok && a.Len < 0 && len(of.Index) == 0 {
			of.Off += int64(c.Bits) * stride
			return &ir.Addr{Of: of, Len: -1, T: a.T}
		}
		if a.Len >= 0 {
			of.Index = append(append([]ir.Index{}, of.Index...), ir.Index{By: by, Stride: stride, Len: a.Len})
			return &ir.Addr{Of: of, Len: -1, T: a.T}
		}
	}
	return &ir.Move{P: p, By: by, Stride: stride, T: p.Type()}
}

// common is the type of the usual arithmetic conversions: sizes decide, since types of
// one size and sign are one type here.
func (r *routine) common(a, b *ir.Type) *ir.Type {
	switch {
	case a.Size > b.Size:
		return a
	case b.Size > a.Size:
		return b
	case !a.Signed:
		return a
	}
	return b
}

// convert converts a value as an assignment or a cast does.
func (r *routine) convert(n cc.Node, e ir.Expr, t *ir.Type) ir.Expr {
	from := e.Type()
	switch {
	case from == t || t.Kind == ir.Void:
		if l, ok := e.(*ir.Load); ok && l.From.Bits > 0 {
			return &ir.Convert{X: e, T: t} // no bit-field any more: it is not promoted as one
		}
		return e
	case t.Kind == ir.Float && from.Kind != ir.Struct && from.Kind != ir.Pointer:
		r.use(e, r.span(n))
		return r.anyFloat(t)
	case from.Kind == ir.Float && (t.Kind == ir.Integer || t.Kind == ir.IEEE):
		r.use(e, r.span(n))
		return r.guess(t, r.span(n))
	case from.Kind == ir.Struct && t.Kind == ir.Struct && from.Size == t.Size && from.Union == t.Union && len(from.Fields) == len(t.Fields):
		return e
	case !from.Scalar() || !t.Scalar(), from.Kind == ir.IEEE && t.Kind == ir.Pointer, from.Kind == ir.Pointer && t.Kind == ir.IEEE:
		refuse(r.span(n), "c-type", "", "%s cannot be converted to %s", from, t)
	case t.Bool:
		if from.Bool {
			return e
		}
		return ir.Fold(&ir.Convert{X: ir.Fold(&ir.Binary{Op: ir.Ne, X: e, Y: &ir.Const{T: from, Bits: 0}, T: r.types.int()}), T: t})
	}
	return ir.Fold(&ir.Convert{X: e, T: t})
}

// computeAll computes what fold has left.
func computeAll(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case *ir.Unary:
		return ir.Compute(&ir.Unary{Op: x.Op, X: computeAll(x.X)})
	case *ir.Binary:
		return ir.Compute(&ir.Binary{Op: x.Op, X: computeAll(x.X), Y: computeAll(x.Y), T: x.T})
	case *ir.Convert:
		return ir.Compute(&ir.Convert{X: computeAll(x.X), T: x.T})
	}
	return e
}
