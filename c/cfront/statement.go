package cfront

import (
	"cmp"
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// errorLabel is the label whose reaching is a failure.
const errorLabel = "ERROR"

func (r *routine) compound(n *cc.CompoundStatement) {
	r.open()
	defer r.close()
	for list := n.BlockItemList; list != nil; list = list.BlockItemList {
		r.item(list.BlockItem)
	}
}

func (r *routine) item(n *cc.BlockItem) {
	switch n.Case {
	case cc.BlockItemDecl:
		r.declaration(n.Declaration)
	case cc.BlockItemStmt:
		r.statement(n.Statement)
	case cc.BlockItemLabel:
		refuse(r.span(n), "c-label", "remove the declaration", "declarations of labels are not supported")
	case cc.BlockItemFuncDef:
		refuse(r.span(n), "c-nested", "move it out", "routines inside of routines are not supported")
	}
}

// statementExpression is ({ ... }); its value is that of the last statement.
func (r *routine) statementExpression(n *cc.PrimaryExpression, wanted bool) ir.Expr {
	r.open()
	defer r.close()
	var last ir.Expr
	for list := n.CompoundStatement.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		if list.BlockItemList == nil && wanted && item.Case == cc.BlockItemStmt && item.Statement.Case == cc.StatementExpr && item.Statement.ExpressionStatement.ExpressionList != nil {
			of := item.Statement.ExpressionStatement.ExpressionList
			if bad := r.module.bad[of]; bad != nil { // of what it is part of, here
				panic(bad)
			}
			last = r.value(of)
			switch {
			case last == nil:
			case r.opts.lives() && last.Type().Kind != ir.Float:
				last = r.outliving(last, r.span(item))
			case last.Type().Kind != ir.Struct:
				last = r.save(last, r.span(item))
			}
			break
		}
		r.item(item)
	}
	return last
}

// aRoutine stands in scopes where a name is a routine's, and so hides variables.
var aRoutine = &ir.Var{}

// declaration declares variables of a block.
func (r *routine) declaration(n *cc.Declaration) {
	if n.Case == cc.DeclarationAuto {
		refuse(r.span(n), "c-auto", "name the type", "declarations without a type are not supported")
	}
	for _, d := range initDeclarators(n) {
		decl := d.Declarator
		if decl != nil && decl.IsTypename() && variablyModified(decl.Type()) {
			r.attempt(d, func() {
				refuse(r.span(decl), "c-vla", "declare the variables with the length", "types of arrays of variable length are not supported")
			})
		}
		if decl == nil || decl.IsTypename() || decl.Name() == "__func__" {
			continue
		}
		bad := r.attempt(d, func() {
			switch {
			case decl.Type().Kind() == cc.Function:
				f := r.routine(r.module, decl, decl.Type().(*cc.FunctionType))
				f.NoReturn = f.NoReturn || noreturn(n.DeclarationSpecifiers, decl.Type())
				r.scopes[len(r.scopes)-1][decl.Name()] = aRoutine
			case decl.IsExtern():
				r.scopes[len(r.scopes)-1][decl.Name()] = r.global(r.module, decl, false)
			default:
				r.local(d)
			}
		})
		if bad != nil { // a jump may pass it
			r.scopes[len(r.scopes)-1][decl.Name()] = notRead(decl.Name(), r.span(decl), bad)
		}
	}
}

