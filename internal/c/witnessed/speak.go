package witnessed

import (
	"errors"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// speaker says formulas over machine words as expressions of C that compute, with no step that overflows or
// depends on how a compiler reads it but for gcc's conversions and shifts of signed numbers, what the formula says.
type speaker struct {
	// name is how C speaks of a variable; false: it does not.
	name func(variable string) (text string, t *ir.Type, ok bool)
}

// longest bounds what is said in one place.
const longest = 2000

// errUnsaid is why a formula is not said.
var errUnsaid = errors.New("it cannot be said in C")

// weaker is what can be said of a formula: of a conjunction, the conjuncts that can be said. "" says nothing.
func (s *speaker) weaker(f *logic.Term, negated bool) string {
	and, or := f.Op() == logic.OpAnd, f.Op() == logic.OpOr
	switch {
	case f.Op() == logic.OpNot:
		return s.weaker(f.Args()[0], !negated)
	case f.IsTrue() || f.IsFalse():
		if f.IsFalse() != negated {
			return "0"
		}
		return ""
	case and && !negated || or && negated:
		var all []string
		length := 0
		for _, a := range f.Args() {
			if text := s.weaker(a, negated); text != "" && length+len(text) <= longest {
				all, length = append(all, text), length+len(text)
			}
		}
		return joined(all, " && ")
	case and || or:
		var all []string
		for _, a := range f.Args() {
			text := s.weaker(a, negated)
			if text == "" {
				return ""
			}
			all = append(all, text)
		}
		if text := joined(all, " || "); len(text) <= longest {
			return text
		}
		return ""
	}
	text, err := s.formula(f, negated)
	if err != nil || len(text) > longest {
		return ""
	}
	return text
}

func joined(all []string, by string) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return "(" + strings.Join(all, by) + ")"
}

// comparisons are those of words, and what they are if they do not hold.
var comparisons = map[logic.Op][2]string{
	logic.OpEq: {"==", "!="}, logic.OpBVULe: {"<=", ">"}, logic.OpBVULt: {"<", ">="}, logic.OpBVSLe: {"<=", ">"}, logic.OpBVSLt: {"<", ">="},
}

// formula says a formula exactly.
func (s *speaker) formula(f *logic.Term, negated bool) (string, error) {
	compare, known := comparisons[f.Op()]
	by := compare[0]
	if negated {
		by = compare[1]
	}
	switch {
	case f.Op() == logic.OpNot:
		return s.formula(f.Args()[0], !negated)
	case f.IsTrue() || f.IsFalse():
		return map[bool]string{true: "1", false: "0"}[f.IsTrue() != negated], nil
	case f.Op() == logic.OpAnd || f.Op() == logic.OpOr:
		word := " && "
		if (f.Op() == logic.OpOr) != negated {
			word = " || "
		}
		var all []string
		for _, a := range f.Args() {
			text, err := s.formula(a, negated)
			if err != nil || len(text) > longest {
				return "", errUnsaid
			}
			all = append(all, text)
		}
		return joined(all, word), nil
	case !known:
		return "", errUnsaid
	case f.Args()[0].Sort() == logic.Bool:
		x, errX := s.formula(f.Args()[0], false)
		y, errY := s.formula(f.Args()[1], false)
		return "(" + x + " " + by + " " + y + ")", errors.Join(errX, errY)
	case f.Args()[0].Sort().Kind() != logic.BitVecKind:
		return "", errUnsaid
	}
	if text, ok := s.null(f, by); ok {
		return text, nil
	}
	if c, value, ok := chosen(f); ok { // is it one of two numbers?
		return s.formula(c, value == negated)
	}
	x, errX := s.compared(f, 0)
	y, errY := s.compared(f, 1)
	if errX != nil || errY != nil {
		return "", errUnsaid
	}
	x, y = together(x, y)
	return "(" + x.text + " " + by + " " + y.text + ")", nil
}

// chosen reads an equality of a choice between two numbers and one of them: its condition is to have a value.
func chosen(f *logic.Term) (condition *logic.Term, value, ok bool) {
	for i, a := range f.Args() {
		if n := f.Args()[1-i]; f.Op() == logic.OpEq && a.Op() == logic.OpIte && n.Op() == logic.OpNumber {
			x, y := a.Args()[1], a.Args()[2]
			if x.Op() == logic.OpNumber && y.Op() == logic.OpNumber && x != y && (n == x || n == y) {
				return a.Args()[0], n == x, true
			}
		}
	}
	return nil, false, false
}

// null says of a pointer that it is null, or not.
func (s *speaker) null(f *logic.Term, by string) (string, bool) {
	for i, a := range f.Args() {
		other := f.Args()[1-i]
		if f.Op() != logic.OpEq || a.Op() != logic.OpVar || other.Op() != logic.OpNumber || other.Num().Sign() != 0 {
			continue
		}
		if text, t, ok := s.name(a.Name()); ok && t.Kind == ir.Pointer {
			return "(" + text + " " + by + " 0)", true
		}
	}
	return "", false
}

// compared is a side of a comparison, as the number that it is there.
func (s *speaker) compared(f *logic.Term, side int) (number, error) {
	switch f.Op() {
	case logic.OpBVULe, logic.OpBVULt:
		return s.number(f.Args()[side], false)
	case logic.OpEq: // as they are declared
		for _, a := range f.Args() {
			if a.Op() == logic.OpVar {
				if _, t, ok := s.name(a.Name()); ok && !t.Signed {
					return s.number(f.Args()[side], false)
				}
			}
		}
	}
	return s.number(f.Args()[side], true)
}
