package components

import "fmt"

// kind is what a C type is.
type kind int

const (
	void kind = iota
	integer
	pointer
	array
	structure
	function
)

// ctype is a C type, of the data model lp64.
type ctype struct {
	kind   kind
	size   int
	align  int
	signed bool
	truth  bool // _Bool
	elem   *ctype
	len    int
	fields []field
	union  bool
	name   string // a tag
	result *ctype
	params []param
	// variadic or declared without parameters: arguments are not converted
	open bool
}

type field struct {
	name string
	t    *ctype
	off  int
}

type param struct {
	name string
	t    *ctype
}

func intType(size int, signed bool) *ctype {
	return &ctype{kind: integer, size: size, align: size, signed: signed}
}

var (
	tVoid  = &ctype{kind: void, size: 1, align: 1}
	tBool  = &ctype{kind: integer, size: 1, align: 1, truth: true}
	tChar  = intType(1, true)
	tInt   = intType(4, true)
	tUInt  = intType(4, false)
	tLong  = intType(8, true)
	tULong = intType(8, false)
)

func pointerTo(t *ctype) *ctype { return &ctype{kind: pointer, size: 8, align: 8, elem: t} }

func arrayOf(t *ctype, n int) *ctype {
	return &ctype{kind: array, size: t.size * n, align: t.align, elem: t, len: n}
}

func (t *ctype) scalar() bool { return t.kind == integer || t.kind == pointer }

func (t *ctype) small() bool { return t.kind == integer && t.size == 1 }

// lay gives the members of a struct or union their places.
func (t *ctype) lay() {
	t.size, t.align = 0, 1
	for i := range t.fields {
		f := &t.fields[i]
		t.align = max(t.align, f.t.align)
		if t.union {
			t.size = max(t.size, f.t.size)
			continue
		}
		t.size = (t.size + f.t.align - 1) / f.t.align * f.t.align
		f.off = t.size
		t.size += f.t.size
	}
	t.size = (t.size + t.align - 1) / t.align * t.align
}

func (t *ctype) member(name string) (field, bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// conv is a number as a value of a type: its low bits, extended by sign or zeros; of _Bool whether
// it is not 0.
func (t *ctype) conv(v int64) int64 {
	switch {
	case t.truth:
		if v != 0 {
			return 1
		}
		return 0
	case t.kind != integer || t.size == 8:
		return v
	}
	bits := uint(8 * t.size)
	v &= 1<<bits - 1
	if t.signed && v>>(bits-1) == 1 {
		v -= 1 << bits
	}
	return v
}

// promoted is a type after integer promotion: "int if it can hold all values, else unsigned".
func (t *ctype) promoted() *ctype {
	if t.kind == integer && t.size < 4 {
		return tInt
	}
	return t
}

// usual is the common type of two after the usual arithmetic conversions.
func usual(a, b *ctype) *ctype {
	a, b = a.promoted(), b.promoted()
	switch {
	case a.size != b.size && a.size > b.size:
		return a // it is wider, so that it holds what an unsigned narrower one has
	case a.size != b.size:
		return b
	case !a.signed:
		return a
	}
	return b
}

// Unsupported says that something cannot be enumerated, or is none of the C that is read here.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return "not supported here: " + e.What }

func unsupported(format string, args ...any) {
	panic(&Unsupported{fmt.Sprintf(format, args...)})
}
