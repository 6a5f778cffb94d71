package values

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/logic"
)

// What is known of an array: numbers at some indices, and one for all others if there is such
// a number. The value of an array is the number of a content; 0 is that nothing is known, so
// that an array never has a symbol.
type content struct {
	elements []element // by index
	rest     value     // at all other indices: a number, or none
}

type element struct {
	index uint64
	value value // a number; none only where the rest has one
}

// mostElements is how many are known of one array.
const mostElements = 256

// contents numbers what is known of arrays.
type contents struct {
	all     []content
	numbers map[string]uint64
}

func newContents() *contents {
	c := &contents{numbers: map[string]uint64{}}
	c.number(content{rest: none})
	return c
}

func (c *contents) number(x content) uint64 {
	write := func(key []byte, v value) []byte {
		if v.sym != 0 {
			return append(key, 0)
		}
		return binary.AppendUvarint(append(key, 1), v.n)
	}
	key := write(nil, x.rest)
	for _, el := range x.elements {
		key = write(binary.AppendUvarint(key, el.index), el.value)
	}
	n, known := c.numbers[string(key)]
	if !known {
		n = uint64(len(c.all))
		c.numbers[string(key)] = n
		c.all = append(c.all, x)
	}
	return n
}

// constant is an array whose elements are all the same.
func (c *contents) constant(v value) uint64 {
	if v.sym != 0 {
		return 0
	}
	return c.number(content{rest: v})
}

func find(elements []element, index uint64) (int, bool) {
	return slices.BinarySearchFunc(elements, index, func(el element, i uint64) int { return cmp.Compare(el.index, i) })
}

// at is the element at an index.
func (c *contents) at(array, index value) value {
	if array.sym != 0 || index.sym != 0 {
		return none
	}
	return c.all[array.n].at(index.n)
}

// with is an array after an element got a value. An index that is not known may be any.
func (c *contents) with(array, index, v value) uint64 {
	if array.sym != 0 || index.sym != 0 {
		return 0
	}
	x := c.all[array.n]
	if v.sym != 0 {
		v = none
	}
	x.elements = slices.Clone(x.elements)
	i, found := find(x.elements, index.n)
	if found {
		x.elements = slices.Delete(x.elements, i, i+1)
	}
	switch {
	case v == x.rest:
	case len(x.elements) < mostElements:
		x.elements = slices.Insert(x.elements, i, element{index.n, v})
	case x.rest.sym == 0:
		return 0
	}
	return c.number(x)
}

// literal says what is known of an array.
func (c *contents) literal(array *logic.Term, n uint64) *logic.Term {
	index, of := kindOf(array.Sort().Index()), kindOf(array.Sort().Element())
	x := &c.all[n]
	if x.rest.sym == 0 {
		sum := logic.ConstArray(array.Sort(), of.term(x.rest.n))
		for _, el := range x.elements {
			i := index.term(el.index)
			v := logic.Select(array, i)
			if el.value.sym == 0 {
				v = of.term(el.value.n)
			}
			sum = logic.Store(sum, i, v)
		}
		return logic.Eq(array, sum)
	}
	var and []*logic.Term
	for _, el := range x.elements {
		and = append(and, logic.Eq(logic.Select(array, index.term(el.index)), of.term(el.value.n)))
	}
	return logic.And(and...)
}

// arrays computes terms with arrays.
func (e *env) array(n *node) value {
	for _, a := range n.args {
		if a.kind == opaque {
			return none
		}
	}
	switch n.op {
	case logic.OpSelect:
		return e.contents.at(e.eval(n.args[0]), e.eval(n.args[1]))
	case logic.OpStore:
		return constant(e.contents.with(e.eval(n.args[0]), e.eval(n.args[1]), e.eval(n.args[2])))
	case logic.OpConstArray:
		return constant(e.contents.constant(e.eval(n.args[0])))
	}
	return none
}

// learn takes down that an element of an array that is a variable has a number.
func (e *env) learn(n *node, c uint64) {
	array, index := n.args[0], n.args[1]
	if array.op != logic.OpVar || array.kind != arrays {
		return
	}
	if i := e.eval(index); i.sym == 0 && index.kind != opaque {
		e.slots[array.slot] = constant(e.contents.with(e.slots[array.slot], i, constant(c)))
		e.stamp++
	}
}

// equal tells whether arrays are: where all is known of both, and they differ at an index
// of one, or nowhere.
func (c *contents) equal(v, w uint64) value {
	x, y := &c.all[v], &c.all[w]
	if differ(x, y) {
		return truth(false)
	}
	if v == w && x.complete() || x.complete() && y.complete() && x.rest == y.rest {
		return truth(true)
	}
	return none
}

// complete reports that the number at every index is known.
func (x *content) complete() bool {
	return x.rest.sym == 0 && !slices.ContainsFunc(x.elements, func(el element) bool { return el.value.sym != 0 })
}

// at is the element at an index.
func (x *content) at(index uint64) value {
	if i, found := find(x.elements, index); found {
		return x.elements[i].value
	}
	return x.rest
}

// differ reports that arrays are known to differ at an index that is known of one of them.
func differ(x, y *content) bool {
	for _, el := range slices.Concat(x.elements, y.elements) {
		if v, w := x.at(el.index), y.at(el.index); v.sym == 0 && w.sym == 0 && v.n != w.n {
			return true
		}
	}
	return false
}

// same takes down that an array, if it is a variable, is another one of which more is known:
// false if they differ.
func (e *env) same(a, b *node) bool {
	v, w := e.eval(a).n, e.eval(b).n
	x, y := &e.contents.all[v], &e.contents.all[w]
	if differ(x, y) {
		return false
	}
	if a.op == logic.OpVar && v != w && y.complete() {
		e.slots[a.slot] = constant(w)
		e.stamp++
	}
	return true
}

// fresh is the value of a slot that nothing is known of.
func (e *env) fresh(slot int32) value {
	if e.kinds[slot] == arrays {
		return constant(0)
	}
	return value{sym: slot + 1}
}
