package cfront

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// Condition is a C expression from beside the sources: a guard, say, of a specification.
// It means what it would mean at the end of the source that has the routine, with the
// types, macros and static names that are known there, and is parsed as a routine of its
// own: Program.Conditions. It has no side effects, calls nothing, and depends on no
// floating point.
type Condition struct {
	// Routine is whose arguments are $1, $2, ... and whose result is $0. One that nothing
	// declares has no parameters, and returns an int.
	Routine string
	// Expr is the expression, where it stands: positions of messages are in that text.
	Expr ir.Span
	// Text, if not "", is what stands for the text of Expr, with indices replaced, say; ToText
	// stands for that of To.
	Text, ToText string
	// Result: $0 may be used, an integer or a pointer.
	Result bool
	// Returned: it is about what the routine returns, which is its only parameter, $1.
	Returned bool
	// To, if valid, makes it the assignment To = Expr.
	To ir.Span
	// Locals are variables of the routine that the expression may speak of by their names:
	// parameters of the condition, behind the others, and locals if they are arrays, structs or
	// static.
	Locals []ir.NamedVar
}

// conditionPrefix begins the names of the routines of conditions.
const conditionPrefix = "__seltl_condition_"

// conditionFile is the name, for the parser, of the text that conditions are put into.
const conditionFile = "<conditions>"

// outsideText is the text of the conditions on routines of one source.
type outsideText struct {
	file  *source.File
	parts []outsidePart // in the order of the text
}

// outsidePart is where a piece of the text comes from.
type outsidePart struct {
	at, length int
	from       ir.Span
}

// span is where an offset of the text comes from.
func (o *outsideText) span(at int) ir.Span {
	k, found := slices.BinarySearchFunc(o.parts, at, func(p outsidePart, at int) int { return cmp.Compare(p.at, at) })
	if !found && k > 0 {
		k--
	}
	p := o.parts[k]
	begin := min(max(at-p.at, 0), max(p.length-1, 0))
	return p.from.File.Span(int(p.from.Start)+begin, int(p.from.Start)+begin+1)
}

// behind reports an offset behind the text of a part: where what stands around it goes on.
func (o *outsideText) behind(at int) bool {
	return !slices.ContainsFunc(o.parts, func(p outsidePart) bool { return p.at <= at && at < p.at+p.length })
}

// signature is a routine as a source declares it.
type signature struct {
	t       *cc.FunctionType
	defined bool
}

// signatures are the routines that a source declares.
func (u *unit) signatures() map[string]signature {
	all := map[string]signature{}
	add := func(d *cc.Declarator, defined bool) {
		if d == nil || d.IsTypename() {
			return
		}
		if t, ok := d.Type().(*cc.FunctionType); ok && (defined || !all[d.Name()].defined && (all[d.Name()].t == nil || all[d.Name()].t.MaxArgs() <= 0)) {
			all[d.Name()] = signature{t, defined}
		}
	}
	for n := u.ast.TranslationUnit; n != nil; n = n.TranslationUnit {
		switch d := n.ExternalDeclaration; d.Case {
		case cc.ExternalDeclarationFuncDef:
			add(d.FunctionDefinition.Declarator, true)
		case cc.ExternalDeclarationDecl:
			for _, i := range initDeclarators(d.Declaration) {
				add(i.Declarator, false)
			}
		}
	}
	return all
}

// withConditions parses those sources again that conditions are about, with these at
// their ends.
func (l *linker) withConditions(units []*unit) error {
	l.prog.Conditions, l.prog.ConditionsAbout = make([]*ir.Func, len(l.opts.Conditions)), map[string][]*ir.Func{}
	declared := lists.Map(units, (*unit).signatures)
	texts := make([]strings.Builder, len(units))
	outside := make([]outsideText, len(units))
	for k, c := range l.opts.Conditions {
		home, best := 0, signature{}
		for i := range units {
			if s, ok := declared[i][c.Routine]; ok && (best.t == nil || s.defined && !best.defined) {
				home, best = i, s
			}
		}
		l.guarded(func() { l.write(&texts[home], &outside[home], k, c, best.t) })
	}
	var bad source.List
	for i := range units {
		if len(outside[i].parts) == 0 {
			continue
		}
		outside[i].file = source.NewFile(conditionFile, texts[i].String())
		u, err := l.translateWith(units[i].file, &outside[i])
		if list, ok := err.(source.List); ok {
			bad = append(bad, list...)
		} else if err != nil {
			return err
		}
		units[i] = u
	}
	if len(bad) > 0 {
		return append(bad, l.errs...)
	}
	return nil
}

