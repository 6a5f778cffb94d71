package cfront

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What the C library reads is any input, of a known range, which is a choice of the run: a
// call of scanf becomes one for its result, and one for each value that is read.

// scanning are the routines that read as a format says, which is the argument of that index.
var scanning = map[string]int{"scanf": 0, "__isoc99_scanf": 0, "__isoc23_scanf": 0, "fscanf": 1, "__isoc99_fscanf": 1, "__isoc23_fscanf": 1}

func scans(name string) bool { _, ok := scanning[plainName(name)]; return ok }

// within makes an assumption that a variable's value lies between two numbers.
func (l *linker) within(e Expr, least, most int64, span Span) []Instr {
	t := e.Type()
	low := fold(&Binary{Le, &Const{t, uint64(least)}, e, l.types.int()})
	high := fold(&Binary{Le, e, &Const{t, uint64(most)}, l.types.int()})
	return []Instr{&Assume{low, span}, &Assume{high, span}}
}

// input is a routine without a body that stands for something that is read.
func (l *linker) input(name string, t *Type) *Func {
	key := name + " " + t.Name
	if l.inputs[key] == nil {
		l.inputs[key] = &Func{Name: name, Type: &Type{Kind: Function, Size: -1, Result: t, Name: t.Name + "()"}}
		l.prog.Funcs = append(l.prog.Funcs, l.inputs[key])
	}
	return l.inputs[key]
}

// scan makes of a call of scanf what it does; what follows it in its block goes to rest.
func (l *linker) scan(f *Func, b *Block, c *Call, rest *Block) {
	at := scanning[plainName(c.Callee.Name)]
	format, ok := literalOf(c, at)
	if !ok {
		refuse(c.Span, "c-scanf", "write the format as a string", "what %s reads is not known: its format is no string literal", c.Callee.Name)
	}
	types, ok := l.conversions(c, format, len(c.Args)-at-1)
	if !ok {
		return
	}
	int_ := l.types.int()
	count := &Var{Name: fmt.Sprintf("scan.count@%d", len(f.Locals)), Type: int_, Kind: Temp, Span: c.Span, Holds: c.Callee.Name + "()"}
	f.Locals = append(f.Locals, count)
	n, result := &Load{whole(count)}, whole(count)
	var to []Expr // addresses, before anything is read
	for _, a := range c.Args[at+1:] {
		if addr, ok := a.(*Addr); !ok || addr.Of.Var == nil || len(addr.Of.Index) > 0 {
			v := &Var{Name: fmt.Sprintf("scan.to@%d", len(f.Locals)), Type: a.Type(), Kind: Temp, Span: c.Span, Holds: ShownText(a)}
			f.Locals = append(f.Locals, v)
			b.Instrs = append(b.Instrs, &Assign{To: whole(v), Value: a, Span: c.Span})
			a = &Load{whole(v)}
		}
		to = append(to, a)
	}
	b.Instrs = append(b.Instrs, &Call{To: &result, Callee: l.input("result of "+c.Callee.Name, int_), Span: c.Span})
	b.Instrs = append(b.Instrs, l.within(n, -1, int64(len(types)), c.Span)...)
	end := b
	for k, t := range types {
		read := &Block{}
		f.Blocks = append(f.Blocks, read)
		end.End = &Branch{Cond: fold(&Binary{Lt, &Const{int_, uint64(k)}, n, int_}), Then: read, Else: rest, Span: c.Span}
		place := Place{Ptr: to[k], Type: t}
		if a, ok := to[k].(*Addr); ok {
			place = a.Of
			place.Type = t
		}
		if t.Kind == Float {
			read.Instrs = []Instr{&Havoc{To: place, Why: Floating, Span: c.Span}}
		} else {
			read.Instrs = []Instr{&Call{To: &place, Callee: l.input("input of "+c.Callee.Name, t), Span: c.Span}}
		}
		end = read
	}
	end.End = &Jump{To: rest}
	if c.To != nil {
		rest.Instrs = slices.Insert(rest.Instrs, 0, Instr(&Assign{To: *c.To, Value: fold(&Convert{n, c.To.Type}), Span: c.Span}))
	}
	if errno := l.prog.errno(); errno != nil {
		l.mayTell(f, rest, -1, c, errno)
	}
}

// conversion is one of a format of printf.
var conversion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ #0-9.*hljztLq]*[a-zA-Z%]`) })

// literalOf is the string literal that an argument is.
func literalOf(c *Call, at int) (text string, ok bool) {
	if at >= len(c.Args) {
		return "", false
	}
	e := c.Args[at]
	if conv, ok := e.(*Convert); ok {
		e = conv.X
	}
	a, ok := e.(*Addr)
	if !ok || a.Of.Var == nil || a.Of.Var.Literal == "" || a.Of.Off != 0 || len(a.Of.Index) > 0 {
		return "", false
	}
	return strings.TrimSuffix(a.Of.Var.Literal, "\x00"), true
}

// conversions are the types of what a format of scanf reads, which arguments have to point
// to.
func (l *linker) conversions(c *Call, format string, args int) (all []*Type, ok bool) {
	bad := func(what string) {
		refuse(c.Span, "c-scanf", "read numbers, or characters with getchar()", "%s in the format %q is not followed", what, format)
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		skip, size := false, int64(4)
		begin := i
		for i++; i < len(format) && strings.IndexByte("*hljztLq0123456789", format[i]) >= 0; i++ {
			switch format[i] {
			case '*':
				skip = true
			case 'h':
				size /= 2
			case 'l', 'q', 'L':
				if size = l.types.model.PointerSize(); i > 0 && format[i-1] == 'l' || format[i] != 'l' {
					size = 8
				}
			case 'z', 't':
				size = l.types.model.PointerSize()
			case 'j':
				size = 8
			}
		}
		if i == len(format) {
			bad("the end")
		}
		what := format[begin : i+1]
		switch format[i] {
		case '%':
			continue
		case 'd', 'i', 'u', 'x', 'X', 'o':
		case 'c':
			if size = 1; strings.ContainsAny(what, "0123456789l") {
				bad(what)
			}
		case 'f', 'g', 'e', 'a':
			size = 0
		default:
			bad(what)
		}
		if skip {
			continue
		}
		if len(all) == args {
			refuse(c.Span, "c-scanf", "", "%s has no argument for %s", c.Callee.Name, what)
		}
		t := c.Args[len(c.Args)-args+len(all)].Type()
		if t.Kind != Pointer || size == 0 && t.Elem.Kind != Float || size > 0 && (t.Elem.Kind != Integer || t.Elem.Size != size || t.Elem.Bool) {
			refuse(c.Span, "c-scanf", "give it a pointer to what it reads", "%s reads something else than what %s points to", what, t)
		}
		all = append(all, t.Elem)
	}
	return all, true
}
