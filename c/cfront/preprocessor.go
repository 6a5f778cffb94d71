package cfront

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// The parser's preprocessor differs from C in some places. The first is led around, without
// moving what stands behind, and the others are refused.

// eachPart finds the comments of a C text, and its literals, which end with their line at last.
func eachPart(text string, comment, literal func(from, to int)) {
	for i := 0; i < len(text); i++ {
		from := i
		switch c := text[i]; {
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			literal(from, min(i+1, len(text)))
		case strings.HasPrefix(text[i:], "//"), strings.HasPrefix(text[i:], "/*"):
			i += endOfComment(text[i:])
			comment(from, i)
			i--
		}
	}
}

// endOfComment is how long a comment is that a text begins with; a line that ends with a backslash goes on.
func endOfComment(text string) int {
	if text[1] == '*' {
		if n := strings.Index(text[2:], "*/"); n >= 0 {
			return 2 + n + 2
		}
		return len(text)
	}
	for at := 2; ; {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		if at += n; !strings.HasSuffix(strings.TrimSuffix(text[:at], "\r"), "\\") {
			return at
		}
		at++
	}
}

func fill(b []byte, with byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = with
		}
	}
}

// codeOf is a text as long as it was, with blanks for comments and _ for what literals hold.
func codeOf(text string) string {
	b := []byte(text)
	eachPart(text, func(from, to int) { fill(b[from:to], ' ') }, func(from, to int) { fill(b[from+1:max(from+1, to-1)], '_') })
	return string(b)
}

// macro is a function-like macro of a text: where what it stands for is.
type macro struct {
	name     string
	params   []string
	from, to int
}

var definitions = onLines(`define[ \t]+(\w+)\(([^)]*)\)((?:[^\\\n]|\\(?:.|\n))*)`)

func macrosOf(code string) (all []macro) {
	for _, at := range definitions().all(code) {
		m := macro{name: code[at[2]:at[3]], from: at[6], to: at[7]}
		for _, p := range strings.Split(code[at[4]:at[5]], ",") {
			m.params = append(m.params, strings.TrimSpace(p))
		}
		all = append(all, m)
	}
	return all
}

// spaced puts a blank between a comma and ## behind it, without which the parser leaves out both
// the comma and the arguments; another blank of the macro goes for it.
func spaced(text string) string {
	if !strings.Contains(text, ",##") {
		return text
	}
	out, code := []byte(text), []byte(codeOf(text))
	for _, m := range macrosOf(string(code)) {
		for {
			i := strings.Index(string(code[m.from:m.to]), ",##")
			if i < 0 || !space(out[m.from:m.to], code[m.from:m.to], i) {
				break
			}
		}
	}
	return string(out)
}

// space makes room at a comma of a macro, in its text and its code, or reports that there is none.
func space(text, code []byte, comma int) bool {
	blank := func(i int) bool {
		return i >= 0 && i < len(code) && (text[i] == ' ' || text[i] == '\t') && (code[i] == ' ' || code[i] == '\t')
	}
	if blank(comma + 3) {
		for _, b := range [][]byte{text, code} {
			copy(b[comma+1:comma+4], " ##")
		}
		return true
	}
	for j := comma - 1; j >= 0; j-- {
		if blank(j) && (j == 0 || j == comma-1 || blank(j-1)) {
			for _, b := range [][]byte{text, code} {
				copy(b[j:comma], b[j+1:comma+1])
				b[comma] = ' '
			}
			return true
		}
	}
	return false
}