// write adds the routine of a condition to a text, in a line of its own.
func (l *linker) write(text *strings.Builder, o *outsideText, k int, c Condition, ft *cc.FunctionType) {
	var params []string
	arguments := 0
	said := pieceOf(c.To, c.ToText).text + " " + pieceOf(c.Expr, c.Text).text
	param := func(i int, t cc.Type) {
		p, ok := l.cText(t, fmt.Sprintf("$%d", i))
		if !ok {
			refuse(c.Expr, "c-condition", "give the type a name", "the type of $%d of %s cannot be written", i, c.Routine)
		}
		params = append(params, p)
	}
	switch {
	case c.Returned && ft == nil:
		arguments, params = 1, []string{"int $1"}
	case c.Returned:
		if arguments = 1; !l.scalar(ft.Result()) {
			refuse(c.Expr, "c-condition", "leave the condition out", "%s returns no integer and no pointer", c.Routine)
		}
		param(1, ft.Result())
	case ft != nil:
		for i, p := range ft.Parameters() {
			if p.Type().Kind() != cc.Void {
				arguments = i + 1
				param(i+1, p.Type().Decay())
				if name := fmt.Sprintf("$%d", i+1); l.types.declaredVolatile(p.Declarator) && hasDollar(said, name) {
					l.prog.SpeaksOf(name)
				}
			}
		}
	}
	if c.Result {
		switch {
		case ft == nil:
			params = append(params, "int $0")
		case ft.Result().Kind() != cc.Void:
			param(0, ft.Result())
		}
	}
	locals := ""
	for _, v := range c.Locals {
		d, ok := writtenOut(v.Name, v.Type, nil)
		if !ok {
			refuse(c.Expr, "c-condition", "declare its type outside of the routine", "the type of %s is one of %s that refers to itself", v.Name, c.Routine)
		}
		if v.Static || v.Type.Aggregate() {
			locals += d + "; " // as a parameter, an array would be a pointer
		} else {
			params = append(params, d)
		}
	}
	to, expr := pieceOf(c.To, c.ToText), pieceOf(c.Expr, c.Text)
	for _, part := range []piece{to, expr} {
		if part.at.Valid() {
			l.dollars(part, c, arguments, ft)
		}
	}
	list := strings.Join(params, ", ")
	if list == "" {
		list = "void"
	}
	paste := func(before string, p piece) {
		text.WriteString(before)
		o.parts = append(o.parts, outsidePart{text.Len(), p.known, p.at})
		text.WriteString(oneLine(p.text))
	}
	if c.To.Valid() {
		fmt.Fprintf(text, "static void %s%d(%s) { ", conditionPrefix, k, list)
		paste("(", to)
		paste(") = (", expr)
		text.WriteString("); }\n")
		return
	}
	fmt.Fprintf(text, "static int %s%d(%s) { %s", conditionPrefix, k, list, locals)
	paste("if ((", expr)
	text.WriteString(")) return 1; return 0; }\n")
}

