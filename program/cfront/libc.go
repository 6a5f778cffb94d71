package cfront

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	var names []string
	for f := range called {
		names = append(names, l.plainName(f))
	}
	text := libraryOf(names)
	if text == "" {
		return
	}
	u, err := l.translate(source.NewFile("<library>", text))
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

// libraryPieces are libraryText cut where routines begin, none of which calls another, with what
// is before the first one; names are those of the others.
var libraryPieces = sync.OnceValues(func() (pieces, names []string) {
	last := 0
	for _, m := range regexp.MustCompile(`(?m)^[a-z][\w *]*\b(\w+)\(`).FindAllStringSubmatchIndex(libraryText, -1) {
		pieces = append(pieces, libraryText[last:m[0]])
		names = append(names, libraryText[m[2]:m[3]])
		last = m[0]
	}
	return append(pieces, libraryText[last:]), names
})

// libraryOf is libraryText with empty lines for all routines but those with these names, "" if it
// has none of them. Parsing all of it would take longer than most programs.
func libraryOf(wanted []string) string {
	pieces, names := libraryPieces()
	var b strings.Builder
	b.WriteString(pieces[0])
	found := false
	for i, piece := range pieces[1:] {
		if slices.Contains(wanted, names[i]) {
			found = true
			b.WriteString(piece)
		} else {
			b.WriteString(strings.Repeat("\n", strings.Count(piece, "\n")))
		}
	}
	if !found {
		return ""
	}
	return b.String()
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
