package logic

import (
	"fmt"
	"sync"
)

// SortKind is the outermost constructor of a Sort.
type SortKind uint8

const (
	BoolKind SortKind = iota
	IntKind
	RealKind
	BitVecKind
	ArrayKind
)

// Sort is the type of a term. Sorts are interned: equal sorts are the same
// pointer.
type Sort struct {
	kind           SortKind
	width          int
	index, element *Sort
}

// The sorts without parameters.
var (
	Bool = &Sort{kind: BoolKind}
	Int  = &Sort{kind: IntKind}
	Real = &Sort{kind: RealKind}
)

// MaxWidth is the largest number of bits of a bit-vector sort.
const MaxWidth = 1 << 16

var sorts = struct {
	sync.Mutex
	known map[Sort]*Sort
}{known: map[Sort]*Sort{}}

func internSort(s Sort) *Sort {
	sorts.Lock()
	defer sorts.Unlock()
	p := sorts.known[s]
	if p == nil {
		p = &s
		sorts.known[s] = p
	}
	return p
}

// BitVec returns the sort of bit-vectors of so many bits, 1 to MaxWidth; it
// panics for other widths.
func BitVec(width int) *Sort {
	if width < 1 || width > MaxWidth {
		panic(fmt.Sprintf("logic: bit-vector of %d bits", width))
	}
	return internSort(Sort{kind: BitVecKind, width: width})
}

// ArrayOf returns the sort of total maps from index to element.
func ArrayOf(index, element *Sort) *Sort {
	return internSort(Sort{kind: ArrayKind, index: index, element: element})
}

// Kind returns the outermost constructor.
func (s *Sort) Kind() SortKind { return s.kind }

// Width returns the number of bits of a bit-vector sort, 0 for others.
func (s *Sort) Width() int { return s.width }

// Index returns the index sort of an array sort, nil for others.
func (s *Sort) Index() *Sort { return s.index }

// Element returns the element sort of an array sort, nil for others.
func (s *Sort) Element() *Sort { return s.element }

// Arithmetic reports whether s is Int or Real.
func (s *Sort) Arithmetic() bool { return s == Int || s == Real }

// String prints the sort as SMT-LIB does.
func (s *Sort) String() string {
	switch s.kind {
	case BoolKind:
		return "Bool"
	case IntKind:
		return "Int"
	case RealKind:
		return "Real"
	case BitVecKind:
		return fmt.Sprintf("(_ BitVec %d)", s.width)
	}
	return fmt.Sprintf("(Array %s %s)", s.index, s.element)
}

func (s *Sort) compare(t *Sort) int {
	if s == t {
		return 0
	}
	if c := int(s.kind) - int(t.kind); c != 0 {
		return c
	}
	if c := s.width - t.width; c != 0 {
		return c
	}
	if c := s.index.compare(t.index); c != 0 {
		return c
	}
	return s.element.compare(t.element)
}
