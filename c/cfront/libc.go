package cfront

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// LibraryName is the name of the text of the library's routines.
const LibraryName = "<library>"

// libraryText defines routines of the C library in C.
//
//go:embed include/library.c
var libraryText string

// library gives bodies to routines of the C library that are called, or whose address is taken, and
// have none. What isdigit and its kind return where they do not return 0, and strcmp where the
// strings differ, is more than the text says: there the sign or the truth counts.
func (l *linker) library() {
	texts, made := map[*ir.Func]string{}, map[string]*ir.Func{}
	for _, f := range slices.Clone(l.prog.Funcs) {
		l.formats(f, texts, made)
		l.sorts(f, texts, made)
		l.elements(f, texts, made)
	}
	for l.given(texts) { // bodies call others
	}
}

// given gives bodies to those routines that are called and have none; it reports whether there were some.
func (l *linker) given(texts map[*ir.Func]string) bool {
	called := l.prog.Pointed()
	l.eachCall(func(_ *ir.Func, c *ir.Call) { called[c.Callee] = true })
	var wanted []*ir.Func
	for _, f := range l.prog.Funcs {
		switch {
		case !called[f] || !f.Extern() || slices.Contains(l.opts.Abstract, f.Name):
		case f.Means(ir.AsBody) || texts[f] != "":
			wanted = append(wanted, f)
		}
	}
	if len(wanted) == 0 {
		return false
	}
	l.bodies(wanted, texts)
	for _, f := range wanted {
		if f.Sorting != nil {
			l.sorted(f)
		}
		if f.Sorting != nil || f.MovesElements {
			l.moves(f)
		}
		l.unasked(f)
		l.ours(f)
	}
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for k := 0; k < len(b.Instrs); k++ {
				if c, ok := b.Instrs[k].(*ir.Call); ok && slices.Contains(wanted, c.Callee) {
					l.fit(c)
					k += l.fitResult(f, b, k)
				}
			}
		}
	}
	l.known() // of what bodies call
	return true
}

// readsRoutine stands in the library's text for reading so many bytes of memory, which is done where places are checked.
const readsRoutine = ir.OwnPrefix + "reads"

// unasked leaves out of a body what only checks ask for.
func (l *linker) unasked(f *ir.Func) {
	if slices.ContainsFunc(l.opts.Checks, func(c ir.Check) bool { return c == ir.CheckNull || c == ir.CheckBounds || c == ir.CheckMemory }) {
		return
	}
	for _, b := range f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ir.Instr) bool {
			c, ok := i.(*ir.Call)
			return ok && c.Callee != nil && c.Callee.Name == readsRoutine
		})
	}
}

// bodies lowers the library's text for routines, or texts of their own.
func (l *linker) bodies(wanted []*ir.Func, texts map[*ir.Func]string) {
	text, err := libraryOf(wanted, texts)
	if err != nil {
		panic(err) // the list is ours
	}
	defines := l.opts.Defines
	l.opts.Defines = nil // the program's macros are not the text's
	u, err := l.translate(source.NewFile(LibraryName, text))
	l.opts.Defines = defines
	if err != nil {
		panic(err) // the text is ours
	}
	m := &module{unit: u, vars: map[string]*ir.Var{}, funcs: map[string]*ir.Func{}}
	l.definitions(u)
	for n := u.ast.TranslationUnit; n != nil; n = n.TranslationUnit {
		d := n.ExternalDeclaration
		if d.Case == cc.ExternalDeclarationDecl && slices.ContainsFunc(wanted, func(f *ir.Func) bool { return strings.HasPrefix(f.Name, "getopt") }) {
			for _, d := range initDeclarators(d.Declaration) {
				if strings.HasPrefix(d.Declarator.Name(), "opt") {
					l.global(&module{unit: u}, d.Declarator, false)
				}
			}
		}
		if d.Case == cc.ExternalDeclarationFuncDef {
			number, _ := strings.CutPrefix(d.FunctionDefinition.Declarator.Name(), ir.OwnPrefix)
			k, _ := strconv.Atoi(number)
			l.define(m, d.FunctionDefinition, wanted[k])
			wanted[k].Library = true
		}
	}
}

// fitResult makes the result of a call that of the definition, which the caller may not have seen;
// it says how many instructions it has added.
func (l *linker) fitResult(f *ir.Func, b *ir.Block, k int) int {
	c := b.Instrs[k].(*ir.Call)
	t := c.Callee.Type.Result
	if c.To == nil || !t.Scalar() || !c.To.Type.Scalar() || t.Kind == ir.IEEE || t.Size == c.To.Type.Size && c.To.Bits == 0 && !c.To.Type.Bool {
		return 0
	}
	v := &ir.Var{Name: fmt.Sprintf("result@%d", len(f.Locals)), Type: t, Kind: ir.Temp, Depth: passing, Span: c.Span, Holds: c.Shown()}
	f.Locals = append(f.Locals, v)
	to, from := *c.To, ir.Whole(v)
	c.To = &from
	b.Instrs = slices.Insert(b.Instrs, k+1, ir.Instr(&ir.Assign{To: to, Value: ir.Fold(&ir.Convert{X: &ir.Load{From: from}, T: to.Type}), Span: c.Span}))
	return 1
}