func (r *routine) local(d *cc.InitDeclarator) {
	decl, span := d.Declarator, r.span(d.Declarator)
	if v := r.standsFor[decl.Name()]; v != nil {
		r.scopes[len(r.scopes)-1][decl.Name()] = v
		return
	}
	t := r.typeOf(r.module, decl, decl.Type())
	if a, ok := decl.Type().(*cc.ArrayType); ok && t.Size < 0 && t.Elem.Size >= 0 && a.IsVLA() && !decl.IsStatic() && d.Case != cc.InitDeclaratorInit {
		r.variableLength(decl.Name(), a, t.Elem, span)
		return
	}
	if t.Size < 0 {
		refuse(span, "c-vla", "give it a constant size", "the size of %s is not constant", decl.Name())
	}
	if decl.IsStatic() {
		v := r.newGlobal(ir.StaticName(r.f, decl.Name()), t, span)
		v.Const, v.Volatile = r.types.declaredConst(decl), r.types.declaredVolatile(decl)
		r.scopes[len(r.scopes)-1][decl.Name()] = v
		if d.Case == cc.InitDeclaratorInit {
			in := r.inits
			in.scopes = r.scopes
			in.initialize(v, d.Initializer)
			in.scopes = nil
		}
		return
	}
	v := r.declare(decl.Name(), t, ir.Local, span)
	v.Const, v.Volatile = r.types.declaredConst(decl), r.types.declaredVolatile(decl)
	if v.Depth == 0 && !r.left {
		if r.certain == nil {
			r.certain = map[*ir.Var]bool{}
		}
		r.certain[v] = true
	}
	if d.Case == cc.InitDeclaratorInit {
		if r.now.End != nil {
			r.begin(r.block("")) // behind a return, say: not reached, and yet the value counts
		}
		block, n := r.now, len(r.now.Instrs)
		r.initialize(v, d.Initializer)
		if r.now == block && !hasComma(d.Initializer) {
			list := r.definedAtOnce(v, block.Instrs[n:])
			v.First, block.Instrs = constantParts(v, list), slices.Concat(block.Instrs[:n], list)
		}
		return
	}
	r.undefine(v, span)
}

// hasComma reports the operator: what has it is no expression of constants (C11 6.6, 3).
func hasComma(n cc.Node) (found bool) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		e, is := n.(*cc.ExpressionList)
		found = found || is && e.ExpressionList != nil
	})
	return found
}

// constantParts are instructions if all of them give constants to parts of a variable, else nil; its
// padding apart.
func constantParts(v *ir.Var, list []ir.Instr) (all []ir.Instr) {
	for _, i := range list {
		switch i := i.(type) {
		case *ir.Clear:
			if i.To.Var != v {
				return nil
			}
		case *ir.Assign:
			if _, constant := i.Value.(*ir.Const); !constant || i.To.Var != v || len(i.To.Index) > 0 {
				return nil
			}
		case *ir.Havoc:
			if i.Why != ir.Padding {
				return nil
			}
			continue
		default:
			return nil
		}
		all = append(all, i)
	}
	return all
}

// initialize gives a variable its first value.
func (r *routine) initialize(v *ir.Var, n *cc.Initializer) {
	if n.Case == cc.InitializerExpr && !(v.Type.Kind == ir.Array) {
		r.first(ir.Whole(v), n)
		return
	}
	if v.Type.Size < 0 {
		refuse(r.span(n), "c-initialiser", "give it a constant size", "the size of %s is not known", v.Name)
	}
	if v.Kind != ir.Global {
		r.emit(&ir.Clear{To: ir.Whole(v), Span: r.span(n)})
	}
	before := &named{r: r, of: n.Type()}
	r.initialParts(v, n, before, true)
	if v.Kind != ir.Global {
		r.padUnions(v, before, r.span(n))
		r.pad(ir.Whole(v), r.span(n))
	}
}

// named are the parts of a variable that its initialiser has named, in bits: they do not overlap, and are
// sorted. A list, a string or another member of a union that comes to one again makes all of what it is
// about 0 first (C17 6.7.9, 19): that is refused.
type named struct {
	r     *routine
	of    cc.Type // the variable's
	parts [][2]int64
	// computed are those whose value is no constant: whether it is computed where another one takes its
	// place is not said (C17 6.7.9, note 156), and compilers differ.
	computed map[[2]int64]bool
}

// among returns which of the parts overlap with some bits: those from first up to next.
func (g *named) among(from, to int64) (first, next int) {
	first, _ = slices.BinarySearchFunc(g.parts, from, func(p [2]int64, from int64) int { return cmp.Compare(p[1], from+1) })
	for next = first; next < len(g.parts) && g.parts[next][0] < to; next++ {
	}
	return first, next
}

// again refuses a list or a string about bits of which a part was named.
func (g *named) again(n *cc.Initializer, from, to int64) {
	if first, next := g.among(from, to); first < next {
		g.refuse(n)
	}
}

