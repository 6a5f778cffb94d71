package cfront

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// What compilers add to C changes what a program does or how its memory is laid out
// without being visible in its expressions: attributes, names of symbols, pragmas. What
// is known to change nothing is passed over; the rest is refused.

// meaningful are attributes that the rest of the front end would not respect.
var meaningful = map[string]string{
	"scalar_storage_order": "remove it",
	"constructor":          "call the routine in main", "destructor": "call the routine at the end of main", "cleanup": "call the routine where the block ends",
	"ms_struct": "remove it", "gcc_struct": "remove it", "weakref": "use its own name", "ifunc": "use its own name",
}

// pragmas that have a meaning.
var meaningfulPragmas = map[string]bool{"pack": true, "weak": true, "redefine_extname": true, "scalar_storage_order": true, "omp": true}

// symbol is a name that a declaration gives to the linker.
type symbol struct {
	name, label string
	span        ir.Span
}

// pragma is the parser's handler: of a file with #pragma once it skips the second reading.
func (u *unit) pragma(toks []cc.Token) error {
	if len(toks) > 0 && meaningfulPragmas[toks[0].SrcStr()] && (toks[0].SrcStr() != "pack" || !u.packs.pragma(toks)) {
		u.pragmas = append(u.pragmas, toks[0])
	}
	if len(toks) > 0 && toks[0].SrcStr() == "once" {
		name := toks[0].Position().Filename
		if name == u.file.Name() { // left by a preprocessor that has included others: nothing includes it
			return nil
		}
		if u.once[name] {
			return cc.SkipSource
		}
		if u.once == nil {
			u.once = map[string]bool{}
		}
		u.once[name] = true
	}
	return nil
}

// usesLines are the macros whose value line markers change: they are blanked.
var usesLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b__(LINE|FILE|BASE_FILE)__\b`) })

// bitFields are declarations that may be of bit-fields.
var bitFields = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w\s*:\s*[\w(][^:;?{}]*[;,]`) })

// bracketEffects are brackets in which something may happen.
var bracketEffects = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*(\+\+|--|=|\()`) })

// extensions refuses what changes the meaning of a source unseen.
func (l *linker) extensions(m *module) {
	for _, t := range m.pragmas {
		l.guarded(func() {
			refuse(m.span(t), "c-pragma", "remove it", "#pragma %s is not supported", t.SrcStr())
		})
	}
	if m.packs.left(m.file.Name()) {
		l.guarded(func() {
			refuse(m.file.Span(0, 0), "c-pragma", "end it with #pragma pack(pop) in the same file", "#pragma pack that an included file leaves behind is not supported")
		})
	}
	written, open := false, false
	for _, f := range m.files {
		if all := lineMarkers().all(f.Text()); len(all) > 0 && usesLines().MatchString(f.Text()) {
			l.guarded(func() {
				refuse(f.Span(all[0][0], all[0][1]), "c-line", "remove it", "lines and files that are renamed are not supported where __LINE__ or __FILE__ is used")
			})
		}
		l.guarded(func() { l.preprocessed(f) })
		open = open || openArrays().MatchString(f.Text())
		l.volatiles = l.volatiles || strings.Contains(f.Text(), "volatile")
		written = written || strings.Contains(f.Text(), "__attribute") || strings.Contains(f.Text(), "sizeof") || strings.Contains(f.Text(), "typeof") || strings.Contains(f.Text(), "lignof") || strings.Contains(f.Text(), "asm") || strings.Contains(f.Text(), "volatile") || strings.Contains(f.Text(), "enum") || strings.Contains(f.Text(), "_Generic") || bracketEffects().MatchString(f.Text()) || bitFields().MatchString(f.Text())
	}
	if open {
		l.literals(m)
	}
	if !written {
		return
	}
	l.walkPath(reflect.ValueOf(m.ast.TranslationUnit), map[any]bool{}, func(n cc.Node) {
		l.ofInts(m, n)
		switch n := n.(type) {
		case *cc.AttributeValue:
			name := strings.Trim(n.Token.SrcStr(), "_")
			l.weakly(m, name)
			l.promises(m, name)
			if name == "packed" && slices.ContainsFunc(l.path, enumerates) {
				l.judged(m, func() {
					refuse(m.span(n), "c-attribute", "remove it", "attribute packed of an enumeration is not supported")
				})
			}
			if inPointer := slices.ContainsFunc(l.path, func(n cc.Node) bool { _, is := n.(*cc.Pointer); return is }); inPointer && (name == "aligned" || name == "vector_size" || name == "mode") && m.span(n) != (ir.Span{}) {
				l.judged(m, func() {
					refuse(m.span(n), "c-attribute", "write it behind the name", "attribute %s behind a * is not supported", name)
				})
			}
			if help, bad := meaningful[name]; bad && m.span(n) != (ir.Span{}) {
				l.judged(m, func() { refuse(m.span(n), "c-attribute", help, "attribute %s is not supported", name) })
			}
		case *cc.PrimaryExpression:
			l.primary(m, n)
		case *cc.Enumerator:
			l.judged(m, func() { enumerated(m, n) })
		case *cc.UnaryExpression:
			l.measures(m, n)
		case *cc.ParameterDeclaration, *cc.TypeName:
			l.lengths(m, n)
		case *cc.DirectDeclarator:
			l.qualifiedLength(m, n)
			if n.Case == cc.DirectDeclaratorArr && n.AssignmentExpression != nil && (n.DirectDeclarator.Case != cc.DirectDeclaratorIdent || n.AssignmentExpression.Value() != cc.Unknown) {
				l.lengths(m, n)
			}
		case *cc.StructDeclarator:
			l.width(m, n)
		case *cc.TypeSpecifier:
			if n.Case == cc.TypeSpecifierTypeofExpr && n.ExpressionList.Type() != nil && variablyModified(n.ExpressionList.Type().Undecay()) && m.span(n) != (ir.Span{}) {
				l.judged(m, func() {
					refuse(m.span(n), "c-vla", "write the type", "the type of an array of variable length is not supported here")
				})
			}
			if n.Case == cc.TypeSpecifierTypeofExpr && (misread(n.ExpressionList) || decayed(n.ExpressionList) || unsignedConstants(n.ExpressionList)) && m.span(n) != (ir.Span{}) {
				l.judged(m, func() { refuse(m.span(n), "c-type", "name the type", "the type of this expression is not known") })
			}
		case *cc.InitDeclarator:
			if n.Asm != nil && n.Declarator != nil {
				l.symbols = append(l.symbols, symbol{n.Declarator.Name(), strings.Trim(strings.ReplaceAll(n.Asm.Token3.SrcStr(), `"`, ""), " \t\n"), m.span(n.Asm)})
			}
		}
	})
}

