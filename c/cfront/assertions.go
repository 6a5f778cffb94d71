package cfront

import (
	"regexp"
	"strings"
	"sync"
)

// assertions find static assertions.
var assertions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(_Static_assert|static_assert)\s*\(`) })

// unasserted blanks static assertions in the forms of C23, which the parser does not read: without a message, and
// by the keyword without an underscore. All is set to blank all of them.
func unasserted(text string, all bool) string {
	if !strings.Contains(text, "tatic_assert") {
		return text
	}
	out, code := []byte(text), []byte(codeOf(text))
	macro := strings.Contains(text, "assert.h") || definesAssertion().Match(code)
	for _, at := range assertions().FindAllSubmatchIndex(code, -1) {
		end := closing(code, at[1])
		if end < 0 {
			continue
		}
		if onDirective(code, at[0]) { // of a macro, say
			if all && !strings.Contains(string(code[at[0]:end]), "\\\n") {
				fill(out[at[0]:end+1], ' ')
			}
			continue
		}
		keyword := string(code[at[2]:at[3]]) == "static_assert"
		if keyword && macro || !all && !keyword && len(parametersOf(code, at[1], end)) > 1 {
			continue
		}
		if strings.Contains(string(code[at[0]:end]), "\\\n") { // of a macro
			continue
		}
		for end++; end < len(code) && (code[end] == ' ' || code[end] == '\n'); end++ {
		}
		if end < len(code) && code[end] == ';' {
			fill(out[at[0]:end+1], ' ')
		}
	}
	return string(out)
}

var definesAssertion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#\s*define\s+static_assert\b`) })

// onDirective reports a place on a line of the preprocessor.
func onDirective(code []byte, at int) bool {
	return isDirective(string(code), at)
}
