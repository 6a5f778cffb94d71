package cfront

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// knownText lists the routines of the C library and of compilers, and what each is here.
//
//go:embed include/routines.txt
var knownText string

// Meaning is what a routine of the C library or of compilers is that no source defines: the words
// of the list.
type Meaning uint8

const (
	AsOwn      Meaning = iota // the front end and the machine know it
	AsBody                    // it has a body of seltl's own
	AsInput                   // any value, or one of a range
	AsOnce                    // the first time, then AsUnknown
	AsSign                    // -1 or null, or not known
	AsText                    // what may change behind a pointer
	AsUnknown                 // a value, and nothing else
	AsBlocking                // and it need not return
	AsRefused                 // it is not followed where a run comes to it
	AsMath                    // an operation on floating-point numbers
	AsFormat                  // it has a body where its format is a literal that is followed, or the size of what it sorts is known, and is not followed otherwise
)

var meanings = map[string]Meaning{"own": AsOwn, "body": AsBody, "input": AsInput, "once": AsOnce, "sign": AsSign, "text": AsText, "unknown": AsUnknown, "blocks": AsBlocking, "refused": AsRefused, "format": AsFormat, "sort": AsFormat, "math": AsMath}

// Known is what is known of such a routine.
type Known struct {
	Meaning Meaning
	// Bounded: AsInput, or AsOnce, has values from Low to High only.
	Bounded   bool
	Low, High int64
	// Null, if not -1, is the argument that it writes its second result through, unless that is null.
	Null    int
	format  int  // the argument that is a format of printf, or -1
	reads   bool // what is given beside parameters is only read
	errno   bool // its body says what it does to errno
	outputs []output
	demands demands

	result   typeShape
	params   []typeShape
	variadic bool
	typ      string // as the list has it
}

// typeShape is what of a type tells routines apart.
type typeShape struct {
	kind  Kind
	word  bool  // of an integer: as wide as a pointer
	size  int64 // of an integer or a float
	elem  *typeShape
	other bool // of no type that can be told
}

// knownLine is a line of the list, which is read when a program has a routine of that name.
type knownLine struct{ header, meaning, typ string } // header is that of the part

// knownLines are the lines of the list by names.
var knownLines = sync.OnceValue(func() map[string]knownLine {
	all, header := map[string]knownLine{}, ""
	for line := range strings.Lines(knownText) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "["):
			header = strings.Trim(line, "[]")
		case line != "" && !strings.HasPrefix(line, "#"):
			part := strings.Split(line, "\t")
			for name := range strings.FieldsSeq(part[2]) {
				all[name] = knownLine{header, part[0], part[1]}
			}
		}
	}
	return all
})

// builtinPrefix stands before the names of routines that the compiler replaces.
const builtinPrefix = "__builtin_"

// compilers begin names of routines of compilers: what is not in the list is not followed.
var compilers = []string{builtinPrefix, "__sync_", "__atomic_", "__c11_atomic_", "__ccgo_"}

// KnownAs is what the list has by a name, nil if that is a name of the program's own.
func KnownAs(name string) *Known {
	line, listed := knownLines()[name]
	if !listed {
		line, listed = knownLines()[strings.TrimPrefix(name, builtinPrefix)]
	}
	if !listed {
		if slices.ContainsFunc(compilers, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return unknowable()
		}
		return nil
	}
	words := strings.Fields(line.meaning)
	k := &Known{Meaning: meanings[words[0]], Null: -1, format: -1, typ: line.typ}
	var bounds []int64
	fills, room := "", ""
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		n, _ := strconv.ParseInt(cmp.Or(value, key), 10, 64)
		switch key {
		case "null":
			k.Null = int(n)
		case "format":
			k.format = int(n)
		case "reads":
			k.reads = true
		case "errno":
			k.errno = true
		case "fills":
			fills = value
		case "fd":
			k.demands.descriptors = numbersIn(value)
		case "path":
			k.demands.paths = numbersIn(value)
		case "mode":
			k.demands.mode = int(n)
		case "whence":
			k.demands.whence = int(n)
		case "room":
			room = value
		default:
			bounds = append(bounds, n)
		}
	}
	if fills != "" {
		k.outputs = outputsOf(fills, room)
	}
	if len(bounds) > 0 {
		k.Bounded, k.Low, k.High = true, bounds[0], 1<<63-1
		if len(bounds) > 1 {
			k.High = bounds[1]
		}
	}
	result, params, _ := strings.Cut(line.typ, "(")
	k.result = shapeOf(result)
	for p := range strings.SplitSeq(strings.TrimSuffix(params, ")"), ",") {
		switch p = strings.TrimSpace(p); p {
		case "...":
			k.variadic = true
		case "", "void":
		default:
			k.params = append(k.params, shapeOf(p))
		}
	}
	return k
}

