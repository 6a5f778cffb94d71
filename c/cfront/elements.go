package cfront

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// memcpy and its kind, of a number of elements that is computed, move element by element what they move byte by byte
// in the library's text: so pointers in them stay pointers, and numbers numbers.

// elementTexts are the bodies, by name: an element is of a scalar type, or has so many bytes.
var elementTexts = map[string]string{
	"memcpy": `void *%s(void *to, const void *from, size_t n)
{
	element *d = to;
	element *s = (void *)from;
	if (n %% sizeof(element))
		__seltl_argument();
	for (size_t i = 0; i < n / sizeof(element); i++)
		move(d[i], s[i]);
	return to;
}
`,
	"memmove": `void *%s(void *to, const void *from, size_t n)
{
	element *d = to;
	element *s = (void *)from;
	if (n %% sizeof(element))
		__seltl_argument();
	if (d < s)
		for (size_t i = 0; i < n / sizeof(element); i++)
			move(d[i], s[i]);
	else if (d > s)
		for (size_t i = n / sizeof(element); i > 0; i--)
			move(d[i - 1], s[i - 1]);
	return to;
}
`,
	"memset": `void *%s(void *to, int value, size_t n)
{
	element *d = to;
	if (n %% sizeof(element))
		__seltl_argument();
	for (size_t i = 0; i < n / sizeof(element); i++)
		zero(d[i]);
	return to;
}
`}

// elements gives such calls of a routine bodies of their own.
func (l *linker) elements(f *ir.Func, texts map[*ir.Func]string, made map[string]*ir.Func) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsBody) || slices.Contains(l.opts.Abstract, c.Callee.Name) || len(c.Args) != 3 {
				continue
			}
			name := ir.PlainName(c.Callee.Name)
			text, t := elementTexts[name], ir.ElementOf(c.Args[0])
			if text == "" || t == nil || t.Size <= 1 || t.Size > maxMove || !multiple(c.Args[2], t.Size) {
				continue
			}
			if name == "memset" {
				if v, constant := c.Args[1].(*ir.Const); !constant || v.Bits != 0 {
					continue
				}
			} else if s := ir.ElementOf(c.Args[1]); s == nil || s.Size != t.Size {
				continue
			}
			text = elementType(t).Replace(text)
			key := name + text
			if made[key] == nil {
				made[key] = &ir.Func{Name: fmt.Sprintf("%s@%d", name, len(made)), Known: c.Callee.Known, MovesElements: true}
				l.prog.Funcs = append(l.prog.Funcs, made[key])
				texts[made[key]] = fmt.Sprintf(text, formatName)
			}
			c.Callee = made[key]
		}
	}
}

// scalarType is a type of the text for a pointer or an integer, "" for others.
func scalarType(t *ir.Type) string {
	switch {
	case t.Kind == ir.Pointer:
		return "void *"
	case t.Kind == ir.Integer && !t.Bool:
		return map[int64]string{2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}[t.Size]
	}
	return ""
}

// elementType writes a type for "element" in a text, and how one is moved.
func elementType(t *ir.Type) *strings.Replacer {
	scalar := scalarType(t)
	if scalar != "" {
		return strings.NewReplacer("{\n\telement", "{\n\ttypedef "+scalar+" element;\n\telement", "move(d[i], s[i])", "d[i] = s[i]", "move(d[i - 1], s[i - 1])", "d[i - 1] = s[i - 1]", "zero(d[i])", "d[i] = 0")
	}
	return strings.NewReplacer("{\n\telement", fmt.Sprintf("{\n\ttypedef char element[%d];\n\telement", t.Size), "move(", "memcpy(", "])", fmt.Sprintf("], %d)", t.Size), "zero(d[i])", fmt.Sprintf("memset(d[i], 0, %d)", t.Size))
}

// multiple reports a product of something with a multiple of a size.
func multiple(e ir.Expr, size int64) bool {
	switch e := ir.Unconverted(e).(type) {
	case *ir.Const:
		return int64(e.Bits)%size == 0
	case *ir.Binary:
		switch e.Op {
		case ir.Mul:
			return multiple(e.X, size) || multiple(e.Y, size)
		case ir.Add, ir.Sub:
			return multiple(e.X, size) && multiple(e.Y, size)
		}
	}
	return false
}
