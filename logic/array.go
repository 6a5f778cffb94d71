package logic

import "fmt"

func mustBeArray(t *Term) *Sort {
	if t.sort.kind != ArrayKind {
		panic(fmt.Sprintf("logic: array operation on a term of sort %s: %s", t.sort, t))
	}
	return t.sort
}

// Select returns the element of an array at an index.
func Select(array, index *Term) *Term {
	s := mustBeArray(array)
	index = fit(index, s.index)
	// Reading over writing, where it is certain whether both are at one index; where it
	// is not, the solver decides.
	for array.op == OpStore {
		at := array.args[1]
		switch {
		case at == index:
			return array.args[2]
		case at.op == OpNumber && index.op == OpNumber:
			array = array.args[0]
			continue
		}
		break
	}
	if array.op == OpConstArray {
		return array.args[0]
	}
	return node(OpSelect, s.element, array, index)
}

// Store returns the array with one element replaced.
func Store(array, index, element *Term) *Term {
	s := mustBeArray(array)
	index, element = fit(index, s.index), fit(element, s.element)
	// The last of two writes to one index counts: loops that write the same element again
	// and again do not make longer and longer terms.
	if array.op == OpStore && array.args[1] == index {
		array = array.args[0]
	}
	return node(OpStore, s, array, index, element)
}

// ConstArray returns the array of the given sort whose elements are all the same.
func ConstArray(sort *Sort, element *Term) *Term {
	if sort.kind != ArrayKind {
		panic("logic: constant array of sort " + sort.String())
	}
	return node(OpConstArray, sort, fit(element, sort.element))
}

// fit converts an Int where a Real is wanted; otherwise the sort must be right.
func fit(t *Term, sort *Sort) *Term {
	if t.sort == Int && sort == Real {
		return ToReal(t)
	}
	mustBe(t, sort, "operation")
	return t
}
