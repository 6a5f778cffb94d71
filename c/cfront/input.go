package cfront

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// What the C library reads is any input, of a known range, which is a choice of the run: a
// call of scanf becomes one for its result, and one for each value that is read.

// within makes an assumption that a variable's value lies between two numbers.
func (l *linker) within(e ir.Expr, least, most int64, span ir.Span) []ir.Instr {
	t := e.Type()
	low := ir.Fold(&ir.Binary{Op: ir.Le, X: &ir.Const{T: t, Bits: uint64(least)}, Y: e, T: l.types.int()})
	high := ir.Fold(&ir.Binary{Op: ir.Le, X: e, Y: &ir.Const{T: t, Bits: uint64(most)}, T: l.types.int()})
	return []ir.Instr{&ir.Assume{Cond: low, Span: span}, &ir.Assume{Cond: high, Span: span}}
}

// input is a routine without a body that stands for something that is read.
func (l *linker) input(name string, t *ir.Type) *ir.Func { return l.inputBy(name, "", t) }

func (l *linker) inputBy(name, other string, t *ir.Type) *ir.Func {
	key := name + other + " " + t.Name
	if l.inputs[key] == nil {
		l.inputs[key] = &ir.Func{Name: name, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: t, Name: t.Name + "()"}}
		l.prog.Funcs = append(l.prog.Funcs, l.inputs[key])
	}
	return l.inputs[key]
}

// scanning is the routine that stands for reading an item; another one where white space comes before it.
func (l *linker) scanning(name string, it item) *ir.Func {
	key := ""
	if it.black {
		key = " "
	}
	f := l.inputBy("input of "+name, key, it.t)
	if l.prog.Scans[f] == nil {
		l.prog.Scans[f] = &ir.Scanned{Character: it.t.Size == 1 && !it.black}
	}
	l.prog.Scans[f].On += it.on
	return f
}

// scan makes of a call of scanf what it does; what follows it in its block goes to rest.
func (l *linker) scan(f *ir.Func, b *ir.Block, c *ir.Call, rest *ir.Block) {
	at := ir.ScanRoutines[ir.PlainName(c.Callee.Name)]
	items, least := l.conversionsOf(c)
	int_ := l.types.int()
	count := &ir.Var{Name: fmt.Sprintf("scan.count@%d", len(f.Locals)), Type: int_, Kind: ir.Temp, Depth: passing, Span: c.Span, Holds: c.Callee.Name + "()"}
	f.Locals = append(f.Locals, count)
	n, result := &ir.Load{From: ir.Whole(count)}, ir.Whole(count)
	var to []ir.Expr // addresses, before anything is read
	for _, a := range c.Args[at+1:] {
		if addr, ok := a.(*ir.Addr); !ok || addr.Of.Var == nil || len(addr.Of.Index) > 0 {
			v := &ir.Var{Name: fmt.Sprintf("scan.to@%d", len(f.Locals)), Type: a.Type(), Kind: ir.Temp, Depth: passing, Span: c.Span, Holds: ir.ShownText(a)}
			f.Locals = append(f.Locals, v)
			b.Instrs = append(b.Instrs, &ir.Assign{To: ir.Whole(v), Value: a, Span: c.Span})
			a = &ir.Load{From: ir.Whole(v)}
		}
		to = append(to, a)
	}
	told := l.input(ir.ResultOf+c.Callee.Name, int_)
	if l.prog.Scans[told] == nil {
		l.prog.Scans[told] = &ir.Scanned{}
	}
	for _, it := range items { // behind what is no number stands none of its digits, either
		l.prog.Scans[told].On += it.on
	}
	b.Instrs = append(b.Instrs, &ir.Call{To: &result, Callee: told, Span: c.Span})
	b.Instrs = append(b.Instrs, l.within(n, least, int64(len(items)), c.Span)...)
	if len(items) > 0 && items[0].any { // there is something, or the end
		b.Instrs = append(b.Instrs, &ir.Assume{Cond: ir.Fold(&ir.Binary{Op: ir.Ne, X: n, Y: &ir.Const{T: int_, Bits: 0}, T: int_}), Span: c.Span})
	}
	end := b
	for k, item := range items {
		t := item.t
		read := &ir.Block{}
		f.AddBlocks(read)
		end.End = &ir.Branch{Cond: ir.Fold(&ir.Binary{Op: ir.Lt, X: &ir.Const{T: int_, Bits: uint64(k)}, Y: n, T: int_}), Then: read, Else: rest, Span: c.Span}
		place := ir.Place{Ptr: to[k], Type: t}
		if a, ok := to[k].(*ir.Addr); ok {
			place = a.Of
			place.Type = t
		}
		if item.word != nil {
			read.Instrs = []ir.Instr{&ir.Call{Callee: l.word(), Args: []ir.Expr{ir.Fold(&ir.Convert{X: to[k], T: l.types.pointer(l.types.integer(1, true, false))}), item.word}, Span: c.Span}}
			end = read
			continue
		}
		if t.FloatingPoint() {
			read.Instrs = []ir.Instr{&ir.Havoc{To: place, Why: ir.Floating, Span: c.Span}}
		} else {
			by := l.scanning(c.Callee.Name, item)
			read.Instrs = []ir.Instr{&ir.Call{To: &place, Callee: by, Span: c.Span}}
			read.Instrs = append(read.Instrs, l.readable(&ir.Load{From: place}, item, c.Span)...)
		}
		end = read
	}
	end.End = &ir.Jump{To: rest}
	if c.To != nil {
		rest.Instrs = slices.Insert(rest.Instrs, 0, ir.Instr(&ir.Assign{To: *c.To, Value: ir.Fold(&ir.Convert{X: n, T: c.To.Type}), Span: c.Span}))
	}
	if errno := l.prog.Errno(); errno != nil {
		l.mayTell(f, rest, -1, c, errno)
	}
}