// enumerates reports an enumeration's definition, and specifiers that go on behind its brace.
func enumerates(n cc.Node) bool {
	var of *cc.TypeSpecifier
	switch n := n.(type) {
	case *cc.EnumSpecifier:
		return true
	case *cc.DeclarationSpecifiers:
		of = n.TypeSpecifier
	case *cc.SpecifierQualifierList:
		of = n.TypeSpecifier
	}
	return of != nil && of.EnumSpecifier != nil && of.EnumSpecifier.Case == cc.EnumSpecifierDef
}

// width refuses a bit-field that is wider than its type.
func (l *linker) width(m *module, n *cc.StructDeclarator) {
	if bits, most := widthOf(n); bits > most && m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-bitfield", "use a wider type", "a bit-field of %d bits is wider than its type, which has %d", bits, most)
		})
	}
}

// widthOf are the bits of a bit-field, and those of its type; 0 of what is none.
func widthOf(n *cc.StructDeclarator) (bits, most int64) {
	if n.Case != cc.StructDeclaratorBitField || n.Declarator == nil || n.ConstantExpression == nil {
		return 0, 0
	}
	switch v := n.ConstantExpression.Value().(type) {
	case cc.Int64Value:
		bits = int64(v)
	case cc.UInt64Value:
		bits = int64(v)
	}
	if most = n.Declarator.Type().Size() * 8; n.Declarator.Type().Kind() == cc.Bool {
		most = 1
	}
	return bits, most
}

