package ir

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
//go:embed routines.txt
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

// Meanings are what the list of routines calls them.
var Meanings = map[string]Meaning{"own": AsOwn, "body": AsBody, "input": AsInput, "once": AsOnce, "sign": AsSign, "text": AsText, "unknown": AsUnknown, "blocks": AsBlocking, "refused": AsRefused, "format": AsFormat, "sort": AsFormat, "math": AsMath}

// Known is what is known of such a routine.
type Known struct {
	Meaning Meaning
	// Bounded: AsInput, or AsOnce, has values from Low to High only.
	Bounded   bool
	Low, High int64
	// Null, if not -1, is the argument that it writes its second result through, unless that is null.
	Null    int
	Format  int  // the argument that is a format of printf, or -1
	reads   bool // what is given beside parameters is only read
	Errno   bool // its body says what it does to errno
	Outputs []Output
	Demands demands

	result      TypeShape
	Params      []TypeShape
	variadic    bool
	Declaration string // as the list has it
	misdeclared bool   // as of Misdeclare
}

// TypeShape is what of a type tells routines apart.
type TypeShape struct {
	kind  Kind
	word  bool  // of an integer: as wide as a pointer
	size  int64 // of an integer or a float
	elem  *TypeShape
	other bool // of no type that can be told
}

// knownLine is a line of the list, which is read when a program has a routine of that name.
type knownLine struct{ Header, Meaning, Typ string } // header is that of the part

// KnownLines are the lines of the list by names.
var KnownLines = sync.OnceValue(func() map[string]knownLine {
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

// BuiltinPrefix stands before the names of routines that the compiler replaces.
const BuiltinPrefix = "__builtin_"

// compilers begin names of routines of compilers: what is not in the list is not followed.
var compilers = []string{BuiltinPrefix, "__sync_", "__atomic_", "__c11_atomic_", "__ccgo_"}

// KnownAs is what the list has by a name, nil if that is a name of the program's own.
func KnownAs(name string) *Known {
	line, listed := KnownLines()[name]
	if !listed {
		line, listed = KnownLines()[strings.TrimPrefix(name, BuiltinPrefix)]
	}
	if !listed {
		if slices.ContainsFunc(compilers, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return Unknowable()
		}
		return nil
	}
	words := strings.Fields(line.Meaning)
	k := &Known{Meaning: Meanings[words[0]], Null: -1, Format: -1, Declaration: line.Typ}
	var bounds []int64
	fills, room := "", ""
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		n, _ := strconv.ParseInt(cmp.Or(value, key), 10, 64)
		switch key {
		case "null":
			k.Null = int(n)
		case "format":
			k.Format = int(n)
		case "reads":
			k.reads = true
		case "errno":
			k.Errno = true
		case "fills":
			fills = value
		case "fd":
			k.Demands.Descriptors = numbersIn(value)
		case "path":
			k.Demands.Paths = numbersIn(value)
		case "mode":
			k.Demands.Mode = int(n)
		case "whence":
			k.Demands.Whence = int(n)
		case "room":
			room = value
		default:
			bounds = append(bounds, n)
		}
	}
	if fills != "" {
		k.Outputs = outputsOf(fills, room)
	}
	if len(bounds) > 0 {
		k.Bounded, k.Low, k.High = true, bounds[0], 1<<63-1
		if len(bounds) > 1 {
			k.High = bounds[1]
		}
	}
	result, params, _ := strings.Cut(line.Typ, "(")
	k.result = shapeOf(result)
	for p := range strings.SplitSeq(strings.TrimSuffix(params, ")"), ",") {
		switch p = strings.TrimSpace(p); p {
		case "...":
			k.variadic = true
		case "", "void":
		default:
			k.Params = append(k.Params, shapeOf(p))
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
func shapeOf(text string) TypeShape {
	stars := strings.Count(text, "*")
	words := strings.Fields(strings.ReplaceAll(text, "*", " "))
	base := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "const" || w == "unsigned" }), " ")
	var s TypeShape
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
		s = TypeShape{kind: Pointer, elem: &elem}
	}
	return s
}

// likeness is how far two types are one.
type likeness uint8

const (
	Different likeness = iota
	Wider              // integers or floats of different widths
	alike
)

// like compares a declared type with one of the list: signs and qualifiers make no difference, nor
// what void * points to.
func (s TypeShape) like(t *Type, m DataModel) likeness {
	switch {
	case s.other:
		return alike
	case (s.kind == Float || s.kind == IEEE) && t.FloatingPoint() && s.kind != t.Kind:
		return Wider
	case s.kind != t.Kind:
		return Different
	case s.kind == Pointer:
		if s.elem.kind == Void || t.Elem.Kind == Void || s.elem.other || s.elem.like(t.Elem, m) == alike {
			return alike
		}
		return Different
	case s.kind == Integer || s.kind == Float || s.kind == IEEE:
		if size := s.bytes(m); size != 0 && size != t.Size {
			return Wider
		}
	}
	return alike
}

// Compare compares the type of a routine with that of the list; calls is with how many arguments one
// is called that is declared without parameters.
func (k *Known) Compare(t *Type, calls []int, m DataModel) likeness {
	l := alike
	if t.Unproto || k.Declaration == "" {
		fits := func(n int) bool { return n == len(k.Params) || n > len(k.Params) && k.variadic }
		if k.Declaration != "" && slices.ContainsFunc(calls, func(n int) bool { return !fits(n) }) {
			return Different
		}
		return max(k.result.like(t.Result, m), Wider) // who declares nothing means the library's
	}
	if len(t.Params) != len(k.Params) && (len(k.Params) > 0 || !k.variadic) || t.Variadic && !k.variadic {
		return Different
	}
	for i, p := range k.Params {
		l = min(l, p.like(t.Params[i], m))
	}
	return min(l, k.result.like(t.Result, m))
}

