package cfront

import (
	"regexp"
	"strings"
	"sync"
)

// The parser declares the names of parameters in the types of casts in the block around them:
// (long (*)(long freq))v beside a variable freq is an error to it, or gives that another type. They are
// blanked: a type means the same without.

// abstractCalls find pointers to routines that have no name, up to their parameters.
var abstractCalls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\(\s*\*(?:\s|\*|\b(?:const|volatile|restrict|__restrict|__restrict__|__const|__volatile__)\b)*\)\s*\(`)
})

// qualifying are words behind a * that are no name.
var qualifying = map[string]bool{"const": true, "volatile": true, "restrict": true, "__restrict": true, "__restrict__": true, "__const": true, "__volatile__": true, "_Nonnull": true, "_Atomic": true, "register": true, "__const__": true, "__extension__": true}

// typeWords are words of types that a name does not follow in itself.
var typeWords = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true, "signed": true, "unsigned": true, "_Bool": true, "_Complex": true, "__signed__": true, "__signed": true, "__int128": true, "bool": true}

// unnamed blanks the names of parameters of pointers to routines without a name.
func unnamed(text string) string {
	if !abstractCalls().MatchString(text) {
		return text
	}
	out, code := []byte(text), []byte(codeOf(text))
	for from := 0; ; {
		at := abstractCalls().FindIndex(code[from:])
		if at == nil {
			return string(out)
		}
		open := from + at[1]
		from = open
		end := closing(code, open)
		if end < 0 {
			continue
		}
		for _, p := range parametersOf(code, open, end) {
			a, b := nameIn(string(code[p[0]:p[1]]))
			if b <= a || inBrackets(code[open:end], string(code[p[0]+a:p[0]+b])) {
				continue
			}
			for _, text := range [][]byte{out, code} {
				fill(text[p[0]+a:p[0]+b], ' ')
			}
		}
	}
}

// closing is where the bracket closes that is open at a place; -1 if it does nowhere.
func closing(code []byte, open int) int {
	depth := 1
	for i := open; i < len(code); i++ {
		switch code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case ';', '{', '}':
			return -1
		}
	}
	return -1
}

// parametersOf are the parts between commas.
func parametersOf(code []byte, open, end int) (all [][2]int) {
	depth, from := 0, open
	for i := open; i < end; i++ {
		switch code[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				all, from = append(all, [2]int{from, i}), i+1
			}
		}
	}
	return append(all, [2]int{from, end})
}

var (
	pointerParameter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^(]*\(\s*\*[\s*]*([A-Za-z_]\w*)\s*(?:\[\s*\w*\s*\]\s*)*\)\s*\(`)
	})
	lastName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\w+|\*)\s*\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$`) })
)

// nameIn is where the name of a parameter stands in its declaration; nowhere if that is not sure.
func nameIn(text string) (from, to int) {
	if strings.Contains(text, "(") {
		if m := pointerParameter().FindStringSubmatchIndex(text); m != nil && !qualifying[text[m[2]:m[3]]] && !strings.Contains(text, "__attribute") {
			return m[2], m[3]
		}
		return 0, 0
	}
	m := lastName().FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0
	}
	before, name := text[m[2]:m[3]], text[m[4]:m[5]]
	switch {
	case qualifying[name] || typeWords[name] || before == "struct" || before == "union" || before == "enum":
		return 0, 0
	case before == "*":
		return m[4], m[5]
	}
	for _, w := range strings.Fields(strings.ReplaceAll(text[:m[4]], "*", " ")) {
		if !qualifying[w] { // a type stands there, so that this is no type
			return m[4], m[5]
		}
	}
	return 0, 0
}

// inBrackets reports that a length in a text uses a name.
func inBrackets(code []byte, name string) bool {
	for _, b := range lengthsIn().FindAllString(string(code), -1) {
		if hasName(b, []string{name}) {
			return true
		}
	}
	return false
}

var lengthsIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\]`) })
