package cfront

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
)

// bracedCharacter finds braces around the first element of an array of characters, at which the parser fails,
// and bracedElement those of any array.
var (
	bracedCharacter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bchar\s+\w+\s*\[[^\]]*\]\s*=\s*\{\s*(\{)[^{},;]*(\})`)
	})
	omittedMiddle = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\?\s*:`) })
	bracedElement = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\s*=\s*\{\s*(\{)[^{},;]*\}`) })
)

// unbraced blanks such braces: the element is a number with them and without.
func unbraced(text string) string {
	if !strings.Contains(text, "char") {
		return text
	}
	code := codeOf(text)
	all := bracedCharacter().FindAllStringSubmatchIndex(code, -1)
	if all == nil {
		return text
	}
	out := []byte(text)
	for _, at := range all {
		if inside := code[at[3]:at[4]]; !strings.Contains(inside, `"`) && strings.TrimSpace(inside) != "" {
			out[at[2]], out[at[4]] = ' ', ' '
		}
	}
	return string(out)
}

// returnsVolatile finds declarations of routines that return a pointer to what is volatile, at which the parser
// fails where no body follows; volatileWord is the word in them.
var (
	returnsVolatile = sync.OnceValue(func() *regexp.Regexp {
		const between = `(?:__attribute(?:__)?\s*\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)|[^;{}()=])*`
		return regexp.MustCompile(`\b(?:__)?volatile(?:__)?\b` + between + `\*` + between + `\w\s*\(`)
	})
	volatileWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:__)?volatile(?:__)?\b`) })
)

// unreadVolatile is the message about them.
const unreadVolatile = "a routine that returns a pointer to what is volatile is not read as this declares it"

// volatileMacro stands for volatile where the parser fails at it: an attribute, which qualifierOf knows.
const volatileMacro, volatileAttribute = "__vltl__", "__seltl_volatile"

// relabelled writes such declarations with volatileMacro.
func relabelled(text string) string {
	out, code := []byte(text), codeOf(text)
	for _, at := range returnsVolatile().FindAllStringIndex(code, -1) {
		for _, word := range volatileWord().FindAllStringIndex(code[at[0]:at[1]], -1) {
			fill(out[at[0]+word[0]:at[0]+word[1]], ' ')
			copy(out[at[0]+word[0]:], volatileMacro)
		}
	}
	return string(out)
}

// enumeratorLists find lists of constants of enumerations.
var enumeratorLists = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\benum\b[^{;()=]*\{([^{}]*)\}`) })

// selfNamed is where a constant of an enumeration has a value that names it, which means one from outside: the
// parser takes it for itself. -1 if there is none.
func selfNamed(text string) int {
	code := codeOf(text)
	for _, list := range enumeratorLists().FindAllStringSubmatchIndex(code, -1) {
		for _, p := range parametersOf([]byte(code), list[2], list[3]) {
			name, value, given := strings.Cut(code[p[0]:p[1]], "=")
			if name := strings.TrimSpace(name); given && hasName(value, []string{name}) {
				return p[0] + strings.Index(code[p[0]:p[1]], name)
			}
		}
	}
	return -1
}

// misreadPlaces are messages, with places, for what the parser fails at without one.
func misreadPlaces(f *source.File) (list source.List) {
	if at := selfNamed(f.Text()); at >= 0 {
		list.Errorf(f.Span(at, at+1), "c-scope", "a constant of an enumeration whose value names one of its name is not supported").Help = "give one of them another name"
	}
	if at := bracedElement().FindStringSubmatchIndex(codeOf(f.Text())); len(list) == 0 && at != nil {
		list.Errorf(f.Span(at[2], at[2]+1), "c-initialiser", "braces around the first element of this array are not supported").Help = "remove them"
	}
	return list
}

// panicPlaces are messages for what the parser panics at.
func panicPlaces(f *source.File) source.List {
	list := misreadPlaces(f)
	if at := omittedMiddle().FindStringIndex(codeOf(f.Text())); len(list) == 0 && at != nil {
		list.Errorf(f.Span(at[0], at[1]), "c-expression", "?: without its middle, behind a constant, is not supported").Help = "write the constant's value"
	}
	return list
}
