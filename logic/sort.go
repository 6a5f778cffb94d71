package logic

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/lists"
)

// SortKind is the outermost constructor of a Sort.
type SortKind uint8

const (
	BoolKind SortKind = iota
	IntKind
	RealKind
	BitVecKind
	ArrayKind
	FunctionKind
	DatatypeKind
)

// Sort is the type of a term. Sorts are interned: equal sorts are the same
// pointer.
type Sort struct {
	kind           SortKind
	width          int
	index, element *Sort
	data           *datatype
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

// FunctionOf returns the sort of functions with those arguments, at least one, and that
// result. Functions are no values of terms: a variable of such a sort can only be applied
// (Apply), and no argument or result is a function; it panics otherwise.
func FunctionOf(arguments []*Sort, result *Sort) *Sort {
	if len(arguments) == 0 {
		panic("logic: a function without arguments is a variable")
	}
	out := result
	for i := len(arguments) - 1; i >= 0; i-- {
		if arguments[i].kind == FunctionKind || result.kind == FunctionKind {
			panic("logic: a function of functions")
		}
		out = internSort(Sort{kind: FunctionKind, index: arguments[i], element: out})
	}
	return out
}

// Signature returns the sorts of the arguments and of the result of a function sort; of
// another sort none and itself.
func (s *Sort) Signature() (arguments []*Sort, result *Sort) {
	for ; s.kind == FunctionKind; s = s.element {
		arguments = append(arguments, s.index)
	}
	return arguments, s
}

// Kind returns the outermost constructor.
func (s *Sort) Kind() SortKind { return s.kind }

// Width returns the number of bits of a bit-vector sort, 0 for others.
func (s *Sort) Width() int { return s.width }

// Index returns the index sort of an array sort, nil for others.
func (s *Sort) Index() *Sort { return s.ofArray(s.index) }

// Element returns the element sort of an array sort, nil for others.
func (s *Sort) Element() *Sort { return s.ofArray(s.element) }

func (s *Sort) ofArray(part *Sort) *Sort {
	if s.kind != ArrayKind {
		return nil
	}
	return part
}

// Arithmetic reports whether s is Int or Real.
func (s *Sort) Arithmetic() bool { return s == Int || s == Real }

// String prints the sort as SMT-LIB does: (_ BitVec 8), (Array Int Bool), (-> Int Int Bool).
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
	case FunctionKind:
		arguments, result := s.Signature()
		return fmt.Sprintf("(-> %s %s)", sortTexts(arguments), result)
	case DatatypeKind:
		return Symbol(s.data.name)
	}
	return fmt.Sprintf("(Array %s %s)", s.index, s.element)
}

func sortTexts(sorts []*Sort) string {
	texts := lists.Map(sorts, (*Sort).String)
	return strings.Join(texts, " ")
}

// Declaration returns the SMT-LIB command that declares a variable or a function:
// (declare-fun x () Int).
func Declaration(v *Term) string {
	arguments, result := v.sort.Signature()
	return fmt.Sprintf("(declare-fun %s (%s) %s)", Symbol(v.name), sortTexts(arguments), result)
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
	if s.kind == DatatypeKind {
		return cmp.Or(strings.Compare(s.data.name, t.data.name), strings.Compare(s.data.together.text, t.data.together.text))
	}
	if c := s.index.compare(t.index); c != 0 {
		return c
	}
	return s.element.compare(t.element)
}