// numbersIn reads the numbers of arguments.
func numbersIn(value string) (all []int) {
	for text := range strings.SplitSeq(value, ",") {
		n, _ := strconv.Atoi(text)
		all = append(all, n)
	}
	return all
}

// shapeOf reads a type of the list.
func shapeOf(text string) typeShape {
	stars := strings.Count(text, "*")
	words := strings.Fields(strings.ReplaceAll(text, "*", " "))
	base := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "const" || w == "unsigned" }), " ")
	var s typeShape
	switch {
	case base == "void":
		s.kind = Void
	case base == "fn":
		s.kind = Function
	case strings.HasPrefix(base, "struct"):
		s.kind = Struct
	case base == "float", base == "double":
		s.kind, s.size = IEEE, map[string]int64{"float": 4, "double": 8}[base]
	case base == "long double", base == "complex":
		s.kind = Float
	case base == "va_list":
		s.other = true
	default:
		s.kind, s.word = Integer, base == "long"
		s.size = map[string]int64{"char": 1, "short": 2, "int": 4, "long long": 8}[base]
	}
	for range stars {
		elem := s
		s = typeShape{kind: Pointer, elem: &elem}
	}
	return s
}

// likeness is how far two types are one.
type likeness uint8

const (
	different likeness = iota
	wider              // integers or floats of different widths
	alike
)

// like compares a declared type with one of the list: signs and qualifiers make no difference, nor
// what void * points to.
func (s typeShape) like(t *Type, m DataModel) likeness {
	switch {
	case s.other:
		return alike
	case (s.kind == Float || s.kind == IEEE) && t.floating() && s.kind != t.Kind:
		return wider
	case s.kind != t.Kind:
		return different
	case s.kind == Pointer:
		if s.elem.kind == Void || t.Elem.Kind == Void || s.elem.other || s.elem.like(t.Elem, m) == alike {
			return alike
		}
		return different
	case s.kind == Integer || s.kind == Float || s.kind == IEEE:
		size := s.size
		if s.word {
			size = m.PointerSize()
		}
		if size != 0 && size != t.Size {
			return wider
		}
	}
	return alike
}

// like compares the type of a routine with that of the list; calls is with how many arguments one
// is called that is declared without parameters.
func (k *Known) like(t *Type, calls []int, m DataModel) likeness {
	l := alike
	if t.Unproto || k.typ == "" {
		fits := func(n int) bool { return n == len(k.params) || n > len(k.params) && k.variadic }
		if k.typ != "" && slices.ContainsFunc(calls, func(n int) bool { return !fits(n) }) {
			return different
		}
		return max(k.result.like(t.Result, m), wider) // who declares nothing means the library's
	}
	if len(t.Params) != len(k.params) && (len(k.params) > 0 || !k.variadic) || t.Variadic && !k.variadic {
		return different
	}
	for i, p := range k.params {
		l = min(l, p.like(t.Params[i], m))
	}
	return min(l, k.result.like(t.Result, m))
}

// means reports a routine of the library, without a body, of some meaning.
func (f *Func) means(m Meaning) bool { return f.Extern() && f.Known != nil && f.Known.Meaning == m }

// known says of all routines without a body whether they are the library's: those that are declared
// with another type are the program's own. What differs in the width of a number is the library's,
// but a plain input could as well be the program's, and is taken for that.
func (l *linker) known() {
	labels := map[string]string{}
	for _, s := range l.symbols {
		labels[s.name] = s.label
	}
	calls := map[*Func][]int{}
	l.eachCall(func(_ *Func, c *Call) {
		if c.Callee != nil && c.Callee.Extern() {
			calls[c.Callee] = append(calls[c.Callee], len(c.Args))
		}
	})
	for _, f := range l.prog.Funcs {
		if !f.Extern() || f.Known != nil {
			continue
		}
		k := KnownAs(f.Name)
		if k == nil && KnownAs(labels[f.Name]) != nil { // by another name
			k = unknowable()
		}
		if k == nil {
			continue
		}
		switch as := k.like(f.Type, calls[f], l.opts.Model); {
		case as == different, as == wider && k.Meaning == AsInput && !f.Type.Unproto:
			continue
		case as == wider && (k.Meaning == AsInput || k.Meaning == AsOnce || k.Meaning == AsSign):
			k.Meaning = AsUnknown
		}
		f.Known = k
	}
}

// eachCall visits the calls of all routines, with who calls.
func (l *linker) eachCall(visit func(*Func, *Call)) {
	for _, f := range append([]*Func{l.prog.Init}, l.prog.Funcs...) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*Call); ok {
					visit(f, c)
				}
			}
		}
	}
}

// keptTexts notes the calls of routines of AsText whose results the program does more with than give them
// to a routine that is known.
func (l *linker) keptTexts() {
	l.eachCall(func(f *Func, c *Call) {
		if c.To != nil && c.Callee != nil && c.Callee.means(AsText) {
			c.Kept = c.To.Var == nil || c.To.Var.Kind != Temp || !onlyGiven(f, c.To.Var)
		}
	})
}

