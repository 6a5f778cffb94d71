package cfront

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
)

// The parser's preprocessor differs from C in three places. The first is led around, without
// moving what stands behind, and the others are refused.

// macros are function-like macros: name, parameters, what they stand for.
var macros = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:[^\\\n]|\\(?:.|\n))*)`)
})

// spaced puts a blank between a comma and ## behind it, without which the parser leaves out both
// the comma and the arguments; another blank of the macro goes for it.
func spaced(text string) string {
	if !strings.Contains(text, ",##") {
		return text
	}
	out := []byte(text)
	for _, at := range macros().FindAllStringSubmatchIndex(text, -1) {
		body := out[at[6]:at[7]]
		for {
			i := strings.Index(string(body), ",##")
			if i < 0 || !space(body, i) {
				break
			}
		}
	}
	return string(out)
}

// space makes room at a comma of a macro, in place, or reports that there is none.
func space(body []byte, comma int) bool {
	blank := func(i int) bool { return i >= 0 && i < len(body) && (body[i] == ' ' || body[i] == '\t') }
	if blank(comma + 3) {
		copy(body[comma+2:comma+4], "##")
		body[comma+1] = ' '
		return true
	}
	for j := comma - 1; j >= 0; j-- {
		if blank(j) && (j == 0 || j == comma-1 || blank(j-1)) {
			copy(body[j:comma], body[j+1:comma+1])
			body[comma] = ' '
			return true
		}
	}
	return false
}

// punctuator is an argument of nothing but such.
var punctuator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[-+<>&|=!.*/%^#~?:]+\s*$`) })

// preprocessed refuses what the preprocessor of the parser does otherwise than C.
func preprocessed(f *source.File) {
	text := spaced(f.Text())
	if i := strings.Index(text, ",##"); i >= 0 {
		for _, at := range macros().FindAllStringSubmatchIndex(text, -1) {
			if at[6] <= i && i < at[7] {
				refuse(f.Span(i, i+3), "c-preprocessor", "write , ##", "a comma directly before ## is not supported here")
			}
		}
	}
	if strings.Contains(text, "##") {
		for _, at := range macros().FindAllStringSubmatchIndex(text, -1) {
			if i := strings.Index(text[at[6]:at[7]], "##"); i >= 0 {
				if namedRest().MatchString(text[at[4]:at[5]]) {
					refuse(f.Span(at[6]+i, at[6]+i+2), "c-preprocessor", "write ... and __VA_ARGS__", "## in a macro whose variable arguments have a name is not supported")
				}
				noPunctuators(f, text, text[at[2]:at[3]])
			}
		}
	}
	if !strings.Contains(text, "&&") {
		return
	}
	var ands []*regexp.Regexp // macros that stand for such
	for _, m := range andMacros().FindAllStringSubmatch(text, -1) {
		ands = append(ands, regexp.MustCompile(`\b`+m[1]+`\b(\s*\([^)]*\))?`))
	}
	for _, at := range conditional().FindAllStringIndex(text, -1) {
		line := text[at[0]:at[1]]
		for _, name := range ands {
			for _, use := range name.FindAllStringIndex(line, -1) {
				if numberOperator(strings.TrimLeft(line[use[1]:], " \t"), true) || numberOperator(strings.TrimRight(line[:use[0]], " \t"), false) {
					refuse(f.Span(at[0]+use[0], at[0]+use[1]), "c-preprocessor", "write (a && b ? 1 : 0)", "&& as a number in #if is not supported")
				}
			}
		}
		if i := countedAnd(text[at[0]:at[1]]); i >= 0 {
			refuse(f.Span(at[0]+i, at[0]+i+2), "c-preprocessor", "write (a && b ? 1 : 0)", "&& as a number in #if is not supported")
		}
	}
}

// namedRest are parameters that end in variable arguments with a name, as GNU C has them.
var namedRest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w\s*\.\.\.`) })

// noPunctuators refuses arguments of a macro that joins them, if they are punctuators.
func noPunctuators(f *source.File, text, name string) {
	for _, use := range regexp.MustCompile(`\b`+name+`\s*\(`).FindAllStringIndex(text, -1) {
		depth, from := 0, use[1]
		for i := use[1]; i < len(text) && depth >= 0; i++ {
			switch text[i] {
			case '(':
				depth++
			case ')', ',':
				if depth == 0 && punctuator().MatchString(text[from:i]) && strings.TrimSpace(text[from:i]) != "..." {
					refuse(f.Span(from, i), "c-preprocessor", "write the operator itself", "to join punctuators by ## is not supported")
				}
				if text[i] == ')' {
					depth--
				} else if depth == 0 {
					from = i + 1
				}
			}
		}
	}
}

// andMacros are macros in whose text && stands.
var andMacros = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)[^\n]*&&`)
})

// conditional are the lines of #if and #elif.
var conditional = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:el)?if[ \t(](?:[^\\\n]|\\(?:.|\n))*`)
})

// countedAnd returns where && stands in a group of a line that an operator on numbers takes, of
// which the parser makes the first operand; -1 if it stands nowhere so.
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
			before, behind := strings.TrimRight(line[:g.from], " \t\\\n"), strings.TrimLeft(line[i+1:], " \t\\\n")
			if g.and >= 0 && (numberOperator(behind, true) || numberOperator(before, false)) {
				return g.and
			}
			if len(open) > 0 && g.and >= 0 && behind != "" && behind[0] == ')' {
				open[len(open)-1].and = g.and // a group in parentheses of its own
			}
		}
	}
	return -1
}

// numberOperator reports an operator other than &&, ||, ! and ?: at the beginning, or the end, of
// a text.
func numberOperator(text string, first bool) bool {
	if !first {
		switch n := len(text); {
		case strings.HasSuffix(text, "&&"), strings.HasSuffix(text, "||"), n == 0:
			return false
		default:
			return strings.IndexByte("=<>+-*/%^&|~", text[n-1]) >= 0
		}
	}
	switch {
	case strings.HasPrefix(text, "&&"), strings.HasPrefix(text, "||"), text == "":
		return false
	case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "/*"):
		return false
	}
	return strings.HasPrefix(text, "!=") || strings.IndexByte("=<>+-*/%^&|", text[0]) >= 0
}