// measures refuses sizes, alignments and offsets that the parser computes otherwise than compilers.
func (l *linker) measures(m *module, n *cc.UnaryExpression) {
	// The parser's own number may be a width or a designator, too.
	if t := sized(n); t != nil && !l.types.sizeKnown(t) && m.span(n) != (ir.Span{}) {
		if _, known := l.types.measure(t); !known || l.ofParser() {
			l.judged(m, func() {
				refuse(m.span(n), "c-type", "write the number", "the size of %s, with bit-fields, packing or a mode, is not known here", t)
			})
		}
	}
	if t := sized(n); t != nil && t.Kind() == cc.Function && m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-type", "write the number", "the size of a routine is not supported")
		})
	}
	if isAlignment(n) && m.span(n) != (ir.Span{}) && !l.inAttribute() {
		if _, known := l.types.aligned(n); !known || l.ofParser() && !l.types.alignmentKnown(n) {
			l.judged(m, func() {
				refuse(m.span(n), "c-type", "name the type, as in _Alignof(int), or write the number", "this alignment is not known here")
			})
		}
	}
	if l.inAttribute() { // of a struct or a member: its layout is not known where this is not
		return
	}
	if t := alignedType(n); t != nil && l.opts.Model == ir.ILP32 && t.Size() == 8 && t.Kind() != cc.Struct && t.Kind() != cc.Union && m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-type", "write the number", "the alignment of %s, which differs between compilers, is not known", t)
		})
	}
	if n.Case == cc.UnaryExpressionAddrof && n.Value() != cc.Unknown && l.ofParser() && l.types.displaced(n) && m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-type", "write the number", "the offset of this member, which stands behind bit-fields, is not known")
		})
	}
	if of := measured(n); of != nil && (misread(of) || longConstants(of)) && m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-type", "name the type, as in sizeof(int *)", "the type of this operand (a parameter declared as an array, an array in an expression, or ?: with a null pointer) is not known")
		})
	}
}

// inAttribute reports that l.path leads into an attribute of a struct or union, or of a member.
func (l *linker) inAttribute() bool {
	inside := false
	for _, n := range l.path {
		switch n.(type) {
		case *cc.StructOrUnionSpecifier:
			inside = true
		case *cc.AttributeValue:
			return inside
		}
	}
	return false
}

// ofParser reports that l.path leads to a number that the parser has computed, and made other things of.
func (l *linker) ofParser() bool {
	return slices.ContainsFunc(l.path, func(n cc.Node) bool {
		switch n.(type) {
		case *cc.EnumSpecifier, *cc.StructDeclarator, *cc.Designator, *cc.StaticAssertDeclaration, *cc.AlignmentSpecifier, *cc.AttributeValue, *cc.GenericAssociation:
			return true
		}
		return false
	})
}

// lengths refuses lengths of arrays in which something happens: C does it when the run comes to
// the type, and here it would be lost.
func (l *linker) lengths(m *module, n cc.Node) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		var length cc.ExpressionNode
		switch n := n.(type) {
		case *cc.DirectDeclarator:
			length = n.AssignmentExpression
		case *cc.DirectAbstractDeclarator:
			length = n.AssignmentExpression
		}
		if length != nil && changes(length) && m.span(length) != (ir.Span{}) {
			l.judged(m, func() {
				refuse(m.span(length), "c-vla", "compute it before, in a variable", "a length that changes something is not supported here")
			})
		}
	})
}

// changes reports an expression that assigns, counts, or calls a routine of the program.
func changes(n cc.Node) (found bool) {
	seen := map[any]bool{}
	walk(reflect.ValueOf(n), seen, func(n cc.Node) {
		if n, ok := n.(*cc.UnaryExpression); ok && (n.Case == cc.UnaryExpressionSizeofExpr || n.Case == cc.UnaryExpressionAlignofExpr) {
			seen[n.UnaryExpression] = true // is not evaluated
		}
		switch n := n.(type) {
		case *cc.PostfixExpression:
			switch n.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				found = true
			case cc.PostfixExpressionCall:
				found = found || !strings.HasPrefix(cc.NodeSource(n), "__builtin_")
			}
		case *cc.UnaryExpression:
			found = found || n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec
		case *cc.AssignmentExpression:
			found = found || n.Case != cc.AssignmentExpressionCond
		}
	})
	return found
}

// variablyModified reports a type with an array of variable length in it.
func variablyModified(c cc.Type) bool {
	switch c := c.(type) {
	case *cc.ArrayType:
		return c.IsVLA() || variablyModified(c.Elem())
	case *cc.PointerType:
		return variablyModified(c.Elem())
	}
	return false
}

// sized is the type whose size an expression is; nil for others.
func sized(n *cc.UnaryExpression) cc.Type {
	switch {
	case n.Case == cc.UnaryExpressionSizeofExpr && n.UnaryExpression != nil:
		return n.UnaryExpression.Type().Undecay()
	case n.Case == cc.UnaryExpressionSizeofType && n.TypeName != nil:
		return n.TypeName.Type()
	}
	return nil
}