// onlyGiven reports that the value of a temporary is only an argument of calls of routines that read
// what they are given.
func onlyGiven(f *Func, v *Var) bool {
	count := func(e Expr) (n int) {
		eachExpr(e, func(e Expr) {
			if l, ok := e.(*Load); ok && l.From.Var == v {
				n++
			}
		})
		return n
	}
	all, arguments := 0, 0
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			eachOperand(i, func(e Expr) { all += count(e) })
			c, ok := i.(*Call)
			if !ok {
				continue
			}
			if c.To != nil && c.To.Var == v { // which is no reading
				arguments++
			}
			if c.Callee != nil && (c.Callee.means(AsUnknown) || c.Callee.means(AsSign)) {
				for _, a := range c.Args {
					arguments += count(a)
				}
			}
		}
		switch t := b.End.(type) {
		case *Branch:
			all += count(t.Cond)
		case *Return:
			if t.Value != nil {
				all += count(t.Value)
			}
		}
	}
	return all == arguments
}

// Range is that of a result of some type; ok is false if it has none that the type does not say.
func (k *Known) Range(t *Type) (low, high int64, ok bool) {
	if k == nil || t.Kind != Integer || t.Size > 8 {
		return 0, 0, false
	}
	least, most := int64(0), int64(1)<<(min(t.Width(), 63)-1)-1+int64(1)<<(min(t.Width(), 63)-1)
	if t.Signed {
		most = 1<<(t.Width()-1) - 1
		least = -most - 1
	}
	switch {
	case k.Meaning == AsSign && t.Signed:
		return -1, most, true
	case k.Bounded && k.Low <= most:
		return max(k.Low, least), min(k.High, most), true
	}
	return 0, 0, false
}

// has reports that a value is in the range.
func (k *Known) has(t *Type, bits uint64) bool {
	low, high, ok := k.Range(t)
	return !ok || low <= int64(bits) && int64(bits) <= high
}

// leaving are what bodies of the library call where they leave what is modelled.
var leaving = map[string]string{"__seltl_range": "a number that is too large", "__seltl_argument": "an argument that there is no result for",
	"__seltl_room": "a length beyond the object that is pointed to", "__seltl_part": "a part of an element is moved by realloc(), which"}

// Unmodelled says how a call of a routine without a body leaves what is modelled, "" if it does not.
func (f *Func) Unmodelled(c *Call) string {
	_, done := byMachine[plainName(f.Name)]
	k, name := f.Known, strings.Replace(f.Name, "__ccgo_", "__builtin", 1) // which the parser says for it
	switch {
	case k == nil:
		return ""
	case c.Unread != "":
		return c.unfollowed()
	case leaving[name] != "":
		return leaving[name]
	case k.Meaning == AsRefused, k.Meaning == AsFormat, k.Meaning == AsBody, k.Meaning == AsOwn && !done:
		return fmt.Sprintf("a call of %s()", name)
	case k.Meaning == AsText && (c.Callee == nil && c.To != nil || c.Kept):
		return fmt.Sprintf("a call of %s(), whose text is used,", name)
	case k.Null >= 0 && k.Null < len(c.Args) && !isNull(c.Args[k.Null]):
		return fmt.Sprintf("a call of %s() with a place to write to", name)
	case k.unknownObject(c):
		return fmt.Sprintf("a call of %s() with a pointer to what is no object of a known type", name)
	case k.variadic && k.writes(c):
		return fmt.Sprintf("a call of %s() with a pointer that it may write to", name)
	}
	return ""
}

// writes reports that a call of a routine may write through what stands behind fixed parameters.
func (k *Known) writes(c *Call) bool {
	if k.reads {
		return false
	}
	literal := false
	if k.format >= 0 {
		text, ok := literalOf(c, k.format)
		if ok && !slices.ContainsFunc(conversion().FindAllString(text, -1), func(s string) bool { return strings.HasSuffix(s, "n") }) {
			return false
		}
		literal = ok
	}
	return slices.ContainsFunc(c.Args[min(len(k.params), len(c.Args)):], func(e Expr) bool {
		t := e.Type()
		if k.format >= 0 && !literal && t.Kind == Pointer && (t.Elem.Kind != Integer || t.Elem.Size == 1) {
			return false // a text, most likely: %n writes a number
		}
		return t.Kind == Pointer && !isNull(e) || k.format < 0 && mayAddress(e)
	})
}

// mayAddress reports an integer that may be an address: a long, say, that is no constant, or a pointer made a number.
func mayAddress(e Expr) bool {
	switch t := e.Type(); x := e.(type) {
	case *Const:
		return false
	case *Convert:
		return t.Kind == Integer && (x.X.Type().Kind == Pointer || t.Size == 8 || mayAddress(x.X))
	default:
		return t.Kind == Integer && t.Size == 8
	}
}
