// Package checks makes mistakes that C leaves undefined (null pointers, bounds, division by zero, overflow, values of
// variables that have none) failures of a program (package ir), with a message that says what is wrong.
package checks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// sanitized is what sanitizers check.
var sanitized = []ir.Check{ir.CheckNull, ir.CheckBounds, ir.CheckDiv, ir.CheckOverflow, ir.CheckUninit, ir.CheckShift, ir.CheckMemory}

// Parse reads a list like "null,div"; "all" is what sanitizers check: all but leaks.
func Parse(list string) ([]ir.Check, error) {
	var all []ir.Check
	for _, name := range strings.Split(list, ",") {
		i := slices.Index(ir.CheckNames, name)
		switch {
		case name == "all":
			all = append(all, sanitized...)
		case i <= 0:
			return nil, fmt.Errorf("%q is none of all, %s", name, strings.Join(ir.CheckNames[1:], ", "))
		default:
			all = append(all, ir.Check(i))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Add makes kinds of mistakes failures, in the program itself: each instruction gets
// branches before it that lead to a failure with its position. Checked lists the kinds;
// NotChecked names the variables that CheckUninit says nothing about. What only package machine and package encode
// notice, since it is about where pointers point to, has no branches: CheckMemory, for which cfront.Options.Checks
// has to have it, and CheckLeaks.
func Add(p *ir.Program, kinds []ir.Check) {
	p.Checked = kinds
	if p.Checks(ir.CheckMemory) && !p.BlockEnds {
		panic("checks: a check of memory has to be among the Options that a program is parsed with")
	}
	if p.Checks(ir.CheckLeaks) {
		p.Leaks()
	}
	AddAt(p, kinds, nil)
}

// AddAt makes mistakes failures in some places: Checked does not list them, since they are none elsewhere.
func AddAt(p *ir.Program, kinds []ir.Check, where func(ir.Span) bool) {
	for _, f := range p.Funcs {
		if f.Extern() {
			continue
		}
		c := &checker{prog: p, f: f, on: map[ir.Check]bool{}, open: map[*ir.Var]*ir.Var{}, where: where}
		for _, k := range kinds {
			c.on[k] = true
		}
		if c.on[ir.CheckUninit] {
			c.watch()
		}
		c.routine()
	}
	slices.Sort(p.NotChecked)
	p.NotChecked = slices.Compact(p.NotChecked)
}

// checker adds checks to a routine.
type checker struct {
	prog   *ir.Program
	f      *ir.Func
	on     map[ir.Check]bool
	open   map[*ir.Var]*ir.Var // what is not 0 where a variable has no value
	blocks []*ir.Block
	now    *ir.Block
	span   ir.Span
	where  func(ir.Span) bool // the places that are checked; nil: all
}

func (c *checker) routine() {
	old := c.f.Blocks
	c.blocks = nil
	for i, b := range old {
		instrs, end := b.Instrs, b.End
		b.Instrs = nil
		c.begin(b)
		if i == 0 {
			c.openAll()
		}
		for _, in := range instrs {
			c.span = in.At()
			c.instr(in)
			c.now.Instrs = append(c.now.Instrs, in)
			c.after(in)
		}
		c.span = end.At()
		switch t := end.(type) {
		case *ir.Branch:
			c.expr(t.Cond)
		case *ir.Return:
			if t.Value != nil {
				c.expr(t.Value)
			} else if c.on[ir.CheckUninit] && c.f.Type.Result.Kind != ir.Void && c.f.Name != "main" {
				c.prog.NotChecked = append(c.prog.NotChecked, "what "+c.f.Name+" returns without a value")
			}
		}
		c.now.End = end
	}
	c.f.Blocks = c.blocks
	for i, b := range c.blocks {
		b.Index = i
	}
}

func (c *checker) begin(b *ir.Block) {
	c.blocks = append(c.blocks, b)
	c.now = b
}

// fail adds a failure where all conditions hold.
func (c *checker) fail(what string, conditions ...ir.Expr) {
	c.misused(ir.NoMisuse, what, conditions...)
}

// misused adds one that is a misuse of memory.
func (c *checker) misused(how ir.Misuse, what string, conditions ...ir.Expr) {
	for _, e := range conditions {
		if n, ok := e.(*ir.Const); ok && n.Bits == 0 {
			return
		}
	}
	if c.where != nil && !c.where(c.span) {
		return
	}
	if c.f.Library {
		what = c.f.Inside(what)
	}
	bad := &ir.Block{End: &ir.Fail{What: what, Span: c.span, Misuse: how}}
	good := &ir.Block{}
	for i, e := range conditions {
		then := bad
		if i+1 < len(conditions) {
			then = &ir.Block{}
		}
		c.now.End = &ir.Branch{Cond: e, Then: then, Else: good, Span: c.span}
		if then != bad {
			c.begin(then)
		}
	}
	c.blocks = append(c.blocks, bad)
	c.begin(good)
}

func (c *checker) instr(i ir.Instr) {
	switch i := i.(type) {
	case *ir.Assign:
		c.expr(i.Value)
		c.access(i.To)
	case *ir.Havoc:
		c.access(i.To)
	case *ir.Clear:
		c.access(i.To)
	case *ir.Assume:
		c.expr(i.Cond)
	case *ir.Use:
		c.expr(i.Value)
	case *ir.Call:
		if i.Ptr != nil {
			c.expr(i.Ptr)
			c.null(i.Ptr, ir.NoMisuse)
		}
		for _, a := range i.Args {
			c.expr(a)
		}
		c.length(i)
		if i.To != nil {
			c.access(*i.To)
		}
	}
}

// length checks that an array of variable length has elements (C11 6.7.6.2, 5).
func (c *checker) length(made *ir.Call) {
	if !c.on[ir.CheckBounds] || made.Callee == nil || made.Callee.Name != ir.ArrayRoutine {
		return
	}
	n := made.Args[0]
	what := fmt.Sprintf("the length of %s is not positive", made.To.Var.Name)
	c.fail(what, c.relate(ir.Eq, n, &ir.Const{T: n.Type(), Bits: 0}))
	c.fail(what, c.relate(ir.Lt, &ir.Const{T: n.Type(), Bits: uint64(1)<<(8*n.Type().Size-1) - 1}, n)) // a negative number was converted
}

// expr checks what an expression computes, its parts first.
func (c *checker) expr(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Load:
		c.access(e.From)
		c.value(e.From)
		return
	case *ir.Addr:
		c.parts(e.Of, 0)
		c.onFromNull(e.Of)
		return
	}
	ir.Operands(e, c.expr)
	switch e := e.(type) {
	case *ir.Unary:
		if t := e.Type(); c.on[ir.CheckOverflow] && e.Op == ir.Neg && t.Signed {
			c.fail(overflow(e), c.relate(ir.Eq, e.X, least(t)))
		}
	case *ir.Binary:
		c.binary(e)
		c.shift(e)
	case *ir.Move:
		c.narrowed(e.By)
		c.onFromNull(ir.Place{Ptr: e.P, Index: []ir.Index{{By: e.By, Stride: e.Stride, Len: -1}}})
	}
}

// onFromNull checks an address that is computed from the null pointer and is another one: what is
// accessed by it then is not null.
func (c *checker) onFromNull(p ir.Place) {
	switch p.Ptr.(type) {
	case nil, *ir.Const, *ir.Addr, *ir.FuncAddr:
		return // offsets are computed from constants
	}
	if !c.on[ir.CheckNull] {
		return
	}
	what, null := fmt.Sprintf("an address is computed from the null pointer %s", ir.ShownAlone(p.Ptr)), c.relate(ir.Eq, p.Ptr, &ir.Const{T: p.Ptr.Type(), Bits: 0})
	switch {
	case p.Off != 0 && len(p.Index) == 0:
		c.fail(what, null)
	default:
		for _, i := range p.Index {
			c.fail(what, null, c.relate(ir.Ne, i.By, &ir.Const{T: i.By.Type(), Bits: 0}))
		}
		if p.Off != 0 {
			c.fail(what, null)
		}
	}
}

// access checks a place that is read or written.
func (c *checker) access(p ir.Place) {
	c.parts(p, 1)
	if p.Ptr != nil {
		c.null(p.Ptr, ir.Dereference)
	}
}

// parts checks what an address is computed of: indices have to be below the length, less
// margin for an address that is accessed.
func (c *checker) parts(p ir.Place, margin int64) {
	if p.Ptr != nil {
		c.expr(p.Ptr)
	}
	for _, i := range p.Index {
		c.expr(i.By)
		c.narrowed(i.By)
		if !c.on[ir.CheckBounds] || i.Len < 0 {
			continue
		}
		t := i.By.Type()
		what := fmt.Sprintf("the index %s is outside of an array of %d elements", ir.ShownAlone(i.By), i.Len)
		if i.Len == ir.Endless {
			what = fmt.Sprintf("the index %s is before the array", ir.ShownAlone(i.By))
		}
		how := ir.NoMisuse
		if margin > 0 && ofWhole(p) {
			how = ir.Dereference
		}
		c.misused(how, what, c.relate(ir.Lt, i.By, &ir.Const{T: t, Bits: 0}))
		c.misused(how, what, c.relate(ir.Lt, &ir.Const{T: t, Bits: uint64(i.Len - margin)}, i.By))
	}
}

// ofWhole reports a place that is an element of a variable: an index that is not one of the array's leaves the object.
func ofWhole(p ir.Place) bool {
	if p.Var == nil || len(p.Index) != 1 {
		return false
	}
	i := p.Index[0]
	return p.Off >= 0 && p.Off < i.Stride && i.Len*i.Stride == p.Var.Type.Size
}

// narrowed checks an index that is wider than a pointer: what is cut off counts.
func (c *checker) narrowed(by ir.Expr) {
	if back, ok := by.(*ir.Unary); ok {
		by = back.X
	}
	cut, ok := by.(*ir.Convert)
	if !ok || !c.on[ir.CheckBounds] || cut.X.Type().Size <= cut.T.Size {
		return
	}
	wide := cut.X.Type()
	c.fail(fmt.Sprintf("the index %s is outside of every array", ir.Text(cut.X)), c.relate(ir.Ne, cut.X, ir.Fold(&ir.Convert{X: cut, T: wide})))
}

func (c *checker) null(p ir.Expr, how ir.Misuse) {
	switch p.(type) {
	case *ir.Addr, *ir.FuncAddr:
		return
	}
	if c.on[ir.CheckNull] {
		c.misused(how, fmt.Sprintf("the null pointer %s is dereferenced", ir.ShownAlone(p)), c.relate(ir.Eq, p, &ir.Const{T: p.Type(), Bits: 0}))
	}
}

// relate compares two values of one type.
func (c *checker) relate(op ir.Op, x, y ir.Expr) ir.Expr {
	return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: &ir.Type{Kind: ir.Integer, Size: 4, Signed: true, Name: "int"}})
}

