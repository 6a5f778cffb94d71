package cfront

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// qsort and bsearch get, for each kind of call, a body that knows how large elements are and what they are: so they
// are moved as a whole, with the pointers in them. Which of C's orders of comparisons is taken makes a difference only
// to routines that do more than compare, which are not followed. (C11 7.22.5)

// sorting is such a kind.
type sorting struct {
	elem *Type
	by   *Func // nil: a parameter
}

// elementName stands for an element that is moved in the text of qsort, orderName for the comparison.
const elementName, orderName = "hold", ownPrefix + "order"

// sortText sorts by insertion; equal elements come in any order. Any two elements are compared at least once in some run.
const sortText = `void %s(void *base, size_t n%s)
{
	element hold;
	element *a = base;
	size_t i, j;
	int c;
	for (i = 0; i + 1 < n && __seltl_more(); i++)
		;
	for (j = 0; j + 1 < n && __seltl_more(); j++)
		;
	if (i < n && j < n && i != j)
		__seltl_order(&a[i], &a[j]);
	for (i = 1; i < n; i++)
		for (j = i; j > 0; j--) {
			c = __seltl_order(&a[j - 1], &a[j]);
			if (c < 0)
				break;
			if (c == 0 && (__seltl_order(&a[j], &a[j - 1]) != 0 || !__seltl_more()))
				break;
			move(hold, a[j - 1]);
			move(a[j - 1], a[j]);
			move(a[j], hold);
		}
}
`

// searchText searches as the GNU C library does, which of equal elements finds the one that it comes to first.
const searchText = `void *%s(const void *key, const void *base, size_t n%s)
{
	element *a = (void *)base;
	size_t low = 0, high = n, at;
	int c;
	for (at = 0; at + 1 < n && __seltl_more(); at++)
		;
	if (at < n)
		__seltl_order(key, &a[at]);
	while (low < high) {
		at = (low + high) / 2;
		c = __seltl_order(key, &a[at]);
		if (c < 0)
			high = at;
		else if (c > 0)
			low = at + 1;
		else
			return &a[at];
	}
	return 0;
}
`

// sorts gives the calls of qsort and bsearch in a routine bodies of their own.
func (l *linker) sorts(f *Func, texts map[*Func]string, made map[string]*Func) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*Call)
			if !ok || c.Callee == nil || !c.Callee.means(AsFormat) || plainName(c.Callee.Name) != "qsort" && plainName(c.Callee.Name) != "bsearch" || slices.Contains(l.opts.Abstract, c.Callee.Name) {
				continue
			}
			first, text := 0, sortText
			if plainName(c.Callee.Name) == "bsearch" {
				first, text = 1, searchText
			}
			if len(c.Args) != first+4 {
				continue
			}
			size, constant := c.Args[first+2].(*Const)
			order := c.Args[first+3]
			if !constant || size.Bits == 0 || size.Bits > maxMove || !l.onlyCompares(order) {
				continue
			}
			s := sorting{elem: elementOf(c.Args[first])}
			if s.elem == nil || s.elem.Size != int64(size.Bits) {
				char := l.types.integer(1, true, false)
				s.elem = &Type{Kind: Array, Size: int64(size.Bits), Elem: char, Len: int64(size.Bits), Name: "char[" + strconv.FormatUint(size.Bits, 10) + "]"}
			}
			param, args := ", int (*"+orderName+")(const void *, const void *)", append(slices.Clone(c.Args[:first+2]), order)
			if by, is := bare0(order).(*FuncAddr); is && !by.Func.Extern() {
				s.by, param, args = by.Func, "", args[:first+2]
			}
			key := fmt.Sprintf("%s %s %d %p", c.Callee.Name, s.elem.Name, size.Bits, s.by)
			if made[key] == nil {
				made[key] = &Func{Name: fmt.Sprintf("%s@%d", plainName(c.Callee.Name), len(made)), Known: c.Callee.Known, sorting: &s}
				l.prog.Funcs = append(l.prog.Funcs, made[key])
				texts[made[key]] = sortType(s.elem).Replace(fmt.Sprintf(text, formatName, param))
			}
			c.Callee, c.Args = made[key], args
		}
	}
}

// sorted makes of the body of such a routine one of its elements and its comparison.
func (l *linker) sorted(f *Func) {
	for _, v := range f.Locals {
		if v.Name == elementName && v.Type.Kind == Array {
			v.Type = f.sorting.elem
		}
	}
	for _, b := range f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i Instr) bool { // it is given a value before it is read
			h, opens := i.(*Havoc)
			return opens && h.To.Var != nil && h.To.Var.Name == elementName
		})
		for _, i := range b.Instrs {
			if c, ok := i.(*Call); ok && f.sorting.by != nil && c.Callee != nil && c.Callee.Name == orderName {
				c.Callee = f.sorting.by
				l.fit(c)
			}
		}
	}
}

// sortType writes the type of an element in such a text, and how one is moved.
func sortType(t *Type) *strings.Replacer {
	if scalar := scalarType(t); scalar != "" {
		return strings.NewReplacer("{\n\telement", "{\n\ttypedef "+scalar+" element;\n\telement", "move(hold, a[j - 1])", "hold = a[j - 1]", "move(a[j - 1], a[j])", "a[j - 1] = a[j]", "move(a[j], hold)", "a[j] = hold")
	}
	size := fmt.Sprintf(", %d);", t.Size)
	return strings.NewReplacer("{\n\telement", fmt.Sprintf("{\n\ttypedef char element[%d];\n\telement", t.Size), "move(hold, a[j - 1]);", "memcpy(hold, a[j - 1]"+size, "move(a[j - 1], a[j]);", "memcpy(a[j - 1], a[j]"+size, "move(a[j], hold);", "memcpy(a[j], hold"+size)
}

// onlyCompares reports a comparison, or all routines that a pointer may point to, that change nothing that others read.
func (l *linker) onlyCompares(order Expr) bool {
	if by, is := bare0(order).(*FuncAddr); is {
		return l.compares(by.Func, map[*Func]bool{})
	}
	for f := range l.prog.pointed() {
		if len(f.Type.Params) == 2 && !l.compares(f, map[*Func]bool{}) {
			return false
		}
	}
	return true
}

// compares reports a routine that changes only variables of its own, and calls only such, and that nobody is told of:
// which elements are compared, and how often, is another thing in each library.
func (l *linker) compares(f *Func, seen map[*Func]bool) bool {
	if l.isEvent(f) || slices.Contains(l.opts.Abstract, f.Name) {
		return false
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	if f.Extern() {
		return f.Known == nil || len(f.Known.outputs) == 0 && (f.Known.Meaning == AsUnknown || f.Known.Meaning == AsInput) || f.means(AsBody) && comparing[plainName(f.Name)]
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			var to *Place
			switch i := i.(type) {
			case *Assign:
				to = &i.To
			case *Havoc:
				to = &i.To
			case *Clear:
				to = &i.To
			case *Call:
				if i.Callee == nil || !l.compares(i.Callee, seen) {
					return false
				}
				to = i.To
			}
			if to != nil && (to.Var == nil || to.Var.Kind == Global) {
				return false
			}
		}
	}
	return true
}

// comparing are routines of the library that only compare, or measure.
var comparing = map[string]bool{"strcmp": true, "strncmp": true, "strcasecmp": true, "strncasecmp": true, "strcoll": true, "memcmp": true, "strlen": true, "abs": true, "labs": true, "tolower": true, "toupper": true, "isdigit": true, "isalpha": true, "isspace": true}
