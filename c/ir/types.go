package ir

import "slices"

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
	Opaque bool
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

// ScalarAt is the scalar that begins at an offset of a type; nil if there is none, or that depends on a union.
func (t *Type) ScalarAt(off int64) *Type {
	for {
		switch {
		case t.Scalar():
			if off == 0 {
				return t
			}
			return nil
		case t.Kind == Array && t.Elem.Size > 0:
			t, off = t.Elem, off%t.Elem.Size
		case t.Kind == Struct && !t.Union:
			at := slices.IndexFunc(t.Fields, func(f Field) bool {
				return f.Bits == 0 && f.Off <= off && off < f.Off+f.Type.Size
			})
			if at < 0 {
				return nil
			}
			t, off = t.Fields[at].Type, off-t.Fields[at].Off
		default:
			return nil
		}
	}
}

// FloatingPoint reports floating-point numbers of any kind.
func (t *Type) FloatingPoint() bool { return t.Kind == Float || t.Kind == IEEE }

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

// IntegerName is what C calls an integer of 1, 2, 4 or 8 bytes.
func IntegerName(size int64, signed, boolean bool) string {
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

// FirstMember is ".m" of the first member with a name, in members without one, too.
func (t *Type) FirstMember() string {
	switch {
	case len(t.Fields) == 0:
		return ""
	case t.Fields[0].Name == "":
		return t.Fields[0].Type.FirstMember()
	}
	return "." + t.Fields[0].Name
}

// HasPointers reports a type with pointers in it.
func (t *Type) HasPointers() bool {
	switch t.Kind {
	case Pointer:
		return true
	case Array:
		return t.Elem.HasPointers()
	case Struct:
		return slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Type.HasPointers() })
	}
	return false
}

// PromotedSize is how large a number is as an argument of which no type is declared (C11 6.5.2.2, 6).
func (t *Type) PromotedSize() int64 {
	switch {
	case t.Kind == Integer:
		return max(t.Size, 4)
	case t.Kind == IEEE:
		return max(t.Size, 8)
	}
	return t.Size
}
