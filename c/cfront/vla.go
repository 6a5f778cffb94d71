package cfront

import (
	"modernc.org/cc/v4"
)

// variableLength declares an array whose length is computed: a pointer to memory that
// ArrayRoutine makes, of as many elements as the length says.
func (r *routine) variableLength(name string, a *cc.ArrayType, elem *Type, span Span) {
	size := r.types.size()
	n := r.variable(name+".length", size, Temp, span)
	r.emit(&Assign{To: whole(n), Value: r.convert(a.SizeExpression(), r.need(a.SizeExpression()), size), Span: span})
	v := r.declare(name, r.types.pointer(elem), Local, span)
	to := whole(v)
	r.emit(&Call{To: &to, Callee: r.arrayRoutine(v.Type), Args: []Expr{&Load{whole(n)}, &Const{size, uint64(elem.Size)}}, Span: span})
	if r.lengths == nil {
		r.lengths = map[*Var]*Var{}
	}
	r.lengths[v] = n
}

// arrayRoutine is ArrayRoutine.
func (l *linker) arrayRoutine(result *Type) *Func {
	if l.funcs[ArrayRoutine] == nil {
		size := l.types.size()
		f := &Func{Name: ArrayRoutine, Type: &Type{Kind: Function, Size: -1, Result: result, Params: []*Type{size, size}, Name: "void*(unsigned, unsigned)"}}
		l.funcs[ArrayRoutine] = f
		l.prog.Funcs = append(l.prog.Funcs, f)
	}
	return l.funcs[ArrayRoutine]
}

// lengthOf is the array of variable length that an expression names, nil if it names none.
func (r *routine) lengthOf(n cc.ExpressionNode) *Var {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionExpr:
			return r.lengthOf(e.ExpressionList)
		case cc.PrimaryExpressionIdent:
			if v := r.lookup(e.Token.SrcStr()); v != nil && r.lengths[v] != nil {
				return v
			}
		}
	}
	return nil
}

// sizeOf is the size of an array of variable length.
func (r *routine) sizeOf(n cc.Node, v *Var) Expr {
	return r.operate(n, Mul, &Load{whole(r.lengths[v])}, &Const{r.types.size(), uint64(v.Type.Elem.Size)})
}