// alignedType is the type whose alignment an expression is, without arrays; nil for others.
func alignedType(n *cc.UnaryExpression) (t cc.Type) {
	switch {
	case n.Case == cc.UnaryExpressionAlignofExpr && n.UnaryExpression != nil:
		t = n.UnaryExpression.Type().Undecay()
	case n.Case == cc.UnaryExpressionAlignofType && n.TypeName != nil:
		t = n.TypeName.Type()
	}
	for t != nil && t.Kind() == cc.Array {
		t = t.(*cc.ArrayType).Elem()
	}
	return t
}

// measured is the expression whose size or alignment another one is; nil for others.
func measured(n *cc.UnaryExpression) cc.ExpressionNode {
	switch {
	case n.Case == cc.UnaryExpressionSizeofExpr && n.UnaryExpression != nil, n.Case == cc.UnaryExpressionAlignofExpr && n.UnaryExpression != nil:
		return n.UnaryExpression
	}
	return nil
}

// misread reports that the parser takes an expression for an array that is a pointer: a
// parameter that is declared as an array, and an array that is an operand.
func misread(n cc.ExpressionNode) bool {
	if n == nil || n.Type() == nil {
		return false
	}
	if mistyped(n) {
		return true
	}
	if t := n.Type().Undecay(); t == nil || t.Kind() != cc.Array {
		return false
	}
	switch e := n.(type) {
	case *cc.ExpressionList:
		return e.ExpressionList != nil || misread(e.AssignmentExpression)
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionExpr:
			return misread(e.ExpressionList)
		case cc.PrimaryExpressionIdent:
			d, ok := e.ResolvedTo().(*cc.Declarator)
			return !ok || d.IsParam()
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return false
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionComplit:
			return false
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			of, address := e.CastExpression.(*cc.UnaryExpression)
			return address && of.Case == cc.UnaryExpressionAddrof
		}
	}
	return true
}

// decayed reports that the parser takes an expression for a pointer that may be an array: an element that is one.
func decayed(n cc.ExpressionNode) bool {
	t := n.Type()
	return t != nil && t.Kind() == cc.Ptr && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// enumerated refuses constants of enumerations that the parser takes for negative ones.
func enumerated(m *module, n *cc.Enumerator) {
	if v, is := n.Value().(cc.UInt64Value); is && uint64(v) > math.MaxInt64 && m.span(n) != (ir.Span{}) {
		refuse(m.span(n), "c-type", "use a constant that fits an int, or a macro", "an enumeration with a constant above %d is not supported", int64(math.MaxInt64))
	}
}

// constants are the constant expressions of a node that the parser computes, some of which may be nil.
func constants(n cc.Node) []cc.ExpressionNode {
	switch n := n.(type) {
	case *cc.Enumerator:
		return []cc.ExpressionNode{n.ConstantExpression}
	case *cc.LabeledStatement:
		return []cc.ExpressionNode{n.ConstantExpression, n.ConstantExpression2}
	case *cc.Designator:
		return []cc.ExpressionNode{n.ConstantExpression, n.ConstantExpression2}
	case *cc.StructDeclarator:
		return []cc.ExpressionNode{n.ConstantExpression}
	case *cc.StaticAssertDeclaration:
		return []cc.ExpressionNode{n.ConstantExpression}
	case *cc.AlignmentSpecifier:
		return []cc.ExpressionNode{n.ConstantExpression}
	case *cc.DirectAbstractDeclarator:
		return []cc.ExpressionNode{n.AssignmentExpression}
	case *cc.DirectDeclarator:
		return []cc.ExpressionNode{n.AssignmentExpression}
	}
	return nil
}

// ofInts refuses a constant expression of a node that the parser computes otherwise than C: constants
// of enumerations are ints, and for the parser those of one without a negative constant are unsigned. It
// makes no difference where all parts are ints that are not negative.
func (l *linker) ofInts(m *module, n cc.Node) {
	for _, e := range constants(n) {
		l.ofInt(m, e)
	}
}

func (l *linker) ofInt(m *module, e cc.ExpressionNode) {
	if e == nil || reflect.ValueOf(e).IsNil() || !unsignedConstants(e) {
		return
	}
	beyond, operators := false, false
	walk(reflect.ValueOf(e), map[any]bool{}, func(n cc.Node) {
		x, is := n.(cc.ExpressionNode)
		if _, primary := n.(*cc.PrimaryExpression); !is || primary {
			return
		}
		operators = true
		switch v := x.Value().(type) {
		case cc.Int64Value:
			beyond = beyond || v < 0 || v > math.MaxInt32
		case cc.UInt64Value:
			beyond = beyond || v > math.MaxInt32
		}
	})
	if beyond && operators && m.span(e) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(e), "c-constant", "write the number", "a constant expression of enumeration constants with a part that is negative, or no int, is not supported here")
		})
	}
}

