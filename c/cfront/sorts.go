package cfront

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// elementName stands for an element that is moved in the text of qsort, orderName for the comparison.
const elementName, orderName = "hold", ir.OwnPrefix + "order"

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
func (l *linker) sorts(f *ir.Func, texts map[*ir.Func]string, made map[string]*ir.Func) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsFormat) || ir.PlainName(c.Callee.Name) != "qsort" && ir.PlainName(c.Callee.Name) != "bsearch" || slices.Contains(l.opts.Abstract, c.Callee.Name) {
				continue
			}
			first, text := 0, sortText
			if ir.PlainName(c.Callee.Name) == "bsearch" {
				first, text = 1, searchText
			}
			if len(c.Args) != first+4 {
				continue
			}
			size, constant := c.Args[first+2].(*ir.Const)
			order := c.Args[first+3]
			if !constant || size.Bits == 0 || size.Bits > maxMove || !l.onlyCompares(order) {
				continue
			}
			s := ir.Sorting{Elem: ir.ElementOf(c.Args[first])}
			if s.Elem == nil || s.Elem.Size != int64(size.Bits) {
				char := l.types.integer(1, true, false)
				s.Elem = &ir.Type{Kind: ir.Array, Size: int64(size.Bits), Elem: char, Len: int64(size.Bits), Name: "char[" + strconv.FormatUint(size.Bits, 10) + "]"}
			}
			param, args := ", int (*"+orderName+")(const void *, const void *)", append(slices.Clone(c.Args[:first+2]), order)
			if by, is := ir.Unconverted(order).(*ir.FuncAddr); is && !by.Func.Extern() {
				s.By, param, args = by.Func, "", args[:first+2]
			}
			key := fmt.Sprintf("%s %s %d %p", c.Callee.Name, s.Elem.Name, size.Bits, s.By)
			if made[key] == nil {
				made[key] = &ir.Func{Name: fmt.Sprintf("%s@%d", ir.PlainName(c.Callee.Name), len(made)), Known: c.Callee.Known, Sorting: &s}
				l.prog.Funcs = append(l.prog.Funcs, made[key])
				texts[made[key]] = sortType(s.Elem).Replace(fmt.Sprintf(text, formatName, param))
			}
			c.Callee, c.Args = made[key], args
		}
	}
}

// sorted makes of the body of such a routine one of its elements and its comparison.
func (l *linker) sorted(f *ir.Func) {
	for _, v := range f.Locals {
		if v.Name == elementName && v.Type.Kind == ir.Array {
			v.Type = f.Sorting.Elem
		}
	}
	for _, b := range f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ir.Instr) bool { // it is given a value before it is read
			h, opens := i.(*ir.Havoc)
			return opens && h.To.Var != nil && h.To.Var.Name == elementName
		})
		for _, i := range b.Instrs {
			if c, ok := i.(*ir.Call); ok && f.Sorting.By != nil && c.Callee != nil && c.Callee.Name == orderName {
				c.Callee = f.Sorting.By
				l.fit(c)
			}
		}
	}
}

// sortType writes the type of an element in such a text, and how one is moved.
func sortType(t *ir.Type) *strings.Replacer {
	if scalar := scalarType(t); scalar != "" {
		return strings.NewReplacer("{\n\telement", "{\n\ttypedef "+scalar+" element;\n\telement", "move(hold, a[j - 1])", "hold = a[j - 1]", "move(a[j - 1], a[j])", "a[j - 1] = a[j]", "move(a[j], hold)", "a[j] = hold")
	}
	size := fmt.Sprintf(", %d);", t.Size)
	return strings.NewReplacer("{\n\telement", fmt.Sprintf("{\n\ttypedef char element[%d];\n\telement", t.Size), "move(hold, a[j - 1]);", "memcpy(hold, a[j - 1]"+size, "move(a[j - 1], a[j]);", "memcpy(a[j - 1], a[j]"+size, "move(a[j], hold);", "memcpy(a[j], hold"+size)
}

// onlyCompares reports a comparison, or all routines that a pointer may point to, that change nothing that others read.
func (l *linker) onlyCompares(order ir.Expr) bool {
	if by, is := ir.Unconverted(order).(*ir.FuncAddr); is {
		return l.compares(by.Func, map[*ir.Func]bool{})
	}
	for f := range l.prog.Pointed() {
		if len(f.Type.Params) == 2 && !l.compares(f, map[*ir.Func]bool{}) {
			return false
		}
	}
	return true
}

// compares reports a routine that changes only variables of its own, and calls only such, and that nobody is told of:
// which elements are compared, and how often, is another thing in each library.
func (l *linker) compares(f *ir.Func, seen map[*ir.Func]bool) bool {
	if l.isEvent(f) || slices.Contains(l.opts.Abstract, f.Name) {
		return false
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	if f.Extern() {
		return f.Known == nil || len(f.Known.Outputs) == 0 && (f.Known.Meaning == ir.AsUnknown || f.Known.Meaning == ir.AsInput) || f.Means(ir.AsBody) && comparing[ir.PlainName(f.Name)]
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			var to *ir.Place
			switch i := i.(type) {
			case *ir.Assign:
				to = &i.To
			case *ir.Havoc:
				to = &i.To
			case *ir.Clear:
				to = &i.To
			case *ir.Call:
				if i.Callee == nil || !l.compares(i.Callee, seen) {
					return false
				}
				to = i.To
			}
			if to != nil && (to.Var == nil || to.Var.Kind == ir.Global) {
				return false
			}
		}
	}
	return true
}

// comparing are routines of the library that only compare, or measure.
var comparing = map[string]bool{"strcmp": true, "strncmp": true, "strcasecmp": true, "strncasecmp": true, "strcoll": true, "memcmp": true, "strlen": true, "abs": true, "labs": true, "tolower": true, "toupper": true, "isdigit": true, "isalpha": true, "isspace": true}