// value notes a value, which replaces the parts that it covers.
func (g *named) value(n *cc.Initializer, from, to int64) {
	first, next := g.among(from, to)
	if first < next && (g.parts[first][0] < from || g.parts[next-1][1] > to) {
		g.refuse(n)
	}
	for _, p := range g.parts[first:next] {
		if g.computed[p] {
			refuse(g.r.span(n), "c-initialiser", "compute the value before, or initialise it once", "a value that is computed is replaced by this one: whether it is computed at all is not said")
		}
	}
	if part := [2]int64{from, to}; from < to {
		g.parts = slices.Replace(g.parts, first, next, part)
		if g.computed == nil {
			g.computed = map[[2]int64]bool{}
		}
		g.computed[part] = g.r.f != g.r.prog.Init && n.AssignmentExpression != nil && g.r.computes(n.AssignmentExpression)
	}
}

// computes reports an expression that does something, or may be a mistake: more than names, addresses
// and constants.
func (r *routine) computes(n cc.ExpressionNode) bool {
	if r.ofConstants(n) {
		return false
	}
	return hasEffects(n) || slices.ContainsFunc(cc.NodeTokens(n), func(t cc.Token) bool {
		switch t.Ch {
		case rune(cc.IDENTIFIER), rune(cc.STRINGLITERAL), rune(cc.INTCONST), rune(cc.CHARCONST), rune(cc.FLOATCONST), '&', '(', ')':
			return false
		}
		return true
	})
}

func (g *named) refuse(n *cc.Initializer) {
	refuse(g.r.span(n), "c-initialiser", "initialise it once, or by assignments", "a part of this is initialised twice, in different ways, which is not supported")
}

// initialList stores what a list says, in any order.
func (r *routine) initialList(v *ir.Var, list *cc.InitializerList, before *named) {
	from, open := len(r.orders.log), someEffects(list)
	for ; list != nil; list = list.InitializerList {
		between := len(r.orders.log)
		r.ranged(list, before.of)
		if r.initialParts(v, list.Initializer, before, false); open {
			r.openOrder(from, between, list.Initializer, v)
		}
	}
}

// ranged refuses [a ... b] of elements that are not initialised whole by one expression, in an object of a
// type: the parser gives the value to one of them, or to other parts.
func (r *routine) ranged(list *cc.InitializerList, of cc.Type) {
	if list.Designation == nil {
		return
	}
	designators := 0
	var elements cc.ExpressionNode // the last of a range
	for d := list.Designation.DesignatorList; d != nil; d = d.DesignatorList {
		if designators++; d.Designator.ConstantExpression2 != nil {
			elements = d.Designator.ConstantExpression2
		}
	}
	if elements == nil {
		return
	}
	n := list.Initializer
	if p := n.Parent(); p != nil && p.Type() != nil {
		of = p.Type()
	}
	array, is := of.(*cc.ArrayType)
	if n.AssignmentExpression != nil && hasEffects(n.AssignmentExpression) {
		refuse(r.span(n), "c-initialiser", "compute the value before", "the value of a range of elements has side effects")
	}
	if !is || designators > 1 || n.Case != cc.InitializerExpr || n.Len() < 2 || n.Type().Size() != array.Elem().Size() {
		refuse(r.span(n), "c-initialiser", "write the elements one by one", "a range of elements that one expression does not initialise is not supported")
	}
}

// maxRange bounds how many elements one initialiser is for.
const maxRange = 1 << 18

