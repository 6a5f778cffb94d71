package cfront

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Check is a kind of mistake that C leaves undefined, and that can be made a failure.
type Check uint8

const (
	Unchecked     Check = iota
	CheckNull           // the null pointer is dereferenced or called
	CheckBounds         // an access outside of an array, or of what a pointer points to
	CheckDiv            // division by zero
	CheckOverflow       // a signed result that does not fit its type
	CheckUninit         // a variable is read that has no value
	CheckShift          // a left shift whose signed result does not fit its type
	CheckMemory         // memory is used, or freed, that has ended, or that was not allocated
	CheckLeaks          // memory is not freed when the program ends
)

var checkNames = []string{"", "null", "bounds", "div", "overflow", "uninit", "shift", "memory", "leaks"}

// allChecks is what sanitizers check.
var allChecks = []Check{CheckNull, CheckBounds, CheckDiv, CheckOverflow, CheckUninit, CheckShift, CheckMemory}

func (c Check) String() string { return checkNames[c] }

// ParseChecks reads a list like "null,div"; "all" is what sanitizers check: all but leaks.
func ParseChecks(list string) ([]Check, error) {
	var all []Check
	for _, name := range strings.Split(list, ",") {
		i := slices.Index(checkNames, name)
		switch {
		case name == "all":
			all = append(all, allChecks...)
		case i <= 0:
			return nil, fmt.Errorf("%q is none of all, %s", name, strings.Join(checkNames[1:], ", "))
		default:
			all = append(all, Check(i))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// AddChecks makes kinds of mistakes failures, in the program itself: each instruction gets
// branches before it that lead to a failure with its position. Checked lists the kinds;
// NotChecked names the variables that CheckUninit says nothing about. What only Machine and package encode
// notice, since it is about where pointers point to, has no branches: CheckMemory, for which Options.Checks
// has to have it, and CheckLeaks.
func (p *Program) AddChecks(kinds []Check) {
	p.Checked = kinds
	if p.Checks(CheckMemory) && !p.lives {
		panic("cfront: a check of memory has to be among the Options that a program is parsed with")
	}
	if p.Checks(CheckLeaks) {
		p.leaks()
	}
	p.CheckAt(kinds, nil)
}

// CheckAt makes mistakes failures in some places: Checked does not list them, since they are none elsewhere.
func (p *Program) CheckAt(kinds []Check, where func(Span) bool) {
	for _, f := range p.Funcs {
		if f.Extern() {
			continue
		}
		c := &checker{prog: p, f: f, on: map[Check]bool{}, open: map[*Var]*Var{}, where: where}
		for _, k := range kinds {
			c.on[k] = true
		}
		if c.on[CheckUninit] {
			c.watch()
		}
		c.routine()
	}
	slices.Sort(p.NotChecked)
	p.NotChecked = slices.Compact(p.NotChecked)
}

// Checks reports whether a kind of mistake is a failure.
func (p *Program) Checks(k Check) bool { return k != Unchecked && slices.Contains(p.Checked, k) }

// checker adds checks to a routine.
type checker struct {
	prog   *Program
	f      *Func
	on     map[Check]bool
	open   map[*Var]*Var // what is not 0 where a variable has no value
	blocks []*Block
	now    *Block
	span   Span
	where  func(Span) bool // the places that are checked; nil: all
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
		case *Branch:
			c.expr(t.Cond)
		case *Return:
			if t.Value != nil {
				c.expr(t.Value)
			} else if c.on[CheckUninit] && c.f.Type.Result.Kind != Void && c.f.Name != "main" {
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

func (c *checker) begin(b *Block) {
	c.blocks = append(c.blocks, b)
	c.now = b
}

// fail adds a failure where all conditions hold.
func (c *checker) fail(what string, conditions ...Expr) {
	for _, e := range conditions {
		if n, ok := e.(*Const); ok && n.Bits == 0 {
			return
		}
	}
	if c.where != nil && !c.where(c.span) {
		return
	}
	if c.f.Library {
		what = c.f.Inside(what)
	}
	bad := &Block{End: &Fail{What: what, Span: c.span}}
	good := &Block{}
	for i, e := range conditions {
		then := bad
		if i+1 < len(conditions) {
			then = &Block{}
		}
		c.now.End = &Branch{Cond: e, Then: then, Else: good, Span: c.span}
		if then != bad {
			c.begin(then)
		}
	}
	c.blocks = append(c.blocks, bad)
	c.begin(good)
}

func (c *checker) instr(i Instr) {
	switch i := i.(type) {
	case *Assign:
		c.expr(i.Value)
		c.access(i.To)
	case *Havoc:
		c.access(i.To)
	case *Clear:
		c.access(i.To)
	case *Assume:
		c.expr(i.Cond)
	case *Use:
		c.expr(i.Value)
	case *Call:
		if i.Ptr != nil {
			c.expr(i.Ptr)
			c.null(i.Ptr)
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
func (c *checker) length(made *Call) {
	if !c.on[CheckBounds] || made.Callee == nil || made.Callee.Name != ArrayRoutine {
		return
	}
	n := made.Args[0]
	what := fmt.Sprintf("the length of %s is not positive", made.To.Var.Name)
	c.fail(what, c.relate(Eq, n, &Const{n.Type(), 0}))
	c.fail(what, c.relate(Lt, &Const{n.Type(), uint64(1)<<(8*n.Type().Size-1) - 1}, n)) // a negative number was converted
}

// expr checks what an expression computes, its parts first.
func (c *checker) expr(e Expr) {
	switch e := e.(type) {
	case *Load:
		c.access(e.From)
		c.value(e.From)
		return
	case *Addr:
		c.parts(e.Of, 0)
		c.onFromNull(e.Of)
		return
	}
	operands(e, c.expr)
	switch e := e.(type) {
	case *Unary:
		if t := e.Type(); c.on[CheckOverflow] && e.Op == Neg && t.Signed {
			c.fail(overflow(e), c.relate(Eq, e.X, least(t)))
		}
	case *Binary:
		c.binary(e)
		c.shift(e)
	case *Move:
		c.narrowed(e.By)
		c.onFromNull(Place{Ptr: e.P, Index: []Index{{e.By, e.Stride, -1}}})
	}
}

// onFromNull checks an address that is computed from the null pointer and is another one: what is
// accessed by it then is not null.
func (c *checker) onFromNull(p Place) {
	switch p.Ptr.(type) {
	case nil, *Const, *Addr, *FuncAddr:
		return // offsets are computed from constants
	}
	if !c.on[CheckNull] {
		return
	}
	what, null := fmt.Sprintf("an address is computed from the null pointer %s", shownAlone(p.Ptr)), c.relate(Eq, p.Ptr, &Const{p.Ptr.Type(), 0})
	switch {
	case p.Off != 0 && len(p.Index) == 0:
		c.fail(what, null)
	default:
		for _, i := range p.Index {
			c.fail(what, null, c.relate(Ne, i.By, &Const{i.By.Type(), 0}))
		}
		if p.Off != 0 {
			c.fail(what, null)
		}
	}
}

// access checks a place that is read or written.
func (c *checker) access(p Place) {
	c.parts(p, 1)
	if p.Ptr != nil {
		c.null(p.Ptr)
	}
}

// parts checks what an address is computed of: indices have to be below the length, less
// margin for an address that is accessed.
func (c *checker) parts(p Place, margin int64) {
	if p.Ptr != nil {
		c.expr(p.Ptr)
	}
	for _, i := range p.Index {
		c.expr(i.By)
		c.narrowed(i.By)
		if !c.on[CheckBounds] || i.Len < 0 {
			continue
		}
		t := i.By.Type()
		what := fmt.Sprintf("the index %s is outside of an array of %d elements", shownAlone(i.By), i.Len)
		c.fail(what, c.relate(Lt, i.By, &Const{t, 0}))
		c.fail(what, c.relate(Lt, &Const{t, uint64(i.Len - margin)}, i.By))
	}
}

// narrowed checks an index that is wider than a pointer: what is cut off counts.
func (c *checker) narrowed(by Expr) {
	if back, ok := by.(*Unary); ok {
		by = back.X
	}
	cut, ok := by.(*Convert)
	if !ok || !c.on[CheckBounds] || cut.X.Type().Size <= cut.T.Size {
		return
	}
	wide := cut.X.Type()
	c.fail(fmt.Sprintf("the index %s is outside of every array", Text(cut.X)), c.relate(Ne, cut.X, fold(&Convert{cut, wide})))
}

func (c *checker) null(p Expr) {
	switch p.(type) {
	case *Addr, *FuncAddr:
		return
	}
	if c.on[CheckNull] {
		c.fail(fmt.Sprintf("the null pointer %s is dereferenced", shownAlone(p)), c.relate(Eq, p, &Const{p.Type(), 0}))
	}
}

// relate compares two values of one type.
func (c *checker) relate(op Op, x, y Expr) Expr {
	return fold(&Binary{op, x, y, &Type{Kind: Integer, Size: 4, Signed: true, Name: "int"}})
}

func least(t *Type) *Const   { return &Const{t, ^uint64(0) << (t.Width() - 1)} }
func largest(t *Type) *Const { return &Const{t, uint64(math.MaxUint64) >> (65 - t.Width())} }

// shownAlone is an expression as a part of a message.
func shownAlone(e Expr) string { return outer(ShownText(e)) }

func overflow(e Expr) string { return fmt.Sprintf("%s does not fit %s", shownAlone(e), e.Type()) }

// binary checks an operation on numbers.
func (c *checker) binary(e *Binary) {
	t := e.X.Type()
	zero := &Const{t, 0}
	if c.on[CheckDiv] && t.Kind == Integer && (e.Op == Div || e.Op == Rem) {
		c.fail(fmt.Sprintf("division by zero: %s is 0", shownAlone(e.Y)), c.relate(Eq, e.Y, zero))
	}
	if !c.on[CheckOverflow] || t.Kind != Integer || !t.Signed {
		return
	}
	what := overflow(e)
	minus := func(x, y Expr) Expr { return fold(&Binary{Sub, x, y, t}) }
	plus := func(x, y Expr) Expr { return fold(&Binary{Add, x, y, t}) }
	switch e.Op {
	case Add:
		c.fail(what, c.relate(Lt, zero, e.Y), c.relate(Lt, minus(largest(t), e.Y), e.X))
		c.fail(what, c.relate(Lt, e.Y, zero), c.relate(Lt, e.X, minus(least(t), e.Y)))
	case Sub:
		c.fail(what, c.relate(Lt, e.Y, zero), c.relate(Lt, plus(largest(t), e.Y), e.X))
		c.fail(what, c.relate(Lt, zero, e.Y), c.relate(Lt, e.X, plus(least(t), e.Y)))
	case Div, Rem:
		c.fail(what, c.relate(Eq, e.X, least(t)), c.relate(Eq, e.Y, &Const{t, ^uint64(0)}))
	case Mul:
		c.product(e, what)
	}
}

// shift checks the number that comes out of a left shift, not what its left operand is (C11 6.5.7, 4).
func (c *checker) shift(e *Binary) {
	if t := e.T; c.on[CheckShift] && e.Op == Shl && t.Kind == Integer && t.Signed {
		c.fail(overflow(e), c.relate(Lt, fold(&Binary{Shr, largest(t), e.Y, t}), e.X))
		c.fail(overflow(e), c.relate(Lt, e.X, fold(&Binary{Shr, least(t), e.Y, t})))
	}
}

// product checks a product: in twice as many bits, or, of the widest type, by dividing the
// bounds by one of the factors.
func (c *checker) product(e *Binary, what string) {
	t := e.T
	if t.Size < 8 {
		wide := &Type{Kind: Integer, Size: 8, Signed: true, Name: integerName(8, true, false)}
		full := fold(&Binary{Mul, fold(&Convert{e.X, wide}), fold(&Convert{e.Y, wide}), wide})
		c.fail(what, c.relate(Lt, &Const{wide, largest(t).Bits}, full))
		c.fail(what, c.relate(Lt, full, &Const{wide, least(t).Bits}))
		return
	}
	x, y := e.X, e.Y
	if _, ok := x.(*Const); ok {
		x, y = y, x
	}
	one, minusOne := &Const{t, 1}, &Const{t, ^uint64(0)}
	over := func(n *Const) Expr { return fold(&Binary{Div, n, y, t}) }
	c.fail(what, c.relate(Lt, one, y), c.relate(Lt, over(largest(t)), x))
	c.fail(what, c.relate(Lt, one, y), c.relate(Lt, x, over(least(t))))
	c.fail(what, c.relate(Lt, y, minusOne), c.relate(Lt, x, over(largest(t))))
	c.fail(what, c.relate(Lt, y, minusOne), c.relate(Lt, over(least(t)), x))
	c.fail(what, c.relate(Eq, y, minusOne), c.relate(Eq, x, least(t)))
}
