package cfront

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/ir"
)

// A call of sprintf or snprintf whose format is a literal is one of a routine whose body does what the format says
// (C11 7.21.6.1): of integers, characters and strings.

// formatting says, of a routine that writes as a format says, which arguments are where it writes, how many bytes there
// are (-1: nobody asks) and the format. What is to be written stands behind that.
type formatting struct{ to, room, format int }

var formatters = map[string]formatting{"sprintf": {0, -1, 1}, "snprintf": {0, 1, 2}, "__sprintf_chk": {0, -1, 3}, "__snprintf_chk": {0, 1, 4}}

// formats gives the calls of a routine that write as a format says routines of their own; texts are the bodies.
func (l *linker) formats(f *ir.Func, texts map[*ir.Func]string, made map[string]*ir.Func) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ir.Call)
			if !ok || c.Callee == nil || !c.Callee.Means(ir.AsFormat) || slices.Contains(l.opts.Abstract, c.Callee.Name) {
				continue
			}
			text, args, ok := formatText(c, l.types.model)
			if !ok {
				continue
			}
			if made[text] == nil {
				made[text] = &ir.Func{Name: fmt.Sprintf("%s@%d", ir.PlainName(c.Callee.Name), len(made)), Known: c.Callee.Known}
				l.prog.Funcs = append(l.prog.Funcs, made[text])
				texts[made[text]] = text
			}
			c.Callee, c.Args = made[text], args
		}
	}
}

// formatText is a routine in C that does what a call says; ok is false where the format is not followed.
func formatText(c *ir.Call, model ir.DataModel) (text string, args []ir.Expr, ok bool) {
	how, formats := formatters[ir.PlainName(c.Callee.Name)]
	format, literal := ir.LiteralOf(c, how.format)
	if !formats || !literal || len(format) > mostFormat {
		return "", nil, false
	}
	w := &formatWriter{model: model, bounded: how.room >= 0, params: []string{"char *s"}, args: []ir.Expr{c.Args[how.to]}}
	if w.bounded {
		w.params, w.args = append(w.params, "size_t n"), append(w.args, c.Args[how.room])
	}
	rest := c.Args[how.format+1:]
	for len(format) > 0 {
		if format[0] != '%' {
			w.put(strconv.Itoa(int(format[0])))
			format = format[1:]
			continue
		}
		m := formatDirective().FindStringSubmatch(format)
		if m == nil {
			return "", nil, false
		}
		format = format[len(m[0]):]
		if m[5] == "%" {
			if m[0] != "%%" {
				return "", nil, false
			}
			w.put("'%'")
			continue
		}
		if len(rest) == 0 || !w.directive(m, rest[0]) {
			return "", nil, false
		}
		rest = rest[1:]
	}
	end := "s[at] = 0;"
	if w.bounded {
		end = "if (n > 0)\n\t\ts[at < n ? at : n - 1] = 0;"
	}
	return fmt.Sprintf("int %s(%s)\n{\n\tsize_t at = 0, i;\n\tint k;\n%s\t%s\n\treturn at;\n}\n", formatName, strings.Join(w.params, ", "), w.body.String(), end), w.args, true
}

// mostFormat bounds the formats that are followed, in characters: a body has up to forty steps for each.
const mostFormat = 400

// formatName stands for the name of the routine in its text.
const formatName = "__seltl_format"

