package ir

import "slices"

// Check is a kind of mistake that C leaves undefined, and that can be made a failure.
type Check uint8

const (
	Unchecked     Check = iota
	CheckNull           // the null pointer is dereferenced or called
	CheckBounds         // an access outside of an array, or of what a pointer points to
	CheckDiv            // division by zero
	CheckOverflow       // a signed result that does not fit its type
	CheckUninit         // a variable is read that has no value
	CheckShift          // a left shift whose signed result does not fit its type
	CheckMemory         // memory is used, or freed, that has ended, or that was not allocated
	CheckLeaks          // memory is not freed when the program ends
)

// Misuse is what a mistake about memory does with it, if it is one whatever one asks for: not an address that is only
// computed, nor an index outside of a row of an array.
type Misuse uint8

const (
	NoMisuse     Misuse = iota
	Dereference         // what is accessed lies in no object that lives
	Deallocation        // what is freed is not the beginning of memory that was allocated and not freed since
)

// CheckNames are what the kinds are called in options, by their numbers.
var CheckNames = []string{"", "null", "bounds", "div", "overflow", "uninit", "shift", "memory", "leaks"}

func (c Check) String() string { return CheckNames[c] }

// Checks reports whether a kind of mistake is a failure.
func (p *Program) Checks(k Check) bool { return k != Unchecked && slices.Contains(p.Checked, k) }

// ShownAlone is an expression as a part of a message.
func ShownAlone(e Expr) string { return outer(ShownText(e)) }