// Misdeclared reports a type that differs from that of the list so that compilers pass other numbers: a signed argument that is
// narrower than the library's, whose sign gets lost, a result that is wider or a truth value, or a floating-point number of another width.
func (k *Known) Misdeclared(t *Type, m DataModel) bool {
	if k.Declaration == "" {
		return false
	}
	for i, p := range k.Params[:min(len(k.Params), len(t.Params))] {
		if p.misfits(t.Params[i], false, m) {
			return true
		}
	}
	r := k.result
	return t.Result != nil && r.like(t.Result, m) == Wider && (r.kind != Integer || t.Result.Size > r.bytes(m) || t.Result.Bool)
}

// misfits reports a number that is passed for one of another width so that its value may get lost; positive: it is not negative.
func (s TypeShape) misfits(t *Type, positive bool, m DataModel) bool {
	if s.kind == Integer && t.Kind == Integer {
		return s.like(t, m) == Wider && t.Signed && !positive && t.Size < s.bytes(m)
	}
	return (s.kind == Integer || s.kind == IEEE || s.kind == Float) && t.Scalar() && (s.kind != t.Kind || s.like(t, m) == Wider)
}

// Misfit is the first argument of a call that has not the type of the library's parameter, as where that is declared without
// parameters, so that its value may get lost; -1: none.
func (k *Known) Misfit(c *Call, m DataModel) int {
	for i, p := range k.Params[:min(len(k.Params), len(c.Args))] {
		n, constant := c.Args[i].(*Const)
		if p.misfits(c.Args[i].Type(), constant && int64(n.Bits) >= 0, m) {
			return i
		}
	}
	return -1
}

// bytes is how large a number is.
func (s TypeShape) bytes(m DataModel) int64 {
	if s.word {
		return m.PointerSize()
	}
	return s.size
}

// Misdeclare makes a routine one whose calls are not followed, since it is declared as another type.
func (k *Known) Misdeclare() { k.Meaning, k.misdeclared = AsRefused, true }

// Means reports a routine of the library, without a body, of some meaning.
func (f *Func) Means(m Meaning) bool { return f.Extern() && f.Known != nil && f.Known.Meaning == m }

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

// InRange reports that a value is in the range.
func (k *Known) InRange(t *Type, bits uint64) bool {
	low, high, ok := k.Range(t)
	return !ok || low <= int64(bits) && int64(bits) <= high
}

// leaving are what bodies of the library call where they leave what is modelled.
var leaving = map[string]string{"__seltl_range": "a number that is too large", "__seltl_argument": "an argument that there is no result for",
	"__seltl_room": "a length beyond the object that is pointed to", "__seltl_part": "a part of an element is moved by realloc(), which"}

// Unmodelled says how a call of a routine without a body leaves what is modelled, "" if it does not.
func (f *Func) Unmodelled(c *Call) string {
	_, done := byMachine[PlainName(f.Name)]
	k, name := f.Known, strings.Replace(f.Name, "__ccgo_", "__builtin", 1) // which the parser says for it
	switch {
	case k == nil:
		return ""
	case c.Unread != "":
		return c.unfollowed()
	case leaving[name] != "":
		return leaving[name]
	case k.misdeclared:
		return fmt.Sprintf("a call of %s(), which is declared with numbers of another width than the library's,", name)
	case k.Meaning == AsRefused, k.Meaning == AsFormat, k.Meaning == AsBody, k.Meaning == AsOwn && !done:
		return fmt.Sprintf("a call of %s()", name)
	case k.Meaning == AsText && (c.Callee == nil && c.To != nil || c.Kept):
		return fmt.Sprintf("a call of %s(), whose text is used,", name)
	case k.Null >= 0 && k.Null < len(c.Args) && !IsNull(c.Args[k.Null]):
		return fmt.Sprintf("a call of %s() with a place to write to", name)
	case k.UnknownObject(c):
		return fmt.Sprintf("a call of %s() with a pointer to what is no object of a known type", name)
	case k.variadic && k.MayWrite(c):
		return fmt.Sprintf("a call of %s() with a pointer that it may write to", name)
	}
	return ""
}

// MayWrite reports that a call of a routine may write through what stands behind fixed parameters.
func (k *Known) MayWrite(c *Call) bool {
	if k.reads {
		return false
	}
	literal := false
	if k.Format >= 0 {
		text, ok := LiteralOf(c, k.Format)
		if ok && !slices.ContainsFunc(PrintfConversion().FindAllString(text, -1), func(s string) bool { return strings.HasSuffix(s, "n") }) {
			return false
		}
		literal = ok
	}
	return slices.ContainsFunc(c.Args[min(len(k.Params), len(c.Args)):], func(e Expr) bool {
		t := e.Type()
		if k.Format >= 0 && !literal && t.Kind == Pointer && (t.Elem.Kind != Integer || t.Elem.Size == 1) {
			return false // a text, most likely: %n writes a number
		}
		return t.Kind == Pointer && !IsNull(e) || k.Format < 0 && mayAddress(e)
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

// Unknowable is what is known of a routine that is not followed.
func Unknowable() *Known {
	return &Known{Meaning: AsRefused, Null: -1, Format: -1, result: TypeShape{other: true}, variadic: true}
}

// demands are the arguments of a routine of files, by what they are.
type demands struct {
	Descriptors, Paths []int
	Mode, Whence       int // of fopen, and of fseek, behind the offset; 0: none
}