func least(t *ir.Type) *ir.Const { return &ir.Const{T: t, Bits: ^uint64(0) << (t.Width() - 1)} }

func largest(t *ir.Type) *ir.Const {
	return &ir.Const{T: t, Bits: uint64(math.MaxUint64) >> (65 - t.Width())}
}

func overflow(e ir.Expr) string { return fmt.Sprintf("%s does not fit %s", ir.ShownAlone(e), e.Type()) }

// binary checks an operation on numbers.
func (c *checker) binary(e *ir.Binary) {
	t := e.X.Type()
	zero := &ir.Const{T: t, Bits: 0}
	if c.on[ir.CheckDiv] && t.Kind == ir.Integer && (e.Op == ir.Div || e.Op == ir.Rem) {
		c.fail(fmt.Sprintf("division by zero: %s is 0", ir.ShownAlone(e.Y)), c.relate(ir.Eq, e.Y, zero))
	}
	if !c.on[ir.CheckOverflow] || t.Kind != ir.Integer || !t.Signed {
		return
	}
	what := overflow(e)
	minus := func(x, y ir.Expr) ir.Expr { return ir.Fold(&ir.Binary{Op: ir.Sub, X: x, Y: y, T: t}) }
	plus := func(x, y ir.Expr) ir.Expr { return ir.Fold(&ir.Binary{Op: ir.Add, X: x, Y: y, T: t}) }
	switch e.Op {
	case ir.Add:
		c.fail(what, c.relate(ir.Lt, zero, e.Y), c.relate(ir.Lt, minus(largest(t), e.Y), e.X))
		c.fail(what, c.relate(ir.Lt, e.Y, zero), c.relate(ir.Lt, e.X, minus(least(t), e.Y)))
	case ir.Sub:
		c.fail(what, c.relate(ir.Lt, e.Y, zero), c.relate(ir.Lt, plus(largest(t), e.Y), e.X))
		c.fail(what, c.relate(ir.Lt, zero, e.Y), c.relate(ir.Lt, e.X, plus(least(t), e.Y)))
	case ir.Div, ir.Rem:
		c.fail(what, c.relate(ir.Eq, e.X, least(t)), c.relate(ir.Eq, e.Y, &ir.Const{T: t, Bits: ^uint64(0)}))
	case ir.Mul:
		c.product(e, what)
	}
}