// initialParts stores what an initialiser says; the parser has found where.
func (r *routine) initialParts(v *ir.Var, n *cc.Initializer, before *named, whole bool) {
	if n.Case == cc.InitializerInitList {
		if t := n.Type(); !whole && t != nil {
			at, ok := r.types.moved(before.of, n.Offset(), n.Field())
			if own := r.typeOf(r.module, n, t); !ok || own.Size < 0 {
				before.refuse(n)
			} else {
				before.again(n, at.off*8, (at.off+own.Size)*8)
			}
		}
		r.initialList(v, n.InitializerList, before)
		return
	}
	t := r.typeOf(r.module, n, n.Type())
	at, ok := r.types.moved(before.of, n.Offset(), n.Field())
	if !ok {
		refuse(r.span(n), "c-initialiser", "initialise it by assignments", "where this lies, behind bit-fields, is not known")
	}
	p := ir.Place{Var: v, Off: at.off, Type: t}
	if f := n.Field(); f != nil && f.IsBitfield() {
		t = r.types.narrowed(t, at)
		if p.Type, p.BitOff, p.Bits = t, at.bit, int(f.ValueBits()); p.BitOff+p.Bits > t.Width() {
			refuse(r.span(n), "c-bitfield", "do not pack it", "a bit-field that lies across units of its type is not supported")
		}
	}
	if p.Off < 0 || t.Size < 0 || p.Off+t.Size > v.Type.Size && p.Bits == 0 {
		refuse(r.span(n), "c-initialiser", "initialise it by assignments", "what this initialises is not understood")
	}
	if n.Len() > maxRange {
		refuse(r.span(n), "c-initialiser", "initialise it by a loop", "a range of more than %d elements is not supported", maxRange)
	}
	for range n.Len() {
		from := p.Off*8 + int64(p.BitOff)
		to := from + t.Size*8
		if p.Bits > 0 {
			to = from + int64(p.Bits)
		}
		if t.Kind == ir.Array {
			before.again(n, from, to)
		}
		before.value(n, from, to)
		if t.Kind == ir.Array {
			r.initialString(p, n)
		} else {
			r.first(p, n)
		}
		p.Off += t.Size
	}
}

// first stores the value of an initialiser; before the program begins, overflow wraps.
func (r *routine) first(p ir.Place, n *cc.Initializer) {
	e := r.convert(n, r.need(n.AssignmentExpression), p.Type)
	if r.f == r.prog.Init {
		e = computeAll(e)
	}
	r.store(p, e, r.span(n))
}

// initialString stores a string into an array of characters.
func (r *routine) initialString(p ir.Place, n *cc.Initializer) {
	s, ok := n.AssignmentExpression.Value().(cc.StringValue)
	if !ok || p.Type.Elem.Size != 1 {
		refuse(r.span(n), "c-initialiser", "initialise it by assignments", "arrays are initialised by lists and strings only")
	}
	size := p.Type.Size
	p.Type = p.Type.Elem
	for i := range min(len(s), int(size)) {
		if s[i] != 0 {
			r.emit(&ir.Assign{To: p, Value: &ir.Const{T: p.Type, Bits: ir.Extend(p.Type, uint64(s[i]))}, Span: r.span(n)})
		}
		p.Off++
	}
}

func (r *routine) statement(n *cc.Statement) {
	switch n.Case {
	case cc.StatementLabeled:
		r.labeled(n.LabeledStatement, nil)
	case cc.StatementCompound:
		r.compound(n.CompoundStatement)
	case cc.StatementExpr:
		if n.ExpressionStatement.ExpressionList != nil {
			r.attempt(n.ExpressionStatement.ExpressionList, func() { r.effect(n.ExpressionStatement.ExpressionList) })
		}
	case cc.StatementSelection:
		if n.SelectionStatement.Case == cc.SelectionStatementSwitch {
			r.choose(n.SelectionStatement)
		} else {
			r.ifElse(n.SelectionStatement)
		}
	case cc.StatementIteration:
		r.loop(n.IterationStatement)
	case cc.StatementJump:
		r.jump(n.JumpStatement)
	case cc.StatementAsm:
		r.attempt(n, func() { r.assembly(n.AsmStatement) })
	}
}

// label returns the block of a label.
func (r *routine) label(name string) *ir.Block {
	if r.labels[name] == nil {
		r.labels[name] = r.block(name)
	}
	return r.labels[name]
}

// labeled is a statement with a label; above are those of the same statement that stand before it.
func (r *routine) labeled(n *cc.LabeledStatement, above []string) {
	r.jumps = true
	switch n.Case {
	case cc.LabeledStatementLabel:
		name := n.Token.SrcStr()
		to := r.label(name)
		to.Also = append(to.Also, above...)
		r.labelledHere(name)
		above = append(slices.Clone(above), name)
		r.begin(to)
		if r.opts.failsAt(name) {
			r.end(&ir.Fail{What: "label " + name + " is reached", Span: r.span(n), By: name + ":"})
		}
	default:
		var to *ir.Block
		for _, cases := range r.cases {
			if b := cases[n]; b != nil {
				to = b
			}
		}
		if to == nil {
			refuse(r.span(n), "c-switch", "", "this case belongs to no switch")
		}
		if len(above) > 0 {
			to.Label, to.Also = above[0], above[1:]
		}
		r.begin(to)
	}
	switch {
	case n.Statement != nil && n.Statement.Case == cc.StatementLabeled:
		r.labeled(n.Statement.LabeledStatement, above)
	case n.Statement != nil:
		r.statement(n.Statement)
	}
}