// preprocessed refuses what the preprocessor of the parser does otherwise than C.
func (l *linker) preprocessed(f *source.File) {
	if l.ofSystem(f.Name()) { // which every compiler reads alike
		return
	}
	code := codeOf(spaced(f.Text()))
	if at := utf8Literal().FindStringIndex(code); at != nil {
		refuse(f.Span(at[0], at[1]), "c-string", "remove u8", "literals with u8 are not supported")
	}
	continued(f)
	directives(f, code)
	macros := macrosOf(code)
	escapes(f, code, macros)
	if strings.Contains(code, "##") {
		for _, m := range macros {
			body := code[m.from:m.to]
			if i := strings.Index(body, ",##"); i >= 0 {
				refuse(f.Span(m.from+i, m.from+i+3), "c-preprocessor", "write , ##", "a comma directly before ## is not supported here")
			}
			rest, named := strings.CutSuffix(m.params[len(m.params)-1], "...")
			if rest = strings.TrimSpace(rest); named && rest != "" && regexp.MustCompile(`,\s*##\s*`+rest+`\b`).MatchString(body) {
				refuse(f.Span(m.from, m.to), "c-preprocessor", "write ... and __VA_ARGS__", "a comma before ## and variable arguments that have a name is not supported")
			}
		}
		arguments(code, macros, `##\s*%s\b|\b%[1]s\s*##`, func(from, to int, _ bool) {
			if arg := code[from:to]; punctuators().MatchString(arg) && strings.TrimSpace(arg) != "..." { // of its definition
				refuse(f.Span(from, to), "c-preprocessor", "write the operator itself", "to join punctuators by ## is not supported")
			}
		})
	}
	lists, all := listMacros(code), macroNames(code)
	arguments(code, macros, `(^|[^#])#\s*%s\b`, func(from, to int, rest bool) {
		if arg := code[from:to]; rest && (code[to] == ',' && strings.TrimRight(arg, " \t\r\n") != arg || hasName(arg, lists)) {
			refuse(f.Span(from, to), "c-preprocessor", "leave out the blank before the comma", "the text of variable arguments with a blank before a comma is not supported")
		}
		if rest && hasName(code[from:to], all) { // what a macro stands for may lose the blank before it
			refuse(f.Span(from, to), "c-preprocessor", "write what the macro stands for", "the text of variable arguments with macros among them is not supported")
		}
		if i := brokenLine().FindStringIndex(strings.TrimRight(code[from:to], " \t\r\n")); i != nil {
			refuse(f.Span(from+i[0]+1, from+i[0]+2), "c-preprocessor", "put a blank in front of it", "the text of an argument with a line that begins without a blank is not supported")
		}
	})
	countedAnds(f, code)
	signs(f, code)
}

// macroNames are the names of all macros of a text.
func macroNames(code string) (names []string) {
	return lists.Append(nil, anyMacro().texts(code), func(m []string) string { return m[1] })
}

var anyMacro = onLines(`define[ \t]+(\w+)`)

// listMacros are names of macros in whose text a blank stands before a comma: of variable arguments the
// parser forgets it.
func listMacros(code string) (names []string) {
	for _, m := range objectMacro().texts(code) {
		if blankComma().MatchString(m[2]) {
			names = append(names, m[1])
		}
	}
	return names
}

var objectMacro = onLines(`define[ \t]+(\w+)((?:[^\\\n]|\\(?:.|\n))*)`)