// shift checks the number that comes out of a left shift, not what its left operand is (C11 6.5.7, 4).
func (c *checker) shift(e *ir.Binary) {
	if t := e.T; c.on[ir.CheckShift] && e.Op == ir.Shl && t.Kind == ir.Integer && t.Signed {
		c.fail(overflow(e), c.relate(ir.Lt, ir.Fold(&ir.Binary{Op: ir.Shr, X: largest(t), Y: e.Y, T: t}), e.X))
		c.fail(overflow(e), c.relate(ir.Lt, e.X, ir.Fold(&ir.Binary{Op: ir.Shr, X: least(t), Y: e.Y, T: t})))
	}
}

// product checks a product: in twice as many bits, or, of the widest type, by dividing the
// bounds by one of the factors.
func (c *checker) product(e *ir.Binary, what string) {
	t := e.T
	if t.Size < 8 {
		wide := &ir.Type{Kind: ir.Integer, Size: 8, Signed: true, Name: ir.IntegerName(8, true, false)}
		full := ir.Fold(&ir.Binary{Op: ir.Mul, X: ir.Fold(&ir.Convert{X: e.X, T: wide}), Y: ir.Fold(&ir.Convert{X: e.Y, T: wide}), T: wide})
		c.fail(what, c.relate(ir.Lt, &ir.Const{T: wide, Bits: largest(t).Bits}, full))
		c.fail(what, c.relate(ir.Lt, full, &ir.Const{T: wide, Bits: least(t).Bits}))
		return
	}
	x, y := e.X, e.Y
	if _, ok := x.(*ir.Const); ok {
		x, y = y, x
	}
	one, minusOne := &ir.Const{T: t, Bits: 1}, &ir.Const{T: t, Bits: ^uint64(0)}
	over := func(n *ir.Const) ir.Expr { return ir.Fold(&ir.Binary{Op: ir.Div, X: n, Y: y, T: t}) }
	c.fail(what, c.relate(ir.Lt, one, y), c.relate(ir.Lt, over(largest(t)), x))
	c.fail(what, c.relate(ir.Lt, one, y), c.relate(ir.Lt, x, over(least(t))))
	c.fail(what, c.relate(ir.Lt, y, minusOne), c.relate(ir.Lt, x, over(largest(t))))
	c.fail(what, c.relate(ir.Lt, y, minusOne), c.relate(ir.Lt, over(least(t)), x))
	c.fail(what, c.relate(ir.Eq, y, minusOne), c.relate(ir.Eq, x, least(t)))
}
