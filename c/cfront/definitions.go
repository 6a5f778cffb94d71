package cfront

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// definedTypes are the structs and unions of a source by the parser's types, with what attributes and pragmas
// say of them.
type definedTypes struct {
	known map[cc.Type]*cc.StructOrUnionSpecifier
	packs map[string]*packing // by files
	// alignments are asked for somewhere: of variables that is not always the type's, and where the parser keeps it
	// depends on where it stands.
	alignments bool
}

var alignmentWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:__)?aligned(?:__)?\b|\b_?[aA]lignas\b`) })

// packing is what #pragma pack says in a file: from places on, in order.
type packing struct {
	entry int64 // what held where the file was included
	marks []packMark
	open  bool // it is not known, since the file was read several times, say
}

type packMark struct {
	offset int
	bytes  int64
}

// definitions finds those of a source.
func (l *linker) definitions(u *unit) {
	d := definedTypes{known: map[cc.Type]*cc.StructOrUnionSpecifier{}, packs: u.packs.files}
	for _, f := range u.files {
		d.alignments = d.alignments || strings.Contains(f.Text(), "lign") && alignmentWords().MatchString(f.Text())
	}
	walk(reflect.ValueOf(u.ast.TranslationUnit), map[any]bool{}, func(n cc.Node) {
		if s, is := n.(*cc.StructOrUnionSpecifier); is && s.Case == cc.StructOrUnionSpecifierDef && s.Type() != nil {
			d.known[s.Type()] = s
		}
	})
	l.types.definitions = d
}

// of returns what is said of a struct or union, and of each of its members; ok is false where that is not
// known.
func (d *definedTypes) of(s fielded) (whole asked, each []asked, ok bool) {
	n := d.known[s.FieldByIndex(0).ParentType()]
	if n == nil {
		return asked{}, make([]asked, s.NumFields()), true // of the parser's own
	}
	whole = asked{}
	if !whole.read(n.AttributeSpecifierList) || !whole.read(n.AttributeSpecifierList2) {
		return asked{}, nil, false
	}
	if whole.pack, ok = d.packAt(n.Token3); !ok {
		return asked{}, nil, false
	}
	for list := n.StructDeclarationList; list != nil; list = list.StructDeclarationList {
		members, ok := membersOf(list.StructDeclaration)
		if !ok {
			return asked{}, nil, false
		}
		each = append(each, members...)
	}
	return whole, each, len(each) == s.NumFields()
}

// membersOf is what a declaration says of the members that it declares.
func membersOf(n *cc.StructDeclaration) (each []asked, ok bool) {
	if n.Case != cc.StructDeclarationDecl {
		return nil, true
	}
	all, aligned := asked{}, false // what the specifiers say
	for list := n.SpecifierQualifierList; list != nil; list = list.SpecifierQualifierList {
		if !all.read(list.AttributeSpecifierList) {
			return nil, false
		}
		if list.TypeQualifier != nil && !all.read(list.TypeQualifier.AttributeSpecifierList) {
			return nil, false
		}
		if a := list.AlignmentSpecifier; a != nil {
			if a.Case != cc.AlignmentSpecifierExpr || !all.aligns(a.ConstantExpression) {
				return nil, false
			}
		}
		if s := list.TypeSpecifier; s != nil && (s.Case == cc.TypeSpecifierTypeName || s.Case == cc.TypeSpecifierTypeofExpr || s.Case == cc.TypeSpecifierTypeofType) {
			aligned = true // it may be, by hand
		}
	}
	if n.StructDeclaratorList == nil {
		return []asked{all}, n.AttributeSpecifierList == nil
	}
	for list := n.StructDeclaratorList; list != nil; list = list.StructDeclaratorList {
		a := all
		if list.StructDeclaratorList == nil && !a.read(n.AttributeSpecifierList) {
			return nil, false
		}
		if d := list.StructDeclarator.Declarator; d != nil {
			if strings.Contains(cc.NodeSource(d), "aligned") || a.align > 0 && aligned && alignedByHand(d.Type(), a.align) {
				return nil, false
			}
		}
		each = append(each, a)
	}
	return each, true
}

// alignedByHand reports a type whose own attributes say another alignment than that of the member.
func alignedByHand(c cc.Type, own int64) bool {
	for {
		if a := c.Attributes(); a != nil && a.Aligned() > 0 && a.Aligned() != own {
			return true
		}
		array, is := c.(*cc.ArrayType)
		if !is {
			return false
		}
		c = array.Elem()
	}
}

// read takes attributes; it reports false for those that it does not understand.
func (a *asked) read(list *cc.AttributeSpecifierList) bool {
	for ; list != nil; list = list.AttributeSpecifierList {
		for v := list.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			switch strings.Trim(v.AttributeValue.Token.SrcStr(), "_") {
			case "packed":
				a.packed = true
			case "aligned":
				if v.AttributeValue.Case == cc.AttributeValueIdent { // the largest that any type has
					if a.align != 0 {
						return false
					}
					a.align = 16
				} else if args := v.AttributeValue.ArgumentExpressionList; args == nil || !a.aligns(args.AssignmentExpression) {
					return false
				}
			case "mode", "vector_size", "scalar_storage_order", "ms_struct", "gcc_struct", "warn_if_not_aligned":
				return false
			}
		}
	}
	return true
}

// aligns takes the number of an alignment.
func (a *asked) aligns(e cc.ExpressionNode) bool {
	n, ok := constant(e.Value())
	if !ok || !alignmentsAgree(e) || n == 0 || n&(n-1) != 0 || n > 1<<20 || a.align != 0 {
		return false
	}
	a.align = int64(n)
	return true
}

// alignmentsAgree reports that the alignments in an expression are the parser's: those of numbers and pointers
// that are as large as they are aligned, in members, too, or asked for by gcc's own word.
func alignmentsAgree(e cc.ExpressionNode) bool {
	agree := true
	walk(reflect.ValueOf(e), map[any]bool{}, func(n cc.Node) {
		u, is := n.(*cc.UnaryExpression)
		if !is {
			return
		}
		if sized(u) != nil && sized(u).Kind() != cc.Ptr && !cc.IsArithmeticType(sized(u)) {
			agree = false
		}
		if t := alignedType(u); t != nil {
			agree = agree && u.Case == cc.UnaryExpressionAlignofType // of an expression, declarations count
			plain := (cc.IsArithmeticType(t) || t.Kind() == cc.Ptr) && t.Attributes() == nil
			agree = agree && plain && int64(t.Align()) == t.Size() && (strings.HasPrefix(u.Token.SrcStr(), "__") || int64(t.FieldAlign()) == t.Size())
		}
	})
	return agree
}

// packAt is what #pragma pack says at a place.
func (d *definedTypes) packAt(at cc.Token) (int64, bool) {
	p := d.packs[at.Position().Filename]
	if p == nil {
		return 0, true
	}
	bytes := p.entry
	for _, m := range p.marks {
		if m.offset < at.Position().Offset {
			bytes = m.bytes
		}
	}
	return bytes, !p.open
}

// packState reads the pragmas of a source in the order in which the parser comes to them.
type packState struct {
	bytes int64
	stack []packed
	files map[string]*packing
}

type packed struct {
	bytes int64
	name  string
}

// enter notes that a file is read.
func (s *packState) enter(name string) {
	if s.files == nil {
		s.files = map[string]*packing{}
	}
	if p := s.files[name]; p != nil {
		p.open = p.open || p.entry != s.bytes || len(p.marks) > 0
		return
	}
	s.files[name] = &packing{entry: s.bytes}
}

// pragma reads #pragma pack(...); it reports false where it does not understand it.
func (s *packState) pragma(toks []cc.Token) bool {
	at := toks[0].Position()
	p := s.files[at.Filename]
	if p == nil || len(toks) < 3 || toks[1].SrcStr() != "(" || toks[len(toks)-1].SrcStr() != ")" {
		return false
	}
	args := strings.Split(strings.Join(sourceOf(toks[2:len(toks)-1]), ""), ",")
	switch args[0] {
	case "push":
		top := packed{bytes: s.bytes}
		for _, a := range args[1:] {
			if n, err := strconv.ParseInt(a, 0, 64); err == nil {
				s.bytes = n
			} else {
				top.name = a
			}
		}
		s.stack = append(s.stack, top)
	case "pop":
		from := len(s.stack) - 1
		if len(args) > 1 {
			for from >= 0 && s.stack[from].name != args[1] {
				from--
			}
		}
		if len(args) > 2 || from < 0 {
			return false
		}
		s.bytes, s.stack = s.stack[from].bytes, s.stack[:from]
	case "":
		s.bytes = 0
	default:
		n, err := strconv.ParseInt(args[0], 0, 64)
		if err != nil || len(args) > 1 {
			return false
		}
		s.bytes = n
	}
	p.marks = append(p.marks, packMark{at.Offset, s.bytes})
	slices.SortStableFunc(p.marks, func(a, b packMark) int { return cmp.Compare(a.offset, b.offset) })
	return slices.Contains([]int64{0, 1, 2, 4, 8, 16}, s.bytes)
}

// left reports that an included file leaves another packing than it began with: how what stands behind it is
// packed is not known then.
func (s *packState) left(main string) bool {
	for name, p := range s.files {
		if n := len(p.marks); name != main && n > 0 && p.marks[n-1].bytes != p.entry {
			return true
		}
	}
	return false
}

func sourceOf(toks []cc.Token) (all []string) {
	for _, t := range toks {
		all = append(all, t.SrcStr())
	}
	return all
}
