package cfront

import (
	"regexp"
	"strings"
	"sync"
)

// linePattern is a pattern of lines of the preprocessor. It is looked for where a line begins with # and nowhere else,
// which takes next to no time in a text that has few of these.
type linePattern struct{ re *regexp.Regexp }

// onLines returns a pattern, which is given from behind the # on.
func onLines(pattern string) func() linePattern {
	return sync.OnceValue(func() linePattern { return linePattern{regexp.MustCompile(`^[ \t]*#[ \t]*` + pattern)} })
}

// all returns where the directives of a text are, in order, as regexp's FindAllStringSubmatchIndex does.
func (d linePattern) all(code string) (all [][]int) {
	for at := 0; ; {
		i := strings.IndexByte(code[at:], '#')
		if i < 0 {
			return all
		}
		begin := at + i
		for begin > at && (code[begin-1] == ' ' || code[begin-1] == '\t') {
			begin--
		}
		if at += i + 1; begin > 0 && code[begin-1] != '\n' {
			continue
		}
		if m := d.re.FindStringSubmatchIndex(code[begin:]); m != nil {
			for k := range m {
				if m[k] >= 0 {
					m[k] += begin
				}
			}
			all, at = append(all, m), max(at, m[1])
		}
	}
}

// texts returns the directives of a text and their groups.
func (d linePattern) texts(code string) (all [][]string) {
	for _, at := range d.all(code) {
		var m []string
		for k := 0; k < len(at); k += 2 {
			text := ""
			if at[k] >= 0 {
				text = code[at[k]:at[k+1]]
			}
			m = append(m, text)
		}
		all = append(all, m)
	}
	return all
}
