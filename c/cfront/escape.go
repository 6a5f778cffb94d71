package cfront

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// The parser reads some literals otherwise than C does (C17 6.4.4.4, 6.4.5): these are refused.

// escapes refuses such literals of a text.
func escapes(f *source.File, code string, macros []macro) {
	text := f.Text()
	eachPart(text, func(_, _ int) {}, func(from, to int) {
		wide := from > 0 && text[from-1] == 'L'
		last := -1 // where the last escape begins
		for i := from + 1; i < to-1; i++ {
			if text[i] >= utf8.RuneSelf && text[from] == '\'' && !wide {
				refuse(f.Span(from, to), "c-string", "write the number", "a character constant of several bytes is not supported")
			}
			if text[i] == '\\' {
				last = i
				escape(f, from, i, to-1, wide)
				i++
			}
		}
		if text[from] == '"' && last >= 0 && counterfeit(text[from:to], last-from) && joined(code, macros, from, to) {
			refuse(f.Span(from, to), "c-string", "write it as one literal", "a literal that ends with an escaped \\ and digits is not supported where another may follow")
		}
	})
}

// escape refuses an escape at i of a literal of a text, if the parser reads another number.
func escape(f *source.File, from, i, end int, wide bool) {
	text, digits := f.Text(), 0
	span := func() ir.Span { return f.Span(i, i+2+digits) }
	switch c := text[i+1]; {
	case c == 'x':
		for i+2+digits < end && isHex(text[i+2+digits]) {
			digits++
		}
		if digits > 2 {
			refuse(span(), "c-string", `write two digits, and end the literal before a digit that follows, as in "\x41" "b"`, "an escape of more than two hexadecimal digits is not supported")
		}
	case '4' <= c && c <= '7' && !wide && i+3 < end && isOctal(text[i+2]) && isOctal(text[i+3]):
		digits = 2
		refuse(span(), "c-string", `write two digits, and end the literal before a digit that follows, as in "\47" "7"`, "this number does not fit a char")
	case (c == 'u' || c == 'U') && !wide && text[from] == '\'':
		refuse(span(), "c-string", "write the number", "a character constant of several bytes is not supported")
	}
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// counterfeit reports that the end of a literal looks like an escape of a number and is none: its last
// escape, an escaped backslash, is what the number seems to begin with.
func counterfeit(literal string, last int) bool {
	body := literal[:len(literal)-1]
	if last+2 > len(body) || body[last+1] != '\\' {
		return false
	}
	rest := body[last+2:]
	return rest != "" && len(rest) <= 2 && (rest[0] == 'x' || isOctal(rest[0]))
}

// joined reports that another literal may stand behind the one at from.
func joined(code string, macros []macro, from, to int) bool {
	line := code[:from]
	line = line[strings.LastIndexByte(strings.ReplaceAll(line, "\\\n", "__"), '\n')+1:]
	rest := strings.TrimLeft(code[to:], " \t\r\n\\")
	if strings.HasPrefix(strings.TrimSpace(line), "#") || rest == "" || rest[0] == '"' || rest[0] == '_' || unicode.IsLetter(rune(rest[0])) {
		return true
	}
	for _, m := range macros {
		in := m.from <= from && from < m.to
		eachUse(code, m.name, func(_, first, end int) { in = in || first <= from && from < end })
		if in {
			return true
		}
	}
	return false
}

// unfinished stands for literals that do not end in their line, and for constants without a character: in lines that #if leaves out the parser
// must not see them, and in others it refuses this character, too.
const unfinished = '@'

// finished replaces literals that do not end in their line.
func finished(text string) string {
	var out []byte
	eachPart(text, func(_, _ int) {}, func(from, to int) {
		if to-from > 1 && text[to-1] == text[from] && text[from:to] != "''" {
			return
		}
		if out == nil {
			out = []byte(text)
		}
		fill(out[from:to], unfinished)
	})
	if out == nil {
		return text
	}
	return string(out)
}

// blankEnd is a backslash that only blanks follow in its line: compilers continue the line all the same.
var blankEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[ \t\f\v\r]+\n`) })

// continued refuses such a backslash where it makes a difference, which it does not in /* */.
func continued(f *source.File) {
	text := f.Text()
	for _, at := range blankEnd().FindAllStringIndex(text, -1) {
		if text[at[0]+1:at[1]] == "\r\n" {
			continue // the parser knows this one
		}
		if strings.TrimSpace(text[at[1]:]) == "" {
			continue // see ended
		}
		within := false
		eachPart(text, func(from, to int) { within = within || from < at[0] && at[0] < to && text[from+1] == '*' }, func(_, _ int) {})
		if !within {
			refuse(f.Span(at[0], at[1]-1), "c-preprocessor", "remove the blanks, or the backslash", "blanks between a backslash and the end of the line are not supported")
		}
	}
}

// loneReturn is where a carriage return stands without a line feed, -1 if it does nowhere: compilers end a
// line there, and the parser does not.
func loneReturn(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '\r')
		if i < 0 {
			return -1
		}
		if i += from; i+1 == len(text) || text[i+1] != '\n' {
			return i
		}
		from = i + 1
	}
}

// Directives that the parser does not follow, and names whose macros it has another meaning of.
var (
	otherLine   = onLines(`line[ \t]+[^0-9 \t\n][^\n]*`)
	ignored     = onLines(`(import|elifdef|elifndef|embed|assert|unassert)\b[^\n]*`)
	predefines  = onLines(`(?:define|undef)[ \t]+(__(?:LINE|FILE|DATE|TIME|COUNTER|STDC|STDC_(?:VERSION|HOSTED|IEC_559\w*|ISO_10646|NO_\w+|UTF_16|UTF_32)|BASE_FILE|INCLUDE_LEVEL|func)__|defined)(?:\W|$)`)
	optionalArg = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b__VA_OPT__\b`) })
)

// directives refuses these.
func directives(f *source.File, code string) {
	for _, d := range []struct {
		found      [][]int
		help, what string
	}{
		{otherLine().all(code), "remove it", "#line with a macro is not supported"},
		{ignored().all(code), "write #include, #ifdef or #if", "this directive is not supported"},
		{predefines().all(code), "take another name", "macros that are predefined cannot be defined here, nor undefined"},
		{optionalArg().FindAllStringIndex(code, 1), "write a macro for each case", "__VA_OPT__ is not supported"},
	} {
		if len(d.found) > 0 {
			refuse(f.Span(d.found[0][0], d.found[0][1]), "c-preprocessor", d.help, "%s", d.what)
		}
	}
}

// ended is a text whose last line does not end with a backslash, of which the parser loses that line.
func ended(text string) string {
	line := strings.TrimRight(text, " \t\r\n")
	if !strings.HasSuffix(line, "\\") || strings.Count(text[len(line):], "\n") > 1 {
		return text
	}
	return line[:len(line)-1] + " " + text[len(line):]
}

// hexadecimal writes the binary numbers in lines of #if so that the parser's preprocessor reads them.
func hexadecimal(text string) string {
	if !strings.Contains(text, "0b") && !strings.Contains(text, "0B") {
		return text
	}
	out := []byte(text)
	for _, at := range conditional().all(codeOf(text)) {
		for _, n := range binaryNumber().FindAllStringIndex(text[at[0]:at[1]], -1) {
			digits := out[at[0]+n[0]+2 : at[0]+n[1]]
			if v, err := strconv.ParseUint(string(digits), 2, 64); err == nil {
				copy(out[at[0]+n[0]:], fmt.Appendf(nil, "0x%0*x", len(digits), v))
			}
		}
	}
	return string(out)
}

var binaryNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b0[bB][01]+`) })