// unsignedConstants reports that an expression mentions constants of an enumeration that the parser takes
// for unsigned, or for longer than int.
func unsignedConstants(e cc.ExpressionNode) (found bool) {
	walk(reflect.ValueOf(e), map[any]bool{}, func(n cc.Node) {
		if p, is := n.(*cc.PrimaryExpression); is && p.Case == cc.PrimaryExpressionIdent {
			if c, is := p.ResolvedTo().(*cc.Enumerator); is {
				t := c.Type()
				found = found || t != nil && cc.IsIntegerType(t) && (!cc.IsSignedInteger(t) || t.Size() > 4)
			}
		}
	})
	return found
}

// longConstants reports that an expression mentions a constant of an enumeration that fits int, and that the
// parser takes for longer.
func longConstants(e cc.ExpressionNode) (found bool) {
	walk(reflect.ValueOf(e), map[any]bool{}, func(n cc.Node) {
		if p, is := n.(*cc.PrimaryExpression); is && p.Case == cc.PrimaryExpressionIdent {
			if c, is := p.ResolvedTo().(*cc.Enumerator); is {
				found = found || c.Type() != nil && c.Type().Size() > 4
			}
		}
	})
	return found
}

var nodeType = reflect.TypeFor[cc.Node]()

// walk visits the nodes of a tree: those in exported fields.
func walk(v reflect.Value, seen map[any]bool, visit func(cc.Node)) {
	walkWith(v, seen, visit, func() {})
}

// walkWith is walk that says when it comes back from a node.
func walkWith(v reflect.Value, seen map[any]bool, visit func(cc.Node), leave func()) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.Type().Implements(nodeType) || v.Elem().Kind() != reflect.Struct {
		return
	}
	if seen[v.Interface()] {
		return
	}
	seen[v.Interface()] = true
	visit(v.Interface().(cc.Node))
	for i := range v.Elem().NumField() {
		if f := v.Elem().Field(i); f.CanInterface() && (f.Kind() == reflect.Pointer || f.Kind() == reflect.Interface) {
			walkWith(f, seen, visit, leave)
		}
	}
	leave()
}

// renamed refuses names of symbols that mean another thing of the program, where they are used.
func (l *linker) renamed() {
	labels := map[string]string{}
	for _, s := range l.symbols {
		known := l.funcs[s.label] != nil || l.vars[s.label] != nil || ir.FailRoutines[s.label] || ir.AssertRoutines[s.label] || ir.StopRoutines[s.label] || ir.CheckRoutines[s.label] || ir.AssumeRoutines[s.label]
		other := labels[s.label]
		if s.label != s.name && known || other != "" && other != s.name {
			bad := &ir.Refusal{Diagnostic: source.Diagnostic{Span: s.span, Code: "c-asm", Message: s.name + " is another name of " + s.label + ", which is not supported", Help: "declare and use it by that name"}}
			switch f, v := l.funcs[s.name], l.vars[s.name]; {
			case f != nil && f.Extern():
				f.Known, f.Unread = ir.Unknowable(), bad
				l.note(bad)
			case v != nil && v.Extern:
				v.Unread = bad
			default:
				l.guarded(func() { panic(bad) })
			}
		}
		labels[s.label] = s.name
	}
}

// noreturn reports that a declaration says that its routine does not return.
func noreturn(n *cc.DeclarationSpecifiers, t cc.Type) bool {
	if a := t.Attributes(); a != nil && (a.IsAttrSet("noreturn") || a.IsAttrSet("__noreturn__")) {
		return true
	}
	for ; n != nil; n = n.DeclarationSpecifiers {
		if f := n.FunctionSpecifier; f != nil && f.Case == cc.FunctionSpecifierNoreturn {
			return true
		}
	}
	return false
}

