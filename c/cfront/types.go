package cfront

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// Kind is the kind of a type.
type Kind uint8

const (
	Void Kind = iota
	Integer
	Float // floating point that is not computed: long double, complex numbers
	Pointer
	Array
	Struct
	Function
	IEEE // float and double: words of IEEE 754
)

// Type is a C type. Integers of equal width and sign are one *Type; enumerations are
// integers.
type Type struct {
	Kind   Kind
	Size   int64 // bytes; -1 where it is not known
	Signed bool  // of an integer
	Bool   bool  // _Bool

	Elem *Type // of a pointer or an array
	Len  int64 // of an array, -1 where it is not known

	Union  bool // of a struct
	Fields []Field
	Inner  bool // a struct without a name that means it at the end of the source

	Result   *Type // of a function
	Params   []*Type
	Variadic bool
	Unproto  bool // declared without parameters: f()

	Name string // as C has it, for people
	// opaque: it stands for a type that has no counterpart, and whose size counts.
	opaque bool
}

// Field is a member of a struct or union.
type Field struct {
	Name         string
	Type         *Type
	Off          int64
	BitOff, Bits int // of a bit-field
	Const        bool
}

func (t *Type) String() string { return t.Name }

// Scalar reports integers, floating-point numbers that are computed, and pointers.
func (t *Type) Scalar() bool { return t.Kind == Integer || t.Kind == Pointer || t.Kind == IEEE }

// floating reports floating-point numbers of any kind.
func (t *Type) floating() bool { return t.Kind == Float || t.Kind == IEEE }

// Width is the number of bits of a scalar.
func (t *Type) Width() int { return int(t.Size) * 8 }

// Aggregate reports arrays, structs and unions.
func (t *Type) Aggregate() bool { return t.Kind == Array || t.Kind == Struct }

// DataModel says how wide types are.
type DataModel uint8

const (
	LP64  DataModel = iota // long and pointers have 64 bits
	ILP32                  // 32 bits
)

// Names returns the data models by name.
func (DataModel) Names() []string { return []string{"lp64", "ilp32"} }

func (m DataModel) String() string { return m.Names()[m] }

// PointerSize is in bytes.
func (m DataModel) PointerSize() int64 {
	if m == ILP32 {
		return 4
	}
	return 8
}

// types converts the parser's types.
type types struct {
	model  DataModel
	ints   map[string]*Type
	known  map[cc.Type]*Type
	tagged map[tag]*Type
	qualifiers

	definitions definedTypes // of the source that is read
	laid        map[cc.Type]*placing
	placed      map[cc.Type]bool             // see placesKnown
	constants   map[cc.ExpressionNode]*int64 // of computed ones
	lowered     func(cc.ExpressionNode) (int64, bool)
}

type tag struct {
	name  string
	scope *cc.Scope
	union bool
}

func newTypes(model DataModel) *types {
	t := &types{model: model, ints: map[string]*Type{}, known: map[cc.Type]*Type{}, tagged: map[tag]*Type{}, laid: map[cc.Type]*placing{}, placed: map[cc.Type]bool{}, qualifiers: qualifiers{}, constants: map[cc.ExpressionNode]*int64{}}
	return t
}

// integer returns the type with a size in bytes.
func (t *types) integer(size int64, signed, boolean bool) *Type {
	key := fmt.Sprint(size, signed, boolean)
	if t.ints[key] == nil {
		t.ints[key] = &Type{Kind: Integer, Size: size, Signed: signed, Bool: boolean, Name: integerName(size, signed, boolean)}
	}
	return t.ints[key]
}

// ieee returns the floating-point type with a size in bytes.
func (t *types) ieee(size int64) *Type {
	name := map[int64]string{4: "float", 8: "double"}[size]
	if t.ints[name] == nil {
		t.ints[name] = &Type{Kind: IEEE, Size: size, Name: name}
	}
	return t.ints[name]
}

func integerName(size int64, signed, boolean bool) string {
	if boolean {
		return "_Bool"
	}
	name := map[int64]string{1: "char", 2: "short", 4: "int", 8: "long long"}[size]
	switch {
	case !signed:
		return "unsigned " + name
	case size == 1:
		return "signed char"
	}
	return name
}

func (t *types) int() *Type { return t.integer(4, true, false) }

// word is the signed integer that is as wide as a pointer.
func (t *types) word() *Type { return t.integer(t.model.PointerSize(), true, false) }

// size is size_t.
func (t *types) size() *Type { return t.integer(t.model.PointerSize(), false, false) }

func (t *types) pointer(elem *Type) *Type {
	return &Type{Kind: Pointer, Size: t.model.PointerSize(), Elem: elem, Name: pointerName(elem)}
}

func pointerName(elem *Type) string {
	switch elem.Kind {
	case Function:
		return strings.Replace(elem.Name, "(", "(*)(", 1)
	case Array:
		return strings.Replace(elem.Name, "[", "(*)[", 1)
	}
	return elem.Name + "*"
}