// formatDirective is one of integers, characters and strings: flags, width, precision, length and letter.
var formatDirective = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^%([-+ 0]*)([1-9][0-9]{0,3})?(\.[0-9]{0,4})?(hh|h|l|ll|q|j|z|t)?([diuxXocs%])`)
})

// formatWriter makes the body of such a routine.
type formatWriter struct {
	body    strings.Builder
	model   ir.DataModel
	bounded bool
	params  []string
	args    []ir.Expr
}

func (w *formatWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.body, "\t"+format+"\n", args...)
}

// put writes a character.
func (w *formatWriter) put(c string) { w.line("%s", w.putting(c)) }

func (w *formatWriter) putting(c string) string {
	if w.bounded {
		return fmt.Sprintf("{ if (at + 1 < n) s[at] = %s; at++; }", c)
	}
	return fmt.Sprintf("{ s[at] = %s; at++; }", c)
}

// param adds a parameter, and returns its name.
func (w *formatWriter) param(typ string, of ir.Expr) string {
	name := fmt.Sprintf("a%d", len(w.args))
	w.params, w.args = append(w.params, typ+name), append(w.args, of)
	return name
}

// filling is how a directive fills its width.
type filling struct {
	left, zeros bool
	sign        string // what stands before a number that is not negative: 0, '+' or ' '
	width       int
	precision   int // -1: none
}

// directive writes what one says of an argument; it reports false if that has another type.
func (w *formatWriter) directive(m []string, arg ir.Expr) bool {
	how := filling{left: strings.Contains(m[1], "-"), zeros: strings.Contains(m[1], "0"), sign: "0", precision: -1}
	switch {
	case strings.Contains(m[1], "+"):
		how.sign = "'+'"
	case strings.Contains(m[1], " "):
		how.sign = "' '"
	}
	how.width, _ = strconv.Atoi(m[2])
	if m[3] != "" {
		how.precision, _ = strconv.Atoi(m[3][1:])
	}
	t := arg.Type()
	switch letter := m[5]; {
	case how.zeros && (letter == "s" || letter == "c"):
		return false
	case letter == "s":
		if m[4] != "" || t.Kind != ir.Pointer || t.Elem.Kind != ir.Integer || t.Elem.Size != 1 {
			return false
		}
		w.text(w.param("const char *", arg), how)
	case letter == "c":
		if m[4] != "" || t.Kind != ir.Integer || t.Size != 4 {
			return false
		}
		w.character(w.param("int ", arg), how)
	default:
		return w.integer(letter, m[4], arg, how)
	}
	return true
}

// pad fills a width with blanks or zeros, where k is how many there are.
func (w *formatWriter) pad(how filling, with string) {
	if how.width > 0 {
		w.line("for (; k > 0; k--) %s", w.putting(with))
	}
}

func (w *formatWriter) character(a string, how filling) {
	w.line("k = %d;", how.width-1)
	if !how.left {
		w.pad(how, "' '")
	}
	w.put("(char)" + a)
	if how.left {
		w.pad(how, "' '")
	}
}

func (w *formatWriter) text(a string, how filling) {
	most := ""
	if how.precision >= 0 {
		most = fmt.Sprintf("i < %d && ", how.precision)
	}
	if how.width > 0 {
		w.line("for (i = 0; %s%s[i]; i++) ;", most, a)
		w.line("k = i < %d ? (int)(%[1]d - i) : 0;", how.width)
	}
	if !how.left {
		w.pad(how, "' '")
	}
	w.line("for (i = 0; %s%s[i]; i++) %s", most, a, w.putting(a+"[i]"))
	if how.left {
		w.pad(how, "' '")
	}
}

// integer writes a number. Its digits are told by what it is divided by, which is constant.
func (w *formatWriter) integer(letter, length string, arg ir.Expr, how filling) bool {
	size := int64(4)
	switch length {
	case "l", "z", "t":
		size = w.model.PointerSize()
	case "ll", "q", "j":
		size = 8
	}
	if t := arg.Type(); t.Kind != ir.Integer || t.Size != size || t.Bool {
		return false
	}
	signed := letter == "d" || letter == "i"
	typ := map[int64]string{4: "int", 8: "long long"}[size]
	a := w.param(map[bool]string{true: typ + " ", false: "unsigned " + typ + " "}[signed], arg)
	if narrow := map[string]string{"hh": "char", "h": "short"}[length]; narrow != "" {
		a = fmt.Sprintf("(%s %s)%s", map[bool]string{true: "signed", false: "unsigned"}[signed], narrow, a)
	}
	w.line("{")
	w.line("unsigned %s v = %s;", typ, a)
	w.line("int d = 1;")
	if signed {
		w.line("char sign = %s;", how.sign)
		w.line("if (%s < 0) { v = -v; sign = '-'; }", a)
	}
	base, most := uint64(10), map[int64]int{4: 10, 8: 20}[size]
	switch letter {
	case "x", "X":
		base, most = 16, int(size)*2
	case "o":
		base, most = 8, (int(size)*8+2)/3
	}
	powers := []uint64{1}
	for len(powers) < most {
		powers = append(powers, powers[len(powers)-1]*base)
	}
	for i, p := range powers[1:] {
		w.line("if (v >= %dull) d = %d;", p, i+2)
	}
	if how.precision == 0 {
		w.line("if (v == 0) d = 0;")
	}
	if how.width > 0 {
		w.line("k = %d - (d < %d ? %[2]d : d)%s;", how.width, how.precision, map[bool]string{true: " - (sign != 0)"}[signed])
	}
	if !how.left && (!how.zeros || how.precision >= 0) {
		w.pad(how, "' '")
	}
	if signed {
		w.line("if (sign) %s", w.putting("sign"))
	}
	if !how.left && how.zeros && how.precision < 0 {
		w.pad(how, "'0'")
	}
	if how.precision > 1 {
		w.line("for (i = d; i < %d; i++) %s", how.precision, w.putting("'0'"))
	}
	for i := len(powers) - 1; i >= 0; i-- {
		digit := fmt.Sprintf("'0' + v / %dull %% %d", powers[i], base)
		if base == 16 {
			digit = fmt.Sprintf("(v / %dull %% 16 < 10 ? '0' : '%c' - 10) + v / %[1]dull %% 16", powers[i], map[string]rune{"x": 'a', "X": 'A'}[letter])
		}
		w.line("if (d > %d) %s", i, w.putting(digit))
	}
	if how.left {
		w.pad(how, "' '")
	}
	w.line("}")
	return true
}