// hasDollar reports that a text has $1, say, and not $10.
func hasDollar(text, dollar string) bool {
	for _, rest := range strings.Split(text, dollar)[1:] {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
	return false
}

// cText writes the declaration of a name with a type; false if it has a part that has no
// name. Qualifiers are left out.
func (l *linker) cText(t cc.Type, name string) (string, bool) {
	if d := t.Typedef(); d != nil && d.Name() != "" {
		return d.Name() + " " + name, true
	}
	switch t := t.(type) {
	case *cc.PointerType:
		if k := t.Elem().Kind(); (k == cc.Array || k == cc.Function) && t.Elem().Typedef().Name() == "" {
			return l.cText(t.Elem(), "(*"+name+")")
		}
		return l.cText(t.Elem(), "*"+name)
	case *cc.ArrayType:
		if t.IsIncomplete() || t.Len() < 0 {
			return l.cText(t.Elem(), name+"[]")
		}
		return l.cText(t.Elem(), fmt.Sprintf("%s[%d]", name, t.Len()))
	case *cc.FunctionType:
		var params []string
		for _, p := range t.Parameters() {
			text, ok := l.cText(p.Type(), "")
			if !ok {
				return "", false
			}
			params = append(params, text)
		}
		if t.IsVariadic() {
			params = append(params, "...")
		}
		return l.cText(t.Result(), name+"("+strings.Join(params, ", ")+")")
	case *cc.StructType:
		tag := t.Tag()
		return "struct " + tag.SrcStr() + " " + name, tag.SrcStr() != ""
	case *cc.UnionType:
		tag := t.Tag()
		return "union " + tag.SrcStr() + " " + name, tag.SrcStr() != ""
	}
	own := l.types.of(t)
	if own == nil {
		return "", false
	}
	return own.Name + " " + name, true
}

// piece is a text that stands for a span; known is how much of it is where the span has it.
type piece struct {
	at    ir.Span
	text  string
	known int
}

func pieceOf(at ir.Span, text string) piece {
	if text != "" && text != at.Text() {
		return piece{at, text, 0}
	}
	return piece{at, at.Text(), len(at.Text())}
}

// span is where a byte of the text is.
func (p piece) span(from, to int) ir.Span {
	if p.known == 0 {
		return p.at
	}
	return p.at.File.Span(int(p.at.Start)+from, int(p.at.Start)+to)
}

// oneLine is a text with blanks for comments and ends of lines: as long as it was.
func oneLine(text string) string {
	b := []byte(text)
	literals := func(from, to int) {}
	eachPart(text, func(from, to int) { fill(b[from:to], ' ') }, literals)
	for i, c := range b {
		if c == '\n' || c == '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}

// dollars refuses what no expression has, and $i that there is not.
func (l *linker) dollars(p piece, c Condition, arguments int, ft *cc.FunctionType) {
	text, open, s := oneLine(p.text), []byte{}, p.at
	bad := func(i int) {
		refuse(p.span(i, i+1), "c-condition", "write an expression without side effects", "%q has no place in an expression here", text[i])
	}
	if at := tooDeep(text); at >= 0 {
		refuse(p.span(at, at+1), "too-deep", "", "nested more than %d deep", maxNesting)
	}
	if strings.TrimSpace(text) == "" {
		refuse(s, "c-condition", "write 1 for what always holds", "an expression is missing")
	}
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; ch {
		case '"', '\'':
			from := i
			for i++; i < len(text) && text[i] != ch; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) {
				bad(from)
			}
		case '(', '[':
			open = append(open, ch)
		case ')', ']':
			if len(open) == 0 || (open[len(open)-1] == '(') != (ch == ')') {
				bad(i)
			}
			open = open[:len(open)-1]
		case ';', '{', '}', '#', '\\':
			bad(i)
		case '$':
			n, end := 0, i+1
			for end < len(text) && text[end] >= '0' && text[end] <= '9' && n < 1000 {
				n, end = 10*n+int(text[end]-'0'), end+1
			}
			l.dollar(p.span(i, end), n, end > i+1, c, arguments, ft)
			i = end - 1
		}
	}
	if len(open) > 0 {
		refuse(s, "c-condition", "close it", "a bracket is open")
	}
}

// dollar refuses $n where the routine has no such argument or result.
func (l *linker) dollar(at ir.Span, n int, number bool, c Condition, arguments int, ft *cc.FunctionType) {
	switch {
	case !number:
		refuse(at, "c-condition", "write $1 for the first argument", "$ needs a number")
	case n == 0 && !c.Result:
		refuse(at, "c-condition", "use it in return {...}", "$0 is the result of %s, which is not known here", c.Routine)
	case n == 0 && ft != nil && ft.Result().Kind() == cc.Void:
		refuse(at, "c-condition", "write return {}", "%s returns nothing", c.Routine)
	case n == 0 && ft != nil && !l.scalar(ft.Result()):
		refuse(at, "c-condition", "write return {}", "what %s returns is no integer and no pointer", c.Routine)
	case n > arguments && ft == nil:
		refuse(at, "c-condition", "declare it in the source, with its parameters", "%s is not declared: the type of $%d is not known", c.Routine, n)
	case n > arguments:
		refuse(at, "c-condition", "", "$%d: %s has %d parameters", n, c.Routine, arguments)
	}
}

func (l *linker) scalar(t cc.Type) bool {
	own := l.types.of(t)
	return own != nil && own.Scalar()
}

// condition lowers the routine of a condition.
func (l *linker) condition(m *module, n *cc.FunctionDefinition) {
	var k int
	if _, err := fmt.Sscanf(n.Declarator.Name(), conditionPrefix+"%d", &k); err != nil {
		refuse(m.span(n), "c-condition", "", "this is no expression")
	}
	c := l.opts.Conditions[k]
	for _, e := range expressionsOf(n) {
		if hasEffects(e) {
			refuse(m.span(e), "c-condition", "compute it in the program, in a variable", "an expression here has no side effects and calls nothing")
		}
	}
	f := &ir.Func{Name: strings.TrimSpace(oneLine(pieceOf(c.Expr, c.Text).text))}
	if c.To.Valid() {
		f.Name = strings.TrimSpace(oneLine(pieceOf(c.To, c.ToText).text)) + " := " + f.Name
	}
	l.standsFor = map[string]*ir.Var{}
	for _, v := range c.Locals {
		if v.Volatile {
			l.prog.SpeaksOf(v.Name)
		}
		if i := slices.IndexFunc(l.prog.Globals, func(g *ir.Var) bool { return v.Static && g.Name == c.Routine+"."+v.Name }); i >= 0 {
			l.standsFor[v.Name] = l.prog.Globals[i]
		}
	}
	l.reads = true
	defer func() { l.standsFor, l.reads = nil, false }()
	before := len(l.errs)
	if l.define(m, n, f); len(l.errs) > before {
		return
	}
	f.Span = c.Expr
	l.checkNamed(n, f, c)
	l.checkCondition(f)
	l.prog.Conditions[k] = f
	l.prog.ConditionsAbout[c.Routine] = append(l.prog.ConditionsAbout[c.Routine], f)
}

// expressionsOf are the expressions that a condition's routine was made of.
func expressionsOf(n *cc.FunctionDefinition) []cc.ExpressionNode {
	list := n.CompoundStatement.BlockItemList
	for list.BlockItem.Statement == nil { // what the parser adds
		list = list.BlockItemList
	}
	s := list.BlockItem.Statement
	switch {
	case s.SelectionStatement != nil:
		return []cc.ExpressionNode{s.SelectionStatement.ExpressionList}
	case s.ExpressionStatement != nil:
		if a, ok := s.ExpressionStatement.ExpressionList.(*cc.AssignmentExpression); ok && a.Case == cc.AssignmentExpressionAssign {
			return []cc.ExpressionNode{a.UnaryExpression, a.AssignmentExpression}
		}
	}
	return []cc.ExpressionNode{s.ExpressionStatement.ExpressionList}
}

// spoken are the variables of a routine that conditions speak of.
func (l *linker) spoken(routine string) map[string]bool {
	names := map[string]bool{}
	for _, c := range l.opts.Conditions {
		for _, v := range c.Locals {
			if c.Routine == routine {
				names[v.Name] = true
			}
		}
	}
	return names
}

// checkCondition refuses what the value of an expression cannot depend on.
func (l *linker) checkCondition(f *ir.Func) {
	for _, b := range f.Blocks {
		// What is declared in it has the values that the routine's have: Condition.Locals.
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ir.Instr) bool {
			h, is := i.(*ir.Havoc)
			return is && h.Why == ir.Uninitialised && h.To.Var != nil && h.To.Var.Kind == ir.Local
		})
		for _, i := range b.Instrs {
			if a, ok := i.(*ir.Assign); ok && !a.To.Type.Aggregate() {
				if a.To.Var != nil && slices.Contains(f.Params, a.To.Var) {
					refuse(f.Span, "c-condition", "assign to a variable of the program", "an argument is a value, to which nothing is assigned")
				}
				continue
			}
			refuse(f.Span, "c-condition", "use integers and pointers", "this depends on floating point, or computes structs, which is not followed here")
		}
	}
	taken := &reads{of: variables{}, addresses: true}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			taken.instr(i)
		}
		taken.end(b.End)
	}
	for _, p := range f.Params {
		if !p.Type.Scalar() && mentions(f, p) {
			refuse(f.Span, "c-condition", "pass a pointer to it", "%s is neither an integer nor a pointer", p.Name)
		}
		if taken.of[p] && p.Type.Scalar() {
			refuse(f.Span, "c-condition", "use its value", "%s has no address", p.Name)
		}
	}
}

// mentions reports that a routine reads a parameter, or takes its address.
func mentions(f *ir.Func, v *ir.Var) bool {
	for _, addresses := range []bool{false, true} {
		r := &reads{of: variables{}, among: variables{v: true}, addresses: addresses}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				r.instr(i)
			}
			r.end(b.End)
		}
		if r.of[v] {
			return true
		}
	}
	return false
}