// moded reports an integer whose width an attribute says; the parser forgets it.
func moded(c cc.Type) bool {
	a := c.Attributes()
	return a != nil && (a.IsAttrSet("mode") || a.IsAttrSet("__mode__"))
}

// sizeKnown reports that the parser's size of a type is that of compilers: it places
// some bit-fields otherwise, and packs nothing.
func (t *types) sizeKnown(c cc.Type) bool {
	if a, is := c.(*cc.ArrayType); is {
		n, ok := t.lengthOf(a)
		nothing := n >= 0 && !a.IsVLA() && a.Elem().Size() == 0 && a.Size() != 0 // GNU's empty structs, and arrays of no element
		return ok && n == a.Len() && !nothing && t.sizeKnown(a.Elem())
	}
	s, ok := c.(fielded)
	if !ok || s.IsIncomplete() {
		return !moded(c)
	}
	size, ok := t.measure(c)
	return ok && size == c.Size()
}

// displaced reports an expression with a part whose type the parser lays out otherwise than
// compilers do.
func (t *types) displaced(n cc.Node) (found bool) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		e, ok := n.(cc.ExpressionNode)
		if !ok || e.Type() == nil {
			return
		}
		c := e.Type().Undecay()
		for c.Kind() == cc.Ptr {
			c = c.(*cc.PointerType).Elem()
		}
		found = found || !t.placesKnown(c)
	})
	return found
}

// placesKnown reports that the parser places all members of a type as compilers do.
func (t *types) placesKnown(c cc.Type) bool {
	if a, is := c.(*cc.ArrayType); is {
		n, ok := t.lengthOf(a)
		return ok && n == a.Len() && t.placesKnown(a.Elem())
	}
	s, ok := c.(fielded)
	if !ok || s.IsIncomplete() {
		return true
	}
	known, seen := t.placed[c] // one that has two members of another, which has two of a third, has many
	if !seen {
		known = t.membersPlaced(s)
		t.placed[c] = known
	}
	return known
}

func (t *types) membersPlaced(s fielded) bool {
	l := t.layoutOf(s)
	if l == nil {
		return false
	}
	for i, at := range l.fields {
		f := s.FieldByIndex(i)
		if !t.placesKnown(f.Type()) || at.off != f.Offset() || f.IsBitfield() && at.bit != f.OffsetBits() {
			return false
		}
	}
	return l.size == s.Size()
}

// mistyped reports an expression with a choice to which the parser gives another type than C.
func mistyped(n cc.Node) (found bool) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		if c, ok := n.(*cc.ConditionalExpression); ok {
			if arm, of := typedArm(c), pointerTo(c); arm != nil && (of == nil || (of.Kind() == cc.Void) != (pointerTo(arm).Kind() == cc.Void)) {
				found = true
			}
		}
	})
	return found
}

// weakly notes what the declarations say to be weak in which an attribute of that name stands.
func (l *linker) weakly(m *module, attribute string) {
	if attribute != "weak" {
		return
	}
	for _, n := range l.path {
		if n, is := n.(*cc.Declaration); is && m.span(n) != (ir.Span{}) {
			for _, d := range initDeclarators(n) {
				if d.Declarator != nil {
					l.weak[d.Declarator.Name()] = m.span(n)
				}
			}
		}
	}
}

// weakSymbols refuses the address of what is weak and defined nowhere, which may be null, where it is used.
func (l *linker) weakSymbols() {
	if len(l.weak) == 0 {
		return
	}
	bad := func(name string) *ir.Refusal {
		span, weak := l.weak[name]
		if !weak {
			return nil
		}
		return &ir.Refusal{Diagnostic: source.Diagnostic{Span: span, Code: "c-attribute", Message: name + " is weak and defined nowhere, so that its address may be null, which is not supported", Help: "define it in a source, or remove the attribute"}}
	}
	for _, f := range append([]*ir.Func{l.prog.Init}, l.prog.Funcs...) {
		f.Expressions(func(e ir.Expr) {
			switch e := e.(type) {
			case *ir.FuncAddr:
				if e.Func.Extern() {
					e.Func.Unread = bad(e.Func.Name)
				}
			case *ir.Addr:
				if e.Of.Var != nil && e.Of.Var.Extern && e.Of.Var.Unread == nil {
					e.Of.Var.Unread = bad(e.Of.Var.Name)
				}
			}
		})
	}
	l.unreadUses()
}
