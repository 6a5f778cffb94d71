package ir

import (
	"fmt"
	"slices"
)

// Verify reports the first violation of what every program satisfies: operands and
// assignments have the types that the form asks for, jumps lead to blocks of the routine,
// and variables belong to it or are global. Nil if there is none.
func (p *Program) Verify() error {
	globals := map[*Var]bool{}
	for _, v := range p.Globals {
		globals[v] = true
	}
	for _, f := range slices.Concat([]*Func{p.Init}, p.Funcs, p.Conditions) {
		v := &verifier{vars: map[*Var]bool{}, blocks: map[*Block]bool{}, f: f}
		for g := range globals {
			v.vars[g] = true
		}
		for _, list := range [][]*Var{f.Params, f.Locals} {
			for _, l := range list {
				v.vars[l] = true
			}
		}
		for i, b := range f.Blocks {
			v.blocks[b] = true
			v.must(b.Index == i, "block %d has number %d", i, b.Index)
		}
		for _, b := range f.Blocks {
			v.block(b)
		}
		if v.err != nil {
			return v.err
		}
	}
	return nil
}

type verifier struct {
	f      *Func
	vars   map[*Var]bool
	blocks map[*Block]bool
	err    error
}

func (v *verifier) must(ok bool, format string, args ...any) {
	if !ok && v.err == nil {
		v.err = fmt.Errorf("routine %s: %s", v.f.Name, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) block(b *Block) {
	for _, i := range b.Instrs {
		v.instr(i)
	}
	switch t := b.End.(type) {
	case *Jump:
		v.must(v.blocks[t.To], "a jump leads elsewhere")
	case *Branch:
		v.expr(t.Cond)
		v.must(t.Cond.Type().Scalar() && t.Cond.Type().Kind != IEEE, "a branch on %s", t.Cond.Type())
		v.must(v.blocks[t.Then] && v.blocks[t.Else], "a branch leads elsewhere")
	case *Return:
		if t.Value != nil {
			v.expr(t.Value)
			v.must(fits(t.Value.Type(), v.f.Type.Result), "returns %s, not %s", t.Value.Type(), v.f.Type.Result)
		}
	case *Fail, *Stop:
	default:
		v.must(false, "block %d does not end", b.Index)
	}
}

// fits reports that values of type a can be stored as b.
func fits(a, b *Type) bool {
	switch {
	case a.Kind == Integer && b.Kind == Integer:
		return a == b
	case a.Kind != b.Kind:
		return false
	}
	return a.Size == b.Size
}

func (v *verifier) instr(i Instr) {
	switch i := i.(type) {
	case *Assign:
		v.place(i.To)
		v.expr(i.Value)
		v.must(fits(i.Value.Type(), i.To.Type), "%s is stored as %s", i.Value.Type(), i.To.Type)
		if i.To.Type.Aggregate() {
			_, ok := i.Value.(*Load)
			v.must(ok, "a struct is computed")
		}
	case *End:
		for _, x := range i.Vars {
			v.must(v.vars[x] && x.Kind == Local, "%s ends, which is no local", x.Name)
		}
	case *Havoc:
		v.place(i.To)
	case *Clear:
		v.place(i.To)
	case *Use:
		v.expr(i.Value)
		_, ok := i.Value.(*Load)
		v.must(ok || i.Value.Type().Scalar(), "a value of type %s is computed", i.Value.Type())
	case *Assume:
		v.expr(i.Cond)
		v.must(i.Cond.Type().Scalar() && i.Cond.Type().Kind != IEEE, "an assumption of %s", i.Cond.Type())
	case *Call:
		for _, a := range i.Args {
			v.expr(a)
		}
		if i.To != nil {
			v.place(*i.To)
		}
		v.must((i.Callee == nil) != (i.Ptr == nil), "a call of two routines or none")
		if i.Ptr != nil {
			v.expr(i.Ptr)
			v.must(i.Ptr.Type().Kind == Pointer, "a call of %s", i.Ptr.Type())
		} else if !i.Callee.Extern() {
			v.must(len(i.Args) == len(i.Callee.Params), "%d arguments for %s", len(i.Args), i.Callee.Name)
			for k, p := range i.Callee.Params {
				v.must(k >= len(i.Args) || fits(i.Args[k].Type(), p.Type), "argument %d of %s", k+1, i.Callee.Name)
			}
		}
	}
}

func (v *verifier) place(p Place) {
	v.must((p.Var == nil) != (p.Ptr == nil), "a place with two bases or none")
	if p.Var != nil {
		v.must(v.vars[p.Var], "variable %s is of another routine", p.Var.Name)
	} else {
		v.expr(p.Ptr)
		v.must(p.Ptr.Type().Kind == Pointer, "%s is dereferenced", p.Ptr.Type())
	}
	for _, i := range p.Index {
		v.expr(i.By)
		v.must(i.By.Type().Kind == Integer && i.By.Type().Signed, "an index of type %s", i.By.Type())
	}
	v.must(p.Type != nil && p.Bits >= 0, "a place without a type")
}

func (v *verifier) expr(e Expr) {
	switch e := e.(type) {
	case *Const:
		v.must(e.T.Scalar() && Extend(e.T, e.Bits) == e.Bits, "the number %d of type %s", e.Bits, e.T)
	case *Load:
		v.place(e.From)
	case *Addr:
		v.place(e.Of)
		v.must(e.T.Kind == Pointer, "an address of type %s", e.T)
	case *FuncAddr:
	case *Unary:
		v.expr(e.X)
		t := e.X.Type()
		v.must(t.Kind == Integer && e.Op <= BitNot || t.Kind == IEEE && (e.Op == Neg || e.Op >= Abs && e.Op <= Rint), "an operation on %s", t)
	case *Binary:
		v.expr(e.X)
		v.expr(e.Y)
		x, y := e.X.Type(), e.Y.Type()
		switch {
		case e.Op == Shl || e.Op == Shr:
			v.must(x.Kind == Integer && y.Kind == Integer && e.T == x, "a shift of %s by %s", x, y)
		case e.Op >= Eq:
			v.must(x.Scalar() && fits(x, y), "a comparison of %s and %s", x, y)
		default:
			float := x.Kind == IEEE && (e.Op >= Add && e.Op <= Rem || e.Op >= Remainder)
			v.must((x.Kind == Integer && e.Op < Abs || float) && x == y && e.T == x, "an operation on %s and %s", x, y)
		}
	case *Convert:
		v.expr(e.X)
		float := e.X.Type().Kind == IEEE && e.T.Kind == Pointer || e.X.Type().Kind == Pointer && e.T.Kind == IEEE
		v.must(e.X.Type().Scalar() && e.T.Scalar() && !float, "a conversion of %s to %s", e.X.Type(), e.T)
	case *Move:
		v.expr(e.P)
		v.expr(e.By)
		v.must(e.P.Type().Kind == Pointer && e.By.Type().Kind == Integer && e.By.Type().Signed, "%s is moved", e.P.Type())
	case *Distance:
		v.expr(e.P)
		v.expr(e.Q)
		v.must(e.P.Type().Kind == Pointer && e.Q.Type().Kind == Pointer, "the distance of %s and %s", e.P.Type(), e.Q.Type())
	}
}
