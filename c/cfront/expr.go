package cfront

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// operators are those of the parser's nodes.
var (
	multiplicative = map[cc.MultiplicativeExpressionCase]Op{cc.MultiplicativeExpressionMul: Mul, cc.MultiplicativeExpressionDiv: Div, cc.MultiplicativeExpressionMod: Rem}
	assigning      = map[cc.AssignmentExpressionCase]Op{
		cc.AssignmentExpressionMul: Mul, cc.AssignmentExpressionDiv: Div, cc.AssignmentExpressionMod: Rem,
		cc.AssignmentExpressionAdd: Add, cc.AssignmentExpressionSub: Sub, cc.AssignmentExpressionLsh: Shl,
		cc.AssignmentExpressionRsh: Shr, cc.AssignmentExpressionAnd: BitAnd, cc.AssignmentExpressionXor: BitXor,
		cc.AssignmentExpressionOr: BitOr,
	}
)

// value lowers an expression to its value; arrays and routines become addresses. The
// value of a call of a void routine is nil.
func (r *routine) value(n cc.ExpressionNode) Expr {
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
		if t.Kind == Void {
			r.effect(n.CastExpression)
			return nil
		}
		if from := n.CastExpression.Type(); from != nil && t.Kind == Pointer {
			r.retypes(n.TypeName.Type(), from)
		}
		return r.convert(n, r.need(n.CastExpression), t)
	case *cc.MultiplicativeExpression:
		return r.binary(n, multiplicative[n.Case], n.MultiplicativeExpression, n.CastExpression)
	case *cc.AdditiveExpression:
		return r.binary(n, map[bool]Op{true: Add, false: Sub}[n.Case == cc.AdditiveExpressionAdd], n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return r.binary(n, map[bool]Op{true: Shl, false: Shr}[n.Case == cc.ShiftExpressionLsh], n.ShiftExpression, n.AdditiveExpression)
	case *cc.AndExpression:
		return r.binary(n, BitAnd, n.AndExpression, n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return r.binary(n, BitXor, n.ExclusiveOrExpression, n.AndExpression)
	case *cc.InclusiveOrExpression:
		return r.binary(n, BitOr, n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.EqualityExpression:
		return r.binary(n, map[bool]Op{true: Eq, false: Ne}[n.Case == cc.EqualityExpressionEq], n.EqualityExpression, n.RelationalExpression)
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
func (r *routine) need(n cc.ExpressionNode) Expr {
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
			r.step(n, n.UnaryExpression, Add)
		case cc.UnaryExpressionDec:
			r.step(n, n.UnaryExpression, Sub)
		default:
			r.use(r.value(n), r.span(n))
		}
	case *cc.CastExpression:
		r.effect(n.CastExpression)
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc:
			r.step(n, n.PostfixExpression, Add)
		case cc.PostfixExpressionDec:
			r.step(n, n.PostfixExpression, Sub)
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
func (r *routine) use(e Expr, span Span) {
	switch x := e.(type) {
	case nil, *Const, *FuncAddr:
		return
	case *Load:
		if x.From.Var != nil && len(x.From.Index) == 0 {
			return
		}
	case *Addr:
		if x.Of.Var != nil && len(x.Of.Index) == 0 {
			return
		}
	case *Convert:
		r.use(x.X, span)
		return
	}
	r.emit(&Use{Value: e, Span: span})
}

func (r *routine) primary(n *cc.PrimaryExpression) Expr {
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
		return r.load(whole(v))
	case cc.PrimaryExpressionExpr:
		return r.value(n.ExpressionList)
	case cc.PrimaryExpressionStmt:
		return r.statementExpression(n, true)
	case cc.PrimaryExpressionGeneric: // the parser's types of arrays and null pointers are not always C's
		refuse(r.span(n), "c-expression", "write what it chooses", "_Generic is not supported")
	}
	refuse(r.span(n), "c-expression", "write it in other words", "this expression is not supported")
	return nil
}

// literal is the object of a string; the parser's value ends in its zero byte. Two literals are two
// objects, though they may be one for a compiler; those of one macro stand at one place. node is
// what it is in the parser's tree.
func (l *linker) literal(s string, span Span, node any) *Var {
	key := stringLiteral{s, node}
	if v := l.strings[key]; v != nil {
		return v
	}
	char := l.types.integer(1, true, false)
	v := l.newGlobal("<string>", &Type{Kind: Array, Size: int64(len(s)), Elem: char, Len: int64(len(s)), Name: "char[]"}, span)
	v.Literal = s
	for i := range len(s) {
		if s[i] != 0 {
			l.inits.emit(&Assign{To: Place{Var: v, Off: int64(i), Type: char}, Value: &Const{char, canonical(char, uint64(s[i]))}, Span: span})
		}
	}
	l.strings[key] = v
	return v
}

// number is an expression that the parser has computed: a literal, or sizeof.
func (r *routine) number(n cc.Node, e cc.ExpressionNode) Expr {
	t := r.typeOf(r.module, n, e.Type())
	bits, ok := constant(e.Value())
	if !ok || t.Kind != Integer {
		refuse(r.span(n), "c-constant", "write the number", "the value of this constant expression is not known")
	}
	return &Const{t, canonical(t, bits)}
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

func (r *routine) identifier(n *cc.PrimaryExpression) Expr {
	name := n.Token.SrcStr()
	if e, ok := n.ResolvedTo().(*cc.Enumerator); ok && r.means(n, e) {
		t := r.typeOf(r.module, n, e.Type())
		if t.Kind != Integer || t.Size < 4 {
			t = r.types.int()
		}
		bits, ok := constant(e.Value())
		if !ok {
			refuse(r.span(n), "c-constant", "write the number", "the value of %s is not known", name)
		}
		if int64(bits) <= 1<<31-1 && int64(bits) >= -1<<31 && (t.Signed || int64(bits) >= 0) {
			t = r.types.int() // constants of an enumeration are of type int where they fit
		}
		return &Const{t, canonical(t, bits)}
	}
	if v := r.lookup(name); v != nil {
		return r.read(n, whole(v))
	}
	if name == "__func__" {
		v := r.literal(r.f.Name+"\x00", r.f.Span, r.f)
		v.Name, v.Literal, v.Const = "<__func__ of "+r.f.Name+">", "", true // a variable of the routine, which no literal is one object with
		return r.load(whole(v))
	}
	f := r.lookupFunc(name)
	if f == nil {
		f = r.undeclared(n, name)
	}
	return &FuncAddr{f, r.types.pointer(f.Type)}
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
func (r *routine) lookupLocal(name string) *Var {
	if v := r.innermost(name); v != aRoutine {
		return v
	}
	return nil
}

// undeclared is a routine that is called without a declaration, and so returns an int.
func (r *routine) undeclared(n *cc.PrimaryExpression, name string) *Func {
	r.declared(r.module, n)
	if d, ok := n.ResolvedTo().(*cc.Declarator); ok {
		if ft, ok := d.Type().(*cc.FunctionType); ok {
			f := r.routine(r.module, d, ft)
			if f.Name != name && f.Name == builtinPrefix+name { // what the program calls has its own name
				f = &Func{Name: name, Type: f.Type, Span: f.Span}
				r.linker.funcs[name] = f
				r.prog.Funcs = append(r.prog.Funcs, f)
			}
			return f
		}
		if d.Type().Kind() != cc.Function && !d.IsSynthetic() {
			refuse(r.span(n), "c-name", "", "%s is not known here", name)
		}
	}
	f := &Func{Name: name, Type: &Type{Kind: Function, Size: -1, Result: r.types.int(), Unproto: true, Name: "int()"}, Span: r.span(n)}
	r.linker.funcs[name] = f
	r.prog.Funcs = append(r.prog.Funcs, f)
	r.prog.Notes = append(r.prog.Notes, Note{r.span(n), name + "() is not declared: it is taken to return an int"})
	return f
}

// declared refuses a routine of the library that is called without a declaration where it does not
// return an int: compilers know its type, or refuse it, too.
func (l *linker) declared(m *module, n *cc.PrimaryExpression) {
	if d, ok := n.ResolvedTo().(*cc.Declarator); n.Case != cc.PrimaryExpressionIdent || n.ResolvedTo() != nil && !(ok && d.IsSynthetic()) {
		return
	}
	name := n.Token.SrcStr()
	line, listed := knownLines()[name]
	if result, _, _ := strings.Cut(line.typ, " ("); !listed || result == "int" || m.span(n) == (Span{}) {
		return
	}
	where := fmt.Sprintf("<%s> is not included, or does not have it here", line.header)
	if strings.HasPrefix(name, builtinPrefix) {
		where = "it is a compiler's, and not known here"
	}
	refuse(m.span(n), "c-undeclared", fmt.Sprintf("declare it: %s;", declaring(line.typ, name)), "%s is not declared: %s", name, where)
}

// declaring is the declaration of a routine of the list.
func declaring(typ, name string) string {
	result, params, _ := strings.Cut(typ, "(")
	if !strings.HasSuffix(result, "*") {
		result = strings.TrimSpace(result) + " "
	}
	return result + name + "(" + params
}

// load is the value at a place; of an array or a routine, its address.
func (r *routine) load(p Place) Expr {
	switch p.Type.Kind {
	case Array:
		a := p.Type
		p.Type = a.Elem
		return &Addr{Of: p, Len: a.Len, T: r.types.pointer(a.Elem)}
	case Function: // *f is f
		if f, ok := p.Ptr.(*FuncAddr); ok && p.Var == nil {
			return f
		}
		return p.Ptr
	}
	return &Load{p}
}

func (r *routine) relation(n *cc.RelationalExpression) Expr {
	switch n.Case {
	case cc.RelationalExpressionLt:
		return r.binary(n, Lt, n.RelationalExpression, n.ShiftExpression)
	case cc.RelationalExpressionLeq:
		return r.binary(n, Le, n.RelationalExpression, n.ShiftExpression)
	}
	x, y := r.operands(n.RelationalExpression, n.ShiftExpression)
	if n.Case == cc.RelationalExpressionGt {
		return r.operate(n, Lt, y, x)
	}
	return r.operate(n, Le, y, x)
}

// operands lowers two operands, the left one first.
func (r *routine) operands(a, b cc.ExpressionNode) (x, y Expr) {
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

func (r *routine) binary(n cc.Node, op Op, a, b cc.ExpressionNode) Expr {
	x, y := r.operands(a, b)
	return r.operate(n, op, x, y)
}

// operate makes an operation, with the conversions that C has for its operands.
func (r *routine) operate(n cc.Node, op Op, x, y Expr) Expr {
	xt, yt := x.Type(), y.Type()
	switch {
	case xt.Kind == Float || yt.Kind == Float:
		r.use(x, r.span(n))
		r.use(y, r.span(n))
		if op >= Eq {
			b := r.guess(r.types.int(), r.span(n))
			return &Binary{BitAnd, b, &Const{r.types.int(), 1}, r.types.int()}
		}
		if yt.Kind == Float {
			xt = yt
		}
		return r.anyFloat(xt)
	case xt.Kind == IEEE || yt.Kind == IEEE:
		return r.operateFloats(n, op, x, y)
	case xt.Kind == Pointer || yt.Kind == Pointer:
		return r.pointers(n, op, x, y)
	case xt.Kind != Integer || yt.Kind != Integer:
		refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", xt, yt)
	}
	x, y = r.promote(n, x), r.promote(n, y)
	if op == Shl || op == Shr {
		r.prog.Shifts = r.prog.Shifts || op == Shl && x.Type().Signed
		return fold(&Binary{op, x, y, x.Type()})
	}
	t := r.common(x.Type(), y.Type())
	x, y = r.convert(n, x, t), r.convert(n, y, t)
	if op >= Eq {
		return fold(&Binary{op, x, y, r.types.int()})
	}
	return fold(&Binary{op, x, y, t})
}

// pointers makes an operation with a pointer.
func (r *routine) pointers(n cc.Node, op Op, x, y Expr) Expr {
	xp, yp := x.Type().Kind == Pointer, y.Type().Kind == Pointer
	switch {
	case op >= Eq:
		t := x.Type()
		if !xp || isNull(x) {
			t = y.Type()
		}
		return fold(&Binary{op, r.convert(n, x, t), r.convert(n, y, t), r.types.int()})
	case op == Add && xp && !yp:
		return r.move(n, x, y, false)
	case op == Add && yp && !xp:
		return r.move(n, y, x, false)
	case op == Sub && xp && !yp:
		return r.move(n, x, y, true)
	case op == Sub && xp && yp:
		return &Distance{x, y, r.stride(n, x.Type().Elem), r.types.word()}
	}
	refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", x.Type(), y.Type())
	return nil
}

func isNull(e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Bits == 0
}

// stride is the size of what a pointer steps over; void and routines have 1, as in gcc.
func (r *routine) stride(n cc.Node, t *Type) int64 {
	switch {
	case t.opaque:
		refuse(r.span(n), "c-type", "use another type", "what this pointer points to has a type that is not supported")
	case t.Kind == Void || t.Kind == Function:
		return 1
	case t.Size < 0:
		refuse(r.span(n), "c-incomplete", "define the type", "the size of %s is not known here", t)
	}
	return t.Size
}

// move adds an integer to a pointer, or subtracts it.
func (r *routine) move(n cc.Node, p, by Expr, back bool) Expr {
	by = r.promote(n, by)
	word := r.types.word()
	if c, ok := by.(*Const); ok && c.T.Size > word.Size && canonical(word, c.Bits) != c.Bits {
		by = &Convert{by, word} // left for checks to see
	} else if cut, ok := by.(*Convert); ok && by.Type() == word && cut.X.Type().Size > word.Size {
		by = &Convert{by, word} // a cast of the text's, which nothing is said about
	} else {
		by = r.convert(n, by, word)
	}
	if back {
		by = fold(&Unary{Neg, by})
	}
	if isNull(by) {
		return p
	}
	stride := r.stride(n, p.Type().Elem)
	if a, ok := p.(*Addr); ok { // of an array: an element
		of := a.Of
		if c, ok := by.(*Const); ok && a.Len < 0 && len(of.Index) == 0 {
			of.Off += int64(c.Bits) * stride
			return &Addr{Of: of, Len: -1, T: a.T}
		}
		if a.Len >= 0 {
			of.Index = append(append([]Index{}, of.Index...), Index{by, stride, a.Len})
			return &Addr{Of: of, Len: -1, T: a.T}
		}
	}
	return &Move{p, by, stride, p.Type()}
}

// promote does the integer promotions.
func (r *routine) promote(n cc.Node, e Expr) Expr {
	t := e.Type()
	if t.Kind != Integer {
		return e
	}
	if t.Size < 4 || narrowField(e) {
		return r.convert(n, e, r.types.int())
	}
	return e
}

// narrowField reports a bit-field whose values are all of type int, which it is promoted to
// whatever its own type is.
func narrowField(e Expr) bool {
	l, ok := e.(*Load)
	return ok && l.From.Bits > 0 && e.Type().Size == 4 && l.From.Bits < 32
}

// common is the type of the usual arithmetic conversions: sizes decide, since types of
// one size and sign are one type here.
func (r *routine) common(a, b *Type) *Type {
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
func (r *routine) convert(n cc.Node, e Expr, t *Type) Expr {
	from := e.Type()
	switch {
	case from == t || t.Kind == Void:
		if l, ok := e.(*Load); ok && l.From.Bits > 0 {
			return &Convert{e, t} // no bit-field any more: it is not promoted as one
		}
		return e
	case t.Kind == Float && from.Kind != Struct && from.Kind != Pointer:
		r.use(e, r.span(n))
		return r.anyFloat(t)
	case from.Kind == Float && (t.Kind == Integer || t.Kind == IEEE):
		r.use(e, r.span(n))
		return r.guess(t, r.span(n))
	case from.Kind == Struct && t.Kind == Struct && from.Size == t.Size && from.Union == t.Union && len(from.Fields) == len(t.Fields):
		return e
	case !from.Scalar() || !t.Scalar(), from.Kind == IEEE && t.Kind == Pointer, from.Kind == Pointer && t.Kind == IEEE:
		refuse(r.span(n), "c-type", "", "%s cannot be converted to %s", from, t)
	case t.Bool:
		if from.Bool {
			return e
		}
		return fold(&Convert{fold(&Binary{Ne, e, &Const{from, 0}, r.types.int()}), t})
	}
	return fold(&Convert{e, t})
}

// fold computes an operation on numbers, unless a signed result does not fit: that can be
// a failure.
func fold(e Expr) Expr {
	if overflows(e) {
		return e
	}
	return compute(e)
}

// compute computes an operation on numbers; signed results wrap.
func compute(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if x, ok := e.X.(*Const); ok {
			return folded(e, x.T, evalUnary(e.Op, x.T, x.Bits))
		}
	case *Binary:
		x, okX := e.X.(*Const)
		y, okY := e.Y.(*Const)
		if okX && okY {
			if z, ok := evalBinary(e.Op, x.T, x.Bits, y.Bits); ok {
				return folded(e, e.T, z)
			}
		}
	case *Convert:
		if x, ok := e.X.(*Const); ok {
			if z, ok := evalConvert(x.T, e.T, x.Bits); ok {
				return folded(e, e.T, z)
			}
		}
	}
	return e
}

// computeAll computes what fold has left.
func computeAll(e Expr) Expr {
	switch x := e.(type) {
	case *Unary:
		return compute(&Unary{x.Op, computeAll(x.X)})
	case *Binary:
		return compute(&Binary{x.Op, computeAll(x.X), computeAll(x.Y), x.T})
	case *Convert:
		return compute(&Convert{computeAll(x.X), x.T})
	}
	return e
}