// of converts a type; nil if it has no counterpart (complex numbers, vectors, 128 bits).
func (t *types) of(c cc.Type) *Type {
	if c == nil {
		return nil
	}
	if known := t.known[c]; known != nil {
		return known
	}
	if c.VectorSize() > 0 || moded(c) {
		return nil
	}
	switch c.Kind() {
	case cc.Void:
		return t.keep(c, &Type{Kind: Void, Size: -1, Name: "void"})
	case cc.Ptr:
		p := t.keep(c, &Type{Kind: Pointer, Size: t.model.PointerSize()})
		if p.Elem = t.of(c.(*cc.PointerType).Elem()); p.Elem == nil {
			// What it points to has no counterpart; it may be handed around.
			p.Elem = &Type{Kind: Void, Size: -1, Name: "void", opaque: true}
		}
		if p.Name = pointerName(p.Elem); p.Elem.Name == "" {
			p.Name = c.String()
		}
		return p
	case cc.Array:
		a := c.(*cc.ArrayType)
		elem := t.of(a.Elem())
		if elem == nil {
			return nil
		}
		n, ok := t.lengthOf(a)
		if !ok {
			return nil
		}
		size := n * elem.Size
		if n < 0 || elem.Size < 0 || a.IsVLA() {
			n, size = -1, -1
		}
		name := fmt.Sprintf("%s[%d]", elem.Name, n)
		if n < 0 {
			name = elem.Name + "[]"
		}
		return t.keep(c, &Type{Kind: Array, Size: size, Elem: elem, Len: n, Name: name})
	case cc.Struct, cc.Union:
		return t.structure(c)
	case cc.Function:
		return t.function(c.(*cc.FunctionType))
	case cc.Bool:
		return t.integer(c.Size(), false, true)
	case cc.Int128, cc.UInt128:
		return nil
	}
	switch {
	case cc.IsIntegerType(c) && c.Size() <= 0: // an enumeration that is not defined
		return nil
	case cc.IsIntegerType(c):
		return t.integer(c.Size(), cc.IsSignedInteger(c), false)
	case c.Kind() == cc.Float, c.Kind() == cc.Double:
		return t.ieee(c.Size())
	case cc.IsFloatingPointType(c):
		return t.keep(c, &Type{Kind: Float, Size: c.Size(), Name: c.String()})
	}
	return nil
}

func (t *types) keep(c cc.Type, own *Type) *Type {
	t.known[c] = own
	return own
}

type fielded interface {
	cc.Type
	NumFields() int
	FieldByIndex(int) *cc.Field
	Tag() cc.Token
	LexicalScope() *cc.Scope
}

func (t *types) structure(c cc.Type) *Type {
	s := c.(fielded)
	union := c.Kind() == cc.Union
	token := s.Tag()
	key := tag{name: token.SrcStr(), scope: s.LexicalScope(), union: union}
	if key.name != "" {
		if known := t.tagged[key]; known != nil && (known.Size >= 0 || s.IsIncomplete()) {
			return t.keep(c, known)
		}
	}
	word := "struct "
	if union {
		word = "union "
	}
	var l *placing
	if !s.IsIncomplete() {
		if l = t.layoutOf(s); l == nil {
			return nil
		}
	}
	own := t.keep(c, &Type{Kind: Struct, Size: -1, Union: union, Name: strings.TrimSpace(word + key.name)})
	own.Inner = key.name == "" || key.scope != nil && key.scope.Parent != nil
	if key.name != "" {
		t.tagged[key] = own
	}
	if s.IsIncomplete() {
		return own
	}
	own.Size = l.size
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		if f.IsBitfield() && f.Name() == "" { // only keeps others apart (C11 6.7.2.1)
			continue
		}
		ft := t.of(f.Type())
		size, _ := t.measure(f.Type())
		if ft == nil { // of no type that is read: its bytes are there
			ft = &Type{Kind: Float, Size: size, Name: f.Type().String()}
		}
		own.Fields = append(own.Fields, t.field(f, t.narrowed(ft, l.fields[i]), l.fields[i]))
	}
	return own
}

// narrowed is the type of the unit that a bit-field of a type lies in.
func (t *types) narrowed(ft *Type, at place) *Type {
	if at.unit == 0 || ft.Kind != Integer || ft.Size > 4 {
		return ft
	}
	return t.integer(at.unit, ft.Signed, ft.Bool && at.unit == 1)
}

// field is a field at its place.
func (t *types) field(f *cc.Field, ft *Type, at place) Field {
	out := Field{Name: f.Name(), Type: ft, Off: at.off}
	if d := f.Declarator(); d != nil {
		out.Const = t.declaredConst(d)
	}
	if f.IsBitfield() {
		out.BitOff, out.Bits = at.bit, int(f.ValueBits())
	}
	return out
}

func (t *types) function(f *cc.FunctionType) *Type {
	own := t.keep(f, &Type{Kind: Function, Size: -1, Variadic: f.IsVariadic()})
	own.Result = t.of(f.Result())
	var names []string
	for _, p := range f.Parameters() {
		pt := t.of(p.Type().Decay())
		if pt == nil || pt.Kind == Void {
			if pt == nil {
				own.Variadic = true
			}
			continue
		}
		own.Params = append(own.Params, pt)
		names = append(names, pt.Name)
	}
	own.Unproto = len(f.Parameters()) == 0 && f.MaxArgs() != 0
	if own.Variadic {
		names = append(names, "...")
	}
	result := "?"
	if own.Result != nil {
		result = own.Result.Name
	}
	own.Name = fmt.Sprintf("%s(%s)", result, strings.Join(names, ", "))
	return own
}
