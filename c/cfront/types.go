package cfront

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// types converts the parser's types.
type types struct {
	model  ir.DataModel
	ints   map[string]*ir.Type
	known  map[cc.Type]*ir.Type
	tagged map[tag]*ir.Type
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

func newTypes(model ir.DataModel) *types {
	t := &types{model: model, ints: map[string]*ir.Type{}, known: map[cc.Type]*ir.Type{}, tagged: map[tag]*ir.Type{}, laid: map[cc.Type]*placing{}, placed: map[cc.Type]bool{}, qualifiers: qualifiers{}, constants: map[cc.ExpressionNode]*int64{}}
	return t
}

// integer returns the type with a size in bytes.
func (t *types) integer(size int64, signed, boolean bool) *ir.Type {
	key := fmt.Sprint(size, signed, boolean)
	if t.ints[key] == nil {
		t.ints[key] = &ir.Type{Kind: ir.Integer, Size: size, Signed: signed, Bool: boolean, Name: ir.IntegerName(size, signed, boolean)}
	}
	return t.ints[key]
}

// ieee returns the floating-point type with a size in bytes.
func (t *types) ieee(size int64) *ir.Type {
	name := map[int64]string{4: "float", 8: "double"}[size]
	if t.ints[name] == nil {
		t.ints[name] = &ir.Type{Kind: ir.IEEE, Size: size, Name: name}
	}
	return t.ints[name]
}

func (t *types) int() *ir.Type { return t.integer(4, true, false) }

// word is the signed integer that is as wide as a pointer.
func (t *types) word() *ir.Type { return t.integer(t.model.PointerSize(), true, false) }

// size is size_t.
func (t *types) size() *ir.Type { return t.integer(t.model.PointerSize(), false, false) }

func (t *types) pointer(elem *ir.Type) *ir.Type {
	return &ir.Type{Kind: ir.Pointer, Size: t.model.PointerSize(), Elem: elem, Name: pointerName(elem)}
}

func pointerName(elem *ir.Type) string {
	switch elem.Kind {
	case ir.Function:
		return strings.Replace(elem.Name, "(", "(*)(", 1)
	case ir.Array:
		return strings.Replace(elem.Name, "[", "(*)[", 1)
	}
	return elem.Name + "*"
}

// of converts a type; nil if it has no counterpart (complex numbers, vectors, 128 bits).
func (t *types) of(c cc.Type) *ir.Type {
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
		return t.keep(c, &ir.Type{Kind: ir.Void, Size: -1, Name: "void"})
	case cc.Ptr:
		p := t.keep(c, &ir.Type{Kind: ir.Pointer, Size: t.model.PointerSize()})
		if p.Elem = t.of(c.(*cc.PointerType).Elem()); p.Elem == nil {
			// What it points to has no counterpart; it may be handed around.
			p.Elem = &ir.Type{Kind: ir.Void, Size: -1, Name: "void", Opaque: true}
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
		return t.keep(c, &ir.Type{Kind: ir.Array, Size: size, Elem: elem, Len: n, Name: name})
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
		return t.keep(c, &ir.Type{Kind: ir.Float, Size: c.Size(), Name: c.String()})
	}
	return nil
}

func (t *types) keep(c cc.Type, own *ir.Type) *ir.Type {
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

func (t *types) structure(c cc.Type) *ir.Type {
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
	own := t.keep(c, &ir.Type{Kind: ir.Struct, Size: -1, Union: union, Name: strings.TrimSpace(word + key.name)})
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
			ft = &ir.Type{Kind: ir.Float, Size: size, Name: f.Type().String()}
		}
		own.Fields = append(own.Fields, t.field(f, t.narrowed(ft, l.fields[i]), l.fields[i]))
	}
	return own
}

// narrowed is the type of the unit that a bit-field of a type lies in.
func (t *types) narrowed(ft *ir.Type, at place) *ir.Type {
	if at.unit == 0 || ft.Kind != ir.Integer || ft.Size > 4 {
		return ft
	}
	return t.integer(at.unit, ft.Signed, ft.Bool && at.unit == 1)
}

// field is a field at its place.
func (t *types) field(f *cc.Field, ft *ir.Type, at place) ir.Field {
	out := ir.Field{Name: f.Name(), Type: ft, Off: at.off}
	if d := f.Declarator(); d != nil {
		out.Const = t.declaredConst(d)
	}
	if f.IsBitfield() {
		out.BitOff, out.Bits = at.bit, int(f.ValueBits())
	}
	return out
}

func (t *types) function(f *cc.FunctionType) *ir.Type {
	own := t.keep(f, &ir.Type{Kind: ir.Function, Size: -1, Variadic: f.IsVariadic()})
	own.Result = t.of(f.Result())
	var names []string
	for _, p := range f.Parameters() {
		pt := t.of(p.Type().Decay())
		if pt == nil || pt.Kind == ir.Void {
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