var blankComma = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s,`) })

// hasName reports that a text has one of some names.
func hasName(text string, some []string) bool {
	return slices.ContainsFunc(identifier().FindAllString(text, -1), func(name string) bool { return slices.Contains(some, name) })
}

// signs refuses in #if what may be unsigned as the number of places of a shift, or as an alternative of ?:,
// where that makes a difference: a shift has the sign of its left operand in C, and of both for the
// parser; alternatives have that of both in C, and the one that is taken its own for the parser.
func signs(f *source.File, code string) {
	if !strings.Contains(code, "<<") && !strings.Contains(code, ">>") && !strings.Contains(code, "?") {
		return
	}
	texts := map[string]string{} // of macros
	for _, m := range objectMacro().texts(code) {
		texts[m[1]] += " " + m[2]
	}
	for _, at := range conditional().all(code) {
		line := ifWord().ReplaceAllString(code[at[0]:at[1]], "")
		line = defined().ReplaceAllString(line, "1")
		all := line
		for range mostSteps { // with what its names stand for
			more := line
			for _, name := range identifier().FindAllString(all, -1) {
				more += " " + texts[name]
			}
			if len(more) == len(all) || len(more) > mostText {
				break
			}
			all = more
		}
		differs := ordered().MatchString(shift().ReplaceAllString(all, ""))
		open := strings.Contains(all, "?") && differs && !allSigned(all, texts)
		for _, by := range shift().FindAllStringSubmatch(all, -1) {
			right := by[2]
			for range mostSteps {
				text, is := texts[right]
				if !is {
					break
				}
				right = strings.Trim(text, " \t()\\\n")
			}
			open = open || (by[1] == ">>" || differs) && !plainNumber().MatchString(right)
		}
		if open {
			refuse(f.Span(at[0], at[1]), "c-preprocessor", "write numbers without u", "a shift in #if by what may be unsigned, and such an alternative of ?:, is not supported")
		}
	}
}

// allSigned reports that the numbers of a text are, and that it has no names but of macros with known
// texts.
func allSigned(all string, texts map[string]string) bool {
	for _, n := range number().FindAllString(all, -1) {
		if !plainNumber().MatchString(n) || len(n) >= len("0x8000000000000000") {
			return false
		}
	}
	for _, name := range identifier().FindAllString(number().ReplaceAllString(all, ""), -1) {
		if _, known := texts[name]; !known {
			return false
		}
	}
	return true
}

// Bounds of looking for what the names of a line stand for: steps, and bytes.
const (
	mostSteps = 4
	mostText  = 1 << 14
)

var (
	ifWord      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*#\s*(?:el)?if`) })
	defined     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bdefined\s*(?:\(\s*\w+\s*\)|\w+)`) })
	number      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9]\w*`) })
	identifier  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })
	shift       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(<<|>>)[\s(\\]*(\w*)`) })
	plainNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|[0-9]+)[lL]*$`) })
	ordered     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[<>/%]`) })
)

// utf8Literal is a prefix that the parser takes for a part of the text.
var utf8Literal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bu8["']`) })