// inner is a statement inside of an if, a switch or a loop, which is a block (C11 6.8.4p3, 6.8.5p5): what
// compound literals in it make ends with it.
func (r *routine) inner(n *cc.Statement) {
	r.open()
	defer r.close()
	r.statement(n)
}

func (r *routine) ifElse(n *cc.SelectionStatement) {
	r.open()
	defer r.close()
	yes, no, done := r.block(""), r.block(""), r.block("")
	if n.Case == cc.SelectionStatementIf {
		no = done
	}
	r.attempt(n.ExpressionList, func() { r.condition(n.ExpressionList, yes, no) })
	r.begin(yes)
	r.inner(n.Statement)
	if n.Case == cc.SelectionStatementIfElse {
		r.end(&ir.Jump{To: done})
		r.begin(no)
		r.inner(n.Statement2)
	}
	r.begin(done)
}

// choose is a switch: a chain of comparisons.
func (r *routine) choose(n *cc.SelectionStatement) {
	r.open()
	defer r.close()
	r.jumps = true
	done := r.block("")
	otherwise := done
	cases := map[*cc.LabeledStatement]*ir.Block{}
	labels := slices.DeleteFunc(slices.Clone(n.LabeledStatements()), func(c *cc.LabeledStatement) bool {
		return c.Case == cc.LabeledStatementLabel || c.Switch() != n
	})
	for _, c := range labels {
		cases[c] = r.block("")
		if c.Case == cc.LabeledStatementDefault {
			otherwise = cases[c]
		}
	}
	r.attempt(n.ExpressionList, func() {
		v := r.need(n.ExpressionList)
		if v.Type().Kind != ir.Integer {
			refuse(r.span(n), "c-switch", "", "switch needs an integer, not %s", v.Type())
		}
		v = r.save(r.promote(n, v), r.span(n))
		for _, c := range labels {
			if c.Case == cc.LabeledStatementDefault {
				continue
			}
			next := r.block("")
			r.branch(n.ExpressionList, r.isCase(c, v), cases[c], next)
			r.begin(next)
		}
	})
	r.end(&ir.Jump{To: otherwise})
	r.cases, r.breaks = append(r.cases, cases), append(r.breaks, r.exit(done))
	r.inner(n.Statement)
	r.cases, r.breaks = r.cases[:len(r.cases)-1], r.breaks[:len(r.breaks)-1]
	r.begin(done)
}

// isCase compares with the number of a case, or with both of a range.
func (r *routine) isCase(c *cc.LabeledStatement, v ir.Expr) ir.Expr {
	t := v.Type()
	number := func(e cc.ExpressionNode) ir.Expr {
		if bad := r.module.bad[e]; bad != nil {
			panic(bad)
		}
		r.constants = true
		defer func() { r.constants = false }()
		k, ok := computeAll(r.convert(c, r.need(e), t)).(*ir.Const)
		if !ok {
			refuse(r.span(c), "c-switch", "write the number", "the value of this case is not known")
		}
		return k
	}
	if c.Case != cc.LabeledStatementRange {
		return ir.Fold(&ir.Binary{Op: ir.Eq, X: v, Y: number(c.ConstantExpression), T: r.types.int()})
	}
	lo := ir.Fold(&ir.Binary{Op: ir.Le, X: number(c.ConstantExpression), Y: v, T: r.types.int()})
	hi := ir.Fold(&ir.Binary{Op: ir.Le, X: v, Y: number(c.ConstantExpression2), T: r.types.int()})
	return ir.Fold(&ir.Binary{Op: ir.BitAnd, X: lo, Y: hi, T: r.types.int()})
}