// libraryPieces are libraryText cut where routines begin, by the names of these; "" is what is
// before the first one.
var libraryPieces = sync.OnceValue(func() map[string]string {
	pieces, name, last := map[string]string{}, "", 0
	for _, m := range regexp.MustCompile(`(?m)^[a-z][\w *]*\b(\w+)\(.*\)(?: \{.*\})?$`).FindAllStringSubmatchIndex(libraryText, -1) {
		pieces[name] = libraryText[last:m[0]]
		name, last = libraryText[m[2]:m[3]], m[0]
	}
	pieces[name] = libraryText[last:]
	return pieces
})

// libraryOf is the text of the bodies of routines. Parsing all of libraryText would take longer than
// most programs.
func libraryOf(wanted []*ir.Func, texts map[*ir.Func]string) (string, error) {
	pieces := libraryPieces()
	var b strings.Builder
	b.WriteString(pieces[""])
	for k, f := range wanted {
		if own := texts[f]; own != "" {
			b.WriteString(strings.Replace(own, formatName, fmt.Sprintf("%s%d", ir.OwnPrefix, k), 1))
			continue
		}
		name, checked := pieceFor(f.Name)
		piece, known := pieces[name]
		if !known {
			return "", fmt.Errorf("%s() has no body", f.Name)
		}
		head, rest, _ := strings.Cut(piece, "\n")
		head = strings.Replace(head, name+"(", fmt.Sprintf("%s%d(", ir.OwnPrefix, k), 1)
		if checked {
			head = strings.Replace(head, ")", ", size_t room)", 1)
		}
		b.WriteString(head + "\n" + rest)
	}
	return b.String(), nil
}

// pieceFor is the piece that is the body of a routine: glibc's headers call it by other names, and
// with the room that there is behind the other arguments.
func pieceFor(name string) (piece string, checked bool) {
	name, checked = strings.CutSuffix(ir.PlainName(name), "_chk")
	if libraryPieces()[name] == "" {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "__"), "_unlocked")
	}
	return name, checked
}

// moves makes copies of calls of memcpy and its kind with a known number of bytes, and
// zeros, or bytes, of those of memset.
func (l *linker) moves(f *ir.Func) {
	for _, b := range f.Blocks {
		for k := 0; k < len(b.Instrs); k++ {
			c, ok := b.Instrs[k].(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsBody) || slices.Contains(l.opts.Abstract, c.Callee.Name) || len(c.Args) != 3 || !c.Args[0].Type().Scalar() || !c.Args[1].Type().Scalar() {
				continue
			}
			n, ok := c.Args[2].(*ir.Const)
			if !ok || n.Bits == 0 || n.Bits > maxMove {
				continue
			}
			if list := l.move(f, c, ir.PlainName(c.Callee.Name), int64(n.Bits)); list != nil {
				b.Instrs = slices.Replace(b.Instrs, k, k+1, list...)
				k += len(list) - 1
			}
		}
	}
}

// maxMove bounds copies that are one instruction, maxSet the bytes of memset that are
// stored one by one.
const maxMove, maxSet = 1 << 20, 64

func (l *linker) move(f *ir.Func, c *ir.Call, name string, n int64) []ir.Instr {
	char := l.types.integer(1, true, false)
	bytes := &ir.Type{Kind: ir.Array, Size: n, Elem: char, Len: n, Name: "char[]"}
	to := &ir.Var{Name: fmt.Sprintf("move.to@%d", len(f.Locals)), Type: l.types.pointer(char), Kind: ir.Temp, Depth: passing, Span: c.Span, Holds: ir.ShownText(c.Args[0])}
	at := ir.Place{Ptr: &ir.Load{From: ir.Whole(to)}, Type: bytes}
	out := []ir.Instr{&ir.Assign{To: ir.Whole(to), Value: ir.Fold(&ir.Convert{X: c.Args[0], T: to.Type}), Span: c.Span}}
	switch value, constant := c.Args[1].(*ir.Const); {
	case name == "memcpy" || name == "memmove":
		from := &ir.Var{Name: fmt.Sprintf("move.from@%d", len(f.Locals)), Type: to.Type, Kind: ir.Temp, Depth: passing, Span: c.Span, Holds: ir.ShownText(c.Args[1])}
		f.Locals = append(f.Locals, from)
		out = append(out, &ir.Assign{To: ir.Whole(from), Value: ir.Fold(&ir.Convert{X: c.Args[1], T: from.Type}), Span: c.Span},
			&ir.Assign{To: at, Value: &ir.Load{From: ir.Place{Ptr: &ir.Load{From: ir.Whole(from)}, Type: bytes}}, Span: c.Span, Apart: name == "memcpy"})
	case name == "memset" && constant && value.Bits == 0:
		out = append(out, &ir.Clear{To: at, Span: c.Span})
	case name == "memset" && n <= maxSet:
		for k := range n {
			out = append(out, &ir.Assign{To: ir.Place{Ptr: at.Ptr, Off: k, Type: char}, Value: ir.Fold(&ir.Convert{X: c.Args[1], T: char}), Span: c.Span})
		}
	default:
		return nil
	}
	f.Locals = append(f.Locals, to)
	if c.To != nil {
		out = append(out, &ir.Assign{To: *c.To, Value: ir.Fold(&ir.Convert{X: &ir.Load{From: ir.Whole(to)}, T: c.To.Type}), Span: c.Span})
	}
	return out
}