// conversionsOf are what a call of scanf reads, and the least result.
func (l *linker) conversionsOf(c *ir.Call) (all []item, least int64) {
	at := ir.ScanRoutines[ir.PlainName(c.Callee.Name)]
	format, ok := ir.LiteralOf(c, at)
	if !ok {
		refuse(c.Span, "c-scanf", "write the format as a string", "what %s reads is not known: its format is no string literal", c.Callee.Name)
	}
	return l.conversions(c, format, len(c.Args)-at-1)
}

// item is a value that a format of scanf reads.
type item struct {
	t           *ir.Type  // what its argument points to
	least, most int64     // what its width lets be written; both 0: everything
	any         bool      // whatever comes next is read: it fails at the end only
	black       bool      // it is a character that is no white space
	not         string    // it is none of these characters: a number before it would have gone on
	on          string    // how it would have gone on itself
	word        *ir.Const // of %s: how many characters are read at most
}

// readable are the assumptions about what was read.
func (l *linker) readable(e ir.Expr, it item, span ir.Span) (all []ir.Instr) {
	if it.least != 0 || it.most != 0 {
		signed := e
		if t := l.types.integer(it.t.Size, true, false); t != it.t { // -1 is read for 2^n-1
			signed = ir.Fold(&ir.Convert{X: e, T: t})
		}
		all = l.within(signed, it.least, it.most, span)
	}
	if it.black {
		it.not += ir.White
	}
	for _, c := range []byte(it.not) {
		all = append(all, &ir.Assume{Cond: ir.Fold(&ir.Binary{Op: ir.Ne, X: e, Y: &ir.Const{T: it.t, Bits: uint64(c)}, T: l.types.int()}), Span: span})
	}
	return all
}

// ofWidth are the numbers that a conversion reads from at most so many characters, one of
// which may be a sign; both 0: all numbers of size bytes, since longer ones overflow.
func ofWidth(conversion byte, width, size int64) (least, most int64) {
	base := map[byte]float64{'o': 8, 'x': 16, 'X': 16}[conversion]
	if base == 0 {
		base = 10 // of %i too: 0x takes two characters, which pays from twelve on
	}
	if math.Pow(base, float64(width)) > math.Pow(2, float64(8*size-1)) {
		return 0, 0
	}
	power := func(n int64) int64 { return int64(math.Pow(base, float64(n))) }
	return -(power(width-1) - 1), power(width) - 1
}

