package cfront

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/source"
)

// libraryText defines routines of the C library in C.
//
//go:embed include/library.c
var libraryText string

// library gives bodies to routines of the C library that are called and have none. What
// isdigit and its kind return where they do not return 0, and strcmp where the strings
// differ, is more than the text says: there the sign or the truth counts.
func (l *linker) library() {
	called := map[*Func]bool{}
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*Call); ok && c.Callee != nil && c.Callee.Extern() {
					called[c.Callee] = true
				}
			}
		}
	}
	if !slices.ContainsFunc(l.prog.Funcs, func(f *Func) bool {
		return called[f] && strings.Contains(libraryText, l.plainName(f)+"(")
	}) {
		return
	}
	u, err := l.translate(source.NewFile("<library>", libraryText))
	if err != nil {
		panic(err) // the text is ours
	}
	m := &module{unit: u, vars: map[string]*Var{}, funcs: map[string]*Func{}}
	defined := map[*Func]bool{}
	for n := u.ast.TranslationUnit; n != nil; n = n.TranslationUnit {
		if d := n.ExternalDeclaration; d.Case == cc.ExternalDeclarationFuncDef {
			name := d.FunctionDefinition.Declarator.Name()
			for _, f := range []*Func{l.funcs[name], l.funcs["__builtin_"+name]} {
				if f != nil && called[f] {
					l.define(m, d.FunctionDefinition, f)
					f.Library = true
					defined[f] = true
				}
			}
		}
	}
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*Call); ok && defined[c.Callee] {
					l.fit(c)
				}
			}
		}
	}
}

// plainName is a name without what compilers put before it.
func (l *linker) plainName(f *Func) string { return strings.TrimPrefix(f.Name, "__builtin_") }

// moves makes copies of calls of memcpy and its kind with a known number of bytes, and
// zeros, or bytes, of those of memset.
func (l *linker) moves(f *Func) {
	for _, b := range f.Blocks {
		for k := 0; k < len(b.Instrs); k++ {
			c, ok := b.Instrs[k].(*Call)
			if !ok || c.Callee == nil || !c.Callee.Extern() || slices.Contains(l.opts.Abstract, c.Callee.Name) || len(c.Args) != 3 || !c.Args[0].Type().Scalar() || !c.Args[1].Type().Scalar() {
				continue
			}
			n, ok := c.Args[2].(*Const)
			if !ok || n.Bits == 0 || n.Bits > maxMove {
				continue
			}
			if list := l.move(f, c, l.plainName(c.Callee), int64(n.Bits)); list != nil {
				b.Instrs = slices.Replace(b.Instrs, k, k+1, list...)
				k += len(list) - 1
			}
		}
	}
}

// maxMove bounds copies that are one instruction, maxSet the bytes of memset that are
// stored one by one.
const maxMove, maxSet = 1 << 20, 64

func (l *linker) move(f *Func, c *Call, name string, n int64) []Instr {
	char := l.types.integer(1, true, false)
	bytes := &Type{Kind: Array, Size: n, Elem: char, Len: n, Name: "char[]"}
	to := &Var{Name: fmt.Sprintf("move.to@%d", len(f.Locals)), Type: l.types.pointer(char), Kind: Temp, Span: c.Span, Holds: ShownText(c.Args[0])}
	at := Place{Ptr: &Load{whole(to)}, Type: bytes}
	out := []Instr{&Assign{To: whole(to), Value: fold(&Convert{c.Args[0], to.Type}), Span: c.Span}}
	switch value, constant := c.Args[1].(*Const); {
	case name == "memcpy" || name == "memmove":
		from := &Var{Name: fmt.Sprintf("move.from@%d", len(f.Locals)), Type: to.Type, Kind: Temp, Span: c.Span, Holds: ShownText(c.Args[1])}
		f.Locals = append(f.Locals, from)
		out = append(out, &Assign{To: whole(from), Value: fold(&Convert{c.Args[1], from.Type}), Span: c.Span},
			&Assign{To: at, Value: &Load{Place{Ptr: &Load{whole(from)}, Type: bytes}}, Span: c.Span})
	case name == "memset" && constant && value.Bits == 0:
		out = append(out, &Clear{To: at, Span: c.Span})
	case name == "memset" && n <= maxSet:
		for k := range n {
			out = append(out, &Assign{To: Place{Ptr: at.Ptr, Off: k, Type: char}, Value: fold(&Convert{c.Args[1], char}), Span: c.Span})
		}
	default:
		return nil
	}
	f.Locals = append(f.Locals, to)
	if c.To != nil {
		out = append(out, &Assign{To: *c.To, Value: fold(&Convert{&Load{whole(to)}, c.To.Type}), Span: c.Span})
	}
	return out
}