func (r *routine) loop(n *cc.IterationStatement) {
	r.orders.emits(ir.Looping{})
	outside := len(r.scopes)
	head, body, next, done := r.block(""), r.block(""), r.block(""), r.block("")
	r.open()
	defer r.close()
	test, step := n.ExpressionList, cc.ExpressionNode(nil)
	switch n.Case {
	case cc.IterationStatementFor:
		r.attempt(n.ExpressionList, func() { r.effect(n.ExpressionList) })
		test, step = n.ExpressionList2, n.ExpressionList3
	case cc.IterationStatementForDecl:
		r.declaration(n.Declaration)
		test, step = n.ExpressionList, n.ExpressionList2
	}
	if n.Case == cc.IterationStatementDo {
		head, next = body, head
	}
	r.looped(n, map[bool]*ir.Block{true: next, false: head}[n.Case == cc.IterationStatementDo], outside)
	before := r.now
	r.begin(head)
	if j, ok := before.End.(*ir.Jump); ok && j.To == head {
		j.Loops = true
	}
	if n.Case != cc.IterationStatementDo {
		r.test(test, body, done)
		r.begin(body)
	}
	r.breaks, r.continues = append(r.breaks, r.exit(done)), append(r.continues, r.exit(next))
	r.inner(n.Statement)
	r.breaks, r.continues = r.breaks[:len(r.breaks)-1], r.continues[:len(r.continues)-1]
	r.begin(next)
	if n.Case == cc.IterationStatementDo {
		r.test(test, body, done)
	} else {
		r.attempt(step, func() { r.effect(step) })
		r.end(&ir.Jump{To: head})
	}
	if back, ok := r.now.End.(*ir.Jump); ok && r.now == next && len(next.Instrs) == 0 && len(body.Instrs) == 0 && leadsTo(body, next) {
		back.Span = r.span(n) // of an empty loop this is all that there is
	}
	r.begin(done)
}

// looped notes a loop that stands in so many scopes.
func (r *routine) looped(n *cc.IterationStatement, test *ir.Block, scopes int) {
	names := map[string]*ir.Var{}
	for _, s := range r.scopes[:scopes] {
		for name, v := range s {
			if names[name] = v; v == aRoutine {
				names[name] = nil
			}
		}
	}
	r.f.Loops = append(r.f.Loops, ir.Loop{Span: r.span(n), Test: test, Names: names})
}

func leadsTo(b, to *ir.Block) bool {
	j, ok := b.End.(*ir.Jump)
	return ok && j.To == to
}

// test branches on the condition of a loop, which may be missing.
func (r *routine) test(e cc.ExpressionNode, yes, no *ir.Block) {
	if e == nil {
		r.end(&ir.Jump{To: yes})
		return
	}
	r.attempt(e, func() { r.condition(e, yes, no) })
}

func (r *routine) jump(n *cc.JumpStatement) {
	innermost := func(list []exit) {
		if len(list) == 0 {
			refuse(r.span(n), "c-jump", "", "this is in no loop")
		}
		to := list[len(list)-1]
		if r.now.End == nil {
			r.end(&ir.Jump{To: to.block, Span: r.span(n)})
			r.leaves("", to.open)
		}
	}
	r.orders.emits(ir.Departing{})
	switch n.Case {
	case cc.JumpStatementGoto:
		r.left = true
		if name := n.Token2.SrcStr(); r.now.End == nil {
			r.end(&ir.Jump{To: r.label(name), Span: r.span(n)})
			r.leaves(name, 0)
		} else {
			r.label(name)
		}
	case cc.JumpStatementGotoExpr:
		r.attempt(n, func() {
			refuse(r.span(n), "c-goto", "use switch", "jumps to computed labels are not supported")
		})
	case cc.JumpStatementContinue:
		innermost(r.continues)
	case cc.JumpStatementBreak:
		innermost(r.breaks)
	case cc.JumpStatementReturn:
		r.attempt(n.ExpressionList, func() { r.giveBack(n) })
	}
}

func (r *routine) giveBack(n *cc.JumpStatement) {
	result := r.f.Type.Result
	if n.ExpressionList == nil || result.Kind == ir.Void {
		r.effect(n.ExpressionList)
		r.end(&ir.Return{Span: r.span(n)})
		return
	}
	v := r.convert(n, r.need(n.ExpressionList), result)
	if result.Kind == ir.Float {
		r.use(v, r.span(n))
	}
	r.finishWith(&ir.Return{Value: v, Span: r.span(n)})
}

// undefinedLabels are labels that jumps name and no statement has.
func (r *routine) undefinedLabels() (names []string) {
	for name, b := range r.labels {
		if !slices.Contains(r.f.Blocks, b) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