// conversions are what a format of scanf reads, which arguments have to point to, and the
// least result: it fails before the first of them where something else is expected.
func (l *linker) conversions(c *ir.Call, format string, args int) (all []item, least int64) {
	bad := func(what string) {
		refuse(c.Span, "c-scanf", "read numbers, words, or characters with getchar()", "%s in the format %q is not followed", what, format)
	}
	plain, space := true, false // nothing but white space before, which comes next before
	digits := ""                // of the number that comes next before
	for i := 0; i < len(format); i++ {
		if ir.IsSpace(format[i]) {
			space, digits = true, ""
			continue
		}
		least = -1
		if format[i] != '%' {
			plain, space, digits = false, false, ""
			continue
		}
		d := l.directive(format[i:])
		i += len(d.text) - 1
		switch {
		case d.letter == 0:
			bad("the end")
		case d.letter == 'c' && (d.width >= 0 || d.long), d.width == 0, d.letter == 'i' && d.width > 11, d.letter == 's' && d.long, !strings.ContainsRune("%diuxXocsfgeaFGEA", rune(d.letter)):
			bad(d.text)
		}
		it := item{any: plain && (d.letter == 'c' || d.letter == 's'), black: space && d.letter == 'c'}
		if d.letter == 'c' {
			it.not = digits
		}
		space, digits = false, goingOn(d)
		it.on = digits
		if plain = plain && d.letter == 'c'; d.letter == '%' || d.skip && d.letter != 's' {
			continue
		}
		if d.letter == 's' && (d.skip || next(format[i+1:]) == "%c") { // which would be a part of the word, or not
			bad(d.text)
		}
		if len(all) == args {
			refuse(c.Span, "c-scanf", "", "%s has no argument for %s", c.Callee.Name, d.text)
		}
		t := c.Args[len(c.Args)-args+len(all)].Type()
		if t.Kind != ir.Pointer || d.size == 0 && !t.Elem.FloatingPoint() || d.size > 0 && (t.Elem.Kind != ir.Integer || t.Elem.Size != d.size || t.Elem.Bool) {
			refuse(c.Span, "c-scanf", "give it a pointer to what it reads", "%s reads something else than what %s points to", d.text, t)
		}
		if d.letter == 's' {
			it.word = &ir.Const{T: l.types.size(), Bits: math.MaxUint64 >> (64 - 8*l.types.size().Size)}
			if d.width > 0 {
				it.word.Bits = uint64(d.width)
			}
		}
		if it.t = t.Elem; d.width > 0 && d.size > 0 && it.word == nil {
			it.least, it.most = ofWidth(d.letter, int64(d.width), d.size)
		}
		all = append(all, it)
	}
	return all, least
}

// goingOn are the characters that a number would have taken, too, which is read as far as it goes.
func goingOn(d directive) string {
	if d.width >= 0 {
		return ""
	}
	return map[byte]string{'d': "0123456789", 'u': "0123456789", 'o': "01234567", 'x': "0123456789abcdefABCDEF", 'X': "0123456789abcdefABCDEF"}[d.letter]
}

// directive is a conversion of a format of scanf.
type directive struct {
	text       string
	letter     byte  // 0: the format ends in it
	width      int   // -1: none
	size       int64 // of what it reads, in bytes; 0: a floating number
	skip, long bool
}

// directive reads one that begins with %.
func (l *linker) directive(s string) directive {
	d := directive{text: s, width: -1, size: 4}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '*':
			d.skip = true
		case 'h':
			d.size /= 2
		case 'l', 'q', 'L':
			if d.size = l.types.model.PointerSize(); s[i-1] == 'l' || c != 'l' {
				d.size = 8
			}
			d.long = true
		case 'z', 't':
			d.size = l.types.model.PointerSize()
		case 'j':
			d.size = 8
		default:
			if '0' <= c && c <= '9' {
				d.width = min(10*max(d.width, 0)+int(c-'0'), 100)
				continue
			}
			d.text, d.letter = s[:i+1], c
			switch {
			case c == 'c', c == 's':
				d.size = 1
			case strings.IndexByte("fgeaFGEA", c) >= 0:
				d.size = 0
			}
			return d
		}
	}
	return d
}

// next is the directive that a rest of a format begins with, without length.
func next(format string) string {
	if m := ir.PrintfConversion().FindString(format); m != "" && strings.HasPrefix(format, m) {
		return "%" + m[len(m)-1:]
	}
	return ""
}

// word is the routine that reads one.
func (l *linker) word() *ir.Func {
	if l.funcs[ir.WordRoutine] == nil {
		void := &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}
		params := []*ir.Type{l.types.pointer(l.types.integer(1, true, false)), l.types.size()}
		f := &ir.Func{Name: ir.WordRoutine, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: void, Params: params, Name: "void()"}, Known: ir.KnownAs(ir.WordRoutine)}
		l.funcs[ir.WordRoutine] = f
		l.prog.Funcs = append(l.prog.Funcs, f)
	}
	return l.funcs[ir.WordRoutine]
}