// punctuators is an argument of nothing but such.
var punctuators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[-+<>&|=!.*/%^#~?:]+\s*$`) })

// brokenLine is a line that begins without a blank, before which the parser forgets that there was
// one: # makes "ab" of a and b then.
var brokenLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n[^ \t\r\n]`) })

// arguments calls do with the arguments, wherever they stand in the code, of parameters that are
// used in a way in the text of their macro, which is a pattern with %s for the name, or are handed
// on to such; rest says that they are variable ones.
func arguments(code string, macros []macro, way string, do func(from, to int, rest bool)) {
	used := map[string]map[int]bool{}
	add := func(m *macro, i int) bool {
		if used[m.name] == nil {
			used[m.name] = map[int]bool{}
		}
		known := used[m.name][i]
		used[m.name][i] = true
		return !known
	}
	for i := range macros {
		m := &macros[i]
		for k := range m.params {
			if name := m.param(k); name != "" && regexp.MustCompile(fmt.Sprintf(way, name)).MatchString(code[m.from:m.to]) {
				add(m, k)
			}
		}
	}
	for more := true; more; {
		more = false
		for i := range macros {
			m := &macros[i]
			for name, which := range used {
				eachUse(code[m.from:m.to], name, func(k, from, to int) {
					arg := strings.TrimSpace(code[m.from+from : m.from+to])
					for p := range m.params {
						if which[k] && arg != "" && m.param(p) == arg && add(m, p) {
							more = true
						}
					}
				})
			}
		}
	}
	for i := range macros {
		m := &macros[i]
		last := len(m.params) - 1
		eachUse(code, m.name, func(k, from, to int) {
			rest := k >= last && strings.HasSuffix(m.params[last], "...")
			if which := used[m.name]; which[k] || rest && which[last] {
				do(from, to, rest)
			}
		})
	}
}

// param is what a parameter is called in the text of the macro.
func (m *macro) param(k int) string {
	name, rest := strings.CutSuffix(m.params[k], "...")
	if name = strings.TrimSpace(name); rest && name == "" {
		return "__VA_ARGS__"
	}
	return name
}

// eachUse finds the arguments of a macro where a text uses it.
func eachUse(code, name string, do func(k, from, to int)) {
	if !strings.Contains(code, name) {
		return
	}
	for _, use := range regexp.MustCompile(`\b`+name+`\s*\(`).FindAllStringIndex(code, -1) {
		depth, from, k := 0, use[1], 0
		for i := use[1]; i < len(code) && depth >= 0; i++ {
			switch c := code[i]; {
			case c == '(':
				depth++
			case depth == 0 && (c == ')' || c == ','):
				do(k, from, i)
				from, k = i+1, k+1
				if c == ')' {
					depth--
				}
			case c == ')':
				depth--
			}
		}
	}
}

// andMacros are macros in whose text && stands.
var andMacros = onLines(`define[ \t]+(\w+)[^\n]*&&`)

// conditional are the lines of #if and #elif.
var conditional = onLines(`(?:el)?if[ \t(!](?:[^\\\n]|\\(?:.|\n))*`)

// countedAnds refuses && as a number in #if, of which the parser makes the first operand.
func countedAnds(f *source.File, code string) {
	if !strings.Contains(code, "&&") {
		return
	}
	const help, what = "write (a && b ? 1 : 0)", "&& as a number in #if is not supported"
	lines := conditional().all(code)
	var ands []*regexp.Regexp // macros that stand for such
	for _, m := range andMacros().texts(code) {
		ands = append(ands, regexp.MustCompile(`\b`+m[1]+`\b(\s*\([^)]*\))?`))
	}
	for _, at := range lines {
		line := code[at[0]:at[1]]
		for _, name := range ands {
			for _, use := range name.FindAllStringIndex(line, -1) {
				if counted(line, use[0], use[1]) {
					refuse(f.Span(at[0]+use[0], at[0]+use[1]), "c-preprocessor", help, what)
				}
			}
		}
		if i := countedAnd(line); i >= 0 {
			refuse(f.Span(at[0]+i, at[0]+i+2), "c-preprocessor", help, what)
		}
	}
}

// countedAnd returns where && stands in a group of a line that an operator on numbers takes; -1 if
// it stands nowhere so.
func countedAnd(line string) int {
	type group struct{ from, and int }
	var open []group
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '(':
			open = append(open, group{i, -1})
		case strings.HasPrefix(line[i:], "&&") && len(open) > 0:
			open[len(open)-1].and = i
			i++
		case line[i] == ')' && len(open) > 0:
			g := open[len(open)-1]
			open = open[:len(open)-1]
			if g.and >= 0 && counted(line, g.from, i+1) {
				return g.and
			}
			if rest := strings.TrimLeft(line[i+1:], " \t\\\n"); len(open) > 0 && g.and >= 0 && strings.HasPrefix(rest, ")") {
				open[len(open)-1].and = g.and // a group in parentheses of its own
			}
		}
	}
	return -1
}

// counted reports that an operator other than &&, ||, ! and ?: stands at a part of a line.
func counted(line string, from, to int) bool {
	const numbers = "=<>+-*/%^&|~"
	before, behind := strings.TrimRight(line[:from], " \t\\\n"), strings.TrimLeft(line[to:], " \t\\\n")
	switch {
	case before == "" || strings.HasSuffix(before, "&&") || strings.HasSuffix(before, "||"):
	case strings.IndexByte(numbers, before[len(before)-1]) >= 0:
		return true
	}
	switch {
	case behind == "" || strings.HasPrefix(behind, "&&") || strings.HasPrefix(behind, "||"):
		return false
	}
	return strings.HasPrefix(behind, "!=") || strings.IndexByte(numbers, behind[0]) >= 0
}
